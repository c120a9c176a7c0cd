/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of libpscmon and private to them.  All symbols here are hidden; the exported
 * ones are those of base/abi.h, listed in pscmon.sym.
 *
 * Rules for every function that runs after the start: no exit, abort, malloc or stdio; memory comes
 * from mmap; errno is preserved; no lock is held while application code runs; whatever does not fit
 * into a table or buffer is counted. */
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
#include "monitor/host/flags.h"
#include "monitor/shared/shm.h"
#include "simulate/simulate.h"
/* -fvisibility=hidden hides definitions only; without this, code would read the address of each
 * variable of another file from memory. */
#pragma GCC visibility push(hidden)

enum {
	PSCM_THREADS = MON_THREADS,
	PSCM_FRAMES = 512,              /* open regions of a thread; deeper ones get no context */
	PSCM_WORDS = 32768,             /* of a record buffer, without PSC_SLACK_WORDS */
	PSCM_SHARED_WORDS = 2048,       /* used of the buffer while several threads record */
	PSCM_PAGE = 4096                /* bytes of the wiped page below; not a machine page */
};

/* --- shared state (state.c) -----------------------------------------------------------------
 * What every hook reads first, alone on its page: the kernel wipes the page in a child of fork(),
 * however the child was created. */
/* PSCM_MODE_CUT comes with PSCM_MODE_TIME: the collector ends a piece at each marker (pscm_cutter).
 * PSCM_MODE_WATCH: nothing is measured, but markers keep the stack of regions, which a span of time
 * finds open (timed_spans.h).  PSCM_MODE_NAMES: addresses are named (address/names.h). */
enum { PSCM_MODE_TIME = 1, PSCM_MODE_SIM = 2, PSCM_MODE_CUT = 4, PSCM_MODE_WATCH = 8,
	PSCM_MODE_NAMES = 16 };
