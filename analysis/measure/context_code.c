/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits the regions whose accesses count to a context. */
#include "analysis/measure/context_code.h"

enum {
	CALLS_DEEP = 8,         /* light functions that call one another */
	REGIONS_MOST = 4096     /* visited for one answer */
};

static void walk_region(struct context_code *code, uint32_t region, unsigned deep);

/* A region without markers is a part of the region around it; so is a light function, which has
 * none, of its caller. */
static void walk_inside(struct context_code *code, const struct sir_region *c, unsigned deep)
{
	uint32_t unit;

	if (c->unit_type || c->hooks & SIR_HOOK_MARKER)
		return;
	walk_region(code, c->id, deep);
	if (c->type != REGION_CALL)
		return;
	unit = sir_find_unit(code->p->sir, c->name);
	if (unit == SIR_NONE || code->p->sir->regions[unit].hooks & SIR_HOOK_MARKER)
		return;
	if (deep >= CALLS_DEEP)
		code->cut = true;
	else
		walk_region(code, unit, deep + 1);
}

static void walk_region(struct context_code *code, uint32_t region, unsigned deep)
{
	const struct sir *s = code->p->sir;

	if (code->visited++ >= REGIONS_MOST) {
		code->cut = true;
		return;
	}
	code->visit(code, &s->regions[region]);
	for (uint32_t c = s->regions[region].child; c != SIR_NONE; c = s->regions[c].next)
		walk_inside(code, &s->regions[c], deep);
}

static void walk_context(struct context_code *code, uint32_t context, bool inside)
{
	const struct measured_context *c = &code->p->contexts[context];

	if (code->enter)
		code->enter(code, context);
	if (c->region != SIR_NONE)
		walk_region(code, c->region, 0);
	for (uint32_t child = c->child; inside && child != NO_CONTEXT;
	     child = code->p->contexts[child].next)
		walk_context(code, child, true);
}

void context_code_walk(struct context_code *code, uint32_t context, bool inside)
{
	code->visited = 0;
	walk_context(code, context, inside);
}
