/* SPDX-License-Identifier: BSD-3-Clause */
/* A network of one's own.  Open MPI 4 listens on every interface of the host whatever its options say; in a network
 * namespace of its own a job has only a loopback interface that nobody else can reach.  Sockets with a path are not
 * part of a network: they go on working. */
#ifndef PSC_FRONTEND_NETNS_H
#define PSC_FRONTEND_NETNS_H

#include "base/err.h"

/* Gives this process, and what it starts, such a namespace: as root, else in a user namespace in which its user and
 * group have the numbers that they have outside. 0 / -1 (it may be in one that cannot be used). */
int netns_enter(struct err *err);
/* Whether netns_enter() would succeed: tried in a child. 0 / -1 and why not. */
int netns_possible(struct err *err);

#endif
