/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of results (result_rows.def lists them).  Part of shm.h, which includes it behind the
 * limits that the rows have. */
#ifndef PSC_MONITOR_ROW_TYPES_H
#define PSC_MONITOR_ROW_TYPES_H

enum mon_brief {
	MON_BRIEF_NOT,
	MON_BRIEF_YES,          /* without markers of its own, a part of its caller's time */
	MON_BRIEF_NEVER         /* its markers must stay: a team, a wait, or a place where control
				 * lands */
};

/* Times of one context in one counted execution, for one thread; of the first recorded and
 * counted one its calls alone.  All times are inclusive.  What a thread
 * of a team does counts also to the contexts around the one that forked the team: there the thread
 * has no wall time and no calls of its own. */
struct mon_time_row {
	uint32_t context, thread, execution;
	uint32_t brief;         /* enum mon_brief */
	uint64_t wall_ns;
	uint64_t cpu_ns;        /* processor time, waits left out */
	uint64_t wait_ns;       /* wall time in which it waited for other threads */
	uint64_t startup_ns;    /* of a team's region: from the fork to the begin of the thread's
				 * part; not inclusive */
	uint64_t calls;
	/* Page faults that read nothing from a device, and system time by ticks of the clock; of
	 * the executions in which threads read them (monitor/collect/kernel_counts.h). */
	uint64_t faults, sys_ns;
	/* Of an execution counted in slices: pieces of the context, and
	 * of these the counted ones. */
	uint64_t pieces, counted;
};

/* What the processor's own samples tell of the accesses of a row of counts. */
enum mon_sampled {
	/* Loads of which they tell the latency: all, and of these those of 4, 8 ... 4096 cycles or
	 * more. */
	MON_TIMED,
	MON_SLOW,
	MON_SLOW_END = MON_SLOW + 11,
	/* Misses of the last level of which both are known, the node of the page and the CPU, and
	 * the unit's word of where the line came from: another node by none of them, by the page
	 * alone, by the unit alone, by both. */
	MON_NEAR = MON_SLOW_END,
	MON_FAR_BY_PAGE,
	MON_FAR_BY_UNIT,
	MON_FAR,
	MON_SAMPLED
};
enum { MON_LATENCY_LEAST = 4, MON_LATENCY_MOST = 4096 };

/* Counts of one context (exclusive: while it was the innermost), one object and one thread, summed
 * over the counted executions.  Rows of variants are for the whole phase, in context 0. */
struct mon_count_row {
	uint32_t context, object, thread;
	uint32_t variant;       /* 0: the program as it is; n: the request's variant n - 1 */
	uint32_t node, pad;     /* node: of the machine model, where the thread ran */
#define COUNTER_ONE(name, ...) uint64_t name;
#define COUNTER_ROW(name, ...) uint64_t name;
#define COUNTER_PAIR(name, ...) uint64_t name[2];
#define COUNTER_LEVEL(name, ...) uint64_t name[MACHINE_LEVELS];
#define COUNTER_TLB(name, ...) uint64_t name##_miss[MACHINE_TLBS][2];
#define COUNTER_REUSE(name, ...) uint64_t name[REUSE_CLASSES];
#define COUNTER_NODE(name, ...) uint64_t name[MACHINE_NODES][2];
#include "base/counters.def"
	/* With a sample, miss counts are scaled.  This is their share by group of classes, [1]:
	 * stores (mon_sample_parts() computes the error).  Coherence misses are not sampled and in
	 * no group.  With slices all counts are scaled, and groups of slices may be negative. */
	float group[MACHINE_LEVELS][2][MON_GROUPS];
	float sampled[MON_SAMPLED];     /* enum mon_sampled; all 0: the processor sampled nothing */
};

/* A cache line for which several threads contend, one of the worst of its object. */
struct mon_line {
	uint32_t object, bytes; /* bytes: size of the line */
	int64_t offset;         /* of its first byte in the object */
	uint64_t false_sharing, true_sharing;
	uint64_t locks;         /* 64ths of the line in which locks lie
				 * (simulate/coherence/share.h) */
	uint32_t nlocks;        /* locks with bytes in it */
	uint32_t nupdated;      /* of them, those that several threads write */
	uint32_t nthreads;      /* threads that touched it; MON_LINE_THREADS are listed */
	uint32_t thread[MON_LINE_THREADS];
	/* one bit per 64th of the line */
	uint64_t read[MON_LINE_THREADS], written[MON_LINE_THREADS];
	/* Where the line begins in the block of the object, of those that it may have, that the
	 * thread used there: bytes; blocks begin at these addresses. */
	int64_t in_block[MON_LINE_THREADS];
	uint64_t block[MON_LINE_THREADS];       /* 0: not known; in_block is 0 */
	uint32_t used[MON_LINE_THREADS];        /* the object that it uses there, as of the first
						 * byte; 0: not known */
};

/* Misses of one source line: of a context (exclusive) and an object, summed over the threads and
 * the counted executions; of the program as it is.  At most MON_SITES_EACH lines of one context and
 * object, those with most misses; the rest is in line 0, so that the rows of a context and object
 * sum to its misses in the rows of counts.  No rows: nothing missed, there are too
 * many, or no line is known. */
struct mon_site {
	uint32_t context, object;
	uint32_t line;          /* of the region's file; 0: not known */
	uint32_t zero;
	uint64_t first, last;   /* misses of the nearest level, of the last level */
};

