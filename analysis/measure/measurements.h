/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurements of one process: its calling contexts, data structures, clean times, and counts
 * per context and structure; counts of single threads as far as keep_threads asks for them.
 * All counts are per phase execution.  Prefixes: measured_ reads or fills a struct measurements,
 * tally_ works on one struct tally. */
#ifndef PSC_MEASURE_MEASUREMENTS_H
#define PSC_MEASURE_MEASUREMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include "analysis/measure/estimate.h"
#include "analysis/measure/like.h"
#include "base/err.h"
#include "machine/line_costs.h"
#include "machine/machine.h"
#include "monitor/client/mon.h"
#include "sir/sir.h"

#define NO_CONTEXT UINT32_MAX

enum { TALLY_CLASSES = 13 };

/* The cost of memory in a context or a structure, in thread-seconds of a phase execution: sums over
 * threads and over the contexts inside, each estimated by itself (estimate.h). */
struct tally_estimate {
	double memory[MEMORY_CLASSES];  /* M */
	double walks;           /* the part of M that page walks take */
	double large_pages;     /* the part of that which large pages save */
	double traffic;         /* what the transfers from and to memory take at least */
	double conflict, capacity;      /* the parts for lines that missed by conflict, by
					 * capacity */
	double fit[MACHINE_LEVELS];     /* what M loses with blocks that fit the level */
	double stall, low, high;
	double core;            /* C; not of structures */
	double branches;        /* the part of C that mispredicted branches take */
	/* Parts of T that are no memory (cpu_parts.h), without `branches`; not of structures.
	 * computing: what of the rest lies within C's range. */
	double computing, computing_low, computing_high, kernel, library;
	double waits;           /* the part of `stall` that is the kernel's time for locks
				 * (contention.h); not of structures */
	double time;            /* T, or C + M on another machine's model; not of structures */
	/* Page faults, and their part of the kernel's time with its range (fault_costs.h). */
	double faults, fault_time, fault_low, fault_high;
};

/* The counts of one context or structure, per phase execution and summed over all threads unless a
 * thread is named.  Fields: base/counters.def. */
struct tally {
#define COUNTER_ONE(name, ...) double name;
#define COUNTER_PAIR(name, ...) double name;
#define COUNTER_LEVEL(name, ...) double name[MACHINE_LEVELS];
#define COUNTER_TLB(name, ...) double name##_load_miss[MACHINE_TLBS], name##_store_miss[MACHINE_TLBS];
#define COUNTER_REUSE(name, ...) double name[REUSE_CLASSES];
#define COUNTER_DERIVED(name, ...) double name;
#include "base/counters.def"
	double temporaries;     /* loads and stores on stacks, outside of data structures */
	double delay;           /* extra cycles of the misses, remote memory not included */
	double slow_loads[TALLY_CLASSES];       /* served by memory that takes 2^k cycles or more */
	/* Misses of a set sample, by level, loads or stores, and group of classes
	 * (mon_sample_parts). */
	float group[MACHINE_LEVELS][2][MON_GROUPS];
	float sampled[MON_SAMPLED];     /* enum mon_sampled */
	struct tally_estimate estimate; /* 0 until struct measurements.estimated */
};

struct measured_thread {        /* the times of one thread in one context; inclusive */
	uint32_t thread;        /* the monitor's number */
	bool inside;            /* it came to the context; false: a team below it did its work
				 * there */
	/* ns, one value per clean execution; owned.  cpu: processor time, waits left out; wait:
	 * wall time in which it waited for other threads, processes or devices. */
	double *wall, *cpu, *wait;
	double *startup;        /* of a team's region, from the fork to the begin of its part; not
				 * inclusive */
	double *faults, *sys;   /* page faults, and ns of system time by ticks, as far as the thread
				 * read them */
};

struct measured_context {
	uint32_t parent;        /* NO_CONTEXT for context 0, the phase */
	uint32_t child, next;   /* children in the order of the program's structure */
	uint32_t last, depth;   /* last child; number of ancestors */
	uint32_t run;           /* number of the last run of the program that had it */
	uint32_t region;        /* in the SIR; SIR_NONE: unknown */
	/* Its markers would cost more than they measure: its times are a part of those of the
	 * context around it. */
	bool brief;
	/* One value per clean execution, ns; owned.  wall: the longest of a thread; cpu, wait: sums
	 * over the threads; exec: the longest processor time and wait together of a thread. */
	double *wall, *cpu, *wait, *exec, *calls;
	double counted_calls;   /* in the first counted execution */
	double pieces, pieces_counted;  /* of slices (slice_coverage.h); 0 without */
	struct measured_thread *thread; /* threads timed here, by ascending number; owned */
	uint32_t nthreads;
};

