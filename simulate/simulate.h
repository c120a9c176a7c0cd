/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulator's public header: a machine, threads of a program and their records in, counts out.
 *
 * sim_arm() and sim_core_attach() make the machine (cache/sim.h), share_new() and share_attach()
 * connect the cores of several threads by a coherence directory (coherence/share.h), sample_make()
 * chooses sets (cache/sample.h).  The counts are the cells of each thread's core. */
#ifndef PSC_SIMULATE_H
#define PSC_SIMULATE_H

#include "simulate/access/thread.h"
#include "simulate/cache/column_writer.h"
#include "simulate/cache/map_counts.h"
#include "simulate/cache/unread_bytes.h"
#include "simulate/cache/walk_table.h"
#include "simulate/coherence/share.h"

/* Simulates the records in [words, end) (base/abi.h) on the thread's core; the caller serialises
 * calls for one thread.  counting: references and misses are counted in cells.  !play: only the
 * number of references is counted.  Stops at an invalid record; returns the number of words
 * left. */
size_t sim_batch(struct sim_thread *t, const uint64_t *words, const uint64_t *end, bool counting,
	bool play);
#endif
