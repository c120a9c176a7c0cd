/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the attributes of the data model (properties/model.asl) by name. */
#include "analysis/measure/attribute_names.h"
#include "analysis/measure/flow_scaling.h"
#include "analysis/measure/use_intervals.h"
#include "analysis/measure/mpi_messages.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define COST (COUNTED | MISSES | STALLS | THREADS)
#define ESTIMATED(field) ESTIMATE, COST, offsetof(struct tally_estimate, field)
#define ESTIMATED_AROUND(field) \
	REGION_ESTIMATE, COUNTED | MISSES | THREADS, offsetof(struct tally_estimate, field)

static const struct {
	const char *name;
	enum attribute_source source;
	uint32_t is;
	size_t offset;
} names[] = {
#define EXACT COUNTED
#define SCALED (COUNTED | MISSES)
#define COUNTER_ONE(name, cell, sample, column, attribute) \
	{ attribute, COUNT, sample, offsetof(struct tally, name) },
#define COUNTER_REUSE(name, cell, column, attribute) \
	{ attribute, REUSE, COUNTED | MISSES, offsetof(struct tally, name) },
#include "base/counters.def"
	{ "region", REGION, 0, 0 },
	{ "process", PROCESS, 0, 0 },
	{ "structure", STRUCTURE, 0, 0 },
	{ "phase", PHASE_REGION, 0, 0 },
	{ "name", NAME, 0, 0 },
	{ "file", FILE_NAME, 0, 0 },
	{ "line", LINE, 0, 0 },
	{ "type", REGION_TYPE, 0, 0 },
	{ "size", SIZE, 0, 0 },
	{ "scope", SCOPE, 0, 0 },
	{ "storage", STORAGE, 0, 0 },
	{ "rank", RANK, 0, 0 },
	{ "exec_time", EXEC_TIME, 0, 0 },
	{ "region_exec_time", EXEC_TIME, 0, 0 },
	{ "wall_time", WALL_TIME, 0, 0 },
	{ "cpu_time", CPU_TIME, 0, 0 },
	{ "time_spread", TIME_SPREAD, NOISE, 0 },
	{ "calls", CALLS, 0, 0 },
	{ "phase_time", PHASE_TIME, 0, 0 },
	{ "nThreads", NTHREADS, 0, 0 },
	{ "parT_spread", TEAM_SPREAD, NOISE, 0 },
	{ "away_time", AWAY_TIME, NOISE, 0 },
	{ "parT", THREAD_TIME, 0, 0 },
	{ "waitT", THREAD_WAIT, 0, 0 },
	{ "startT", THREAD_STARTUP, 0, 0 },
	{ "nProcesses", NPROCESSES, 0, 0 },
	{ "memory_access", REFS, COUNTED, 0 },
	{ "memory_access_lasting", REFS_LASTING, COUNTED, 0 },
	{ "fetched_bytes", FETCHED_FIRST, COUNTED | MISSES, 0 },
	{ "lines_fetched_bytes", FETCHED_LAST, COUNTED | MISSES, 0 },
	{ "writeback_bytes", WRITEBACK, COUNTED, 0 },
	{ "prefetched_lines", PREFETCHED, COUNTED, 0 },
	{ "prefetch_hits", PREFETCH_USED, COUNTED, 0 },
	{ "stall_cycles", STALL_CYCLES, COUNTED | MISSES | STALLS, 0 },
	{ "miss_latency_sum", STALL_CPU, COST, 0 },
	{ "est_stall", ESTIMATED(stall) },
	{ "est_stall_low", ESTIMATED(low) },
	{ "est_stall_high", ESTIMATED(high) },
	{ "core_time", ESTIMATED(core) },
	{ "branch_time", ESTIMATED(branches) },
	{ "walk_time", ESTIMATED(walks) },
	{ "conflict_time", ESTIMATED(conflict) },
	{ "capacity_time", ESTIMATED(capacity) },
	{ "stream_time", ESTIMATED(memory[MEMORY_STREAM]) },
	{ "strided_time", ESTIMATED(memory[MEMORY_STRIDED]) },
	{ "gather_time", ESTIMATED(memory[MEMORY_GATHER]) },
	{ "guessed_time", ESTIMATED(memory[MEMORY_GUESSED]) },
	{ "chained_time", ESTIMATED(memory[MEMORY_CHAINED]) },
	{ "sharing_time", ESTIMATED(memory[MEMORY_SHARING]) },
	{ "copy_time", ESTIMATED(memory[MEMORY_COPY]) },
	{ "bandwidth_time", ESTIMATED(traffic) },
	{ "region_est_stall", ESTIMATED_AROUND(stall) },
	{ "region_bandwidth_time", ESTIMATED_AROUND(traffic) },
	{ "phase_est_stall_high", PHASE_ESTIMATE_HIGH, COUNTED | MISSES | THREADS, 0 },
	{ "phase_cpu_time", PHASE_CPU_TIME, 0, 0 },
	{ "memory_time", MEMORY_TIME, COST, 0 },
	{ "memory_kind", MEMORY_KIND, COUNTED | MISSES, 0 },
	{ "memory_class", MEMORY_CLASS, COUNTED | MISSES, 0 },
	{ "large_pages", LARGE_PAGES, COUNTED | MISSES, 0 },
	{ "capacity_distance", CAPACITY_DISTANCE, COUNTED | MISSES, 0 },
	{ "block_size", BLOCK_SIZE, COUNTED | MISSES, 0 },
	{ "reused_after", REUSED_AFTER, COUNTED | MISSES, 0 },
	{ "blocking", BLOCKING, COUNTED | MISSES, 0 },
	{ "region_access", REGION_REFS, COUNTED, 0 },
	{ "record_use", RECORD_TEXT, 0, 0 },
	{ "record_names", RECORD_NAMES, 0, 0 },
	{ "record_size", RECORD_SIZE, 0, 0 },
	{ "record_bytes_used", RECORD_BYTES, 0, 0 },
	{ "record_members", RECORD_ALL, 0, 0 },
	{ "record_members_used", RECORD_USED, 0, 0 },
	{ "indexed", INDEXED, 0, 0 },
	{ "nodes", NODES, 0, 0 },
	{ "copies", COPIES, 0, 0 },
	{ "copied_for", COPY_CALLEES, 0, 0 },
	{ "copied_for_names", COPY_CALLEES_TEXT, 0, 0 },
	{ "copied", COPIED_TEXT, COUNTED, 0 },
	{ "coherence_miss", COHERENCE, COUNTED | BETWEEN, 0 },
	{ "false_sharing_miss", FALSE_SHARING, COUNTED | BETWEEN, 0 },
	{ "true_sharing_miss", TRUE_SHARING, COUNTED | BETWEEN, 0 },
	{ "false_sharing_time", FALSE_TIME, COUNTED | BETWEEN | STALLS, 0 },
	{ "true_sharing_time", TRUE_TIME, COUNTED | BETWEEN | STALLS, 0 },
	{ "shared_lines", SHARED_LINES, COUNTED, 0 },
	{ "locks", LINE_LOCKS, COUNTED, 0 },
	{ "locks_updated", LINE_LOCKS_UPDATED, COUNTED, 0 },
	{ "updated_bytes", LINE_UPDATED, COUNTED, 0 },
	{ "local_access", LOCAL, COUNTED | MISSES | PLACED, 0 },
	{ "remote_access", REMOTE, COUNTED | MISSES | PLACED | FAR, 0 },
	{ "faults", FAULTS, COUNTED | FAULTING, 0 },
	{ "fault_time", FAULT_TIME, COUNTED | FAULTING | THREADS, 0 },
	{ "fault_cause", FAULT_CAUSE, COUNTED, 0 },
	{ "fault_block", FAULT_BLOCK, COUNTED, 0 },
	{ "fault_left", FAULT_LEFT, COUNTED, 0 },
	{ "fault_blocks", FAULT_BLOCKS, COUNTED, 0 },
	{ "whole_run", WHOLE_RUN, 0, 0 },
	{ "mpi_calls", MPI_FIGURE, CALLED, MPI_CALLS },
	{ "mpi_time", MPI_FIGURE, CALLED, MPI_TIME },
	{ "mpi_sent", MPI_FIGURE, CALLED, MPI_SENT },
	{ "mpi_received", MPI_FIGURE, CALLED, MPI_RECEIVED },
	{ "mpi_messages", MPI_FIGURE, CALLED, MPI_MESSAGES },
	{ "late_sender_time", MPI_FIGURE, CALLED, MPI_LATE_SENDER },
	{ "late_receiver_time", MPI_FIGURE, CALLED, MPI_LATE_RECEIVER },
	{ "collective_wait_time", MPI_FIGURE, CALLED, MPI_COLLECTIVE },
	{ "barrier_wait_time", MPI_FIGURE, CALLED, MPI_BARRIER },
	{ "late_rank", MPI_RANK, CALLED, 0 },
	{ "late_cause", MPI_CAUSE, CALLED, 0 },
	{ "nNodes", FLOW_NUMBER, COUNTED, FLOW_NODES },
	{ "nIntervals", FLOW_NUMBER, COUNTED, FLOW_INTERVALS },
	{ "first_thread", FLOW_NUMBER, COUNTED, FLOW_FIRST },
	{ "interval_thread", FLOW_NUMBER, COUNTED, FLOW_THREAD },
	{ "interval_structure", FLOW_NUMBER, COUNTED, FLOW_STRUCTURE },
	{ "first_structure", FLOW_NAME, COUNTED, 0 },
	{ "interval_begin", FLOW_FIGURE, COUNTED, FLOW_BEGIN },
	{ "interval_end", FLOW_FIGURE, COUNTED, FLOW_END },
	{ "interval_read_access", FLOW_FIGURE, COUNTED, FLOW_READS },
	{ "interval_write_access", FLOW_FIGURE, COUNTED, FLOW_WRITES },
	{ "interval_llc_miss", FLOW_FIGURE, COUNTED | MISSES, FLOW_MISSES },
	{ "access_by_thread", FLOW_FIGURE, COUNTED, FLOW_ACCESS },
	{ "served_by_node", FLOW_FIGURE, COUNTED | MISSES | PLACED, FLOW_SERVED },
	{ "first_use", FLOW_FIGURE, COUNTED, FLOW_FIRST_USE },
	{ "last_use", FLOW_FIGURE, COUNTED, FLOW_LAST_USE },
	{ "last_write", FLOW_FIGURE, COUNTED, FLOW_LAST_WRITE },
	{ "access_after_write", FLOW_FIGURE, COUNTED, FLOW_AFTER_WRITE },
	{ "written_bytes", STORED, COUNTED | OVERWRITES, offsetof(struct tally, stored) },
	{ "overwritten_bytes", STORED, COUNTED | OVERWRITES, offsetof(struct tally, overwritten) },
	{ "overwritten_first", STORED, COUNTED | OVERWRITES,
		offsetof(struct tally, overwritten_first) },
	{ "touched_bytes", FLOW_FIGURE, COUNTED, FLOW_TOUCHED },
	{ "use", FLOW_USE, COUNTED, 0 },
	{ "nUsers", FLOW_NUMBER, COUNTED, FLOW_USERS },
	{ "nUserNodes", FLOW_NUMBER, COUNTED, FLOW_USER_NODES },
	{ "nThreadNodes", FLOW_NUMBER, COUNTED, FLOW_THREAD_NODES },
	{ "home_node", FLOW_NUMBER, COUNTED | MISSES | PLACED, FLOW_HOME },
	{ "home_share", FLOW_FIGURE, COUNTED | MISSES | PLACED, FLOW_HOME_PART },
	{ "home_load", FLOW_FIGURE, COUNTED | MISSES | PLACED, FLOW_LOAD },
	{ "first_toucher", FLOW_NUMBER, COUNTED | PLACED, FLOW_TOUCHER },
	{ "first_toucher_share", FLOW_FIGURE, COUNTED | PLACED, FLOW_TOUCHER_PART },
	{ "one_user_share", FLOW_FIGURE, COUNTED, FLOW_ONE_USER },
	{ "group_share", FLOW_FIGURE, COUNTED, FLOW_IN_GROUP },
	{ "elsewhere_share", FLOW_FIGURE, COUNTED | PLACED, FLOW_ELSEWHERE },
	{ "remote_time", FLOW_REMOTE_TIME, COST | PLACED | FAR, 0 },
	{ "nCPUs", FLOW_CPUS, 0, 0 },
	{ "lines_at", FLOW_SCALED, COUNTED | MISSES, SCALED_LINES },
	{ "lines_at_least", FLOW_SCALED, COUNTED | MISSES, SCALED_LINES_LOW },
	{ "lines_at_most", FLOW_SCALED, COUNTED | MISSES, SCALED_LINES_HIGH },
	{ "busy_node_at", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_NODE },
	{ "busy_share_at", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_SHARE },
	{ "busy_share_at_least", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_SHARE_LOW },
	{ "busy_share_at_most", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_SHARE_HIGH },
	{ "busy_load_at", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_LOAD },
	{ "busy_part_at", FLOW_SCALED, COUNTED | MISSES | PLACED, SCALED_PART },
	{ "structures", FLOW_OBJECTS, COUNTED, 0 },
	{ "users", FLOW_USERS_TEXT, COUNTED, 0 },
	{ "allocated_at", FLOW_ALLOCATED_TEXT, 0, 0 },
	{ "first_touched_by", FLOW_TOUCHER_TEXT, PLACED, 0 },
	{ "first_touched_at", FLOW_TOUCHED_TEXT, PLACED, 0 },
	{ "lat_remote", REMOTE_LOADS, COUNTED | MISSES | PLACED | FAR, 0 },
};

