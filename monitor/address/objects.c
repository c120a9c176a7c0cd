/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the program's data structures: variables that compile units register, data of array
 * descriptors, and memory known only by the dummy argument that was bound to it.
 *
 * Object numbers are indices of mon_shm.objects. */
#include "monitor/address/objects.h"
#include "monitor/address/address_map.h"
#include "monitor/address/heap.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/shared_tables.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"
#include <string.h>

enum { HASH = 1 << 17, SAME_DUMMY = 16 };

struct known_object {
	uint64_t lo, size;              /* size 0: has no memory now */
	const struct psc_var *var;      /* borrowed from the unit; NULL: a dummy, or another kind */
	/* registered address; dummy: see dummy_key(); else row_key() */
	uint64_t key;
	uint32_t unit;
	uint32_t kind;
	uint32_t nth;                   /* how many numbers this dummy had before */
	bool dead;
	bool in_heap;                   /* a descriptor whose data is a known heap block */
};

/* Layout of gfortran's array descriptor. */
struct array_descriptor {
	char *base;
	size_t offset;
	size_t elem_len;
	int version;
	signed char rank, type;
	short attribute;
	ptrdiff_t span;
	struct { ptrdiff_t stride, lb, ub; } dim[15];
};

/* by number; pscm_tables_lock guards this and all below */
static struct known_object *objects;
static uint32_t *hash;                  /* open hash of keys: object numbers, 0 empty */
static uint32_t *order;                 /* scratch of pscm_objects_spans() */
static uint32_t nobjects = MON_OBJ_FIRST;
static uint32_t first_of_unit;          /* first object of the unit that registers now */
_Atomic uint32_t pscm_bind_generation;

int pscm_objects_start(void)
{
	objects = pscm_map(MON_OBJECTS * sizeof *objects);
	hash = pscm_map(HASH * sizeof *hash);
	order = pscm_map(MON_OBJECTS * sizeof *order);
	return objects && hash && order ? 0 : -1;
}

static uint32_t hash_slot(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 47) & (HASH - 1);
}

static uint32_t object_new(const struct mon_object *o, struct known_object in)
{
	uint32_t n = pscm_object_add(o), slot;

	if (n == MON_ANY)
		return n;
	objects[n] = in;
	for (slot = hash_slot(in.key); hash[slot]; slot = (slot + 1) & (HASH - 1))
		;
	hash[slot] = n;
	nobjects = n + 1;
	memory_policy_object(n);
	return n;
}

/* --- registered variables ------------------------------------------------------------------- */

/* Finds an object with the same address, size and kind: a COMMON member that another unit declares
 * too, or a module variable that is registered again. */
static uint32_t var_find(const struct psc_var *v)
{
	uint64_t key = (uint64_t)(uintptr_t)v->address;

	for (uint32_t slot = hash_slot(key); hash[slot]; slot = (slot + 1) & (HASH - 1)) {
		const struct known_object *o = &objects[hash[slot]];

		if (o->key == key && !o->dead && o->kind != MON_KIND_DUMMY &&
		    (o->kind == PSC_VAR_DESCRIPTOR) == (v->kind == PSC_VAR_DESCRIPTOR) &&
		    (v->kind == PSC_VAR_DESCRIPTOR || o->size == v->size))
			return hash[slot];
	}
	return MON_ANY;
}

/* Handles storage that earlier declarations named: members of the same COMMON block, or variables
 * that EQUIVALENCE puts at the same address.  The earlier names remain and this one becomes their
 * alias.  Returns the number of leading bytes named before; the rest, of a longer block, belongs to
 * this declaration. */
static uint64_t var_shared(uint32_t unit, const struct psc_var *v, uint32_t scope)
{
	uint64_t begin = (uint64_t)(uintptr_t)v->address, lo = begin, hi = begin + v->size, seen;

	if (v->kind == PSC_VAR_DESCRIPTOR)
		return 0;
	do {
		seen = lo;
		for (uint32_t n = v->kind == PSC_VAR_COMMON ? MON_OBJ_FIRST : first_of_unit;
				n < nobjects && lo < hi; n++) {
			const struct known_object *o = &objects[n];

			if (o->dead || o->kind != v->kind || !o->var || !o->size ||
			    pscm_shm->objects[n].scope != scope || o->lo > lo ||
			    o->lo + o->size <= lo)
				continue;
			lo = o->lo + o->size;
			pscm_alias_add(unit, v->region, n, v->name, MON_ANY);
		}
	} while (lo != seen && lo < hi);
	return (lo < hi ? lo : hi) - begin;
}

