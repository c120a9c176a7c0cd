/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a program's threads are, sampled by the kernel's clock of their processor time, in user
 * mode: of a program that no library can be loaded into, or that runs already. */
#ifndef PSC_FOREIGN_CLOCK_SAMPLES_H
#define PSC_FOREIGN_CLOCK_SAMPLES_H

#include <sys/types.h>
#include "base/err.h"
#include "samples/ring.h"

struct clock_ring {
	struct sample_ring ring;
	int fd;                         /* -1: none */
	size_t mapped;
};
struct clock_samples {
	struct clock_ring *ring;        /* owned: one for each processor and thread */
	uint32_t nrings, room;
	struct sample_ledger ledger;
};

/* Opens it for a thread and for those that it starts later; call it for each thread that a process
 * has already.  0 / -1 (err: why, and what would change that). */
int clock_samples_open(struct clock_samples *s, pid_t thread, uint64_t period_ns, struct err *err);
void clock_samples_close(struct clock_samples *s);
/* Hands out all samples that have come: ip, tid, time. */
void clock_samples_take(struct clock_samples *s, const struct sample_taker *to);
/* Does a sample of this process arrive?  0 / -1 (err). */
int clock_samples_try(struct err *err);

#endif
