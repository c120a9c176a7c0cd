/* SPDX-License-Identifier: BSD-3-Clause */
/* Coherence between the private caches of threads, by invalidation, and what it is for: true
 * sharing (a thread touches bytes that another one wrote) or false sharing (only other bytes of
 * the line were written).
 *
 * What a thread does to a line within a batch is gathered in a filter of its own and applied to
 * a directory of all lines when it is displaced or the batch ends.  A line that a thread writes
 * goes from the private caches of the others at the beginning of their next batch: their next
 * access misses there.  Within a *stretch* (one execution of a parallel region by its team, or
 * one of the phase by threads that are in none) threads are taken to run side by side, whatever
 * this host's scheduler did, from its begin and equally fast, in *turns* of SHARE_TURN accesses:
 * while two use a line without longer gaps, a turn's first access to it misses when the other
 * one wrote it in a turn meanwhile.  So figures do not hang on the length of a batch, and a loop
 * that is one record counts as what it stands for.
 *
 * One thread: none of this exists. */
#ifndef PSC_MONITOR_SHARE_H
#define PSC_MONITOR_SHARE_H

#include "monitor/sim.h"

enum {
	SHARE_TURN = 64,        /* accesses that take about as long as a line's way between caches */
	SHARE_FILTER = 256,     /* lines */
	SHARE_GAP = 16,         /* turns without a touch that end what two threads do side by side */
	SHARE_LANES = 1024,
	SHARE_THREADS = 4       /* of a line, in what is told about it */
};

/* A line as one lane touched it since the entry was made. */
struct share_entry {
	uint64_t line;          /* + 1; 0: empty */
	uint64_t address;       /* of its first byte, as the program has it */
	uint64_t read, written; /* a bit for each 64th of the line */
	struct sim_cell *cell;
	uint32_t turns, wrote;  /* turns in which it was touched, and written */
	uint32_t first, first_wrote;    /* the first of them, and the last; + 1 */
	uint32_t last, last_wrote;
};

struct share_lane {
	struct share *share;
	struct sim_lane *lane;
	uint32_t index;                 /* of the thread */
	uint32_t shift, unit;           /* log2 of the line, and of a 64th of it (at least a byte) */
	uint32_t turn_shift;
	uint64_t clock;                 /* accesses so far */
	uint32_t stretch, origin;       /* of the running batch; the turn in which it began */
	uint32_t mail;                  /* the directory's: where a chain of letters begins; 0 */
	struct share_entry filter[SHARE_FILTER];
};

/* What is told about one line: how often it missed because of other threads, and who did what
 * with which 64ths of it. */
struct share_report {
	uint64_t address;               /* of the line, as the program had it */
	uint32_t line;                  /* bytes */
	uint32_t object;
	uint64_t miss[2];               /* [1]: true sharing */
	uint32_t nthreads;              /* all; the first SHARE_THREADS are told */
	struct share_who { uint32_t thread, pad; uint64_t read, written; } who[SHARE_THREADS];
};

struct share;
/* A directory for the lanes of a machine; turn: accesses, a power of two, 0 = SHARE_TURN.  NULL
 * for want of memory.  Memory is env's. */
struct share *share_new(const struct sim_env *env, const struct machine_flat *m, uint32_t turn);
/* The lane takes part from its next batch on.  0 / -1 for want of memory. */
int share_attach(struct share *s, struct sim_lane *lane, uint32_t index);
/* Around the playing of a batch; no lock of a cache is held.  stretch: a number of it. */
void share_begin(struct share_lane *l, uint32_t stretch);
void share_end(struct share_lane *l);
/* Lines that were left out for want of room; 0 where they are less than a hundredth. */
uint64_t share_lost(const struct share *s);
/* The worst lines of each object, at most `each` of them and `max` in all; object by object. */
uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each);
/* Adds the misses that the turns make and the caches did not see. */
void share_settle(const struct share *s, struct sim_lane *lane);

void share_displace(struct share_lane *l, struct share_entry *e, uint64_t line, uint64_t address,
	struct sim_cell *cell);

/* 64ths that hold the bytes first … last of one line. */
static inline uint64_t share_mask(const struct share_lane *l, uint64_t first, uint64_t last)
{
	uint64_t in_line = (UINT64_C(1) << l->shift) - 1;
	uint32_t a = (uint32_t)((first & in_line) >> l->unit);
	uint32_t n = (uint32_t)((last & in_line) >> l->unit) - a;

	return (UINT64_MAX >> (63 - n)) << a;
}

static inline void share_mark(struct share_lane *l, uint64_t address, uint64_t first,
	uint64_t read, uint64_t written, struct sim_cell *cell, uint32_t span)
{
	uint64_t line = (first >> l->shift) + 1;
	struct share_entry *e = &l->filter[line % SHARE_FILTER];
	uint32_t from = (uint32_t)(l->clock >> l->turn_shift) + 1;
	uint32_t to = (uint32_t)((l->clock + span - 1) >> l->turn_shift) + 1;

	if (__builtin_expect(e->line != line || e->cell != cell, 0))
		share_displace(l, e, line, address - (first & ((UINT64_C(1) << l->shift) - 1)), cell);
	e->read |= read;
	e->written |= written;
	if (!e->first)
		e->first = from;
	if (written && !e->first_wrote)
		e->first_wrote = from;
	if (to > e->last) {
		e->turns += to - (e->last >= from ? e->last : from - 1);
		e->last = to;
	}
	if (written && to > e->last_wrote) {
		e->wrote += to - (e->last_wrote >= from ? e->last_wrote : from - 1);
		e->last_wrote = to;
	}
}

/* An access, or a piece of one, that lies in one line of the nearest level: the address as the
 * program has it, the normalised first and last byte. */
static inline void share_touch(struct share_lane *l, uint64_t address, uint64_t first,
	uint64_t last, uint32_t store, struct sim_cell *cell)
{
	uint64_t mask = share_mask(l, first, last);

	share_mark(l, address, first, store ? 0 : mask, store ? mask : 0, cell, 1);
	l->clock++;
}

/* Many accesses to one line by a loop, `span` accesses of all kinds (1 or more) from its first
 * to its last; masks as share_mask().  The caller adds what the loop accesses to l->clock. */
static inline void share_stream(struct share_lane *l, uint64_t address, uint64_t first,
	uint64_t read, uint64_t written, struct sim_cell *cell, uint64_t span)
{
	share_mark(l, address, first, read, written, cell,
		span > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)span);
}

#endif