/* lc<N>_data_miss, lc<N>_data_read_miss, lc<N>_data_write_miss; llc_...: of the last level;
 * tlb_... */
static bool miss_attr(const char *name, struct attribute *a)
{
	static const struct { const char *tail; uint32_t which; } tails[] = {
		{ "_data_miss", BOTH }, { "_data_read_miss", LOADS },
			{ "_data_write_miss", STORES },
	};
	const char *tail;

	if (strncmp(name, "llc_", 4) == 0 || strncmp(name, "tlb_", 4) == 0) {
		a->level = 0;
		tail = name + 3;
	} else if (strncmp(name, "lc", 2) == 0 && name[2] >= '1' && name[2] <= '9') {
		a->level = (uint32_t)(name[2] - '0');
		tail = name + 3;
	} else {
		return false;
	}
	for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
		if (strcmp(tail, tails[i].tail) == 0) {
			a->source = *name == 't' ? TLB_MISS : MISS;
			a->is = *name == 't' ? COUNTED : COUNTED | MISSES;
			a->which = tails[i].which;
			return true;
		}
	return false;
}

/* <class>_miss: of the nearest level; lc<N>_<class>_miss */
static bool class_attr(const char *name, struct attribute *a)
{
	static const struct { const char *tail; enum memory_class class; } tails[] = {
		{ "stream_miss", MEMORY_STREAM }, { "strided_miss", MEMORY_STRIDED },
		{ "gather_miss", MEMORY_GATHER }, { "guessed_miss", MEMORY_GUESSED },
		{ "chained_miss", MEMORY_CHAINED },
	};
	const char *tail = name;

	if (strncmp(name, "lc", 2) == 0 && name[2] >= '1' && name[2] <= '9' && name[3] == '_') {
		a->level = (uint32_t)(name[2] - '0');
		tail = name + 4;
	}
	for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
		if (strcmp(tail, tails[i].tail) == 0) {
			a->source = CLASS_MISS;
			a->is = COUNTED | MISSES;
			a->class = tails[i].class;
			return true;
		}
	a->level = 0;
	return false;
}

/* lat<N> */
static bool latency_attr(const char *name, struct attribute *a)
{
	char *end;
	unsigned long cycles;

	if (strncmp(name, "lat", 3) != 0 || name[3] < '1' || name[3] > '9')
		return false;
	cycles = strtoul(name + 3, &end, 10);
	if (*end || cycles > UINT32_MAX)
		return false;
	a->source = LATENCY;
	a->is = COUNTED | MISSES;
	a->cycles = (uint32_t)cycles;
	return true;
}

struct attribute attribute_find(const char *name)
{
	struct attribute a = { .source = UNKNOWN_ATTRIBUTE };

	if (strncmp(name, "event_", 6) == 0) {
		a.source = EVENT;
		a.is = EVENTS;
		a.metric = name + 6;
		return a;
	}
	if (miss_attr(name, &a) || class_attr(name, &a) || latency_attr(name, &a))
		return a;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (*names[i].name && strcmp(names[i].name, name) == 0)
			a = (struct attribute){ .source = names[i].source, .is = names[i].is,
				.offset = names[i].offset };
	return a;
}
