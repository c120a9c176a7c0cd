/* SPDX-License-Identifier: BSD-3-Clause */
/* What all files of libpscmon share.  All symbols here are hidden; the exported ones are those of
 * base/abi.h, listed in pscmon.sym.  -fvisibility=hidden hides definitions only: without the pragma
 * in each header, code would read the address of each variable of another file from memory.
 *
 * Rules for every function that runs after the start: no exit, abort, malloc or stdio; memory comes
 * from mmap; errno is preserved; no lock is held while application code runs; whatever does not fit
 * into a table or buffer is counted. */
#ifndef PSC_MONITOR_STATE_H
#define PSC_MONITOR_STATE_H

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

#pragma GCC visibility push(hidden)

enum {
	PSCM_THREADS = MON_THREADS,
	PSCM_FRAMES = 512,              /* open regions of a thread; deeper ones get no context */
	PSCM_WORDS = 32768,             /* of a record buffer, without PSC_SLACK_WORDS */
	PSCM_SHARED_WORDS = 2048,       /* used of the buffer while several threads record */
	PSCM_PAGE = 4096                /* bytes of the wiped page below; not a machine page */
};

/* PSCM_MODE_CUT comes with PSCM_MODE_TIME: the collector ends a piece at each marker
 * (pscm_cutter()). PSCM_MODE_WATCH: nothing is measured, but markers keep the stack of regions,
 * which a span of time finds open (timed_spans.h).  PSCM_MODE_NAMES: addresses are named
 * (address/names.h). */
enum { PSCM_MODE_TIME = 1, PSCM_MODE_SIM = 2, PSCM_MODE_CUT = 4, PSCM_MODE_WATCH = 8,
	PSCM_MODE_NAMES = 16 };
/* What every hook reads first, alone on its page: the kernel wipes the page in a child of fork(),
 * however the child was created. */
union pscm_live {
	struct {
		_Atomic int mode;       /* 0: markers return at once */
		_Atomic int on;         /* 1: connected to the agent and not stopped */
		_Atomic int stopped;    /* 1: the analysis has ended; a thread that ends still
					 * leaves its state */
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
/* Experiment and recording interval (record_buffers.c) of words that are recorded now. */
extern _Atomic uint32_t pscm_experiment, pscm_interval;
extern _Atomic uint32_t pscm_sliced;    /* 1: the executions are counted in slices (slices.h) */
extern uint64_t pscm_timed_ns;          /* executions are spans of so much time (timed_spans.h); 0:
					 * of the phase */
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

#pragma GCC visibility pop
#endif
