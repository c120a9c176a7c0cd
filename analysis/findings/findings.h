/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the report of one process from its verdicts, and merges the reports of several
 * processes. */
#ifndef PSC_FINDINGS_FINDINGS_H
#define PSC_FINDINGS_FINDINGS_H

#include "analysis/search/run_config.h"
#include "analysis/search/search.h"
#include "report/model/report.h"

/* The report of one process: head, findings, ledger, and, with why_not or without findings, the
 * list of tests.  NULL: memory. */
struct report *findings_report(const struct search *s, const struct run_config *config);

/* Merges n >= 1 reports: equal findings become one with several processes, whose severity is the
 * sum of severities over the sum of phase times.  The order does not matter.  Borrows; NULL:
 * memory. */
struct report *report_merge(struct report *const *parts, int n);

/* Fills in the path node of a context's region, with strings in the arena; figures are NAN. 0 /
 * -1. */
int findings_place(const struct measurements *measured, uint32_t context, struct arena *arena,
	struct report_node *out);
/* True: more than 5 % of the last-level misses are on lines that the warm-up did not touch. */
bool findings_unwarmed(const struct measurements *measured, const struct tally *tally);

/* The objects of the first findings about structures, in the report's order, each once, at most
 * `max`; returns their number. */
uint32_t findings_structures(const struct search *s, const struct run_config *config,
	uint32_t *objects, uint32_t max);
/* Describes the storage of a structure and the place of its declaration, in the arena; NULL:
 * unknown. 0 / -1. */
int findings_declared(const struct measurements *measured, uint32_t object, struct arena *arena,
	const char **scope, const char **declared);

/* Describes the place at which its heap blocks are allocated, in the arena; NULL:
 * several, or unknown.  0 / -1. */
int findings_allocated(const struct measurements *measured, uint32_t object, struct arena *arena,
	const char **at);

/* Fills in the report's head: what was measured, where, by which model.  0 / -1 (memory). */
int findings_head(const struct search *s, const struct run_config *config, struct report *r);
/* The ledger's row to which an object below MON_OBJ_FIRST belongs. */
enum ledger_cause findings_cause(uint32_t object);
/* Fills in the report's ledger. 0 / -1 (memory). */
int findings_ledger(const struct measurements *measured, struct report *r);

/* Fills in the report's parts of the processor time, and their places. 0 / -1 (memory). */
int findings_processor_time(const struct measurements *measured, struct report *r);
/* Fills in the report's time_least, time_most, times_source and unlike. 0 / -1 (memory). */
int findings_executions(const struct measurements *measured, struct report *r);
/* The report's `unlike` for spans of time (--experiment-time); choice: its text without
 * that, or NULL.  NULL: memory. */
const char *findings_timed_unlike(const struct run_config *config, const char *choice,
	struct arena *arena);
/* A note about a span that took much longer than wanted; "": there is none; NULL: memory. */
const char *findings_timed_late(const struct measurements *measured,
	const struct run_config *config, struct arena *arena);

/* The file that declares a property, as reports name it: an absolute path (of the library) without
 * its directory, any other path as given.  Borrowed. */
const char *findings_property_file(const struct asl_property *p);
/* True: the property is of a file of the user's, not of our library. */
bool findings_property_own(const struct run_config *config, const struct asl_property *p);

/* Add to a report; strings must be in its arena. 0 / -1 (memory, or text is NULL). */
int findings_add(struct report *r, const struct report_finding *f);
int findings_note(struct report *r, const char *text);
enum report_outcome findings_outcome(enum outcome outcome);

#endif
