/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares regions by their times: which of those that could be the phase has most of the program's
 * time and repeats often enough. */
#ifndef PSC_PHASE_CHOICE_H
#define PSC_PHASE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "phase/rules.h"

struct phase_time {             /* of a region, sum over the processes */
	uint32_t region;
	uint64_t ns;            /* in it, the entry that is open included */
	uint64_t runs;          /* executions that have ended, as a phase has them */
	uint64_t entries;
	uint64_t since_first;   /* ns since its first entry; 0: not entered */
	bool open;              /* some process is in it */
	bool more;              /* there may be more executions */
	bool brief;             /* the monitor has seen that an execution takes less than
				 * PHASE_BRIEF_NS */
	bool shared;            /* several threads were in it at once */
	bool team;              /* they are in any case: a subroutine that is called in a parallel
				 * region */
};

/* The index of the region in t; -1: it is not there. */
int phase_find(const struct phase_time *t, uint32_t n, uint32_t region);
/* Is it known that its executions take less than PHASE_BRIEF_NS?  Such a region is the phase only
 * where --phase names it: the region around it is chosen. */
bool phase_is_brief(const struct phase_time *t);
/* Has the program, which has run for elapsed_ns (sum over the processes), done enough to choose
 * t[best]?  Not before
 * PHASE_EARLY_NS.  Before PHASE_LATE_NS only what has PHASE_MOST of the time since its first entry,
 * and PHASE_SHARE of all, and while no region with more time is open whose first
 * execution has not ended. */
bool phase_is_clear(const struct phase_time *t, uint32_t n, int best, uint64_t elapsed_ns,
	uint64_t processes);
/* Is `inner` executed within `outer`, as their times tell, and has `outer` so much more of the
 * time, and PHASE_FEW executions, that it is the better phase although it repeats less often? */
bool phase_is_wider(const struct phase_time *outer, const struct phase_time *inner,
	uint64_t elapsed_ns);
/* The program runs, and `inner` is the phase.  Does it give way to `outer`, which runs, around it?
 * A loop inside the steps of a simulation may have been chosen before the first step ended.
 * `outer` must have had `needed` executions, and PHASE_OUTWEIGHED times as much of the time; where
 * what was measured is kept, it is enough that it is wider. */
bool phase_gives_way(const struct phase_time *inner, const struct phase_time *outer,
	uint64_t elapsed_ns, uint64_t needed, bool kept);
/* For a program that took elapsed_ns and repeats nothing: how long spans of its time
 * (--experiment-time) may be, so that there are three times as many as `needed`, as another run may
 * be faster: 1, 2 or 5 times a power of ten, in ns; 0: it is too short, or no region that has
 * PHASE_SHARE_LEAST of the time was begun so often, so that nothing might end them. */
uint64_t phase_span(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed);
/* The outermost region (the one with most time) that has PHASE_SHARE of the time elapsed_ns (sum
 * over the processes), or is open, has PHASE_SHARE of the time since its first entry and
 * PHASE_SHARE_LEAST of elapsed_ns; that is not brief; and that has `needed` executions, or can be
 * expected to have them within wait_ns: it is open and each of its executions takes that part of
 * it.  Of a team's, the one with most time, if there is no other, and none that is open and may
 * still repeat.  needs_open: only regions that are open, or that were entered `needed` times, can
 * come again.  Returns the index in t; -1: none. */
int phase_choose(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed,
	uint64_t wait_ns, bool needs_open);
/* The choice for another run of the program, from the times of a whole run: regions with
 * PHASE_SHARE of the time that are not brief, and of these the outermost with `needed` executions,
 * else with `least`, else one of a team's with `needed`, else with any.  If no region has
 * PHASE_SHARE: the same of regions that have nearly as much time as the largest, which has
 * PHASE_SHARE_LEAST.  One with `needed` executions gives way to one that is wider; one with fewer
 * than `least` executions gives way to one that has as many, and more than 1 / PHASE_RARE of its
 * time: it may be all that the program prints.  Returns the index in t; -1: none. */
int phase_choose_again(const struct phase_time *t, uint32_t n, uint64_t elapsed_ns, uint64_t needed,
	uint64_t least);
/* Does it run now, or was it entered so often that it will be again? */
bool phase_comes_again(const struct phase_time *t, uint64_t needed);
/* Is it not brief, has it had PHASE_SHARE of the time since its first entry, and `needed`
 * executions, or executions (that which is open counts as one, since its time is in ns) so short
 * that as many take no longer than wait_ns? */
bool phase_runs(const struct phase_time *t, uint64_t needed, uint64_t wait_ns);
/* Is it a phase that repeats, if slowly, and has had PHASE_SHARE of the time since its first entry?
 * The subroutine `team` takes its place only if it has nearly as much of the time, in executions of
 * PHASE_LONG_NS: shorter ones may seem long since they are surveyed. */
bool phase_holds(const struct phase_time *t, const struct phase_time *team);
/* Adds to ns what `recorded` of the executions, which it does not include, took by the time of the
 * others. Returns it, in ns; 0: not known. */
uint64_t phase_add_recorded(struct phase_time *t, uint64_t recorded);
/* ns / elapsed, where neither includes `recorded` of the executions: their time is estimated by
 * that of
 * the others.  NAN: not known. */
double phase_share(const struct phase_time *t, uint64_t elapsed_ns, uint64_t recorded);
/* Two phases of a program that has ended, both measured: was the former one the better choice?  It
 * has PHASE_OUTWEIGHED times as much of the time, or PHASE_SHARE_LEAST of it and executions with
 * PHASE_ACCESSES_LEAST accesses, which the later one has not. */
struct phase_worth {
	double share;           /* of the run's time; NAN: not known */
	double accesses;        /* of an execution; NAN: not known */
};
bool phase_is_worse(const struct phase_worth *later, const struct phase_worth *former);
/* Has `other`, which repeats, PHASE_OUTWEIGHED times as much of the time as the phase, of which
 * `recorded` executions were; PHASE_RARE times, where it has fewer than `least` executions, and the
 * phase has as many?  A phase that was chosen while the program had done little may
 * be one of its first loops. */
bool phase_outweighed(const struct phase_time *phase, const struct phase_time *other,
	uint64_t elapsed_ns, uint64_t recorded, uint64_t least);

#endif