union pscm_live {
	struct {
		_Atomic int mode;       /* 0: markers return at once */
		_Atomic int on;         /* 1: connected to the agent and not stopped */
		_Atomic int stopped;    /* 1: the analysis has ended; a thread that ends still leaves its state */
		_Atomic int attach, units_lock; /* attach.c */
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

extern struct mon_shm *pscm_shm;        /* NULL: the monitor is inert */
extern _Atomic uint32_t pscm_epoch;     /* number of the measured execution */
/* Experiment and recording interval (record.c) of words that are recorded now. */
extern _Atomic uint32_t pscm_experiment, pscm_interval;
extern _Atomic uint32_t pscm_sliced;    /* 1: the executions are counted in slices (slices.h) */
extern uint64_t pscm_timed_ns;          /* executions are spans of so much time (timed_spans.h); 0: of the phase */
static inline bool pscm_timed(void)
{
	return unlikely(pscm_timed_ns != 0);
}
/* Since the request was armed: repairs of region stacks and of the guard; words that were lost. */
extern _Atomic uint64_t pscm_unhandled, pscm_lost;
/* Translations of addresses that a thread remembers are void when this changes. */
extern _Atomic uint32_t pscm_translation_generation;
/* Buffer for words that are discarded.  psc_end stays NULL: every block calls __psc_flush(). */
extern uint64_t pscm_sink[PSC_SLACK_WORDS + 64];

/* --- the agent (connect.c) ------------------------------------------------------------------
 * Makes pscm_shm and offers it to the agent that listens at the path.  prepare() runs before the
 * agent sees the memory.  false: there is no agent, prepare() returned false, or the agent did not
 * welcome the process; pscm_shm is NULL then. */
bool pscm_connect(const char *path, bool (*prepare)(void));
/* The same for another analysis of the process, if pscm_shm is there: it keeps its address, and what names units and
 * objects.  Without success nothing has changed. */
void pscm_hang_up(void);                /* closes the connection */
void pscm_connect_prepare(void);        /* remembers what the environment says of the process now */
void pscm_disconnect(void);             /* in a child of fork(); sets pscm_shm to NULL */
void pscm_event(void);                  /* tells the agent that a slot changed state; never waits */
void pscm_lockstep(void);               /* waits, with a time limit, for the agent's MON_GO */

/* --- end (shutdown.c) --------------------------------------------------------------------------- */
void pscm_stop(void);                   /* become inert for good */
void pscm_stop_forked(void);            /* become inert in a child of fork() */

/* --- locks (locks.c) ------------------------------------------------------------------------
 * Locks of the monitor.  They are taken before any lock of the simulator; those are plain
 * mutexes. */
void pscm_lock(pthread_mutex_t *lock);
bool pscm_trylock(pthread_mutex_t *lock);
void pscm_unlock(pthread_mutex_t *lock);

/* --- file descriptors (descriptors.c) ------------------------------------------------------- */
struct pscm_fd {
	int fd;                 /* -1: none */
	uint64_t device, inode;
};
/* Duplicates fd to a high number, because some programs rely on the number that their next open()
 * returns.  Closes fd and returns the duplicate; returns fd where duplication fails. */
int pscm_fd_high(int fd);
void pscm_fd_keep(struct pscm_fd *f, int fd);
int pscm_fd_get(struct pscm_fd *f);     /* -1: the descriptor is no longer ours */
void pscm_fd_close(struct pscm_fd *f);

/* --- the simulator's stack (work_stack.c) ---------------------------------------------------
 * The simulator needs more stack than some stacks of a program have left.  The caller has blocked
 * signals, so no handler runs on this stack. */
void *pscm_work_stack_make(void);       /* returns its top; NULL: no memory */
/* top NULL: on the current stack. */
void pscm_work_stack_run(void *top, void (*f)(void *), void *argument);

/* --- the program's stacks (stack_depth.c) ---------------------------------------------------
 * before: the soft stack limit in bytes from before psc_frontend raised it; stacks of threads are
 * sized by it.  NULL: it was not raised.  analysed: threads created from now on get larger
 * stacks. */
void pscm_stack_depth_start(const char *before, bool analysed);

/* --- memory (mem.c) ------------------------------------------------------------------------- */
void *pscm_map(size_t bytes);           /* zeroed, or NULL */
void pscm_unmap(void *p, size_t bytes);
/* The kernel limits mapped memory; ours takes from the program's. */
bool pscm_memory_counted(void);
/* Memory reserved at the start (reserve.c), used by pscm_map() when mmap fails.  get: zeroed, or
 * NULL.  put: false if the memory is not from the reserve. */
void pscm_reserve_start(void);
void pscm_reserve_stop(void);
void *pscm_reserve_get(size_t bytes);
bool pscm_reserve_put(const void *p);
/* A pool that is emptied as a whole.  Its lock serialises calls. */
struct pscm_pool {
	pthread_mutex_t lock;
	struct pscm_block *blocks;
	_Atomic bool unfilled;          /* pscm_pool_fill() has not populated all that is used */
};
void *pscm_pool_get(struct pscm_pool *pool, size_t bytes);      /* zeroed, or NULL */
void pscm_pool_empty(struct pscm_pool *pool);
/* Populates memory that pscm_map() returned, so that the first accesses need no faults.  A page that is read before it is written
 * costs two, and the second one interrupts all threads. */
void pscm_populate(void *p, size_t bytes);
/* Populates a part of the memory that was handed out: all of it at once would hold the program up for milliseconds. */
void pscm_pool_fill(struct pscm_pool *pool);

/* --- threads (threads.c) -------------------------------------------------------------------- */
struct pscm_frame {
	uint32_t region;        /* run-time region number */
	uint32_t context;
	uint32_t team;          /* 1: pushed by __psc_team_enter() */
	uint32_t waited;        /* 1: the thread waited; it resumes when the frame is popped */
	uint32_t recorded;      /* slices.c.  1: recording code executes the region */
	uint32_t began, iterated;       /* the same: pieces so far when it began, and its present iteration */
};

/* Times of one context in one thread.  The owner adds; the phase boundary takes differences. */
struct pscm_stat {
	_Atomic uint64_t wall, calls;
	_Atomic uint64_t startup;       /* of a team, from the fork to the begin of the thread's part */
	_Atomic uint64_t cpu, wait;     /* while it was the innermost context */
	_Atomic uint64_t faults, sys_ns;        /* the same (kernel_use.h) */
	/* values at the last boundary */
	uint64_t seen_wall, seen_calls, seen_cpu, seen_wait, seen_startup, seen_faults, seen_sys;
	/* time_rows.c, of the last execution.  ..._below: inclusive.  marked: what the markers took,
	 * of its own part that of the contexts directly inside it. */
	uint64_t entered;                       /* calls */
	uint64_t started;                       /* startup */
	uint64_t own_cpu, part_cpu;             /* own part, as measured and as divided */
	uint64_t cpu_below, wait_below, marked_below, marked_inside, faults_below, sys_below;
	uint64_t wall_below, wall_inside;       /* wall_inside: of the contexts directly inside it */
	/* brief_regions.c; ns.  The survey's figures of the context; the group's, at its head. */
	uint64_t survey_cpu, survey_calls;
	uint64_t marks;                         /* markers whose halves lie in the context */
	uint64_t group_ns, group_marks;
	double parts, each;                     /* sum without markers; half a marker's cost */
	uint32_t head;                          /* the context that is measured with this one */
	uint64_t start;
	uint32_t open;          /* frames with this context (recursion) */
};

/* Where a thread's time goes (region_times.c).  All clocks are in ns. */
enum { PSCM_PIECES = 64 };
enum pscm_doing { PSCM_OUTSIDE, PSCM_RUNS, PSCM_WAITS };
struct pscm_piece { uint64_t ns; uint32_t context; };
struct pscm_times {
	uint64_t since;         /* begin of the current piece */
	uint64_t read_at;       /* when the CPU clock was read last */
	uint64_t given;         /* the CPU clock up to which time has been given to contexts or left out */
	uint64_t pending;       /* sum of the pieces, not yet given to their contexts */
	uint64_t paused;        /* begin of the pause (PSCM_WAITS, PSCM_OUTSIDE), or of a possible join */
	uint32_t npieces;
	uint32_t joins;         /* region whose team it may wait for, + 1; 0: none */
	enum pscm_doing state;
	bool owner;             /* it began the execution: context 0 is open */
	/* kernel_use.c: page faults and system time, as last read in that round; 0: not in this one */
	uint32_t kernel_round;
	uint64_t faults, sys_ns;
	struct pscm_piece piece[PSCM_PIECES];
};

enum { PSCM_BINDS = 64 };

/* A change to a data structure, to be simulated (variants.c). */
struct pscm_whatif {
	uint32_t number;        /* of the variant in the request, from 1 */
	uint32_t object, fix;   /* enum mon_fix */
	uint32_t line;          /* bytes of the longest cache line */
	uint32_t nodes;
	uint64_t parameter;
};

/* One simulation of a thread's records: of the program as it is, or of a variant.  All simulations
 * of a thread read the same records and have caches, page numbers and counts of their own. */
struct pscm_replay {
	const struct pscm_whatif *whatif;       /* NULL: the program as it is */
	struct pscm_page_numbers *pages;
	uint32_t node;          /* memory node of the thread */
	struct sim_thread sim;  /* its asker is this struct */
};

/* The record buffer of the signal handler at one depth of interruption. */
enum { PSCM_SIGNALS = 8, PSCM_SIGNAL_WORDS = 1024 };
struct pscm_signal {
	uint64_t *words;        /* allocated on first use */
	uint64_t *_Atomic pos;  /* end of the words that wait for simulation */
	uint64_t *cur, *end;    /* psc_cur and psc_end of the interrupted code */
	uint32_t number;        /* of the last handler at this depth */
	uint32_t experiment, interval;  /* that the words belong to */
};

/* A binding of a dummy argument that the thread has reported already. */
struct pscm_bind {
	const struct psc_unit *unit;
	uint64_t address, size;
	uint32_t dummy, generation, context;
	uint32_t object;        /* that the address belonged to */
};

struct pscm_thread {
	uint32_t index;
	uint32_t epoch;         /* number of the measured execution that the stack belongs to */
	uint32_t depth, over;   /* frames; regions entered beyond PSCM_FRAMES */
	uint32_t *beyond;       /* regions of the latter */
	uint32_t beyond_capacity;
	_Atomic uint32_t used;
	uint64_t unhandled;
	uint64_t stack;         /* an address on its stack */
	uint64_t stack_top;     /* origin of its normalised stack addresses */
	/* stack_depth.c: where the stack begins, at its highest address, and the bytes below that are
	 * known to belong to it: all of them, or as far as was looked; in stack_frames of them tail
	 * calls may have frames. */
	uintptr_t stack_begin, stack_bytes, stack_frames;
	bool stack_whole;       /* nothing more is to be looked for */
	struct pscm_stat *_Atomic stat; /* MON_CONTEXTS of them, or NULL */
	struct pscm_times times;
	struct pscm_events *_Atomic events;     /* events.c; NULL until its first experiment with events */
	struct slice_pieces *pieces;    /* MON_CONTEXTS of them, or NULL (slices.h) */
	/* slices.c: region + 1 that the next frame is of, if a subroutine begins; its version. */
	uint32_t entered;
	bool entered_clone;
	struct sim_cell *kept;  /* slices.h: cells before a slice, nkept of them; allocated on first use */
	uint32_t nkept, kept_in;        /* kept_in: of which experiment */
	bool teamed;            /* slices.c: its team has several threads */

