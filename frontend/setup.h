/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the set-up and fills the configuration of the run before anything is started. */
#ifndef PSC_FRONTEND_SETUP_H
#define PSC_FRONTEND_SETUP_H

#include "analysis/search/run_config.h"
#include "frontend/options.h"
#include "report/model/report.h"

struct setup {
	struct run_config config;
	char program[4096];             /* resolved first word of the command */
	char *asked_names;              /* of data structures, one a line; owned; NULL: all are
					 * asked for */
	char psc[4200];                 /* property file to write; "" none */
	struct report *before;          /* what --compare reads; NULL none; owned */
	char notes[8][400];             /* remarks for the user, one sentence each */
	int nnotes;
};

/* Calibrates this host before, if that is of use (first_calibration.h).  here: processes of the
 * program run on this host.
 * 0; -1: printed all errors of the first thing that is wrong to standard error; nothing was
 * started. */
int setup_run(struct setup *s, const struct frontend_options *o, bool here);
void setup_free(struct setup *s);
/* Adds a note; drops notes beyond the eighth. */
void setup_note(struct setup *s, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
