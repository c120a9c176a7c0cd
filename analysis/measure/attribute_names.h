/* SPDX-License-Identifier: BSD-3-Clause */
/* The attributes of the data model (properties/model.asl) by name, each with the source of its
 * value and with flags that are known without the value. */
#ifndef PSC_MEASURE_ATTRIBUTE_NAMES_H
#define PSC_MEASURE_ATTRIBUTE_NAMES_H

#include "analysis/measure/measurements.h"

/* The source of an attribute's value.  Its parameters are in struct attribute. */
enum attribute_source {
	UNKNOWN_ATTRIBUTE,
	/* objects */
	REGION, PROCESS, STRUCTURE, PHASE_REGION,
	/* record_use.h */
	RECORD_TEXT, RECORD_NAMES, RECORD_SIZE, RECORD_BYTES, RECORD_ALL, RECORD_USED, INDEXED,
	NODES,
	/* copy_use.h */
	COPIES, COPY_CALLEES, COPY_CALLEES_TEXT, COPIED_TEXT,
	/* of Region, DataStructure, Process */
	NAME, FILE_NAME, LINE, REGION_TYPE, SIZE, RANK, SCOPE, STORAGE,
	/* times */
	EXEC_TIME, WALL_TIME, CPU_TIME, TIME_SPREAD, TEAM_SPREAD, AWAY_TIME, CALLS, PHASE_TIME,
	NTHREADS, THREAD_TIME, THREAD_WAIT, THREAD_STARTUP, NPROCESSES,
	/* counts; COUNT: a counter as it is; STORED: one of those that are counted on request */
	COUNT, STORED, REFS, REFS_LASTING, MISS, TLB_MISS, LATENCY, FETCHED_FIRST, FETCHED_LAST,
	WRITEBACK, PREFETCHED, PREFETCH_USED, STALL_CYCLES, STALL_CPU, REGION_REFS, CLASS_MISS,
	REUSE,
	/* estimates; ESTIMATE: a field of struct tally_estimate */
	ESTIMATE, REGION_ESTIMATE, PHASE_ESTIMATE_HIGH, PHASE_CPU_TIME, MEMORY_TIME, MEMORY_KIND,
	MEMORY_CLASS, LARGE_PAGES, CAPACITY_DISTANCE, BLOCK_SIZE, REUSED_AFTER, BLOCKING,
	COHERENCE, FALSE_SHARING, TRUE_SHARING, FALSE_TIME, TRUE_TIME, SHARED_LINES, LINE_LOCKS,
	LINE_LOCKS_UPDATED, LINE_UPDATED, LOCAL, REMOTE, REMOTE_LOADS,
	/* page faults (fault_costs.h) */
	FAULTS, FAULT_TIME, FAULT_CAUSE, FAULT_BLOCK, FAULT_LEFT, FAULT_BLOCKS, WHOLE_RUN,
	/* events of the kernel: event_<metric> (event_counts.h) */
	EVENT,
	/* calls of MPI; MPI_FIGURE: `offset` is enum mpi_figure */
	MPI_FIGURE, MPI_RANK, MPI_CAUSE,
	/* flows (use_intervals.h); FLOW_FIGURE: `offset` is enum flow_figure */
	FLOW_FIGURE, FLOW_NUMBER, FLOW_USE, FLOW_NAME, FLOW_REMOTE_TIME, FLOW_USERS_TEXT,
	FLOW_ALLOCATED_TEXT, FLOW_TOUCHED_TEXT, FLOW_TOUCHER_TEXT,
	FLOW_SCALED, FLOW_CPUS, FLOW_OBJECTS /* FLOW_SCALED: `offset` is enum flow_scaling_figure */
};

enum { LOADS = 1, STORES = 2, BOTH = 3 };

/* Flags of an attribute, known without its value. */
enum {
	COUNTED = 1,            /* needs counts */
	MISSES = 2,
	/* misses, or computed from them: --sample estimates it.  Accesses and
				   coherence misses are exact with --sample too */
	STALLS = 4,             /* a cost of misses, in cycles or s */
	BETWEEN = 8,            /* coherence misses */
	PLACED = 16,            /* needs the memory nodes of pages */
	FAR = 32,               /* accesses to remote memory */
	THREADS = 64,           /* thread-seconds: a share is of the phase's processor time */
	EVENTS = 512,           /* counted by the kernel or the processor */
	CALLED = 1024,           /* needs the calls of MPI (monitor/mpi/) */
	FAULTING = 2048,        /* a cost of page faults */
	OVERWRITES = 4096,      /* needs the stores that are overwritten unread */
	NOISE = 256             /* how much the times of clean executions vary */
};

struct attribute {
	enum attribute_source source;
	uint32_t is;            /* flags */
	size_t offset;          /* COUNT, STORED: of the field in struct tally; ESTIMATE and
				 * REGION_ESTIMATE: in its estimate */
	enum memory_class class;        /* CLASS_MISS */
	uint32_t level;         /* MISS: number of the cache level; 0: the last one */
	uint32_t which;         /* MISS, TLB_MISS */
	uint32_t cycles;        /* LATENCY */
	const char *metric;     /* EVENT; borrowed: the tail of the name that was looked up */
};

/* The source is UNKNOWN_ATTRIBUTE where the data model has no such name. */
struct attribute attribute_find(const char *name);

#endif
