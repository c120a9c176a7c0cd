/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the memory shared with the agent: strings, units, contexts and objects.  Rows are
 * never removed; a count is raised after its row is complete.  What does not fit is counted. */
#ifndef PSC_FOREIGN_SHM_TABLES_H
#define PSC_FOREIGN_SHM_TABLES_H

#include "monitor/shared/shm.h"

struct shm_tables {
	struct mon_shm *shm;    /* borrowed */
	uint32_t *strings;      /* open hash of offsets; owned */
	uint32_t *units;        /* open hash of numbers + 1 by hash; owned */
	uint32_t *contexts;     /* open hash of numbers + 1 by parent, unit and region; owned */
};

int shm_tables_begin(struct shm_tables *t, struct mon_shm *shm);
void shm_tables_end(struct shm_tables *t);
/* The offset of a string; 0: it is empty, or there is no room. */
uint32_t shm_string(struct shm_tables *t, const char *s);
/* The number of a unit, which is added if it is new; MON_NO_UNIT: no room. */
uint32_t shm_unit(struct shm_tables *t, uint64_t hash, const char *source, uint32_t nregions);
/* Tells the agent of a library whose functions become units.  0 / -1: no room. */
int shm_code(struct shm_tables *t, const char *path);
/* The number of a context, which is added if it is new; MON_ANY: no room.
 * parent MON_ANY: context 0. */
uint32_t shm_context(struct shm_tables *t, uint32_t parent, uint32_t unit, uint32_t region);
/* Adds an object; MON_ANY: no room. */
uint32_t shm_object(struct shm_tables *t, const struct mon_object *o);

#endif