	/* Recording.  The words between tail and the owner's psc_cur wait for simulation. */
	pthread_mutex_t lock;   /* guards all fields below while the thread is parked or flushes */
	uint64_t *words;        /* PSCM_WORDS + PSC_SLACK_WORDS */
	void *work_stack;       /* top of the simulator's stack; NULL: use the current one */
	uint64_t *tail;
	uint64_t *_Atomic pos;  /* psc_cur as last published to other threads */
	_Atomic uint32_t parked;/* 1: outside any region, other threads may consume the buffer */
	uint32_t experiment;    /* number of the experiment that the replays belong to */
	uint64_t simulated;     /* words simulated in this experiment */
	uint32_t interval;      /* recording interval that the words belong to (record.c) */
	uint32_t team;          /* identifies the outermost team and the barriers passed; 0: none */
	struct pscm_replay replay;      /* its context is that at tail */
	struct pscm_replay *variant[MON_VARIANTS];      /* allocated on first use */
	uint32_t signals;       /* handlers running, each interrupting the one before */
	uint32_t handled;       /* handlers so far */
	struct pscm_signal signal[PSCM_SIGNALS];
	struct pscm_checked *checked;   /* record_check.c; allocated on first use */
	struct pscm_bind bind[PSCM_BINDS];
	struct pscm_frame frame[PSCM_FRAMES];
};

extern __thread struct pscm_thread *pscm_self __attribute__((tls_model("initial-exec")));
/* Stack address at which the thread entered the monitor; 0: it is not inside. */
extern __thread uintptr_t pscm_busy __attribute__((tls_model("initial-exec")));
#define PSCM_BUSY UINTPTR_MAX   /* inside, wherever the stack is */

/* The calling thread's state, created by the first call; NULL without memory. */
struct pscm_thread *pscm_thread_self(void);
/* All states ever used: 0 … pscm_thread_count() - 1, each non-NULL. */
uint32_t pscm_thread_count(void);
struct pscm_thread *pscm_thread_at(uint32_t n);
/* What other files do when a thread gets a state and when it ends.  Called on that thread, inside
 * the guard and without locks. */
struct pscm_thread_events {
	void (*begin)(struct pscm_thread *t);
	void (*end)(struct pscm_thread *t);     /* then the state may be reused */
};
int pscm_threads_start(const struct pscm_thread_events *events);        /* borrowed for good */
/* Finds where the calling thread's stack begins. */
void pscm_stack_depth_find_begin(struct pscm_thread *t);

/* Did a jump out of a signal handler leave the monitor?  True when the stack is no deeper now than
 * where the thread entered. */
bool pscm_guard_left(uintptr_t here);

/* Re-entry guard of a hook.  False: the thread is inside the monitor already (the caller runs in a
 * signal handler). */
static inline bool pscm_guard(void)
{
	uintptr_t here;

	if (unlikely(pscm_busy) && !pscm_guard_left((uintptr_t)&here))
		return false;
	pscm_busy = (uintptr_t)&here;
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

/* At the end of the thread or process: monitor code that was interrupted never continues. */
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

/* --- tables in shared memory (shared_tables.c, compile_units.c) ----------------------------- */
extern pthread_mutex_t pscm_tables_lock;        /* held by callers of the next three functions */
uint32_t pscm_string(const char *s);            /* 0: s is NULL or the table is full */
uint32_t pscm_object_add(const struct mon_object *o);   /* MON_ANY: the table is full */
void pscm_alias_add(uint32_t unit, uint32_t region, uint32_t object, const char *name,
	uint32_t context);
void pscm_aliases_forget(void);                 /* they name contexts of another phase; lock held */
int pscm_shared_tables_start(void);

/* The unit's number in the table; MON_ANY: not registered. */
static inline uint32_t pscm_unit_number(const struct psc_unit *unit)
{
	return unit->registered ? unit->registered - 1 : MON_ANY;
}
void pscm_unit_register(struct psc_unit *unit); /* body of __psc_unit_register() */
/* True when this region of the unit is the phase (the tables' lock is held). */
bool pscm_region_is_phase(uint64_t hash, uint32_t region);
/* Sets the bits of a unit anew. */
void pscm_unit_resolve(struct psc_unit *unit);
/* The regions whose markers and phase hooks compiled code calls, beside the phase and candidates:
 * none; all; all but the brief ones; all, and at each iteration of a loop that can be the phase. */
enum pscm_calls { PSCM_CALLS_NONE, PSCM_CALLS_ALL, PSCM_CALLS_TIMED, PSCM_CALLS_SLICED };
void pscm_units_call(enum pscm_calls now);
/* Do calls of brief subroutines go to native code instead of marker versions?  Only inside the
 * phase: a marker version is needed where a measurement may begin before it returns. */
void pscm_units_native(bool on);
/* After MON_WELCOME and when the phase has changed: marks the units that hold the phase or a
 * candidate. */
void pscm_units_resolve(void);
/* Every hook by mark ends with this: recording code does not check the buffer again. */
void pscm_record_make_space(void);
static inline void pscm_ensure_space(void)
{
	if (unlikely(psc_cur >= psc_end))
		pscm_record_make_space();
}
/* Unmarks all, and returns their list; the tables' lock is held, or no other thread runs. */
struct psc_unit *pscm_units_forget(void);

/* --- contexts (contexts.c, contexts.h) ------------------------------------------------------ */
int pscm_contexts_start(void);
void pscm_contexts_reset(void);         /* the phase is another one: forgets all */
void pscm_context_root(const struct psc_unit *unit, uint32_t region);   /* the first creates it */
uint32_t pscm_context_parent(uint32_t context);
uint32_t pscm_context_region(uint32_t context);         /* run-time region number */

/* --- region stacks (regions.c; the first two: threads.c) ------------------------------------ */
/* Empties the stack: it belongs to an earlier execution than the epoch. */
void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch);
static inline void pscm_region_stack_sync(struct pscm_thread *t)
{
	uint32_t epoch = atomic_load_explicit(&pscm_epoch, memory_order_relaxed);

	if (unlikely(t->epoch != epoch))
		pscm_region_stack_reset(t, epoch);
}
/* A span of time begins: its open regions stay.  clean: without brief ones, whose ends will not be seen. */
void pscm_region_stack_carry(struct pscm_thread *t, bool clean);
/* Is the thread in a team? */
bool pscm_region_in_team(const struct pscm_thread *t);
/* When an execution begins. */
void pscm_region_stack_open(struct pscm_thread *t);
/* When it ends: closes its times.  The regions themselves stay open between spans of time. */
void pscm_region_stack_close(struct pscm_thread *t, uint64_t now);
/* Behind a construct: the thread that encountered it may have waited for its team. */
void pscm_region_joined(const struct psc_unit *unit, uint32_t region);

static inline uint32_t pscm_region_stack_context(const struct pscm_thread *t)
{
	return t->depth ? t->frame[t->depth - 1].context : 0;
}

/* --- the armed request (phase.c) ------------------------------------------------------------ */
struct pscm_armed {
	struct mon_request *request;    /* NULL: none */
	const struct collector *collector;      /* of the last request, if that has ended (collect/collector.h) */
	uint32_t slot, kind, warm, count, sample, nfilters, nvariants;
	uint32_t progress;              /* executions finished, warm-up included */
	struct mon_row_numbers rows;    /* written so far */
	uint32_t failed;                /* enum mon_drop */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];
};
/* pscm_row_NAME(): adds a row to the request's result (result_rows.def).  NULL: the slot holds no more. */
#define ROWS(name, row, most, ...) \
	static inline struct row *pscm_row_##name(struct pscm_armed *a) \
	{ \
		return a->rows.name < most ? &pscm_shm->name[a->slot][a->rows.name++] : NULL; \
	}
#include "monitor/shared/result_rows.def"
/* Does the request want rows of this context and object (filters.c)?  objects false: any object. */
bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects);
void pscm_phase_exit(void);             /* when the process ends */
void pscm_phase_again(void);            /* before another analysis of the process: forgets phase and contexts */
void pscm_phase_leave(void);            /* when the thread ends */

