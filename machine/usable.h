/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the last cache level this host's programs get.  A virtual machine has a part of it,
 * and other machines and programs use it, too; no attribute of the system tells. */
#ifndef PSC_MACHINE_USABLE_H
#define PSC_MACHINE_USABLE_H

#include "machine/machine.h"
#include "machine/working_sets.h"

/* Bytes of the last level that hold lines of this process for longer than a pass over as many, by the
 * latency of dependent loads: from near (ns, the level's) to far (memory's).  The level's size if it
 * is at least USABLE_ALL of that; 0: not measured.  Overwrites the scratch of memory's set. */
#define USABLE_ALL 0.75
uint64_t usable_measure(const struct machine_flat *f, struct working_sets *sets, double near, double far);

/* Makes a level smaller: half of its sets as often as that leaves `bytes` or more, then as many ways as
 * fit into `bytes`. */
void usable_shrink(struct machine_level *l, uint64_t bytes);

#endif
