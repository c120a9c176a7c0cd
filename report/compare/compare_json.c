/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as JSON. */
#include <math.h>

#include "base/json_text.h"
#include "base/real_text.h"
#include "report/compare/compare_problems.h"
#include "report/model/figures.h"

#define FORMAT "periscope-c comparison 1"

static void text(struct buf *out, const char *name, const char *s)
{
	buf_printf(out, ", \"%s\": ", name);
	text_json(out, s);
}

static void report(struct buf *out, const char *key, const char *name, const struct report *r)
{
	buf_printf(out, "\"%s\": {\"name\": ", key);
	text_json(out, name);
	text(out, "command", r->command);
	buf_printf(out, ", \"when\": %lld, \"nprocs\": %d, \"nthreads\": %d", (long long)r->when,
		r->nprocs, r->nthreads);
	text(out, "phase", r->phase.name_path);
	json_next_real(out, "cpu_time", r->cpu_time);
	json_next_real(out, "time_least", r->time_least);
	json_next_real(out, "time_most", r->time_most);
	buf_puts(out, "},\n  ");
}

/* {"l1_misses": {"before": 1, "after": 2, "differs": true}, ...}; a cost that is not there: 0. */
static void figures(struct buf *out, const struct compare *c, const struct compare_costs *costs)
{
	static const char *const names[COMPARE_FIGURES] = { "est_stall", "l1_misses", "l2_misses",
		"l3_misses",
		"l4_misses", "coherence", "accesses" };

	buf_puts(out, "{");
	for (int i = 0; i < COMPARE_FIGURES && (costs->before || costs->after); i++) {
		buf_printf(out, "%s\"%s\": {\"differs\": %s", i ? ", " : "", names[i],
			compare_figure_differs(c, costs, i) ? "true" : "false");
		json_next_real(out, "before", compare_figure(costs->before, i));
		json_next_real(out, "after", compare_figure(costs->after, i));
		buf_puts(out, "}");
	}
	buf_puts(out, "}");
}

static void structure(struct buf *out, const struct compare *c, const struct compare_costs *s)
{
	const struct report_cost *of = s->before ? s->before : s->after;

	buf_printf(out, "\n    {\"state\": \"%s\"", compare_state_name(s->state));
	text(out, "structure", of->structure);
	text(out, "scope", of->scope);
	buf_puts(out, ", \"figures\": ");
	figures(out, c, s);
	buf_puts(out, "}");
}

static void finding(struct buf *out, const struct compare *c, const struct compare_finding *f)
{
	const struct report_finding *of = f->after ? f->after : f->before;
	struct compare_label l;
	struct buf key = BUF_INIT;

	compare_label(f, &l);
	report_finding_key(of, &key);
	buf_printf(out, "\n    {\"state\": \"%s\", \"listed_before\": %s, \"listed_after\": %s",
		compare_state_name(f->state), f->before ? "true" : "false", f->after ? "true" :
		"false");
	text(out, "property", l.property);
	text(out, "structure", *l.structure ? l.structure : NULL);
	text(out, "region", buf_str(&key));
	text(out, "file", l.file);
	buf_printf(out, ", \"line\": %d", l.line);
	json_next_real(out, "severity_before", f->before ? f->before->severity : NAN);
	json_next_real(out, "severity_after", f->after ? f->after->severity : NAN);
	buf_puts(out, ", \"figures\": ");
	figures(out, c, &f->costs);
	buf_puts(out, "}");
	out->failed |= key.failed;
	buf_free(&key);
}

/* {"number": 1, "key": "...", "kind": "strided"}, or null where the report does not list it. */
static void listed(struct buf *out, const char *name, const struct report_problem *p)
{
	buf_printf(out, ", \"%s\": ", name);
	if (!p) {
		buf_puts(out, "null");
		return;
	}
	buf_printf(out, "{\"number\": %d", p->number);
	text(out, "key", p->key);
	text(out, "kind", p->cause);
	buf_puts(out, "}");
}

static void problems(struct buf *out, const struct compare *c)
{
	struct compare_problems all;

	if (compare_problems_find(&all, c)) {
		out->failed = true;
		return;
	}
	for (int i = 0; i < all.n; i++) {
		const struct compare_problem *p = &all.problem[i];

		buf_printf(out, "%s\n    {\"outcome\": \"%s\"", i ? "," : "",
			compare_outcome_name(p->outcome));
		listed(out, "before", p->before);
		listed(out, "after", p->after);
		json_next_real(out, "time_before", p->was);
		json_next_real(out, "time_after", p->is);
		buf_puts(out, ", \"figures\": ");
		figures(out, c, &p->costs);
		buf_puts(out, "}");
	}
	compare_problems_free(&all);
}

void compare_json(const struct compare *c, struct buf *out)
{
	buf_puts(out, "{\"format\": \"" FORMAT "\",\n  ");
	report(out, "before", c->before_name, c->before);
	report(out, "after", c->after_name, c->after);
	buf_printf(out,
		"\"counts_repeat_exactly\": %s, \"time_differs\": %s, \"time_unclear\": %s,\n  \"notes\": [", c->exact ? "true" : "false", compare_time_differs(c) ? "true" : "false", compare_time_unclear(c) ? "true" : "false");
	for (int i = 0; i < c->nnotes; i++) {
		buf_puts(out, i ? ", " : "");
		text_json(out, c->notes[i]);
	}
	buf_puts(out, "],\n  \"problems\": [");
	problems(out, c);
	buf_puts(out, "],\n  \"structures\": [");
	for (int i = 0; i < c->nstructures; i++) {
		buf_puts(out, i ? "," : "");
		structure(out, c, &c->structures[i]);
	}
	buf_puts(out, "],\n  \"findings\": [");
	for (int i = 0; i < c->nfindings; i++) {
		buf_puts(out, i ? "," : "");
		finding(out, c, &c->findings[i]);
	}
	buf_puts(out, "]}\n");
}
