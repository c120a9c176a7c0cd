/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the rules of a placement file (mon_shm.place): the whole pages of an object get a memory
 * policy, or the advice for large pages, when its memory is allocated or registered.
 *
 * A rule changes no contents and no address.  Nothing is undone: the kernel forgets a policy with
 * the mapping. */
#ifndef PSC_MONITOR_MEMORY_POLICY_H
#define PSC_MONITOR_MEMORY_POLICY_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

extern bool memory_policy_matched;        /* some object has a rule */
int memory_policy_start(void);
/* An object has got its number: finds the rules for it.  Requires the tables' lock. */
void memory_policy_object(uint32_t object);
/* The object has memory at [lo, lo + bytes), which nobody has accessed yet. */
void memory_policy_memory(uint32_t object, uint64_t lo, uint64_t bytes);

/* The node of the machine model on which a page of the object lies by its rule; UINT32_MAX: no rule
 * says. */
uint32_t memory_policy_node(uint32_t object, uint64_t address);

#pragma GCC visibility pop
#endif
