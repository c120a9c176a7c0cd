/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of a loop and the cache sets that they reside in.  stream.c makes the streams,
 * line_events.c explains and simulates them, periods.c simulates them where they repeat.  Private
 * to these files.
 *
 * A slot is a set of level 1, or several sets if level 1 has more than SLOTS.  A *time* is a
 * stream's turn in an iteration: iteration * STREAMS + stream. */
#ifndef PSC_SIMULATE_LINE_EVENTS_H
#define PSC_SIMULATE_LINE_EVENTS_H

#include "simulate/loop/loop.h"

enum { STREAMS = LOOP_STREAMS, SLOTS = 1024, RING = 64, CROSSINGS = 512, PERIOD = 128 };
#define NEVER UINT64_MAX

/* A line in which a stream resides; at most one even and one odd line at a time. */
struct stay {
	uint64_t line;
	uint64_t from;          /* iteration of its last touch looked up in level 2; NEVER */
	uint32_t slot, slot2;   /* slots in level 1 and 2; slot2: valid in crowded sets only */
	bool second;            /* its last miss has the class of the line before it */
	uint32_t class;         /* of its recurring misses: a class word; conflicts if SIM_MEETS is
				 * set */
};

struct stream {
	uint64_t at, step;      /* address in the first iteration */
	uint64_t end;           /* it takes part in iterations [0, end) */
	uint64_t until;         /* iteration in which it enters or leaves a line or place next */
	struct stay stay[2];    /* by the line's lowest bit */
	uint32_t in;            /* mask of the valid stays */
	struct group_sum sum;   /* of one iteration */
	int32_t shift;          /* step = 1 << shift; -1: no power of two */
	uint64_t delta;         /* of its place, where it remains until iteration `leaves` */
	uint64_t leaves;
	struct sim_cell *cell;  /* NULL: its accesses are skipped */
	struct sim_site *site;  /* NULL with it */
	uint32_t number;        /* of its group */
	const uint32_t *group;  /* for play_members(); of a single member: &own */
	uint32_t own;
	uint32_t grain;         /* result of grain(); UINT32_MAX: not computed yet */
};

/* A slot of level 1.  Masks are of streams. */
struct l1_slot {
	uint64_t who;           /* its residents */
	uint32_t n;             /* their number */
	bool twins;             /* two of them share a line; kept up in crowded sets */
	uint64_t synced;        /* time of the last lookup; the set is exact at that time */
	uint64_t recur;         /* residents that miss in every turn; counted when that ends */
	uint64_t due;           /* residents whose next turn is an event */
	uint64_t plain;         /* time of the last lookup by an access outside all streams; or 0 */
};

/* A slot of level 2, with the residents of crowded sets of level 1. */
struct l2_slot {
	uint64_t who;
	uint64_t synced;        /* touches up to this time are simulated in level 2 */
	uint32_t n;
};

/* A lookup that each period repeats: a stream enters a line, or touches it for the last time. */
struct crossing {
	uint64_t line;          /* its line in the next period */
	uint64_t lines;         /* lines that it moves by in a period */
	int32_t from;           /* first byte of the access that enters, relative to the line */
	uint32_t last;          /* that access' size - 1 */
	uint32_t store;
	uint32_t missed;        /* misses so far */
	struct sim_site *site;
};

/* State of periods.c. */
struct period {
	uint64_t inverse;       /* 2^32 / step */
	uint32_t line, step;    /* bytes */
	uint32_t turns, lines;  /* of a period: iterations, and lines that each stream moves by */
	uint32_t way;           /* bytes of a way, - 1: a mask */
	uint32_t reach;         /* streams at most this far apart, modulo the way, are near */
	uint32_t crowds;        /* streams with as many near streams as a set has ways, or more */
	uint32_t n;             /* crossings */
	bool uneven;            /* two near streams are not even: all touch lines on leaving */
	uint64_t placed;        /* streams in one place */
	uint64_t two;           /* streams that begin the period in two lines */
	uint64_t near[STREAMS]; /* streams near this one */
	uint32_t nnear[STREAMS];        /* their number */
	uint32_t stays[STREAMS];        /* turns in a line, - 1 */
	uint32_t at[STREAMS];   /* normalised address in the first iteration, lower half */
	uint64_t enter[PERIOD], leave[PERIOD];  /* streams that enter, leave a line, by iteration */
	struct crossing crossing[CROSSINGS];
};

struct events {
	struct stream stream[STREAMS];
	uint32_t nstreams;
	uint64_t count;
	uint64_t ring[RING];    /* streams with an event, by iteration mod RING */
	uint64_t rings;         /* mask of the non-empty entries of `ring` */
	uint64_t now;           /* streams with an event left in this iteration */
	uint64_t i, time;       /* the present turn: iteration, time */
	uint64_t bit;           /* bit of g */
	uint32_t g;             /* the stream whose turn it is */
	uint32_t ways, ways2;   /* of level 1, of level 2 */
	bool plain;             /* some slot's `plain` is set */
	bool recurs;            /* some slot's `recur` was set in this loop */
	bool exact;             /* a slot is one set, and each slot2 belongs to one slot */
	_Alignas(16) uint32_t lines[2][STREAMS];        /* lower halves of stay[].line, by parity */
	struct l1_slot slot[SLOTS];
	struct l2_slot slot2[SLOTS];
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

/* Splits a turn of s into plan entries, at most PLAN_MAX, and returns their number.  The turn
 * begins `offset` bytes into a line and ends beyond it. */
LRU_INLINE uint32_t stream_entries(const struct work *w, const struct stream *s, uint32_t offset,
	uint32_t *entry)
{
	if (*s->group & PSC_GROUP_MANY)
		return play_plan_entries(s->group, offset, w->l1->shift, entry);
	entry[0] = PLAN_ENTRY(0, s->sum.span, s->sum.first & 1, 1u);
	return 1;
}

/* Translates s from iteration i on.  false: s spans two places, the second `rest` bytes from its
 * address. */
bool stream_place(struct work *w, struct stream *s, uint64_t i, uint64_t *rest);
/* Can a turn at `address` in two places, the second from `rest` bytes on, be simulated as a turn in
 * two lines?  Only if both belong to one object and meet at a line boundary.  *delta: added to
 * addresses in the second place. */
bool stream_adjoins(struct work *w, const struct stream *s, uint64_t address, uint64_t rest,
	uint64_t *delta);
/* The number of turns from iteration i on, which begins at `first`, that stay in unsampled lines;
 * adjacent unsampled lines count as one. */
uint64_t stream_unsampled(const struct work *w, const struct stream *s, uint64_t first, uint64_t i);
/* Counts the references of n iterations in the present place. */
void stream_count(const struct stream *s, uint64_t n);
/* Simulates and counts the turn in iteration i access by access, across any places. */
void stream_plainly(struct work *w, const struct stream *s, uint64_t i);

/* Makes the streams of iterations [from, to), numbered from 0 to e->count.  If the engine before
 * has made them, returns them as it left them.  NULL: no memory. */
struct events *streams_of(struct work *w, struct loop *l, uint64_t from, uint64_t to);
#endif
