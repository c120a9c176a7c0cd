/* SPDX-License-Identifier: BSD-3-Clause */
/* An action: something that can be changed in the running program between two executions of the
 * phase, and changed back.  The program computes the same in both states.
 *
 * State A is the program as it is, state B with the action.  collect/trial_state.c decides when
 * which state is in force; an action only knows how to get there.  README.md: how to add one. */
#ifndef PSC_MONITOR_TRIAL_ACTION_H
#define PSC_MONITOR_TRIAL_ACTION_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct trial_action {
	enum mon_action action;
	/* Can it be tried in this process?  Finds what the switches need, and changes nothing that
	 * the program notices.  Called once for each request, in state A. */
	enum mon_trial_refusal (*can)(const struct mon_request *r, struct mon_trial *out);
	/* The switches.  A switch that takes long stops behind `until` (ns, clock_ns()) and returns
	 * false; called again, it goes on.  to_a() leaves alone what the program has changed itself
	 * meanwhile. */
	bool (*to_b)(uint64_t until);
	bool (*to_a)(uint64_t until);
	/* At the end, in either state, also in the midst of a switch: all is as it was before the
	 * first switch.  Also called when the process ends and where the phase is left: takes no
	 * lock. */
	void (*put_back)(void);
	/* The same in a child of fork(). */
	void (*forked)(void);
	/* Behind put_back(): is it so?  Of pages, sets out->left and out->strayed. */
	bool (*verify)(struct mon_trial *out);
	/* Bytes of memory that the program has now, of the kind that the action keeps. */
	uint64_t (*memory)(void);
	/* Pages that state B has changed; NULL: the action is not about pages. */
	uint64_t (*moved)(int *failed);
};

/* NULL: there is no such action. */
const struct trial_action *trial_action_of(uint32_t action);

extern const struct trial_action trial_malloc, trial_large_pages;
extern const struct trial_action trial_interleave, trial_bind, trial_local;
extern const struct trial_action trial_threads_spread, trial_threads_compact, trial_threads_pin;

#pragma GCC visibility pop

#endif