/* --- collectors ----------------------------------------------------------------------------- */
/* Sums up the threads' times of the clean execution that has just ended; of a recorded one, their
 * calls. */
void pscm_time_sums(void);
/* Writes the sums to the request's rows.  false: they do not fit. */
bool pscm_time_rows(struct pscm_armed *a);
/* Adds a thread's counts of one simulation to the slot's rows.  MON_DROP_NONE; MON_DROP_ROWS: the
 * rows do not fit. */
uint32_t pscm_count_rows(struct pscm_armed *a, struct pscm_replay *replay, uint32_t thread);
/* Adds rows for cache lines of requested objects for which several threads contend.  share NULL: no
 * two threads recorded. */
void pscm_line_rows(struct pscm_armed *a, struct share *share);
enum mon_drop pscm_record_arm(struct pscm_armed *a);
/* Maps the calling thread's buffers, and populates what its simulation always touches, before the first boundary needs them.
 * Where mapping fails, it is tried again there. */
void pscm_record_ready(void);
/* Begins an execution.  after_gap: words recorded since the last execution ended are void. */
void pscm_record_begin(struct pscm_thread *t, bool counting, bool after_gap);
void pscm_record_end(struct pscm_thread *t, bool is_void);
/* Slices of an execution.  prepare: as begin, but nothing is recorded yet.  resume: record and
 * simulate from here on.  count: count from here on; warm: do not.  pause: simulate the words so far and discard
 * what recording code still writes. */
