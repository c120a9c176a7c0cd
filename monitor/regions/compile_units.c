/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers compile units: numbers their regions, registers their variables, and marks the units
 * that hold the phase or candidates for it (candidates.h).
 *
 * Fields of a unit that are written here: `registered` is its number in the table + 1.  `phase` has
 * the bits that compiled code tests before it calls a phase hook.  `phases` is what the hook reads
 * first: NULL: the phase is elsewhere; else struct unit_roles. */
#include "monitor/regions/compile_units.h"
#include "monitor/address/address_map.h"
#include "monitor/address/names.h"
#include "monitor/address/objects.h"
#include "monitor/address/shared_tables.h"
#include "monitor/attach.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/candidates.h"
#include "monitor/regions/native_subroutines.h"
#include "monitor/state.h"
#include "base/unit_tables.h"
#include <errno.h>
#include <string.h>

static struct psc_unit *units;          /* currently registered; guarded by pscm_tables_lock */
static enum pscm_calls calls;           /* which hooks compiled code calls; same lock */
static bool native;                     /* brief subroutines run natively; same lock */
static uint32_t base[MON_UNITS];        /* by unit number: run-time number of its first region */
static uint32_t next_base;
static struct { uint64_t hash; uint32_t index; } phase[MON_HOOKS];      /* same lock */
static uint32_t nphase;

bool pscm_region_is_phase(uint64_t hash, uint32_t region)
{
	for (uint32_t i = 0; i < nphase; i++)
		if (phase[i].hash == hash && phase[i].index == region)
			return true;
	return false;
}

/* Copies the phase's names from shared memory. */
static void phase_read(void)
{
	uint32_t n = pscm_shm->nphase;

	nphase = n < MON_HOOKS ? n : MON_HOOKS;
	for (uint32_t i = 0; i < nphase; i++) {
		phase[i].hash = pscm_shm->phase[i].hash;
		phase[i].index = pscm_shm->phase[i].index;
	}
}

/* The bits of the regions whose markers are to be called. */
static void marked_bits(const struct psc_unit *unit, uint8_t *bits)
{
	memset(bits, calls == PSCM_CALLS_ALL || calls == PSCM_CALLS_SLICED ? 255 : 0,
		sizeof(unit_mask));
	if (calls == PSCM_CALLS_TIMED)
		for (uint32_t r = 0; r < unit->nregions; r++)
			if (!brief_region(unit->base + r))
				unit_mask_set(bits, r);
}

/* A unit that was registered by hand has no marks. */
static void set_marked(struct psc_unit *unit, bool analysed)
{
	struct psc_mark *mark = psc_unit_marks(unit);

	for (uint32_t r = 0; unit->tables && r < unit->nregions; r++)
		__atomic_store_n(&mark[r].marked, analysed &&
			!(native && brief_region(unit->base + r) &&
			!(pscm_timed() && native_calls_miss(unit, r))) &&
			!(calls == PSCM_CALLS_NONE && native_calls_may(unit, r)), __ATOMIC_RELAXED);
}

static void set_bytes(uint8_t *flags, const uint8_t *to)
{
	for (uint32_t i = 0; i < PSC_PHASE_BYTES; i++)
		pscm_flag_byte(&flags[i], to ? to[i] : 0);
}

/* The hooks that can end a clean span of time. */
static void timed_bits(const struct psc_unit *unit, unit_mask bits[2])
{
	for (uint32_t r = 0; r < unit->nregions; r++)
		for (int kind = TIMED_ENTRY; kind <= TIMED_ITERATION; kind++)
			if (timed_keeps(unit->base + r, kind))
				unit_mask_set(bits[kind], r);
}

/* bits: of the regions that may be the phase; NULL: the unit is forgotten. */
static void set_phase(struct psc_unit *unit, unit_mask bits[2])
{
	unit_mask marks = { 0 };

	if (!bits) {
		__atomic_store_n(&unit->phases, NULL, __ATOMIC_RELAXED);
	} else {
		marked_bits(unit, marks);
		for (uint32_t i = 0; i < PSC_PHASE_BYTES; i++)
			bits[0][i] |= marks[i];
		if (calls == PSCM_CALLS_SLICED)
			memset(bits[1], 255, PSC_PHASE_BYTES);
		else if (calls == PSCM_CALLS_TIMED && pscm_timed())
			timed_bits(unit, bits);
	}
	set_bytes(unit->phase, bits ? bits[0] : NULL);
	set_bytes(unit->iterates, bits ? bits[1] : NULL);
	set_bytes(unit->marks, bits ? marks : NULL);
}

static void unit_resolve(struct psc_unit *unit)
{
	unit_mask bits[2] = { { 0 } };

	candidates_unit(unit, bits);
	native_calls_resolve(unit, bits[0]);
	set_phase(unit, bits);
	set_marked(unit, true);
}

void pscm_unit_resolve(struct psc_unit *unit)
{
	pscm_lock(&pscm_tables_lock);
	if (pscm_on() && unit->registered)
		unit_resolve(unit);
	pscm_unlock(&pscm_tables_lock);
}

/* Also empties the list, so that no unit that is unloaded later is taken off it. */
struct psc_unit *pscm_units_forget(void)
{
	struct psc_unit *all = units;

