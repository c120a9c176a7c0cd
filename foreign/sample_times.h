/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time of contexts, from samples of where each thread is. */
#ifndef PSC_FOREIGN_SAMPLE_TIMES_H
#define PSC_FOREIGN_SAMPLE_TIMES_H

#include "burst/shared/burst.h"
#include "foreign/code_contexts.h"

struct thread_times {
	uint64_t *own;          /* ns by context, without the contexts inside; owned */
	uint32_t *samples;      /* by context; owned */
	uint32_t room;          /* contexts */
	uint64_t cpu;           /* the thread's processor time at its last sample */
	uint64_t usual;         /* between two samples outside of bursts, smoothed */
	uint64_t burst;         /* of the last sample; 0: none */
	uint32_t context;       /* of the last sample */
};

/* Adds a sample.  Returns its context: 0 where no frame is known.  The time since the last sample
 * counts to it; where the thread was recorded meanwhile, as much as usual. */
uint32_t sample_times_add(struct thread_times *t, struct code_contexts *places,
	const struct burst_sample *s);
void sample_times_free(struct thread_times *t);

#endif
