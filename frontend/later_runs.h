/* SPDX-License-Identifier: BSD-3-Clause */
/* Later runs of the program (--max-runs): their input is that of the first one, their output goes
 * to a file each.  Without --max-runs there is one more run, where a short first one was not
 * enough, and nobody can tell the two apart but by what the program writes. */
#ifndef PSC_FRONTEND_LATER_LATER_RUNS_H
#define PSC_FRONTEND_LATER_LATER_RUNS_H

#include <stdbool.h>
#include <sys/types.h>
#include "agents/progress.h"
#include "base/err.h"
#include "frontend/input_watch.h"
#include "frontend/options.h"
#include "frontend/setup.h"

struct runs {
	unsigned number;        /* of the current run, from 1 */
	off_t input;            /* of standard input, before the first run; -1: it has no
				 * position */
	int status;             /* wait status of the first run */
	struct input_watch watch;       /* of the first run, where another one is not asked for */
	uint64_t began;         /* clock_ns() when it started */
};

/* Can the program be run again with the same input, and with these options?  0 / -1. */
int runs_possible(const struct frontend_options *o, struct err *err);
/* May the program be run once more without --max-runs, by what is known before?  It is started by
 * itself on this host, and no option needs the run that is searched. */
bool runs_unasked(const struct frontend_options *o, const struct setup *s);
/* Notes where standard input is, before the first run. */
void runs_begin(struct runs *r, const struct setup *s);
/* May the program be run again after this run?  Without --max-runs, the first run ended with 0, in
 * less than RUNS_SHORT_S, and read nothing from standard input. */
enum { RUNS_SHORT_S = 5 };
void runs_end(struct runs *r, const struct setup *s, struct app_end *out);
/* The streams of the next run, for application_start(): standard input where it was, or /dev/null
 * instead of a terminal or pipe; the log, whose name is written to `log`.  0 / -1. */
int runs_streams(struct runs *r, const struct setup *s, int *in, int *out, char *log, size_t size,
	struct err *err) PSC_CHECKED;
/* A run has ended: notes if it ended otherwise than the first one. */
void runs_ended(struct runs *r, int status, struct setup *s);

#endif