static void var_add(uint32_t unit, const struct psc_var *v)
{
	uint64_t shared;
	uint32_t known;
	struct mon_object row = {
		.address = (uint64_t)(uintptr_t)v->address, .size = v->size,
		.unit = unit, .region = v->region, .line = v->line, .kind = v->kind,
		.elem = v->elem,
	};
	struct known_object o = { .lo = row.address, .size = v->size, .var = v, .key = row.address,
		.unit = unit, .kind = v->kind };

	if (!v->address || !v->name || (v->kind != PSC_VAR_DESCRIPTOR && !v->size))
		return;
	known = var_find(v);
	row.name = pscm_string(v->name);
	row.scope = pscm_string(v->scope);
	if (known != MON_ANY) {
		if (pscm_shm->objects[known].name != row.name)
			pscm_alias_add(unit, v->region, known, v->name, MON_ANY);
		return;
	}
	if (v->kind == PSC_VAR_DESCRIPTOR)
		o.size = o.lo = row.address = row.size = 0;
	shared = var_shared(unit, v, row.scope);
	if (shared && shared == v->size)
		return;
	o.lo += shared;
	o.size -= shared;
	row.address += shared;
	row.size -= shared;
	known = object_new(&row, o);
	if (known != MON_ANY && row.size)
		memory_policy_memory(known, row.address, row.size);
}

void pscm_objects_register(struct psc_unit *unit)
{
	first_of_unit = nobjects;
	for (uint32_t i = 0; i < unit->nvars; i++)
		var_add(pscm_unit_number(unit), &unit->vars[i]);
}

void pscm_objects_unregister(struct psc_unit *unit)
{
	const struct psc_var *end = unit->vars + unit->nvars;

	for (uint32_t n = MON_OBJ_FIRST; n < nobjects; n++)
		if (objects[n].var >= unit->vars && objects[n].var < end && objects[n].var) {
			objects[n].dead = true;
			objects[n].var = NULL;
			pscm_shm->objects[n].dead = 1;
		}
}

/* --- objects of other kinds ----------------------------------------------------------------- */

static uint64_t row_key(const struct mon_object *r)
{
	uint64_t k = r->kind;

	k = (k ^ r->unit) * UINT64_C(0x100000001b3);
	k = (k ^ r->region) * UINT64_C(0x100000001b3);
	k = (k ^ r->scope) * UINT64_C(0x100000001b3);
	k = (k ^ r->name) * UINT64_C(0x100000001b3);
	return k | UINT64_C(1) << 62;
}

uint32_t pscm_object_of(const struct mon_object *row)
{
	struct known_object o = { .key = row_key(row), .unit = row->unit, .kind = row->kind };

	for (uint32_t slot = hash_slot(o.key); hash[slot]; slot = (slot + 1) & (HASH - 1)) {
		const struct mon_object *r = &pscm_shm->objects[hash[slot]];

		if (r->kind == row->kind && r->name == row->name && r->scope == row->scope &&
		    r->unit == row->unit && r->region == row->region)
			return hash[slot];
	}
	return object_new(row, o);
}

/* Returns the string "grid.c:12". */
static uint32_t place_string(const char *file, uint32_t line)
{
	const char *slash = strrchr(file, '/');
	char text[128], digits[12];
	size_t len, n = 0;

	file = slash ? slash + 1 : file;
	len = strnlen(file, sizeof text - sizeof digits - 2);
	memcpy(text, file, len);
	text[len++] = ':';
	do {
		digits[n++] = (char)('0' + line % 10);
		line /= 10;
	} while (line);
	while (n)
		text[len++] = digits[--n];
	text[len] = '\0';
	return pscm_string(text);
}

uint32_t pscm_object_of_site(const struct psc_site *site)
{
	const struct psc_unit *unit = site->unit;
	struct psc_var var = { .address = site->variable, .kind = PSC_VAR_DESCRIPTOR };
	struct mon_object row = { .unit = pscm_unit_number(unit), .region = site->region,
		.line = site->line, .elem = site->elem, .kind = MON_KIND_HEAP,
		.nodes = PSC_SITE_NODES(site->flags) };
	uint32_t known = site->variable ? var_find(&var) : MON_ANY;

	if (known != MON_ANY)
		return known;
	if (row.unit == MON_ANY)
		return MON_ANY;
	if (site->flags & (PSC_SITE_LOCAL | PSC_SITE_THREAD))
		row.kind = site->flags & PSC_SITE_LOCAL ? MON_KIND_LOCAL :
			PSC_SITE_KIND(site->flags);
	if (site->region != PSC_NO_REGION && site->region >= unit->nregions)
		row.region = MON_ANY;
	row.file = pscm_string(site->file);
	row.scope = pscm_string(site->scope);
	row.name = site->name ? pscm_string(site->name) :
		place_string(site->file ? site->file : unit->source, site->line);
	return pscm_object_of(&row);
}

