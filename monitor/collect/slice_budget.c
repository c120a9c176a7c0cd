/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what recording has cost the program. */
#include "monitor/collect/slice_budget.h"
#include "monitor/collect/slices.h"
#include "monitor/state.h"
#include "base/clock.h"

enum { LEAST_PART = 10 };       /* of the time that a request names, where nothing is left */

static struct {
	uint64_t added, before; /* ns; before the present request */
	double slowdown;        /* 0: not measured */
} budget;

/* The time that the program has run, without its recorded executions. */
static uint64_t own_ns(void)
{
	uint64_t stands = atomic_load(&pscm_shm->stands), begun = pscm_shm->started_ns;
	uint64_t now = stands ? stands : clock_ns() - atomic_load(&pscm_shm->paused_ns);

	return now > begun ? now - begun : 0;
}

uint64_t slice_budget_left(const struct mon_request *r)
{
	uint64_t own = own_ns(), all = own > r->slow_ns ? own : r->slow_ns,
		spent = r->slow_spent + budget.added;
	uint64_t least = r->slow_ns / LEAST_PART;

	return spent < all && all - spent > least ? all - spent : least;
}

double slice_budget_slowdown(void)
{
	return budget.slowdown > 0 ? budget.slowdown : SLICE_SLOWDOWN;
}

void slice_budget_arm(void)
{
	budget.before = budget.added;
}

void slice_budget_finish(struct mon_request *r)
{
	r->added_ns = budget.added - budget.before;
}

void slice_budget_executed(uint64_t cpu_ns, uint64_t clean_ns, bool whole)
{
	budget.added += cpu_ns > clean_ns ? cpu_ns - clean_ns : 0;
	if (whole && clean_ns)
		budget.slowdown = (double)cpu_ns / (double)clean_ns;
}

void slice_budget_forget(void)
{
	budget.slowdown = 0;
}
