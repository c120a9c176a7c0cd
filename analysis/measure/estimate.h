/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of what memory costs: from misses by class and the work of the processor to the time
 * that a thread loses.  docs/truth.md holds it against measured losses.
 *
 * M, the memory time: the sum over all lines of the cost of a line, by the class of the miss and
 * the level that served it, beyond the cost of a hit in the nearest level (machine/line_costs.h):
 *   stream    read; write for store misses, and for lines that are stored to after a load miss
 *   strided   near + walks x (strided - near), at least gather; stores: store + walks x
 * (strided-store -
 *             store); walks: the share of these misses that need a page walk, which they do where
 * the
 *             step is long
 *   gather    max(gather, chase / (OVERLAP_WINDOW / statements from one such miss to the next));
 *             store misses: store, if that is more
 *   guessed   PSC_DEP_BRANCH: sqrt(gather x chase); PSC_DEP_CONTROL: chase / 2; in [gather, chase]
 *   chained   chase; low: x min(1, statements of a chain / OVERLAP_WINDOW); at least gather
 *   sharing   transfer from the other core; up to one more for each contended load (below)
 *   copy      what copying takes in the nearest level, between COPY_FAST and COPY_SLOW of the
 * counter copy_work: no miss, but
 *             as much is saved with the copy; the misses of what is copied have their classes
 * A hit in the nearest level costs what its accesses to a line cost there, in a stream at most what
 * a whole line costs.
 * strided, gather and store include (crowded - strided) x the share of the misses before them that
 * were in the same set of the nearest level; chase does not.
 * gather, store and chase include walk x the share of these misses that need a page walk; a walk
 * costs what it does for a structure of its size (machine_walk()).
 * Misses of sampled cache sets have no class: gather, between read and chase.
 * Where n threads work at once, read and write from memory are n B(1) / B(n) times as much, B(n)
 * being the bandwidth of n threads together, and no line from memory costs less.
 *
 * Contended loads (base/counters.def) follow a coherence miss in its turn.  How often a line moves
 * in a turn depends on times that a simulation of accesses does not know: once, as the simulation
 * has it, up to once for each load, at most
 *   K = contended loads x transfer
 * more.  The time measured tells: what neither M nor C explains is paid for them first,
 *   M += min(K, max(0, T - C - M)),  M_high += K_high
 * Where K alone could take all of T, C is there C x sqrt(min(C_high, T) / C_high): without a bound
 * by the misses, an upper end of C that T refutes would decide.
 * Stores of a line that is not loaded wait in the store buffer, and add nothing to K.  Where C is
 * not known, neither is what it does not explain: only M_high grows.
 *
 * C, the core time: what the code would take with all its data in the nearest level
 * (struct psc_work).  B: the time of its mispredicted branches if none is predicted better than by
 * its probability; C_high is S + B, S what the code takes at most without them.
 * C in [0.8 C_low, C_high], C = sqrt(C_low x S) + B / 2.
 *
 * An upper end that is too low would hide what threads take from each other: where they contend,
 * C_low is CONTENDED_CORE of what the code's dependences say (a loop with a chain of divisions took
 * 42 cycles, not 62).
 *
 * Where the costs are assumed, the clock is: 0.45 C_low stands there for 0.8 C_low.
 *
 * T1, where it is measured: what the thread takes (lower quartile) in executions in which all
 * threads run on one CPU, so that none takes a line from another core's cache.  Where threads
 * contend for lines
 *   C_least, C, C_high <= T1;  est, low >= min(0.9 M_high, T - 1.1 T1)
 *
 * T, the time measured: a thread's processor time in a context without the contexts inside it,
 * lower quartile of the clean executions; where threads contend, their mean, and more than this is
 * measured and known (contention.h).  A context and the brief ones inside it (monitor/README.md)
 * have one T, C and estimate: the processor overlaps what they do.
 *
 * Streams are fetched ahead, beside the work: where they are more than half of M, what C can
 * explain within its range is not taken for a loss, C = sqrt(C x min(C_high, T)) if that is more
 * (docs/truth.md has what it is worth).
 *
 *   high = min(1.1 s M_high, T (slow - C_least) / slow),  C_least = min(0.8 C_low, T sqrt(0.8 C_low
 * / C))
 *   low  = min(high, max(0, min(0.9 M_low, T) - C_high))
 *   est  = min(s M, 1.1 M_high, T - min(C, T)), put into [low, high];  s = max(1, T / (C_high + M))
 *
 * s: where the time is longer than even C_high and M together, the machine was slower than when its
 * costs were measured, or a line costs more than any that was calibrated: what of the time is M's
 * follows from their proportion.  The estimate is at most what the model allows; its upper end is
 * what both cases allow. So the estimate never exceeds the time measured.
 *
 * In bursts (burst_weights.h) the proportion of M to C is known, and how often the code ran is not:
 *   est = T M / (C + M),  high = T 1.1 M_high / (0.8 C_low + 1.1 M_high),  low = T 0.9 M_low /
 * (C_high + 0.9 M_low)
 *
 * On another machine's model there is no T:
 * est = M, the time there is C + M, and high is at most that. */
