/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows for how long page-fault events say which thread touched a page first. */
#include "monitor/address/first_touch.h"
#include "monitor/address/heap.h"
#include "monitor/address/placement.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/state.h"

static bool until_clean;        /* events are for first touches alone */

void first_touch_start(void)
{
	/* A filter of system calls may kill for perf_event_open. */
	until_clean = pscm_shm->first_touches && !pscm_shm->no_faults &&
		pscm_shm->machine.nodes.count <= 1 && !sandbox_around() &&
		!placement_start(&pscm_shm->machine);
}

void first_touch_end(void)
{
	if (!until_clean)
		return;
	until_clean = false;
	pscm_heap_late_from_here();     /* first: a block of another thread is rather late than
					 * known wrongly */
	placement_end();
}

bool first_touch_known(uint64_t address, uint32_t object)
{
	return !pscm_heap_is_late(address, object);
}

uint32_t first_touch_of(uint64_t address)
{
	const uint32_t thread = placement_toucher(address);

	return thread == PLACEMENT_UNKNOWN ? MON_ANY : thread;
}
