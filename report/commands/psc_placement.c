/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_report --placement: where structures should lie, in a form that others apply. */
#include "base/user_file.h"
#include "report/commands/psc_report.h"
#include "report/commands/target.h"

int command_placement(const struct report_options *o)
{
	struct buf text = BUF_INIT;
	struct err err;
	struct report *r = report_target_check(o->out, o->force, &err) < 0 ? NULL :
		report_psc_read(o->in, &err);
	int rc = EXIT_USAGE;

	if (r) {
		placement_form(r, o->placement, &text);
		rc = output_write(o->out, &text, &err) < 0 ? EXIT_USAGE : 0;
	}
	if (rc)
		fprintf(stderr, "psc_report: %s\n", err.text);
	buf_free(&text);
	report_free(r);
	return rc;
}
