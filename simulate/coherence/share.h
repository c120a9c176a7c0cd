/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates coherence by invalidation between the private caches of threads, and classifies its
 * misses: true sharing (the thread touches bytes that another thread wrote) or false sharing (only
 * other bytes of the line were written).
 *
 * A thread's accesses of a batch are gathered page by page and applied to a coherence directory
 * when the batch ends.  A write invalidates the line in the private caches of the other threads;
 * they apply their queued invalidations when their next batch begins, and their next access misses.
 *
 * A batch is long, so lines that threads use at the same time are counted by *turns* of SHARE_TURN
 * accesses.  A *stretch* is what a team does in a parallel region between two barriers, or one
 * execution of the phase by threads outside any region.  Threads are assumed to run side by side
 * from the begin of a stretch and at equal speed, however the host schedules them.  While threads
 * use a line side by side, a turn's first access to it misses if another thread wrote it in a turn
 * since.  The accesses of one record belong to one turn, as do those of one loop iteration, and of
 * a whole loop with no more accesses than a turn.
 *
 * The host may simulate one thread's batches long before another's.  So the turns of a line that
 * threads use side by side are kept, in blocks of SHARE_BLOCK turns, until all its threads have
 * reported them, and are merged in the order of turns.  Counts therefore depend neither on the
 * order of batches nor on their length, nor on whether a loop is one record.
 *
 * With one thread no directory exists. */
#ifndef PSC_SIMULATE_SHARE_H
#define PSC_SIMULATE_SHARE_H

#include "simulate/cache/sim.h"

#define SHARE_INLINE static inline __attribute__((always_inline))

enum {
	SHARE_TURN = 64,        /* accesses in about the time that a line moves between caches */
	SHARE_GATHERED = 4096,  /* entries gathered in a batch; applied early when full */
	SHARE_INDEX = 2 * SHARE_GATHERED,
	SHARE_STRIPES = 16,     /* parts of the directory, each with a lock */
	SHARE_PAGES = 65536,    /* pages that a core may hold permissions to: 256 MiB */
	/* Contexts of a page whose reported lines are kept beside the present context's. */
	SHARE_TOLD_SETS = 4, SHARE_TOLD_WAYS = 4,
	SHARE_BLOCK = 64,       /* turns whose use of a line is gathered in one mask */
	SHARE_GAP = 16,         /* turns up to which one use of a page or line is beside another */
	SHARE_LASTS = 16,       /* a line used for so many turns of a block may be contended */
	SHARE_CORES = 1024,
	SHARE_LOCKS = 4096,     /* known at one time, a power of two */
	SHARE_THREADS = 4       /* threads of a line in a struct share_report */
};

/* A core's permissions to the lines of a page (at most 64, a bit each): MESI seen from one core.
 * read: lines that it holds and no other core wrote since (shared, exclusive or modified).  write:
 * lines that no other core holds (exclusive or modified).  Other cores revoke them; the core itself
 * only tests them. */
struct share_permission {
	_Alignas(64) _Atomic uint64_t read;
	_Atomic uint64_t write;
	_Atomic uint64_t whole; /* lines of which it wrote every byte since other cores held them */
	uint64_t page;          /* + 1; 0: none */
	/* Each context must report its lines once, and again when they become shared.  told:
	 * lines reported in the present context; told_before: in the previous one, since loops
	 * alternate. */
	uint64_t told, told_before;
	uint32_t context, context_before;
	_Atomic uint32_t last;  /* last turn in which it used the page, + 1 */
	uint32_t gathered;      /* index of the context's share_lines, + 1; may be stale */
};

/* The rarely used part of a page's permissions. */
struct share_page {
	/* Lines reported in each context, as far as there is room. */
	_Alignas(64) struct share_told {
		uint64_t lines;
		uint32_t context;
	} all[SHARE_TOLD_SETS][SHARE_TOLD_WAYS];
	uint32_t next;          /* entry of `all` to replace next */
	_Atomic uint32_t first; /* first turn in which it used the page in its last stretch, + 1 */
	uint64_t shared;        /* lines known to be shared */
	_Atomic uint64_t managed;       /* copy of share_user.managed */
	_Atomic uint64_t part;  /* lines written in part by permission, with valid `wrote` */
	_Atomic uint64_t wrote[64];     /* 64ths of each line written by permission */
};

