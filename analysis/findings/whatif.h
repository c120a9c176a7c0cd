/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates what changes to data structures would save (--what-if).  When the search has ended,
 * trials are chosen by the user's requests; one experiment simulates a phase execution as it is
 * and with several trials at once.  Gains: the difference of the misses' latencies, and of the
 * phase's estimate the share that the change takes off the memory time.  Changes whose memory
 * time follows from the counts of the search need no experiment.  This module sends no requests
 * itself: collect/variants_collector.c plans them. */
#ifndef PSC_FINDINGS_WHATIF_H
#define PSC_FINDINGS_WHATIF_H

#include "analysis/findings/measured_check.h"
#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "report/model/report.h"

struct trial {                  /* one change to one structure */
	uint32_t object;        /* MON_ANY: no such structure */
	char name[256];         /* as the user gave it, where there is no object */
	enum fix fix;           /* 0: none, where there is no object */
	struct mon_variant variant;
	char change[64];        /* description for the report */
	char reason[400];       /* why there is no result; "" */
	uint32_t node;          /* of FIX_BIND, FIX_THREADS: where that is; UINT32_MAX: on several,
				 * or not known */
	bool done;
	double stall, own;      /* misses x latency without the change, cycles: of the phase, of the
				 * structure; NAN: not simulated */
	double with;            /* the same of the phase with the change */
	double memory, memory_with;     /* M of the phase without and with it, thread-seconds;
					 * NAN */
};

enum { WHATIF_TRIALS = 64, WHATIF_AUTO = 3, WHATIF_SAME = 4, WHATIF_PROBLEMS = 3 };

struct whatif {
	struct trial trial[WHATIF_TRIALS];
	uint32_t ntrials;
	bool more;              /* more were asked for than fit */
	struct measured_check check;    /* --verify, measured when all trials are done */
};

/* Chooses the trials.  NULL: memory; the caller frees it. */
struct whatif *whatif_new(const struct search *s, const struct run_config *c);
/* Adds trials of changes to the structures of the report's first problems: those that go with
 * the kind of their misses and whose effect follows from the counts, so that nothing is
 * measured. 0 / -1 (memory). r: the process's report, whose problems it makes. */
int whatif_propose(struct whatif *w, const struct search *s, struct report *r);
/* The next trials to measure, at most MON_VARIANTS; returns their number, 0: all are done. */
uint32_t whatif_next(const struct whatif *w, struct mon_variant *out);
/* Takes the result of a request for the trials that whatif_next() gave. */
void whatif_take(struct whatif *w, const struct measurements *p, const struct mon_result *r);
/* Ends the trials that are not done, with that reason. */
void whatif_give_up(struct whatif *w, const char *why);
/* Lower and upper bound of the cycles that a trial saves. */
void whatif_bounds(const struct trial *t, double *least, double *most);
/* Estimated time that a trial saves, in thread-seconds: the phase's est_stall x (1 - M' / M),
 * where M is its memory time without the change, M' with it; negative: it adds.  NAN: no
 * estimate, or no misses. */
double whatif_time(const struct trial *t, const struct measurements *p);
/* Adds the gains to the report of the process. 0 / -1 (memory). */
int whatif_report(const struct whatif *w, const struct search *s, struct report *r);

#endif
