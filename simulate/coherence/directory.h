/* SPDX-License-Identifier: BSD-3-Clause */
/* The coherence directory (share.h): an entry for each page, with a bit for each of its lines.
 *
 * A page lists its *users*: the cores that touched it and the lines that each holds.  A line is
 * *shared* once more than one core touched it and some core wrote it; then each user also has the
 * 64ths that others wrote since its last access.  A line is *contended* while cores use it side by
 * side.  It has a record of its own if it is contended, with each core's turns, or once it cost a
 * coherence miss.  Pages are distributed over stripes; a stripe's lock covers all of its pages.
 *
 *   directory.c    finds and makes pages, users and records
 *   apply.c        applies a core's accesses to a page: misses, invalidations, permissions
 *   permission.c   grants and revokes permissions
 *   contended.c    counts the misses of contended lines by turns
 *   gather.c       gathers accesses, applies invalidations
 *
 * Private to these files. */
#ifndef PSC_SIMULATE_DIRECTORY_H
#define PSC_SIMULATE_DIRECTORY_H

#include <string.h>
#include "simulate/coherence/share.h"

enum {
	/* Of a stripe: pages, and pages with shared lines.  With pages of 4 KiB, 4 GiB and 256 MiB
	 * in all.  Memory is taken as needed. */
	PAGES = 1 << 16, SHARED = 1 << 12,
	RECORDS = 1 << 18, CHUNK = 256, /* records of a stripe; records allocated at once */
	FEW = 2, MORE = 6,      /* cores inside a page or record; in each extension of a record */
	CONTENDED = 16          /* applications to a contended line before permissions return */
};

/* 64ths of a line that the core ever read, that it ever wrote, and that other cores wrote since its
 * last access. */
struct user_masks { uint64_t read, written, unseen; };

/* One core's use of a page's lines. */
struct share_user {
	uint64_t touched, holds;        /* lines ever touched; lines in its caches */
	uint64_t lost;          /* lines that an invalidation removed from its caches */
	/* Lines, shared or used for long, of which it ever read, ever wrote, and others wrote since
	 * all 64ths.  Masks of other lines are in `mask`; mask[].unseen is valid for lines in
	 * `part`. */
	uint64_t read, written, unseen, part;
	struct user_masks *mask;        /* of 64 lines, once the page has shared lines */
	uint64_t invalidation[MACHINE_LEVELS];  /* [i]: lines to remove from levels 0 to i */
	struct share_user *next;        /* next in its core's queue of invalidations */
	struct page *page;
	struct share_user *peer;        /* the page's next user */
	uint32_t core, index;           /* index: among the page's users */
	uint32_t stretch, first, last;  /* turns of the stretch with reports on the page, no gap */
	bool chained;                   /* it is in its core's queue */
};

/* Lines that are counted as shared already, by context. */
struct seen {
	struct seen *next;
	struct { uint64_t lines; uint32_t context; } of[7];     /* no lines: free, and all after */
};

struct page {
	uint64_t number;
	uint64_t touched, wrote;        /* lines that any core touched, wrote */
	uint64_t many;                  /* lines that more than one core touched */
	uint64_t contended;             /* lines */
	struct record **record;         /* of 64 lines; NULL: no line has one */
	struct seen *seen;
	struct share_user *users, **last;
	uint32_t n;                     /* users */
	bool masks;                     /* each user has masks */
	struct share_user of[FEW];
};

/* A core's turns in a contended line: the latest run, in one stretch and without a gap of more than
 * SHARE_GAP, from t0 to t1, counted from the stretch's begin. */
struct turns {
	uint32_t stretch, t0, t1;
	uint32_t last, last_wrote;      /* last turn counted, that wrote; + 1 */
	/* Turns of the run; those that may still miss, that missed, that wrote. */
	uint32_t turns, left, used, wrote;
	uint32_t cell;
};

struct more_turns {
	struct more_turns *next;
	struct turns of[MORE];
};

struct record {
	struct page *page;
	uint64_t address;
	uint64_t miss[2];
	uint32_t line, object;  /* line: number in the page */
	uint32_t contended;     /* applications for which no core gets permission */
	struct more_turns *more;
	struct turns of[FEW];   /* by index of the page's users; the others in `more` */
};

/* An entry of a stripe's hash of pages. */
struct place {
	uint64_t page;          /* + 1; 0: free */
	struct page *at;
};

struct stripe {
	_Alignas(64) pthread_mutex_t lock;
	struct place *places;
	uint32_t nplaces, npages, nshared, nrecords;
	uint64_t posted;        /* invalidated lines so far */
	struct record **chunk;
	char *slab;             /* unused part of the present slab, `left` bytes */
	size_t left;
};

struct share {
	const struct sim_env *env;
	uint32_t shift, unit, turn_shift;
	_Atomic uint64_t lost;
	uint32_t ncores;        /* changed, as `cores` is, under all stripes' locks */
	struct share_core *cores[SHARE_CORES];
	struct stripe stripe[SHARE_STRIPES];
};

