/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the work of the processor by context. */
#include "simulate/access/core_work.h"

/* Statements in flight: the most that a core holds, and what remains of it if branches are
 * mispredicted now and then.  Less of a long chain overlaps with the next execution. */
enum { WINDOW_MOST = 512, WINDOW_LEAST = 128 };

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* n executions; in cycles / PSC_WORK_UNIT, rounded once, so that the sum does not depend on how the
 * executions are divided. */
static uint64_t least_cycles(const struct psc_work *p, uint64_t n)
{
	return most(most(p->throughput, p->carried), (uint64_t)p->chain * p->statements /
		WINDOW_MOST) * n;
}

static uint64_t most_cycles(const struct psc_work *p, uint64_t n)
{
	return most(most(17 * (uint64_t)p->throughput / 10, p->carried),
		(uint64_t)p->chain * p->statements / WINDOW_LEAST) * n;
}

static void add(struct sim_cell *cell, const struct psc_segment *s, bool loop, uint64_t n)
{
	const struct psc_work *p = &s->work;

	cell->core[0] += least_cycles(p, n);
	cell->core[1] += most_cycles(p, n);
	cell->statements += n * p->statements;
	cell->mispredicts += n * p->mispredicts;
	if (!loop && p->flags & PSC_WORK_IN_CHAIN)
		cell->chain_statements += n * p->statements;
	if (p->flags & PSC_WORK_CALLS)
		cell->unknown_calls += n;
}

static struct sim_cell *cell_of(struct work *w)
{
	if (w->work == CORE_WORK_NONE)
		w->work = (uint16_t)(sim_core_cell(w->core, w->context, SIM_OBJECT_WORK) -
			w->core->cells);
	return &w->core->cells[w->work];
}

void core_work_add(struct work *w, const struct psc_segment *s, uint64_t n)
{
	add(cell_of(w), s, true, n);
}

void core_work_copies(struct work *w, const struct psc_segment *s, struct sim_cell *loaded,
	uint64_t n)
{
	cell_of(w)->statements += n * s->work.statements;
	loaded->copy_work += least_cycles(&s->work, n);
}

void core_work_drop(struct sim_thread *t, struct sim_segment *seg)
{
	if (!seg->n)
		return;
	add(&t->core.cells[seg->cell], seg->s, false, seg->n);
	seg->n = 0;
}

void __attribute__((noinline)) core_work_turn(struct work *w, struct sim_segment *seg)
{
	core_work_drop(w->v, seg);
	cell_of(w);
	seg->cell = w->work;
}

void core_work_flush(struct sim_thread *t)
{
	for (struct sim_segment *seg = t->seg; seg < t->seg + SIM_SEGMENTS; seg++)
		core_work_drop(t, seg);
}

void __attribute__((noinline)) core_work_chain(struct work *w)
{
	cell_of(w)->chains++;
}
