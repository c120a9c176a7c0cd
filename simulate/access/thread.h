/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of the program in one simulation: its view of the machine, and what it remembers of records and
 * of addresses. */
#ifndef PSC_SIMULATE_THREAD_H
#define PSC_SIMULATE_THREAD_H

#include "simulate/cache/sim.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct psc_segment;

/* What the thread's addresses mean, remembered: by page where one object in one normalised page
 * has all of it, by part of a page where not.  `delta` turns an address into a normalised one. */
struct sim_page {
	uint64_t key;           /* SIM_PAGE_KEY; 0: empty */
	uint64_t delta;
	struct sim_cell *cell;
	uint64_t pad;           /* an index is a shift */
};
struct sim_part {
	struct sim_page page;   /* key unused */
	uint64_t lo;
	uint32_t len, context;  /* len 0: empty */
};
#define SIM_PAGE_KEY(address, context) ((address) >> 12 | ((uint64_t)(context) + 1) << 44)
enum { SIM_PAGES = 512, SIM_WIDE = 64, SIM_SEGMENTS = 512 };

/* A descriptor that was found to be sound. */
struct sim_segment {
	uint64_t word;          /* as in the record */
	const struct psc_segment *s;    /* unpacked */
	uint16_t behind;        /* accesses behind the loop's exit */
	bool loop;
	bool waits, idle;       /* has a PSC_GROUP_SPIN; nothing else */
	bool plain;             /* neither that nor ranges */
	bool big;               /* has accesses that are larger than the smallest line */
	/* Of a loop with several threads (loop/split.c): its group that had to tell the last time; how
	 * often that is not to be asked now, and was not before. */
	uint8_t telling, pause, pauses;
};

struct sim_thread {
	/* The caller's. */
	void *asker;            /* what env's place() is given */
	uint32_t generation;    /* of what addresses mean: another one, and what is remembered is void */
	bool whole;             /* counts belong to the phase, not to contexts */

	uint32_t context;       /* innermost one */
	uint32_t places;        /* generation of the remembered places */
	uint32_t descriptors;   /* how often they were forgotten */
	uint64_t seg_lo, seg_len; /* mapping that held the last segment descriptor */
	uint64_t absent_lo, absent_len; /* accesses there are left out */
	struct sim_lane lane;
	struct sim_page page[SIM_PAGES];
	struct sim_part part[SIM_PAGES];
	struct sim_part wide[SIM_WIDE][2];      /* parts that are much of a page */
	struct sim_segment seg[SIM_SEGMENTS];
	struct events *events;  /* rooms of loop/events.c and access/group.c */
	struct plans *plans;
	struct briefs *briefs;  /* of loop/one_turn.c */
	struct unpacked *unpacked;      /* of access/descriptor.c */
};

/* Room of the caller's, for as long as the thread lasts; NULL. */
static inline void *sim_thread_room(const struct sim_thread *t, size_t bytes)
{
	return t->lane.sim->env->room(bytes);
}

#endif
