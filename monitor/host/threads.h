/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of each thread, and the guard against re-entry. */
#ifndef PSC_MONITOR_THREADS_H
#define PSC_MONITOR_THREADS_H

#include "monitor/state.h"
#include "simulate/simulate.h"

#pragma GCC visibility push(hidden)

struct pscm_frame {
	uint32_t region;        /* run-time region number */
	uint32_t context;
	uint32_t team;          /* 1: pushed by __psc_team_enter() */
	uint32_t waited;        /* 1: the thread waited; it resumes when the frame is popped */
	uint32_t recorded;      /* slices.c.  1: recording code executes the region */
	uint32_t began, iterated;       /* the same: pieces so far when it began, and its present
					 * iteration */
};

/* Times of one context in one thread.  The owner adds; the phase boundary takes differences. */
struct pscm_stat {
	_Atomic uint64_t wall, calls;
	_Atomic uint64_t startup;       /* of a team, from the fork to the begin of the thread's
					 * part */
	_Atomic uint64_t cpu, wait;     /* while it was the innermost context */
	_Atomic uint64_t faults, sys_ns;        /* the same (kernel_counts.h) */
	/* values at the last boundary */
	uint64_t seen_wall, seen_calls, seen_cpu, seen_wait, seen_startup, seen_faults, seen_sys;
	/* time_rows.c, of the last execution.  ..._below: inclusive.  marked: what the markers
	 * took, of its own part that of the contexts directly inside it. */
	uint64_t entered;                       /* calls */
	uint64_t started;                       /* startup */
	uint64_t own_cpu, part_cpu;             /* own part, as measured and as divided */
	uint64_t cpu_below, wait_below, marked_below, marked_inside, faults_below, sys_below;
	uint64_t wall_below, wall_inside;       /* wall_inside: of the contexts directly inside
						 * it */
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
	uint64_t given;         /* the CPU clock up to which time has been given to contexts or left
				 * out */
	uint64_t pending;       /* sum of the pieces, not yet given to their contexts */
	uint64_t paused;        /* begin of the pause (PSCM_WAITS, PSCM_OUTSIDE), or of a possible
				 * join */
	uint32_t npieces;
	uint32_t joins;         /* region whose team it may wait for, + 1; 0: none */
	enum pscm_doing state;
	bool owner;             /* it began the execution: context 0 is open */
	/* kernel_counts.c: page faults and system time, as last read in that round; 0: not in this
	 * one */
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
	uint32_t node, thread;  /* memory node of the thread, and its index */
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
	/* stack_depth.c: where the stack begins, at its highest address, and the bytes below
	 * that are known to belong to it: all of them, or as far as was looked; in stack_frames
	 * of them tail calls may have frames. */
	uintptr_t stack_begin, stack_bytes, stack_frames;
	bool stack_whole;       /* nothing more is to be looked for */
	struct pscm_stat *_Atomic stat; /* MON_CONTEXTS of them, or NULL */
	struct pscm_times times;
	struct pscm_events *_Atomic events;     /* kernel_events.c; NULL until its first
						 * experiment with events */
	struct slice_pieces *pieces;    /* MON_CONTEXTS of them, or NULL (slices.h) */
	/* slices.c: region + 1 that the next frame is of, if a subroutine begins; its version. */
	uint32_t entered;
	bool entered_clone;
	struct sim_cell *kept;  /* slices.h: cells before a slice, nkept of them; allocated on first
				 * use */
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
	/* thread_nodes.c: the node of the model where it was seen last, and whether it was on
	 * another one before, since the words at tail; counted words by node, and those in whose
	 * time the node changed. */
	uint32_t node;
	bool moved;
	uint64_t on_node[MACHINE_NODES], crossing;
	uint32_t interval;      /* recording interval that the words belong to (record_buffers.c) */
	int32_t number;         /* in its last team; -1: it was in none */
	uint64_t meeting;       /* record_buffers.c: where it last met the threads of its team */
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

#pragma GCC visibility pop
#endif
