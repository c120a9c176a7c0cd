/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured check (MON_VERIFY): what an execution of the phase takes without the misses of one
 * data structure.
 *
 * The thread at the phase boundary copies the process (clone, no exit signal: the program's wait()
 * never sees the copy).  The copy leaves the boundary's hook, runs the program's code to the next
 * boundary and stores its processor time in a page shared with the monitor; it goes on to a second
 * execution, which finds warm caches, and ends.  In every other copy, all pages of the structure
 * are the same few page frames, which stay in the nearest cache.  Page walks remain.
 *
 * Nothing that a copy does can leave it: before it runs code of the program, a filter ends it at
 * its first system call (except exit_group and clock_gettime), its signals are blocked, and all
 * shared memory that it can write to is replaced by private copies.
 *
 * The structure's values change with its pages.  So the first two copies run the recording code:
 * only if all accesses are the same in both are times compared. */
#ifndef PSC_MONITOR_PROCESS_COPIES_H
#define PSC_MONITOR_PROCESS_COPIES_H

#include "monitor/address/address_map.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

enum {
	VERIFY_RUNS = 2,                /* executions of a copy at most */
	VERIFY_ENTRIES = 8192
};
enum verify_stage { VERIFY_MAKING, VERIFY_INSIDE, VERIFY_BETWEEN };

/* Memory that a copy shares with the monitor. */
struct verify_page {
	_Atomic uint32_t stage;         /* enum verify_stage */
	_Atomic uint32_t runs;          /* executions completed */
	_Atomic uint32_t refusal;       /* enum mon_refusal */
	uint32_t detail;
	uint64_t cpu_ns[VERIFY_RUNS];
	struct pscm_digest digest[VERIFY_RUNS]; /* of copies that record */
};

/* What a copy needs to know; made before it is copied. */
struct verify_job {
	struct verify_page *page;
	struct pscm_thread *thread;
	const struct pscm_span *range;  /* whole pages of the object */
	size_t nranges;
	char *maps;                     /* for the text of /proc/self/maps */
	size_t maps_bytes;
	uint64_t *entries;              /* for VERIFY_ENTRIES of /proc/self/pagemap */
	uint64_t page_bytes;
	uint64_t memory;                /* bytes that the copy may add */
	uint64_t seconds;               /* limit of its processor time */
	bool aliased, recorded;
};

/* True in a copy. */
extern bool pscm_verify_copy;

/* Bytes that the machine and the control groups around the process have left; 0: not known. */
uint64_t verify_memory_free(void);

/* In a copy, before any code of the program: confines it and begins its first execution.  Does not
 * return where that fails. */
void verify_copy_make(const struct verify_job *j);
/* In a copy, at the boundaries. */
void verify_copy_begin(void);
void verify_copy_end(bool is_void);

/* Runs copies from the boundary where the execution begins and fills r->verified.  True: the caller
 * is a copy and must return to the program's code at once, without a system call. */
bool pscm_verify(struct mon_request *r, struct pscm_thread *t);

#endif
