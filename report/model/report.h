/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a report, filled by agents, and its writers and readers.  A figure that was not
 * measured is NAN and never printed as 0.  Who makes a report ends with report_finish(), which
 * sorts findings and joins them to problems.  Strings are never NULL unless a comment says so;
 * report_new() and the readers ensure both. */
#ifndef PSC_REPORT_REPORT_H
#define PSC_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/fault_cause.h"
#include "base/miss_kind.h"
#include "base/ranks.h"
#include "base/region.h"
#include "base/tried_action.h"
#include "base/tried_fix.h"
#include "report/model/ledger_cause.h"
#include "report/model/timeline_series.h"

/* One step of a search path. */
struct report_node {
	enum region_type type;          /* REGION_DATA_STRUCTURE for structures */
	const char *name;               /* subroutine, callee, structure; "" none */
	const char *alias_of;           /* structure: the object's own name where it differs
	                                 * ("rsd" for v), else NULL */
	const char *scope;              /* structure: where it is stored, as printed:
	                                 * "COMMON cvar", "module fields"; NULL none */
	const char *file;
	int line;
	const char *name_path;          /* region: its place in the source by names and order, without
	                                 * lines: "ssor.f:ssor/loop 2/parallel 1"; NULL: not known
	                                 * (figures.h, report_key_extend) */
	bool argument;                  /* structure: known by dummy arguments alone */
	bool phase;                     /* printed as "Application Phase" */
	bool holds;                     /* the property holds here */
	double measure;                 /* the rate that the property's condition compares */
	double measure_error;           /* as in struct report_finding */
	double time;                    /* exec_time in s; NAN for structures */
};
/* A structure's own name, whatever the code calls it here. */
const char *report_own_name(const struct report_node *n);

/* The name by which texts call a structure: its own; of one that is known by dummy arguments alone,
 * that of the dummy there. */
const char *report_shown_name(const struct report_node *n);

/* The misses of a structure in one source line, per phase execution, summed
 * over threads and processes. */
struct report_site {
	int line;                       /* 0: all other lines, or not known */
	double first_misses, last_misses;       /* of the first and the last cache level */
};
enum { REPORT_SITES = 8 };      /* lines that are kept of a process */
#define REPORT_SITE_PLACE 0.1   /* share of the misses that makes a line the place */

/* The source of costs: the latencies of the machine model, its own costs, a calibration. */
enum report_costs { COSTS_UNKNOWN, COSTS_ASSUMED, COSTS_MODEL, COSTS_MEASURED, COSTS_SOURCES };

/* By share of the phase's time; as in the paper. */
enum report_strategy { BY_UNKNOWN, BY_SHARE, BY_PAPER, BY_STRATEGIES };
extern const char *const strategy_names[BY_STRATEGIES + 1];

/* What a finding is about: a cost of memory; of threads: waits, uneven work; what a property of the
 * user's file says; page faults; memory on another node. */
enum report_about { ABOUT_UNKNOWN, ABOUT_MEMORY, ABOUT_THREADS, ABOUT_OWN, ABOUT_FAULTS,
	ABOUT_NODES, ABOUTS };

/* Consecutive bytes of a cache line that threads take from each other, which one of them uses. */
struct report_line_use {
	int line;               /* of the structure's lines, from 1: that with most misses */
	int threads;            /* that use the line; those with most of it have rows */
	int thread;
	bool writes;            /* else it reads them */
	int64_t first, last;    /* bytes of the structure, or of the heap block in which the first
				 * row of the line is */
	bool of_line;           /* bytes of the line instead: its block is not known */
	bool other_block;       /* the thread's block is another one */
	bool lock;              /* a lock lies there */
	const char *other;      /* the other structure that the bytes are of; NULL: none */
	const char *members;    /* of the records that the thread uses in the line: "hits, sum",
				 * with ".." for others; NULL */
};

