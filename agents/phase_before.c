/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves measurements out of a process and back into it. */
#include "agents/phase_before.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/phase_search.h"
#include "agents/run_decision.h"

struct phase_before {
	struct phase_name name;
	struct phase_analysis analysis;
	uint64_t recorded;              /* executions of that phase */
};

void phase_analysis_free(struct phase_analysis *a)
{
	collection_end(&a->collection);
	measured_free(a->measured);
	a->measured = NULL;
}

void phase_before_free(struct phase_before *b)
{
	if (!b)
		return;
	free(b->name.choice);
	phase_analysis_free(&b->analysis);
	free(b);
}

/* Is what is kept better than the region, the phase of which p->now is?  That was chosen since it
 * ran, and how long it would was not known. */
static bool better(const struct process *p, uint32_t region)
{
	const struct phase_before *b = p->before;
	struct phase_worth now, before;

	if (!b || p->host->run > 1 || !b->analysis.held || b->name.region == region ||
	    !process_alone(p))
		return false;
	phase_search_worth(p, region, p->now.measured, phase_search_recorded(p), &now);
	phase_search_worth(p, b->name.region, b->analysis.measured, b->recorded, &before);
	return phase_is_worse(&now, &before);
}

bool phase_before_keep(struct process *p, const struct phase_name *name)
{
	struct phase_before *b;

	if (!process_alone(p) || !runs_complete(p) || name->region == SIR_NONE ||
	    better(p, name->region))
		return false;
	b = malloc(sizeof *b);
	if (!b)
		return false;
	*b = (struct phase_before){ { name->region, name->choice ? strdup(name->choice) : NULL },
		p->now, phase_search_recorded(p) };
	p->now = (struct phase_analysis){ 0 };
	phase_before_free(p->before);
	p->before = b;
	return true;
}

bool phase_before_better(const struct process *p)
{
	return better(p, p->host->config->phase_region);
}

/* Has the phase before so little of the time that times of the present one tell more, though its
 * counts are missing? */
static bool tells_little(const struct process *p)
{
	const struct phase_before *b = p->before;
	struct phase_worth worth;

	phase_search_worth(p, b->name.region, b->analysis.measured, b->recorded, &worth);
	return p->now.measured->nclean && worth.share < PHASE_SHARE_LEAST;
}

bool phase_before_return(struct process *p)
{
	struct phase_before *b = p->before;
	const bool measured = runs_complete(p);

	if (!b || !process_alone(p) ||
	    (measured ? !(process_exited(p) && phase_before_better(p)) : tells_little(p)))
		return false;           /* another process may have come */
	phase_search_return(p->host, &b->name, measured ? "the other one is worse" :
		"the other one could not be measured");
	phase_analysis_free(&p->now);
	p->now = b->analysis;
	p->recorded_from += phase_search_recorded(p) - b->recorded;
	p->run_share = NAN;
	p->later = 0;
	free(b);
	p->before = NULL;
	return true;
}
