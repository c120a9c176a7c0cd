/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of a loop and the sets that they reside in.  Private to stream.c, which makes them,
 * events.c, which says what they are and plays them, and periods.c, which does so where they repeat
 * themselves. */
#ifndef PSC_SIMULATE_EVENTS_H
#define PSC_SIMULATE_EVENTS_H

#include "simulate/loop/loop.h"

enum { STREAMS = LOOP_STREAMS, SLOTS = 1024, RING = 64, CROSSINGS = 512, PERIOD = 128 };
#define NEVER UINT64_MAX

/* A line of a stream; an even and an odd one at most. */
struct stay {
	uint64_t line;
	uint64_t from;          /* iteration of its last touch that was looked up in level 2; NEVER */
	uint32_t slot, slot2;   /* slot2: in crowded sets */
};

struct stream {
	uint64_t at, step;      /* address in the first iteration */
	uint64_t end;           /* iterations that it takes part in */
	uint64_t until;         /* iteration of its next event of its own */
	struct stay stay[2];    /* by the line's lowest bit */
	uint32_t in;            /* those that are */
	struct group_sum sum;   /* of one iteration */
	int32_t shift;          /* step = 1 << shift; -1: it is something else */
	uint64_t delta;         /* of its place, in which it stays before `leaves` */
	uint64_t leaves;
	struct sim_cell *cell;  /* NULL: left out */
	const uint32_t *group;  /* of play_group(); a lone member's is `own` */
	uint32_t own;
	uint32_t grain;         /* what grain() says; UINT32_MAX: it has not been asked */
};

/* A set of level 1.  All masks are of streams. */
struct slot {
	uint64_t who;
	uint32_t n;             /* of these */
	bool twins;             /* two reside in one line */
	uint64_t synced;        /* time of the last lookup */
	uint64_t recur;         /* whose misses recur */
	uint64_t due;           /* who has its next turn as an event */
	uint64_t plain;         /* time of the last plain lookup */
};

/* A set of level 2, for residents of crowded sets. */
struct slot2 {
	uint64_t who;
	uint64_t synced;        /* what was touched until then has been looked up there */
	uint32_t n;
};

/* One lookup of each period: a stream enters a line, or touches one for the last
 * time. */
struct crossing {
	uint64_t line;          /* the next one */
	uint64_t lines;         /* that it moves by in a period */
	int32_t from;           /* where the access that enters it begins, counted from its beginning */
	uint32_t last;          /* bytes of that, - 1 */
	uint32_t store;
	uint32_t missed;
	struct sim_cell *cell;
};

/* State of periods.c. */
struct period {
	uint64_t inverse;       /* 2^32 / step */
	uint32_t line, step;    /* bytes */
	uint32_t turns, lines;  /* iterations; lines that each stream moves by in them */
	uint32_t way;           /* bytes of a way, - 1 */
	uint32_t reach;         /* streams no farther from each other, modulo the way, are near */
	uint32_t crowds;        /* streams that have as many near them as a set has ways */
	uint32_t n;             /* crossings */
	bool uneven;            /* some two were near and not even: all touch the lines that they leave */
	uint64_t placed;        /* streams that are in one place */
	uint64_t two;           /* that begin the period in two lines */
	uint64_t near[STREAMS];
	uint32_t nnear[STREAMS];
	uint32_t stays[STREAMS];        /* turns in a line, - 1 */
	uint32_t at[STREAMS];   /* normalised address in the first iteration, lower half */
	uint64_t enter[PERIOD], leave[PERIOD];  /* streams that do, by iteration */
	struct crossing crossing[CROSSINGS];
};

struct events {
	struct stream stream[STREAMS];
	uint32_t nstreams;
	uint64_t count;
	uint64_t ring[RING];    /* streams with an event, by iteration mod RING */
	uint64_t rings;         /* rings that are not 0 */
	uint64_t now;           /* streams with an event in this iteration */
	uint64_t i, time;       /* the present turn */
	uint64_t bit;           /* of g */
	uint32_t g;
	uint32_t ways, ways2;
	bool plain;             /* some slot's `plain` is set */
	bool exact;             /* slots are sets, also in level 2, where each is of one slot */
	_Alignas(16) uint32_t lines[2][STREAMS];        /* the lower halves of lines, as in `stay` */
	struct slot slot[SLOTS];
	struct slot2 slot2[SLOTS];
	struct period period;
};

LRU_INLINE uint64_t bit_of(uint32_t g)
{
	return UINT64_C(1) << g;
}

LRU_INLINE uint64_t time_of(uint64_t i, uint32_t g)
{
	return i * STREAMS + g;
}

/* Its turn, that begins so far into a line and goes beyond it, as entries: at most PLAN_MAX.  How
 * many. */
LRU_INLINE uint32_t stream_entries(const struct work *w, const struct stream *s, uint32_t offset,
	uint32_t *entry)
{
	if (*s->group & PSC_GROUP_MANY)
		return play_plan_entries(s->group, offset, w->l1->shift, entry);
	entry[0] = PLAN_ENTRY(0, s->sum.span, s->sum.first & 1, 1u);
	return 1;
}

/* Where s is from iteration i on.  false: it is in two places, the second of which begins behind
 * so many bytes. */
bool stream_place(struct work *w, struct stream *s, uint64_t i, uint64_t *rest);
/* Counts what it does there in n iterations. */
void stream_count(const struct stream *s, uint64_t n);
/* Its turn in iteration i, access by access, in whatever places; counts it. */
void stream_plainly(struct work *w, const struct stream *s, uint64_t i);

/* The streams of iterations [from, to), in e->count iterations of their own; those that are made
 * already as the engine before left them.  NULL: there is no room. */
struct events *streams_of(struct work *w, struct loop *l, uint64_t from, uint64_t to);
#endif