void pscm_record_prepare(struct pscm_thread *t);
void pscm_record_resume(struct pscm_thread *t);
void pscm_record_count(struct pscm_thread *t);
void pscm_record_warm(struct pscm_thread *t);
void pscm_record_pause(struct pscm_thread *t);
/* References of the thread simulated so far, counted or not.  flush: what it has recorded, too. */
uint64_t pscm_record_simulated(struct pscm_thread *t, bool flush);
void pscm_record_finish(struct pscm_armed *a);  /* writes rows; only cleans up when a->failed */
void pscm_record_context(struct pscm_thread *t, uint32_t context);
void pscm_record_fork(struct pscm_thread *t);   /* before the thread creates a team */
bool pscm_record_in_team(void);         /* of two threads or more */
void pscm_record_team_begin(struct pscm_thread *t);   /* the thread joined a team */
void pscm_record_wait(struct pscm_thread *t);   /* before it waits at a barrier */
void pscm_record_barrier(struct pscm_thread *t);/* after it passed a barrier */
void pscm_record_team_end(struct pscm_thread *t);  /* it left its outermost team */
void pscm_record_park(struct pscm_thread *t);   /* its region stack is empty now */
void pscm_record_unpark(struct pscm_thread *t);
void pscm_record_leave(struct pscm_thread *t);  /* the thread ends */
/* Simulates own and parked threads' words before memory is released. */
void pscm_record_flush_parked(void);
/* Before a library with record descriptors is unmapped. */
void pscm_record_unload(const struct psc_unit *unit);
/* Sets the thread's record buffer.  psc_end is NULL in between, so that a signal handler finds no
 * buffer space: if psc_end belonged to another buffer than psc_cur, an interrupted block could
 * write beyond its end. */
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