/* Applies one core's accesses of a batch to a page. */
struct act {
	struct share_core *l;
	struct stripe *t;
	struct page *p;
	struct share_user *me;
	const struct share_lines *e;
	uint64_t lines, written, whole; /* lines that it touches, writes, writes completely */
	uint64_t shared;        /* the page's shared lines */
};

/* !wait: returns false if the stripe is locked; the core applies other stripes first. */
static inline bool stripe_lock(struct stripe *t, bool wait)
{
	return wait ? !pthread_mutex_lock(&t->lock) : !pthread_mutex_trylock(&t->lock);
}

/* Pages with the same slot in share_core.permissions belong to one stripe, so its lock covers the
 * replacement of one by another. */
static inline uint32_t stripe_of(uint64_t page)
{
	return (uint32_t)page % SHARE_STRIPES;
}

static inline void lose(struct share *s, uint64_t lines)
{
	atomic_fetch_add_explicit(&s->lost, (uint64_t)__builtin_popcountll(lines), memory_order_relaxed);
}

static inline struct record *record_at(const struct stripe *t, uint32_t number)
{
	return &t->chunk[number / CHUNK][number % CHUNK];
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Removes the lowest line from a mask and returns its number. */
static inline uint32_t line_take(uint64_t *lines)
{
	uint32_t k = (uint32_t)__builtin_ctzll(*lines);

	*lines &= *lines - 1;
	return k;
}

/* The 64ths of line k that the user read. */
static inline uint64_t user_read(const struct share_user *o, uint32_t k)
{
	return o->read >> k & 1 ? UINT64_MAX : o->mask ? o->mask[k].read : 0;
}

static inline uint64_t user_written(const struct share_user *o, uint32_t k)
{
	return o->written >> k & 1 ? UINT64_MAX : o->mask ? o->mask[k].written : 0;
}

static inline uint64_t user_unseen(const struct share_user *o, uint32_t k)
{
	return o->unseen >> k & 1 ? UINT64_MAX : o->part >> k & 1 ? o->mask[k].unseen : 0;
}

static inline bool same_cache(const struct share *s, uint32_t a, uint32_t b)
{
	return s->cores[a]->core->level[0] == s->cores[b]->core->level[0];
}

/* The caller holds the stripe's lock in all of these; NULL: no memory.
 *
 * directory_page() makes the page if there is none, directory_look() returns NULL then. */
struct page *directory_page(const struct share *s, struct stripe *t, uint64_t page);
struct page *directory_look(const struct stripe *t, uint64_t page);
/* The core's entry among the page's users; made if there is none. */
struct share_user *directory_user(const struct share *s, struct stripe *t, struct page *p, uint32_t core);
/* Gives each user masks; false: no memory. */
bool directory_masks(const struct share *s, struct stripe *t, struct page *p);
/* The record of line k; made if there is none.  delta: program address - normalised address. */
struct record *directory_record(const struct share *s, struct stripe *t, struct page *p, uint32_t k,
	uint64_t delta);
/* The turns of the page's i-th user; made if there are none, _look: NULL then. */
struct turns *directory_turns(const struct share *s, struct stripe *t, struct record *r, uint32_t i);
struct turns *directory_turns_look(struct record *r, uint32_t i);
/* Returns those lines that the context has not counted as shared yet, and marks them counted. */
uint64_t directory_unseen(struct share *s, struct stripe *t, struct page *p, uint32_t context,
	uint64_t lines);

/* Applies gathered lines (apply.c).  p: their page; NULL: no memory, the lines count as lost. */
void directory_apply(struct share_core *l, struct stripe *t, struct page *p, const struct share_lines *e);

/* The record of line k, assigned to the accessing object.  NULL: no memory, the line counts as
 * lost. */
struct record *record_touched(const struct act *a, uint32_t k);
/* Counts n coherence misses of core o.  beyond: the caches did not simulate them
 * (share_settle()). */
void contended_miss(struct share *s, struct record *r, const struct share_user *o, uint32_t cell, uint32_t n,
	bool is_true, bool beyond);
/* Adds the core's turns in contended line k and counts the misses that they cause, its own and
 * other cores'.  true: there were any. */
bool contended_meet(const struct act *a, uint32_t k);

/* permission.c: returns the lines of e that the core may use by permission already, and notes their
 * use. */
uint64_t permission_had(struct share_core *l, const struct share_lines *e);
/* Revokes the permissions of other cores that the access takes away.  fresh: lines that have become
 * shared.  Returns the lines that other cores may have used side by side without a report. */
uint64_t permission_revoke(const struct act *a, uint64_t fresh);
/* Grants the core permission to these lines. */
void permission_grant(const struct act *a, uint64_t lines);
#endif
