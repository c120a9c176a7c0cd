/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a program's structure: a tree that readers add to, flattened and indexed at the end. */
#include "sir/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int model_init(struct sir_model *m)
{
	*m = (struct sir_model){ .arena = arena_new() };
	return m->arena ? 0 : -1;
}

void model_drop(struct sir_model *m)
{
	arena_free(m->arena);
	m->arena = NULL;
}

/* Makes room for one more element, doubling the block.  The old block stays in the arena: the
 * blocks left behind are together no larger than the new one. */
static void *room(struct arena *a, void *old, uint32_t n, uint32_t *cap, size_t size)
{
	uint32_t more = *cap ? *cap * 2 : 4;
	void *p;

	if (n < *cap)
		return old;
	if (*cap > UINT32_MAX / 4)
		return NULL;
	p = arena_grow(a, old, n * size, more * size);
	if (p)
		*cap = more;
	return p;
}

struct sir_node *model_region(struct sir_model *m, struct sir_node *parent)
{
	struct sir_node *n = arena_alloc(m->arena, sizeof *n);

	if (!n)
		return NULL;
	n->parent = parent;
	if (parent) {
		if (parent->last)
			parent->last->next = n;
		else
			parent->first = n;
		parent->last = n;
	} else {
		if (m->last)
			m->last->next = n;
		else
			m->first = n;
		m->last = n;
	}
	return n;
}

int model_array(struct sir_model *m, struct sir_node *n, const struct sir_array *a)
{
	struct sir_array *p = room(m->arena, n->arrays, n->narrays, &n->arrays_cap, sizeof *p);

	if (!p)
		return -1;
	n->arrays = p;
	p[n->narrays++] = *a;
	return 0;
}

int model_hook(struct sir_model *m, struct sir_node *n, uint64_t hash, uint32_t index)
{
	struct sir_hook *p;

	for (uint32_t i = 0; i < n->nat; i++)
		if (n->at[i].hash == hash && n->at[i].index == index)
			return 0;
	p = room(m->arena, n->at, n->nat, &n->at_cap, sizeof *p);
	if (!p)
		return -1;
	n->at = p;
	p[n->nat++] = (struct sir_hook){ hash, index };
	return 0;
}

int model_source(struct sir_model *m, const struct sir_source *s, uint32_t *index)
{
	struct sir_source *p;

	for (uint32_t i = 0; s->hash && i < m->nsources; i++)
		if (m->sources[i].hash == s->hash) {
			*index = i;
			return 0;
		}
	p = room(m->arena, m->sources, m->nsources, &m->sources_cap, sizeof *p);
	if (!p)
		return -1;
	m->sources = p;
	p[m->nsources] = *s;
	*index = m->nsources++;
	return 0;
}

/* --- flattening ----------------------------------------------------------------------------- */

struct flat {
	struct sir_region *regions;
	uint32_t n;
};

static uint32_t count(const struct sir_node *list)
{
	uint32_t n = 0;

	for (; list; list = list->next)
		n += 1 + count(list->first);
	return n;
}

static void place_list(struct flat *f, const struct sir_node *list, uint32_t parent);

static void place(struct flat *f, const struct sir_node *n, uint32_t parent, uint32_t *link)
{
	struct sir_region *r = &f->regions[f->n];

	*r = n->r;
	r->id = f->n++;
	r->parent = parent;
	r->child = r->next = SIR_NONE;
	r->arrays = n->arrays;
	r->narrays = n->narrays;
	r->records = n->records;
	r->nrecords = n->nrecords;
	r->copies = n->copies;
	r->ncopies = n->ncopies;
	r->at = n->at;
	r->nat = n->nat;
	*link = r->id;
	place_list(f, n->first, r->id);
}

/* Nested units before code regions, as Periscope's schema orders them. */
static void place_list(struct flat *f, const struct sir_node *list, uint32_t parent)
{
	uint32_t none, *link = parent == SIR_NONE ? &none : &f->regions[parent].child;

	for (int units = 1; units >= 0; units--)
		for (const struct sir_node *n = list; n; n = n->next)
			if ((n->r.unit_type != NULL) == units) {
				uint32_t id = f->n;

				place(f, n, parent, link);
				link = &f->regions[id].next;
			}
}