	for (struct psc_unit *u = units; u; u = u->next) {
		set_phase(u, NULL);
		set_marked(u, false);
	}
	units = NULL;
	return all;
}

void pscm_units_resolve(void)
{
	pscm_lock(&pscm_tables_lock);
	phase_read();
	for (struct psc_unit *u = units; u; u = u->next)
		unit_resolve(u);
	pscm_unlock(&pscm_tables_lock);
}

void pscm_units_call(enum pscm_calls now)
{
	pscm_lock(&pscm_tables_lock);
	if (calls != now) {
		calls = now;
		for (struct psc_unit *u = units; u; u = u->next)
			unit_resolve(u);
	}
	pscm_unlock(&pscm_tables_lock);
}

void pscm_units_native(bool on)
{
	if (native == on)       /* only boundaries, one at a time, change it */
		return;
	pscm_lock(&pscm_tables_lock);
	native = on;
	for (struct psc_unit *u = units; u; u = u->next)
		set_marked(u, true);
	pscm_unlock(&pscm_tables_lock);
}

/* The unit's row; a library that was unloaded and loaded again gets its old row. */
static uint32_t unit_number(const struct psc_unit *unit)
{
	uint32_t n = atomic_load(&pscm_shm->nunits);

	for (uint32_t i = 0; i < n; i++)
		if (pscm_shm->units[i].hash == unit->hash &&
		    pscm_shm->units[i].nregions == unit->nregions)
			return i;
	if (n == MON_UNITS || unit->nregions > UINT32_MAX - next_base) {
		atomic_fetch_add(&pscm_shm->lost_units, 1);
		return MON_ANY;
	}
	pscm_shm->units[n] = (struct mon_unit){ unit->hash, unit->nregions,
		pscm_string(unit->source) };
	base[n] = next_base;
	next_base += unit->nregions;
	atomic_store_explicit(&pscm_shm->nunits, n + 1, memory_order_release);
	return n;
}

/* Unpacks the unit's tables into memory of the monitor, unless an analysis before has done so.
 * functions: the text of its list of functions. */
static bool unit_unpack(struct psc_unit *unit, const unsigned char **functions)
{
	if (unit->vars)
		return true;

	size_t bytes = tables_size(unit->tables);
	void *memory = bytes ? pscm_map(bytes) : unit;

	if (!memory)
		return false;
	*functions = tables_read(unit, unit->tables, memory);
	tables_marks(unit);
	return true;
}

static void unit_forget(struct psc_unit *unit)
{
	size_t bytes = tables_size(unit->tables);

	if (bytes)
		pscm_unmap((void *)(uintptr_t)unit->vars, bytes);
	unit->vars = NULL;
	unit->dummies = NULL;
	unit->nvars = unit->ndummies = 0;
}

void pscm_unit_register(struct psc_unit *unit)
{
	const unsigned char *functions = NULL;
	int saved = errno;
	uint32_t n;

	if (!pscm_shm || !pscm_on() || unit->abi != PSC_ABI_VERSION || unit->registered ||
	    !pscm_guard())
		goto out;
	pscm_lock(&pscm_tables_lock);
	n = pscm_on() && (!unit->tables || unit_unpack(unit, &functions)) ? unit_number(unit) :
		MON_ANY;
	if (n != MON_ANY) {
		unit->base = base[n];
		unit->registered = n + 1;
		unit->next = units;
		units = unit;
		pscm_objects_register(unit);
		brief_told(unit);
		if (functions)
			native_calls_read(unit, functions);
		unit_resolve(unit);
	}
	pscm_unlock(&pscm_tables_lock);
	pscm_address_map_load((uint64_t)(uintptr_t)unit);
	if (names_now())
		pscm_address_map_build(true);
	pscm_unguard();
out:
	errno = saved;
}

/* A unit of an analysis that has ended is unloaded. */
static void unit_forget_stopped(struct psc_unit *unit)
{
	if (!pscm_shm || !unit->tables || !unit->vars)
		return;
	pscm_lock(&pscm_tables_lock);
	pscm_objects_unregister(unit);
	unit_forget(unit);
	pscm_unlock(&pscm_tables_lock);
}

void __psc_unit_unregister(struct psc_unit *unit)
{
	int saved = errno;

	if (!unit->registered && attach_unit_remove(unit)) {
		unit_forget_stopped(unit);
		return;
	}
	if (!pscm_shm || !pscm_on() || !unit->registered)
		return;
	pscm_record_unload(unit);
	if (!pscm_guard())
		return;
	pscm_lock(&pscm_tables_lock);
	for (struct psc_unit **u = &units; *u; u = &(*u)->next)
		if (*u == unit) {
			*u = unit->next;
			break;
		}
	pscm_objects_unregister(unit);
	if (unit->tables)
		unit_forget(unit);
	unit->registered = 0;
	set_phase(unit, NULL);
	set_marked(unit, false);
	pscm_unlock(&pscm_tables_lock);
	attach_unit_remove(unit);       /* if the analysis has ended meanwhile */
	if (names_now())
		pscm_address_map_build(true);
	pscm_unguard();
	errno = saved;
}
