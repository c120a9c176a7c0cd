/* SPDX-License-Identifier: BSD-3-Clause */
/* A map (context, object, thread) -> tally: an array of entries, and a hash table with open
 * addressing that holds their numbers. */
#ifndef PSC_MEASURE_TALLY_MAP_H
#define PSC_MEASURE_TALLY_MAP_H

#include "analysis/measure/measurements.h"

#define ALL_THREADS UINT32_MAX  /* as thread: the counts of all threads together */

enum { TALLY_MAP_MOST = 1 << 19 };      /* 400 MB: bounds what an application makes its agent keep */

struct tally_entry {
	uint32_t context, object, thread;
	uint32_t before;        /* the entry inserted before it for the same context, number + 1; 0: none */
	bool measured;          /* false: a filtered result showed that the object occurs, no counts yet */
	struct tally tally;
};

struct tally_map {
	struct tally_entry *entry;      /* owned; in the order of insertion */
	uint32_t used, cap;
	uint32_t *slot;         /* owned; 0 free, else an entry's number + 1 */
	uint32_t size;          /* of the table, a power of two */
	uint32_t *last;         /* owned; by context: the entry inserted last, number + 1; 0: none */
	uint32_t contexts;      /* that `last` has room for */
};

struct tally_map *tally_map_new(void);          /* NULL: memory */
void tally_map_free(struct tally_map *t);
void tally_map_clear(struct tally_map *t);
/* The entry, valid until the next tally_map_insert(); NULL: none. */
struct tally_entry *tally_map_find(const struct tally_map *t, uint32_t context, uint32_t object,
	uint32_t thread);
/* Entries of a context, the latest first: tally_map_last(), then from one to the one before; NULL: no more. */
const struct tally_entry *tally_map_last(const struct tally_map *t, uint32_t context);
const struct tally_entry *tally_map_before(const struct tally_map *t, const struct tally_entry *it);
/* The entry, inserted if there was none.  NULL: memory, or TALLY_MAP_MOST entries. */
struct tally_entry *tally_map_insert(struct tally_map *t, uint32_t context, uint32_t object,
	uint32_t thread);

#endif