struct report_finding {
	const char *property;
	const char *refines;            /* the parent property it was tested under; NULL none */
	const char *file;               /* property's source and line */
	int line;
	int number;                     /* of the property in its program: ID in .psc files */
	bool over_processes;            /* a property over all processes (AppPerf) */
	const struct rank_run *processes;       /* ranks where it holds (over_processes: that take
						 * part) */
	int nruns;                      /* of these */
	int nprocesses;                 /* without MPI all have rank 0, and each counts */
	const struct report_node *path; /* from the phase to the place */
	int npath;
	double severity;                /* per phase execution: s, or a fraction */
	bool severity_is_time;
	bool severity_is_index;         /* rate x time: it ranks, but is not time lost */
	double severity_share;          /* severity as share of phase time (0..1) */
	double severity_max_share;      /* largest over processes */
	double measure;                 /* rate at the place */
	double confidence;
	double time_share;              /* the region's exec_time as share of phase time */
	/* The estimated cost of memory here, as share of the phase's cpu_time (docs/truth.md). */
	double est_stall_share, est_stall_low_share, est_stall_high_share;
	/* The part of it that is counted here and for no other finding
	 * (analysis/findings/cost_cells.h): over all findings they sum to at most what memory costs
	 * in the phase.  NAN: not about memory, or not divided: all of it. */
	double own_stall_share, own_stall_low_share, own_stall_high_share;
	enum miss_kind kind;            /* how the misses come about */
	/* ABOUT_FAULTS: page faults in an execution, and their time as share of the phase's
	 * cpu_time with its range, that are counted here and for no other finding; why the memory
	 * is new.  Else NAN, FAULT_NONE. */
	double page_faults, fault_share, fault_low_share, fault_high_share;
	enum fault_cause fault_cause;
	double fault_left;              /* the part of them that the best change to the source
					 * leaves; NAN: not known */
	/* Half the 95 % confidence interval where cache sets were sampled; NAN: exact. */
	double severity_error;          /* of severity_share */
	double measure_error, est_stall_error;
	double coverage;                /* 1: every access counted */
	bool unwarmed;                  /* working set was not warmed */
	bool scalar;                    /* a loop of single elements that might get vector
					 * instructions if these were dense */
	bool all_callers;               /* figures of all calling paths together */
	const char *why;                /* what was found there, in words; NULL none */
	const char *advice;             /* what to do; without why, both in one sentence; NULL
					 * none */
	const char *fixes;              /* changes that the property names, as --what-if calls
					 * them, joined by ", "; NULL none */
	bool rank_figures;              /* why, or the advice without it, has figures of the process figures_rank, where
	                                 * other processes have others */
	int figures_rank;
	const char *info;               /* further figures as text; NULL none */
	const char *declared;           /* structure: "file:line" of its declaration; NULL
					 * unknown */
	enum report_about about;        /* what its severity is a cost of */
	/* The lines that the finding is about: of its last region, or of a loop in it that has 80 %
	 * of what the structure's misses cost there, or that alone uses the structure. */
	const char *source;             /* absolute, as the compiler was given it; NULL unknown */
	int first_line, last_line;      /* 0 unknown */
	/* Structure: its misses here by line of `source`, in the order of report_sites_join(); they
	 * sum to all of them.  None: not known, or there are no misses. */
	const struct report_site *sites;
	int nsites;
	/* Where the severity is the cost of lines that threads take from each other, of one process
	 * (figures_rank): the worst of these lines, by line, thread and byte. */
	const struct report_line_use *uses;
	int nuses;
	int place_line;                 /* report_sites_place() */
	const char *place_routine;      /* the subroutine that the line is in, unless it is that of
					 * the path; NULL */
	uint32_t object;                /* structure, in the process that found it: its number
					 * there; not sent or written */
	int problem;                    /* number of the problem that it is a part of (struct
					 * report_problem); 0: none */
};

/* The saving by a change to a data structure (--what-if): the same phase execution was simulated
 * without and with it.  Cycles are misses x extra latency, no overlap, per phase
 * execution, summed over threads and processes. */
struct report_gain {
	const char *structure;          /* its own name */
	const char *scope, *declared;   /* as in a finding's place and finding; NULL none */
	enum tried_fix fix;
	const char *change;             /* description of the modelled change; "" none */
	const char *reason;             /* why there are no figures; NULL there are */
	double least, most;             /* bounds of the cycles of latency saved; negative: it adds
	                                 * misses */
	double time_share;              /* estimated time saved, as share of the phase's cpu_time */
	const char *allocated;          /* "file:line" of the call that allocates its blocks; NULL
					 * unknown */
	double node;                    /* of "bind" and "threads": the memory node of the machine
					 * model; NAN: several, or not known */
};

/* A measurement (--verify): copies of the process ran the execution with the structure's pages on a
 * few page frames that stay in the nearest cache, and as they are.
 * Shares are of processor time. */
struct report_verified {
	const char *structure;          /* its own name */
	const char *scope, *declared;   /* as in struct report_gain; NULL none */
	const char *reason;             /* why there are no figures; NULL there are */
	bool cold;                      /* times are of the first execution of each copy */
	bool one_cpu;                   /* measured with all threads on one CPU: no line goes from
					 * core to core */
	double time, time_with;         /* s an execution: as it is, with the few page frames or on
					 * one CPU */
	double program_time;            /* s: the program's own executions */
	double measured, measured_low, measured_high;   /* share that is saved: median, quartiles */
	double estimated, estimated_low,
		estimated_high; /* est_stall of the structure without its page
	                                 * walks, which the measurement cannot take away; NAN */
	bool unknown;                   /* the process has no structure of that name */
};

/* A trial (--try): the program ran executions of the phase as it is and with an action, in an order
 * drawn by a coin.  Times are of an execution: processor time of the
 * thread, wall time with several. */
