/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of the program in one simulation: its core, and its caches of checked descriptors and
 * translated addresses. */
#ifndef PSC_SIMULATE_THREAD_H
#define PSC_SIMULATE_THREAD_H

#include "simulate/cache/sim.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct psc_segment;

/* Cached translations: of a whole page where one object has all of it, else of a part of a page.
 * Normalised address = program address + delta. */
struct sim_page {
	uint64_t key;           /* SIM_PAGE_KEY; 0: empty */
	uint64_t delta;
	struct sim_cell *cell;
	uint64_t pad;           /* size 32: indexing is a shift */
};
struct sim_part {
	struct sim_page page;   /* key unused */
	uint64_t lo;
	uint32_t len, context;  /* len 0: empty */
};
#define SIM_PAGE_KEY(address, context) ((address) >> 12 | ((uint64_t)(context) + 1) << 44)
enum { SIM_PAGES = 512, SIM_WIDE = 64, SIM_SEGMENTS = 512 };

/* Facts that decide how a record is simulated; they stem from the thread, the descriptor, or the
 * decoded loop. */
enum sim_facts {
	FACT_TOLD = 1,          /* accesses must be reported to the directory */
	FACT_IN_TURN = 2,       /* FACT_TOLD, and the record lies within the present turn */
	FACT_EACH = 4,          /* groups are simulated member by member, e.g. long accesses */
	FACT_RANGES = 8,        /* has copies or ranges */
	FACT_WAITS = 16,        /* has a PSC_GROUP_SPIN */
	FACT_SAMPLED = 32,      /* only some sets are simulated */
	FACT_TAIL_FIRST = 64,   /* a group behind the loop's exit precedes one that is not */
	FACT_UNEQUAL = 128,     /* steps differ, are 0, or exceed a line */
	FACT_SPREAD = 256,      /* some group spans more than half a line */
	FACT_CROSSES = 512,     /* groups enter lines so often that events do not pay */
	FACT_STREAMS = 1024,    /* more streams than LOOP_STREAMS */
	FACT_DEPENDS = 2048,    /* some group's addresses depend on loads (enum psc_dependence) */
	FACT_WORKS = 4096,      /* its struct psc_work is known */
	FACT_LOCKS = 8192,      /* has a PSC_GROUP_LOCK */
	FACT_COPIES = 16384     /* a loop that only copies plain elements */
};

/* A checked descriptor. */
struct sim_segment {
	uint64_t word;          /* as in the record */
	const struct psc_segment *s;    /* unpacked */
	uint16_t behind;        /* accesses behind the loop's exit */
	uint16_t facts;         /* enum sim_facts */
	bool loop;
	bool idle;              /* all its groups spin */
	bool walked;            /* a loop or blocks: some record was looked at for walks */
	/* For loop/split.c: the group that failed last; executions still to skip without a test;
	 * executions skipped at a time. */
	uint8_t telling, pause, pauses;
	/* For access/core_work.c: executions not added to the cell of this number yet. */
	bool chained;           /* PSC_WORK_IN_CHAIN */
	uint16_t cell;
	uint32_t n;
};

struct sim_thread {
	/* Set by the caller. */
	void *asker;            /* passed to env's place() */
	uint32_t generation;    /* of translations: a new one makes cached ones void */
	bool whole;             /* counts belong to the phase, not to contexts */
	bool walked;            /* walks are looked at (simulate/cache/walk_table.h) */

	uint32_t context;       /* innermost one */
	bool chained;           /* the last counted record is PSC_WORK_IN_CHAIN */
	uint32_t places;        /* generation of the cached translations, << 1 | counting */
	uint32_t descriptors;   /* number of calls of descriptor_forget() */
	bool began;             /* a batch was simulated; else page .. seg are zero, and may not
				 * have been touched yet */
	uint64_t seg_lo, seg_len; /* mapping that held the last segment descriptor */
	uint64_t absent_lo, absent_len; /* accesses to this range are skipped */
	struct sim_core core;
	struct sim_page page[SIM_PAGES];
	struct sim_part part[SIM_PAGES];
	struct sim_part wide[SIM_WIDE][2];      /* long parts, looked up by page */
	struct sim_segment seg[SIM_SEGMENTS];
	struct events *events;  /* memory of loop/stream.c and, below, access/group.c */
	struct plans *plans;
	struct known_turns *known_turns;        /* of loop/one_turn.c */
	struct unpacked *unpacked;      /* of access/descriptor.c */
};

/* Where a record's descriptor is kept in `seg`. */
static inline uint32_t sim_segment_slot(uint64_t word)
{
	return (uint32_t)(word >> 3 ^ word >> 12) % SIM_SEGMENTS;
}

/* Zeroed memory for the life of the thread; NULL: none. */
static inline void *sim_thread_room(const struct sim_thread *t, size_t bytes)
{
	return t->core.sim->env->room(bytes);
}

#endif
