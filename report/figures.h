/* SPDX-License-Identifier: BSD-3-Clause */
/* What the writers and readers of this directory share. */
#ifndef PSC_REPORT_FIGURES_H
#define PSC_REPORT_FIGURES_H

#include "report/report.h"

#define REPORT_PSC_NAMESPACE "http://www.lrr.in.tum.de/Periscope"
#define REPORT_OWN_NAMESPACE "urn:periscope-c:report:1"

/* The same report with arrays of its own in ranked order, all else borrowed from r, which must
 * outlive it.  0 / -1 (out of memory). */
int report_ranked_copy(const struct report *r, struct report *copy);
void report_ranked_free(struct report *copy);

/* The first n steps; a path comes before its continuations. */
int report_path_compare(const struct report_node *a, int na, const struct report_node *b, int nb);

int report_processes_compare(const struct report_finding *a, const struct report_finding *b);

/* The last step of a path, or an unknown place. */
const struct report_node *report_place(const struct report_finding *f);

/* Is the gain of a structure that this finding is about? */
bool report_gain_of(const struct report_gain *g, const struct report_finding *f);
/* No change that can be made: what it gives is a bound for all changes to the structure. */
bool report_gain_bounds(const struct report_gain *g);
/* Of the changes that can be made and have a figure, the one that saves most of those of the finding
 * (NULL: of all); NULL: none.  r is ranked. */
const struct report_gain *report_gain_best(const struct report *r, const struct report_finding *f);

/* Sums of what was measured; cause says whether that is all. */
void report_ledger_total(const struct report *r, struct report_ledger *total);

#endif