struct measured_object {        /* a data structure */
	char *name, *scope;     /* owned; scope may be NULL */
	uint64_t address, size;
	uint32_t kind;
	uint32_t region;        /* SIR region of the declaring subroutine; SIR_NONE */
	char *source;           /* file that declares it, "" unknown; owned */
	uint32_t line;
	uint32_t elem;          /* bytes of an element; 0 unknown */
	uint32_t nodes;         /* enum psc_nodes; another number: none */
	uint32_t blocks;        /* small heap blocks that it consists of; 0: none */
	/* Sums over the heap blocks allocated for it in recorded executions (struct mon_object): */
	double allocated, largest;      /* bytes; of the largest block */
	double allocations, grown, mapped;      /* number; larger than the block before; mapped by
						 * malloc for itself */
	double executions;      /* recorded ones in which there was one */
	double releases;        /* in recorded executions */
	uint32_t made;          /* PSC_SITE_REALLOC, PSC_SITE_AUTOMATIC, PSC_SITE_TEMPORARY */
	/* Where its heap blocks are allocated (owned; NULL: in several places, or not known), and
	 * by which of the monitor's threads (1 + its number; 0: several, or not known). */
	char *allocated_file;
	uint32_t allocated_line, allocated_by;
	uint32_t run;           /* as in struct measured_context */
};

struct measured_alias {         /* a name that one subroutine has for an object */
	uint32_t unit;          /* SIR region of the subroutine */
	uint32_t object;
	uint32_t context;       /* of the call that bound it; MON_ANY: any */
	char *name;             /* owned */
};

/* Misses of one source line (struct mon_site), per phase execution. */
struct site_misses {
	uint32_t context, object, line;
	double first, last;
};

/* The contexts for which the counts of each thread are kept: none, contexts inside parallel
 * regions, or these and the structures in them.  The times of each thread are always kept. */
enum keep_threads { KEEP_THREADS_NONE, KEEP_THREADS_REGIONS, KEEP_THREADS_OBJECTS };