struct report_trial {
	enum tried_action action;       /* TRIED_NOTHING: no action is proposed */
	const char *structure;          /* that the action is applied to; "": the whole program */
	enum trial_verdict verdict;
	enum trial_reason reason;       /* of "refused" and "undecided" */
	const char *library;            /* that the reason is about; NULL none */
	double gain, low, high;         /* share of the time that it saves, with its interval;
					 * negative: it adds.  NAN */
	double cost;                    /* s: what the trial added to the run: switches, warm-ups */
	double time, time_with;         /* s: medians without and with it */
	double time_before;             /* s: median before the first switch */
	double memory;                  /* bytes that the program keeps more with it */
	/* Of actions on pages, in pages of 4 KiB: those of the structure that can be changed; that
	 * were; that could not be put back.  NAN of other actions. */
	double pages, moved_pages, left_pages;
	int node;                       /* that the pages were moved to, as asked; -1 */
	double cost_there, cost_back;   /* s: a change there and back, with what the executions
					 * behind it take more */
	bool wall;                      /* times are wall times */
	bool kept;                      /* it was left in force */
	bool changed;                   /* the program itself changed meanwhile what was to be put
					 * back */
	int pairs, executions;          /* differences that the interval is of; executions that were
					 * run in all */
	int64_t seed;                   /* of the order */
};

/* What one collector counted of a structure, or of all memory, in the whole phase; NAN: not known,
 * or it does not know the structure. */
struct report_count {
	double access_share;            /* of all accesses */
	double first_rate, last_rate;   /* misses of the first and the last cache level an
					 * access */
	double first_error, last_error; /* half the 95 % interval; NAN: exact */
	double coherence_rate;          /* coherence misses an access */
	double stall, low, high;        /* est_stall as share of the time that all shares of
					 * estimates refer to */
};

/* A structure that two collectors counted (--collector A,B), in a run of the program each.  All
 * memory comes first, then what costs most by either of them. */
#define REPORT_COUNTED_LEAST 0.01       /* of accesses or time, by either */
struct report_counted {
	const char *structure;          /* its own name; NULL: all memory */
	const char *scope, *declared;   /* as in struct report_cost; NULL none */
	struct report_count one, other; /* by `collector`, by `other_collector` */
	bool rates_differ;              /* a rate, by more than its errors and REPORT_ALIKE */
	bool stalls_differ;             /* estimates, by more than that, and each is outside the
					 * other's range */
};
#define REPORT_ALIKE 0.03

/* What the processor's samples tell of a structure, or of all memory, in a region: of the whole
 * phase, and of regions with 1 % of what was sampled.  Counts are per phase execution. */
enum { REPORT_LATENCIES = 11 };         /* 4, 8 ... 4096 cycles */
struct report_samples {
	const char *region;             /* as in struct report_cost, as the next six */
	const char *structure;
	const char *scope, *declared;
	const char *file;
	int line;
	enum region_type type;
	double loads;                   /* whose latency is told; NAN: too few are, as the next */
	double slow[REPORT_LATENCIES];  /* of these, with so many cycles or more */
	/* Misses of the last level of which both are known, the nodes of page and CPU, and the
	 * unit's word: all; from another node by the pages, by the unit; those of which both
	 * differ.  NAN: of too few. */
	double placed, far_by_page, far_by_unit, disagree;
};

/* A rule of a placement file (--placement), and what it has done.  Sums over the processes. */
struct report_placed {
	enum tried_action action;
	const char *structure;
	const char *place;              /* "FILE:LINE" or "FILE", as the file says; NULL none */
	int node;                       /* of "bind"; else -1 */
	double objects;                 /* structures that match */
	double blocks, bytes;           /* that were placed: of whole pages */
	double left;                    /* blocks that were left alone, */
	enum trial_reason reason;       /* for this reason; none: they are small */
};

/* A row of the attribution ledger: accesses of the phase by what memory they are to. */
struct report_ledger {
	enum ledger_cause cause;
	double accesses, misses;        /* per phase execution; misses of the last level */
	double misses_error;            /* as in struct report_finding */
};

enum { REPORT_LEVELS = 4 };             /* cache levels 1 to 4 */

/* What a data structure costs in a region with all that it calls, or, without a structure, what
 * all memory costs there.  The first row is the whole phase; only the REPORT_COSTS rows with most
 * misses are kept of a process, those of the whole phase first.  Per phase execution; counts are
 * sums over threads and processes, times means over the processes and sums over their threads. */
