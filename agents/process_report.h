/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a report of what a process's analysis has found.  For process.c, which decides when. */
#ifndef PSC_AGENTS_PROCESS_REPORT_H
#define PSC_AGENTS_PROCESS_REPORT_H

#include "agents/process.h"

/* Searches what has been measured; the caller frees s.  0 / -1 (memory). */
int process_search(struct host_analysis *h, const struct measurements *measured, struct search *s);
uint32_t process_count_held(const struct search *s);
/* When the first analysis of a rank ends, that of p: compares how often the ranks have executed the
 * phase.  To be called before it is detached, as nothing counts its executions afterwards while
 * those of the others go on. */
void process_compare_executions(const struct process *p);
/* Makes p->report of the search; NULL: no memory, which is said. */
void process_report(struct process *p, const struct search *s);
/* Describes why the report of a process that ended early is partial; p->more names regions that
 * could be measured. */
void process_early_end(struct process *p, char *why, size_t size);

#endif
