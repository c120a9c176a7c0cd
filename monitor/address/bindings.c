/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the reports of dummy arguments: each names the memory that it is bound to, or becomes an
 * alias of the object there. */
#include "monitor/address/bindings.h"
#include "monitor/address/address_map.h"
#include "monitor/address/names.h"
#include "monitor/address/objects.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include <errno.h>

static void dummy_bind(struct pscm_thread *t, const struct psc_unit *unit, uint32_t dummy,
	uint64_t address, uint64_t size)
{
	uint32_t generation = atomic_load_explicit(&pscm_bind_generation, memory_order_relaxed);
	uint32_t context = pscm_region_stack_context(t);
	struct pscm_bind *known = &t->bind[(((uintptr_t)unit >> 5) + dummy) % PSCM_BINDS];
	struct pscm_span s;
	bool same = known->unit == unit && known->dummy == dummy &&
		known->generation == generation && known->context == context;

	if (same && known->address == address && known->size == size)
		return;
	pscm_address_map_find(address, &s);
	/* Another part of the same object, such as its next row, has the dummy's name already. */
	same = same && s.object >= MON_OBJ_FIRST && s.object == known->object;
	*known = (struct pscm_bind){ unit, address, size, dummy, generation, context, s.object };
	if (same)
		return;
	if (s.object == MON_OBJ_STACK || (s.object < MON_OBJ_FIRST && !size))
		return;
	if (pscm_object_bind(unit, dummy, address, size, s.object, context))
		pscm_address_map_build(true);
}

static void bind_guarded(const struct psc_unit *unit, uint32_t dummy, const void *address,
	uint64_t size, const void *descriptor)
{
	int saved = errno;
	struct pscm_thread *t;
	uint64_t at = (uint64_t)(uintptr_t)address;

	if (!unit->registered || dummy >= unit->ndummies || !pscm_guard())
		return;
	t = pscm_thread_self();
	if (t && (!descriptor || pscm_descriptor_range(descriptor, &at, &size)) && at)
		dummy_bind(t, unit, dummy, at, size);
	pscm_unguard();
	errno = saved;
}

void __psc_bind(struct psc_unit *unit, uint32_t dummy, const void *address, uint64_t size)
{
	if (unlikely(names_now()))
		bind_guarded(unit, dummy, address, size, NULL);
}

/* `i` is the subroutine's first dummy. */
static void bind_all(const struct psc_unit *unit, uint32_t region, uint32_t i, va_list addresses)
{
	for (; i < unit->ndummies && unit->dummies[i].region == region; i++)
		if (unit->dummies[i].size != PSC_SIZE_TOLD)
			bind_guarded(unit, i, va_arg(addresses, const void *),
				unit->dummies[i].size, NULL);
}

void pscm_bind_all(const struct psc_mark *m, va_list addresses)
{
	if (unlikely(names_now()) && m->unit->registered)
		bind_all(m->unit, m->index, m->dummy, addresses);
}

void __psc_bind_all(struct psc_unit *unit, uint32_t region, ...)
{
	va_list addresses;
	uint32_t i = 0;

	if (likely(!names_now()) || !unit->registered)
		return;
	while (i < unit->ndummies && unit->dummies[i].region != region)
		i++;
	va_start(addresses, region);
	bind_all(unit, region, i, addresses);
	va_end(addresses);
}

void __psc_mark_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	if (!m->unit)
		return;
	va_start(addresses, m);
	pscm_bind_all(m, addresses);
	va_end(addresses);
}

void __psc_enter_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	if (likely(m->unit)) {
		va_start(addresses, m);
		__psc_enter(m->unit, m->index);
		pscm_bind_all(m, addresses);
		va_end(addresses);
	}
	pscm_ensure_space();
}

void __psc_bind_descriptor(struct psc_unit *unit, uint32_t dummy, const void *descriptor)
{
	if (unlikely(names_now()) && descriptor)
		bind_guarded(unit, dummy, NULL, 0, descriptor);
}
