/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of times that a request asked for. */
#include "monitor/regions/time_rows.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/slices.h"
#include "monitor/host/threads.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/state.h"

static uint64_t without(uint64_t ns, uint64_t part)
{
	return ns > part ? ns - part : 0;
}

/* Takes the increase of a thread's times in each context, without the contexts inside it. */
static void take(struct pscm_stat *stat, uint32_t ncontexts)
{
	for (uint32_t c = 0; c < ncontexts; c++) {
		struct pscm_stat *s = &stat[c];
		uint64_t cpu = atomic_load_explicit(&s->cpu, memory_order_relaxed);
		uint64_t wait = atomic_load_explicit(&s->wait, memory_order_relaxed);
		uint64_t wall = atomic_load_explicit(&s->wall, memory_order_relaxed);
		uint64_t startup = atomic_load_explicit(&s->startup, memory_order_relaxed);
		uint64_t faults = atomic_load_explicit(&s->faults, memory_order_relaxed);
		uint64_t sys_ns = atomic_load_explicit(&s->sys_ns, memory_order_relaxed);
		uint64_t calls = atomic_load_explicit(&s->calls, memory_order_relaxed);

		s->own_cpu = s->part_cpu = cpu - s->seen_cpu;
		s->started = startup - s->seen_startup;
		s->seen_startup = startup;
		s->wait_below = wait - s->seen_wait;
		s->faults_below = faults - s->seen_faults;
		s->sys_below = sys_ns - s->seen_sys;
		s->seen_faults = faults;
		s->seen_sys = sys_ns;
		s->wall_below = wall - s->seen_wall;
		s->entered = calls - s->seen_calls;
		s->cpu_below = s->marked_below = s->marked_inside = s->wall_inside = 0;
		s->seen_cpu = cpu;
		s->seen_wait = wait;
		s->seen_wall = wall;
		s->seen_calls = calls;
	}
}

/* The wall time of a context whose markers took marked_below of it. */
static uint64_t wall_time(const struct pscm_stat *s, bool brief)
{
	uint64_t wall = without(s->wall_below, s->marked_below);

	if (brief)
		return s->wall_below + s->wall_inside;
	if (wall >= s->wall_inside)
		return wall;
	/* A marker may take less than it usually does. */
	return s->wall_inside < s->wall_below ? s->wall_inside : s->wall_below;
}

/* Sums processor time and waits of the execution up the tree: a context's number is higher than its
 * parent's.  A team's work so counts to the contexts that forked it.  The markers' own time is left
 * out: half of it lies inside the region, half around it. */
static void sum_up(struct pscm_stat *stat, uint32_t ncontexts)
{
	const uint64_t half = times_marker_cost() / 2;

	for (uint32_t c = ncontexts; c-- > 0;) {
		struct pscm_stat *s = &stat[c];
		bool brief = brief_context(c);
		uint64_t marks = c && !brief ? half * s->entered : 0;

		s->cpu_below += without(s->part_cpu, marks + s->marked_inside);
		s->marked_below += marks + s->marked_inside;
		s->wall_below = wall_time(s, brief);
		if (c && (s->cpu_below | s->wait_below | s->wall_below | s->faults_below |
		    s->sys_below | marks)) {
			struct pscm_stat *parent = &stat[pscm_context_parent(c)];

			parent->cpu_below += s->cpu_below;
			parent->wait_below += s->wait_below;
			parent->faults_below += s->faults_below;
			parent->sys_below += s->sys_below;
			parent->wall_inside += s->wall_below;
			parent->marked_below += s->marked_below;
			parent->marked_inside += marks;
		}
	}
}

void pscm_time_sums(void)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_stat *stat = atomic_load_explicit(&pscm_thread_at(i)->stat,
			memory_order_acquire);

		if (!stat)
			continue;
		take(stat, ncontexts);
		brief_divide(stat, ncontexts);
		sum_up(stat, ncontexts);
	}
}

static enum mon_brief brief_of(uint32_t context)
{
	if (brief_context(context))
		return MON_BRIEF_YES;
	return brief_must_stay(pscm_context_region(context)) ? MON_BRIEF_NEVER : MON_BRIEF_NOT;
}

static struct mon_time_row row_of(const struct pscm_stat *s, uint32_t context)
{
	return (struct mon_time_row){ .context = context, .brief = brief_of(context),
		.wall_ns = s->wall_below, .cpu_ns = s->cpu_below, .wait_ns = s->wait_below,
		.startup_ns = s->started, .calls = s->entered,
		.faults = s->faults_below, .sys_ns = s->sys_below };
}

bool pscm_time_rows(struct pscm_armed *a)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);
		struct pscm_stat *stat = atomic_load_explicit(&t->stat, memory_order_acquire);

		for (uint32_t c = 0; stat && c < ncontexts; c++) {
			struct mon_time_row r = row_of(&stat[c], c), *to;

			if (!(r.wall_ns | r.cpu_ns | r.wait_ns | r.calls) ||
			    !pscm_wanted(a, c, MON_ANY, false))
				continue;
			to = pscm_row_times(a);
			if (!to)
				return false;
			r.thread = t->index;
			if (slices_wanted())
				slice_pieces_row(t->pieces, c, &r);
			r.execution = a->progress - a->warm;
			*to = r;
		}
	}
	return true;
}
