/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions that are recorded.  Three collectors: counts of the program as it is, where all of
 * an execution is recorded or slices of it; counts of variants beside them; and words alone,
 * which are decoded and not simulated. */
#include "monitor/collect/armed.h"
#include "monitor/collect/clean_collectors.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/slice_budget.h"
#include "monitor/collect/slices.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/time_rows.h"
#include "monitor/state.h"

/* --- in common ------------------------------------------------------------------------------- */

static enum pscm_calls calls_all(void)
{
	return PSCM_CALLS_ALL;
}

static enum mon_drop open_whole(struct pscm_armed *a, struct pscm_thread *t,
	const struct collector_begin *b)
{
	pscm_record_begin(t, a->progress >= a->warm, b->after_gap || !a->progress);
	return MON_DROP_NONE;
}

static void close_whole(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	(void)a;
	pscm_record_end(t, is_void);
}

/* Calls of one execution: more rows might not fit, and the counts are worth having without them. */
static void take_calls(struct pscm_armed *a)
{
	if (a->progress == a->warm && !pscm_time_rows(a))
		a->rows.times = 0;
}

/* --- words alone ----------------------------------------------------------------------------- */

static bool wants_words(const struct mon_request *r)
{
	return r->kind == MON_RECORD;
}

static enum mon_drop arm_words(struct pscm_armed *a)
{
	return a->nvariants ? MON_DROP_REQUEST : pscm_record_arm(a);
}

static bool take_words(struct pscm_armed *a, const struct collector_execution *e)
{
	(void)a;
	return e->counted;
}

const struct pscm_collector collect_words = {
	.mode = PSCM_MODE_SIM | PSCM_MODE_NAMES, .most = MON_EXECUTIONS, .slower = true,
	.wants = wants_words, .arm = arm_words, .calls = calls_all, .open = open_whole,
	.close = close_whole, .take = take_words, .finish = pscm_record_finish
};

/* --- counts of variants ---------------------------------------------------------------------- */

static bool wants_variants(const struct mon_request *r)
{
	return r->kind == MON_SIM && r->nvariants;
}

static bool take_variants(struct pscm_armed *a, const struct collector_execution *e)
{
	if (e->counted)
		take_calls(a);
	return e->counted;
}

const struct pscm_collector collect_variants = {
	.mode = PSCM_MODE_SIM | PSCM_MODE_NAMES, .most = MON_EXECUTIONS, .slower = true,
	.wants = wants_variants, .arm = pscm_record_arm, .calls = calls_all, .open = open_whole,
	.close = close_whole, .take = take_variants, .finish = pscm_record_finish
};

/* --- counts ---------------------------------------------------------------------------------- */

static bool wants_counts(const struct mon_request *r)
{
	return r->kind == MON_SIM;
}

static enum pscm_calls calls_counts(void)
{
	return slices_wanted() ? PSCM_CALLS_SLICED : PSCM_CALLS_ALL;
}

static enum mon_drop arm_counts(struct pscm_armed *a)
{
	enum mon_drop failed = pscm_record_arm(a);

	if (failed)
		return failed;
	slice_budget_arm();
	slices_arm(a, clean_shortest());
	return MON_DROP_NONE;
}

static enum mon_drop open_counts(struct pscm_armed *a, struct pscm_thread *t,
	const struct collector_begin *b)
{
	if (!slices_wanted())
		return open_whole(a, t, b);
	if (b->again) {
		slices_again(t, b->after_gap);
		return MON_DROP_NONE;
	}
	slices_begin(t, a->progress < a->warm, b->after_gap || !a->progress);
	if (!slices_wanted())           /* it is recorded in full */
		pscm_units_call(PSCM_CALLS_ALL);
	return MON_DROP_NONE;
}

static void close_counts(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	if (slices_wanted())
		slices_end(t);
	close_whole(a, t, is_void);
}

static bool take_counts(struct pscm_armed *a, const struct collector_execution *e)
{
	bool whole = !slices_wanted(), counted = e->counted;

	if (counted && a->progress == a->warm && slices_failed()) {
		counted = false;
		if (slices_given_up(a))
			a->failed = MON_DROP_PLACES;
		else
			a->warm++;
	}
	if (counted)
		take_calls(a);
	slice_budget_executed(e->cpu_ns, clean_shortest().cpu_ns, whole && a->sample <= 1);
	return counted;
}

static void finish_counts(struct pscm_armed *a)
{
	pscm_record_finish(a);
	slices_finish(a->request);
	slice_budget_finish(a->request);
}

const struct pscm_collector collect_counts = {
	.mode = PSCM_MODE_SIM | PSCM_MODE_NAMES, .most = MON_EXECUTIONS, .slower = true,
	.wants = wants_counts, .arm = arm_counts, .calls = calls_counts, .open = open_counts,
	.close = close_counts, .take = take_counts, .finish = finish_counts,
	.forget = slice_budget_forget, .stop = slices_stop
};
