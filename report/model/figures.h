/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on the model that the writers and readers in this directory share. */
#ifndef PSC_REPORT_FIGURES_H
#define PSC_REPORT_FIGURES_H

#include "report/model/report.h"

#define REPORT_PSC_NAMESPACE "http://www.lrr.in.tum.de/Periscope"
#define REPORT_PSC_VERSION "1"  /* kept from release 0.1.0 on; files of another one are refused */
#define REPORT_OWN_NAMESPACE "urn:periscope-c:report:" REPORT_PSC_VERSION

/* Compares the first na and nb steps; a path comes before its continuations. */
int report_path_compare(const struct report_node *a, int na, const struct report_node *b, int nb);


/* Seconds that the shares of a problem are of. */
double report_problem_base(const struct report *r, const struct report_problem *p);
/* True: the problem is about page faults. */
bool report_problem_faults(const struct report_problem *p);
/* True: it is what a structure costs because it is on another memory node than
 * the threads that use it. */
bool report_problem_nodes(const struct report_problem *p);
/* True: all threads update one lock or scalar; results of its own for
 * each save all that it costs. */
bool report_problem_contends(const struct report_problem *p);
/* True: it is known, or asked, what a change saves of it. */
bool report_problem_savable(const struct report_problem *p);

/* The lines of the lead, and of the problem's other structures in the same file. */
void report_problem_range(const struct report_problem *p, int *first, int *last);

int report_processes_compare(const struct report_finding *a, const struct report_finding *b);

/* The last step of a path, or an unknown place. */
const struct report_node *report_place(const struct report_finding *f);
/* The innermost subroutine in the first n steps of a path; NULL: none of
 * them is one with a name. */
const char *report_subroutine(const struct report_finding *f, int n);

/* True: there is a text that explains the finding: why, or what to do. */
bool report_explains(const struct report_finding *f);

/* True: the finding is of a property of the user's own file. */
bool report_own_property(const struct report_finding *f);
int report_own_findings(const struct report *r);        /* their number */

/* True: both findings are about one structure. */
bool report_same_structure(const struct report_finding *a, const struct report_finding *b);

/* Is the gain about the structure of this finding? */
bool report_gain_of(const struct report_gain *g, const struct report_finding *f);
/* Does the finding's property name that change? */
bool report_finding_names(const struct report_finding *f, enum tried_fix fix);
/* True: not a change that can be made ("hit"), but the bound for all changes to the structure. */
bool report_gain_bounds(const struct report_gain *g);
/* The change that saves most, among those that can be made and have a figure, for the structure of
 * the finding (f NULL: for any structure); NULL: none.  r is ranked. */
const struct report_gain *report_gain_best(const struct report *r, const struct report_finding *f);

/* The row of all memory around costs[at]: of a structure that of its region; of a region that of
 * the nearest one that its key continues.  An index into r->costs; -1: none. */
int report_cost_around(const struct report *r, int at);
/* Adds the figures of a row to those of another one; what only one has is kept. */
void report_cost_add(struct report_cost *to, const struct report_cost *c);

/* Sums of the measured rows; cause tells whether all rows were measured. */
void report_ledger_total(const struct report *r, struct report_ledger *total);

#endif
