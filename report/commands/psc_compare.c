/* SPDX-License-Identifier: BSD-3-Clause */
/* The command psc_report --compare. */
#include "report/commands/psc_report.h"

#include "base/user_file.h"
#include "report/compare/compare.h"
#include "report/commands/target.h"

static int write_comparison(const struct compare *c, const struct report_options *o,
	struct err *err)
{
	struct report_style style = o->style;
	struct buf out = BUF_INIT;
	int rc;

	style.psc = o->in;
	if (!o->verbose && !report_of_paper(c->after))
		style.part = REPORT_SHORT;

	if (o->format == FORMAT_JSON)
		compare_json(c, &out);
	else if (o->format == FORMAT_MARKDOWN)
		compare_markdown(c, &o->style, &out);
	else
		compare_text(c, &style, &out);
	rc = output_write(o->out, &out, err);
	buf_free(&out);
	return rc;
}

int command_compare(const struct report_options *o)
{
	struct report *before = NULL, *after = NULL;
	struct compare c;
	struct err err;
	int rc = report_target_check(o->out, o->force, &err);

	if (!rc)
		before = report_psc_read(o->before, &err);
	if (before)
		after = report_psc_read(o->in, &err);
	if (!before || !after || compare_reports(&c, before, o->before, after, o->in, &err)) {
		rc = -1;
	} else {
		rc = write_comparison(&c, o, &err);
		compare_free(&c);
	}
	if (rc)
		fprintf(stderr, "psc_report: %s\n", err.text);
	report_free(before);
	report_free(after);
	return rc ? EXIT_USAGE : 0;
}
