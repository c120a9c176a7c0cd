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
 *   contended.c    keeps and merges the turns of contended lines and counts their misses
 *   lock_addresses.c        keeps the addresses of locks
 *   core_batch.c       gathers accesses, applies invalidations
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
	WINDOWS = 1 << 15,      /* of a stripe: 3 MiB */
	WINDOWS_MERGE = 64,     /* of a core's in a line, after which merging is tried */
	WINDOWS_LINE = 4096,    /* of a core's in a line at most */
	CONTENDED = 16          /* stretches without use side by side before permissions return */
};

/* 64ths of a line that the core ever read, that it ever wrote, and that other cores wrote since its
 * last access. */
struct user_masks { uint64_t read, written, unseen; };

/* One core's use of a page's lines. */
struct share_user {
	uint64_t touched, holds;        /* lines ever touched; lines in its caches */
	/* Contended lines whose coherence misses are found by turns alone: no invalidation removes
	 * them from its caches. */
	uint64_t managed;
	/* Lines that an invalidation removed from its caches; [i]: from levels 0 to i at least. */
	uint64_t lost, lost_from[MACHINE_LEVELS];
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
	uint32_t stretch, first, last;  /* first and last turn of the stretch with reports on the
					 * page */
	bool chained;                   /* it is in its core's queue */
};

/* Lines that are counted as shared already, by context. */
struct turn_seen {
	struct turn_seen *next;
	struct { uint64_t lines; uint32_t context; } of[7];     /* no lines: free, and all after */
};

struct page {
	uint64_t number;
	uint64_t touched, wrote;        /* lines that any core touched, wrote */
	uint64_t many;                  /* lines that more than one core touched */
	uint64_t contended;             /* lines */
	struct line_record **record;    /* of 64 lines; NULL: no line has one */
	struct turn_seen *seen;
	struct share_user *users, **last;
	uint32_t n;                     /* users */
	bool masks;                     /* each user has masks */
	struct share_user of[FEW];
};

/* Turns of one core in a line: `times` blocks from `block` on (of the stretch), all with these
 * masks. */
struct window {
	struct window *next;
	uint32_t block, times;
	uint16_t cell, site;    /* as in struct share_line, of the first batch in the block */
	uint32_t lost;          /* of its misses, those that the caches simulated */
	uint64_t touched, wrote, near, held;    /* as in struct share_line */
	uint64_t loads;         /* the same, of all `times` blocks */
	uint64_t used, written; /* 64ths of the line that a block uses, writes */
};

/* A core's turns in a line that cores use side by side, in one stretch. */
struct line_history {
	struct line_history *next;      /* of the line's next core */
	struct share_user *user;        /* NULL: none yet */
	/* Turns not merged yet, in their order.  before: the one before the last. */
	struct window *head, *before, *last;
	uint32_t nwindows;
	uint32_t stretch, from, to;     /* blocks of the stretch with reports */
	uint32_t lost;          /* misses that the caches simulated, to be found among the turns */
	bool reported;          /* turns of this stretch */
	bool holds;             /* it has touched the line, as far as turns are merged */
	bool wrote;             /* in this stretch */
	bool invalid;           /* other cores wrote it since */
	uint64_t unseen;        /* 64ths that those wrote */
	uint32_t touched;       /* last turn merged that touched it in this stretch, + 1 */
	struct window now;      /* the block that is being merged */
};

struct more_histories {
	struct more_histories *next;
	struct line_history of[MORE];
};

struct line_record {
	struct page *page;
	uint64_t address;
	uint64_t miss[2];
	uint32_t line, object;  /* line: number in the page */
	/* Stretches with applications, but no use side by side, after which cores get permission
	 * again; the last stretch with an application; that of the windows. */
	uint32_t contended, applied, stretch;
	struct line_history *histories; /* those with a user */
	struct more_histories *more;
	struct line_history of[FEW]; /* by index of the page's users; the others in `more` */
};

/* An entry of a stripe's hash of pages. */
struct page_place {
	uint64_t page;          /* + 1; 0: free */
	struct page *at;
};

