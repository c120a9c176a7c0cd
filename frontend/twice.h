/* SPDX-License-Identifier: BSD-3-Clause */
/* Two collectors count a program (--collector A,B), in a run of it each. */
#ifndef PSC_FRONTEND_TWICE_H
#define PSC_FRONTEND_TWICE_H

#include "frontend/front.h"

/* Analyses the program by the other collector, with `analyse`, in a process of its own that is
 * waited for.  Its report becomes f->other; the program's output goes to a file.  0: go on; -1:
 * there is no report, or the user has ended it, which was said: *code is the exit code. */
int twice_count(struct front *f, int (*analyse)(struct front *f), int *code) PSC_CHECKED;
/* In that process: hands the report over. */
int twice_hand_over(const struct front *f, const struct report *r);
/* Puts what the other collector counted into the report.  0 / -1 (said). */
int twice_join(const struct front *f, struct report *r);

#endif