/* Tells what bursts hold that began in one context: so many words of a context, in so many
 * bursts.  context MON_ANY: words that they lack because something ended them early, and words of
 * rows that did not fit. */
struct mon_burst_words {
	uint32_t begins, context;
	uint64_t words, bursts;
};

/* How the accesses of a source line move through an object (simulate/cache/walk_table.h): of a
 * context (exclusive), a thread and the counted executions, by the size of the accesses.  Of a
 * sample: figures are shares. */
struct mon_walk {
	uint32_t context, object, thread;
	uint32_t line;          /* of the region's file; 0: not known */
	uint32_t size;          /* bytes of an access; 0: blocks (memcpy, memset) */
	uint32_t store;         /* 1: with stores */
	uint32_t per, bytes;    /* accesses of one execution of the code, bytes that they touch
				 * together */
	uint64_t seen;          /* moves in the sample; blocks: their number */
	uint64_t length;        /* blocks: the sum of their bytes */
	int64_t step[MON_WALK_STEPS];           /* the commonest moves, in bytes */
	uint64_t moves[MON_WALK_STEPS];         /* their numbers; 0: none */
};

/* A part of the timeline of a thread in the counted executions (simulate/cache/column_writer.h);
 * the parts of a thread, one behind the other, are its log.  Of requests without filters and
 * variants that were not counted in slices. */
struct mon_columns {
	uint32_t thread;
	int32_t number;         /* of the thread in its team; -1: it was in none */
	uint32_t bytes;         /* of `log` */
	uint32_t node;          /* where the thread ran */
	uint64_t width;         /* references of its first columns */
	uint64_t left_out;      /* in a thread's first part: references of columns that are not in
				 * the log */
	uint8_t log[MON_COLUMN_BYTES];
};

/* Accesses and misses of a thread in a row of an object, in a column of the first counted execution
 * (simulate/cache/map_counts.h). Row r is byte r * bytes / MON_MAP_ROWS and on of the block at lo;
 * MON_MAP_ROWS: all of [lo, lo + bytes), a piece of memory that several blocks touch. */
struct mon_map {
	uint32_t object, thread;
	uint64_t from, width;   /* positions in the execution: the column's begin, its references */
	uint64_t lo, bytes;
	uint32_t row;
	uint32_t reads, writes;
	uint32_t sampled;       /* of these: from records that stand for others, too */
	uint32_t first_misses, last_misses;     /* of the nearest and of the last level */
};

/* Rows of an object of struct mon_map whose pages one thread touched first since the program began:
 * more than half of the pages of each row that lie in the block as a whole. */
struct mon_touch {
	uint32_t object, thread;
	uint32_t from, to;      /* rows, from..to - 1 */
	uint64_t bytes;         /* of the block */
};

/* Bytes of an object, in the parts of pages and blocks that the experiment's executions use, by the
 * thread that touched them first since the program began, their node, and those that use them.  Of
 * a sample where there are many parts. */
struct mon_locality {
	uint32_t object;
	uint32_t toucher;       /* MON_ANY: not known */
	uint32_t node, pad;     /* where the pages are; MON_ANY: not known */
	uint64_t users;         /* a bit for each thread that uses it, the last one for all from
				 * there on; all bits: several */
	uint64_t bytes;
	uint64_t code;          /* the instruction of most of these first touches, as an address of
				 * the executable's file; 0: not known */
};

/* How threads use a cache line in the recorded executions: one thread alone; several, and none
 * writes it, one does, or several do. */
enum mon_line_use { MON_USE_ONE, MON_USE_READ, MON_USE_ONE_WRITES, MON_USE_WRITTEN, MON_LINE_USES };

/* The lines in a row of an object of struct mon_map, whose place is said as there: how many are
 * used, by kind.  A line is in the row of its first byte. */
struct mon_use {
	uint32_t object, row;
	uint64_t lo, bytes;
	uint32_t lines[MON_LINE_USES];
};

/* One event of one context (exclusive: while it was the innermost), one thread, and one counted
 * execution; what the thread does while it waits for others is left out. */
struct mon_event_row {
	uint32_t context, thread, event, execution;
	uint64_t value;
	/* ns in which the event was to count, and did.  running < enabled: the kernel shares the
	 * counters among more events than there are. */
	uint64_t enabled, running;
};

/* Calls of MPI in a context (exclusive) and a clean execution, by all threads. */
struct mon_mpi_row {
	uint32_t context, execution;
	uint64_t calls, ns;
	uint64_t sent, received;        /* bytes */
	uint64_t messages;
	uint64_t unsized;               /* calls whose bytes are not all known */
};

/* An execution of a trial that counts, or the sum of those that are discarded at a slot's begin. */
struct mon_trial_row {
	uint32_t slot;          /* of the schedule */
	uint32_t discarded;     /* executions in the sum; 0: one that counts */
	uint64_t wall_ns, cpu_ns;       /* cpu_ns: processor time of the phase's thread */
	uint64_t memory;        /* bytes that the action is about, at the end (struct
				 * trial_action) */
};

/* A message at one of its ends, or a collective: base/mpi_calls.h.  begin, end: of
 * the call that completed it. */
struct mon_message_row {
	uint32_t kind;          /* enum psc_mpi_event_kind */
	uint32_t peer, tag, size;
	uint32_t context, execution;
	uint64_t communicator, number;
	uint64_t posted, begin, end;    /* monotonic clock, ns */
};

#endif
