/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks record descriptors (base/abi.h), which lie in the program's images: a stale or overwritten
 * word must not crash the host. */
#ifndef PSC_SIMULATE_DESCRIPTOR_H
#define PSC_SIMULATE_DESCRIPTOR_H

#include "simulate/access/thread.h"

/* Finds and checks the descriptor of a record's first word.  most: the largest access that touches
 * at most two lines, in bytes.  false: not a record.  May forget all descriptors if there is no
 * room. */
bool descriptor_load(struct sim_thread *t, uint64_t word, uint32_t most, struct sim_segment *out);
/* Forgets all descriptors, as images may have been unmapped. */
void descriptor_forget(struct sim_thread *t);

#endif
