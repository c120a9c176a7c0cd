/* SPDX-License-Identifier: BSD-3-Clause */
/* The command psc_report --history. */
#include "report/commands/psc_report.h"

#include "base/user_file.h"
#include "report/gate/history.h"
#include "report/commands/target.h"

int command_history(const struct report_options *o)
{
	struct history h = { 0 };
	struct buf out = BUF_INIT;
	struct err err;
	int rc = report_target_check(o->out, o->force, &err) || history_read(&h, o->in, &err) ? -1 :
		0;

	if (!rc) {
		for (int i = 0; i < h.nunread; i++)
			fprintf(stderr, "psc_report: left out: %s\n", h.unread[i]);
		if (o->format == FORMAT_CSV)
			history_csv(&h, &o->style, o->structure, &out);
		else
			history_text(&h, &o->style, o->structure, &out);
		rc = output_write(o->out, &out, &err);
	}
	if (rc)
		fprintf(stderr, "psc_report: %s\n", err.text);
	history_free(&h);
	buf_free(&out);
	return rc ? EXIT_USAGE : 0;
}
