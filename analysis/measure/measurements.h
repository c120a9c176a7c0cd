/* SPDX-License-Identifier: BSD-3-Clause */
/* What has been measured of one process: its calling contexts, data objects, clean times, and
 * counts per context and object; of single threads as far as is asked for.  All counts are per
 * phase execution. */
#ifndef PSC_MEASURE_MEASUREMENTS_H
#define PSC_MEASURE_MEASUREMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "machine/machine.h"
#include "monitor/client/mon.h"
#include "sir/sir.h"

#define NO_CONTEXT UINT32_MAX

enum { TALLY_CLASSES = 13 };

/* Per phase execution; summed over threads where none is named.  Fields: base/counters.def. */
struct tally {
#define COUNTER_ONE(name, ...) double name;
#define COUNTER_PAIR(name, ...) double name;
#define COUNTER_LEVEL(name, ...) double name[MACHINE_LEVELS];
#define COUNTER_TLB(name, ...) double name##_load_miss[MACHINE_TLBS], name##_store_miss[MACHINE_TLBS];
#define COUNTER_DERIVED(name, ...) double name;
#include "base/counters.def"
	double delay, delay_in_turn;    /* cycles of the misses; that part that is wall time */
	double slow_loads[TALLY_CLASSES];       /* from memory that takes 2^k cycles or more */
	/* Of a sample: the misses by level, loads or stores, group of classes (mon_sample_parts). */
	float group[MACHINE_LEVELS][2][MON_GROUPS];
};

struct measured_thread {              /* one thread in one context */
	uint32_t thread;        /* the monitor's number */
	double *wall;           /* ns, one value per clean execution; owned */
};

struct measured_context {
	uint32_t parent;        /* NO_CONTEXT for context 0, the phase */
	uint32_t child, next;   /* children in the order of the program's structure */
	uint32_t last, depth;   /* the last child; how many contexts are above */
	uint32_t region;        /* in the SIR, SIR_NONE unknown */
	double *wall, *cpu, *calls;     /* one value per clean execution; owned */
	struct measured_thread *thread;        /* threads that were timed here, by number; owned */
	uint32_t nthreads;
};

struct measured_object {
	char *name, *scope;     /* owned; scope may be NULL */
	uint64_t address, size;
	uint32_t kind;
	uint32_t region;        /* SIR region of the declaring subroutine; SIR_NONE */
	char *source;           /* file that declares it; "" unknown */
	uint32_t line;
	uint32_t elem;          /* bytes of an element; 0 unknown */
	char *where;            /* owned; its worst lines between threads, in words; NULL none */
};

struct measured_alias {
	uint32_t unit;          /* SIR region of the subroutine */
	uint32_t object;
	uint32_t context;       /* of the call that bound it; MON_ANY: any */
	char *name;             /* owned */
};

/* The counts of which threads are kept apart (inside parallel regions); their times always are. */
enum keep_threads { KEEP_THREADS_NONE, KEEP_THREADS_REGIONS, KEEP_THREADS_OBJECTS };

struct measurements {
	const struct sir *sir;          /* borrowed */
	const struct machine *machine;  /* borrowed */
	int rank;
	struct measured_context *contexts;
	uint32_t ncontexts;
	uint32_t nthread_rows;          /* measured_thread of all contexts */
	struct measured_object *objects;    /* by the monitor's numbers */
	uint32_t nobjects;
	struct measured_alias *aliases;
	uint32_t naliases;
	uint32_t nclean;                /* clean executions measured */
	uint64_t clean_first;           /* number of the first of them; 0 none */
	uint64_t counted_first;         /* ... of those in which everything was counted; 0 none */
	double *phase_ns;               /* one per clean execution; owned */
	struct mon_sample sample;       /* of the sets, that were simulated; classes 0: all */
	bool complete;                  /* every context and object has been counted */
	uint64_t counted;               /* executions counted */
	uint32_t threads;               /* most threads seen */
	double records;                 /* accesses counted */
	double words, lost;             /* of records: played, and those that could not be kept */
	double unhandled, rejected;
	double unshared;                /* not 0: what threads do to each other is not known */
	enum mon_placement placement;   /* what is known of where pages lie */
	uint64_t unseen_faults;         /* page faults that the kernel could not tell of */
	struct mon_line *lines;         /* owned; object by object, the worst first */
	uint32_t nlines;
	enum keep_threads keep_threads;    /* set by the owner, before the first result */
	bool thread_counts_dropped;                  /* threads' counts: more than can be kept, so none are */
	struct tally_map *tallies;            /* private: (context, object) → tally */
	struct tally_map *thread_tallies;        /* private: (context, object, thread) → tally */
};

