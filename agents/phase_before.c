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
	struct phase_analysis analysis;
	uint64_t recorded;              /* executions of that phase */
};

void phase_before_free(struct phase_before *b)
{
	if (!b)
		return;
	free(b->name.choice);
	phase_analysis_free(&b->analysis);
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
	*b = (struct phase_before){ { name->region, name->choice ? strdup(name->choice) : NULL }, p->now, phase_search_recorded(p) };
	p->now.measured = NULL;
	p->now.whatif = NULL;
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
	phase_analysis_free(&p->now);
	p->now = b->analysis;
	p->recorded_from += phase_search_recorded(p) - b->recorded;
	p->run_share = NAN;
	p->later = 0;
	free(b);
	p->before = NULL;
	return true;
}
