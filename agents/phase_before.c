/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves measurements out of a process and back into it. */
#include "agents/phase_before.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/phase_search.h"
#include "agents/runs.h"

struct phase_before {
	struct phase_name name;
	/* members of struct process */
	struct measurements *measured;
	struct whatif *whatif;
	struct invariants invariants;
	struct event_runs events;
	uint32_t timed_in, counted_in;
	uint32_t experiments, found;
	uint64_t executions, earlier;
	bool held;
	uint64_t recorded;              /* executions of that phase */
};

void phase_before_free(struct phase_before *b)
{
	if (!b)
		return;
	free(b->name.choice);
	measured_free(b->measured);
	free(b->whatif);
	free(b);
}

bool phase_before_possible(const struct process *p)
{
	return p->host->nprocesses == 1 && p->host->config->hosts <= 1;
}

bool phase_before_keep(struct process *p, const struct phase_name *name)
{
	struct phase_before *b;

	if (!phase_before_possible(p) || !runs_complete(p) || name->region == SIR_NONE)
		return false;
	b = malloc(sizeof *b);
	if (!b)
		return false;
	*b = (struct phase_before){ { name->region, name->choice ? strdup(name->choice) : NULL }, p->measured, p->whatif,
		p->invariants, p->events, p->timed_in, p->counted_in, p->experiments, p->found, p->executions, p->earlier, p->held,
		phase_search_recorded(p) };
	p->measured = NULL;
	p->whatif = NULL;
	phase_before_free(p->before);
	p->before = b;
	return true;
}

bool phase_before_return(struct process *p)
{
	struct phase_before *b = p->before;

	if (!b || runs_complete(p) || !phase_before_possible(p))        /* another process may have come */
		return false;
	phase_search_return(p->host, &b->name);
	measured_free(p->measured);
	free(p->whatif);
	p->measured = b->measured;
	p->whatif = b->whatif;
	p->invariants = b->invariants;
	p->events = b->events;
	p->timed_in = b->timed_in;
	p->counted_in = b->counted_in;
	p->experiments = b->experiments;
	p->found = b->found;
	p->executions = b->executions;
	p->earlier = b->earlier;
	p->held = b->held;
	p->recorded_from += phase_search_recorded(p) - b->recorded;
	p->run_share = NAN;
	p->later = 0;
	free(b);
	p->before = NULL;
	return true;
}