enum { REPORT_COSTS = 1000 };
struct report_cost {
	const char *region;             /* key of the calling context: report_key_extend() */
	const char *structure;          /* its own name; NULL: all memory */
	const char *scope, *declared;   /* as in a finding's place and finding; NULL none */
	const char *file;               /* of the region */
	int line;
	enum region_type type;
	double time;                    /* processor time in s; NAN for structures */
	double accesses;
	double misses[REPORT_LEVELS];   /* loads and stores; NAN: the machine has no such level */
	double errors[REPORT_LEVELS];   /* half the 95 % interval; NAN: every set was simulated */
	double coherence;               /* coherence misses; NAN: not known */
	double est_stall, est_stall_low, est_stall_high; /* s, as in struct report; NAN */
	/* Structure: its misses in the region's own code, without what it calls and the regions
	 * inside, as in struct report_finding; lines of `file`. */
	const struct report_site *sites;
	int nsites;
};

/* What one thread does in a region with all that it calls, per phase execution: the phase (order
 * 0), and the REPORT_THREAD_REGIONS regions in which the threads of its process are longest.  All
 * rows of a report are ordered by order, process and thread; only the first REPORT_THREAD_ROWS are
 * kept, whatever the order in which they came. */
enum { REPORT_THREAD_REGIONS = 24, REPORT_THREAD_ROWS = 4096 };
struct report_thread {
	const char *region;             /* as in struct report_cost, as the next three */
	const char *file;
	int line;
	enum region_type type;
	int order;                      /* 0: the phase; n: the n-th of these regions of its
					 * process */
	int process, thread;            /* rank in MPI, else 0; the monitor's number of the
					 * thread */
	/* Processor time without waits, s: what est_stall is a part of, so that the phase's rows
	 * sum to cpu_time; without an estimate the median. */
	double time;
	double modelled_time;           /* on another machine, by its model; NAN: this machine */
	double barrier_wait, mpi_wait, other_wait;      /* as in struct report: medians */
	double est_stall, est_stall_low, est_stall_high;        /* s; NAN */
	double accesses;                /* NAN, as misses: not counted by thread */
	double first_misses, last_misses;       /* of the first and the last cache level */
};

enum report_outcome { REPORT_HELD, REPORT_FALSE, REPORT_UNDECIDED, REPORT_PRUNED,
	REPORT_NOT_TESTED };
struct report_tested {          /* a test, for --why-not */
	const char *property;
	const struct report_node *place;
	const char *below;              /* label of the place's parent; NULL none */
	int process;                    /* -1: over all processes */
	enum report_outcome outcome;
	const char *reason;             /* "0.013 > 0.02 does not hold", ... */
};

/* Problems: what the reader sees first. Findings with one place, one cause and overlapping
 * estimates, as one; without those of the user's own properties, of which only their author knows
 * what they mean.
 *
 * A finding is about memory where its severity is a cost of memory (report_finding.about) and its
 * estimate can be more than zero.  Two findings are of one problem if
 *   - both are about memory, about structures, of the same kind, and
 *       - the last region of their paths is the same source region (same file, line, type and name,
 *         by whatever calls it was reached), or
 *       - they are about the same structure, by different properties, and one region contains the
 *         other: each property has its own rule where it is reported, so these estimates overlap;
 *         where they are also about the same lines, which have most of what both cost, the kinds
 * may differ;
 *   - neither is about memory, and their last region is the same, for a process or for all.
 * Where less than REPORT_REST of what they cost is their own (own_stall_share), they join the
 * largest problem of one of their structures in a region around or inside.
 * Loops over the same structures, one after the other, are one problem, whose cure is one pass:
 * these are of kind stream or capacity, in one region or in functions that it calls, no other
 * finding between them is about their structures, and those in common are half of what each costs,
 * and cost within a factor of 4 as much in both. A finding about memory without a structure, in a
 * region R: if less than REPORT_REST of its estimate is its own, it joins the largest of the
 * problems inside R; else it joins the problem of that region and kind, or is a problem of its own.
 *
 * Estimate of a problem: the sum of what is its findings' own, so that no cost is in two problems.
 * Low and high likewise. Not about memory: for each property the sum of the severities over paths
 * that are not inside one another, at most what the property takes in the phase; then the largest
 * of the properties' (indices are not added up).
 *
 * Order: by share, largest first; without an estimate by severity; then as findings. */
#define REPORT_REST 0.2         /* of a region's estimate */

/* A structure of a problem: the number of a finding of it, from 1, and
 * its estimate; 0: not known. */
struct report_problem_structure { int finding; double share; };

/* One of several loops that stream over the same structures, one after the other. */
struct report_pass {
	const char *file;               /* of the region, without directories */
	int line;                       /* that misses most, else the region's */
	double share;                   /* of what the problem costs, that of this loop */
};

