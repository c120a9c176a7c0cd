/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the lists of what may be inlined into what, and decides which subroutines may run
 * natively (native_subroutines.h). */
#include "monitor/regions/native_subroutines.h"
#include "monitor/host/mem.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/regions/compile_units.h"
#include "base/unit_tables.h"

struct function {
	uint32_t region;                /* PSC_NO_REGION: none */
	uint32_t loops, inlined;        /* where its lists begin in `list` */
	uint32_t nloops, ninlined;
	bool open;                      /* code of other units may be inlined */
	bool wanted[2];                 /* a candidate or the phase may begin in it; 1: if it is
					 * called often */
};

struct list {
	uint32_t n;
	uint32_t *list;                 /* regions of loops; numbers of functions */
	struct function f[];
};

static struct list *lists[MON_UNITS];   /* by unit number, never freed: a library may be loaded
					 * again */

static uint32_t difference(const unsigned char **at, uint32_t from)
{
	return tables_line(at, from);   /* encoded alike */
}

static void read_function(struct list *l, struct function *f, const unsigned char **at,
	uint32_t *used)
{
	uint64_t head = tables_number(at);

	f->region = (uint32_t)(head >> 1) - 1;
	f->open = head & 1;
	f->nloops = (uint32_t)tables_number(at);
	f->loops = *used;
	for (uint32_t i = 0; i < f->nloops; i++)
		l->list[(*used)++] = difference(at, f->region);
	f->ninlined = (uint32_t)tables_number(at);
	f->inlined = *used;
	for (uint32_t i = 0; i < f->ninlined; i++)
		l->list[(*used)++] = difference(at, (uint32_t)(f - l->f));
}

/* The numbers of all lists together. */
static size_t numbers(const unsigned char *at, uint32_t n)
{
	size_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		tables_number(&at);
		for (int part = 0; part < 2; part++) {
			uint64_t m = tables_number(&at);

			sum += m;
			while (m--)
				tables_number(&at);
		}
	}
	return sum;
}

void native_calls_read(const struct psc_unit *unit, const unsigned char *text)
{
	uint32_t n, used = 0;
	struct list *l;

	if (lists[unit->registered - 1])
		return;
	n = (uint32_t)tables_number(&text);
	if (!n ||
	    !(l = pscm_map(sizeof *l + n * sizeof l->f[0] + numbers(text, n) * sizeof *l->list)))
		return;
	l->n = n;
	l->list = (uint32_t *)(void *)&l->f[n];
	for (uint32_t i = 0; i < n; i++)
		read_function(l, &l->f[i], &text, &used);
	lists[unit->registered - 1] = l;
}

static bool wants(const struct psc_unit *unit, const struct list *l, const struct function *f,
	bool often)
{
	if (f->open || (f->region < unit->nregions && pscm_region_is_phase(unit->hash, f->region)))
		return true;
	for (uint32_t i = 0; i < f->nloops; i++)
		if (candidate_is_wanted(unit, l->list[f->loops + i], often))
			return true;
	return false;
}

/* What is wanted in a function is wanted in those that it is inlined into.  true: changed. */
static bool pass_on(struct list *l)
{
	bool changed = false;

	for (uint32_t i = 0; i < l->n; i++) {
		struct function *f = &l->f[i];

		for (uint32_t k = 0; k < f->ninlined; k++) {
			const struct function *in = &l->f[l->list[f->inlined + k]];

			for (int often = 0; often < 2; often++)
				if (in->wanted[often] && !f->wanted[often])
					changed = f->wanted[often] = true;
		}
	}
	return changed;
}

/* Decides for the subroutine; true: its calls are to be counted. */
static bool decide(struct psc_unit *unit, const struct function *f)
{
	struct unit_roles *r = unit->phases;
	struct unit_calls *c = r ? &r->calls[f->region] : NULL;
	bool often = c && __atomic_load_n(&c->often, __ATOMIC_RELAXED);
	bool count = c && f->wanted[0] && !f->wanted[1] && !often;

	psc_unit_marks(unit)[f->region].native = !f->wanted[often];
	if (c)
		__atomic_store_n(&c->counted, count, __ATOMIC_RELAXED);
	return count;
}

void native_calls_resolve(struct psc_unit *unit, uint8_t *phase_bits)
{
	struct list *l = unit->tables ? lists[unit->registered - 1] : NULL;

	if (!l)
		return;
	for (uint32_t i = 0; i < l->n; i++)
		for (int often = 0; often < 2; often++)
			l->f[i].wanted[often] = wants(unit, l, &l->f[i], often);
	while (pass_on(l))
		;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->f[i].region < unit->nregions && decide(unit, &l->f[i]))
			unit_mask_set(phase_bits, l->f[i].region);
}

static bool misses(const struct psc_unit *unit, const struct list *l, const struct function *f,
	int depth)
{
	enum { DEPTH = 8 };     /* of functions inlined into one another */

	if (f->region < unit->nregions && timed_kept(unit->base + f->region))
		return true;
	for (uint32_t i = 0; i < f->nloops; i++)
		if (timed_kept(unit->base + l->list[f->loops + i]))
			return true;
	for (uint32_t i = 0; i < f->ninlined && depth < DEPTH; i++)
		if (misses(unit, l, &l->f[l->list[f->inlined + i]], depth + 1))
			return true;
	return false;
}

bool native_calls_miss(const struct psc_unit *unit, uint32_t region)
{
	const struct list *l = lists[unit->registered - 1];

	if (timed_kept(unit->base + region))
		return true;
	for (uint32_t i = 0; l && i < l->n; i++)
		if (l->f[i].region == region)
			return misses(unit, l, &l->f[i], 0);
	return false;
}
