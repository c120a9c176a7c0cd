/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the executions of a trial and judges their times. */
#include "analysis/trials/trial_plan.h"

#include <math.h>

#include "analysis/measure/quantiles.h"
#include "analysis/trials/settle.h"

/* GAP: discarded between slots of one state, as times of neighbours are alike. */
enum { BLOCK = 4, KEEP = 3, GAP = 2, BEFORE = 24, LOOKS = 4, RESTARTS = 3 };
enum { FEW_BEFORE = 8, FEW_SETTLE = 8 };        /* of long executions */
static const uint32_t look_pairs[LOOKS] = { 8, 16, 32, 48 };
#define LONG_S 0.3              /* an execution that few are run of */
#define SINGLE_S 1.0            /* a slot is one execution */
#define BUDGET_S 10             /* after the first look */
#define FIRST_LOOK_S 20         /* the most that switches may take before it */
#define CONTROL 0.95            /* confidence */
#define CONTROL_SMALL 0.1       /* of the effect: a difference of the middle slots that cannot
				 * explain it */
#define NULL_SHARE 0.01         /* an effect below it does not matter */
#define WIDE_SHARE 0.02         /* half of an interval that decides nothing */
#define STRAYED_SHARE 0.1       /* of the pages: where more do not stay, state B is none */
#define CONFIRM_SHARE 0.03      /* a smaller effect may be that of a warm-up */

/* --- schedule --------------------------------------------------------------------------------- */

static void add_slot(struct action_trial *t, bool b, uint32_t discard, uint32_t keep)
{
	if (discard + keep && t->nschedule < MON_TRIAL_SLOTS)
		t->schedule[t->nschedule++] = (struct mon_trial_slot){ b, discard, keep };
}

static uint32_t keep_each(const struct action_trial *t)
{
	return t->state[0].seconds > SINGLE_S ? 1 : KEEP;
}

/* The settings are put back behind a request, so that B begins anew, too. */
static void add_blocks(struct action_trial *t, uint32_t n)
{
	bool last = t->ended_in_b, first = true;

	for (uint32_t i = 0; i < n; i++) {
		const bool b = coin_throw(&t->coin);
		const bool order[BLOCK] = { b, !b, !b, b };

		for (int k = 0; k < BLOCK; k++) {
			const bool switched = order[k] != last || (first && order[k]);

			add_slot(t, order[k], switched ? t->state[order[k]].discard : GAP,
				keep_each(t));
			last = order[k];
			first = false;
		}
	}
}

void trial_begin(struct action_trial *t, const struct trial_want *want)
{
	const bool few = want->seconds > LONG_S;

	*t = (struct action_trial){ .want = *want, .stage = TRIAL_SETTLES,
		.coin = coin_seed(want->seed), .before = few ? FEW_BEFORE : BEFORE, .settle = few ?
		FEW_SETTLE : SETTLE_FIRST, .centre = { NAN, NAN, NAN, NAN }, .time_before = NAN };
	t->state[0].seconds = t->state[0].wall = want->seconds;
}

bool trial_next(struct action_trial *t)
{
	t->nschedule = 0;
	switch (t->stage) {
	case TRIAL_SETTLES:
		add_slot(t, false, 0, t->before);
		add_slot(t, true, 0, t->settle);
		add_slot(t, false, 0, t->settle);
		break;
	case TRIAL_BLOCKS:
		add_blocks(t, (look_pairs[t->look] - t->npairs) / 2);
		break;
	case TRIAL_KEEPS:
		add_slot(t, true, 0, 1);
		break;
	default:
		break;
	}
	return t->nschedule > 0;
}

/* --- times ------------------------------------------------------------------------------------ */

static double time_of(const struct action_trial *t, const struct mon_trial_row *r)
{
	return (double)(t->want.wall ? r->wall_ns : r->cpu_ns) * 1e-9;
}

/* The times that count of a slot of the schedule.  Returns their number. */
static uint32_t times_of(const struct action_trial *t, const struct mon_result *r, uint32_t slot,
	bool wall, double out[SETTLE_MOST])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->ntrials && n < SETTLE_MOST; i++)
		if (r->trials[i].slot == slot && !r->trials[i].discarded)
			out[n++] = wall ? (double)r->trials[i].wall_ns * 1e-9 :
				time_of(t, &r->trials[i]);
	return n;
}

/* Behind a switch to a state, or by it. */
static void add_cost(struct action_trial *t, bool b, double seconds)
{
	t->cost += seconds;
	t->switched[b] += seconds;
}

