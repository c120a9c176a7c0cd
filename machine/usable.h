/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the last cache level this host's programs get.  A virtual machine has a part of it,
 * and other machines and programs use it, too; no attribute of the system tells. */
#ifndef PSC_MACHINE_USABLE_H
#define PSC_MACHINE_USABLE_H

#include "machine/machine.h"
#include "machine/working_sets.h"

/* Bytes of the last level that hold lines of this process for longer than a pass over as many, by
 * the latency of dependent loads: from near (ns, the level's) to far (memory's).  0: not measured.
 * Looked for up to `most` bytes: the level's size, which is returned if USABLE_ALL of it can be
 * had; or more, where the system reports more and that is not plausible (struct machine, reported).
 * Overwrites the scratch of memory's set. */
#define USABLE_ALL 0.75
uint64_t usable_measure(const struct machine_flat *f, struct working_sets *sets, uint64_t most,
	double near, double far);

/* Gives a level about `bytes`.  Less than it has: half of its sets as often as that leaves `bytes`
 * or more, then as many ways as fit into `bytes`.  More: twice the sets as often as that fits, then
 * so many ways. */
void usable_resize(struct machine_level *l, uint64_t bytes);

#endif
