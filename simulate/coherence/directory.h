/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of lines (share.h), page by page, with a bit for each of a page's lines.  Of a page it
 * knows who *uses* it: which lines each core holds, and, once a line was written and more than one touched
 * it (it is *shared*), what others wrote since the core was there.  A line has a record of its own only when
 * it cost a miss, or while cores use it side by side (it is *contended*): then with the turns of each.  The
 * directory is in stripes, by page, each with its lock, which is held by whoever asks about a page of it.
 *
 * directory.c finds pages and records; apply.c says what a core's touch of some lines does to them, to the
 * other cores and to their permissions (permission.c); contended.c counts turns; gather.c gathers touches and reads
 * invalidations.  Private to them. */
#ifndef PSC_SIMULATE_DIRECTORY_H
#define PSC_SIMULATE_DIRECTORY_H

#include <string.h>
#include "simulate/coherence/share.h"

enum {
	/* Of a stripe: pages, and those that are shared; 4 GiB and 256 MiB in all with pages of 4 KiB.
	 * Only what is used takes memory. */
	PAGES = 1 << 16, SHARED = 1 << 12,
	RECORDS = 1 << 18, CHUNK = 256, /* of a stripe; that get their memory at once */
	FEW = 2, MORE = 6,      /* cores of a page, or of a record, at first; of a record's extensions */
	CONTENDED = 16                /* meetings until cores that met side by side get permissions again */
};

/* 64ths of a line that the core ever read, that it wrote, that others wrote since it was there. */
struct user_masks { uint64_t read, written, unseen; };

/* One core's use of the lines of a page. */
struct share_user {
	uint64_t touched, holds;
	uint64_t lost;          /* were in its caches and went because others wrote */
	/* Of shared lines, and those it used for long: all of which it ever read, wrote, and others wrote since. Parts are
	 * in `mask`; unseen parts count where `part` says so. */
	uint64_t read, written, unseen, part;
	struct user_masks *mask;                /* of 64 lines, once there are shared ones */
	uint64_t invalidation[MACHINE_LEVELS];        /* lines that are to go from the nearest one, two, … levels */
	struct share_user *next;                /* invalidation to its core */
	struct page *page;
	struct share_user *peer;                /* the page's next user */
	uint32_t core, index;                   /* index: among the page's users */
	uint32_t stretch, first, last;  /* turns of the stretch in which it told of the page, without a gap */
	bool chained;                   /* the invalidation was not read yet */
};

/* Lines that a context's cells have counted as shared. */
struct seen {
	struct seen *next;
	struct { uint64_t lines; uint32_t context; } of[7];     /* no lines: free, as all behind it */
};

struct page {
	uint64_t number;
	uint64_t touched, wrote;        /* lines that anybody touched, wrote */
	uint64_t many;                  /* that more than one core touched */
	uint64_t contended;
	struct record **record;         /* of 64 lines; NULL: none has one */
	struct seen *seen;
	struct share_user *users, **last;
	uint32_t n;                     /* users */
	bool masks;                     /* each has them */
	struct share_user of[FEW];
};

/* Turns of one core in a contended line: the latest ones of the stretch without a longer gap, from t0 to t1:
 * `used` turned out to be misses, `left` still may. */
struct turns {
	uint32_t stretch, t0, t1;
	uint32_t last, last_wrote;      /* turns, + 1 */
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
	uint32_t line, object;  /* line: in the page */
	uint32_t contended;           /* meetings for which nobody gets permissions */
	struct more_turns *more;
	struct turns of[FEW];   /* of the page's users */
};

struct place {
	uint64_t page;          /* + 1; 0: none */
	struct page *at;
};

struct stripe {
	_Alignas(64) pthread_mutex_t lock;
	struct place *places;
	uint32_t nplaces, npages, nshared, nrecords;
	uint64_t posted;        /* invalidations */
	struct record **chunk;
	char *slab;             /* what is left of memory that was got */
	size_t left;
};

struct share {
	const struct sim_env *env;
	uint32_t shift, unit, turn_shift;
	_Atomic uint64_t lost;
	uint32_t ncores;        /* as cores, changed under all locks */
	struct share_core *cores[SHARE_CORES];
	struct stripe stripe[SHARE_STRIPES];
};

/* A batch's accesses of one core to lines of a page, to be applied. */
struct act {
	struct share_core *l;
	struct stripe *t;
	struct page *p;
	struct share_user *me;
	const struct share_lines *e;
	uint64_t lines, written, whole; /* that it touches, writes, writes all of */
	uint64_t shared;        /* of all of the page */
};

/* A core that finds the stripe locked does the other stripes first. */
static inline bool stripe_lock(struct stripe *t, bool wait)
{
	return wait ? !pthread_mutex_lock(&t->lock) : !pthread_mutex_trylock(&t->lock);
}

/* Pages that meet in a place of a core's permissions are of one stripe. */
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

/* The lowest of some lines, which is taken from them. */
static inline uint32_t line_take(uint64_t *lines)
{
	uint32_t k = (uint32_t)__builtin_ctzll(*lines);

	*lines &= *lines - 1;
	return k;
}

/* 64ths of a line: all of them, or a mask. */
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

/* For all of these the page's stripe is locked; they return NULL for want of room.
 *
 * A page; `make` it if there is none. */
struct page *directory_page(const struct share *s, struct stripe *t, uint64_t page);
struct page *directory_look(const struct stripe *t, uint64_t page);
/* The core among the page's users. */
struct share_user *directory_user(const struct share *s, struct stripe *t, struct page *p, uint32_t core);
/* Memory for what is known of shared lines; false: there is none. */
bool directory_masks(const struct share *s, struct stripe *t, struct page *p);
/* The record of line k; delta: as struct share_lines has it. */
struct record *directory_record(const struct share *s, struct stripe *t, struct page *p, uint32_t k,
	uint64_t delta);
/* The turns of the i-th of the page's users; look: NULL if it has none. */
struct turns *directory_turns(const struct share *s, struct stripe *t, struct record *r, uint32_t i);
struct turns *directory_turns_look(struct record *r, uint32_t i);
/* Lines of these that the context has not counted yet; it has now. */
uint64_t directory_unseen(struct share *s, struct stripe *t, struct page *p, uint32_t context,
	uint64_t lines);

/* Applies gathered lines (apply.c); p: their page, or NULL. */
void directory_apply(struct share_core *l, struct stripe *t, struct page *p, const struct share_lines *e);

/* The record of line k, which is the object's that touches it; else it is lost. */
struct record *record_touched(const struct act *a, uint32_t k);
/* A miss for another core's sake is counted; o: whose. */
void contended_miss(struct share *s, struct record *r, const struct share_user *o, uint32_t cell, uint32_t n,
	bool is_true, bool beyond);
/* The core's new turns in contended line k, and whom they cost misses; true when any. */
bool contended_meet(const struct act *a, uint32_t k);

/* Permissions (permission.c).  The lines of the act that are the core's by permission already;
 * it used them. */
uint64_t permission_had(struct share_core *l, const struct share_lines *e);
/* The others lose what the act takes from them; fresh: lines that were not shared before.  Which lines
 * others may have used meanwhile, which they did not tell. */
uint64_t permission_revoke(const struct act *a, uint64_t fresh);
/* These lines the core may use on. */
void permission_grant(const struct act *a, uint64_t lines);
#endif
