/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials (--try) of an MPI program: its ranks wait for each other, so all of them run one schedule
 * in the same executions, and what an execution takes is what it takes in the slowest rank.
 *
 * A *round* is one request in each rank.  It begins when all ranks have asked for it, and its first
 * execution is the same for all.  A round that a rank ran in other executions is repeated. */
#ifndef PSC_COLLECT_RANK_TRIALS_H
#define PSC_COLLECT_RANK_TRIALS_H

#include "analysis/trials/trial_plan.h"

/* The same for all ranks of a host. */
struct rank_trials {
	struct action_trial trial[TRIES_MOST];
	uint32_t at;            /* the one under way */
	bool over;
	uint64_t first;         /* of the round: its first execution */
	/* Below: of rank_trials.c alone. */
	uint32_t arrived, ranks, round, answered, attempts;
	bool open, apart;
	uint64_t begun;         /* executions of the rank that has begun most */
	uint64_t since;         /* ns, when a rank arrived or answered last */
	struct mon_result sum;
	struct mon_trial_row row[MON_TRIAL_ROWS];
};

/* What a rank has taken part in; zero at the beginning. */
struct rank_seat {
	bool arrived;
	uint32_t round;
};

enum rank_turn {
	RANK_WAITS,             /* for the others */
	RANK_OPENS,             /* it plans the round: sets `first`, or `over` */
	RANK_JOINS,             /* it requests what was planned */
	RANK_ENDS               /* there are no more rounds */
};
/* begun: executions that the rank has begun; ranks: of the program; now: ns. */
enum rank_turn rank_trials_turn(struct rank_trials *all, struct rank_seat *seat, uint64_t begun,
	uint32_t ranks, uint64_t now);
/* The first execution of a round that is opened now, with executions of so many seconds. */
uint64_t rank_trials_first(const struct rank_trials *all, double seconds);
/* Takes what a rank has run; the last one's completes the round. */
void rank_trials_take(struct rank_trials *all, const struct rank_seat *seat,
	const struct mon_result *r, uint64_t now);
/* A rank cannot do what was requested: the round ends. */
void rank_trials_refused(struct rank_trials *all);

#endif
