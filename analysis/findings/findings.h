/* SPDX-License-Identifier: BSD-3-Clause */
/* From verdicts to the report of one process, and from the reports of several to one. */
#ifndef PSC_FINDINGS_FINDINGS_H
#define PSC_FINDINGS_FINDINGS_H

#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "report/report.h"

/* The report of one process: head, findings, ledger, what was tested (with why_not).  NULL: memory. */
struct report *findings_report(const struct search *s, const struct run_config *config);

/* One report out of several (n >= 1): equal findings become one with several processes; severity is the
 * sum of severities over the sum of phase times, whatever the order.  Borrows; NULL: memory. */
struct report *report_merge(struct report *const *parts, int n);

/* What a context's region is, for a path; the strings are the arena's.  Figures are NAN. 0 / -1. */
int findings_place(const struct measurements *measured, uint32_t context, struct arena *arena,
	struct report_node *out);
/* True when so many of the misses are on lines the warm-up did not touch that the figure is marked. */
bool findings_unwarmed(const struct measurements *measured, const struct tally *tally);

/* Up to `max` objects of the first findings about structures, in the report's order, each once. */
uint32_t findings_structures(const struct search *s, const struct run_config *config,
	uint32_t *objects, uint32_t max);
/* Where a structure lives and is declared, as reports say it; NULL where that is unknown; the strings
 * are the arena's. 0 / -1. */
int findings_declared(const struct measurements *measured, uint32_t object, struct arena *arena,
	const char **scope, const char **declared);

/* The file that declares a property, as reports name it: as it was given, a file of the library without
 * its directory.  Borrowed. */
const char *findings_property_file(const struct asl_property *p);

/* Adds to a report, whose arena has the strings.  0 / -1 (memory, or no text). */
int findings_add(struct report *r, const struct report_finding *f);
int findings_note(struct report *r, const char *text);
enum report_outcome findings_outcome(enum outcome outcome);

#endif
