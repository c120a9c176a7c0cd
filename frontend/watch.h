/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether processes still get on: for waits that must hold on a loaded machine and still end soon when
 * nothing comes of them. */
#ifndef PSC_FRONTEND_WATCH_H
#define PSC_FRONTEND_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct watch {
	pid_t root;
	bool computing;
	uint64_t looked;        /* when, in ns */
	uint64_t memory;        /* of all processes, in KiB */
	uint64_t ran, waited;   /* ns that all threads ran, and wanted to run but had no CPU */
	uint64_t still;
	uint64_t computed;      /* ns that threads have run since the beginning */
};

/* Watches the descendants of a process.  They get on when they need more memory; computing: also when they compute
 * most of the time. */
void watch_begin(struct watch *w, pid_t root, bool computing);
/* Looks (at most every 200 ms), and returns for how many seconds nothing has got on: time for which they had
 * no CPU, or waited for a disk, does not count. */
double watch_still(struct watch *w);

#endif