/* What one core did to the lines of a page in a batch, in one context and one block of turns. */
struct share_lines {
	uint64_t page;
	uint32_t context;
	uint32_t at;            /* position in the index */
	uint32_t base;          /* first turn of the block, + 1 */
	uint32_t first, last;   /* turns, + 1 */
	uint64_t read, written; /* a bit for each line */
	uint64_t lasting;       /* lines used for SHARE_LASTS turns or more */
	uint64_t managed;       /* lines for which `near` and `held` are computed */
	/* A touched line. */
	struct share_line {
		_Alignas(64) uint64_t read;     /* 64ths read */
		uint64_t touched, wrote;        /* the block's turns that touched it, that wrote
						 * it */
		uint64_t written;       /* 64ths written; not beside `read`: GCC would load
					   both as a pair and wait for the stores */
		/* The turns at whose first touch the nearest level held the line, or any private
		 * one. */
		uint64_t near, held;
		uint64_t delta;         /* program address = normalised address + delta */
		uint16_t cell, site;    /* of the batch's first touch: index of the cell;
					 * sim_site_number() */
		uint32_t loads;         /* accesses that read, in all of these turns */
	} line[64];
};

struct share_user;
struct share_core {
	struct share *share;
	struct sim_core *core;
	uint32_t index;                 /* of the thread */
	uint32_t shift, unit;           /* log2 of the line, and of a 64th of it (at least a
					 * byte) */
	uint32_t turn_shift;
	_Atomic uint32_t alone;         /* nearest levels that no other core shares */
	_Atomic uint32_t stretch, origin;       /* present stretch; its first turn, + 1 */
	_Atomic uint32_t reported;      /* blocks of the stretch that are applied completely */
		/* Written all the time, so on a host line of its own: other cores read and write
		 * the fields around it whenever they apply a page that this core uses. */
	_Alignas(64) uint64_t clock;    /* accesses so far */
	uint32_t turn;                  /* present turn, + 1 */
	uint32_t nlines;
	/* Invalidations to apply: a list for each stripe, under the stripe's lock. */
	_Alignas(64) struct share_user *_Atomic queue[SHARE_STRIPES];
	uint16_t at[SHARE_INDEX];       /* hash of page and context: index in `lines`, + 1 */
	uint16_t order[SHARE_GATHERED]; /* indices in `lines`, sorted by stripe */
	struct share_permission permissions[SHARE_PAGES];
	struct share_page page[SHARE_PAGES];    /* of the same pages */
	_Alignas(64) struct share_lines lines[SHARE_GATHERED];
};

/* A line with coherence misses: their number, and the 64ths that each thread read and wrote. */
struct share_report {
	uint64_t address;               /* of the line, in the program's addresses */
	uint32_t line;                  /* bytes */
	uint32_t object;
	uint64_t miss[2];               /* [1]: true sharing */
	uint64_t locks;                 /* 64ths in which locks lie, as far as calls of libraries
					 * name them */
	uint32_t nlocks;                /* locks with bytes in the line */
	uint32_t nupdated;              /* of them, those that several threads write */
	uint32_t nthreads;              /* all threads; `who` holds the first SHARE_THREADS */
	struct share_who { uint32_t thread, pad; uint64_t read, written; } who[SHARE_THREADS];
};

/* Which of the at most 64 lines of a page the cores have used since the
 * directory was made, a bit each. */
struct share_use {
	uint64_t first;                 /* normalised address of the page's first line */
	uint32_t line;                  /* bytes of a line */
	uint64_t touched, many;         /* by any core, by more than one */
	uint64_t wrote, writers;        /* written by any core; of `many`, those that more than one
					 * wrote */
};

struct share;
/* Makes a directory for the cores of a machine.  turn: accesses, a power of two; 0 = SHARE_TURN.
 * NULL: no memory.  The memory belongs to env. */
struct share *share_new(const struct sim_env *env, const struct machine_flat *m, uint32_t turn);
/* Attaches a core, which has no batch running; its next batch uses the directory.  0, or -1: no
 * memory or too many cores. */
int share_attach(struct share *s, struct sim_core *core, uint32_t index);
/* Called before and after a batch is simulated, without any cache's lock.  stretch: its number. */
void share_begin(struct share_core *l, uint32_t stretch);
void share_end(struct share_core *l);
/* Touches of lines that were lost for want of room; 0 if fewer than a hundredth of the
 * invalidations. */
uint64_t share_lost(const struct share *s);
/* Notes that the program has a lock of `bytes` bytes at the address (of the program). */
void share_lock(struct share_core *l, uint64_t address, uint32_t bytes);
/* Writes the lines with the most coherence misses to out, object by object: at most `each` lines of
 * an object and `max` in all.  Returns their number. */
uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each);
/* Counts the misses of all turns reported so far, whether or not other cores may still report
 * earlier ones.  Called when all batches are simulated, before the two functions below. */
