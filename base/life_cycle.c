/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up, takes and logs the steps of a life-cycle. */
#include "base/life_cycle.h"

#include "base/log.h"

int life_cycle_next(const struct life_cycle *c, int state, int event)
{
	for (size_t i = 0; i < c->nsteps; i++)
		if (c->steps[i].state == state && c->steps[i].event == event)
			return c->steps[i].next;
	return -1;
}

bool life_cycle_step(const struct life_cycle *c, const char *which, int *state, int event)
{
	int next = life_cycle_next(c, *state, event);
	const char *space = which[0] ? " " : "";

	if (next < 0) {
		log_msg(2, "%s%s%s: %s, %s: ignored", c->name, space, which, c->states[*state],
			c->events[event]);
		return false;
	}
	log_msg(next == *state ? 3 : 2, "%s%s%s: %s, %s -> %s", c->name, space, which,
		c->states[*state], c->events[event], c->states[next]);
	*state = next;
	return true;
}
