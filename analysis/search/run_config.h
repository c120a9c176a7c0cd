/* SPDX-License-Identifier: BSD-3-Clause */
/* The configuration of a run: what the front end decided and sends to every agent. */
#ifndef PSC_SEARCH_RUN_CONFIG_H
#define PSC_SEARCH_RUN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include "analysis/search/fixes.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/placement_file.h"
#include "base/tried_action.h"
#include "machine/machine.h"
#include "monitor/client/mon.h"

enum strategy_kind { STRATEGY_SHARE, STRATEGY_PAPER };

/* A file of properties that is asked. */
struct asked_set {
	char *name;             /* as the user gave it: "memory", "./my.asl" */
	char *set;              /* without directories and .asl: "my" */
	bool usual;             /* asked for by default */
};

struct run_config {             /* strings owned; freed by run_config_free() */
	char *command;          /* for the report */
	char *directory;
	char *executable;       /* carries the SIR, or its structure is made from the code
				 * (`bursts`) */
	char *code_files;       /* with `bursts`: libraries whose code is the program's, too: paths,
				 * one a line; NULL: none */
	char *asked_path, *asked_text;  /* --sir: the file's name and text; NULL: everything is
					 * asked for */
	bool samples;           /* with `bursts`: misses are those that the processor samples
				 * (--collector perf) */
	bool bursts;            /* it was not compiled by our wrappers: psc_foreign records it in
				 * bursts */
	char *socket_dir;       /* directory of the node agents' sockets, the same path on all
				 * hosts */
	uint32_t hosts;         /* on which node agents run, one on each; 0: one host */
	char *front_host;       /* name of the front end's host */
	struct mon_hook phase[MON_HOOKS];
	uint32_t nphase;
	uint32_t phase_region;  /* in binary_read_structure(executable); UINT32_MAX: not chosen
				 * yet */
	bool phase_by_time;     /* not named: the agents change it if it has too little of the
				 * time */
	char *phase_choice;     /* how the phase was chosen; NULL: --phase named it exactly */
	struct machine machine;
	bool foreign;           /* the model is of another machine: rank by modelled memory time */
	struct buf program;     /* compiled properties: asl_image_read() */
	struct asked_set *asked;        /* the property files, for the report; owned */
	uint32_t nasked;
	char *library;          /* directory of our own property files; NULL: no property is the
				 * user's own */
	char *recipes;          /* text of the recipes for events (events/metrics.h); NULL: none */
	char *collectors;       /* names, with commas: those that are preferred
				 * (collect/collector.h); NULL: none */
	uint32_t strategy;      /* enum strategy_kind */
	uint32_t counters;      /* filters per experiment; 0: as many as the collector can */
	uint32_t delay;         /* executions skipped before the first experiment */
	uint64_t timed_ns;      /* executions are spans of so much time of the program; 0: of the
				 * phase */
	uint32_t warm;
	uint32_t clean;         /* number of clean executions; times are medians over them */
	uint32_t counted;       /* executions counted by one sim experiment */
	uint32_t sample;        /* simulate one set in this many; 1: all */
	bool maps;              /* --timeline: accesses are drawn by address, too */
	uint32_t slow_percent;  /* --max-slowdown, as in struct mon_request */
	bool slow_budget;
	uint64_t slow_ns;
	struct fix_want *what_if;       /* owned */
	uint32_t nwhat_if;
	bool proposals;         /* report what changes to the first problems would save, as far as
				 * counts tell */
	struct tried_want tries[TRIES_MOST];    /* actions to try */
	uint32_t ntries;
	bool keep_tried;        /* one that gains stays in force */
	struct placement *placement;    /* owned: rules to apply; NULL: none */
	bool lockstep, why_not;
	bool check;             /* check the invariants of records and counts
				 * (findings/invariants.h) */
	double limit_seconds;   /* limit of the search; 0 none */
	uint64_t limit_executions;      /* limit in executions of the phase, of a run; 0 none */
	bool attached;          /* the processes ran before: what they did then is not known */
	uint32_t max_runs;      /* the program may be run so often, to complete the analysis */
	bool unasked;           /* nobody asked for more than one run: the second one is made if it
				 * completes the analysis */
	double threshold;       /* share of severity above which a finding is reported */
	double confidence;      /* least confidence of a finding */
	char *export_counts;    /* path for the raw counts; NULL none */
	char *phase_log;        /* path for the log of the phase (phase/phase_log.h); NULL none */
};

void run_config_init(struct run_config *c);     /* the defaults */
void run_config_free(struct run_config *c);
void run_config_encode(const struct run_config *c, struct buf *out);
int run_config_decode(struct run_config *c, const struct buf *in, struct err *err);
/* Adds a file of properties to what is asked.  0 / -1 (memory). */
int run_config_ask(struct run_config *c, const char *name, bool usual);
/* Appends the names of what is asked: "memory, ./my.asl". */
void run_config_asked(const struct run_config *c, struct buf *out);
/* Appends how the phase was chosen, where executions are spans of time. */
void run_config_spans(const struct run_config *c, struct buf *out);

#endif
