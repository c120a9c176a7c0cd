/* SPDX-License-Identifier: BSD-3-Clause */
/* An action: something that can be changed in the running program between two executions of the
 * phase, and changed back.  The program computes the same in both states.
 *
 * State A is the program as it is, state B with the action.  collect/trial.c decides when which
 * state is in force; an action only knows how to get there.  Further actions: a file here, its
 * row in actions.c, its number in enum mon_action (shared/shm.h) and what the agent knows of it
 * (analysis/trials/actions.c). */
#ifndef PSC_MONITOR_TRIAL_ACTION_H
#define PSC_MONITOR_TRIAL_ACTION_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct trial_action {
	enum mon_action action;
	/* Can it be tried in this process?  Finds what the switches need, and changes nothing that
	 * the program notices.  Called once for each request, in state A. */
	enum mon_trial_refusal (*can)(struct mon_trial *out);
	/* The switches.  to_a() leaves alone what the program has changed itself meanwhile. */
	void (*to_b)(void);
	void (*to_a)(void);
	/* At the end, in either state: all is as it was before the first switch.  Also called in a
	 * child of fork(), when the process ends, and where the phase is left: takes no lock. */
	void (*put_back)(void);
	/* Behind put_back(): is it so? */
	bool (*verify)(void);
	/* Bytes of memory that the program has now, of the kind that the action keeps. */
	uint64_t (*memory)(void);
};

/* NULL: there is no such action. */
const struct trial_action *trial_action_of(uint32_t action);

extern const struct trial_action trial_malloc;

#pragma GCC visibility pop

#endif
