/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum of the reports of any number of processes, from which the report of all of them is made.
 *
 * Equal findings are one, as are equal changes, structures that were measured, causes of the
 * ledger, rows of costs. Figures are kept as exact sums over processes (base/exact_sum.h), largest
 * and smallest ones as such, and where only one text can stay it is chosen by an order of all
 * texts.  So neither the order in which reports are added nor the tree in which sums are added to
 * each other changes a byte of the result; what agents send to each other is the sum.
 *
 * A finding is described (texts, lines, kind) as in the process with the highest severity.  Where
 * its texts have figures and not all processes have the same texts, it has the rank (figures_rank),
 * since the finding's own figures are of all. */
#ifndef PSC_FINDINGS_REPORT_SUM_H
#define PSC_FINDINGS_REPORT_SUM_H

#include "report/model/report.h"

struct report_sum;

struct report_sum *report_sum_new(void);        /* NULL: memory */
void report_sum_free(struct report_sum *s);     /* NULL is fine */
/* Adds a report of one process, or one that was made of several; copies what it keeps.  After -1
 * (memory) the sum can only be freed. */
int report_sum_add(struct report_sum *s, const struct report *part);
/* Adds a report of no process, which is used only if no other report is added. 0 / -1 (memory). */
int report_sum_add_none(struct report_sum *s, const struct report *none);
/* Takes a host's figures (hosts, elapsed, cpus, cpus_others, cpus_idle, others_share) from a
 * report.  Hosts are counted; the other figures of the whole are those of the host that took
 * longest, and of the busiest one. */
void report_sum_host(struct report_sum *s, const struct report *host);
/* Appends the sum as bytes; equal sums give equal bytes, whatever was added in which order. */
void report_sum_encode(struct report_sum *s, struct buf *out);
/* 0 / -1 (damaged, of another version, or no memory; then the sum can only be freed). */
int report_sum_add_encoded(struct report_sum *s, const void *data, size_t len, struct err *err);
/* The ranked report of all that was added; the caller frees.  NULL:
 * memory, or nothing was added. */
struct report *report_sum_finish(struct report_sum *s);

#endif
