/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of psc_frontend. */
#ifndef PSC_FRONTEND_OPTIONS_H
#define PSC_FRONTEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "analysis/search/fixes.h"
#include "base/cli.h"
#include "base/tried_action.h"

enum option_action { ACT_ANALYSE, ACT_HELP, ACT_VERSION, ACT_DOCTOR, ACT_LIST_METRICS,
	ACT_LIST_COLLECTORS, ACT_STOP };

/* Who counts accesses and misses, as --collector names it. */
enum counts_by { COUNTS_UNNAMED, COUNTS_SIM, COUNTS_BURST, COUNTS_PERF };

struct frontend_options {                /* strings borrowed from argv */
	enum option_action action;
	long stop_pid;
	char **command;         /* NULL-terminated; owned array of borrowed words */
	int ncommand, nlauncher;        /* the first nlauncher words are those of a launcher that we
					 * added */
	const char *executable; /* --exe */
	long *attach;           /* owned: the processes of --attach */
	int nattach;
	long watched;           /* the process of --attach, if it has no monitor (attach_any.h); 0:
				 * none */
	const char *directory;  /* of the processes of --attach; NULL: this one.  Borrowed */
	uint32_t mpinumprocs, ompnumthreads;    /* 0: not given */
	const char *apprun;     /* launcher, with its arguments; NULL: none */
	char *launcher, *launcher_hosts;        /* owned: text of the launcher's words in
						 * `command` */
	const char *phase;
	uint64_t timed_ns;      /* --experiment-time; 0: not given */
	const char *machine;
	const char *threads_on; /* NULL: as the model says */
	const char **properties;        /* owned array: names or paths */
	int nproperties;
	const char **settings;          /* owned array: name=value */
	int nsettings;
	struct fix_want *what_if;       /* owned */
	int nwhat_if;
	struct tried_want tries[TRIES_MOST];
	uint32_t ntries;
	bool keep_tried;
	const char *sir;        /* --sir: what is asked for; NULL: everything */
	const char *placement;  /* file of rules; NULL: none */
	const char *strategy;
	const char *collectors;
	enum counts_by counts_by;       /* burst, perf: as of a program that our wrappers have not
					 * compiled */
	enum counts_by other_counts;    /* the second of two (twice.h) */
	uint32_t counters, delay, warm, clean, counted, sample;
	double max_time, threshold, confidence;
	bool timeline, no_timeline;     /* accesses are drawn by address; the page alone asks for
					 * that, too, unless it is not to */
	uint32_t slow_percent;  /* --max-slowdown, as in struct mon_request */
	bool slow_budget;
	uint64_t slow_ns;
	uint64_t max_executions;
	uint32_t max_runs;      /* the program may be run so often; 0: once, and once more by itself
				 * (later_runs.h) */
	int top;                /* -1: not given */
	const char *output, *psc, *html, *json, *csv, *csv_ledger, *counts, *phase_log,
		*timeline_csv, *perfetto;
	const char *paraver;    /* the files' names without their ends */
	const char *pages;      /* CSV of the pages that were seen; NULL: none */
	bool page_writes;       /* writes to any private memory, instead of tracked memory */
	double page_budget;     /* percent of the program's processor time; 0: pages are not
				 * sampled */
	const char *compare;    /* property file to compare with; NULL none */
	char *names[12];        /* owned: the output files above, expanded (base/output_names.h) */
	bool no_calibrate;      /* or PSC_CALIBRATE=no */
	bool no_psc, no_source, no_what_if, why_not, lockstep, quiet;
	bool check;             /* check the invariants of the measurements */
	bool verdict;           /* print the result of these checks instead of the report (--doctor
				 * --app) */
	int verbose;            /* 1: the whole report; more: also the steps of the run */
	const char *color;      /* auto, always, never */
	const char *agents;     /* auto, mpirun, local */
	const char *hosts, *hostfile;   /* NULL: not given */
	uint32_t fanout;        /* most children of an agent in the tree */
};

/* 0 / -1 (err: what is wrong with which option). */
int options_parse(struct frontend_options *o, int argc, char **argv, struct err *err);
void options_free(struct frontend_options *o);
/* Puts n borrowed words into the command, at a place in it.  0 / -1 (err). */
int options_put_words(struct frontend_options *o, int at, char *const *words, int n,
	struct err *err);
extern const struct cli options_cli;

#endif
