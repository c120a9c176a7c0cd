/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of an analysis: those that the user names, else those of the allocation that
 * psc_frontend runs in. Each gets one node agent; Open MPI starts them. */
#ifndef PSC_FRONTEND_HOSTS_H
#define PSC_FRONTEND_HOSTS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

struct host {
	char *name;             /* owned */
	uint32_t slots;         /* processes of the application that it has room for; 0: not said */
};
struct hosts {
	struct host *list;      /* owned */
	int n;                  /* 0: this host alone; where it is among them, it is the first */
	bool here;              /* it is */
	bool allocated;         /* by Slurm, whose launcher and mpirun know them */
};

/* list: "a,b:4,c" or NULL; file: lines "NAME [slots=N]", as Open MPI reads them, or NULL.  Without
 * both, the nodes of a Slurm allocation with several nodes.  A name that comes again adds its
 * slots, or one if it has none.  This host alone is no list.  0 / -1. */
int hosts_read(struct hosts *h, const char *list, const char *file, struct err *err);
void hosts_free(struct hosts *h);
/* Writes a hostfile for the agents: Open MPI's ranks by slot are the master, on this host, and then
 * one agent on each host in their order.  0 / -1. */
int hosts_write(const struct hosts *h, const char *path, struct err *err);

#endif
