/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares regions by their times. */
#include "phase/choice.h"

#include <math.h>

int phase_find(const struct phase_time *t, uint32_t n, uint32_t region)
{
	for (uint32_t i = 0; i < n; i++)
		if (t[i].region == region)
			return (int)i;
	return -1;
}

bool phase_is_brief(const struct phase_time *t)
{
	return t->brief || (t->runs && t->ns / t->runs < PHASE_BRIEF_NS);
}

bool phase_is_clear(const struct phase_time *t, uint32_t n, int best, uint64_t elapsed_ns,
	uint64_t processes)
{
	const double ns = (double)t[best].ns;

	if (elapsed_ns <= PHASE_EARLY_NS * processes)
		return false;
	if (elapsed_ns > PHASE_LATE_NS * processes)
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (t[i].open && !t[i].runs && !t[i].team && t[i].ns > t[best].ns)
			return false;
	return ns >= PHASE_MOST * (double)t[best].since_first &&
		ns >= PHASE_SHARE * (double)elapsed_ns;
}

/* Is `inner` executed within `outer`, as their times tell, which has so many
 * times as much of the time? */
static bool has_around(const struct phase_time *outer, const struct phase_time *inner,
	uint64_t elapsed_ns, double times)
{
	return !outer->team && !outer->shared && !phase_is_brief(outer) &&
		outer->ns + inner->ns > elapsed_ns &&
		(double)outer->ns >= times * (double)inner->ns;
}

bool phase_is_wider(const struct phase_time *outer, const struct phase_time *inner,
	uint64_t elapsed_ns)
{
	return outer->runs >= PHASE_FEW && has_around(outer, inner, elapsed_ns, PHASE_WIDER);
}

bool phase_gives_way(const struct phase_time *inner, const struct phase_time *outer,
	uint64_t elapsed_ns, uint64_t needed, bool kept)
{
	if (!outer->open || outer->region == inner->region)
		return false;
	return (kept && phase_is_wider(outer, inner, elapsed_ns)) ||
		(outer->runs >= needed && has_around(outer, inner, elapsed_ns, PHASE_OUTWEIGHED));
}

uint64_t phase_span(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed)
{
	static const uint64_t steps[] = { 5, 2, 1 };
	const uint64_t most = elapsed_ns / (3 * needed);
	uint64_t ten = PHASE_SPAN_LEAST;
	bool begun = false;

	for (uint32_t i = 0; i < n; i++)
		begun |= (double)t[i].ns >= PHASE_SHARE_LEAST * (double)elapsed_ns &&
			(t[i].more || t[i].runs + t[i].entries >= 2 * needed);
	if (!begun)
		return 0;
	while (ten <= most / 10)
		ten *= 10;
	for (int i = 0; i < 3; i++)
		if (steps[i] * ten <= most)
			return steps[i] * ten;
	return 0;
}

static bool enough(const struct phase_time *t, uint64_t needed, uint64_t wait_ns)
{
	if (t->runs >= needed)
		return true;
	return t->open && t->runs && t->ns / t->runs <= wait_ns / needed;
}

bool phase_comes_again(const struct phase_time *t, uint64_t needed)
{
	return t->open || t->entries >= needed;
}

static bool large(const struct phase_time *t, uint64_t elapsed_ns)
{
	double ns = (double)t->ns;

	return ns >= PHASE_SHARE * (double)elapsed_ns || (t->open && t->since_first &&
		ns >= PHASE_SHARE * (double)t->since_first &&
		ns >= PHASE_SHARE_LEAST * (double)elapsed_ns);
}

/* It is open, and it is too early to tell whether it repeats. */
static bool begins(const struct phase_time *t, uint64_t elapsed_ns, uint64_t needed,
	uint64_t wait_ns)
{
	return !t->team && t->open && !t->runs && t->ns <= wait_ns / needed && large(t, elapsed_ns);
}

int phase_choose(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed,
	uint64_t wait_ns, bool needs_open)
{
	bool wait = false;
	int best = -1;

	for (uint32_t i = 0; i < n; i++) {
		wait |= begins(&t[i], elapsed_ns, needed, wait_ns);
		if (t[i].shared || phase_is_brief(&t[i]) || !t[i].ns || !large(&t[i], elapsed_ns) ||
		    !enough(&t[i], needed, wait_ns))
			continue;
		if (needs_open && !phase_comes_again(&t[i], needed))
			continue;
		if (best < 0 || t[i].team < t[best].team || (t[i].team == t[best].team &&
		    t[i].ns > t[best].ns))
			best = (int)i;
	}
	return best >= 0 && t[best].team && wait ? -1 : best;
}

