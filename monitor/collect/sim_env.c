/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the simulator's questions: memory, and what an address means. */
#include "monitor/collect/sim_env.h"
#include "monitor/address/address_map.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/placement.h"
#include "monitor/collect/part_users.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"

/* Finds the object at an address and its normalised address, for the largest range around it that
 * lies in one unit of normalised space.  false: the variant leaves accesses there out. */
static bool address_describe(void *asker, uint64_t address, struct sim_place *out)
{
	const struct pscm_replay *replay = asker;
	struct pscm_span s;
	uint64_t unit;
	uint32_t home = 0;

	pscm_address_map_find(address, &s);
	if (unlikely(replay->whatif) && s.object == replay->whatif->object &&
	    !pscm_whatif_move(replay, address, &s, &home)) {
		*out = (struct sim_place){ .lo = s.lo, .hi = s.hi };
		return false;
	}
	unit = pscm_page_unit(address + s.shift);
	out->object = s.object;
	out->delta = pscm_page_delta(replay->pages, address, &s, home, &out->skew);
	out->lo = ((address + s.shift) & ~(unit - 1)) - s.shift;
	out->hi = out->lo + unit;
	if (s.lo > out->lo)
		out->lo = s.lo;
	if (s.hi < out->hi)
		out->hi = s.hi;
	if (!replay->whatif)
		locality_use(out->lo, out->hi, s.object, replay->thread);
	return true;
}

/* A static variable may lie in two mappings, that of the image's file and
 * that of what begins as zero. */
static void whole_variable(uint32_t object, uint64_t *lo, uint64_t *hi)
{
	const struct mon_object *o = &pscm_shm->objects[object];

	if (o->kind <= PSC_VAR_COMMON && o->address <= *lo && *hi <= o->address + o->size) {
		*lo = o->address;
		*hi = o->address + o->size;
	}
}

static bool block_range(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	struct pscm_span s;

	(void)asker;
	pscm_address_map_find(address, &s);
	*lo = s.lo;
	*hi = s.hi;
	if (s.object < MON_OBJ_FIRST || s.hi <= s.lo)
		return false;
	whole_variable(s.object, lo, hi);
	return true;
}

const struct sim_env pscm_sim_env = { .get = pscm_experiment_memory, .room = pscm_map,
	.place = address_describe, .readable = pscm_address_map_image, .marks = pscm_page_marks,
	.chunk = pscm_page_chunk, .node = pscm_page_node, .range = block_range };