void share_finish(struct share *s);
/* Calls take() for each page of which any line was used. */
void share_uses(struct share *s, void (*take)(void *to, const struct share_use *use), void *to);
/* Adds the misses that only counting by turns found to the cells' private levels. */
void share_settle(struct sim_core *core);

/* Records one access, within one line, for the coherence directory. */
void share_tell(struct share_core *l, uint64_t address, uint64_t first, uint64_t last,
	uint32_t store, struct sim_cell *cell);
/* Records accesses to n lines at the present clock, from the line of the normalised address `first`
 * on.  mask: 64ths of each line that are read and written, as from share_mask().  times: accesses
 * to each of them, about. */
void share_mark_lines(struct share_core *l, uint64_t address, uint64_t first, uint32_t n,
	const uint64_t mask[][2], struct sim_cell *cell, uint32_t times);

/* true: no invalidation removes some of these n lines, from that of `first` on, from the core's
 * caches; turns do.  An access to such a line must be reported right before its simulation: the
 * report notes whether the caches hold the line. */
bool share_managed(struct share_core *l, uint64_t first, uint32_t n, const struct sim_cell *cell);

/* The mask of the 64ths that hold the bytes first … last of one line.  shift, unit:
 * as in struct share_core. */
static inline uint64_t share_mask_of(uint32_t shift, uint32_t unit, uint64_t first, uint64_t last)
{
	uint64_t in_line = (UINT64_C(1) << shift) - 1;
	uint32_t a = (uint32_t)((first & in_line) >> unit);
	uint32_t n = (uint32_t)((last & in_line) >> unit) - a;

	return (UINT64_MAX >> (63 - n)) << a;
}

static inline uint64_t share_mask(const struct share_core *l, uint64_t first, uint64_t last)
{
	return share_mask_of(l->shift, l->unit, first, last);
}

/* The mask of a whole line, 1 << shift bytes long. */
static inline uint64_t share_mask_all(uint32_t shift)
{
	return shift < 6 ? (UINT64_C(1) << (1u << shift)) - 1 : UINT64_MAX;
}

/* log2 of the lines of a directory page: at most 64, with a bit each, and at most 4 KiB. */
static inline uint32_t share_page_shift(uint32_t shift)
{
	return shift < 6 ? 6 : shift < 12 ? 12 - shift : 0;
}

static inline uint32_t share_in_page(uint32_t shift, uint64_t line)
{
	return (uint32_t)line & ((1u << share_page_shift(shift)) - 1);
}

/* Changes the context whose reported lines the page's permissions hold in `told`. */
void share_context(struct share_core *l, struct share_permission *g, uint32_t context);

/* The core's permissions to a page, for a context; NULL: none. */
SHARE_INLINE struct share_permission *share_permission_in(struct share_core *l, uint64_t page,
	uint32_t context)
{
	struct share_permission *g = &l->permissions[page % SHARE_PAGES];

	if (__builtin_expect(g->page != page + 1, 0))
		return NULL;
	if (__builtin_expect(g->context != context, 0))
		share_context(l, g, context);
	return g;
}

/* The same, for the page of a line.  shift: l->shift, here and below. */
SHARE_INLINE struct share_permission *share_permission(struct share_core *l, uint32_t shift,
	uint64_t line, const struct sim_cell *cell)
{
	return share_permission_in(l, line >> share_page_shift(shift), sim_cell_context(cell));
}

/* Notes that the page is used in turns from … to.  Calls come in the order of time. */
SHARE_INLINE void share_used(struct share_core *l, struct share_permission *g, uint32_t from,
	uint32_t to)
{
	uint32_t last = atomic_load_explicit(&g->last, memory_order_relaxed);

	if (to <= last)
		return;
	if (__builtin_expect(last < atomic_load_explicit(&l->origin, memory_order_relaxed), 0))
		atomic_store_explicit(&l->page[g - l->permissions].first, from,
			memory_order_relaxed);
	atomic_store_explicit(&g->last, to, memory_order_relaxed);
}

/* Tests permission to access `span` bytes from `first` on; writes: some of them are written.
 * *closed: the lines that must be reported, bit 0 for the first line.  Returns the page's
 * permissions; NULL: none, all lines are closed. */
SHARE_INLINE struct share_permission *share_closed(struct share_core *l, uint32_t shift,
	uint64_t first, uint64_t span, bool writes, const struct sim_cell *cell, uint64_t *closed)
{
	uint64_t line = first >> shift, more = ((first + span - 1) >> shift) - line, open;
	struct share_permission *g = share_permission(l, shift, line, cell);
	uint32_t k = share_in_page(shift, line);

	*closed = UINT64_MAX;
	if (!g || (k + more) >> share_page_shift(shift))
		return NULL;
	open = writes ? g->whole & atomic_load_explicit(&g->write, memory_order_relaxed) :
		atomic_load_explicit(&g->read, memory_order_relaxed);
	*closed = ((UINT64_C(2) << more) - 1) & ~((open & g->told) >> k);
	return g;
}

