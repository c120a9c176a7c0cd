/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to libpscmon: what its files share.  Everything here is hidden; the exported symbols
 * are those of base/abi.h, listed in pscmon.sym.
 *
 * Rules of every function that runs after the start: no exit, abort, malloc or stdio; memory
 * comes from mmap; errno is kept; a lock is never held across application code; what does not
 * fit is counted. */
#ifndef PSC_MONITOR_PSCMON_H
#define PSC_MONITOR_PSCMON_H

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC visibility push(default)
#include "base/abi.h"
#pragma GCC visibility pop
#include "monitor/flags.h"
#include "monitor/shared/shm.h"
#include "simulate/simulate.h"

enum {
	PSCM_THREADS = MON_THREADS,
	PSCM_FRAMES = 512,              /* open regions of one thread; deeper ones have no context */
	PSCM_WORDS = 32768,             /* of a record buffer, slack not included */
	PSCM_SHARED_WORDS = 2048,       /* used of it while several threads record */
	PSCM_PAGE = 4096                /* of the wiped page below; not the machine's */
};

/* --- what every hook looks at first (connect.c) --------------------------------------------
 * Alone on a page that the kernel wipes in a child of fork(), however it was forked. */
enum { PSCM_MODE_TIME = 1, PSCM_MODE_SIM = 2 };
union pscm_live {
	struct {
		_Atomic int mode;       /* 0: markers return at once */
		_Atomic int on;         /* connected and not over */
	};
	char page[PSCM_PAGE];
};
extern union pscm_live pscm_live;

static inline int pscm_mode(void)
{
	return atomic_load_explicit(&pscm_live.mode, memory_order_relaxed);
}

static inline int pscm_on(void)
{
	return atomic_load_explicit(&pscm_live.on, memory_order_relaxed);
}

extern struct mon_shm *pscm_shm;        /* NULL: inert */
void pscm_start(void);
void pscm_stop(void);                   /* be inert from now on */
void pscm_event(void);                  /* a slot changed state; never waits */
void pscm_lockstep(void);               /* waits for the agent's word, bounded */

/* --- locks (locks.c) -----------------------------------------------------------------------
 * Of all that hooks take first.  Locks of the simulation lie inside these, and are plain mutexes. */
void pscm_lock(pthread_mutex_t *lock);
bool pscm_trylock(pthread_mutex_t *lock);
void pscm_unlock(pthread_mutex_t *lock);

/* --- descriptors (descriptors.c) ----------------------------------------------------------- */
struct pscm_fd {
	int fd;                 /* -1: none */
	uint64_t device, inode;
};
/* The same file out of the way of programs that know which descriptor they get next; else fd. */
int pscm_fd_high(int fd);
void pscm_fd_keep(struct pscm_fd *f, int fd);
int pscm_fd_get(struct pscm_fd *f);     /* -1: it is none of ours any more */
void pscm_fd_close(struct pscm_fd *f);

/* --- stacks (work_stack.c) --------------------------------------------------------------------
 * What simulation needs would not fit on every stack of a program.  The caller has signals blocked: no
 * handler runs there. */
void *pscm_work_stack_make(void);            /* its top; NULL: none to be had */
void pscm_work_stack_run(void *top, void (*f)(void *), void *argument);      /* top NULL: right here */

/* --- the program's stacks (stack_depth.c) ---------------------------------------------------------
 * before: the soft limit, in bytes, that psc_frontend raised, which threads' stacks are not to follow; NULL:
 * none.  Threads made from now on get larger ones where the process is analysed. */
void pscm_stack_depth_start(const char *before, bool analysed);

