/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial (--try): does an action make executions of the phase shorter, by how much, how sure?
 *
 * The program runs its executions in state A, as it is, and in state B, with the action.  A slot is
 * three executions in one state, whose median counts; four slots are a block, ABBA or BAAB, drawn
 * by a coin.  Each half of a block gives a difference of logarithms.  After 8, 16, 32 and 48
 * differences their centre is looked at (signed_rank.h): the trial ends where the interval of 98 %
 * excludes 0, or is narrow.  Behind a switch executions are discarded (settle.h); the two middle
 * slots of a block are in one state, the first of them behind a switch: where they differ,
 * too few were.
 *
 * Here nothing is requested or timed: trial_next() says what to run,
 * trial_take() takes the times. */
#ifndef PSC_TRIALS_TRIAL_PLAN_H
#define PSC_TRIALS_TRIAL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/trials/coin.h"
#include "analysis/trials/signed_rank.h"
#include "base/tried_action.h"
#include "monitor/client/mon.h"

struct trial_want {
	enum tried_action action;
	enum mon_action how;
	uint32_t object;        /* MON_ANY: the whole program */
	bool warms;             /* the action leaves memory or caches warm or cold behind a
				 * switch */
	bool wall;              /* several threads: wall time counts, not the processor time of
				 * one */
	bool keep;              /* B stays in force if it gains */
	double seconds;         /* an execution takes about so long */
	double confidence;      /* of each look: 1 - 0.02 / number of actions tried */
	uint64_t seed;
};

enum trial_stage { TRIAL_NEW, TRIAL_SETTLES, TRIAL_BLOCKS, TRIAL_KEEPS, TRIAL_OVER };
enum { TRIAL_PAIRS = SIGNED_RANK_MOST, TRIAL_TIMES = 1024 };

/* Times of one state, of executions that count. */
struct trial_state {
	double seconds;         /* the median, of the times that count */
	double wall;            /* the same of wall times */
	uint32_t discard;       /* executions to discard behind a switch to it */
	double slot[TRIAL_TIMES];
	double memory[TRIAL_TIMES];
	uint32_t nslots;
};

struct action_trial {
	struct trial_want want;
	enum trial_stage stage;
	struct mon_trial_slot schedule[MON_TRIAL_SLOTS];        /* of the request under way */
	uint32_t nschedule;
	struct coin coin;
	uint32_t before;        /* executions in A before the first switch */
	uint32_t settle;        /* executions behind each of the first two switches */
	bool ended_in_b;        /* the request before */
	uint32_t look, restarts;
	bool again;             /* a small gain is confirmed with more discarded */
	double pair[TRIAL_PAIRS], control[TRIAL_PAIRS / 2];     /* log B - log A; first - second
								 * middle slot */
	uint32_t npairs, ncontrols;
	struct trial_state state[2];    /* A, B */
	double spent, cost;     /* s: of all executions and switches; what the trial has added to
				 * the program */
	/* What switches to A and to B took, with what the discarded
	 * executions behind them took more. */
	double switched[2];
	uint32_t switches[2];
	uint32_t executions;
	/* The outcome. */
	enum trial_verdict verdict;     /* TRIAL_NO_VERDICT: not yet */
	enum trial_reason reason;
	struct centre centre;   /* of the pairs; log B - log A */
	double time_before;     /* s: median before the first switch */
	bool changed, kept;     /* struct mon_trial */
	double pages, moved, left;      /* of 4 KiB, the same */
	double strayed;                 /* the most of them that the kernel moved back */
	char library[64];       /* that the reason is about */
};

void trial_begin(struct action_trial *t, const struct trial_want *want);
/* Makes t->schedule, the executions to run next.  false: the trial is over. */
bool trial_next(struct action_trial *t);
/* Takes what came of that schedule; the program may have ended in it. */
void trial_take(struct action_trial *t, const struct mon_result *r);
/* Ends it without figures. */
void trial_refuse(struct action_trial *t, enum trial_reason why);
/* No more executions can be had: judges by those that were. */
void trial_end(struct action_trial *t);

#endif
