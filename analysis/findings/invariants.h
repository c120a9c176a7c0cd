/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks on request: what the monitor found wrong in a process's records, and whether the
 * results that came from it agree with themselves; told as notes of the report. */
#ifndef PSC_FINDINGS_INVARIANTS_H
#define PSC_FINDINGS_INVARIANTS_H

#include "analysis/measure/measurements.h"
#include "report/report.h"

/* How such a note begins; the front end takes them out of the report. */
#define CHECK_NOTE "check: "
#define CHECK_WRONG "check: wrong: "
#define CHECK_NONE "check: nothing was recorded"

enum { INVARIANTS_KEPT = 16 };
struct invariants {
	uint32_t n;             /* violations of results; the first ones are kept */
	char text[INVARIANTS_KEPT][200];
};

/* A result by itself; then what measured_add() made of one that counted everything. */
void invariants_rows(struct invariants *v, const struct measurements *p, const struct mon_result *r);
void invariants_sums(struct invariants *v, const struct measurements *p, const struct mon_result *r);
/* Adds the notes. 0 / -1 (memory). */
int invariants_notes(const struct invariants *v, const struct measurements *p, const struct mon_peer *peer,
	struct report *r);

#endif
