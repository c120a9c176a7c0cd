/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of progress on standard error.  The program may print at any time: each line is
 * complete, and none is written over. */
#ifndef PSC_FRONTEND_PROGRESS_LINE_H
#define PSC_FRONTEND_PROGRESS_LINE_H

#include <stdbool.h>
#include "agents/progress.h"
#include "frontend/options.h"

struct progress_line {
	bool cost_shown;        /* it has been said what recording takes */
};

/* Nothing with --quiet. */
void progress_line_show(struct progress_line *l, const struct frontend_options *o,
	const struct progress *p);

#endif
