/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the structures whose accesses are counted, but not drawn by address. */
#include "report/model/timeline_facts.h"

/* Records that a structure would have on average, if it had rows: with so many, none is no
 * chance. */
enum { SURELY = 16 };

static bool is_drawn(const struct report_timeline *t, int structure, int thread)
{
	for (int i = 0; i < t->nmaps; i++)
		if (t->maps[i].structure == structure + 1 && t->maps[i].thread == thread)
			return true;
	return false;
}

/* Accesses of a structure by threads that have no rows for it, in all executions. */
static int64_t undrawn_of(const struct time_facts *f, int structure)
{
	const struct report_timeline *t = f->t;
	int64_t n = 0;

	for (int k = 0; k < t->threads; k++) {
		const int64_t one = time_accesses(
			&f->both[(size_t)structure * (size_t)t->threads + (size_t)k]);

		if (one >= (int64_t)SURELY * TIMELINE_DRAWN * t->executions &&
			!is_drawn(t, structure, k))
			n += one;
	}
	return n;
}

struct time_undrawn time_undrawn(const struct time_facts *f)
{
	struct time_undrawn u = { .records = f->t->undrawn };
	int64_t all = 0;

	for (int i = 0; f->t->rows && i < f->t->nstructures; i++) {
		const int64_t n = undrawn_of(f, f->order[i]);

		if (!n)
			continue;
		all += n;
		if (u.structures < TIME_UNDRAWN)
			u.structure[u.structures] = f->order[i];
		u.structures++;
	}
	u.share = all ? (double)all / (double)time_accesses(&f->all) : 0;
	return u;
}
