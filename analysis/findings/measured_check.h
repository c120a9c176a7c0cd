/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what the misses of a data structure cost (--verify).  In a phase of one thread, the
 * monitor runs copies of the process (monitor/collect/process_copies.h).  Where threads take the
 * structure's lines from each other, it keeps all threads on one CPU (monitor/collect/one_cpu.h):
 * then none does, in any structure, so one experiment serves all. Chooses the structures, keeps the
 * results, and holds them against the estimate. This module plans no requests itself:
 * collect/copies_collector.c and one_cpu_collector.c do. */
#ifndef PSC_FINDINGS_MEASURED_CHECK_H
#define PSC_FINDINGS_MEASURED_CHECK_H

#include "analysis/search/fixes.h"
#include "analysis/search/search.h"
#include "report/model/report.h"

struct checked_structure {
	uint32_t object;        /* MON_ANY: no such structure */
	char name[256];         /* as the user gave it, where there is no object */
	char reason[400];       /* why there are no times; "" */
	bool done;
	bool one_cpu;           /* measured with all threads on one CPU */
	struct estimate share;  /* one_cpu: of the phase's time, as estimated before; NAN: not */
	struct mon_verified result;
};

enum { CHECKED_MOST = 16, CHECKED_SAME = 4 };

struct measured_check {
	struct checked_structure structure[CHECKED_MOST];
	uint32_t n;
};

/* Adds the structures of that name. */
void measured_check_add(struct measured_check *m, const struct measurements *p, const char *name);
struct check_request {
	bool one_cpu;
	uint32_t object;        /* else: the structure, and the time of a clean execution */
	uint64_t clean_ns;
};
/* Tells what to request next.  false: all are done. */
bool measured_check_next(const struct measured_check *m, const struct measurements *p,
	struct check_request *out);
/* Takes the times of copies for the structure that measured_check_next() gave.
 * why: why there are none; "". */
void measured_check_take(struct measured_check *m, const struct mon_verified *v, const char *why);
/* Ends the structures that were measured on one CPU, with that reason; NULL: the
 * times are in p->one_cpu. */
void measured_check_one_cpu(struct measured_check *m, const char *why);
/* Ends what is not done, with that reason. */
void measured_check_give_up(struct measured_check *m, const char *why);
/* Adds the results to the report of the process.  0 / -1 (memory). */
int measured_check_report(const struct measured_check *m, const struct search *s, struct report *r);

#endif
