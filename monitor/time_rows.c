/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of times that a request asked for. */
#include "monitor/pscmon.h"
#include "monitor/region_times.h"

static uint64_t without(uint64_t ns, uint64_t part)
{
	return ns > part ? ns - part : 0;
}

/* Sums processor time and waits of the execution up the tree: a context's number is higher than its
 * parent's.  A team's work so counts to the contexts that forked it.  The markers' own time is left
 * out: half of it lies inside the region, half around it. */
static void sum_up(struct pscm_stat *stat, uint32_t ncontexts)
{
	const uint64_t half = times_marker_cost() / 2;

	for (uint32_t c = ncontexts; c-- > 0;) {
		struct pscm_stat *s = &stat[c];
		uint64_t cpu = atomic_load_explicit(&s->cpu, memory_order_relaxed);
		uint64_t wait = atomic_load_explicit(&s->wait, memory_order_relaxed);
		uint64_t calls = atomic_load_explicit(&s->calls, memory_order_relaxed);
		uint64_t marks = c ? half * (calls - s->seen_calls) : 0;
		uint64_t wall = atomic_load_explicit(&s->wall, memory_order_relaxed) - s->seen_wall;

		s->cpu_below += without(cpu - s->seen_cpu, marks + s->marked_inside);
		s->wait_below += wait - s->seen_wait;
		s->marked_below += marks + s->marked_inside;
		s->wall_below = without(wall, s->marked_below);
		if (s->wall_below < s->wall_inside)     /* a marker may take less than it usually does */
			s->wall_below = s->wall_inside < wall ? s->wall_inside : wall;
		s->seen_cpu = cpu;
		s->seen_wait = wait;
		if (c && (s->cpu_below | s->wait_below | s->wall_below | marks)) {
			struct pscm_stat *parent = &stat[pscm_context_parent(c)];

			parent->cpu_below += s->cpu_below;
			parent->wait_below += s->wait_below;
			parent->wall_inside += s->wall_below;
			parent->marked_below += s->marked_below;
			parent->marked_inside += marks;
		}
	}
}

/* Takes the increase of a thread's times in one context. */
static struct mon_time_row increase(struct pscm_stat *s)
{
	uint64_t wall = atomic_load_explicit(&s->wall, memory_order_relaxed);
	uint64_t calls = atomic_load_explicit(&s->calls, memory_order_relaxed);
	struct mon_time_row r = { .wall_ns = s->wall_below, .cpu_ns = s->cpu_below,
		.wait_ns = s->wait_below, .calls = calls - s->seen_calls };

	s->seen_wall = wall;
	s->seen_calls = calls;
	s->cpu_below = s->wait_below = s->marked_below = s->marked_inside = s->wall_below = s->wall_inside = 0;
	return r;
}

/* Writes the increase of each thread's times in the execution that has just ended.  Without
 * `counted` it only moves the start values. */
void pscm_time_rows(struct pscm_armed *a, bool counted)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);
	struct mon_time_row *rows = pscm_shm->time_rows[a->slot];

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);
		struct pscm_stat *stat = atomic_load_explicit(&t->stat, memory_order_acquire);

		if (stat)
			sum_up(stat, ncontexts);
		for (uint32_t c = 0; stat && c < ncontexts; c++) {
			struct mon_time_row r = increase(&stat[c]);

			if (!(r.wall_ns | r.cpu_ns | r.wait_ns | r.calls) || !counted ||
			    !pscm_wanted(a, c, MON_ANY, false))
				continue;
			if (a->nrows == MON_TIME_ROWS) {
				a->failed = MON_DROP_ROWS;
				return;
			}
			r.context = c;
			r.thread = t->index;
			r.execution = a->progress - a->warm;
			rows[a->nrows++] = r;
		}
	}
}
