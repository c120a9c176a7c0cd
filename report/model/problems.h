/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps in which a report gets its problems (report_finish). */
#ifndef PSC_REPORT_PROBLEMS_H
#define PSC_REPORT_PROBLEMS_H

#include "report/model/report.h"

/* Joins the findings of a ranked report: fills in the problems' leads, members, structures, shares and lines, and
 * orders them.  0 / -1 (memory). */
int problems_group(struct report *r);
/* Chooses the finding that explains a problem with members and structures. */
void problems_lead(struct report_problem *p);
/* Finds the change to a problem's structures that saves most.  All problems must be there. */
void problems_save(struct report *r);

#endif
