/* SPDX-License-Identifier: BSD-3-Clause */
/* Coherence between the private caches of threads, by invalidation, and what it is for: true
 * sharing (a thread touches bytes that another one wrote) or false sharing (only other bytes of
 * the line were written).
 *
 * What a thread does to lines within a batch is gathered, page by page, and applied to a directory
 * when the batch ends.  A line that a thread writes
 * goes from the private caches of the others at the beginning of their next batch: their next
 * access misses there.  Within a *stretch* (what a team does in a parallel region between two
 * barriers, or one execution of the phase by threads that are in none) threads are taken to run
 * side by side, whatever
 * this host's scheduler did, from its begin and equally fast, in *turns* of SHARE_TURN accesses:
 * while two use a line without longer gaps, a turn's first access to it misses when the other
 * one wrote it in a turn meanwhile.  The accesses of one record (one iteration of a loop; all of a
 * loop that has no more of them than a turn) are of one turn.  So figures do not hang on the length
 * of a batch, and a loop that is one record counts as what it stands for.
 *
 * One thread: none of this exists. */
#ifndef PSC_SIMULATE_SHARE_H
#define PSC_SIMULATE_SHARE_H

#include "simulate/cache/sim.h"

#define SHARE_INLINE static inline __attribute__((always_inline))

enum {
	SHARE_TURN = 64,        /* accesses that take about as long as a line's way between caches */
	SHARE_GATHERED = 4096,  /* parts of pages in a batch; when there are more, they are applied before
				   its end */
	SHARE_INDEX = 2 * SHARE_GATHERED,
	SHARE_STRIPES = 16,     /* parts of the directory */
	SHARE_PAGES = 65536,    /* that a core has permissions to: 256 MiB */
	/* Contexts of a page that are known beside the present one. */
	SHARE_TOLD_SETS = 4, SHARE_TOLD_WAYS = 4,
	SHARE_GAP = 16,         /* turns without a touch that end what two threads do side by side */
	SHARE_LASTS = 16,       /* turns after which others may come beside a line's user in its batch */
	SHARE_CORES = 1024,
	SHARE_THREADS = 4       /* of a line, in what is told about it */
};

/* Permissions to the lines of a page (64 at most, a bit for each), MESI seen from one core: `read` what it
 * has and nobody wrote since, `write` what nobody else has.  Others take it away; the core only looks. */
struct share_permission {
	_Alignas(64) _Atomic uint64_t read;
	_Atomic uint64_t write;
	_Atomic uint64_t whole; /* all of which it wrote since others had them */
	uint64_t page;          /* + 1; 0: none */
	/* Each context has to be told of its lines once, and again when they become shared.  Those
	 * that are done with in the present one, and in the one before: loops alternate. */
	uint64_t told, told_before;
	uint32_t context, context_before;
	_Atomic uint32_t last;  /* turn in which it used them, + 1 */
	uint32_t gathered;      /* number of the present context's struct share_lines, + 1, or anything */
};

/* The rarely used part of a page's permissions. */
struct share_page {
	/* All contexts, as far as there is room. */
	_Alignas(64) struct share_told {
		uint64_t lines;
		uint32_t context;
	} all[SHARE_TOLD_SETS][SHARE_TOLD_WAYS];
	uint32_t next;          /* of these, to be forgotten */
	_Atomic uint32_t first; /* turn from which on it used them without a gap of SHARE_GAP, + 1 */
	uint64_t shared;        /* lines that are */
	_Atomic uint64_t part;  /* lines of which it wrote a part, as `wrote` has it */
	_Atomic uint64_t wrote[64];     /* 64ths */
};

/* Lines of a page as one core touched them in a batch in one context, without a gap of more than
 * SHARE_GAP turns in which it used none of the page. */
