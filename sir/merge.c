/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges copies of a function's regions, and adds the arrays of regions to the regions around them.
 *
 * An inline function, or a static function in a header, has a copy of its regions in every unit
 * that includes it.  For the user it is one function, so its copies become one region with all
 * their (hash, index) pairs.  Functions with the same file, line and name are the same; files are
 * compared as absolute paths where the unit's directory is known, since two directories may both
 * have a util.c. */
#include "sir/model.h"

#include <stdlib.h>
#include <string.h>

struct key {
	const char *path;
	struct sir_node *node;
	size_t order;
};

const char *model_path(const struct sir_model *m, const struct sir_region *r)
{
	const char *dir = r->source < m->nsources ? m->sources[r->source].dir : NULL;
	char *path, *out;

	if (r->file[0] != '/' && (!dir || dir[0] != '/'))
		return r->file;
	path = r->file[0] == '/' ? arena_strdup(m->arena, r->file)
		: arena_printf(m->arena, "%s/%s", dir, r->file);
	if (!path)
		return NULL;
	out = path;
	for (char *in = path; *in;) {
		size_t len;

		while (*in == '/')
			in++;
		len = strcspn(in, "/");
		if (len == 2 && in[0] == '.' && in[1] == '.') {
			while (out > path && *--out != '/')
				;
		} else if (len && !(len == 1 && in[0] == '.')) {
			*out++ = '/';
			memmove(out, in, len);
			out += len;
		}
		in += len;
	}
	*out = '\0';
	return path;
}

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->node->r.line > y->node->r.line) - (x->node->r.line < y->node->r.line);
	if (!c)
		c = strcmp(x->node->r.name, y->node->r.name);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static bool same_unit(const struct key *x, const struct key *y)
{
	/* A unit without a line is not in the source: only its hook identifies it. */
	return x->node->r.line > 0 && x->node->r.line == y->node->r.line
		&& strcmp(x->path, y->path) == 0 && strcmp(x->node->r.name, y->node->r.name) == 0;
}

static bool same_region(const struct sir_node *x, const struct sir_node *y)
{
	const struct sir_region *a = &x->r, *b = &y->r;

	return a->type == b->type && a->line == b->line && a->end_line == b->end_line
		&& strcmp(a->name, b->name) == 0
		&& (!a->kind || !b->kind || strcmp(a->kind, b->kind) == 0);
}

static bool same_name(const struct sir_array *a, const struct sir_array *b)
{
	return strcmp(a->name, b->name) == 0;
}

/* Name and scope do not suffice: two blocks of one unit may declare the same name. */
static bool same_array(const struct sir_array *a, const struct sir_array *b)
{
	return same_name(a, b) && a->line == b->line && !a->scope == !b->scope
		&& (!a->scope || strcmp(a->scope, b->scope) == 0);
}

static int merge_arrays(struct sir_model *m, struct sir_node *to, const struct sir_node *from,
	bool (*same)(const struct sir_array *, const struct sir_array *))
{
	for (uint32_t i = 0; i < from->narrays; i++) {
		const struct sir_array *a = &from->arrays[i];
		uint32_t k;

		for (k = 0; k < to->narrays; k++)
			if (same(&to->arrays[k], a))
				break;
		if (k < to->narrays)
			to->arrays[k].access |= a->access;
		else if (model_array(m, to, a) < 0)
			return -1;
	}
	return 0;
}

static int array_order(const void *a, const void *b)
{
	const struct sir_array *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->line > y->line) - (x->line < y->line);
}

int model_gather(struct sir_model *m, struct sir_node *n)
{
	for (struct sir_node *c = n->first; c; c = c->next)
		if (model_gather(m, c) < 0 || merge_arrays(m, n, c, same_array) < 0)
			return -1;
	if (n->narrays)
		qsort(n->arrays, n->narrays, sizeof *n->arrays, array_order);
	return 0;
}

static void adopt(struct sir_node *parent, struct sir_node *n)
{
	n->parent = parent;
	n->next = NULL;
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
}

/* Merges `from`, a copy of `to`.  The k-th region of one kind on a line of `from` is a copy of the
 * k-th one of `to`; regions that only `from` has (conditional compilation) move to `to`. */
static int merge_into(struct sir_model *m, struct sir_node *to, struct sir_node *from)
{
	struct sir_node *end = to->last, *next;

	for (uint32_t i = 0; i < from->nat; i++)
		if (model_hook(m, to, from->at[i].hash, from->at[i].index) < 0)
			return -1;
	to->r.hooks |= from->r.hooks;
	to->r.unrecorded |= from->r.unrecorded;
	to->r.math = to->r.math ? to->r.math : from->r.math;
	if (to->r.hooks & SIR_HOOK_PHASE)
		to->r.refuse = NULL;
	if (merge_arrays(m, to, from, same_name) < 0)
		return -1;
	for (uint32_t i = 0; i < from->nrecords; i++)
		if (model_record(m, to, &from->records[i]) < 0)
			return -1;
	for (uint32_t i = 0; i < from->ncopies; i++)
		if (model_copy(m, to, &from->copies[i]) < 0)
			return -1;
	for (struct sir_node *n = from->first; n; n = next) {
		struct sir_node *t = NULL;
		uint32_t nth = 0;

		next = n->next;
		for (struct sir_node *c = from->first; c != n; c = c->next)
			nth += same_region(c, n);
		if (end)
			for (t = to->first; t; t = t == end ? NULL : t->next)
				if (same_region(t, n) && nth-- == 0)
					break;
		if (t && merge_into(m, t, n) < 0)
			return -1;
		n->merged = t != NULL;
	}
	for (struct sir_node *n = from->first; n; n = next) {
		next = n->next;
		if (!n->merged)
			adopt(to, n);
	}
	return 0;
}

int model_merge(struct sir_model *m)
{
	struct key *keys;
	size_t n = 0, i = 0;

	for (const struct sir_node *u = m->first; u; u = u->next)
		n++;
	keys = arena_array(m->arena, n, sizeof *keys);
	if (!keys)
		return -1;
	for (struct sir_node *u = m->first; u; u = u->next, i++) {
		keys[i] = (struct key){ model_path(m, &u->r), u, i };
		if (!keys[i].path)
			return -1;
	}
	qsort(keys, n, sizeof *keys, compare);
	for (size_t lead = 0, k = 1; k < n; k++) {
		if (!same_unit(&keys[lead], &keys[k])) {
			lead = k;
			continue;
		}
		if (merge_into(m, keys[lead].node, keys[k].node) < 0)
			return -1;
		keys[k].node->merged = true;
	}
	m->last = NULL;
	for (struct sir_node **link = &m->first; *link;) {
		if ((*link)->merged) {
			*link = (*link)->next;
			continue;
		}
		m->last = *link;
		link = &(*link)->next;
	}
	return 0;
}
