/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem for a reader who has seen nothing else of the report, or for a program. */
#ifndef PSC_REPORT_EXPLAIN_H
#define PSC_REPORT_EXPLAIN_H

#include "report/model/report.h"

/* Append a problem by the finding that explains it: what is claimed, by which figures, where in the
 * source, what to change and what that would save, and the commands that test it.  file: the
 * property file, for these commands. */
void explain_text(const struct report *r, const struct report_problem *p, const char *file,
	const struct report_style *style, struct buf *out);
void explain_json(const struct report *r, const struct report_problem *p, const char *file,
	struct buf *out);

#endif
