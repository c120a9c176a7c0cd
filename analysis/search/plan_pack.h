/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs what is to be counted into the fewest experiments that a collector's limits allow.
 *
 * What one property reads is counted in one experiment wherever the limits allow that: counts of
 * different executions do not belong together.  Pure arithmetic: no clock, no memory. */
#ifndef PSC_SEARCH_PLAN_PACK_H
#define PSC_SEARCH_PLAN_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACK_ITEMS = 64, PACK_GROUPS = 64 };

/* What a collector can do in one experiment. */
struct collector_limits {
	uint32_t counters;      /* items that take a counter; 0: no limit */
	uint32_t ranges;        /* different address ranges; 0: no limit */
	uint32_t items;         /* items in all; 0: no limit */
};

/* One thing to count. */
struct pack_item {
	bool free;              /* takes no counter */
	uint32_t exclusive;     /* not 0: of items with this number, one an experiment */
	uint32_t range;         /* not 0: counted in this address range */
};

struct pack_result {
	uint64_t experiment[PACK_ITEMS];        /* the items of each, as bits */
	uint32_t n;
	uint64_t split;         /* groups that fit into no experiment: bits */
	bool least;             /* it is proven that no fewer experiments do; false: there were too
				 * many cases */
};

/* Can all these items be counted at once? */
bool pack_fits(const struct collector_limits *limits, const struct pack_item *items, uint64_t set);
/* Distributes nitems items.  groups: for each property, the items that it reads.  Each item is in
 * at least one experiment, and so is each group as a whole unless it is in `split`. */
void pack(const struct collector_limits *limits, const struct pack_item *items, uint32_t nitems,
	const uint64_t *groups, uint32_t ngroups, struct pack_result *out);
/* "2 experiments: 6 events, 4 counters at once"; `what`: "event".  Why there are several. */
void pack_text(const struct collector_limits *limits, uint32_t nitems, const struct pack_result *r,
	const char *what, char *text, size_t size);

#endif
