/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of lines (share.h).  A line is *owned* while one lane touches it, *read* while several
 * do and none writes, and *shared* once it was written and more than one touches it: only then it has
 * a record, with what each lane did.  It is in stripes, by page, each with its lock, which is held by
 * whoever asks about a line of it.
 *
 * directory.c finds lines and their records; meet.c says what a lane's touch does to a line, to the
 * other lanes and to its rights; share.c gathers touches and reads letters.  Private to them. */
#ifndef PSC_MONITOR_DIRECTORY_H
#define PSC_MONITOR_DIRECTORY_H

#include <string.h>
#include "monitor/share.h"

enum {
	/* Of a stripe: pages, and lines that are shared; 4 GiB and 256 MiB in all with lines of 64
	 * bytes.  Only what is used takes memory. */
	PAGES = 1 << 16, RECORDS = 1 << 18,
	CHUNK = 256,            /* records that get their memory at once */
	FEW = 2, MORE = 6       /* lanes of a record, of each extension */
};

/* The state of a line: 0 nobody's; a pointer, or */
#define OWNED 1u        /* index << 3 | WROTE | OWNED */
#define READ 2u         /* a bit per lane << 2 | READ */
#define WROTE 4u
#define KIND 3u

struct place {
	uint64_t page;          /* + 1; 0: none */
	uint64_t *state;        /* of its lines */
};

/* What one lane did to a line.  Turns are the latest ones of the stretch without a longer gap, from
 * t0 to t1: `used` turned out to be misses, `left` still may. */
struct sharer {
	uint64_t unseen;        /* what others wrote since it was here */
	uint64_t read, written; /* ever */
	uint32_t stretch, t0, t1;
	uint32_t last, last_wrote;      /* turns, + 1 */
	uint32_t turns, left, used, wrote;
	uint32_t cell;
	uint32_t next;          /* the next letter to its lane: number of the record + 1; 0 */
	uint32_t lane : 12, by : 12;    /* by: whose write the letter is about */
	bool holds : 1, lost : 1;       /* lost: it was in its cache and went because another wrote */
	bool chained : 1;               /* the letter was not read yet */
};

struct more {
	struct more *next;
	struct sharer of[MORE];
};

/* Contexts whose cells have counted the line as shared: 64 from block * 64 on. */
struct seen {
	struct seen *next;
	uint64_t contexts;
	uint32_t block;
};

struct record {
	uint64_t line, address;
	uint64_t miss[2];
	uint32_t object, number;
	struct seen seen;
	uint16_t n;             /* lanes */
	uint16_t hot;           /* meetings for which nobody gets rights */
	struct more *more;
	struct sharer of[FEW];
};

struct stripe {
	pthread_mutex_t lock;
	struct place *places;
	uint32_t nplaces, npages, nrecords;
	uint32_t slab;          /* pages left of it */
	uint64_t *state;        /* the next one's */
	uint64_t posted;        /* invalidations */
	struct record **chunk;
};

struct share {
	const struct sim_env *env;
	uint32_t shift, unit, turn_shift;
	uint32_t page_shift;    /* log2 of a page's lines; their bits fit in 64 */
	_Atomic uint64_t lost;
	uint32_t nlanes;        /* as lanes, changed under all locks */
	struct share_lane *lanes[SHARE_LANES];
	struct stripe stripe[SHARE_STRIPES];
};

/* Who finds another lane there does the other stripes first. */
static inline bool stripe_lock(struct stripe *t, bool wait)
{
	return wait ? !pthread_mutex_lock(&t->lock) : !pthread_mutex_trylock(&t->lock);
}

static inline void lose(struct share *s, uint64_t n)
{
	atomic_fetch_add_explicit(&s->lost, n, memory_order_relaxed);
}

/* Pages that meet in a place of a lane's rights are of one stripe. */
static inline uint32_t stripe_of(const struct share *s, uint64_t line)
{
	return (uint32_t)(line >> s->page_shift) % SHARE_STRIPES;
}

static inline struct record *record_of(uint64_t state)
{
	return state && !(state & KIND) ? (struct record *)(uintptr_t)state : NULL;
}

static inline struct sharer *sharer_at(struct record *r, uint32_t i)
{
	struct more *m = r->more;

	if (i < FEW)
		return &r->of[i];
	for (i -= FEW; i >= MORE; i -= MORE)
		m = m->next;
	return &m->of[i];
}

static inline struct sharer *sharer_find(struct record *r, uint32_t lane)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (sharer_at(r, i)->lane == lane)
			return sharer_at(r, i);
	return NULL;
}

static inline struct record *record_at(const struct stripe *t, uint32_t number)
{
	return &t->chunk[number / CHUNK][number % CHUNK];
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* For these the line's stripe is locked.
 *
 * The place of a line's page, which may be empty. */
struct place *directory_place(const struct share *s, const struct stripe *t, uint64_t line);
/* A line's state; NULL for want of room. */
uint64_t *directory_state(const struct share *s, struct stripe *t, uint64_t line);
/* The lane among the record's; NULL for want of memory. */
struct sharer *directory_sharer(struct share *s, struct record *r, uint32_t lane);
/* The record of a line that another lane touches than the one that wrote it, or the other way
 * round; NULL for want of room. */
struct record *directory_record(struct share_lane *l, struct stripe *t, uint64_t *state,
	const struct share_entry *e);
/* True when the line needs no record; *state is that of none. */
bool directory_alone(const struct share_lane *l, uint64_t *state, const struct share_entry *e);
/* What an entry does (meet.c); state: of its line. */
void directory_apply(struct share_lane *l, struct stripe *t, uint64_t *state,
	const struct share_entry *e);
#endif