/* In a copy of the process (verify.h): recording code runs, and its words are digested instead of
 * simulated.  Equal digests: the code made the same accesses.  begin false: no memory. */
struct pscm_digest { uint64_t words, hash; };
bool pscm_digest_begin(struct pscm_thread *t, struct pscm_digest *to);
void pscm_digest_end(struct pscm_thread *t);    /* without pscm_digest_begin(): does nothing */

/* Signal handlers (signals.c). */
/* Handlers above this depth have ended. */
void pscm_signal_leave(struct pscm_thread *t, uint32_t depth);
bool pscm_signals_wait(const struct pscm_thread *t);    /* true: handlers' words wait */
void pscm_signals_drop(struct pscm_thread *t);
void pscm_signals_free(struct pscm_thread *t);

/* --- addresses (objects.c, address_map.c, heap.c, page_numbers.c) --------------------------- */
struct pscm_span {
	uint64_t lo, hi;
	uint64_t shift;         /* added to normalise stack addresses; 0 elsewhere */
	/* Begin of the heap block, declared object, static storage of an image, or mapping around
	 * the range: pages within it are as far apart in every run. */
	uint64_t area;
	uint32_t object;
};
int pscm_address_map_start(void);
void pscm_address_map_stop(void);        /* closes its file descriptors */
/* Rebuilds the map after objects changed.  read_maps: also re-reads the kernel's maps. */
int pscm_address_map_build(bool read_maps);
/* Marks the map stale: an address was met that it lacks. */
void pscm_address_map_mark_stale(void);
/* Rebuilds a stale map; called once a batch. */
void pscm_address_map_refresh(void);
void pscm_address_map_find(uint64_t address, struct pscm_span *out);
/* Undoes the stack shift; 0: no such stack. */
uint64_t pscm_address_map_unshift(uint64_t shifted);
/* Finds the readable file mapping that holds the address.  false: there is none. */
bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len);

