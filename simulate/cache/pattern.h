/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a core's misses: what a prefetcher would make of them, and which need a page walk.
 * Private to the simulator.
 *
 * A miss of the nearest level is, by the lines that missed before it,
 *   stream:  the next line or the one before, or, once only, a step of two lines;
 *   strided: a constant step;
 * since its 4 KiB page's last miss (or the adjacent page's, where it continues it), or twice since
 * its cell's last miss.  A constant step of two lines is strided: prefetchers that fetch the
 * adjacent line gain nothing from it.
 *
 * A line that misses again while it is among the last PATTERN_WAYS new lines of its set (an affine
 * loop whose lines compete for a cache set misses in every iteration) keeps its class and changes
 * nothing: events.c counts such misses without a lookup. */
#ifndef PSC_SIMULATE_PATTERN_H
#define PSC_SIMULATE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* PATTERN_WALK_PAGES: entries of a filter of 4 KiB pages, direct-mapped by a hash.  A miss whose page
 * is not there walks. */
enum { PATTERN_PAGES = 64, PATTERN_SETS = 64, PATTERN_WAYS = 16, PATTERN_WALK_PAGES = 2048 };

enum pattern_kind { PATTERN_IRREGULAR, PATTERN_STREAM, PATTERN_STRIDED };
enum { PATTERN_KIND = 3, PATTERN_WALKS = 4 };   /* of pattern_miss()'s result */

/* Lines by the lower half of their number + 1, 0: none; steps in lines. */
struct pattern_page {
	uint32_t last;
	int32_t step;
};
struct pattern {
	_Alignas(64) uint32_t known[PATTERN_SETS][PATTERN_WAYS];        /* (line + 1) << 2 | kind */
	uint8_t oldest[PATTERN_SETS];
	struct pattern_page page[PATTERN_PAGES];
	uint32_t walked[PATTERN_WALK_PAGES];
};

/* Takes a miss of a line; in_page: log2 of the lines in 4 KiB; last: of its cell.  Returns its kind,
 * and PATTERN_WALKS if its page is not in the filter. */
uint32_t pattern_miss(struct pattern *p, uint64_t line, uint32_t in_page, struct pattern_page *last);
/* The kind of a line that would keep its class; PATTERN_KIND: it would not. */
uint32_t pattern_known(const struct pattern *p, uint64_t line);
/* The lower 30 bits of the line that would no longer keep its class if this line missed now.
 * false: none. */
bool pattern_victim(const struct pattern *p, uint64_t line, uint32_t *victim);

#endif