struct measurements {
	const struct sir *sir;          /* borrowed */
	const struct machine *machine;  /* borrowed */
	int rank;
	struct measured_context *contexts;
	uint32_t ncontexts;
	uint32_t nthread_rows;          /* measured_thread of all contexts */
	struct measured_object *objects;
	uint32_t nobjects;
	struct measured_alias *aliases;
	uint32_t naliases;
	/* Contexts and structures keep their numbers when the program is run again; its monitor has
	 * others.  These are ours, indexed by the monitor's; owned. */
	uint32_t *context_of, *object_of;
	uint32_t ncontexts_of, nobjects_of, naliases_of;
	uint32_t run;                   /* number of the program's run, from 0 */
	uint32_t nclean;                /* clean executions measured */
	uint64_t clean_first;           /* number of the first clean execution; 0 none */
	uint64_t *clean_at;             /* numbers of the clean executions; owned */
	struct like like;               /* which of them the times are taken from */
	bool calls_counted;             /* counted_calls of the contexts are known */
	uint32_t counted_at_once;       /* executions in the experiment that counted everything */
	uint64_t counted_first;         /* first execution in which everything was counted; 0
					 * none */
	double *phase_ns;               /* wall time, one per clean execution; owned */
	struct mon_sample sample;       /* what was simulated; classes 0: all */
	uint32_t slice_flags;           /* MON_SLICE_* of all results */
	bool complete;                  /* every context and object has been counted */
	uint64_t counted;               /* executions counted */
	uint32_t threads;               /* largest number of threads seen */
	double records;                 /* accesses counted */
	double words, lost;             /* words of records: simulated; lost for lack of room */
	double unhandled, rejected;
	double unshared;                /* not 0: coherence misses are unknown */
	/* Words of counted executions; at most, those of threads on another node than their rows
	 * have; the most threads of an experiment. */
	double counted_words, strayed;
	uint32_t strays;
	enum mon_placement placement;   /* how far the memory nodes of pages are known */
	uint64_t unseen_faults;         /* page faults that the kernel could not report */
	struct mon_line *lines;         /* owned; by object, most misses first */
	uint32_t nlines;
	struct site_misses *sites;      /* private; owned; by context, object, line */
	size_t nsites;
	struct measured_walk *walks;    /* owned; walks.h: by context, line, object */
	size_t nwalks;
	bool sites_dropped;     /* too many to keep: none are kept */
	struct mon_pages pages;         /* how pages were sampled; the timeline is of these where
					 * they were */
	struct columns *columns;        /* owned (columns.h); NULL: there is no timeline */
	bool columns_full;              /* there is no timeline, since it would have too many
					 * counts */
	uint32_t columns_number;        /* of no other columns, of these measurements or others; 0:
					 * there were none yet */
	struct machine_costs costs;     /* what a line costs; changed by measured_costs() */
	const int *processes;   /* how many the application has on this host so far; borrowed, set
				 * by the owner; NULL: one */
	/* Tells the place of an instruction in the executable's file, "f.c:11", or NULL; set by the
	 * owner, with its argument. The text lives as long as the owner.
	 * NULL: no places are known. */
	const char *(*code_place)(void *arg, uint64_t code);
	void *code_place_arg;
	struct sir_asked *asked;        /* regions and structures that the user asks for; set by the
					 * owner; borrowed; NULL: all */
	bool modelled;          /* costs and estimates are of another machine than this host */
	/* The program executes its phase once, in this many ns of wall time or less: set by the
	 * owner before the first result; 0: not known.  frequent: brief contexts are told by
	 * counts (frequent_calls.h). */
	double expected_ns;
	bool frequent;
	struct mon_result *counts_first;        /* private: counted before anything was timed;
						 * owned */
	struct mpi_calls *mpi;  /* private; NULL: MPI calls were not looked for (mpi_messages.h) */
	bool in_bursts;         /* counts are of bursts (burst_weights.h) */
	double divided;         /* part of the accesses that bursts divide among contexts; 0..1 */
	bool sampled;           /* the processor's samples are in them (struct tally: sampled) */
	bool estimated;         /* tallies have estimates: times and counts are known, few accesses
				 * lost */
	struct estimate_rows *estimates;        /* private */
	const char *counts_source;              /* of the counts, in words; borrowed; NULL: none */
	struct measurements *one_cpu;           /* the times with all threads on one CPU; owned;
						 * NULL: not measured */
	struct kernel_uses *kernel_uses;        /* private (kernel_use.h); owned; NULL: nothing was
						 * timed */
	struct record_text **record_texts;      /* private; owned */
	enum keep_threads keep_threads; /* set by the owner before the first result; so is */
	bool whole_run;                 /* the phase is the run of a program that is recorded in
					 * bursts */
	bool thread_counts_dropped;     /* too many counts of threads to keep: none are kept */
	uint32_t nthread_counts;        /* rows of the store with counts of one thread */
	struct store *store;            /* private (store.h): what was measured, by context, object,
					 * thread, bin */
};

struct measurements *measured_new(const struct sir *sir, const struct machine *machine, int rank);
void measured_free(struct measurements *p);

/* Uses the costs of this host, if the model is the host's (here), else those of the model.  Call it
 * before the first result. */
void measured_costs(struct measurements *p, bool here);

/* Copies new entries of the monitor's tables. 0 / -1 (memory). */
int measured_sync(struct measurements *p, const struct mon_peer *peer, struct err *err);
/* Replaces the monitor's numbers of contexts and structures in a result by ours. */
void measured_translate(const struct measurements *p, struct mon_result *r);
/* The program is run again, with another monitor: contexts are recognised by their calling path,
 * structures by name and declaration. */
void measured_next_run(struct measurements *p);
/* Adds a complete result of clean executions, or of counted ones.  filters: those of its request
 * (nfilters 0: everything was counted). 0 / -1. */
int measured_add_times(struct measurements *p, const struct mon_result *r, struct err *err);
int measured_add_counts(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters, struct err *err);
/* Adds what is known of a result that is not complete: what the monitor could not use. */
void measured_add_rejected(struct measurements *p, const struct mon_result *r);

/* Adds the result of a request with one_cpu, and estimates anew. 0 / -1. */
int measured_add_one_cpu(struct measurements *p, const struct mon_peer *peer,
	const struct mon_result *r, struct err *err);