struct measurements *measured_new(const struct sir *sir, const struct machine *machine, int rank);
void measured_free(struct measurements *p);

/* Takes over what the monitor's tables have gained. 0 / -1 (memory). */
int measured_sync(struct measurements *p, const struct mon_peer *peer, struct err *err);
/* Takes a result in.  filters: those of its request (nfilters 0: it counted everything). */
int measured_add(struct measurements *p, const struct mon_result *r, const struct mon_filter *filters,
	uint32_t nfilters, struct err *err);

/* The share of what was recorded that was counted, 0..1, by words of records; 1 where nothing was. */
double measured_coverage(const struct measurements *p);
/* More was lost than verdicts may rest on: what was counted is undefined. */
bool measured_lossy(const struct measurements *p);

/* Counts of a context with everything below it; object MON_ANY: all.  False: not measured. */
bool measured_tally(const struct measurements *p, uint32_t context, uint32_t object, struct tally *out);
/* Objects with counts in a context, ascending; the caller frees. */
uint32_t measured_objects_of(const struct measurements *p, uint32_t context, uint32_t **objects);
void tally_sub(struct tally *a, const struct tally *b);
double tally_refs(const struct tally *t);
/* Misses (loads and stores) of the cache level with that number; NAN when the model has none. */
double tally_misses(const struct measurements *p, const struct tally *t, uint32_t level);
/* Cycles beyond a hit in the nearest level: sum over levels of misses * (latency of the next
 * level - latency of this one), and what remote memory takes longer.  An upper bound of lost time: no overlap. */
double tally_stall_cycles(const struct measurements *p, const struct tally *t);
/* The same in s, as wall time: what threads of a team do at the same time counts once, what one does
 * while the others wait counts in full, by the clean times of each context.  NAN when the model has no
 * clock. */
double tally_stall_time(const struct measurements *p, const struct tally *t);
/* That part of the threads' stall that is wall time. */
double tally_in_turn(const struct tally *t);
/* Loads that take that many cycles or more by the machine model: those that the levels with a lower
 * latency do not serve. */
double tally_slow_loads(const struct measurements *p, const struct tally *t, uint32_t cycles);
/* The same in s, of the counts of one thread; of all of them: their sum. */
double tally_thread_stall(const struct measurements *p, const struct tally *t);
/* in_turn: of the threads' time in the row's context, the part that is wall time; 1: one alone. */
void tally_add_row(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per, double in_turn);
uint32_t measured_last_level(const struct measurements *p);         /* its number */

/* Medians over the clean executions, in s (calls: plain); NAN when there are none. */
double measured_wall(const struct measurements *p, uint32_t context);
double measured_cpu(const struct measurements *p, uint32_t context);
double measured_calls(const struct measurements *p, uint32_t context);
double measured_phase_time(const struct measurements *p);

double median_of(const double *values, uint32_t n);   /* NAN: none */

/* The threads of a context: those timed in the innermost parallel region around it, itself included;
 * outside parallel regions those timed in it.  measured_team_member(): the monitor's number of the n-th. */
uint32_t measured_team_size(const struct measurements *p, uint32_t context);
uint32_t measured_team_member(const struct measurements *p, uint32_t context, uint32_t n);
/* Median over the clean executions in s; 0 for a thread that never came here; NAN: nothing was timed. */
double measured_thread_wall(const struct measurements *p, uint32_t context, uint32_t thread);
/* What that thread counted, as measured_tally(); over the team they sum to what its members counted: a
 * nested parallel region's own team is not in it.  False: not measured, or not kept. */
bool measured_thread_tally(const struct measurements *p, uint32_t context, uint32_t object, uint32_t thread,
	struct tally *out);
bool measured_same_team(const struct measurements *p, uint32_t a, uint32_t b);

/* The name that the subroutine around `context` has for the object: that of the dummy argument bound in
 * this call, else in any call, else the object's own.  Borrowed. */
const char *measured_object_name(const struct measurements *p, uint32_t context, uint32_t object);
/* The unit whose code the context runs; SIR_NONE. */
uint32_t measured_unit_of(const struct measurements *p, uint32_t context);

double median_in_place(double *values, uint32_t n);      /* sorts in place; NAN for n == 0 */

#endif