/* What the discarded executions of a state took more than others of it. */
static void charge(struct action_trial *t, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->ntrials; i++) {
		const struct mon_trial_row *row = &r->trials[i];
		const double wall = (double)row->wall_ns * 1e-9;

		t->spent += wall;
		t->executions += row->discarded ? row->discarded : 1;
		if (row->discarded && row->slot < t->nschedule) {
			const bool b = t->schedule[row->slot].b;

			add_cost(t, b,
				fmax(0, time_of(t, row) - row->discarded * t->state[b].seconds));
		}
	}
	for (int b = 0; b < 2; b++) {
		const uint64_t took = t->want.wall ? r->trial.switch_ns[b] :
			r->trial.switch_cpu_ns[b];

		t->spent += (double)r->trial.switch_ns[b] * 1e-9;
		t->switches[b] += r->trial.switches[b];
		add_cost(t, b, (double)took * 1e-9);
	}
	t->changed |= r->trial.changed != 0;
	t->pages = (double)r->trial.pages;
	if (r->trial.moved)     /* the program may have ended before a switch to B */
		t->moved = (double)r->trial.moved;
	t->left = (double)r->trial.left;
	t->strayed = fmax(t->strayed, (double)r->trial.strayed);
}

void trial_refuse(struct action_trial *t, enum trial_reason why)
{
	t->verdict = TRIAL_REFUSED;
	t->reason = why;
	t->stage = TRIAL_OVER;
}

static void judge_undecided(struct action_trial *t, enum trial_reason why)
{
	t->verdict = TRIAL_UNDECIDED;
	t->reason = why;
	t->stage = TRIAL_OVER;
}

/* --- settling --------------------------------------------------------------------------------- */

static void settle_excess(struct action_trial *t, bool b, const double *time, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		add_cost(t, b, fmax(0, time[i] - t->state[b].seconds));
}

/* Takes the executions behind the first switch to a state.  false: they do not
 * settle, or were not all run. */
static bool take_settling(struct action_trial *t, const struct mon_result *r, uint32_t slot)
{
	struct trial_state *s = &t->state[t->schedule[slot].b];
	double time[SETTLE_MOST], wall[SETTLE_MOST];
	const uint32_t n = times_of(t, r, slot, false, time), quarter = n / 4;
	int point;

	times_of(t, r, slot, true, wall);
	if (n < t->settle) {
		trial_refuse(t, TRIAL_ENDED);
		return false;
	}
	point = settle_point(time, n);
	s->seconds = median_of(time + n - quarter, quarter);
	s->wall = median_of(wall + n - quarter, quarter);
	settle_excess(t, t->schedule[slot].b, time, n - quarter);
	s->discard = settle_discard(point, s->seconds);
	return point >= 0;
}

static void take_before(struct action_trial *t, const struct mon_result *r)
{
	double time[SETTLE_MOST];
	const uint32_t n = times_of(t, r, 0, false, time);

	if (n)
		t->time_before = median_of(time, n);
	t->before = 0;
}

/* What the blocks before the first look take by their switches: a block has two. */
static double first_look_takes(const struct action_trial *t)
{
	double all = 0;

	for (int b = 0; b < 2; b++)
		if (t->switches[b])
			all += t->switched[b] / t->switches[b] * look_pairs[0] / 2;
	return all;
}

