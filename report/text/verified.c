/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what --verify measured, beside what was estimated. */
#include <math.h>

#include "report/text/text.h"
#include "report/words/words.h"

/* Share of the program's own time by which a copy's may differ before it is said. */
static const double ALIKE = 0.1;

static void share(struct buf *b, const char *what, double value, double low, double high)
{
	char figure[3][PAGE_FIGURE];

	if (page_not_known(low, high)) {
		buf_printf(b, "%s: " PAGE_NOT_KNOWN, what);
		return;
	}
	buf_printf(b, "%s %s (%s to %s)", what, page_percent(figure[0], value),
		page_percent(figure[1], low), page_percent(figure[2], high));
}

static void put_figures(struct buf *b, const struct report_verified *v)
{
	char figure[2][PAGE_FIGURE];

	buf_printf(b, "%s an execution takes %s instead of %s of processor time: ", v->one_cpu ?
		"with all threads on one CPU, where none takes lines from another," :
		"without its misses", page_seconds(figure[0], v->time_with),
		page_seconds(figure[1], v->time));
	share(b, "measured", v->measured, v->measured_low, v->measured_high);
	if (!isnan(v->estimated))
		share(b, ", estimated", v->estimated, v->estimated_low, v->estimated_high);
	if (v->cold)
		buf_puts(b, "; each copy could run one execution only, in which caches are cold");
	if (!v->one_cpu && fabs(v->time - v->program_time) > ALIKE * v->program_time)
		buf_printf(b,
			"; the program's own executions take %s: a copy has other page frames, "
			"and no large pages", page_seconds(figure[0], v->program_time));
}

static void put_one(struct text_report *t, const struct report_verified *v)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, v->structure);
	if (v->declared)
		buf_printf(&b, " (%s)", v->declared);
	buf_puts(&b, ": ");
	if (v->reason)
		buf_printf(&b, "not measured: %s", v->reason);
	else
		put_figures(&b, v);
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}

static void put_outside(struct text_report *t, const struct report_verified *v)
{
	struct buf b = BUF_INIT;

	words_outside(&b, v);
	if (b.len || b.failed)
		page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}

void text_verified(struct text_report *t)
{
	bool copies = false, one_cpu = false;

	if (t->r->nverified <= 0)
		return;
	page_heading(&t->page, "What misses cost, measured");
	for (int i = 0; i < t->r->nverified; i++) {
		put_one(t, &t->r->verified[i]);
		copies |= !t->r->verified[i].reason && !t->r->verified[i].one_cpu;
		one_cpu |= !t->r->verified[i].reason && t->r->verified[i].one_cpu;
	}
	for (int i = 0; i < t->r->nverified; i++)
		put_outside(t, &t->r->verified[i]);
	page_dim(&t->page, true);
	if (copies)
		page_wrap(&t->page, 0, 2,
			"measured: median and quartiles of the processor time saved, by pairs of "
			"copies of the process, which ran the phase. Page walks remain in both copies; the estimate beside it "
			"leaves them out, too.");
	if (one_cpu)
		page_wrap(&t->page, 0, 2,
			"measured on one CPU: the processor time saved in executions of the program, by all "
			"structures together whose lines threads take from each other; lower quartiles, and what the "
			"program's slower executions say. The estimate beside it was made before; the report's own knows this measurement.");
	page_dim(&t->page, false);
}