/* --- memory (mem.c) ------------------------------------------------------------------------ */
void *pscm_map(size_t bytes);           /* zeroed, or NULL */
void pscm_unmap(void *p, size_t bytes);
bool pscm_memory_counted(void);         /* the kernel counts what is mapped: it is the program's */
/* Of the reserve (reserve.c): what pscm_map() falls back on; zeroed, or NULL.  put: false: it is not of it. */
void pscm_reserve_start(void);
void pscm_reserve_stop(void);
void *pscm_reserve_get(size_t bytes);
bool pscm_reserve_put(const void *p);
/* A pool that is emptied at once; calls are serialised by its lock. */
struct pscm_pool {
	pthread_mutex_t lock;
	struct pscm_block *blocks;
	size_t used;
};
void *pscm_pool_get(struct pscm_pool *pool, size_t bytes);      /* zeroed, or NULL */
void pscm_pool_empty(struct pscm_pool *pool);

/* --- threads (threads.c) ------------------------------------------------------------------- */
struct pscm_frame {
	uint32_t region;        /* run-time number */
	uint32_t context;
	uint32_t team;          /* pushed by __psc_team_enter */
};

/* Times of one context in one thread; the owner counts up, the boundary takes differences. */
struct pscm_stat {
	_Atomic uint64_t wall, calls;
	uint64_t seen_wall, seen_calls; /* the boundary's */
	uint64_t start;
	uint32_t open;          /* frames with this context (recursion) */
};

enum { PSCM_BINDS = 64 };

/* A change to a data structure that is to be played (variants.c). */
struct pscm_whatif {
	uint32_t number;        /* of the request's variant, from 1 */
	uint32_t object, fix;   /* enum mon_fix */
	uint32_t line;          /* bytes of the longest line */
	uint32_t nodes;
	uint64_t parameter;
};

/* One simulation as a thread sees it: of what is, or of a variant.  All play the same records, on
 * caches, pages and counts of their own. */
struct pscm_replay {
	const struct pscm_whatif *whatif;       /* NULL: as it is */
	struct pscm_page_numbers *pages;
	uint32_t node;          /* of the thread */
	struct sim_thread sim;  /* whose asker is this */
};

/* What handlers record while one of their depth interrupts the thread. */
enum { PSCM_SIGNALS = 8, PSCM_SIGNAL_WORDS = 1024 };
struct pscm_signal {
	uint64_t *words;        /* made when first needed */
	uint64_t *_Atomic pos;  /* up to here they wait to be played */
	uint64_t *cur, *end;    /* of what is interrupted */
	uint32_t number;        /* of the handler that was there last */
	uint32_t experiment, interval;  /* that the words belong to */
};

struct pscm_bind {
	const struct psc_unit *unit;
	uint64_t address, size;
	uint32_t dummy, generation, context;
};

struct pscm_thread {
	uint32_t index;
	uint32_t epoch;         /* measured execution that the stack belongs to */
	uint32_t depth, over;   /* frames; enters beyond PSCM_FRAMES */
	uint32_t *beyond;       /* their regions: `room` of them, as many as have been needed so far */
	uint32_t beyond_capacity;
	_Atomic uint32_t used;
	uint64_t unhandled;
	uint64_t stack;         /* an address on its stack */
	uint64_t stack_top;     /* its addresses count from here */
	uintptr_t stack_low;    /* where it ends */
	uintptr_t stack_spare;  /* bytes above that in which calls in last place are jumps */
	struct pscm_stat *_Atomic stat; /* MON_CONTEXTS of them, or NULL */

	/* Recording.  The words between tail and the owner's psc_cur are to be consumed. */
	pthread_mutex_t lock;   /* guards all below while the thread is parked or flushes */
	uint64_t *words;        /* PSCM_WORDS + PSC_SLACK_WORDS */
	void *work_stack;       /* top of the stack that words are played on; NULL: the program's */
	uint64_t *tail;
	uint64_t *_Atomic pos;  /* psc_cur as last made known to others */
	_Atomic uint32_t parked;/* outside any region: another thread may consume */
	uint32_t experiment;           /* experiment that the core belongs to */
	uint64_t simulated;        /* words, in it */
	uint32_t interval;       /* uninterrupted executions that the words belong to */
	uint32_t team;          /* number of the outermost team's stretch of work; 0: in none */
	struct pscm_replay replay;  /* its context: at tail */
	struct pscm_replay *variant[MON_VARIANTS];        /* made when first asked for */
	uint32_t signals;       /* handlers at work, one in another */
	uint32_t handled;       /* handlers so far */
	struct pscm_signal signal[PSCM_SIGNALS];
	struct pscm_checked *checked;   /* record_check.c; made when first asked for */
	struct pscm_bind bind[PSCM_BINDS];
	struct pscm_frame frame[PSCM_FRAMES];
};

