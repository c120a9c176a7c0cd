/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from a timeline's rows: who uses what, when, from where to where.  Sums are over all
 * its executions, as the rows' are.  Everything here is about one process. */
#ifndef PSC_REPORT_TIMELINE_FACTS_H
#define PSC_REPORT_TIMELINE_FACTS_H

#include <stdbool.h>
#include "report/model/timeline_axis.h"

/* Classes of misses: the numbers of enum miss_class (simulate/cache/sim.h). */
enum {
	TIMELINE_GATHER,
	TIMELINE_STREAM,
	TIMELINE_STRIDED,
	TIMELINE_BRANCH,
	TIMELINE_CONTROL,
	TIMELINE_CHAINED
};

/* Sums of cells. */
struct time_sums {
	int64_t reads, writes, bytes;
	int64_t misses[TIMELINE_LEVELS];
	int64_t coherent;
	int64_t memory;                 /* misses of the last level */
	/* of these, from another node than the thread's, as far as it is known */
	int64_t far;
	/* of these, those whose node is known, as is the thread's */
	int64_t placed;
	int64_t kinds[TIMELINE_CLASSES];
};

/* A stretch of the axis in which one region, or what it calls, has most accesses. */
enum { TIME_RUNS = 8, TIME_RUN_NAMES = 3 };
struct time_run {
	int from, to;                   /* columns of the axis, from..to - 1 */
	int region;                     /* number in `regions`, from 1; 0: nothing is accessed */
	int64_t accesses;
	/* sections in it with a fifth of its accesses or more, in their order; 0: no further one */
	int named[TIME_RUN_NAMES];
	/* another run has the same sections by name: names want lines */
	bool alike;
};

/* How a structure is walked through in a run. */
enum time_walk {
	WALK_UNKNOWN,                   /* addresses were not drawn, or too few columns have it */
	WALK_UP, WALK_DOWN,             /* once, from one end to the other */
	WALK_UPS, WALK_DOWNS,           /* several times */
	WALK_ALL,                       /* nearly all of it in every column */
	/* no order shows, and most of its misses, or of the moves of its source lines, have none */
	WALK_RANDOM,
	WALK_STAY,                      /* in one place */
	WALK_MIXED                      /* in no order that shows */
};
struct time_step {
	int run;                        /* index */
	enum time_walk walk;
	/* UPS, DOWNS: walks; ALL: bytes accessed over bytes covered, 0: about one */
	int passes;
	/* twice as many bytes are accessed as are covered, or more */
	bool again;
	double window;                  /* bytes used in one column, mean */
	double covered;                 /* bytes of the rows that the run touches; 0: not known */
	/* enum miss_class of half of its misses of the last level, or more; -1 */
	int kind;
	/* enum line_walk_kind of half of the moves of its source lines there, or more; -1 */
	int line_kind;
	/* Bytes from one access to the next, without a sign, of the source lines that make most of
	 * its misses, if these leave out lines of the cache; 0: they do not. */
	int64_t stride;
	/* 2 and more: so many streams, the stride apart, at once: each line that is fetched is used
	 * from one end to the other before it leaves the first level */
	int streams;
	int64_t reads, writes, bytes, misses;   /* misses: of the first level */
};

/* Whose a row is: of the threads that use it in the executions. */
enum time_sharing {
	SHARING_NONE,                   /* never touched */
	/* of one thread, which touched it first as far as that is known */
	SHARING_PRIVATE,
	/* written by its first toucher, then used by one other thread alone */
	SHARING_HANDED,
	/* several threads read it; only its first toucher wrote it, or nobody */
	SHARING_READ,
	/* several threads use it, and not only its first toucher writes it */
	SHARING_WRITTEN,
	SHARINGS
};

/* How several threads share the time of a structure. */
enum time_pattern {
	/* Nobody uses it; or nothing is known of the time of its threads, as they are not aligned,
	 * or use it in columns in which one may follow the other. */
	PATTERN_UNKNOWN,
	PATTERN_EXCLUSIVE,              /* one thread alone, or nearly so */
	PATTERN_PARTS,                  /* at once, each a part of its own */
	PATTERN_TURNS,                  /* one at a time */
	PATTERN_CONCURRENT
};

/* Parts of a structure go to other threads from one run to a later one. */
struct time_hands {
	int from, to;                   /* indices of the runs */
	/* of the rows of which one thread has nearly all accesses in each of the two, the share
	 * of those whose thread is another one, at least a half; 0: there is no such change */
	double share;
};

