/* SPDX-License-Identifier: BSD-3-Clause */
/* The worst cache lines of a structure that threads take from each other, as rows of a finding. */
#ifndef PSC_FINDINGS_WORST_LINES_H
#define PSC_FINDINGS_WORST_LINES_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Sets f->uses, of the two lines of the object with most coherence misses and of two threads each;
 * none where no line was recorded.  The arena owns them.  0 / -1 (memory). */
int line_uses(const struct measurements *p, uint32_t object, struct arena *arena,
	struct report_finding *f);

#endif