/* Processor time of all threads together, ns: T, its upper quartile, and T1 of estimate.h; all 0
 * where T1 was not measured.
 * 0 / -1 (memory). */
struct one_cpu_sums {
	double time, slow, one_cpu;
};
int measured_one_cpu(const struct measurements *p, struct one_cpu_sums *out);

/* True: the context is `top`, or inside it. */
static inline bool measured_within(const struct measurements *p, uint32_t context, uint32_t top)
{
	while (context != NO_CONTEXT && context != top)
		context = p->contexts[context].parent;
	return context == top;
}

/* Share of the recorded words that were simulated, 0..1; 1 where nothing was recorded. */
double measured_coverage(const struct measurements *p);
/* Too many records were lost for a verdict: counts are undefined.  measured_result_lossy(): of one
 * experiment. */
bool measured_lossy(const struct measurements *p);
bool measured_result_lossy(const struct mon_result *r);

/* Inclusive counts of a context; object MON_ANY: all accesses.  False: not measured. */
bool measured_tally(const struct measurements *p, uint32_t context, uint32_t object,
	struct tally *out);
/* Objects with counts in a context, ascending; returns their number, the caller frees. */
uint32_t measured_objects_of(const struct measurements *p, uint32_t context, uint32_t **objects);
/* The misses of a context (exclusive) and an object by source line, in ascending order; their sum
 * is all its misses.  Borrowed until the next result.  *n 0: nothing missed, or the lines are not
 * known. */
const struct site_misses *measured_sites(const struct measurements *p, uint32_t context,
	uint32_t object, size_t *n);
/* Adds `by` times b to a. */
void tally_estimate_add(struct tally_estimate *a, const struct tally_estimate *b, double by);
void tally_sub(struct tally *a, const struct tally *b);
double tally_refs(const struct tally *t);
/* Misses (loads and stores) of the cache level with that number; NAN: the model has no such
 * level. */
double tally_misses(const struct measurements *p, const struct tally *t, uint32_t level);
/* Modelled stall cycles: sum over levels of misses * (latency of the next level - latency of this
 * one), plus the extra latency of remote memory.  Not a bound of the time lost: misses overlap, and
 * latencies are the model's. */
double tally_stall_cycles(const struct measurements *p, const struct tally *t);
/* The median of reuse distances in bytes, in a class by its logarithm (base/reuse_classes.h): the
 * nearest class's lower half where all are shorter.  NAN: none was counted. */
double tally_reuse_distance(const double reuse[REUSE_CLASSES]);
/* Misses of a class in the level with that index; MEMORY_GATHER: the rest. */
double tally_class_misses(const struct tally *t, uint32_t l, enum memory_class class);
/* M, the sum over the classes, in thread-seconds. */
double tally_memory_time(const struct tally *t);
/* The class that costs most; STRIDED or STREAM for GATHER where most misses are of a walk in order,
 * and those without order are few. */
unsigned tally_memory_class(const struct tally *t);
/* The first that takes more than half of M: KIND_CONFLICT; KIND_TLB, page walks; KIND_CAPACITY.
 * Else the class that costs most.  Where walks take most, but the largest class is CHAINED: that,
 * since an array saves the walks too. Where walks take most and a third of the misses that are no
 * stream are strided, STRIDED: another loop innermost saves the walks too, and uses the neighbours
 * in a line at once.  CAPACITY only for streams: what comes in no order cannot be worked on in
 * blocks.  KIND_FALSE_SHARING or KIND_TRUE_SHARING for the class MEMORY_SHARING where three
 * quarters of the coherence misses are of it; else that class: both have to be cured. */
unsigned tally_memory_kind(const struct tally *t);
/* Share of the loads whose latency samples must tell for a class to be known. */
#define TALLY_TIMED 0.9
/* Loads that take that many cycles or more, by the processor's samples; NAN: they do not tell, or
 * cycles is not a power of two from 4 to 4096. */
double tally_timed_loads(const struct tally *t, uint32_t cycles);
/* Loads that take that many cycles or more: by the processor's samples where it was sampled; else
 * by the machine model, those that no level of lower latency serves. */
double tally_slow_loads(const struct measurements *p, const struct tally *t, uint32_t cycles);
/* Modelled stall of one thread's counts, in s; for counts of several threads, the sum over them. */
double tally_thread_stall(const struct measurements *p, const struct tally *t);
/* Adds row * per. */
void tally_add_row(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per);
uint32_t measured_last_level(const struct measurements *p);     /* its number */