static void settled(struct action_trial *t, const struct mon_result *r)
{
	const uint32_t b = t->before ? 1 : 0;
	bool good;

	if (t->before)
		take_before(t, r);
	good = take_settling(t, r, b);
	good = take_settling(t, r, b + 1) && good;
	if (t->stage == TRIAL_OVER)
		return;
	if (good) {
		t->stage = TRIAL_BLOCKS;
		if (first_look_takes(t) > FIRST_LOOK_S)
			judge_undecided(t, TRIAL_BUDGET);
		return;
	}
	t->settle *= 2;
	if (t->settle > SETTLE_MOST || t->spent > BUDGET_S)
		judge_undecided(t, TRIAL_UNSETTLED);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void note_memory(struct trial_state *s, const struct mon_result *r, uint32_t slot)
{
	for (uint32_t i = 0; i < r->ntrials; i++)
		if (r->trials[i].slot == slot && !r->trials[i].discarded)
			s->memory[s->nslots] = (double)r->trials[i].memory;
}

/* false: the block was not completed. */
static bool take_block(struct action_trial *t, const struct mon_result *r, uint32_t first)
{
	const uint32_t keep = keep_each(t);
	double value[BLOCK], time[SETTLE_MOST];

	for (uint32_t k = 0; k < BLOCK; k++) {
		if (times_of(t, r, first + k, false, time) < keep)
			return false;
		value[k] = median_of(time, keep);
		if (!(value[k] > 0))
			return false;
	}
	for (uint32_t k = 0; k < BLOCK; k++) {
		struct trial_state *s = &t->state[t->schedule[first + k].b];

		if (s->nslots == TRIAL_TIMES)
			continue;
		note_memory(s, r, first + k);
		s->slot[s->nslots++] = value[k];
	}
	for (uint32_t k = 0; k < BLOCK; k += 2) {
		const double difference = log(value[k + 1]) - log(value[k]);

		t->pair[t->npairs++] = t->schedule[first + k].b ? -difference : difference;
	}
	t->control[t->ncontrols++] = log(value[1]) - log(value[2]);
	return true;
}

/* Begins anew with more discarded. */
static void discard_more(struct action_trial *t)
{
	t->npairs = t->ncontrols = t->look = 0;
	t->state[0].nslots = t->state[1].nslots = 0;
	for (int b = 0; b < 2; b++)
		t->state[b].discard = t->state[b].discard < DISCARD_MOST / 2 ?
			2 * t->state[b].discard : DISCARD_MOST;
}

/* Are executions right behind the discarded ones unlike those after them, by
 * so much that it matters? */
static bool warms_up(const struct action_trial *t)
{
	const struct centre c = signed_rank_centre(t->control, t->ncontrols, CONTROL);

	return (c.low > 0 || c.high < 0) && fabs(c.value) > CONTROL_SMALL * fabs(t->centre.value);
}

/* What the interval says; TRIAL_NO_VERDICT: too little. */
static enum trial_verdict says(const struct centre *c)
{
	const bool excluded = c->low > 0 || c->high < 0;

	if (excluded && fabs(expm1(c->value)) >= NULL_SHARE)
		return c->value < 0 ? TRIAL_GAIN : TRIAL_LOSS;
	return excluded || (c->high - c->low) / 2 < NULL_SHARE ? TRIAL_NULL : TRIAL_NO_VERDICT;
}

static void judge(struct action_trial *t, enum trial_verdict verdict)
{
	t->verdict = verdict;
	t->stage = verdict == TRIAL_GAIN && t->want.keep ? TRIAL_KEEPS : TRIAL_OVER;
}

static void judge_last(struct action_trial *t, enum trial_reason why)
{
	if ((t->centre.high - t->centre.low) / 2 < WIDE_SHARE)
		judge(t, TRIAL_NULL);
	else
		judge_undecided(t, why);
}

/* A small effect of an action with a warm-up counts if it is there with more discarded, too. */
static bool must_confirm(const struct action_trial *t, enum trial_verdict verdict)
{
	return (verdict == TRIAL_GAIN || verdict == TRIAL_LOSS) && t->want.warms && !t->again &&
		fabs(expm1(t->centre.value)) < CONFIRM_SHARE;
}

/* Only where it says something it matters whether executions had settled. */
static void look(struct action_trial *t)
{
	enum trial_verdict verdict;

	t->centre = signed_rank_centre(t->pair, t->npairs, t->want.confidence);
	verdict = says(&t->centre);
	if (t->strayed > STRAYED_SHARE * t->moved) {
		judge_undecided(t, TRIAL_STRAYED);
	} else if (verdict && warms_up(t)) {
		if (++t->restarts > RESTARTS || t->spent > BUDGET_S)
			judge_undecided(t, TRIAL_UNSETTLED);
		else
			discard_more(t);
	} else if (must_confirm(t, verdict)) {
		t->again = true;
		discard_more(t);
	} else if (verdict) {
		judge(t, verdict);
	} else if (++t->look == LOOKS) {
		judge_last(t, TRIAL_NOISE);
	} else if (t->spent > BUDGET_S) {
		judge_last(t, TRIAL_BUDGET);
	}
}

void trial_end(struct action_trial *t)
{
	enum trial_verdict verdict;

	if (t->verdict)
		return;
	if (t->npairs < look_pairs[0]) {
		trial_refuse(t, TRIAL_ENDED);
		return;
	}
	t->centre = signed_rank_centre(t->pair, t->npairs, t->want.confidence);
	verdict = warms_up(t) ? TRIAL_NO_VERDICT : says(&t->centre);
	if (verdict && !must_confirm(t, verdict))
		judge(t, verdict);
	else
		judge_undecided(t, TRIAL_ENDED);
	t->stage = TRIAL_OVER;
}

static void take_blocks(struct action_trial *t, const struct mon_result *r)
{
	for (uint32_t i = 0; i + BLOCK <= t->nschedule && t->npairs + 2 <= TRIAL_PAIRS; i += BLOCK)
		if (!take_block(t, r, i)) {
			trial_end(t);   /* the program has left the phase for good */
			return;
		}
	t->ended_in_b = t->nschedule && t->schedule[t->nschedule - 1].b;
	look(t);
}

void trial_take(struct action_trial *t, const struct mon_result *r)
{
	charge(t, r);
	switch (t->stage) {
	case TRIAL_SETTLES: settled(t, r); break;
	case TRIAL_BLOCKS: take_blocks(t, r); break;
	case TRIAL_KEEPS:
		t->kept = r->trial.kept == 1;
		t->stage = TRIAL_OVER;
		break;
	default: break;
	}
}
