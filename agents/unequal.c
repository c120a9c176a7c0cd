/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds ranks that do not execute the phase equally often. */
#include "agents/unequal.h"

/* Ranks that do are not further apart: at one moment, one may be a step or two ahead of another. */
static const double RATIO = 1.4;
enum { APART = 4 };

void unequal_add(struct unequal *u, int rank, uint64_t executions)
{
	if (rank < 0 || !executions)
		return;
	if (!u->any || executions < u->least) {
		u->least = executions;
		u->rank[0] = rank;
	}
	if (!u->any || executions > u->most) {
		u->most = executions;
		u->rank[1] = rank;
	}
	u->any = true;
	u->are = u->most >= u->least + APART && (double)u->most > RATIO * (double)u->least;
}

const char *unequal_text(const struct unequal *u, struct arena *arena)
{
	return !u->are ? NULL :
		arena_printf(arena,
		"ranks execute the phase unequally often (rank %d %llu times, rank %d %llu "
		"times meanwhile), so executions of equal numbers are of unlike steps: properties over all processes are not "
		"tested, and waits may be for a rank that was recorded. psc_phase_number() numbers executions by common steps",
		u->rank[1], (unsigned long long)u->most, u->rank[0], (unsigned long long)u->least);
}
