/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what a report of spans of time is worth (--experiment-time). */
#include "analysis/findings/findings.h"

#include <math.h>

static const double LONG = 1.5; /* a span so many times as long as wanted is told of */

const char *findings_timed_unlike(const struct run_config *c, const char *choice,
	struct arena *arena)
{
	return arena_printf(arena,
		"each is a span of %g s of the program, not a step that it repeats, so shares are estimates%s%s", (double)c->timed_ns * 1e-9, choice ? "; " : "", choice ? choice : "");
}

const char *findings_timed_late(const struct measurements *p, const struct run_config *c,
	struct arena *arena)
{
	double longest = 0, wanted = (double)c->timed_ns;

	for (uint32_t e = 0; p->ncontexts && e < p->nclean; e++)
		longest = fmax(longest, p->contexts[0].wall[e]);
	return longest <= LONG * wanted ? "" :
		arena_printf(arena, "a span of %g s took %.3g s: in between, the main thread "
		"called no function with markers and began no iteration of an outer loop outside of parallel regions, so nothing "
		"could end it", wanted * 1e-9, longest * 1e-9);
}