/* unload: the image around the address is about to be unmapped; its record descriptors must not be
 * read any more.  load: an image was mapped there. */
void pscm_address_map_unload(uint64_t address);
void pscm_address_map_load(uint64_t address);

int pscm_objects_start(void);
void pscm_objects_register(struct psc_unit *unit);
void pscm_objects_unregister(struct psc_unit *unit);
/* Gives the address range of the data of gfortran's array descriptor.  false: not allocated, or not
 * plausible. */
bool pscm_descriptor_range(const void *descriptor, uint64_t *address, uint64_t *size);
/* A dummy argument was bound in this context to memory of the object `known`: makes the dummy an
 * alias of the object, or names the memory by it where `known` is only a kind of memory (below
 * MON_OBJ_FIRST).  true: the memory got a name, and the address map must be rebuilt. */
bool pscm_object_bind(const struct psc_unit *unit, uint32_t dummy, uint64_t address, uint64_t size,
	uint32_t known, uint32_t context);
/* Raised when an experiment begins: bindings reported before are void. */
extern _Atomic uint32_t pscm_bind_generation;
uint64_t pscm_object_lo(uint32_t object);       /* its first address; 0 unknown */
/* Reads array descriptors; forget: drops dummies' ranges. */
void pscm_objects_resolve(bool forget);
/* Writes the disjoint, ascending ranges of all live objects; returns their number. */
size_t pscm_objects_spans(struct pscm_span *out, size_t max);
/* Appends the ranges of heap blocks and declared objects that belong to the object to the n that
 * are there; returns the new number. */
