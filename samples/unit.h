/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit of this host that samples accesses, opened for one program: a ring for each CPU and
 * event. */
#ifndef PSC_SAMPLES_UNIT_H
#define PSC_SAMPLES_UNIT_H

#include <sys/types.h>
#include "base/err.h"
#include "samples/choose_event.h"
#include "samples/ring.h"

/* What a sample costs the program, with its part of the interrupt: assumed, for want of a way to
 * measure it from outside. */
#define SAMPLE_COST_NS 2000
/* The part of the program's time that samples may cost. */
#define SAMPLE_BUDGET 0.03

struct sample_unit_ring {
	struct sample_ring ring;
	int fd, leader;                /* leader -1: none */
	size_t mapped, packets_mapped; /* bytes */
};
struct sample_unit {
	struct sample_event event[SAMPLE_EVENTS];
	uint32_t nevents;
	struct sample_unit_ring *ring; /* owned */
	uint32_t nrings;
	struct sample_ledger ledger;
	uint64_t period[SAMPLE_EVENTS];
	/* When the period was looked at last: */
	uint64_t steered_at, samples_then, throttled_then;
};

/* Opens all events of this host for a program that will call exec: they count from then on, in all
 * its threads.  0 / -1: none opens (err says why, and what would change that). */
int sample_unit_open(struct sample_unit *u, pid_t program, struct err *err);
void sample_unit_close(struct sample_unit *u);
/* Hands out all samples that have come. */
void sample_unit_read(struct sample_unit *u, const struct sample_taker *to);
/* Makes the period shorter or longer, so that samples cost what the budget allows.  now: monotonic
 * clock, ns; running: CPUs that the program kept busy since the last call. */
void sample_unit_steer(struct sample_unit *u, uint64_t now, double running);
/* The period that makes `samples` in `ns` of processor time cost the budget; at least `least`. */
uint64_t sample_period_for(uint64_t period, uint64_t samples, double ns, uint64_t least);
/* Does an event of this host open for the calling process?  name: of the first that does.  0 / -1
 * (err). */
int sample_unit_try(char *name, size_t size, struct err *err);

#endif
