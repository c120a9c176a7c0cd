/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides what changes save among the problems: a gain is of a structure in the whole phase. */
#include "report/model/problems.h"

#include <math.h>

#include "base/known.h"
#include "base/text_same.h"
#include "report/model/figures.h"

/* True: the change may save something in the problem: another place of memory or threads, what
 * memory costs on another node; streams are dense already, and page faults are no misses. */
static bool suits(enum tried_fix fix, const struct report_problem *p)
{
	if (tried_fix_places(fix))
		return p->lead->about == ABOUT_NODES;
	return p->lead->about != ABOUT_FAULTS && p->lead->about != ABOUT_NODES &&
		(fix != TRIED_DENSE || p->lead->kind != MISS_STREAM);
}

/* The part that a problem has of what its structure i, that of the gain, costs in all problems that
 * the change suits. */
static double part_of_structure(const struct report_problems *all, const struct report_problem *p,
	int i, const struct report_gain *g)
{
	double sum = 0;

	for (int k = 0; k < all->n; k++)
		for (int j = 0; j < all->problem[k].nstructures; j++)
			if (suits(g->fix, &all->problem[k]) &&
			    report_gain_of(g, all->problem[k].structures[j]))
				sum += all->problem[k].structure[j].share;
	return sum > 0 ? p->structure[i].share / sum : 1;
}

double report_problem_saves(const struct report *r, const struct report_problem *p,
	const struct report_gain *g)
{
	double share = 0;

	for (int i = 0; i < p->nstructures && suits(g->fix, p); i++)
		if (report_gain_of(g, p->structures[i]))
			share += g->time_share * part_of_structure(&r->problems, p, i, g);
	return share;
}

/* The change of one kind to the problem's structure i that saves most; NULL: none saves
 * anything. */
static const struct report_gain *best_of_structure(const struct report *r,
	const struct report_problem *p, int i, enum tried_fix fix)
{
	const struct report_gain *best = NULL;

	for (int k = 0; k < r->ngains; k++) {
		const struct report_gain *g = &r->gains[k];

		if (!g->reason && g->fix == fix && g->time_share > 0 &&
		    report_gain_of(g, p->structures[i]) &&
		    (!best || g->time_share > best->time_share))
			best = g;
	}
	return best;
}

/* What a change to each structure of the problem saves in it; *best is that of the structure in
 * which it saves most. */
static double saving(const struct report *r, const struct report_problem *p, enum tried_fix fix,
	const struct report_gain **best)
{
	double sum = 0, most = 0;

	for (int i = 0; i < p->nstructures; i++) {
		const struct report_gain *mine = best_of_structure(r, p, i, fix);
		double share;

		if (!mine)
			continue;
		share = mine->time_share * part_of_structure(&r->problems, p, i, mine);
		sum += share;
		if (share > most) {
			most = share;
			*best = mine;
		}
	}
	return sum;
}

static bool applies(const struct report_gain *g, const struct report_problem *p)
{
	for (int i = 0; i < p->nstructures; i++)
		if (report_gain_of(g, p->structures[i]))
			return true;
	return false;
}

#define PART 0.1                /* of what a chain costs: a change that saves less is not its
				 * cure */

/* True: no change that is tried is what helps: another structure instead of the chain. */
static bool cure_is_another(const struct report_problem *p)
{
	return p->lead->kind == MISS_CHAINED || p->lead->kind == MISS_GUESSED;
}

/* Its cost is the bound of what another structure saves. */
static void bound(struct report_problem *p)
{
	p->gain = 0;
	p->saves = NAN;
	p->saves_low = 0;
	p->saves_high = p->high;
}

bool report_problem_contends(const struct report_problem *p)
{
	return p->memory && p->lead && p->lead->kind == MISS_CONTENTION;
}

/* Where each thread has a copy of its own, or takes the lock once, all that threads lose to the
 * line goes, and what the updates themselves take: locked instructions, calls. */
static void save_updates(struct report_problem *p)
{
	p->saves = p->share;
	p->saves_low = p->low;
	p->saves_high = p->high;
	p->saves_more = true;
}

/* s: what may go with copies: their blocks are allocated and released by calls of libraries, or by
 * such as nothing tells of. A problem has its part of that. */
static double beside_copies(const struct report *r, const struct report_problem *p)
{
	const double part = r->est_stall > 0 ? fmin(1, p->share * r->cpu_time / r->est_stall) : 0;

	return part * (known_amount(r->library_time) + known_amount(r->unexplained_time));
}

/* The most that the change saves.  Packed members are fewer bytes than the records: they may stay
 * in a nearer level, which no count of the records tells. */
static double most_saved(const struct report *r, const struct report_problem *p, enum tried_fix fix)
{
	const double high = p->saves * p->high / p->share;

	switch (fix) {
	case TRIED_SPLIT:
		return fmax(high, p->high);
	case TRIED_NOCOPY:
		return fmin(1, high + beside_copies(r, p) / r->cpu_time);
	default:
		return high;
	}
}

/* True: a library makes the copies, so no structure is known to be copied. */
static bool copied_by_library(const struct report_problem *p)
{
	return p->lead->kind == MISS_COPY && p->nstructures == 0;
}

/* All that these copies take. */
static void save_copies(const struct report *r, struct report_problem *p)
{
	p->saves = p->share;
	p->saves_low = p->low;
	p->saves_high = fmin(1, p->high + beside_copies(r, p) / r->cpu_time);
}

/* The change that saves most, of one kind for all structures of the problem; one pass instead of
 * several, where that saves more. */
static void save(struct report *r, struct report_problem *p)
{
	double most = p->npasses && p->saves > 0 ? p->saves : 0;

	p->tried = p->saves_more = false;
	p->gain = 0;
	if (p->lead->about == ABOUT_FAULTS) {
		problems_faults_save(r, p);
		return;
	}
	if (report_problem_contends(p)) {
		save_updates(p);
		return;
	}
	for (int k = 0; k < r->ngains; k++) {
		const struct report_gain *g = &r->gains[k], *of = NULL;
		double now;

		if (g->reason || report_gain_bounds(g) || !applies(g, p) || !suits(g->fix, p))
			continue;
		p->tried = true;
		now = saving(r, p, g->fix, &of);
		if (of && now > most) {
			most = now;
			p->gain = (int)(of - r->gains) + 1;
		}
	}
	if (p->npasses && !p->gain)
		return;
	if (!p->gain && copied_by_library(p)) {
		save_copies(r, p);
		return;
	}
	p->saves = p->gain ? most > p->share ? p->share : most : NAN;
	p->saves_more = p->gain && r->gains[p->gain - 1].fix == TRIED_DENSE && p->lead->scalar;
	p->saves_low = p->saves * p->low / p->share;
	p->saves_high = p->gain ? most_saved(r, p, r->gains[p->gain - 1].fix) : p->saves;
	if (p->tried && cure_is_another(p) && !(p->saves >= PART * p->share))
		bound(p);
}

void problems_save(struct report *r)
{
	for (int k = 0; k < r->problems.n; k++)
		save(r, &r->problems.problem[k]);
}
