/* SPDX-License-Identifier: BSD-3-Clause */
/* From what the search needs to the requests of the next experiments, by phase number.  The first
 * clean executions give the times; everything after them may distort.  All processes follow the same
 * rule from the same numbers, so that one host's simulation never falls into another's clean time. */
#ifndef PSC_SEARCH_PLAN_H
#define PSC_SEARCH_PLAN_H

#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "monitor/client/mon.h"

struct plan {
	struct mon_want want;                   /* want.filters points into filter */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];       /* want.variants points into it */
};

/* The clean-time experiment of a process that has begun `begun` executions. */
void plan_times(const struct run_config *c, uint64_t begun, struct plan *out);
/* The counting experiment that comes right after the clean one, when the collector may count
 * everything at once; `begun` as above. */
void plan_everything(const struct run_config *c, uint64_t begun, struct plan *out);
/* With limited counters: as many of the needs as fit.  Returns how many were taken. */
uint32_t plan_needs(const struct run_config *c, uint64_t begun, const struct need *needs,
	uint32_t nneeds, struct plan *out);
/* Everything, as the program is and with these changes (nvariants <= MON_VARIANTS); never a sample, since
 * a small difference of two sampled counts is mostly error. */
void plan_variants(const struct run_config *c, uint64_t begun, const struct mon_variant *variants,
	uint32_t nvariants, struct plan *out);
/* A copy whose request points into itself. */
void plan_copy(struct plan *to, const struct plan *from);
/* The same request again, for later, after its boundary was missed. */
void plan_later(struct plan *p, uint64_t begun);

#endif