struct report_problem {
	int number;                     /* from 1, in the order of the problems */
	const char *key;                /* the same in other versions of the program: region (report_key_extend; of several
	                                 * passes, that around them),
	                                 * structures, cause, without lines */
	const char *cause;              /* the lead's kind of misses, where it is about memory and the kind is known;
	                                 * "page faults"; else its property */
	bool memory;
	const char *file;               /* the place: without directories; "" none */
	int line;                       /* with most misses, else the first; 0 unknown */
	double share, low, high;        /* memory: of the phase's cpu_time (modelled_time); NAN: no
	                                 * estimate.  Page faults: of cpu_time.  Else of
	                                 * severities, low and high NAN */
	double page_faults;             /* in an execution; NAN: it is about something else */
	int npaths;                     /* not about memory: paths whose severities share is the sum
					 * of */
	/* What the change that was tried and saves most saves of it, as shares of the same time, at
	 * most what it costs; of several passes, if that is more, what its structures cost in all
	 * passes but one, up to all that they cost (gain is 0); NAN: nothing, or not known.  Of a
	 * chain, where nothing that was tried saves a tenth, saves_high is what it may cost. */
	double saves, saves_low, saves_high;
	/* And more, which no estimate has: if the loop then gets vector instructions; of
	 * contention, as its updates go. */
	bool saves_more;
	int gain;                       /* the number of that change in the report's gains, from 1;
					 * 0: none */
	bool tried;                     /* any change to its structures was tried */
	int finding;                    /* the number of the lead in the report's findings, from
					 * 1 */
	/* As in struct report_finding, of all structures; lines of the lead's source. */
	int place_line;
	struct report_problem_structure *structure;     /* by estimate */
	int nstructures;
	const struct report_site *sites;
	int nsites;
	struct report_pass *passes;     /* in the order of files and lines; none where one loop is
					 * all */
	int npasses;
	/* Borrowed of the report's findings: */
	const struct report_finding *lead;      /* the finding that explains it */
	const struct report_finding **members;  /* in the report's order */
	int nmembers;
	const struct report_finding **structures;       /* a finding for each structure, as in
							 * `structure` */
	const struct report_node *region;       /* last region of the lead's path; NULL: no path */
};
/* A file of properties that was asked. */
struct report_asked {
	const char *name;               /* as the user gave it: "memory", "./my.asl" */
	const char *set;                /* without directories and .asl: "my" */
	bool usual;                     /* asked for by default */
};

/* All problems of a report. */
struct report_problems {
	struct report_problem *problem;
	int n;
};

