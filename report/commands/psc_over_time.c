/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory over time in the terminal: --timeline, --cartography, --portal, --flows, --threads-at. */
#include <string.h>

#include "base/user_file.h"
#include "report/commands/psc_report.h"
#include "report/commands/target.h"

void over_time_take(struct report_options *o, enum over_time_view view, const char *option,
	const char *of)
{
	command_take(o, COMMAND_OVER_TIME, option);
	o->over_time.view = view;
	o->over_time.of = of;
}

const char *over_time_without_view(const struct report_options *o)
{
	const bool view = o->command == COMMAND_OVER_TIME;

	if (o->over_time.process >= 0 && !view)
		return "--process wants --timeline, --cartography, --portal, --flows or --threads-at";
	if ((o->over_time.sort || o->over_time.count != PORTAL_ACCESSES) &&
	    (!view || o->over_time.view != OVER_PORTAL))
		return "--portal-sort and --portal-count want --portal";
	return NULL;
}

int over_time_name(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

int command_over_time(const struct report_options *o)
{
	struct over_time_style style = o->over_time;
	struct buf text = BUF_INIT;
	struct err err;
	struct report *r = report_target_check(o->out, o->force, &err) < 0 ? NULL :
		report_psc_read(o->in, &err);
	int rc;

	style.top = o->style.lines ? 0 : o->style.top;
	style.width = o->style.width;
	style.color = o->style.color;
	style.unicode = o->style.unicode;
	rc = !r || over_time_text(r, &style, &text, &err) < 0 ||
		output_write(o->out, &text, &err) < 0 ? EXIT_USAGE : 0;
	if (rc)
		fprintf(stderr, "psc_report: %s%s%s\n", r ? o->in : "", r ? ": " : "", err.text);
	buf_free(&text);
	report_free(r);
	return rc;
}
