/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides where a changed data structure lies.
 *
 * Its addresses move to a range above all others, where it overlaps nothing; pages there are
 * numbered by first touch as usual.  Low address bits are kept, since a model may use addresses
 * unnormalised. */
#include "monitor/address/address_map.h"
#include "monitor/address/objects.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/sim_env.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

#define MOVED_MASK ((UINT64_C(1) << 47) - 1)

/* Home node + 1 of the page.  It takes effect only for a page new to this simulation. */
static uint32_t home_of(const struct pscm_replay *replay, uint64_t address)
{
	if (replay->whatif->fix == MON_FIX_FIRST_TOUCH)
		return replay->node + 1;
	return (uint32_t)(address >> 12) % replay->whatif->nodes + 1;
}

static uint64_t begin_of(const struct pscm_whatif *x, uint64_t address, const struct pscm_span *s)
{
	uint64_t lo = pscm_object_lo(x->object);

	return lo && lo <= address ? lo : s->lo;
}

/* Narrows the span to piece n of `size` bytes, counted from `base`. */
static void narrow(struct pscm_span *s, uint64_t base, uint64_t n, uint64_t size)
{
	uint64_t lo = base + n * size;

	if (s->lo < lo)
		s->lo = lo;
	if (s->hi > lo + size)
		s->hi = lo + size;
}

bool pscm_whatif_move(const struct pscm_replay *replay, uint64_t address, struct pscm_span *s,
	uint32_t *home)
{
	const struct pscm_whatif *x = replay->whatif;
	uint64_t base = begin_of(x, address, s), offset = address - base;
	uint64_t size = x->parameter, n, to;

	switch (x->fix) {
	case MON_FIX_ABSENT:
		return false;
	case MON_FIX_SHIFT:
		to = address + size;
		break;
	case MON_FIX_ROWS:
		n = offset / size;
		narrow(s, base, n, size);
		to = address + n * x->line;
		break;
	case MON_FIX_SPREAD:
		n = offset / size;
		narrow(s, base, n, size);
		to = ((base + x->line - 1) & ~(uint64_t)(x->line - 1)) + offset % size +
			n * ((size + x->line - 1) & ~(uint64_t)(x->line - 1));
		break;
	default:
		to = address;
		*home = home_of(replay, address);
	}
	s->shift = PSCM_MOVED + (to & MOVED_MASK) - address;
	s->area = PSCM_MOVED + (base & MOVED_MASK) - s->shift;
	return true;
}
