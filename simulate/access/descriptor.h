/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors of records (base/abi.h), which lie in the program's images: a stale or scribbled word must not
 * crash the host. */
#ifndef PSC_SIMULATE_DESCRIPTOR_H
#define PSC_SIMULATE_DESCRIPTOR_H

#include "simulate/access/thread.h"

/* Finds and checks the descriptor of a record's first word.  most: bytes of an access that touches two lines
 * at most.  false: it is no record.  May forget all descriptors, for want of room. */
bool descriptor_load(struct sim_thread *t, uint64_t word, uint32_t most, struct sim_segment *out);
/* Images may have gone. */
void descriptor_forget(struct sim_thread *t);

#endif