size_t pscm_heap_spans(uint32_t object, struct pscm_span *out, size_t n, size_t max);

/* Begins an experiment: frees all experiment memory, and pages are numbered anew. */
void pscm_page_numbers_arm(const struct machine_flat *m);
/* Memory for this experiment: zeroed, valid until the next arm; NULL: none. */
void *pscm_experiment_memory(size_t bytes);
void pscm_experiment_memory_fill(void);         /* pscm_pool_fill() of it */
/* An empty numbering of pages, valid until the next arm; NULL without memory. */
struct pscm_page_numbers *pscm_page_numbers_new(void);
/* The object of this kind, unit, region, scope and name; created when missing.  MON_ANY: the table
 * is full.  Requires the tables' lock. */
uint32_t pscm_object_of(const struct mon_object *row);
uint32_t pscm_object_of_site(const struct psc_site *site);

/* Heap blocks and declared objects (heap.c, heap.h). */
int pscm_heap_start(void);
void pscm_heap_again(void);     /* forgets all blocks and declared objects */
void pscm_heap_count(void);     /* when an experiment begins: number and size of small blocks */
/* Looks the address up.  Narrows *s to the range with the same answer; true: s->object is set. */
bool pscm_heap_find(uint64_t address, struct pscm_span *s);
/* Where the block of the object around the address begins; 0: there is none. */
uint64_t pscm_heap_begin(uint64_t address, uint32_t object);
/* The object of the heap block around the address, and where the block begins; MON_ANY: none. */
uint32_t pscm_heap_at(uint64_t address, uint64_t *lo);
void pscm_heap_rename(uint64_t lo, uint32_t object);    /* renames the block at lo */
/* Thread-local variables (thread_variables.c).  The first: of the calling thread, by a unit that is
 * loaded; the others: when the calling thread gets a state and when it ends. */
void pscm_thread_variable(uint64_t address, uint64_t bytes, uint32_t object);
void pscm_thread_variables_begin(void);
void pscm_thread_variables_end(void);
void pscm_thread_variables_again(void); /* with pscm_heap_again() */
/* Body of psc_object_begin() (allocation_hooks.c). */
void pscm_object_declare(const void *address, size_t size, const char *name);

/* Reports all dummy arguments of a region (bindings.c). */
void pscm_bind_all(const struct psc_mark *m, va_list addresses);

/* Returns what to add to an address of the span to normalise it; the value holds within one unit of
 * normalised space (a page, or a piece of a stack).  home: place a new page on memory node home - 1;
 * 0: where the kernel's events say.  *skew: of the page, as in struct sim_place. */
uint64_t pscm_page_delta(struct pscm_page_numbers *p, uint64_t address, const struct pscm_span *s,
	uint32_t home, uint16_t *skew);
uint64_t pscm_page_unit(uint64_t shifted);      /* unit size at address + shift */

/* Implement struct sim_env's marks() and node(); space: a struct pscm_page_numbers. */
_Atomic uint64_t *pscm_page_marks(void *space, uint64_t address, bool make);
uint32_t pscm_page_node(void *space, uint64_t address);
extern const struct sim_env pscm_sim_env;       /* sim_env.c: the simulator's callbacks */

/* Shifted addresses: real ones come first, then stacks, then objects that variants move. */
#define PSCM_STACKS (UINT64_C(1) << 48)
#define PSCM_MOVED (UINT64_C(3) << 47)

/* Gives the shift of an address in the variant's object.  Narrows *s to the range with the same
 * shift, sets s->shift, and *home for variants of placement.  False: the variant leaves its
 * accesses out. */
bool pscm_whatif_move(const struct pscm_replay *replay, uint64_t address, struct pscm_span *s,
	uint32_t *home);

#pragma GCC visibility pop
#endif
