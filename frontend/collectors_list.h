/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_FRONTEND_COLLECTORS_LIST_H
#define PSC_FRONTEND_COLLECTORS_LIST_H

/* Prints the ways to measure by preference, and what this host can do of each.  Exit code. */
int collectors_list(void);

#endif
