/* SPDX-License-Identifier: BSD-3-Clause */
/* What the agent knows of the actions of --try: their names, and when one is proposed.  How they
 * are done, the monitor knows (monitor/trial/action.h); what they are called in a report,
 * report/words/. */
#ifndef PSC_TRIALS_ACTIONS_H
#define PSC_TRIALS_ACTIONS_H

#include "analysis/measure/measurements.h"
#include "analysis/search/search.h"
#include "base/err.h"
#include "base/tried_action.h"
#include "monitor/client/mon.h"

struct trial_kind {
	enum tried_action action;
	enum mon_action how;
	bool warms;             /* struct trial_want */
	/* Do the measurements speak for it?  Of an action that is for a structure: for that object.
	 * NULL: it is tried only where it is asked for. */
	bool (*proposed)(const struct measurements *p, uint32_t object);
};

/* NULL: there is no such action. */
const struct trial_kind *trial_kind_of(enum tried_action action);
/* Does it give CPUs to threads? */
bool action_has_cpus(enum tried_action action);
/* Reads the argument of --try; text NULL: TRIED_NOTHING.  0 / -1. */
int action_parse(const char *text, struct tried_want *out, struct err *err);
/* An action that the measurements speak for. */
struct proposed_action {
	enum tried_action action;
	uint32_t object;        /* MON_ANY: the whole program */
	uint32_t node;          /* of TRIED_ONE_NODE */
};
/* Those that the measurements speak for, at most so many; of structures, by falling effect.
 * Returns their number. */
uint32_t actions_proposed(const struct measurements *p, struct proposed_action *out, uint32_t max);
/* Fills in the actions that properties name (FIX) which hold, in the order of their tests, at most
 * `max`; an action may come several times.  Returns their number. */
uint32_t actions_named(const struct search *s, struct proposed_action *out, uint32_t max);

#endif
