/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks on request (--doctor --app, PSC_CHECK): violations that the monitor found in a process's
 * records, and results that contradict themselves.  Both become notes of the report. */
#ifndef PSC_FINDINGS_INVARIANTS_H
#define PSC_FINDINGS_INVARIANTS_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Prefixes of these notes; the front end takes them out of the report. */
#define CHECK_NOTE "check: "
#define CHECK_WRONG "check: wrong: "
#define CHECK_NONE "check: nothing was recorded"

enum { INVARIANTS_KEPT = 16 };
struct invariants {
	uint32_t n;             /* violations in results; text has the first INVARIANTS_KEPT */
	char text[INVARIANTS_KEPT][200];
};

/* Checks the rows of a result: of times, of counts. */
void invariants_times(struct invariants *v, const struct measurements *p,
	const struct mon_result *r);
void invariants_counts(struct invariants *v, const struct measurements *p,
	const struct mon_result *r);
/* Checks the sums after measured_add_counts() took in a result that counted everything. */
void invariants_sums(struct invariants *v, const struct measurements *p,
	const struct mon_result *r);
/* Adds the notes. 0 / -1 (memory). */
int invariants_notes(const struct invariants *v, const struct measurements *p,
	const struct mon_peer *peer, struct report *r);

#endif
