/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the user asks for with a .sir file (--sir), on one host. */
#ifndef PSC_AGENTS_ASKED_REGIONS_H
#define PSC_AGENTS_ASKED_REGIONS_H

#include "agents/process.h"

/* Reads the configuration's file into h->asked and finds its regions in h->sir.  0 / -1. */
int asked_begin(struct host_analysis *h, struct err *err);
/* Finds them again in the structure that is to replace h->sir.  0 / -1 (memory). */
int asked_again(struct host_analysis *h, const struct sir *by);
/* Notes what the report is restricted to, and what of the file the program does not have.
 * 0 / -1 (memory). */
int asked_note(const struct host_analysis *h, struct report *r);

#endif
