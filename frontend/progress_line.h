/* SPDX-License-Identifier: BSD-3-Clause */
/* The line of progress on standard error: on a terminal it is written over by the next one. */
#ifndef PSC_FRONTEND_PROGRESS_LINE_H
#define PSC_FRONTEND_PROGRESS_LINE_H

#include <stdbool.h>
#include "agents/progress.h"
#include "frontend/options.h"

struct progress_line {
	bool open;              /* it is on the terminal */
	bool cost_shown;        /* it has been said what recording takes */
};

/* Call it before anything else is printed. */
void progress_line_end(struct progress_line *l);
/* Nothing with --quiet. */
void progress_line_show(struct progress_line *l, const struct frontend_options *o, const struct progress *p);

#endif
