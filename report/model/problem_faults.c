/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what page faults take in a problem, and what remains of it after a change. */
#include "report/model/problems.h"

#include <math.h>

#include "base/known.h"

bool problems_faults_everywhere(enum fault_cause cause)
{
	return cause == FAULT_ALLOCATED || cause == FAULT_MAPPED || cause == FAULT_AUTOMATIC ||
		cause == FAULT_TEMPORARY;
}

void problems_faults(const struct report *r, const struct problem_item *items, int n, int g,
	struct report_problem *p)
{
	const double most = known_amount(r->fault_time) / r->cpu_time;
	double all = 0, fits;

	p->share = p->low = p->high = p->page_faults = 0;
	for (int i = 0; i < n; i++) {
		all += items[i].faults ? items[i].own.value : 0;
		if (items[i].group != g)
			continue;
		p->share += items[i].own.value;
		p->low += items[i].own.low;
		p->high += items[i].own.high;
		p->page_faults += known_amount(items[i].f->page_faults);
	}
	/* All problems together take no more than the phase's figure, where it is known. */
	fits = most > 0 && all > most ? most / all : 1;
	p->share *= fits;
	p->low *= fits;
	p->high = fmin(p->high, 1);
	p->low = fmin(p->low, p->share);
	p->npaths = 1;
}

/* Sums over the findings of what a change leaves; NAN: not known of one. */
static double left_of(const struct report_problem *p)
{
	double all = 0, left = 0;

	for (int i = 0; i < p->nmembers; i++) {
		all += known_amount(p->members[i]->fault_share);
		left += known_amount(p->members[i]->fault_share) * p->members[i]->fault_left;
	}
	return all > 0 ? left / all : NAN;
}

/* s: what may go with the faults beside them: the kernel's other work, which is mostly that of
 * giving memory back; time that nothing explains, as the kernel and the zeroes that it writes
 * displace what was in the caches; of a list that grows, the copies, which functions of a library
 * make that nothing tells of. */
static double beside(const struct report *r, const struct report_problem *p)
{
	const enum fault_cause cause = p->lead->fault_cause;
	double s = fmax(0, known_amount(r->kernel_time) - known_amount(r->fault_time)) +
		known_amount(r->unexplained_time);

	if (cause == FAULT_GROWN || cause == FAULT_REALLOC)
		s += known_amount(r->library_time);
	return s;
}

/* At most the problem's part of what is beside the faults goes, too. */
void problems_faults_save(const struct report *r, struct report_problem *p)
{
	const double left = left_of(p);
	const double part = r->fault_time > 0 ? p->share * r->cpu_time / r->fault_time : 0;

	p->saves = p->share * (1 - left);
	p->saves_low = p->low * (1 - left);
	p->saves_high = isnan(left) ? NAN : fmin(1, p->high + part * beside(r, p) / r->cpu_time);
}