bool pscm_descriptor_range(const void *descriptor, uint64_t *address, uint64_t *size)
{
	const struct array_descriptor *d = descriptor;
	const int64_t limit = INT64_C(1) << 46;
	int64_t lo = 0, hi = 0, step = d->span ? d->span : (int64_t)d->elem_len;

	if (!d->base || !d->elem_len || d->elem_len > (size_t)limit || d->rank < 0 || d->rank > 15)
		return false;
	for (int i = 0; i < d->rank; i++) {
		int64_t extent, bytes;

		if (__builtin_sub_overflow(d->dim[i].ub, d->dim[i].lb, &extent) || extent < 0 ||
		    __builtin_mul_overflow(extent, d->dim[i].stride, &bytes) ||
		    __builtin_mul_overflow(bytes, step, &bytes) || bytes > limit || bytes < -limit)
			return false;
		*(bytes < 0 ? &lo : &hi) += bytes;
	}
	if (hi - lo > limit)
		return false;
	*address = (uint64_t)(uintptr_t)d->base + (uint64_t)lo;
	*size = (uint64_t)(hi - lo) + d->elem_len;
	return true;
}

uint64_t pscm_object_lo(uint32_t object)
{
	return object < nobjects ? objects[object].lo : 0;
}

/* If the descriptor's data begins where a heap block begins, the block becomes this variable's,
 * whoever allocated it.  Further descriptors of the block are aliases. */
static void descriptor_claim(uint32_t n)
{
	struct known_object *o = &objects[n];
	uint64_t start = 0;
	uint32_t known = pscm_heap_at(o->lo, &start);
	const struct known_object *owner = known < nobjects ? &objects[known] : NULL;

	o->in_heap = known != MON_ANY;
	if (!o->in_heap || known == n)
		return;
	if (start == o->lo && !(owner->kind == PSC_VAR_DESCRIPTOR && owner->lo == o->lo))
		pscm_heap_rename(start, n);
	else
		pscm_alias_add(o->unit, o->var->region, known, o->var->name, MON_ANY);
}

void pscm_objects_resolve(bool forget)
{
	pscm_lock(&pscm_tables_lock);
	for (uint32_t n = MON_OBJ_FIRST; n < nobjects; n++) {
		struct known_object *o = &objects[n];

		if (o->kind == MON_KIND_DUMMY && forget) {
			o->size = 0;
		} else if (o->kind == PSC_VAR_DESCRIPTOR && !o->dead) {
			if (!pscm_descriptor_range((const void *)(uintptr_t)o->key, &o->lo,
			    &o->size))
				o->lo = o->size = 0;
			pscm_shm->objects[n].address = o->lo;
			pscm_shm->objects[n].size = o->size;
		}
	}
	for (uint32_t n = MON_OBJ_FIRST; n < nobjects; n++)
		if (objects[n].kind == PSC_VAR_DESCRIPTOR && !objects[n].dead && objects[n].size)
			descriptor_claim(n);
	if (forget)
		atomic_fetch_add(&pscm_bind_generation, 1);
	pscm_unlock(&pscm_tables_lock);
}

/* --- ranges --------------------------------------------------------------------------------- */

/* Sorts by address; of ranges with the same begin the larger first; of equal ranges, an object with
 * storage of its own before descriptors and dummies. */
static bool sorts_before(uint32_t a, uint32_t b)
{
	const struct known_object *x = &objects[a], *y = &objects[b];

	if (x->lo != y->lo)
		return x->lo < y->lo;
	if (x->size != y->size)
		return x->size > y->size;
	if ((x->kind >= PSC_VAR_DESCRIPTOR) != (y->kind >= PSC_VAR_DESCRIPTOR))
		return x->kind < y->kind;
	return a < b;
}

static void sift(uint32_t *v, size_t root, size_t n)
{
	for (size_t child; (child = 2 * root + 1) < n; root = child) {
		uint32_t t;

		if (child + 1 < n && sorts_before(v[child], v[child + 1]))
			child++;
		if (!sorts_before(v[root], v[child]))
			return;
		t = v[root];
		v[root] = v[child];
		v[child] = t;
	}
}

/* libc's qsort() may allocate. */
static void sort(uint32_t *v, size_t n)
{
	for (size_t i = n / 2; i-- > 0; )
		sift(v, i, n);
	while (n > 1) {
		uint32_t t = v[0];

		v[0] = v[--n];
		v[n] = t;
		sift(v, 0, n);
	}
}