struct share_lines {
	uint64_t page;
	uint32_t context;
	uint32_t at;            /* in the index */
	uint32_t first, last;   /* turns, + 1 */
	uint64_t read, written; /* a bit for each line */
	uint64_t lasting;       /* lines that were used for SHARE_LASTS turns or more without such a gap */
	/* Of the lines above: 64ths that are read, and written; turns in which it was touched, and written;
	 * the first of them, and the last; + 1. */
	struct share_line {
		uint64_t read;
		uint32_t turns, wrote;
		uint32_t first, first_wrote;
		uint32_t last, last_wrote;
		uint32_t since;         /* without a gap of SHARE_GAP, as far as `last` */
		uint32_t cell;          /* number of the core's: of the first touch */
		uint64_t written;       /* apart from `read`: as a pair, GCC takes masks from memory just written */
		uint64_t delta;         /* what its address is more, as the program has it */
	} line[64];
};

struct share_user;
struct share_core {
	struct share *share;
	struct sim_core *core;
	uint32_t index;                 /* of the thread */
	uint32_t shift, unit;           /* log2 of the line, and of a 64th of it (at least a byte) */
	uint32_t turn_shift;
	_Atomic uint32_t stretch, origin;       /* of the running batch; the turn in which it began */
	/* Written all the time.  The lines of this host around it are read and written by other cores at each
	 * meeting. */
	_Alignas(64) uint64_t clock;    /* accesses so far */
	uint32_t turn;                  /* the present one, + 1 */
	uint32_t nlines;
	/* The directory's: chains of invalidations. */
	_Alignas(64) struct share_user *_Atomic queue[SHARE_STRIPES];
	uint16_t at[SHARE_INDEX];       /* hash of the pages of `lines`: their number + 1 */
	uint16_t order[SHARE_GATHERED]; /* of `lines`, by stripe */
	struct share_permission permissions[SHARE_PAGES];
	struct share_page page[SHARE_PAGES];    /* the same ones */
	_Alignas(64) struct share_lines lines[SHARE_GATHERED];
};

/* A line on which threads collide: how often it missed because of other threads, and who did what
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
/* A directory for the cores of a machine; turn: accesses, a power of two, 0 = SHARE_TURN.  NULL
 * for want of memory.  Memory is env's. */
struct share *share_new(const struct sim_env *env, const struct machine_flat *m, uint32_t turn);
/* The core takes part from its next batch on; no batch of it is played.  0 / -1 for want of
 * memory. */
int share_attach(struct share *s, struct sim_core *core, uint32_t index);
/* Around the playing of a batch; no lock of a cache is held.  stretch: a number of it. */
void share_begin(struct share_core *l, uint32_t stretch);
void share_end(struct share_core *l);
/* Lines that were left out for want of room; 0 where they are less than a hundredth. */
uint64_t share_lost(const struct share *s);
/* The worst lines of each object, at most `each` of them and `max` in all; object by object. */
uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each);
/* Adds the misses that the turns make and the caches did not see. */
void share_settle(const struct share *s, struct sim_core *core);

/* Records one access in one line for the directory. */
void share_tell(struct share_core *l, uint64_t address, uint64_t first, uint64_t last,
	uint32_t store, struct sim_cell *cell);
/* The n lines from that of the normalised address on, at the present clock: what is read and written of
 * each, as share_mask() has it.  All are of one cell. */
void share_mark_lines(struct share_core *l, uint64_t address, uint64_t first, uint32_t n,
	const uint64_t mask[][2], struct sim_cell *cell);

/* 64ths that hold the bytes first … last of one line. */
static inline uint64_t share_mask(const struct share_core *l, uint64_t first, uint64_t last)
{
	uint64_t in_line = (UINT64_C(1) << l->shift) - 1;
	uint32_t a = (uint32_t)((first & in_line) >> l->unit);
	uint32_t n = (uint32_t)((last & in_line) >> l->unit) - a;

	return (UINT64_MAX >> (63 - n)) << a;
}

/* The mask of a whole line, 1 << shift bytes long. */
static inline uint64_t share_mask_all(uint32_t shift)
{
	return shift < 6 ? (UINT64_C(1) << (1u << shift)) - 1 : UINT64_MAX;
}

