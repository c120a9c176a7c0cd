/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what becomes of the phase. */
#include "phase/decide.h"

#include <stddef.h>

static const char *const verdict_names[PHASE_VERDICTS] = {
	[PHASE_KEEP] = "keep", [PHASE_WAIT] = "wait", [PHASE_CHANGE] = "change",
	[PHASE_CONFIRM] = "confirm", [PHASE_RERUN] = "rerun"
};
static const char *const reason_names[PHASE_REASONS] = {
	[PHASE_NOTHING] = "nothing", [PHASE_BEST] = "best", [PHASE_RUNS] = "runs",
	[PHASE_HOLDS] = "holds", [PHASE_EARLY] = "early",
	[PHASE_FIRST] = "first", [PHASE_AROUND] = "around", [PHASE_MORE] = "more",
	[PHASE_ENDED] = "ended",
	[PHASE_SETTLED] = "settled", [PHASE_LATE] = "late", [PHASE_BRIEF] = "brief",
	[PHASE_GONE] = "gone", [PHASE_EMPTY] = "empty",
	[PHASE_STARVED] = "starved", [PHASE_OUTDONE] = "outdone"
};

const char *phase_verdict_name(enum phase_verdict v)
{
	return verdict_names[v];
}

const char *phase_reason_name(enum phase_reason r)
{
	return reason_names[r];
}

static const struct phase_time *find(const struct phase_look *look, uint32_t region)
{
	const int i = phase_find(look->t, look->n, region);

	return i < 0 ? NULL : &look->t[i];
}

static struct phase_decision decide_running(const struct phase_look *look)
{
	const uint64_t wait = PHASE_WAIT_NS * look->processes;
	const struct phase_time *now = find(look, look->phase), *best;
	struct phase_decision d = { PHASE_KEEP, PHASE_NOTHING, PHASE_NONE, false };
	const bool again = now && phase_comes_again(now, look->needed);
	bool runs = now && phase_runs(now, look->needed, wait), around;
	int i;

	d.runs = runs && again;
	if (!again && look->elapsed_ns <= PHASE_LATE_NS * look->processes)
		runs = false;
	i = phase_choose(look->t, look->n, look->elapsed_ns, look->needed, wait, true);
	if (i < 0)
		return d;
	best = &look->t[i];
	around = now && phase_gives_way(now, best, look->elapsed_ns, look->needed, look->kept);
	d.reason = best->region == look->phase ? PHASE_BEST : best->team && now &&
		phase_holds(now, best) ? PHASE_HOLDS : PHASE_RUNS;
	if (d.reason != PHASE_RUNS || (runs && !around))
		return d;
	if (!phase_is_clear(look->t, look->n, i, look->elapsed_ns, look->processes)) {
		d.verdict = PHASE_WAIT;
		d.reason = PHASE_EARLY;
		return d;
	}
	d.verdict = PHASE_CHANGE;
	d.reason = around ? PHASE_AROUND : now ? PHASE_MORE : PHASE_FIRST;
	d.region = best->region;
	return d;
}

static struct phase_decision decide_ended(const struct phase_look *look)
{
	const int i = phase_choose_again(look->t, look->n, look->elapsed_ns, look->needed,
		look->least);
	const struct phase_time *now = find(look, look->phase), *best = i < 0 ? NULL : &look->t[i];
	struct phase_decision d = { PHASE_KEEP, PHASE_NOTHING, PHASE_NONE, false };

	if (!best)
		return d;
	d.region = best->region;
	d.reason = PHASE_BEST;
	if (best->region == look->phase)
		return d;
	d.reason = PHASE_RUNS;
	if (now && !phase_is_brief(now) &&
	    (double)now->ns >= PHASE_SHARE * (double)look->elapsed_ns &&
	    !phase_is_wider(best, now, look->elapsed_ns))
		return d;
	d.verdict = PHASE_RERUN;
	d.reason = now ? PHASE_MORE : PHASE_FIRST;
	return d;
}

struct phase_decision phase_decide(const struct phase_look *look)
{
	return look->ended ? decide_ended(look) : decide_running(look);
}

/* Why the analysis of a phase that was chosen by its time, by this host, is not
 * reported; PHASE_REASONS: it is. */
static enum phase_reason doubt(const struct phase_held *f)
{
	return f->elapsed_ns < PHASE_CONFIRM_NS ? PHASE_EARLY : !f->runs ? PHASE_GONE :
		f->accesses < PHASE_ACCESSES_LEAST ? PHASE_EMPTY : !f->ran ? PHASE_STARVED :
			f->outdone ? PHASE_OUTDONE : PHASE_REASONS;
}

static struct phase_decision confirm_if(bool yes, enum phase_reason why, enum phase_reason why_not)
{
	return (struct phase_decision){ yes ? PHASE_CONFIRM : PHASE_WAIT, yes ? why : why_not,
		PHASE_NONE, false };
}

struct phase_decision phase_confirm(const struct phase_held *f)
{
	const bool late = f->elapsed_ns >= (f->slight ? PHASE_GIVE_UP_SLIGHT_NS :
		PHASE_GIVE_UP_NS);
	const enum phase_reason why_not = doubt(f);

	if (f->ended)
		return confirm_if(true, PHASE_ENDED, PHASE_ENDED);
	/* Spans of time may replace a phase that tells nothing, in the next run. */
	if (!f->chosen)
		return confirm_if(f->last_run || !f->brief || late, late ? PHASE_LATE :
			PHASE_SETTLED, PHASE_BRIEF);
	if (!f->leads)
		return confirm_if(f->settled || late, f->settled ? PHASE_SETTLED : PHASE_LATE,
			PHASE_EARLY);
	if (late && (f->last_run || f->unasked))
		return confirm_if(true, PHASE_LATE, PHASE_LATE);
	return confirm_if(why_not == PHASE_REASONS, PHASE_RUNS, why_not);
}
