/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory over one execution of the phase: what each process's counted execution did, cut into
 * columns.  A thread's *position* is its number of counted references since the execution began;
 * column c holds the references from c * width to (c + 1) * width of each thread, the last column
 * all others.  Further executions are added to the same columns.
 *
 * All counts are sums over the executions, so that over all columns they sum to `executions` times
 * the figures of the table (struct report_cost). */
#ifndef PSC_REPORT_TIMELINE_SERIES_H
#define PSC_REPORT_TIMELINE_SERIES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/region.h"
#include "report/model/ledger_cause.h"

/* Counts by a number (a column, or what the field says); those that are 0 are left out. */
struct report_point { uint32_t at; int64_t value; };    /* value > 0 */
struct report_series {
	const struct report_point *point;       /* in the order of `at`, each once */
	int n;
};
/* As text, in all files: "GAP VALUE GAP VALUE ..": GAP is `at`, less that of the point before. */

/* Accesses by address are drawn of one record in so many accesses, or of a loop of more. */
enum { TIMELINE_DRAWN = 256 };  /* MAP_ACCESSES (simulate/cache/map_counts.h) */
enum {
	TIMELINE_LEVELS = 4,
	TIMELINE_COLUMNS = 512,
	TIMELINE_ROWS = 256,
	TIMELINE_CLASSES = 6,
	TIMELINE_THREADS = 1024
};
/* The most that one series may be indexed by. */
#define TIMELINE_INDEX_MOST (UINT32_C(1) << 20)

struct report_time_region {
	enum region_type type;
	const char *name;               /* as in struct report_cost: "ssor.f:ssor/loop 2" */
	const char *file;
	int line;
	int parent;                     /* its number in `regions`, from 1; 0: the phase's own */
	/* s: of a clean execution, without the regions in it; NAN */
	double time;
};

/* How threads use a cache line in the recorded executions: one thread alone; several, and none
 * writes it, one does, or several do. */
enum line_use { LINE_ONE, LINE_READ, LINE_ONE_WRITES, LINE_WRITTEN, LINE_USES };

/* Who touched a structure's pages first. */
enum first_touch { TOUCH_UNKNOWN, TOUCH_COUNTED, TOUCH_BEGIN, TOUCHES };

struct report_time_structure {
	/* the object's own; "" of memory that has none, or is `joined` */
	const char *name;
	const char *scope;              /* as in struct report_node; NULL */
	const char *declared;           /* "file:line"; NULL */
	int64_t bytes;                  /* 0: not known */
	int blocks;                     /* of the heap that it is made of; 0: one static object */
	/* Where it is not one block in all threads: its rows are the pieces of memory that its
	 * blocks touch, of piece_bytes each, in order of address and without what lies between; so
	 * many are used.  0: one block. */
	int pieces;
	int64_t piece_bytes;
	/* Bytes that the executions touched, from..to, of its rows; -1: not known. */
	int64_t used_from, used_to;
	/* By row: 1 + the thread that touched it first; TOUCH_BEGIN: more than half of its pages,
	 * since the program began. */
	struct report_series toucher;
	enum first_touch touched;
	/* By row * LINE_USES + enum line_use: lines whose first byte is in the row and that threads
	 * use so; empty: not known. */
	struct report_series lines;
	const char *allocated_at;       /* "file:line" of its allocation; NULL */
	int allocated_by;               /* thread; -1: not known */
	/* Blocks of 256 bytes and more that an execution allocates and releases, of those that
	 * allocate any; NAN: none does. */
	double allocations, releases;
	/* Misses of the nearest level of an execution by reuse distance (base/reuse_classes.h);
	 * empty: not known. */
	struct report_series reuse;
	/* all structures that are too small for rows of their own, together */
	bool joined;
	/* Of memory without a name: what it is; LEDGER_UNKNOWN: all that has no name. */
	enum ledger_cause cause;
};

/* What a thread does in a region with a structure. */
struct report_time_cell {
	int region, structure;          /* numbers in `regions`, `structures`, from 1 */
	/* OpenMP's number; other threads are counted on behind them */
	int thread;
	struct report_series reads, writes, bytes;
	/* of the levels, coherence misses among them */
	struct report_series misses[TIMELINE_LEVELS];
	struct report_series coherent;  /* coherence misses, each counted once */
	/* Misses of the last level by column * TIMELINE_CLASSES + enum miss_class
	 * (simulate/cache/sim.h). */
	struct report_series kinds;
	/* Misses of the last level by column * nodes + memory node that served them. */
	struct report_series served;
	/* The same by column * modules + module (timeline_modules()); empty: not known. */
	struct report_series channels;
};

/* The misses of a structure in a source line, by column. */
struct report_time_line {
	const char *file;
	int line;
	int region, structure, thread;
	struct report_series first_misses, last_misses;
};

