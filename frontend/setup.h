/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that can be wrong before anything is started. */
#ifndef PSC_FRONTEND_SETUP_H
#define PSC_FRONTEND_SETUP_H

#include "analysis/search/run_config.h"
#include "frontend/options.h"

struct setup {
	struct run_config config;
	char program[4096];             /* resolved first word of the command */
	char psc[4200];                 /* property file to write; "" none */
	char notes[8][400];             /* what the user should know, a sentence each */
	int nnotes;
};

/* 0; or -1, everything wrong with the first thing that is wrong has been printed to standard
 * error, and nothing was started. */
int setup_run(struct setup *s, const struct options *o);
void setup_free(struct setup *s);
/* Adds a sentence; those beyond eight are left out. */
void setup_note(struct setup *s, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
