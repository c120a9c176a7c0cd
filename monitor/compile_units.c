/* SPDX-License-Identifier: BSD-3-Clause */
/* Compile units: numbers for their regions, their variables, and whether the phase is theirs.
 * A unit keeps in `registered` its number in the table + 1, in `phase` what its code asks before
 * it calls a phase hook, and in reserved[0] what the hook asks first: NULL not the phase, n + 1
 * region n, SEVERAL look it up: it may be a rival, too.  A rival that ran MON_RIVAL_MOST times is one no
 * more, and none is after MON_RIVAL_CALLS calls (hooks of several regions share a bit): so that
 * counting costs next to nothing in the end. */
#include "monitor/pscmon.h"
#include "base/tables.h"
#include <errno.h>

#define SEVERAL ((void *)UINTPTR_MAX)

static struct psc_unit *units;          /* registered now; guarded by pscm_tables_lock */
static bool live;                       /* as __psc_live; guarded too */
static uint32_t base[MON_UNITS];        /* first run-time region number, by unit number */
static uint32_t next_base;

bool pscm_unit_is_phase(const struct psc_unit *unit, uint32_t region)
{
	void *p = __atomic_load_n(&unit->reserved[0], __ATOMIC_RELAXED);

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
		atomic_load_explicit(&pscm_shm->rival_calls, memory_order_relaxed) < MON_RIVAL_CALLS &&
		atomic_load_explicit(&pscm_shm->rival_runs[i], memory_order_relaxed) < MON_RIVAL_MOST;
}

static void set_phase(struct psc_unit *unit, void *p, const uint8_t *bits)
{
	__atomic_store_n(&unit->reserved[0], p, __ATOMIC_RELAXED);
	for (size_t i = 0; i < sizeof unit->phase; i++)
		pscm_flag_byte(&unit->phase[i], !bits ? 0 : live ? 255 : bits[i]);
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

/* True when the code needs to call no longer; *known tells whether the region is one. */
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

/* A void execution is told of by its end, and was counted by its begin. */
void pscm_unit_rival(struct psc_unit *unit, uint32_t region, int executions)
{
	bool done, known = false;

	if (likely(__atomic_load_n(&unit->reserved[0], __ATOMIC_RELAXED) != SEVERAL) || !pscm_on())
		return;
	done = rival_count(unit, region, executions, &known);
	if (!known && live)     /* every hook calls now */
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

/* Also empties the list: nobody takes a unit off it that leaves from now on. */
void pscm_units_forget(void)
{
	for (struct psc_unit *u = units; u; u = u->next)
		set_phase(u, NULL, NULL);
	units = NULL;
}

void pscm_units_resolve(void)
{
	pscm_lock(&pscm_tables_lock);
	for (struct psc_unit *u = units; u; u = u->next)
		unit_resolve(u);
	pscm_unlock(&pscm_tables_lock);
}

void pscm_units_live(bool now)
{
	pscm_lock(&pscm_tables_lock);
	live = now;
	for (struct psc_unit *u = units; u; u = u->next)
		unit_resolve(u);
	pscm_unlock(&pscm_tables_lock);
}

/* The unit's row: its old one when it was there before (a library that comes back). */
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

/* What the unit's tables say, in memory of ours. */
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

void __psc_unit_start(struct psc_unit *unit, const struct psc_tables *tables)
{
	if (unit->tables)
		return;
	unit->abi = tables->abi;
	unit->hash = tables->hash;
	unit->tables = tables;
	__psc_unit_register(unit);
}

void __psc_unit_register(struct psc_unit *unit)
{
	int saved = errno;
	uint32_t n;

	pscm_start();
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
	pscm_unlock(&pscm_tables_lock);
	if (pscm_mode() & PSCM_MODE_SIM)
		pscm_address_map_build(true);
	pscm_unguard();
	errno = saved;
}