/* log2 of a page's lines, which have a bit each: of 4 KiB at most. */
static inline uint32_t share_page_shift(uint32_t shift)
{
	return shift < 6 ? 6 : shift < 12 ? 12 - shift : 0;
}

static inline uint32_t share_in_page(uint32_t shift, uint64_t line)
{
	return (uint32_t)line & ((1u << share_page_shift(shift)) - 1);
}

/* Makes another context the page's present one. */
void share_context(struct share_core *l, struct share_permission *g, uint32_t context);

/* The core's permissions to a page, in a context; NULL: none. */
SHARE_INLINE struct share_permission *share_permission_in(struct share_core *l, uint64_t page, uint32_t context)
{
	struct share_permission *g = &l->permissions[page % SHARE_PAGES];

	if (__builtin_expect(g->page != page + 1, 0))
		return NULL;
	if (__builtin_expect(g->context != context, 0))
		share_context(l, g, context);
	return g;
}

/* Its permissions to the page of a line; NULL: none.  shift: l->shift, here and below. */
SHARE_INLINE struct share_permission *share_permission(struct share_core *l, uint32_t shift, uint64_t line,
	const struct sim_cell *cell)
{
	return share_permission_in(l, line >> share_page_shift(shift), sim_cell_context(cell));
}

/* The page is used in the turns from … to, which are not before those of an earlier call. */
SHARE_INLINE void share_used(struct share_core *l, struct share_permission *g, uint32_t from, uint32_t to)
{
	uint32_t last = atomic_load_explicit(&g->last, memory_order_relaxed);

	if (to <= last)
		return;
	if (__builtin_expect(from > last + SHARE_GAP, 0))
		atomic_store_explicit(&l->page[g - l->permissions].first, from, memory_order_relaxed);
	atomic_store_explicit(&g->last, to, memory_order_relaxed);
}

/* The bytes from `first` on are accessed, some of them written or none.  Of which of their lines is
 * something to be told beside that the page is used: *closed, bits from the first one on.  Returns the
 * page; NULL: of all of them. */
SHARE_INLINE struct share_permission *share_closed(struct share_core *l, uint32_t shift, uint64_t first,
	uint64_t span, bool writes, const struct sim_cell *cell, uint64_t *closed)
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

/* True when of nothing.  The common case: asked before anything is found out about single bytes. */
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

/* A line of the page is written by permission. */
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

/* Of one line, 64ths of it, in the turns from … to: true when the core may do that by permission. */
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

/* The turn so many accesses later, + 1. */
static inline uint32_t share_turn(const struct share_core *l, uint64_t n)
{
	return (uint32_t)((l->clock + n) >> l->turn_shift) + 1;
}

/* Accesses. */
static inline uint64_t share_turn_length(const struct share_core *l)
{
	return UINT64_C(1) << l->turn_shift;
}

static inline void share_pass(struct share_core *l, uint64_t n)
{
	l->clock += n;
	l->turn = share_turn(l, 0);
}

/* True: nothing was to be told, nor will be of others of this kind to this line in this turn. */
static inline bool share_access(struct share_core *l, uint64_t address, uint64_t first,
	uint64_t last, uint32_t store, struct sim_cell *cell)
{
	if (share_free(l, l->shift, first, 1, store, cell, l->turn))
		return true;
	share_tell(l, address, first, last, store, cell);
	return false;
}

/* An access that is a turn's by itself, as those of a range are. */
static inline void share_touch(struct share_core *l, uint64_t address, uint64_t first,
	uint64_t last, uint32_t store, struct sim_cell *cell)
{
	share_access(l, address, first, last, store, cell);
	share_pass(l, 1);
}

/* A line in n iterations of a loop (1 or more), `per` accesses of all kinds apart, from the present
 * one on; the masks are of all of them.  The clock stays: the caller passes iterations. */
void share_stream(struct share_core *l, uint64_t address, uint64_t first, uint64_t read,
	uint64_t written, struct sim_cell *cell, uint64_t n, uint32_t per);

#endif
