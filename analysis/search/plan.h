/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the requests of the next experiments, by phase number, from what the search needs.  The
 * first executions are clean and give the times; all later ones may be distorted by recording.  All
 * processes apply the same rule to the same numbers, so that no host simulates while another
 * measures times.  plan_after() is no exception: only a program of one process asks for it. */
#ifndef PSC_SEARCH_PLAN_H
#define PSC_SEARCH_PLAN_H

#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "monitor/client/mon.h"

/* At most so many executions before the clean ones find the regions that are too brief for markers
 * (monitor/brief_regions.c): one where few clean executions are wanted, since the program may have
 * few. */
static inline uint32_t plan_surveys(const struct run_config *c)
{
	return c->clean < 3 ? 1 : 2;
}

struct plan {
	struct mon_want want;                   /* want.filters points into filter */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];       /* want.variants points into it */
};

/* Plans the measurement of clean times in a process that has begun `begun` executions. */
void plan_times(const struct run_config *c, uint64_t begun, struct plan *out);
/* Plans the experiment right after the clean executions, where the collector may count everything
 * at once; `begun` as above. */
void plan_everything(const struct run_config *c, uint64_t begun, struct plan *out);
/* Plans clean times right after the experiment `counts`.  Its first execution is not timed: the
 * simulation has emptied its caches. */
void plan_after(const struct plan *counts, struct plan *out);
/* Plans an experiment with limited counters for as many of the needs as fit; returns their
 * number. */
uint32_t plan_needs(const struct run_config *c, uint64_t begun, const struct need *needs,
	uint32_t nneeds, struct plan *out);
/* Plans an experiment that counts everything, for the program as it is and for each variant
 * (nvariants <= MON_VARIANTS).  Never a set sample: the small difference of two sampled counts
 * would be mostly error. */
void plan_variants(const struct run_config *c, uint64_t begun, const struct mon_variant *variants,
	uint32_t nvariants, struct plan *out);
/* Plans copies of the process that run an execution without the misses of the object. */
void plan_verify(const struct run_config *c, uint64_t begun, uint32_t object, uint64_t clean_ns, struct plan *out);
/* Copies a plan; the copy's request points into the copy. */
void plan_copy(struct plan *to, const struct plan *from);
/* Moves the request to a later execution, after its phase boundary was missed. */
void plan_later(struct plan *p, uint64_t begun);

#endif