#ifndef PSC_MEASURE_ESTIMATE_H
#define PSC_MEASURE_ESTIMATE_H

#include "base/miss_kind.h"
#include "machine/line_costs.h"
#include "monitor/client/mon.h"

/* The class of a miss tells how its cost is computed. */
enum memory_class {
	MEMORY_STREAM, MEMORY_STRIDED, MEMORY_GATHER, MEMORY_GUESSED, MEMORY_CHAINED,
	MEMORY_SHARING, MEMORY_COPY, MEMORY_CLASSES
};

/* The kind of misses: the class that costs most, the page walks of all classes together, a cause,
 * records of which few members are used (record_use.h), or of MEMORY_SHARING the one that most are
 * of and what lies in the lines (sharing.h). */
enum memory_kind {
	KIND_TLB = MEMORY_CLASSES, KIND_CONFLICT, KIND_CAPACITY, KIND_RECORD, KIND_FALSE_SHARING,
	KIND_TRUE_SHARING, KIND_LOCK, KIND_CONTENTION,
	MEMORY_KINDS
};

const char *memory_kind_name(unsigned kind);    /* "STREAM", as MemoryKind has it */
enum miss_kind memory_kind_of(unsigned kind);   /* as reports have it */

/* Statements that a core has in flight at most: between 128, which suited a Sapphire Rapids
 * (reorder buffer of 512 instructions), and 88, which suits a Zen 3 (256). */
enum { OVERLAP_WINDOW = 104 };

/* Changes to a data structure whose effect follows from the counts. */
enum memory_change {
	CHANGE_DENSE,           /* unit stride: strided and gather misses become streams of their
				 * bytes */
	CHANGE_PAGES,           /* large pages: what remains of page walks there
				 * (machine_huge_part()) */
	CHANGE_SPLIT,           /* only the members of records that are used, packed */
	CHANGE_APART,           /* each thread on lines of its own: no false sharing */
	CHANGE_ROWS,            /* longer rows: no conflict misses */
	CHANGE_UNCOPIED,        /* not copied: neither the copies' cost nor their part of the
				 * misses */
	CHANGE_FIT,
	/* CHANGE_FIT + n: blocks that fit the n-th level: no capacity misses
	                         * there and farther */
	CHANGES = CHANGE_FIT + MACHINE_LEVELS
};

/* What remains of the lines of an array of records if the members used lie together: of those that
 * a loop over all records fetches, and of those of accesses to single records.  0..1 */
struct record_split {
	double walked, alone;
};

/* The data structure whose misses are paid for. */
struct memory_shape {
	uint32_t line;          /* bytes of a line of the nearest level */
	double pages;           /* that the structure fills; 0: not known */
	struct record_split split;
};

