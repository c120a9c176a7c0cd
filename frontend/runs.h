/* SPDX-License-Identifier: BSD-3-Clause */
/* Later runs of the program (--max-runs): their input is that of the first one, their output goes to
 * a file each. */
#ifndef PSC_FRONTEND_RUNS_H
#define PSC_FRONTEND_RUNS_H

#include <stdbool.h>
#include <sys/types.h>
#include "agents/progress.h"
#include "base/err.h"
#include "frontend/options.h"
#include "frontend/setup.h"

struct runs {
	unsigned number;        /* of the current run, from 1 */
	off_t input;            /* of standard input, before the first run; -1: it has no position */
	int status;             /* wait status of the first run */
};

/* Can the program be run again with the same input, and with these options?  0 / -1. */
int runs_possible(const struct frontend_options *o, struct err *err);
/* Notes where standard input is, before the first run. */
void runs_begin(struct runs *r);
/* The streams of the next run, for application_start(): standard input where it was, or /dev/null
 * instead of a terminal; the log, whose name is written to `log`.  0 / -1. */
int runs_streams(struct runs *r, const struct setup *s, int *in, int *out, char *log, size_t size,
	struct err *err) PSC_CHECKED;
/* A run has ended: notes if it ended otherwise than the first one. */
void runs_ended(struct runs *r, int status, struct setup *s);

#endif