static int by_hook(const void *a, const void *b)
{
	const struct sir_hook_entry *x = a, *y = b;

	if (x->hook.hash != y->hook.hash)
		return x->hook.hash < y->hook.hash ? -1 : 1;
	if (x->hook.index != y->hook.index)
		return x->hook.index < y->hook.index ? -1 : 1;
	return (x->region > y->region) - (x->region < y->region);
}

static int by_name(const void *a, const void *b)
{
	const struct sir_unit_entry *x = a, *y = b;
	int c = strcasecmp(x->name, y->name);

	return c ? c : (x->region > y->region) - (x->region < y->region);
}

static int index_hooks(const struct sir *s, struct sir_priv *p, struct err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nregions; i++)
		n += s->regions[i].nat;
	p->hooks = arena_array(p->arena, n, sizeof *p->hooks);
	if (!p->hooks)
		return err_nomem(err);
	for (uint32_t i = 0; i < s->nregions; i++)
		for (uint32_t k = 0; k < s->regions[i].nat; k++)
			p->hooks[p->nhooks++] = (struct sir_hook_entry){ s->regions[i].at[k], i };
	qsort(p->hooks, n, sizeof *p->hooks, by_hook);
	for (uint32_t i = 1; i < n; i++) {
		const struct sir_hook_entry *a = &p->hooks[i - 1], *b = &p->hooks[i];

		if (a->hook.hash == b->hook.hash && a->hook.index == b->hook.index)
			return err_set(err,
				"unit %016" PRIx64 ": index %u means both %s:%d and %s:%d",
				a->hook.hash, a->hook.index, s->regions[a->region].file,
				s->regions[a->region].line, s->regions[b->region].file,
				s->regions[b->region].line);
	}
	return 0;
}

static int index_units(const struct sir *s, struct sir_priv *p, struct err *err)
{
	p->units = arena_array(p->arena, (size_t)s->nregions * 2, sizeof *p->units);
	if (!p->units)
		return err_nomem(err);
	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if (!r->unit_type)
			continue;
		p->units[p->nunits++] = (struct sir_unit_entry){ r->name, i };
		if (r->symbol)
			p->units[p->nunits++] = (struct sir_unit_entry){ r->symbol, i };
	}
	qsort(p->units, p->nunits, sizeof *p->units, by_name);
	return 0;
}

static int resolve_paths(const struct sir_model *m, const struct sir *s, struct sir_priv *p,
	struct err *err)
{
	p->paths = arena_array(m->arena, s->nregions, sizeof *p->paths);
	if (!p->paths)
		return err_nomem(err);
	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i], *before = i ? r - 1 : NULL;

		if (before && before->source == r->source && strcmp(before->file, r->file) == 0)
			p->paths[i] = p->paths[i - 1];
		else
			p->paths[i] = model_path(m, r);
		if (!p->paths[i])
			return err_nomem(err);
	}
	return 0;
}

struct sir *model_finish(struct sir_model *m, struct err *err)
{
	struct sir *s = arena_alloc(m->arena, sizeof *s);
	struct sir_priv *p = arena_alloc(m->arena, sizeof *p);
	struct flat f = { NULL, 0 };

	if (!s || !p || model_merge(m) < 0)
		goto nomem;
	f.regions = arena_array(m->arena, count(m->first), sizeof *f.regions);
	if (!f.regions)
		goto nomem;
	place_list(&f, m->first, SIR_NONE);
	p->arena = m->arena;
	*s = (struct sir){ f.regions, f.n, m->sources, m->nsources, p };
	if (index_hooks(s, p, err) < 0 || index_units(s, p, err) < 0
	    || resolve_paths(m, s, p, err) < 0)
		goto drop;
	m->arena = NULL;
	return s;
nomem:
	err_nomem(err);
drop:
	model_drop(m);
	return NULL;
}
