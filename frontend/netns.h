/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the MPI job into a network namespace.  Open MPI 4 listens on every interface of the host
 * whatever its options say; in a namespace it has only a loopback interface that nobody else can
 * reach.  Unix sockets with a path do not belong to a network namespace and still work. */
#ifndef PSC_FRONTEND_NETNS_H
#define PSC_FRONTEND_NETNS_H

#include "base/err.h"

/* Moves this process, and the ones it starts, into a new network namespace: as root, else in a user
 * namespace that maps its user and group to themselves. 0 / -1 (the process may then be in a
 * namespace that cannot be used). */
int netns_enter(struct err *err);
/* Tries netns_enter() in a child. 0 / -1 (err: why it would fail). */
int netns_possible(struct err *err);

#endif