struct time_structure {
	const struct report_time_structure *s;
	struct time_sums sums;
	double share;                   /* of all accesses, 0..1 */
	/* threads with a thousandth of its accesses, writes, or more */
	int users, writers;
	/* index of the structure that leads those always used together; its own: none */
	int leader;
	double *use;                    /* by column of the axis: accesses; NULL: too few of them */
	/* Used part. */
	int64_t from, to;               /* bytes; -1: not known */
	double used;                    /* share of the bytes between the ends; NAN */
	/* it has so few accesses that rows may have been left out of the sample */
	bool thin;
	/* share of the rows that are touched; NAN: addresses were not drawn, or a row is smaller
	 * than an access, which is drawn where it begins */
	double touched;
	/* Walks, a step for each run with a fiftieth of its accesses or more, in the order of
	 * time. */
	struct time_step step[TIME_RUNS];
	int nsteps;
	/* Sharing by row, of most of its lines; NULL: addresses were not drawn. */
	unsigned char *row;             /* enum time_sharing */
	/* Of each row the per cent of its lines that are of each kind, at row * SHARINGS + kind;
	 * all 0: lines are not known. */
	unsigned char *row_parts;
	/* the thread that touched it first; -1: none that is known */
	short *first;
	/* Share of the touched rows, by line where that is known; of NONE: of all rows. */
	double sharing[SHARINGS];
	enum time_sharing most;         /* of the touched rows, that of most; NONE: not known */
	/* that of most rows (nine tenths); -1: several, or not known */
	int toucher;
	struct time_hands hands;
	/* Pattern. */
	enum time_pattern pattern;      /* behind the filling, if there is one */
	int alone;                      /* EXCLUSIVE: that thread */
	bool nearly_alone;              /* .. others have accesses, each less than a thousandth */
	/* it is written first: by one thread before any other uses it, or by all before it is
	 * read */
	bool filled;
	int filled_by;                  /* that thread; -1: several, or not filled */
	int filled_to;                  /* column of the axis at which the filling ends */
	/* nobody writes it behind that; not filled: nobody writes it */
	bool read_only_after;
	/* share of its misses of the last level that another node serves; NAN: not known */
	double far;
};

/* In section `reader` a structure's rows are read that section `writer` wrote last. */
struct time_edge {
	int structure;                  /* index */
	int writer, reader;             /* numbers in `regions` */
	double share;                   /* of the rows that the reader reads */
	/* instead: the reader writes them, and nobody has read them between */
	bool overwritten;
};

enum { TIME_BESIDE = 8 };

/* The time of sections against their accesses.  Where they differ, an axis of accesses hides
 * time. */
struct time_pace {
	bool known;                     /* the time of the regions with most accesses is */
	/* By region, from 1: its clean time, s, which its accesses show; 0: not known, or it has
	 * hardly any, as where threads wait. */
	double *of_region;
	double idle;                    /* share of the time of regions with hardly any accesses */
	/* share of the time that lies elsewhere than the accesses do, 0..1 */
	double moved;
	/* the one with most time beyond its accesses, number in `regions` */
	int section;
	double time, accesses;          /* its share of the time and of the accesses */
};
/* True: an axis of time shows what an axis of accesses hides. */
bool time_pace_uneven(const struct time_pace *p);

struct time_facts {
	const struct report_timeline *t;
	struct arena *arena;
	struct time_axis axis;
	int columns;                    /* of the axis */
	struct time_sums all;
	int nearest;                    /* level - 1: the nearest that the machine has */
	struct time_sums *thread;       /* by thread */
	struct time_sums *both;         /* by structure * threads + thread */
	int *node;                      /* by thread: its memory node; -1: not known */
	/* by region: number of the first region of its routine on this path, or of its own loop
	 * where there is one routine alone */
	int *section;
	bool one_routine;
	/* thread whose accesses the runs are of; -1: all threads', whose order is known */
	int strip_of;
	/* what threads do in one column is at one time, as far as barriers and regions show */
	bool ordered;
	struct time_run run[TIME_RUNS];
	int nruns;
	/* by region: the run in which it has most accesses; -1: it has none */
	int *region_run;
	struct time_pace pace;
	struct time_structure *structure;
	int *order;                     /* indices of structures, most accesses first */
	/* the same, in the order in which views show them: misses, then accesses */
	int *shown;
	struct time_edge *edge;         /* of the structures with most accesses first */
	int nedges;
	/* sections that use no memory which another of them writes, nor what follows from it:
	 * numbers in `regions`; the largest such group; 0: none is known */
	int beside[TIME_BESIDE], nbeside;
};

