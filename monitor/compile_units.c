/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers compile units: numbers their regions, registers their variables, and marks the units
 * that hold the phase or a rival of it.
 *
 * Fields of a unit that are written here: `registered` is its number in the table + 1.  `phase` has
 * the bits that compiled code tests before it calls a phase hook.  `phases` is what the hook
 * reads first: NULL: the phase is elsewhere; n + 1: region n is the phase; SEVERAL: search the
 * lists, the region may be a rival.  A rival is dropped after MON_RIVAL_MOST executions, and all
 * rivals after MON_RIVAL_CALLS hook calls, because regions share bits of `phase`: so counting costs
 * almost nothing in the long run. */
#include "monitor/brief_regions.h"
#include "base/tables.h"
#include <errno.h>
#include <string.h>

#define SEVERAL ((void *)UINTPTR_MAX)

static struct psc_unit *units;          /* currently registered; guarded by pscm_tables_lock */
static enum pscm_calls calls;           /* which hooks compiled code calls; same lock */
static bool native;                     /* brief subroutines run natively; same lock */
static uint32_t base[MON_UNITS];        /* by unit number: run-time number of its first region */
static uint32_t next_base;

bool pscm_unit_is_phase(const struct psc_unit *unit, uint32_t region)
{
	void *p = __atomic_load_n(&unit->phases, __ATOMIC_RELAXED);

	if (likely(!p))
		return false;
	if (p != SEVERAL)
		return (uintptr_t)p == (uintptr_t)region + 1;
	for (uint32_t i = 0; i < pscm_shm->nphase && i < MON_HOOKS; i++)
		if (pscm_shm->phase[i].hash == unit->hash && pscm_shm->phase[i].index == region)
			return true;
	return false;
}

static bool is_rival(uint32_t i, const struct psc_unit *unit)
{
	return pscm_shm->rival[i].hash == unit->hash &&
		atomic_load_explicit(&pscm_shm->rival_calls, memory_order_relaxed) <
			MON_RIVAL_CALLS &&
		atomic_load_explicit(&pscm_shm->rival_runs[i], memory_order_relaxed) <
			MON_RIVAL_MOST;
}

/* The bits of the regions whose markers are to be called. */
static void marked_bits(const struct psc_unit *unit, uint8_t *bits)
{
	memset(bits, calls == PSCM_CALLS_ALL || calls == PSCM_CALLS_SLICED ? 255 : 0, sizeof unit->marks);
	if (calls == PSCM_CALLS_TIMED)
		for (uint32_t r = 0; r < unit->nregions; r++)
			if (!brief_region(unit->base + r))
				bits[PSC_PHASE_BYTE(r)] |= (uint8_t)PSC_PHASE_BIT(r);
}

/* A unit that was registered by hand has no marks. */
static void set_marked(struct psc_unit *unit, bool analysed)
{
	struct psc_mark *mark = PSC_UNIT_MARKS(unit);

	for (uint32_t r = 0; unit->tables && r < unit->nregions; r++)
		__atomic_store_n(&mark[r].marked, analysed && !(native && brief_region(unit->base + r)),
			__ATOMIC_RELAXED);
}

/* bits: of the regions that may be the phase; NULL: the unit is forgotten. */
static void set_phase(struct psc_unit *unit, void *p, const uint8_t *bits)
{
	uint8_t marks[sizeof unit->marks] = { 0 };

	__atomic_store_n(&unit->phases, p, __ATOMIC_RELAXED);
	if (bits)
		marked_bits(unit, marks);
	for (size_t i = 0; i < sizeof unit->phase; i++) {
		pscm_flag_byte(&unit->phase[i], bits ? bits[i] | marks[i] : 0);
		pscm_flag_byte(&unit->iterates[i], !bits ? 0 : calls == PSCM_CALLS_SLICED ? 255 : bits[i]);
		pscm_flag_byte(&unit->marks[i], marks[i]);
	}
}

