/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory over time in the forms of other tools: --timeline-csv, --perfetto, --paraver. */
#include <string.h>

#include "report/commands/psc_report.h"
#include "report/commands/target.h"

/* A Paraver trace of ours is known by its .cfg: the other files look like any tool's. */
static int check_paraver(const struct report_options *o, struct err *err)
{
	static const char *const ends[] = { ".cfg", ".prv", ".pcf", ".row" };
	bool ours = o->force;
	int rc = 0;

	for (size_t i = 0; i < sizeof ends / sizeof *ends && !rc; i++) {
		struct buf name = BUF_INIT;

		buf_printf(&name, "%s%s", o->paraver, ends[i]);
		rc = name.failed ? err_nomem(err) : report_target_check(buf_str(&name), ours, err);
		ours |= i == 0 && !rc && report_target_is_ours(buf_str(&name));
		buf_free(&name);
	}
	return rc;
}

static int check_targets(const struct report_options *o, struct err *err)
{
	if (o->timeline_csv && report_target_check(o->timeline_csv, o->force, err) < 0)
		return -1;
	if (o->perfetto && report_target_check(o->perfetto, o->force, err) < 0)
		return -1;
	return o->paraver ? check_paraver(o, err) : 0;
}

static int write_all(const struct report *r, const struct report_options *o, struct err *err)
{
	if (!report_counts_timelines(r))
		return err_set(err,
			"%s has no timeline: none was recorded, pages were sampled, or it is of another tool", o->in);
	if (o->timeline_csv && report_timeline_csv_write(r, o->timeline_csv, err) < 0)
		return -1;
	if (o->perfetto && report_perfetto_write(r, o->perfetto, err) < 0)
		return -1;
	return o->paraver ? report_paraver_write(r, o->paraver, err) : 0;
}

int command_traces(const struct report_options *o)
{
	struct err err;
	struct report *r = check_targets(o, &err) < 0 ? NULL : report_psc_read(o->in, &err);
	int rc = !r || write_all(r, o, &err) < 0 ? EXIT_USAGE : 0;

	if (rc)
		fprintf(stderr, "psc_report: %s\n", err.text);
	report_free(r);
	return rc;
}
