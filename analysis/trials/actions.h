/* SPDX-License-Identifier: BSD-3-Clause */
/* What the agent knows of the actions of --try: their names, and when one is proposed.  How they
 * are done, the monitor knows (monitor/trial/action.h); what they are called in a report,
 * report/words/. */
#ifndef PSC_TRIALS_ACTIONS_H
#define PSC_TRIALS_ACTIONS_H

#include "analysis/measure/measurements.h"
#include "base/err.h"
#include "base/tried_action.h"
#include "monitor/client/mon.h"

/* Sets of actions: bits by number.  ACTIONS_PROPOSED: those that the measurements speak for. */
#define ACTION_BIT(action) (1u << (action))
#define ACTIONS_PROPOSED 1u

struct trial_kind {
	enum tried_action action;
	enum mon_action how;
	bool warms;             /* struct trial_want */
	/* Do the measurements speak for it? */
	bool (*proposed)(const struct measurements *p);
};

/* NULL: there is no such action. */
const struct trial_kind *trial_kind_of(enum tried_action action);
/* Adds the action of that name to a set; text NULL: ACTIONS_PROPOSED.  0 / -1. */
int actions_parse(const char *text, uint32_t *set, struct err *err);
/* The actions to try: those of the set, and for ACTIONS_PROPOSED those that are proposed.  Returns
 * their number; the first of none is TRIED_NOTHING. */
uint32_t actions_chosen(uint32_t set, const struct measurements *p, enum tried_action out[TRIED_ACTIONS]);

#endif
