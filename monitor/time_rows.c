/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the rows of times that a request asked for. */
#include "monitor/pscmon.h"

/* Writes the increase of each thread's times in the execution that has just ended.  Without
 * `counted` it only moves the start values. */
void pscm_time_rows(struct pscm_armed *a, bool counted)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);
	struct mon_time_row *rows = pscm_shm->time_rows[a->slot];

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);
		struct pscm_stat *stat = atomic_load_explicit(&t->stat, memory_order_acquire);

		for (uint32_t c = 0; stat && c < ncontexts; c++) {
			struct pscm_stat *s = &stat[c];
			uint64_t wall = atomic_load_explicit(&s->wall, memory_order_relaxed);
			uint64_t calls = atomic_load_explicit(&s->calls, memory_order_relaxed);
			struct mon_time_row r = { c, t->index, a->progress - a->warm, 0,
				wall - s->seen_wall, calls - s->seen_calls };

			if (!r.wall_ns && !r.calls)
				continue;
			s->seen_wall = wall;
			s->seen_calls = calls;
			if (!counted || !pscm_wanted(a, c, MON_ANY, false))
				continue;
			if (a->nrows == MON_TIME_ROWS) {
				a->failed = MON_DROP_ROWS;
				return;
			}
			rows[a->nrows++] = r;
		}
	}
}