static void unit_resolve(struct psc_unit *unit)
{
	uint8_t bits[sizeof unit->phase] = { 0 };
	void *p = NULL;

	for (uint32_t i = 0; i < pscm_shm->nphase && i < MON_HOOKS; i++) {
		uint32_t region = pscm_shm->phase[i].index;

		if (pscm_shm->phase[i].hash != unit->hash)
			continue;
		p = p ? SEVERAL : (void *)((uintptr_t)region + 1);
		bits[PSC_PHASE_BYTE(region)] |= (uint8_t)PSC_PHASE_BIT(region);
	}
	for (uint32_t i = 0; i < pscm_shm->nrivals && i < MON_RIVALS; i++) {
		uint32_t region = pscm_shm->rival[i].index;

		if (!is_rival(i, unit))
			continue;
		p = SEVERAL;
		bits[PSC_PHASE_BYTE(region)] |= (uint8_t)PSC_PHASE_BIT(region);
	}
	set_phase(unit, p, bits);
}

/* Counts executions of a rival.  True when the code no longer needs to call; *known: the region is
 * a rival. */
static bool rival_count(const struct psc_unit *unit, uint32_t region, int executions, bool *known)
{
	bool done = false;

	for (uint32_t i = 0; i < pscm_shm->nrivals && i < MON_RIVALS; i++)
		if (pscm_shm->rival[i].index == region && is_rival(i, unit)) {
			*known = true;
			done |= atomic_fetch_add(&pscm_shm->rival_runs[i], (uint32_t)executions) ==
				MON_RIVAL_MOST - 1 && executions > 0;
		}
	return done;
}

/* A void execution was counted when it began; its end reports it with -1. */
void pscm_unit_rival(struct psc_unit *unit, uint32_t region, int executions)
{
	bool done, known = false;

	if (likely(__atomic_load_n(&unit->phases, __ATOMIC_RELAXED) != SEVERAL) || !pscm_on())
		return;
	done = rival_count(unit, region, executions, &known);
	if (!known && calls)    /* the hooks of other regions call at present */
		return;
	done |= atomic_fetch_add(&pscm_shm->rival_calls, 1) >= MON_RIVAL_CALLS - 1;
	if (!done || !pscm_guard())
		return;
	pscm_lock(&pscm_tables_lock);
	if (pscm_on())
		unit_resolve(unit);
	pscm_unlock(&pscm_tables_lock);
	pscm_unguard();
}

/* Also empties the list, so that no unit that is unloaded later is taken off it. */
void pscm_units_forget(void)
{
	for (struct psc_unit *u = units; u; u = u->next) {
		set_phase(u, NULL, NULL);
		set_marked(u, false);
	}
	units = NULL;
}

void pscm_units_resolve(void)
{
	pscm_lock(&pscm_tables_lock);
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
		for (uint32_t r = 0; u->tables && r < u->nregions; r++)
			if (brief_region(u->base + r))
				__atomic_store_n(&PSC_UNIT_MARKS(u)[r].marked, !on, __ATOMIC_RELAXED);
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

/* Unpacks the unit's tables into memory of the monitor. */
static bool unit_unpack(struct psc_unit *unit)
{
	size_t bytes = tables_size(unit->tables);
	void *memory = bytes ? pscm_map(bytes) : unit;

	if (!memory)
		return false;
	tables_read(unit, unit->tables, memory);
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
	int saved = errno;
	uint32_t n;

	if (!pscm_shm || !pscm_on() || unit->abi != PSC_ABI_VERSION || unit->registered ||
	    !pscm_guard())
		goto out;
	pscm_lock(&pscm_tables_lock);
	n = pscm_on() && (!unit->tables || unit_unpack(unit)) ? unit_number(unit) : MON_ANY;
	if (n != MON_ANY) {
		unit->base = base[n];
		unit->registered = n + 1;
		unit->next = units;
		units = unit;
		pscm_objects_register(unit);
		unit_resolve(unit);
		set_marked(unit, true);
	}
	pscm_unlock(&pscm_tables_lock);
	pscm_address_map_load((uint64_t)(uintptr_t)unit);
	if (pscm_mode() & PSCM_MODE_SIM)
		pscm_address_map_build(true);
	pscm_unguard();
out:
	errno = saved;
}

void __psc_unit_unregister(struct psc_unit *unit)
{
	int saved = errno;

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
	set_phase(unit, NULL, NULL);
	set_marked(unit, false);
	pscm_unlock(&pscm_tables_lock);
	if (pscm_mode() & PSCM_MODE_SIM)
		pscm_address_map_build(true);
	pscm_unguard();
	errno = saved;
}