struct report {
	struct arena *arena;            /* owns everything below */
	/* the run */
	const char *command;            /* the application's command line */
	const char *directory;
	const char *executable;
	int64_t when;                   /* seconds since the epoch, start of the run */
	double elapsed;                 /* s, of the search */
	int nprocs, nthreads;
	int hosts;                      /* on which processes were measured; 0: not known */
	double cpus;                    /* CPUs that the program may use; NAN, as below: load not
					 * known */
	double cpus_others, cpus_idle;  /* of these used by other programs, idle; means over the
					 * search */
	const char *version;            /* of this tool */
	/* the analysis */
	struct report_node phase;
	const char *phase_choice;       /* why this phase; NULL: the user named it exactly */
	/* Times of the phase in s: medians of clean executions, means over the processes; NAN. */
	double phase_time;              /* processor time and waits of the slowest thread */
	double cpu_time;                /* processor time, sum over the threads, without waits */
	double modelled_time;           /* cpu_time on another machine, by its model; NAN: this
					 * machine */
	/* Sums over the threads: waits for each other, in MPI, for devices, locks and the clock;
	 * time that is neither wait nor processor time. */
	double barrier_wait, mpi_wait, other_wait, away_time;
	double wall_time;
	double children_time;           /* processor time of processes that it started and that are
					 * not recorded; 0: none; NAN */
	double time_spread;             /* of phase_time: distance to the farther quartile /
					 * median */
	/* Processor time of the clean execution that took least, and of that which took most; with
	 * several processes, of any. */
	double time_least, time_most;
	const char *unlike;             /* which executions shares and times are of; NULL: all are
					 * alike */
	double others_share;            /* of the CPUs, had by other programs meanwhile (0..1) */
	/* est_stall is the part of modelled_time, else of cpu_time, that is lost to memory, with
	 * its range; memory_time the time of all misses if nothing hid them; core_time that of the
	 * code with all its data in the first cache level; branch_time the part of core_time for
	 * mispredicted branches on loaded data, of which up to twice as much, or nothing,
	 * may be so.  Thread-seconds. */
	double est_stall, est_stall_low, est_stall_high, memory_time, core_time, branch_time;
	/* The other parts of cpu_time, in thread-seconds: with est_stall and branch_time they sum
	 * to it.  computing_time: what of the rest lies within the range of core_time,
	 * [computing_low, computing_high]; kernel_time: system time, of it fault_time for page
	 * faults; library_time: in calls of code that is not recorded; unexplained_time: the
	 * rest.  All NAN on another machine, and where they were not measured. */
	double computing_time, computing_low, computing_high, kernel_time, fault_time, library_time,
		unexplained_time;
	double faults, major_faults;    /* page faults in an execution; of these, those that read
					 * from a device */
	const char *library_calls;      /* called functions that most of library_time is in: "qsort,
					 * exp"; NULL */
	const char *math_calls;         /* mathematical functions that most of computing_time's code
					 * calls: "exp, pow"; NULL */
	/* Where the memory is allocated whose first touches are page faults: "grow.c:12 (list)";
	 * and the place that most faults happen at: "append grow.c:15"; NULL: not known. */
	const char *fault_blocks, *fault_place;
	double run_share;               /* of the program's time, that of the phase; NAN: not
					 * known */
	/* s: the part of the run that run_share is of, where the program went on after the report;
	 * without what was recorded.  NAN: the whole run. */
	double run_seen;
	const char *phase_warning;      /* why another phase, or later executions, were better;
					 * NULL */
	bool locks;                     /* the program has critical sections or locks: by its
					 * source, as far as calls name them */
	const char *unoptimised;        /* sources of the phase's code that were compiled without
					 * optimisation: "a.c, b.c"; NULL */
	enum report_costs costs_source; /* what the costs of misses were taken from; if they were
					 * measured: */
	const char *costs_host;
	int64_t costs_when;             /* seconds since the epoch */
	bool costs_loaded;              /* while other programs ran */
	bool costs_varied;
	int64_t phase_executions;       /* executions of the phase in the run */
	int64_t executions_used;        /* executions measured */
	int experiments;
	int runs;                       /* of the program, that the analysis took */
	enum report_strategy strategy;  /* how the search descended */
	const char *machine;            /* "itanium2: Itanium 2, 1.3 GHz, …" */
	const char *machine_source;     /* "given with --machine", "hwloc", … */
	const char *counts_source;      /* "sim: simulated, every access (array refs)" */
	/* Two collectors counted (struct report_counted): the names of that whose counts are those
	 * of the report, and of the other, whose source follows; NULL: one did. */
	const char *collector, *other_collector, *other_source;
	const char *sampled;            /* description of the set sample and its errors; NULL: all
					 * sets */
	double sample_share;            /* share of the sets simulated; NAN: all */
	double unseen_share;            /* of the phase's time, in regions that no slice saw,
					 * largest over processes; NAN: no slices */
	bool bursts;                    /* counts are of bursts: our wrappers have not compiled the
					 * program */
	bool slowdown_limited;          /* slices were counted because of --max-slowdown, or of its
					 * default */
	const char *times_source;       /* "time: median of 3 clean executions on this host" */
	double stall_cycles;            /* misses x latency, of the phase; NAN where no fix was
					 * tried */
	bool rank_by_stall;             /* the model is of another machine: rank by
					 * est_stall_share */
	const char *partial;            /* why the analysis is partial; NULL: complete */
	const char **notes;             /* warnings and fall-backs, one sentence each */
	int nnotes;
	struct report_asked *asked;     /* the property files, in the user's order */
	int nasked;
	/* the results */
	struct report_finding *findings;
	int nfindings;
	struct report_problems problems;        /* of the findings; report_finish() */
	struct report_gain *gains;
	int ngains;
	struct report_verified *verified;
	int nverified;
	struct report_trial *trials;
	int ntrials;
	struct report_counted *counted;
	int ncounted;
	struct report_samples *samples; /* in the order of their fields */
	int nsamples;
	struct report_placed *placed;   /* in the order of their fields */
	int nplaced;
	struct report_ledger *ledger;
	int nledger;
	struct report_cost *costs;      /* in the order of report_cost_compare() */
	int ncosts;
	struct report_thread *thread_rows;
	int nthread_rows;
	int thread_rows_left_out;       /* that were measured, and are not in thread_rows */
	struct report_tested *tested;
	int ntested;
	struct report_timeline *timelines;      /* by process; report_timelines_keep() */
	int ntimelines;
	int timelines_left_out;         /* of further processes */
};

struct report *report_new(void);        /* NULL: out of memory */
void report_free(struct report *r);

/* Sorts worst first: by severity_share (by est_stall_share with rank_by_stall), then by confidence,
 * place, name and all other fields.  The order is total, so it never depends on the order of
 * arrival. */
void report_rank(struct report *r);
/* Seconds that all shares of estimates refer to: on the machine that was modelled, else processor
 * time here; NAN: not known. */
double report_base_time(const struct report *r);

/* The order of findings, total over everything that is printed, and that of structures that were
 * measured, or counted twice. */
int report_finding_compare(const struct report_finding *a, const struct report_finding *b);
int report_verified_compare(const struct report_verified *a, const struct report_verified *b);
int report_counted_compare(const struct report_counted *a, const struct report_counted *b);
/* Of equal ones of several processes: does a describe it?  The one that loses most does. */
bool report_verified_describes_before(const struct report_verified *a,
	const struct report_verified *b);
/* Orders reports by their heads (everything but the results), with
 * missing texts and figures last. */
