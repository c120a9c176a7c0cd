/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps in which a report gets its problems (report_finish). */
#ifndef PSC_REPORT_PROBLEMS_H
#define PSC_REPORT_PROBLEMS_H

#include "report/model/report.h"

struct problem_range { double value, low, high; };

struct problem_item {           /* a finding, while it is joined to others */
	const struct report_finding *f;
	int nregions;           /* steps of its path that are regions */
	int group;              /* index of the first item of its problem; -1: of none yet */
	int pass;               /* its group before loops over the same structures were joined */
	/* Of the pass that begins with this item: the item in its innermost region; NULL: the pass
	 * is no stream over structures, or begins with another item. */
	const struct problem_item *place;
	bool memory, faults, nodes, structure;
	struct problem_range own;       /* its own part of what memory, or page faults, cost */
	/* Not about memory: the nearest finding of its group and property around it; -1: none. */
	int around;
};

/* Joins the findings of a ranked report: fills in the problems' leads, members, structures, shares
 * and lines, and orders them.  0 / -1 (memory). */
int problems_group(struct report *r);
void problem_range_add(struct problem_range *sum, const struct problem_range *v);
/* The groups so far are the passes.  Sets pass and place of all items. */
void problems_find_passes(struct problem_item *items, int n);
/* True: passes a and b stream over the same structures, one after the other. */
bool problems_same_passes(const struct problem_item *items, int n, int a, int b);
/* Fills in the passes of the problem of group g, if there are several, and what one instead of them
 * saves.  0 / -1 (memory). */
int problems_passes(struct arena *arena, const struct problem_item *items, int n, int g,
	struct report_problem *p);
/* Fills in share, lead and number of paths of a problem that is not about memory, of the items of
 * group g: the largest of its properties' severities. */
void problems_waits(const struct report *r, struct problem_item *items, int n, int g,
	struct report_problem *p);
/* True: page faults of that cause are one problem everywhere, since one change to the allocator, or
 * to how the compiler allocates, removes them; others are of a structure or a region. */
bool problems_faults_everywhere(enum fault_cause cause);
/* Fills in page_faults and share of a problem about page faults, of the items of group g. */
void problems_faults(const struct report *r, const struct problem_item *items, int n, int g,
	struct report_problem *p);
/* What the finding's structure costs because it is on another node. */
struct problem_range problem_nodes_range(const struct report_finding *f);
/* Fills in the share of a problem about memory nodes, of the items of group g. */
void problems_nodes(const struct problem_item *items, int n, int g, struct report_problem *p);
/* Fills in what the changes that are proposed for page faults save. */
void problems_faults_save(const struct report *r, struct report_problem *p);
/* Chooses the finding that explains a problem with members and structures. */
void problems_lead(struct report_problem *p);
/* Finds the change to a problem's structures that saves most.  All problems must be there. */
void problems_save(struct report *r);

#endif