struct stripe {
	_Alignas(64) pthread_mutex_t lock;
	struct page_place *places;
	uint32_t nplaces, npages, nshared, nrecords;
	uint64_t posted;        /* invalidated lines so far */
	struct window *spare;
	uint32_t nwindows;      /* allocated, spare ones included */
	struct line_record **chunk;
	char *slab;             /* unused part of the present slab, `left` bytes */
	size_t left;
};

struct share {
	const struct sim_env *env;
	uint32_t shift, unit, turn_shift;
	_Atomic uint64_t lost;
	uint32_t ncores;        /* changed, as `cores` is, under all stripes' locks */
	struct share_core *cores[SHARE_CORES];
	_Atomic uint64_t lock[SHARE_LOCKS];     /* open hash by line (lock_addresses.c); 0: free */
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
	atomic_fetch_add_explicit(&s->lost, (uint64_t)__builtin_popcountll(lines),
		memory_order_relaxed);
}

static inline struct line_record *record_at(const struct stripe *t, uint32_t number)
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
struct share_user *directory_user(const struct share *s, struct stripe *t, struct page *p,
	uint32_t core);
/* Gives each user masks; false: no memory. */
bool directory_masks(const struct share *s, struct stripe *t, struct page *p);
/* The record of line k; made if there is none.  delta: program address - normalised address. */
struct line_record *directory_record(const struct share *s, struct stripe *t, struct page *p,
	uint32_t k,
	uint64_t delta);
/* The history of one of the page's users in the line; made if there is none. */
struct line_history *directory_history(const struct share *s, struct stripe *t,
	struct line_record *r,
	struct share_user *user);
/* A zeroed window; NULL: no memory, or the stripe has WINDOWS of them. */
struct window *directory_window(const struct share *s, struct stripe *t);
/* Returns those lines that the context has not counted as shared yet, and marks them counted. */
uint64_t directory_unseen(struct share *s, struct stripe *t, struct page *p, uint32_t context,
	uint64_t lines);

/* Applies gathered lines (apply.c).  p: their page; NULL: no memory, the lines count as lost. */
void directory_apply(struct share_core *l, struct stripe *t, struct page *p,
	const struct share_lines *e);

/* The record of line k, assigned to the accessing object.  NULL: no memory, the line counts as
 * lost. */
struct line_record *record_touched(const struct act *a, uint32_t k);
/* Counts a coherence miss of core o that the caches simulated, in levels 0 to far. */
void contended_seen(struct share *s, struct line_record *r, const struct share_user *o,
	uint32_t cell,
	bool is_true, uint32_t far);
/* Adds the core's turns in line k to its history.  true: another core uses the line side by side
 * with it, and one of them writes. */
bool contended_meet(const struct act *a, uint32_t k);
/* Merges the turns of all cores in the line and counts the misses. */
void contended_finish(struct share *s, struct stripe *t, struct line_record *r);
/* The user, who holds the line, is managed from now on. */
void contended_enter(const struct share *s, struct stripe *t, struct line_record *r,
	struct share_user *o);
/* The user is no longer managed.  true: its copy of the line is invalid. */
bool contended_leave(struct line_record *r, const struct share_user *o);
/* The lines of which turns of the core in this stretch are known. */
uint64_t contended_known(const struct act *a);

/* The locks of the line at the program's address. */
struct line_locks {
	uint64_t mask;          /* the 64ths in which they lie */
	uint32_t n, updated;    /* how many have bytes there; of them, those with bytes of
				 * `updated` */
};
struct line_locks locks_in(const struct share *s, uint64_t address, uint64_t updated);

/* permission.c: returns the lines of e that the core may use by permission already, and notes their
 * use. */
uint64_t permission_had(struct share_core *l, const struct share_lines *e);
/* Revokes the permissions of other cores that the access takes away.  fresh: lines that have become
 * shared.  Returns the lines that other cores may have used side by side without a report. */
uint64_t permission_revoke(const struct act *a, uint64_t fresh);
/* Copies the user's managed lines to its core, which then notes whether its caches hold them.
 * false: the core has no room for the page. */
bool permission_managed(const struct share *s, const struct share_user *o);
/* Grants the core permission to these lines. */
void permission_grant(const struct act *a, uint64_t lines);
#endif
