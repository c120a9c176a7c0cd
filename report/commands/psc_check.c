/* SPDX-License-Identifier: BSD-3-Clause */
/* The command psc_report --check. */
#include "report/commands/psc_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/user_file.h"
#include "report/gate/check.h"
#include "report/commands/target.h"

struct gate {
	const struct report_options *o;
	struct arena *arena;
	struct report *report, *baseline;
	struct compare compare;
	struct check check;
	struct check_limit limits[REPORT_LIMITS + 2];
};

/* "10%" or "0.1": a share, 0 or more; -1: neither. */
static int parse_share(const char *text, double *v)
{
	char *end;

	*v = strtod(text, &end);
	if (end == text || !isfinite(*v) || *v < 0)
		return -1;
	if (*end == '%') {
		*v /= 100;
		end++;
	}
	return *end ? -1 : 0;
}

static int add_worse_by(struct gate *g, const char *option, const char *text, bool hard,
	struct err *err)
{
	struct check_limit *limit = &g->limits[g->check.nlimits];
	double share;

	if (!text)
		return 0;
	if (parse_share(text, &share))
		return err_set(err, "--%s takes a share such as 10%%, not '%s'", option, text);
	*limit = (struct check_limit){ .hard = hard, .worse_by = share,
		.text = arena_printf(g->arena, "not worse than %s by more than %s", g->o->baseline,
		text) };
	g->check.nlimits++;
	return limit->text ? 0 : err_nomem(err);
}

static int make_limits(struct gate *g, struct err *err)
{
	const struct report_options *o = g->o;

	for (int i = 0; i < o->nlimits; i++) {
		const struct report_limit *from = &o->limits[i];
		struct check_limit *limit = &g->limits[g->check.nlimits++];

		*limit = (struct check_limit){ .text = from->text, .hard = from->hard,
			.condition = condition_parse(from->text, g->arena, err) };
		if (!limit->condition)
			return err_prefix(err, "--%s", from->hard ? "fail-on" : "warn-on");
	}
	if (!o->baseline && (o->worse_by || o->warn_by))
		return err_set(err, "--%s wants --baseline FILE, what it is compared with",
			o->worse_by ? "worse-by" : "warn-by");
	if (o->baseline && !o->worse_by && !o->warn_by)
		return err_set(err, "--baseline wants --worse-by or --warn-by SHARE");
	if (add_worse_by(g, "worse-by", o->worse_by, true, err) ||
			add_worse_by(g, "warn-by", o->warn_by, false, err))
		return -1;
	return g->check.nlimits ? 0 :
		err_set(err, "--check wants limits: --fail-on EXPR, --warn-on EXPR, or "
		"--baseline FILE --worse-by SHARE");
}

static int read_files(struct gate *g, struct err *err)
{
	const struct report_options *o = g->o;

	g->report = report_psc_read(o->in, err);
	if (!g->report)
		return -1;
	g->check.report = g->report;
	g->check.name = o->in;
	if (!o->baseline)
		return 0;
	g->baseline = report_psc_read(o->baseline, err);
	if (!g->baseline || compare_reports(&g->compare, g->baseline, o->baseline, g->report, o->in,
	    err))
		return -1;
	g->check.baseline = &g->compare;
	return 0;
}

/* The result in the forms that were asked for. */
static int write_result(struct gate *g, struct err *err)
{
	const struct report_options *o = g->o;
	const char *paths[] = { "-", o->markdown_file, o->sarif, o->junit };
	int rc = 0;

	for (size_t i = 0; i < sizeof paths / sizeof *paths && !rc; i++) {
		struct buf out = BUF_INIT;

		if (!paths[i])
			continue;
		switch (i) {
		case 0: check_text(&g->check, &o->style, &out); break;
		case 1: check_markdown(&g->check, &out); break;
		case 2: check_sarif(&g->check, &out); break;
		default: check_junit(&g->check, &out);
		}
		rc = output_write(paths[i], &out, err);
		buf_free(&out);
	}
	return rc;
}

static int check_targets(const struct report_options *o, struct err *err)
{
	const char *paths[] = { o->markdown_file, o->sarif, o->junit };

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (paths[i] && report_target_check(paths[i], o->force, err))
			return -1;
	return 0;
}

int command_check(const struct report_options *o)
{
	struct gate g = { .o = o, .arena = arena_new() };
	struct err err;
	int rc, code;

	g.check.limits = g.limits;
	rc = g.arena ? 0 : err_nomem(&err);
	if (!rc)
		rc = make_limits(&g, &err) || check_targets(o, &err) || read_files(&g, &err) ||
			check_run(&g.check, &err) || write_result(&g, &err) ? -1 : 0;
	code = rc ? EXIT_USAGE : check_state(&g.check) == CHECK_FAILED;
	if (rc)
		fprintf(stderr, "psc_report: %s\n", err.text);
	check_free(&g.check);
	compare_free(&g.compare);
	report_free(g.report);
	report_free(g.baseline);
	arena_free(g.arena);
	return code;
}
