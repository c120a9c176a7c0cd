/* SPDX-License-Identifier: BSD-3-Clause */
/* File descriptors of the monitor, out of the way of the program. */
#ifndef PSC_MONITOR_DESCRIPTORS_H
#define PSC_MONITOR_DESCRIPTORS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct pscm_fd {
	int fd;                 /* -1: none */
	uint64_t device, inode;
};
/* Duplicates fd to a high number, because some programs rely on the number that their next open()
 * returns.  Closes fd and returns the duplicate; returns fd where duplication fails. */
int pscm_fd_high(int fd);
void pscm_fd_keep(struct pscm_fd *f, int fd);
int pscm_fd_get(struct pscm_fd *f);     /* -1: the descriptor is no longer ours */
void pscm_fd_close(struct pscm_fd *f);

#pragma GCC visibility pop
#endif
