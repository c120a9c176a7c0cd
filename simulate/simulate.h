/* SPDX-License-Identifier: BSD-3-Clause */
/* The front door: a machine, threads of a program and their records in, counts out.
 *
 * sim_arm() and sim_core_attach() make the machine (cache/sim.h), share_new() and share_attach() let
 * several threads take lines from each other (coherence/share.h), sample_make() chooses sets (cache/sample.h).
 * The counts are the cells of each thread's core. */
#ifndef PSC_SIMULATE_H
#define PSC_SIMULATE_H

#include "simulate/access/thread.h"
#include "simulate/coherence/share.h"

/* Plays the records in [words, end) (base/abi.h) in the thread's core; calls for one thread are
 * serialised by the caller.  Counts go to cells when counting, else nowhere; without play the accesses
 * are only numbered.  Stops at what is no record; returns the words not understood. */
size_t sim_batch(struct sim_thread *t, const uint64_t *words, const uint64_t *end, bool counting,
	bool play);
#endif