/* Medians over the clean executions that are like the counted one (like.h), in s (calls: plain);
 * NAN when there are none.  exec: processor time and waits of the slowest thread; wall: wall time
 * of the one that was there longest; cpu: processor time, sum over the threads; wait: the same for
 * waits. */
double measured_exec(const struct measurements *p, uint32_t context);
double measured_wall(const struct measurements *p, uint32_t context);
double measured_cpu(const struct measurements *p, uint32_t context);
double measured_wait(const struct measurements *p, uint32_t context);
double measured_calls(const struct measurements *p, uint32_t context);
double measured_phase_time(const struct measurements *p);       /* exec of the phase */
double measured_phase_wall(const struct measurements *p);
/* The variation of the context's exec between clean executions: the distance of the median from the
 * farther quartile, relative to the median.  NAN: fewer than SPREAD_LEAST executions
 * (quantiles.h). */
double measured_spread(const struct measurements *p, uint32_t context);

/* The base of shares of estimates, in thread-seconds: processor time of all threads in the phase,
 * as the estimates see it; NAN: not known. */
double measured_phase_cpu(const struct measurements *p);

/* M of rows of a whole phase execution, variant 0 or a fix's, in thread-seconds.  Rows of fixes do
 * not tell the contexts, so overlap is taken to be that of the whole phase. */
double measured_rows_memory(const struct measurements *p, const struct mon_count_row *rows,
	uint32_t n, uint32_t variant, double per);

/* M of the phase, in thread-seconds; NAN: not known. */
double measured_memory_time(const struct measurements *p);
/* M of the phase with a change to one data structure, in thread-seconds. */
double measured_changed_memory(const struct measurements *p, uint32_t object,
	enum memory_change change);

/* The team of a context: the threads timed in the innermost parallel region around it, itself
 * included; outside parallel regions the threads timed in the context.  measured_team_member(): the
 * monitor's number of the n-th thread. */
uint32_t measured_team_size(const struct measurements *p, uint32_t context);
uint32_t measured_team_member(const struct measurements *p, uint32_t context, uint32_t n);
/* Medians over the clean executions in s: processor time, waits, start-up of the team (not
 * inclusive).  0 for a thread that never came to the context; NAN: nothing was timed. */
double measured_thread_cpu(const struct measurements *p, uint32_t context, uint32_t thread);
double measured_thread_wait(const struct measurements *p, uint32_t context, uint32_t thread);
double measured_thread_startup(const struct measurements *p, uint32_t context, uint32_t thread);
/* The variation of the team's processor times between clean executions: the largest
 * distance of a thread's median from its quartiles, relative to the longest median.  NAN: not
 * known. */
double measured_team_spread(const struct measurements *p, uint32_t context);
/* The longest time that a thread of the team was without a processor in the team's region: it
 * neither ran nor waited, because other programs ran or because a call slept.
 * Median, s; NAN: not known. */
double measured_team_away(const struct measurements *p, uint32_t context);
/* Inclusive counts of one thread, as measured_tally().  Summed over the team they give the counts
 * of its members; a team of a nested parallel region is not included.  False: not measured or not
 * kept. */
bool measured_thread_tally(const struct measurements *p, uint32_t context, uint32_t object,
	uint32_t thread, struct tally *out);
/* Counts of one thread in the whole phase, serial parts included.
 * False: not measured by thread. */
bool measured_phase_thread(const struct measurements *p, uint32_t thread, struct tally *out);
bool measured_same_team(const struct measurements *p, uint32_t a, uint32_t b);

/* The name that the subroutine around `context` has for the object: of the dummy argument bound in
 * this call, else in any call, else the object's own name.  Borrowed. */
/* False: it is known by dummy arguments alone, and its name is that of one of them. */
bool measured_owned(const struct measurements *p, uint32_t object);
/* The name that the context's subroutine has for it; of several, that of an array which the region
 * accesses so (enum sir_access;
 * 0: any). */
const char *measured_object_name(const struct measurements *p, uint32_t context, uint32_t object,
	unsigned access);
/* What most misses of the tally are, as enum sir_access; 0: neither. */
unsigned tally_access(const struct tally *t);
/* The unit whose code the context runs; SIR_NONE. */
uint32_t measured_unit_of(const struct measurements *p, uint32_t context);

#endif
