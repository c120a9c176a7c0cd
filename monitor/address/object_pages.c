/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the whole pages of a structure's ranges. */
#include "config.h"
#include "monitor/address/object_pages.h"
#include "monitor/address/heap.h"
#include "monitor/address/objects.h"
#include "monitor/host/mem.h"

/* Keeps the whole pages of [lo, hi). */
static void pages_add(struct object_pages *p, uint64_t lo, uint64_t hi, uint64_t page)
{
	lo = (lo + page - 1) / page * page;
	hi = hi / page * page;
	if (lo >= hi || p->n == OBJECT_RANGES)
		return;
	p->pages += (hi - lo) / page;
	p->range[p->n++] = (struct pscm_span){ .lo = lo, .hi = hi };
}

/* Keeps the whole pages of the range that are the object's alone. */
static void range_add(struct object_pages *p, const struct pscm_span *range, uint32_t object,
	uint64_t page)
{
	uint64_t begin = range->lo;

	for (uint64_t at = range->lo; at < range->hi; ) {
		struct pscm_span s;
		uint64_t end;

		pscm_address_map_find(at, &s);
		end = s.hi > at && s.hi < range->hi ? s.hi : range->hi;
		if (s.object == object) {
			p->bytes += end - at;
		} else {
			pages_add(p, begin, at, page);
			begin = end;
		}
		at = end;
	}
	pages_add(p, begin, range->hi, page);
}

/* known: ranges of which some may be other objects'. */
static void ranges_find(struct object_pages *p, struct pscm_span *known, uint32_t object,
	uint64_t page)
{
	size_t n = pscm_objects_spans(known, OBJECT_RANGES), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (known[i].object == object)
			known[kept++] = known[i];
	n = pscm_heap_spans(object, known, kept, OBJECT_RANGES);
	for (size_t i = 0; i < n; i++)
		range_add(p, &known[i], object, page);
}

bool object_pages_find(uint32_t object, uint64_t page, struct object_pages *out)
{
	struct pscm_span *known = pscm_map(OBJECT_RANGES * sizeof *known);

	*out = (struct object_pages){ .range = pscm_map(OBJECT_RANGES * sizeof *out->range) };
	if (known && out->range) {
		pscm_objects_resolve(false);
		pscm_address_map_build(true);
		ranges_find(out, known, object, page);
	}
	if (!known)
		object_pages_free(out);
	pscm_unmap(known, OBJECT_RANGES * sizeof *known);
	return out->range;
}

void object_pages_free(struct object_pages *p)
{
	pscm_unmap(p->range, OBJECT_RANGES * sizeof *p->range);
	*p = (struct object_pages){ 0 };
}