/* The region with most time that has a share of it at least and `needed` executions; -1: none. */
static int most_of(const struct phase_time *t, uint32_t n, double least_ns, uint64_t needed,
	bool team)
{
	int best = -1;

	for (uint32_t i = 0; i < n; i++)
		if (t[i].team == team && !t[i].shared && !phase_is_brief(&t[i]) &&
		    t[i].runs >= needed && (double)t[i].ns >= least_ns &&
		    (best < 0 || t[i].ns > t[best].ns))
			best = (int)i;
	return best;
}

int phase_choose_again(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed,
	uint64_t least)
{
	const uint64_t enough_runs[] = { needed, least, 1 };
	const int most = most_of(t, n, PHASE_SHARE_LEAST * (double)elapsed_ns, 1, false);
	int best = -1, often;

	for (int k = 0; k < 3 && best < 0; k++) {
		if (k == 2)
			best = most_of(t, n, PHASE_SHARE * (double)elapsed_ns, needed, true);
		if (best < 0)
			best = most_of(t, n, PHASE_SHARE * (double)elapsed_ns, enough_runs[k],
				false);
	}
	for (uint32_t i = 0; i < n && best >= 0; i++)
		if (phase_is_wider(&t[i], &t[best], elapsed_ns))
			best = (int)i;
	for (int k = 0; k < 3 && best < 0 && most >= 0; k++)
		best = most_of(t, n, PHASE_NEARLY * (double)t[most].ns, enough_runs[k], false);
	if (best < 0 || t[best].runs >= least)
		return best;
	often = most_of(t, n, (double)t[best].ns / PHASE_RARE, least, false);
	return often >= 0 && !phase_is_wider(&t[best], &t[often], elapsed_ns) ? often : best;
}

bool phase_runs(const struct phase_time *t, uint64_t needed, uint64_t wait_ns)
{
	if (phase_is_brief(t) || !t->since_first ||
	    (double)t->ns < PHASE_SHARE * (double)t->since_first)
		return false;
	return t->runs >= needed || t->ns / (t->runs + (t->open || !t->runs)) <= wait_ns / needed;
}

bool phase_holds(const struct phase_time *t, const struct phase_time *team)
{
	if (team->runs && team->ns / team->runs >= PHASE_LONG_NS &&
	    (double)team->ns >= PHASE_NEARLY * (double)t->ns)
		return false;
	return !t->team && !phase_is_brief(t) && !t->shared && t->runs && t->since_first &&
		(double)t->ns >= PHASE_SHARE * (double)t->since_first;
}

uint64_t phase_add_recorded(struct phase_time *t, uint64_t recorded)
{
	uint64_t missing;

	if (t->runs <= recorded)
		return 0;
	missing = (uint64_t)((double)recorded * (double)t->ns / (double)(t->runs - recorded));
	t->ns += missing;
	return missing;
}

double phase_share(const struct phase_time *t, uint64_t elapsed_ns, uint64_t recorded)
{
	struct phase_time all = *t;
	uint64_t missing;

	if (!elapsed_ns || (recorded && t->runs <= recorded))
		return NAN;
	missing = phase_add_recorded(&all, recorded);
	return fmin(1, (double)all.ns / (double)(elapsed_ns + missing));
}

bool phase_is_worse(const struct phase_worth *later, const struct phase_worth *former)
{
	return former->share >= PHASE_OUTWEIGHED * later->share ||
		(later->accesses < PHASE_ACCESSES_LEAST &&
		former->accesses >= PHASE_ACCESSES_LEAST && former->share >= PHASE_SHARE_LEAST);
}

bool phase_outweighed(const struct phase_time *phase, const struct phase_time *other,
	uint64_t elapsed_ns, uint64_t recorded, uint64_t least)
{
	const double times = other->runs < least && phase->runs >= least ? PHASE_RARE :
		PHASE_OUTWEIGHED;

	return other->runs > 1 && phase_share(other, elapsed_ns, 0) >= times * phase_share(phase,
		elapsed_ns, recorded);
}
