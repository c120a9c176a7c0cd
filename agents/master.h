/* SPDX-License-Identifier: BSD-3-Clause */
/* The master: passes messages between front end and node agents, and merges reports. */
#ifndef PSC_AGENTS_MASTER_H
#define PSC_AGENTS_MASTER_H

#include "agents/tree.h"

/* Runs until the front end sends MSG_QUIT or its connection ends.  Returns the process's exit
 * code. */
int master_run(const struct tree *tree, const char *socket);

#endif