/* true: nothing must be reported, and the page's use is noted.  The common case: tested before
 * masks of single bytes are computed. */
SHARE_INLINE bool share_free(struct share_core *l, uint32_t shift, uint64_t first, uint64_t span,
	bool writes, const struct sim_cell *cell, uint32_t to)
{
	uint64_t closed;
	struct share_permission *g = share_closed(l, shift, first, span, writes, cell, &closed);

	if (closed)
		return false;
	share_used(l, g, l->turn, to);
	return true;
}

/* Notes the 64ths of line k that the core writes by permission. */
static inline void share_wrote(struct share_core *l, struct share_permission *g, uint32_t k,
	uint64_t written)
{
	struct share_page *p = &l->page[g - l->permissions];
	uint64_t bit = UINT64_C(1) << k, was = 0;

	if (g->whole & bit)
		return;
	if (atomic_load_explicit(&p->part, memory_order_relaxed) & bit)
		was = atomic_load_explicit(&p->wrote[k], memory_order_relaxed);
	if (!(written & ~was))
		return;
	atomic_store_explicit(&p->wrote[k], was | written, memory_order_relaxed);
	atomic_fetch_or_explicit(&p->part, bit, memory_order_release);
	if ((was | written) == share_mask_all(l->shift))
		atomic_fetch_or_explicit(&g->whole, bit, memory_order_relaxed);
}

/* true: the core may access the line by permission; its use in turns from … to and the 64ths
 * written (0: a read) are noted. */
static inline bool share_allowed_one(struct share_core *l, uint64_t line, uint64_t written,
	const struct sim_cell *cell, uint32_t from, uint32_t to)
{
	struct share_permission *g = share_permission(l, l->shift, line, cell);
	uint32_t k = share_in_page(l->shift, line);

	if (!g || !((written ? g->write : g->read) & g->told & UINT64_C(1) << k))
		return false;
	share_used(l, g, from, to);
	if (written)
		share_wrote(l, g, k, written);
	return true;
}

/* The turn n accesses later, + 1. */
static inline uint32_t share_turn(const struct share_core *l, uint64_t n)
{
	return (uint32_t)((l->clock + n) >> l->turn_shift) + 1;
}

/* The length of a turn, in accesses. */
static inline uint64_t share_turn_length(const struct share_core *l)
{
	return UINT64_C(1) << l->turn_shift;
}

/* The first turn of the present block, + 1. */
static inline uint32_t share_block(const struct share_core *l)
{
	uint32_t origin = atomic_load_explicit(&l->origin, memory_order_relaxed);

	return origin + (l->turn - origin) / SHARE_BLOCK * SHARE_BLOCK;
}

static inline void share_pass(struct share_core *l, uint64_t n)
{
	l->clock += n;
	l->turn = share_turn(l, 0);
}

/* Records an access, within one line, unless permission covers it.  true: permission does, also for
 * further accesses of this kind to the line in this turn. */
static inline bool share_access(struct share_core *l, uint64_t address, uint64_t first,
	uint64_t last, uint32_t store, struct sim_cell *cell)
{
	if (share_free(l, l->shift, first, 1, store, cell, l->turn))
		return true;
	share_tell(l, address, first, last, store, cell);
	return false;
}

/* Records an access of a range and advances the clock by one. */
static inline void share_touch(struct share_core *l, uint64_t address, uint64_t first,
	uint64_t last, uint32_t store, struct sim_cell *cell)
{
	share_access(l, address, first, last, store, cell);
	share_pass(l, 1);
}

/* Of n >= 1 iterations of `per` accesses, the number that begin in the present block of turns; at
 * least one. */
static inline uint64_t share_in_block(const struct share_core *l, uint64_t n, uint32_t per)
{
	uint64_t rest = ((uint64_t)(share_block(l) + SHARE_BLOCK - 1) << l->turn_shift) - l->clock;

	return (n - 1) * per < rest ? n : (rest - 1) / per + 1;
}

/* Records the accesses of n >= 1 iterations of a loop to one line, from the present iteration on.
 * per: accesses of an iteration; the masks cover all n.  All must begin in the present block, since
 * a block's misses are classified by the masks that it reports.  The caller advances the clock. */
void share_stream(struct share_core *l, uint64_t address, uint64_t first, uint64_t read,
	uint64_t written, struct sim_cell *cell, uint64_t n, uint32_t per);

#endif
