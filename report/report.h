/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings out: the model that agents fill, and its writers.  A figure that was not measured is
 * NAN and never printed as 0.  Order in the model does not matter: report_rank() decides.
 * Strings are never NULL except where said; report_new() and the readers see to both. */
#ifndef PSC_REPORT_REPORT_H
#define PSC_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/region.h"

/* One step of a search path. */
struct report_node {
	enum region_type type;          /* REGION_DATA_STRUCTURE for structures */
	const char *name;               /* subroutine, callee, structure; "" none */
	const char *alias_of;           /* structure: the object's own name where it differs
	                                 * ("rsd" for v), else NULL */
	const char *scope;              /* structure: where it lives, in words as printed:
	                                 * "COMMON cvar", "module fields"; NULL none */
	const char *file;
	int line;
	bool phase;                     /* printed as "Application Phase" */
	bool holds;                     /* the property was proven here */
	double measure;                 /* the property's rate here (what its condition compares) */
	double measure_error;           /* as those of findings */
	double time;                    /* exec_time in s; NAN for structures */
};

struct report_finding {
	const char *property;
	const char *refines;            /* the parent property it was tested under; NULL none */
	const char *file;               /* property's source and line */
	int line;
	int number;                     /* of the property in its program: ID in .psc files */
	bool over_processes;            /* of all processes together, by what each gave to it */
	const int *processes;           /* ranks for which it holds (that gave to it), ascending */
	int nprocesses;
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
	double stall_share;             /* estimated stall share, an upper bound */
	/* Half of the 95 % interval, where cache sets were sampled; NAN: exact. */
	double severity_error;          /* of severity_share */
	double measure_error, stall_error;
	double coverage;                /* 1: every access counted */
	bool unwarmed;                  /* working set was not warmed */
	bool all_callers;               /* calling paths were not told apart */
	const char *advice;             /* NULL none */
	const char *info;               /* further figures, in words; NULL none */
	const char *declared;           /* structure: "file:line" of its declaration; NULL unknown */
};

/* What a change to a data structure would save (--what-if): a phase execution was played again with
 * it, all else being equal.  Cycles are modelled stall (misses x extra latency, as if nothing
 * overlapped) per phase execution, summed over threads and processes. */
struct report_gain {
	const char *structure;          /* its own name */
	const char *scope, *declared;   /* as those of the finding and its place; NULL none */
	const char *fix;                /* "pad", "touch", "interleave", "hit" */
	const char *change;             /* what was modelled, in words; "" nothing was */
	const char *reason;             /* why there is no figure; NULL there is one */
	double least, most;             /* cycles saved, at least and at most; negative: it costs them */
	double time_share;              /* `most` as share of phase time: no more can be saved */
};

/* Accesses of the phase by where they belong: the attribution ledger. */
struct report_ledger {
	const char *cause;              /* "named data structures", "stacks", "heap without a name", … */
	double accesses, misses;        /* per phase execution; misses of the last level */
	double misses_error;            /* as those of findings */
};

enum report_outcome { REPORT_HELD, REPORT_FALSE, REPORT_UNDECIDED, REPORT_PRUNED, REPORT_NOT_TESTED };
struct report_tested {          /* --why-not */
	const char *property;
	const struct report_node *place;
	const char *below;              /* label of the place's parent; NULL */
	int process;                    /* -1: of all processes together */
	enum report_outcome outcome;
	const char *reason;             /* "rate 0.013 <= 0.02", "lc3_data_miss not measured", … */
};

struct report {
	struct arena *arena;            /* owns everything below */
	/* the run */
	const char *command;            /* the application's, as started */
	const char *directory;
	const char *executable;
	int64_t when;                   /* seconds since the epoch, start of the run */
	double elapsed;                 /* s, of the search */
	int nprocs, nthreads;
	double cpus;                    /* that the program may use; NAN where the load is not known, here and below */
	double cpus_others, cpus_idle;  /* of these: used by other programs, by nobody (means over the search) */
	const char *version;            /* of this tool */
	/* the analysis */
	struct report_node phase;
	const char *phase_choice;       /* why this phase; NULL when it was exact */
	double phase_time;              /* s, median of clean executions; NAN */
	int64_t phase_executions;       /* seen in all */
	int64_t executions_used;        /* measured */
	int experiments;
	const char *strategy;
	const char *properties;         /* names of the property files */
	const char *machine;            /* "itanium2: Itanium 2, 1.3 GHz, …" */
	const char *machine_source;     /* "given with --machine", "hwloc", … */
	const char *counts_source;      /* "sim: simulated, every access (array refs)" */
	const char *sampled;            /* which of the cache sets were simulated, what errors mean; NULL all */
	double sample_share;            /* of the sets; NAN: all */
	const char *times_source;       /* "time: median of 3 clean executions on this host" */
	double stall_cycles;            /* of the phase; NAN where no fix was tried */
	bool rank_by_stall;             /* the machine is not this host: rank by modelled stall cycles */
	const char *partial;            /* why the analysis is partial; NULL complete */
	const char **notes;             /* warnings and fall-backs, a sentence each */
	int nnotes;
	/* what was found */
	struct report_finding *findings;
	int nfindings;
	struct report_gain *gains;
	int ngains;
	struct report_ledger *ledger;
	int nledger;
	struct report_tested *tested;
	int ntested;
};

struct report *report_new(void);        /* NULL: out of memory */
void report_free(struct report *r);

/* Worst first: by severity as a share of phase time (by stall_share with rank_by_stall), then confidence, then place and name, so that
 * the order is total and never depends on arrival. */
void report_rank(struct report *r);

enum report_part { REPORT_WHOLE, REPORT_TABLE, REPORT_PATHS, REPORT_LEDGER };
struct report_style {
	int top;                /* findings printed; 0 = all */
	enum report_part part;
	int width;              /* columns, at least 60; 0 = 80 */
	bool color;
	bool why_not;           /* print the tested list */
	bool unicode;           /* may use non-ASCII glyphs */
};
/* The ranked table, the search paths, the ledger, the sources.  r need not be ranked.  Names are
 * printed as UTF-8; control characters in them as "?".  0 / -1 (write error). */
int report_text(const struct report *r, const struct report_style *style, FILE *out,
	struct err *err);
/* Periscope's property file.  All writers: findings in ranked order; a regular file is
 * written under a temporary name beside it and renamed, "-" is standard output. */
int report_psc_write(const struct report *r, const char *path, struct err *err);
/* Reads ours and the original Periscope's; what a file does not hold stays NAN or NULL. */
struct report *report_psc_read(const char *path, struct err *err);
int report_json_write(const struct report *r, const char *path, struct err *err);
int report_csv_write(const struct report *r, const char *path, struct err *err);
/* All of it as one page that needs nothing else. */
int report_html_write(const struct report *r, const char *path, struct err *err);
/* The ledger alone: its rows belong to no finding. */
int report_ledger_csv_write(const struct report *r, const char *path, struct err *err);

/* To and from a byte string, for the way from agent to front end.  decode accepts only what
 * encode of the same version wrote, whole, and never trusts a length. */
void report_encode(const struct report *r, struct buf *out);
struct report *report_decode(const void *data, size_t len, struct err *err);

#endif
