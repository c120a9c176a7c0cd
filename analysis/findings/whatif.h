/* SPDX-License-Identifier: BSD-3-Clause */
/* What changes to data structures would save.  When the search has ended, trials are chosen from what
 * the user asked for; experiments play a phase execution as it is and with several trials at once;
 * the difference of modelled stall is the gain.  Pure: who sends requests is node.c. */
#ifndef PSC_FINDINGS_WHATIF_H
#define PSC_FINDINGS_WHATIF_H

#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "report/report.h"

struct trial {                  /* one change to one structure */
	uint32_t object;        /* MON_ANY: no such structure */
	char name[256];         /* as asked for, where there is no object */
	enum fix fix;           /* one of them; 0: of none in particular */
	struct mon_variant variant;
	char change[64];        /* in words */
	char reason[400];       /* why there is no figure; "" */
	bool done;
	double stall, own;      /* cycles, as it is: the phase's, and the structure's part */
	double with;            /* the phase's with the change */
};

enum { WHATIF_TRIALS = 64, WHATIF_AUTO = 3, WHATIF_SAME = 4 };

struct whatif {
	struct trial trial[WHATIF_TRIALS];
	uint32_t ntrials;
	bool more;              /* some did not fit */
};

/* Chooses.  NULL: memory; the caller frees it. */
struct whatif *whatif_new(const struct search *s, const struct run_config *c);
/* The next trials to measure, at most MON_VARIANTS; 0: all is done. */
uint32_t whatif_next(const struct whatif *w, struct mon_variant *out);
/* The result of a request for the trials that whatif_next() gave. */
void whatif_take(struct whatif *w, const struct measurements *p, const struct mon_result *r);
/* What is not done will not be. */
void whatif_give_up(struct whatif *w, const char *why);
/* Cycles that a trial saves, at least and at most. */
void whatif_bounds(const struct trial *t, double *least, double *most);
/* Adds the gains to the report of the process. 0 / -1 (memory). */
int whatif_report(const struct whatif *w, const struct search *s, struct report *r);

#endif