/* Appends [lo, hi) of object n. */
static size_t span_append(struct pscm_span *out, size_t at, size_t max, uint64_t lo, uint64_t hi,
	uint32_t n)
{
	if (lo >= hi || at == max)
		return at;
	out[at] = (struct pscm_span){ lo, hi, 0, lo, n };
	return at + 1;
}

enum { NEST = 64 };

/* One sweep by ascending address; each byte belongs to the innermost object.  A descriptor whose
 * data lies inside another object is an alias of that object. */
static size_t sweep(const uint32_t *v, size_t n, struct pscm_span *out, size_t max)
{
	uint32_t stack[NEST];
	size_t depth = 0, at = 0;
	uint64_t pos = 0;

	for (size_t i = 0; i <= n; i++) {
		const struct known_object *o = i < n ? &objects[v[i]] : NULL;
		uint64_t lo = o ? o->lo : UINT64_MAX;

		while (depth) {
			const struct known_object *top = &objects[stack[depth - 1]];
			uint64_t end = top->lo + top->size;
			uint64_t stop = end < lo ? end : lo;

			if (stop > pos) {
				at = span_append(out, at, max, pos, stop, stack[depth - 1]);
				pos = stop;
			}
			if (end > lo)
				break;
			depth--;
		}
		if (!o)
			break;
		if (pos < lo)
			pos = lo;
		if (depth) {
			const struct known_object *top = &objects[stack[depth - 1]];

			if (o->kind == PSC_VAR_DESCRIPTOR &&
			    o->lo + o->size <= top->lo + top->size) {
				pscm_alias_add(o->unit, o->var->region, stack[depth - 1],
					o->var->name, MON_ANY);
				continue;
			}
			if (depth == NEST)
				continue;
		}
		stack[depth++] = v[i];
	}
	return at;
}

size_t pscm_objects_spans(struct pscm_span *out, size_t max)
{
	size_t n = 0;

	pscm_lock(&pscm_tables_lock);
	for (uint32_t i = MON_OBJ_FIRST; i < nobjects; i++)
		if (!objects[i].dead && objects[i].size && !objects[i].in_heap)
			order[n++] = i;
	sort(order, n);
	n = sweep(order, n, out, max);
	pscm_unlock(&pscm_tables_lock);
	return n;
}

/* --- dummy arguments ------------------------------------------------------------------------ */

static uint64_t dummy_key(const struct psc_unit *unit, uint32_t dummy)
{
	return (uint64_t)pscm_unit_number(unit) << 32 | dummy | UINT64_C(1) << 63;
}

/* Names memory that has no name by the dummy argument.  A dummy gets up to SAME_DUMMY object
 * numbers, one for each address; the last number then moves to each new address. */
static void dummy_place(const struct psc_unit *unit, uint32_t dummy, uint64_t address,
	uint64_t size)
{
	uint32_t number = pscm_unit_number(unit), last = 0;
	uint64_t key = dummy_key(unit, dummy);
	const struct psc_dummy *d = &unit->dummies[dummy];
	struct mon_object row = {
		.address = address, .size = size, .unit = number, .region = d->region,
		.line = d->line, .kind = MON_KIND_DUMMY,
	};
	struct known_object o = { .lo = address, .size = size, .key = key, .unit = number,
		.kind = MON_KIND_DUMMY };

	for (uint32_t slot = hash_slot(key); hash[slot]; slot = (slot + 1) & (HASH - 1)) {
		struct known_object *same = &objects[hash[slot]];

		if (same->key != key)
			continue;
		last = hash[slot];
		o.nth = same->nth + 1;
		if (same->lo == address)
			break;
	}
	if (last && (objects[last].lo == address || o.nth == SAME_DUMMY)) {
		if (objects[last].lo != address || objects[last].size < size)
			objects[last].size = size;
		objects[last].lo = address;
		pscm_shm->objects[last].address = address;
		pscm_shm->objects[last].size = objects[last].size;
		return;
	}
	row.name = pscm_string(d->name);
	object_new(&row, o);
}

bool pscm_object_bind(const struct psc_unit *unit, uint32_t dummy, uint64_t address, uint64_t size,
	uint32_t known, uint32_t context)
{
	pscm_lock(&pscm_tables_lock);
	if (known < MON_OBJ_FIRST)
		dummy_place(unit, dummy, address, size);
	/* An object named by this very dummy needs no alias. */
	else if (objects[known].key != dummy_key(unit, dummy))
		pscm_alias_add(pscm_unit_number(unit), unit->dummies[dummy].region, known,
			unit->dummies[dummy].name, context);
	pscm_unlock(&pscm_tables_lock);
	return known < MON_OBJ_FIRST;
}