/* Accesses and misses of a structure by address, by column * rows + row.  Row r of R is byte r *
 * bytes / R and on of a structure that is one block, else piece r.  Reads and writes are drawn of a
 * sample, and where it is sparse spread as the misses are; misses, of the nearest and of the last
 * level, are a larger sample.  All are of the first execution, scaled to the cells' by column. */
struct report_time_map {
	int structure, thread;
	struct report_series reads, writes, first_misses, last_misses;
};

/* How the accesses of a source line move through a structure, of all threads: of a sample of them
 * (simulate/cache/walk_table.h), by the size of an access. */
struct report_line_walk {
	const char *file;
	int line;
	int region, structure;
	bool writes;                    /* else they only read */
	/* bytes of an access; 0: blocks that are copied or set (memcpy, memset) */
	int size;
	/* accesses of one execution of the code, and bytes from the first to the last of them */
	int per, span;
	/* moves in the sample, from one execution of the code to the next */
	int64_t seen;
	/* the commonest move, in bytes; share: of all moves that are such */
	int64_t step;
	double share;                   /* NAN: blocks */
	double length;                  /* of a block: mean of bytes; NAN */
};
/* What that is: nearly all moves are the same one, to bytes that follow those before, forwards or
 * backwards; the same, but with bytes left out between; one place again and again; no move is
 * common. */
enum line_walk_kind {
	LINE_WALK_BLOCK,
	LINE_WALK_UP,
	LINE_WALK_DOWN,
	LINE_WALK_STRIDED,
	LINE_WALK_STILL,
	LINE_WALK_IRREGULAR
};
enum line_walk_kind line_walk_kind(const struct report_line_walk *w);

/* A thread passed a barrier of its team.  Threads pass the barriers of one number together: views
 * stretch what lies between two of them to one length. */
struct report_time_mark {
	int thread;
	int number;                     /* of the barrier in the execution */
	int64_t at;                     /* position */
};

struct report_timeline {
	int process;
	int columns, rows;              /* rows 0: addresses were not drawn */
	int threads;
	int nodes;                      /* of the machine model's memory */
	/* Memory channels of each node by which misses are known; 0: the model has none, or the
	 * place in a page does not tell the channel: then node_channels has them.  A module is a
	 * node's channel: node * channels + channel. */
	int channels;
	/* of the model; bytes after which the next channel has its turn; 0: it has none */
	int node_channels, interleave;
	/* The machine model, for predictions (timeline_prediction.h): CPUs, those of a node, those
	 * that share a cache of the last level, its bytes and those of its lines; threads run on
	 * the sockets and nodes in turn (base/spread_cpus.h).  cpus 0: not known. */
	int cpus, node_cpus, cache_cpus, line;
	int64_t cache_bytes;
	bool spread;
	int sockets;
	/* by threads: MB/s that they read together, measured on this host */
	struct report_series bandwidth;
	/* by thread: 1 + the memory node of its CPU; none: not known */
	struct report_series thread_nodes;
	/* 1: counts are faults at sampled pages, and positions are microseconds; else 0 */
	int pages;
	int executions;
	int64_t width;                  /* references in a column */
	int64_t references;             /* of the thread that makes most, in an execution */
	double time;                    /* s: of a clean execution, of the slowest thread; NAN */
	int64_t left_out;               /* references whose columns did not fit into the log */
	/* records and misses of the sample by address that there was no room for */
	int64_t undrawn;
	/* share of the cache sets from which misses are estimated; NAN: all are counted */
	double sample_share;
	struct report_time_region *regions;
	int nregions;
	struct report_time_structure *structures;
	int nstructures;
	struct report_time_cell *cells;
	int ncells;
	struct report_time_line *lines;
	int nlines;
	struct report_line_walk *line_walks;    /* by file, line, region */
	int nline_walks;
	struct report_time_map *maps;
	int nmaps;
	struct report_time_mark *marks;
	int nmarks;
};
static inline int timeline_modules(const struct report_timeline *t)
{
	return t->channels * (t->nodes > 1 ? t->nodes : 1);
}
/* Processes whose timelines a report keeps: those of the lowest ranks. */
enum { REPORT_TIMELINES = 16 };

/* One structure of two processes: the same name, or kind of memory, scope and declaration. */
bool time_structure_same(const struct report_time_structure *a,
	const struct report_time_structure *b);
/* The bytes of a row of a structure; 0: addresses were not drawn. */
double time_row_bytes(const struct report_timeline *t, const struct report_time_structure *s);

int64_t series_sum(const struct report_series *s);
/* The value at a number; 0: none. */
int64_t series_at(const struct report_series *s, uint32_t at);

#endif
