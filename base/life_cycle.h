/* SPDX-License-Identifier: BSD-3-Clause */
/* A life-cycle as a table: (state, event) -> next state.  The owner's code performs the actions;
 * the table holds only the permitted steps, so that it can be read and tested by itself. */
#ifndef PSC_BASE_LIFE_CYCLE_H
#define PSC_BASE_LIFE_CYCLE_H

#include <stdbool.h>
#include <stddef.h>

struct life_step {
	int state, event, next;
};

struct life_cycle {
	const char *name;                       /* of the owner, in messages */
	const char *const *states, *const *events;      /* names, by number */
	int nstates, nevents;
	const struct life_step *steps;
	size_t nsteps;
};

#define LIFE_CYCLE(of, state_names, event_names, step_rows) { \
	.name = (of), .states = (state_names), .events = (event_names), .steps = (step_rows), \
	.nstates = (int)(sizeof (state_names) / sizeof (state_names)[0]), \
	.nevents = (int)(sizeof (event_names) / sizeof (event_names)[0]), \
	.nsteps = sizeof (step_rows) / sizeof (step_rows)[0] }

/* The state after `event` in `state`; -1: the table has no such step. */
int life_cycle_next(const struct life_cycle *c, int state, int event);

/* Moves *state to the next state.  false: the table has no such step; the event is ignored.  Logs
 * "NAME WHICH: state, event -> state", or ": ignored" for an ignored event: at level 2 (--verbose),
 * but at level 3 if the state stays the same. */
bool life_cycle_step(const struct life_cycle *c, const char *which, int *state, int event);

#endif