extern __thread struct pscm_thread *pscm_self __attribute__((tls_model("initial-exec")));
/* Where on its stack the thread entered the monitor; 0: it is not inside. */
extern __thread uintptr_t pscm_busy __attribute__((tls_model("initial-exec")));
#define PSCM_BUSY UINTPTR_MAX   /* inside, wherever its stack is */

/* The calling thread's state, made on the first call; NULL when there is no room. */
struct pscm_thread *pscm_thread_self(void);
/* All states ever used: 0 … pscm_thread_count()-1, each non-NULL. */
uint32_t pscm_thread_count(void);
struct pscm_thread *pscm_thread_at(uint32_t n);
int pscm_threads_start(void);
void pscm_stack_depth_find(struct pscm_thread *t);    /* where the calling thread's stack ends (stack_depth.c) */

/* Was the monitor left by a jump out of a signal handler?  Yes when the stack is no deeper now than where
 * the thread entered it. */
bool pscm_guard_left(uintptr_t here);

/* Guard of a hook: false when this thread is inside the monitor already (a signal handler). */
static inline bool pscm_guard(void)
{
	uintptr_t here;

	if (unlikely(pscm_busy) && !pscm_guard_left((uintptr_t)&here))
		return false;
	pscm_busy = (uintptr_t)&here;
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

/* The thread or the process ends: what was interrupted in the monitor does not go on. */
static inline void pscm_guard_last(void)
{
	pscm_busy = PSCM_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void pscm_unguard(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	pscm_busy = 0;
}

/* --- tables in shared memory (shared_tables.c, compile_units.c) -------------------------------------------- */
extern pthread_mutex_t pscm_tables_lock;        /* held by the callers of the next three */
uint32_t pscm_string(const char *s);            /* 0 when NULL or full */
uint32_t pscm_object_add(const struct mon_object *o);   /* MON_ANY when full */
void pscm_alias_add(uint32_t unit, uint32_t region, uint32_t object, const char *name,
	uint32_t context);
int pscm_shared_tables_start(void);

/* The unit's number in the table; MON_ANY when it is not registered. */
static inline uint32_t pscm_unit_number(const struct psc_unit *unit)
{
	return unit->registered ? unit->registered - 1 : MON_ANY;
}
/* Does this hook belong to the phase? */
bool pscm_unit_is_phase(const struct psc_unit *unit, uint32_t region);
/* Counts executions of a loop that is none, if they are to be counted: 1, or -1 for a void one. */
void pscm_unit_rival(struct psc_unit *unit, uint32_t region, int executions);
void pscm_units_live(bool now);                 /* code calls all regions' hooks, or not */
void pscm_units_resolve(void);                  /* after the welcome: marks the phase's units */
/* What each hook by mark ends with. */
void pscm_record_make_space(void);
static inline void pscm_ensure_space(void)
{
	if (unlikely(psc_cur >= psc_end))
		pscm_record_make_space();
}
void pscm_units_forget(void);                   /* none holds the phase; tables' lock, or alone */

/* --- contexts and stacks (contexts.c) ---------------------------------------------------------- */
extern _Atomic uint32_t pscm_epoch;             /* number of the measured execution */
int pscm_regions_start(void);
void pscm_context_root(const struct psc_unit *unit, uint32_t region);
uint32_t pscm_context_parent(uint32_t context);
/* Empties the stack of a thread that comes from an earlier execution. */
void pscm_region_stack_sync(struct pscm_thread *t);
void pscm_region_stack_open(struct pscm_thread *t);                    /* at an execution's begin */
void pscm_region_stack_close(struct pscm_thread *t, uint64_t now);     /* at its end: times */

static inline uint32_t pscm_region_stack_context(const struct pscm_thread *t)
{
	return t->depth ? t->frame[t->depth - 1].context : 0;
}

/* --- the armed request (phase.c) ---------------------------------------------------------------- */
struct pscm_armed {
	struct mon_request *request;    /* NULL: none */
	uint32_t slot, kind, warm, count, sample, nfilters, nvariants;
	uint32_t progress;              /* executions finished, warm ones included */
	uint32_t nrows;
	uint32_t failed;                /* enum mon_drop */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];
};
bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects);
void pscm_phase_exit(void);             /* the process ends */
void pscm_phase_leave(void);            /* the thread ends */