int report_head_compare(const struct report *a, const struct report *b);
/* True: both have the same rows of shared lines. */
bool report_same_uses(const struct report_finding *a, const struct report_finding *b);
/* Of equal findings of several processes: does a describe it?  The one with
 * the highest severity does. */
bool report_finding_describes_before(const struct report_finding *a,
	const struct report_finding *b);

/* True: the finding's severity is a cost of memory, and its estimate can be more than zero. */
bool report_about_memory(const struct report_finding *f);

/* Appends to `key`, the key of a calling context, the name path of a region that is entered from
 * it: a region of the same function replaces the one around it, which its name path begins with;
 * others follow after " > ".  NULL: the key ends where names end, with "?". */
void report_key_extend(struct buf *key, const char *name_path);
/* Appends the name of a structure without the lines in it: "tnode (tree.c:41)"
 * becomes "tnode (tree.c:)". */
void report_key_name(struct buf *key, const char *name);
/* The last function of a key, and the place in it. */
const char *report_key_function(const char *key);
/* The order of costs: by region, structure, scope, declaration; 0: the same place and structure.
 * The phase comes first, since the keys of all other regions begin with its own. */
int report_cost_compare(const struct report_cost *a, const struct report_cost *b);
/* Appends the key of the region of a finding, which costs are found by. */
void report_finding_key(const struct report_finding *f, struct buf *key);
/* The cost of the finding's structure in its region, or of all memory there; NULL: not known, or
 * *failed is set: memory. */
const struct report_cost *report_cost_of(const struct report *r, const struct report_finding *f,
	bool *failed);
/* Puts the rows of threads in order, and keeps REPORT_THREAD_ROWS of them. */
void report_thread_rows_keep(struct report *r);
/* Compares the sums of all columns, an execution, with the costs of the report:
 *   - of the whole phase each figure is the table's, within the rounding of doubles;
 *   - a structure has no more there than in the table, and less by at most what small structures
 * have together; a region
 *     has no more, and may have less where small regions are parts of those around them.
 * Misses are left out where sets were sampled, everything where columns or processes are missing.
 * Returns the number of figures that were compared, or -1: err says which one
 * differs, and by how much. */
int report_timelines_check(const struct report *r, struct err *err);
/* Are there timelines, and do they count accesses?  Others have sampled pages. */
bool report_counts_timelines(const struct report *r);
/* Sorts the timelines and keeps REPORT_TIMELINES. */
void report_timelines_keep(struct report *r);
/* Sorts n costs and adds up those of the same place and structure; returns how many
 * remain, -1: out of memory. */
int report_costs_join(struct arena *arena, struct report_cost *costs, int n);

/* --- misses by source line (sites.c) ---------------------------------------------------------- */

/* Sorts n lines by misses of the last level, then of the first, most first, line 0 last, and adds
 * up those of the same line; returns how many remain. */
int report_sites_join(struct report_site *sites, int n);
/* Keeps the first REPORT_SITES lines of joined ones and adds the others to line 0;
 * returns how many remain. */
int report_sites_keep(struct report_site *sites, int n);
/* Makes one array, in the arena, of both, which may be NULL.  0 / -1 (memory;
 * *out, *n are as they were). */
int report_sites_merge(struct arena *arena, const struct report_site *a, int na,
	const struct report_site *b, int nb, const struct report_site **out, int *n);
/* The share that sites[i] has of all misses of the last level, or of the first if the last has few;
 * NAN: neither has any. */
double report_site_share(const struct report_site *sites, int n, int i);
/* The line with most misses, if it has REPORT_SITE_PLACE of them; else 0. */
int report_sites_place(const struct report_site *sites, int n);

/* SHORT: the problems (below) on one screen; WHOLE: every finding. */
enum report_part { REPORT_WHOLE, REPORT_TABLE, REPORT_PATHS, REPORT_LEDGER, REPORT_THREADS,
	REPORT_SHORT };
struct report_style {
	int top;                /* findings (SHORT: problems) printed; 0 = all */
	enum report_part part;
	int lines;              /* SHORT: at most so many, with what was measured or asked for by name
	                         * (verified, gains) more; 0 = no limit */
	const char *psc;        /* SHORT: the property file of the report; NULL none */
	bool gains;             /* SHORT: also every change that was tried */
	bool links;             /* SHORT: the terminal takes hyperlinks (OSC 8) */
	int width;              /* columns, at least 60; 0 = 80 */
	bool color;
	bool why_not;           /* print the tested list */
	bool unicode;           /* may use non-ASCII characters */
};
enum { REPORT_SCREEN = 24 };     /* lines of the smallest terminal */
/* True: the analysis was the paper's (--strategy paper), whose form is the whole report. */
bool report_of_paper(const struct report *r);
/* True: fd is a terminal that is not dumb, so it takes hyperlinks or ignores them. */
bool report_terminal_links(int fd);
/* Prints the report, or a part of it, as text.  Names are printed as UTF-8, control characters in
 * them as "?".
 * 0 / -1 (write error, memory).  This and the following writers want a
 * complete report (report_finish). */
