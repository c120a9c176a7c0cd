/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of the program in one simulation: its view of the machine, and what it remembers of records and
 * of addresses. */
#ifndef PSC_SIMULATE_THREAD_H
#define PSC_SIMULATE_THREAD_H

#include "simulate/cache/sim.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct psc_segment;

/* Translations of the thread's addresses: by page where one object in one normalised page
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

/* Facts that decide how a record can be played: known of the thread, of the descriptor, of a decoded loop. */
enum sim_facts {
	FACT_TOLD = 1,          /* the directory has to hear of its accesses */
	FACT_IN_TURN = 2,       /* so, and all of it is of the present turn */
	FACT_EACH = 4,          /* groups are played member by member: some access is larger than a line */
	FACT_RANGES = 8,        /* has copies or ranges */
	FACT_WAITS = 16,        /* has a PSC_GROUP_SPIN */
	FACT_SAMPLED = 32,      /* only some sets are simulated */
	FACT_TAIL_FIRST = 64,   /* a group behind the loop's exit stands before one that is not */
	FACT_UNEQUAL = 128,     /* steps differ, are none, or longer than a line */
	FACT_SPREAD = 256,      /* some group's members are far from each other */
	FACT_CROSSES = 512,     /* groups change their lines so often that events do not pay */
	FACT_STREAMS = 1024     /* more streams than periods and events have room for */
};

/* A descriptor that was found to be sound. */
struct sim_segment {
	uint64_t word;          /* as in the record */
	const struct psc_segment *s;    /* unpacked */
	uint16_t behind;        /* accesses behind the loop's exit */
	uint16_t facts;         /* enum sim_facts */
	bool loop;
	bool idle;              /* all its groups wait */
	/* A loop with several threads (loop/split.c): the group that had to report the last time; for how many
	 * executions nobody asks now, and for how many nobody asked before. */
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
	struct sim_core core;
	struct sim_page page[SIM_PAGES];
	struct sim_part part[SIM_PAGES];
	struct sim_part wide[SIM_WIDE][2];      /* parts that are much of a page */
	struct sim_segment seg[SIM_SEGMENTS];
	struct events *events;  /* rooms of loop/stream.c and access/group.c */
	struct plans *plans;
	struct known_turns *known_turns;        /* of loop/one_turn.c */
	struct unpacked *unpacked;      /* of access/descriptor.c */
};

/* Room of the caller's, for as long as the thread lasts; NULL. */
static inline void *sim_thread_room(const struct sim_thread *t, size_t bytes)
{
	return t->core.sim->env->room(bytes);
}

#endif