/* --- collectors ------------------------------------------------------------------------------- */
void pscm_time_rows(struct pscm_armed *a, bool counted);
/* Adds what a thread counted in one simulation.  MON_DROP_NONE, or MON_DROP_ROWS: no room. */
uint32_t pscm_count_rows(struct pscm_armed *a, struct pscm_replay *replay, uint32_t thread);
/* The lines on which threads collide, of the objects that are asked for; NULL: no two threads met. */
void pscm_line_rows(struct pscm_armed *a, struct share *share);
int pscm_record_arm(struct pscm_armed *a);      /* enum mon_drop */
/* An execution begins; after_gap: what was recorded since the last one ended is not its own. */
void pscm_record_begin(struct pscm_thread *t, bool counting, bool after_gap);
void pscm_record_end(struct pscm_thread *t, bool is_void);
void pscm_record_finish(struct pscm_armed *a);  /* rows, or only tidying when a->failed */
void pscm_record_context(struct pscm_thread *t, uint32_t context);
void pscm_record_fork(struct pscm_thread *t);   /* is about to have a team */
void pscm_record_team_begin(struct pscm_thread *t);   /* runs in a team from now on */
void pscm_record_wait(struct pscm_thread *t);   /* is about to wait at a barrier */
void pscm_record_barrier(struct pscm_thread *t);/* has passed one */
void pscm_record_team_end(struct pscm_thread *t);  /* has left its outermost team */
void pscm_record_park(struct pscm_thread *t);   /* left its outermost team region */
void pscm_record_unpark(struct pscm_thread *t);
void pscm_record_leave(struct pscm_thread *t);  /* the thread ends */
void pscm_record_flush_parked(void);                  /* memory goes away: plays what is recorded */
void pscm_record_unload(const struct psc_unit *unit);   /* code goes away that records point into */
void pscm_record_stamp(uint32_t *experiment, uint32_t *interval);       /* what is recorded now belongs to */
extern uint64_t pscm_sink[];            /* where words go that are lost */
/* Where the thread writes from now on.  A handler in between finds no room: psc_end is never the end of
 * other room than psc_cur is in, else what an interrupted block writes next could run over. */
static inline void pscm_record_set_buffer(uint64_t *cur, uint64_t *end)
{
	psc_end = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	psc_cur = cur;
	atomic_signal_fence(memory_order_seq_cst);
	psc_end = end;
}

static inline void pscm_record_sink(void)
{
	pscm_record_set_buffer(pscm_sink, NULL);
}
extern _Atomic uint64_t pscm_unhandled, pscm_lost;

/* Signal handlers (signals.c). */
void pscm_signal_leave(struct pscm_thread *t, uint32_t depth);  /* so many handlers are at work again */
bool pscm_signals_wait(const struct pscm_thread *t);            /* are there words to be played? */
void pscm_signals_drop(struct pscm_thread *t);
void pscm_signals_free(struct pscm_thread *t);