/* The run at a column of the axis; -1. */
int time_run_at(const struct time_facts *f, int column);
/* The run in which a column of a region's cell is: by time, or where the order of threads is not
 * known, that of the region; -1. */
int time_run_of(const struct time_facts *f, const struct report_time_cell *c, int column);

/* NULL: no memory. */
struct time_facts *time_facts_new(const struct report_timeline *t);
void time_facts_free(struct time_facts *f);             /* NULL is fine */

/* The index of a structure by its name, of those with equal names the one with most accesses;
 * -1. */
int time_facts_find(const struct time_facts *f, const char *name);
static inline int64_t time_accesses(const struct time_sums *s)
{
	return s->reads + s->writes;
}

/* What a thread does with a structure in a run of the strip. */
struct time_interval {
	int from, to;                   /* columns of the axis */
	int thread, structure, run;
	struct time_sums sums;
};
/* The intervals of a structure (thread -1), or of a thread (structure -1), in the order of time;
 * those with less than a fiftieth of their lane's accesses, or a hundredth of the thread's, are
 * left out.  *out is the facts'.  -1: no memory. */
int time_intervals(struct time_facts *f, int structure, int thread,
	const struct time_interval **out);
/* Adds reads and writes of a thread (-1: all) to a structure (-1: all) by `bins` parts of the
 * axis. */
void time_lane(const struct time_facts *f, int structure, int thread, double *reads, double *writes,
	int bins);
/* The same of a structure for each thread: by thread * bins + part. */
void time_lanes(const struct time_facts *f, int structure, double *reads, double *writes, int bins);

/* Lines from memory by module: a channel of a node (timeline_modules()), else a node. */
#define TIME_HOT 1.25           /* times the mean: a module that serves so much is *hot* .. */
#define TIME_HOT_ERRORS 4       /* .. and is not by chance: by so many standard errors of a count */
struct time_modules {
	int n;                          /* modules; 0: the model has one, or none is known */
	/* lines an execution: by structure * n + module; of all structures */
	double *load, *all;
	double mean, most;              /* of all modules; of the busiest */
	int busiest, hot;               /* its number; how many are hot */
	double of_hot;                  /* lines that the hot ones serve together */
	/* the structure that makes most of what they serve beyond the mean; -1: none is hot */
	int cause;
	double cause_share;             /* the part that it makes */
};
/* *out is the facts'.  -1: no memory. */
int time_modules(const struct time_facts *f, struct time_modules *out);
/* Adds the lines of a structure (-1: all) that a module serves by `bins` parts of the axis. */
void time_module_lane(const struct time_facts *f, int structure, int module, double *into,
	int bins);

/* What the pictures by address lack, if there are any. */
enum { TIME_UNDRAWN = 3 };
struct time_undrawn {
	int structures;                 /* that threads use often, and have no rows for */
	int structure[TIME_UNDRAWN];    /* indices of the first of them, most accesses first */
	double share;                   /* of all accesses */
	int64_t records;                /* that found no room (struct report_timeline) */
};
struct time_undrawn time_undrawn(const struct time_facts *f);

/* Views of memory over time; the first of them have a claim about the whole process. */
enum timeline_view {
	VIEW_TIMELINE,
	VIEW_CARTOGRAPHY,
	VIEW_GANTT,
	VIEW_VARIABLES,
	VIEW_THREADS,
	VIEW_MODULES,
	TIMELINE_VIEWS,
	VIEW_FLOWS = TIMELINE_VIEWS,
	VIEW_PREDICTION
};
/* Why a view has nothing to show of a process (NULL: of a report without timelines); NULL: it
 * has. */
const char *time_view_absent(const struct time_facts *f, enum timeline_view view);

/* The steps of time_facts_new().  Each -1: no memory. */
int time_sums_make(struct time_facts *f);
int time_strip_make(struct time_facts *f);
int time_pace_make(struct time_facts *f);
/* Are the last regions of two keys of one function? */
bool time_same_function(const char *a, const char *b);
int time_groups_make(struct time_facts *f);
int time_walks_make(struct time_facts *f);
int time_sharing_make(struct time_facts *f);
int time_hands_make(struct time_facts *f);
int time_patterns_make(struct time_facts *f);
int time_edges_make(struct time_facts *f);
int time_beside_make(struct time_facts *f);

#endif
