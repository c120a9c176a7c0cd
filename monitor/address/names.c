/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares what names addresses: the heap's blocks, the variables, and the map of both. */
#include "monitor/address/names.h"
#include "monitor/address/address_map.h"
#include "monitor/address/block_counts.h"
#include "monitor/address/heap.h"
#include "monitor/address/objects.h"

void names_begin(void)
{
	pscm_heap_count();
	pscm_objects_resolve(true);
	pscm_address_map_build(true);
}

void names_read(void)
{
	pscm_block_execution();
	pscm_objects_resolve(false);
	pscm_address_map_build(false);
}