/* --- addresses (objects.c, address_map.c, heap.c, page_numbers.c) ----------------------------------------------------- */
struct pscm_span {
	uint64_t lo, hi;
	uint64_t shift;         /* added to normalise (stacks); 0 elsewhere */
	uint32_t object;
};
extern _Atomic uint32_t pscm_address_map_generation;
int pscm_address_map_start(void);
void pscm_address_map_stop(void);                    /* its descriptors go */
/* After objects changed: with the kernel's map read anew, or (at each execution) as it was. */
int pscm_address_map_build(bool read_maps);
void pscm_address_map_mark_stale(void);                    /* something was met that the maps do not show */
void pscm_address_map_refresh(void);                  /* rebuilds when stale; once a batch */
void pscm_address_map_find(uint64_t address, struct pscm_span *out);
uint64_t pscm_address_map_unshift(uint64_t shifted);    /* the address that was normalised; 0: none */
/* The readable file mapping that holds the address, as lo and len; false: none. */
bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len);

/* The image around the address is about to be unmapped, or has come: descriptors of records there are
 * not to be read any more. */
void pscm_address_map_unload(uint64_t address);
void pscm_address_map_load(uint64_t address);

int pscm_objects_start(void);
void pscm_objects_register(struct psc_unit *unit);
void pscm_bind_all(const struct psc_mark *m, va_list addresses);
void pscm_objects_unregister(struct psc_unit *unit);
uint64_t pscm_object_lo(uint32_t object);       /* where it begins */
void pscm_objects_resolve(bool forget);         /* descriptors; forget: dummies of the last run */
/* Disjoint, ascending ranges of what is alive; returns their number. */
size_t pscm_objects_spans(struct pscm_span *out, size_t max);

/* Numbers pages anew; the memory that was given is free again. */
void pscm_page_numbers_arm(const struct machine_flat *m);
void *pscm_experiment_memory(size_t bytes);          /* zeroed, until the next arm; NULL */
/* A numbering by itself, until the next arm; NULL for want of memory. */
struct pscm_page_numbers *pscm_page_numbers_new(void);
/* The object of that kind, unit, region, scope and name, made when there is none; MON_ANY: full.
 * The tables' lock is held. */
uint32_t pscm_object_of(const struct mon_object *row);
uint32_t pscm_object_of_site(const struct psc_site *site);

/* Memory that comes and goes (heap.c). */
int pscm_heap_start(void);
/* Narrows the span to where the same holds, and names its object when a known block is there. */
bool pscm_heap_find(uint64_t address, struct pscm_span *s);
uint32_t pscm_heap_at(uint64_t address, uint64_t *lo);  /* the heap block's object; MON_ANY */
void pscm_heap_rename(uint64_t lo, uint32_t object);    /* the block that begins there */

/* What turns an address into a normalised one, valid within a unit of normalised space: a page,
 * or a piece of a stack.  A new page is taken to lie on the memory node home - 1; 0: where it does. */
uint64_t pscm_page_delta(struct pscm_page_numbers *p, uint64_t address, uint64_t shift, uint32_t home);
uint64_t pscm_page_unit(uint64_t shifted);      /* address + shift */

/* As struct sim_env has them; space: a struct pscm_page_numbers. */
_Atomic uint64_t *pscm_page_marks(void *space, uint64_t address, bool make);
uint32_t pscm_page_node(void *space, uint64_t address);
extern const struct sim_env pscm_sim_env;       /* sim_env.c: what the simulator asks us */

/* Shifted addresses: real ones below, stacks from here, then what variants move (variants.c). */
#define PSCM_STACKS (UINT64_C(1) << 48)
#define PSCM_MOVED (UINT64_C(3) << 47)

/* Moves the place of an address of the variant's object: narrows the span to where the same holds,
 * sets its shift, and home.  False: its accesses are left out. */
bool pscm_whatif_move(const struct pscm_replay *replay, uint64_t address, struct pscm_span *s,
	uint32_t *home);

#endif