int report_text(const struct report *r, const struct report_style *style, FILE *out,
	struct err *err);
/* Writes Periscope's property file.  This and the following writers write a regular file under a
 * temporary name beside it and rename it; "-" is standard output. */
int report_psc_write(const struct report *r, const char *path, struct err *err);
/* Reads property files of ours and of the original Periscope; fields that the file lacks are NAN or
 * NULL.  The report is complete. */
struct report *report_psc_read(const char *path, struct err *err);
/* "format" of the JSON form, kept from release 0.1.0 on; another one if it changes so
 * that old readers go wrong. */
#define REPORT_JSON_FORMAT "periscope-c report 1"
/* The JSON schema (draft 2020-12) of what report_json_write() writes. */
int report_schema_write(const char *path, struct err *err);
int report_json_write(const struct report *r, const char *path, struct err *err);
int report_csv_write(const struct report *r, const char *path, struct err *err);
/* Writes the whole report as one self-contained page, with the source lines of the problems, where
 * the files are there and not newer than the run; or without any source lines. */
int report_html_write(const struct report *r, const char *path, struct err *err);
int report_html_write_no_source(const struct report *r, const char *path, struct err *err);
/* Write the ledger, the rows of threads, which report_csv_write() leaves out. */
int report_ledger_csv_write(const struct report *r, const char *path, struct err *err);
int report_threads_csv_write(const struct report *r, const char *path, struct err *err);

/* The costs as a profile of callgrind's form (KCachegrind, speedscope), or as Hatchet's literal
 * JSON; empty ones if the report has no costs. */
int report_callgrind_write(const struct report *r, const char *path, struct err *err);
int report_hatchet_write(const struct report *r, const char *path, struct err *err);

/* The timelines: as CSV, a row for each column, region, structure and thread; as a trace of
 * Perfetto's TrackEvent; as a Paraver trace, STEM.prv with STEM.pcf, .row and .cfg.  Without
 * timelines there is nothing in them; callers refuse that. */
int report_timeline_csv_write(const struct report *r, const char *path, struct err *err);
int report_perfetto_write(const struct report *r, const char *path, struct err *err);
int report_paraver_write(const struct report *r, const char *stem, struct err *err);

/* Encodes and decodes a report for the messages from agents to the front end.  report_decode()
 * accepts only complete output of report_encode() of the same version, and checks every length. */
void report_encode(const struct report *r, struct buf *out);
struct report *report_decode(const void *data, size_t len, struct err *err);

/* --- classes of processes (classes.c) --------------------------------------------------------- */

/* Processes that behave alike: a class has those in which the same findings hold.  Findings over
 * all processes are left out, and those that all processes have.  The findings are taken by
 * severity, highest first, each of which divides the classes into those with and without it; one
 * that would make more than REPORT_CLASSES classes is left out.  So the classes depend on the
 * report alone, not on the order in which it was made.  How much a finding costs in each process is
 * not known, only where it holds and what it costs in all. */
enum { REPORT_CLASSES = 8 };
struct report_class {
	struct rank_set ranks;          /* owned */
	int representative;             /* the lowest rank */
	int *finding;                   /* owned: indices of the findings that divide and that it
					 * has */
	int nfindings;
};
struct report_classes {                 /* the largest first, then by rank; freed by
					 * report_classes_free() */
	struct report_class class[REPORT_CLASSES];
	int n;                          /* 0: ranks are not known, or there is one process */
	int ignored;                    /* findings of some processes only that were left out */
};
/* r must be ranked.  0 / -1 (memory). */
int report_classes_find(const struct report *r, struct report_classes *out);
void report_classes_free(struct report_classes *c);
/* Appends them as the last member of the report's JSON form. */
void classes_json(struct buf *out, const struct report *r);

/* --- problems --------------------------------------------------------------------------------- */

/* Completes a report whose results are all there: ranks it, joins its findings to problems, and
 * tells what the changes that were tried save in them.  0 / -1 (memory). */
int report_finish(struct report *r);
/* For readers of a report: makes in all problems what refers to findings, from their numbers.  0;
 * 1: a number is wrong;
 * -1: memory. */
int report_problems_link(struct report *r);
/* The first steps of the lead's path that are the regions around the whole problem: of
 * several passes, around them. */
int report_problem_around(const struct report_problem *p);
/* What a change to a structure saves in a problem, as share of the phase's time: its part of what
 * the change saves in the whole phase; not limited to what the problem costs. */
double report_problem_saves(const struct report *r, const struct report_problem *p,
	const struct report_gain *g);

/* A time as reports print it: "412 ms". */
#define REPORT_SECONDS 16
const char *report_seconds(char text[REPORT_SECONDS], double s);

#endif
