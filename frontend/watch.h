/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects whether processes make progress: for timeouts that must not fire on a loaded machine but
 * must end a hopeless wait soon. */
#ifndef PSC_FRONTEND_WATCH_H
#define PSC_FRONTEND_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { WATCH_FAMILY = 64 };
struct watch_family {           /* a process and its descendants, the first WATCH_FAMILY */
	pid_t pid[WATCH_FAMILY];
	int n;
};

void watch_family(pid_t root, struct watch_family *f);
/* One of them that is stopped (SIGSTOP); 0: none. */
pid_t watch_stopped(const struct watch_family *f);

struct watch {
	pid_t root;
	bool computing;         /* computing counts as progress, too */
	uint64_t looked;        /* time of the last look at /proc, in ns */
	uint64_t memory;        /* of all processes, in KiB */
	uint64_t ran, waited;   /* ns that all threads ran, and were runnable without a CPU */
	uint64_t still;         /* ns without progress */
	uint64_t computed;      /* ns that threads have run since the beginning */
};

/* Watches the descendants of process `root`.  Progress is growing peak memory; with `computing`
 * also running for more than half of the time in which they could have a CPU. */
void watch_begin(struct watch *w, pid_t root, bool computing);
/* Reads /proc (at most every 200 ms) and returns the seconds without progress.  Time in which the
 * processes had no CPU, or a thread waited for a disk, does not count. */
double watch_still(struct watch *w);

#endif