struct memory_time {            /* M, ns */
	struct cost class[MEMORY_CLASSES];
	struct cost contended;  /* K: not in class[MEMORY_SHARING] */
	double true_part;       /* of the coherence misses, those by true sharing; 0..1 */
	double changed[CHANGES];        /* M with the change, without class[MEMORY_SHARING] */
	/* The time that its transfers from and to memory take at least, at the bandwidth of the
	 * threads that work at once; not beyond anything. */
	double traffic;
	/* Parts of M: what it costs to get the lines of conflict and of capacity misses from the
	 * next level (base/counters.def).  A sample of lines: of few misses, a part can be more
	 * than M. */
	double conflict, capacity;
	double walks;           /* the part of M that page walks take */
};

/* The work of one thread in a context, without the contexts inside it, in a phase execution. */
struct thread_work {
	double core_low, core_high;     /* cycles */
	double mispredicts;             /* of branches on loaded data: at most */
	double statements;              /* 0: nothing is known about the work */
	double irregular;               /* misses of the nearest level, neither stream nor
					 * strided */
	double chains, chain_statements;
	double unknown_calls;           /* calls that take an unknown time */
	double threads;                 /* that work there at once; 0: not known, one */
	double group[MON_GROUPS];       /* of bursts: statements (burst_error.h); else 0 */
	bool unclassified;              /* cache sets were sampled: misses have no known class */
};

struct estimate {               /* ns; 0 <= low <= value <= high */
	double value, low, high;
};

/* Adds row's part to the work: the counters of a row of MON_OBJ_WORK, the irregular misses of any
 * other.  per: of the sum over executions, the part of one. */
void work_add_row(struct thread_work *w, const struct mon_count_row *row, double per);
/* Adds the work b to a. */
void work_join(struct thread_work *a, const struct thread_work *b);
/* ns of the mispredicted branches in C: B / 2. */
double work_branch_time(const struct thread_work *w, const struct machine_costs *costs);
/* C without mispredicted branches: 0.8 C_low and S in ns, S as value, too. */
struct estimate work_straight_time(const struct thread_work *w, const struct machine_costs *costs);
/* 0.8 C_low and C_high in ns; C as value.  Without known work C is in [0, T]. */
struct estimate work_core_time(const struct thread_work *w, const struct machine_costs *costs,
	double t);
/* M of a row, of the misses of one structure. */
void memory_time_of_row(struct memory_time *m, const struct mon_count_row *row, double per,
	const struct thread_work *w, const struct machine_costs *costs,
	const struct memory_shape *shape);
/* Widens the range of each class to that of b; by a part of its ends. */
void memory_time_widen(struct memory_time *m, const struct memory_time *b);
void memory_time_blur(struct memory_time *m, double part);
struct cost memory_time_sum(const struct memory_time *m);
/* The part of K that the time pays for, 0..1; memory: M without it.  Sets C where T refutes it. */
double estimate_contended(const struct cost *memory, const struct cost *contended,
	const struct thread_work *w, struct estimate *core, double t);
/* C where most of M is streams and no call takes an unknown time: at least
 * sqrt(C x min(C_high, T)). */
double estimate_core_beside_streams(const struct estimate *core, double t);
/* Adds that part of K to the memory time, all of K to its upper end. */
void memory_time_contend(struct memory_time *m, double part);
/* The estimate of a thread in a context, t in ns.  slow: where threads contend for lines, what the
 * slower executions take, since threads meet in some executions and not in others; elsewhere t.
 * The upper end is the share of time that those lose. */
struct estimate estimate_stall(const struct cost *memory, const struct estimate *core, double t,
	double slow);
/* The estimate from bursts, of which only the proportion of C and M is
 * known: the same part of T. */
struct estimate estimate_in_bursts(const struct cost *memory, const struct estimate *core,
	double t);
/* C_low where threads contend. */
void estimate_core_beside_contention(struct estimate *core);
/* Limits C by T1; 0: it was not measured. */
void estimate_core_on_one_cpu(struct estimate *core, double t1);
/* Raises the estimate of a thread to what it did not lose on one CPU. */
void estimate_stall_on_one_cpu(struct estimate *e, const struct cost *memory, double t, double t1);
/* The estimate on another machine's model; the time there is core->value + memory->value. */
struct estimate estimate_modelled(const struct cost *memory, const struct estimate *core);

#endif
