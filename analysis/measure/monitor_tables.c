/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the monitor's tables of contexts, data structures and aliases, and translates its numbers.
 *
 * In the first run of a program both sides have the same numbers.  When the program is run again,
 * its monitor numbers contexts and structures in the order in which they
 * appear, which may differ. */
#include "analysis/measure/monitor_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"

enum { DEEPEST = 4096 };                /* nested contexts; the monitor keeps 512 per thread */

/* --- contexts -------------------------------------------------------------------------------- */

/* Keeps children in the order of the SIR: the order of their first execution may vary by run. */
static void insert_child(struct measurements *p, uint32_t parent, uint32_t n)
{
	struct measured_context *up = &p->contexts[parent];
	uint32_t *at = &up->child;

	if (up->last != NO_CONTEXT && p->contexts[up->last].region <= p->contexts[n].region)
		at = &p->contexts[up->last].next;
	while (*at != NO_CONTEXT && p->contexts[*at].region <= p->contexts[n].region)
		at = &p->contexts[*at].next;
	p->contexts[n].next = *at;
	*at = n;
	if (p->contexts[n].next == NO_CONTEXT)
		up->last = n;
}

/* The context of an earlier run with this parent and region; NO_CONTEXT: there is none. */
static uint32_t find_context(const struct measurements *p, uint32_t parent, uint32_t region)
{
	uint32_t c = parent == NO_CONTEXT ? 0 : p->contexts[parent].child;

	if (!p->ncontexts)
		return NO_CONTEXT;
	while (c != NO_CONTEXT && (p->contexts[c].region != region || p->contexts[c].run == p->run))
		c = p->contexts[c].next;
	return c;
}

/* Appends a context; there is room for it.  0 / -1 (memory). */
static int append_context(struct measurements *p, uint32_t parent, uint32_t depth, uint32_t region)
{
	uint32_t n = p->ncontexts++;
	struct measured_context *c = &p->contexts[n];

	*c = (struct measured_context){ .parent = parent, .child = NO_CONTEXT, .last = NO_CONTEXT,
		.next = NO_CONTEXT, .depth = depth, .region = region };
	if (parent != NO_CONTEXT)
		insert_child(p, parent, n);
	return tables_context_times(p, c);
}

/* Takes context i of the monitor, whose parent has been taken.  0; -1: memory; 1: no monitor wrote
 * it, or there is no room. */
static int take_context(struct measurements *p, uint32_t i, const struct mon_context *from,
	uint64_t hash)
{
	uint32_t parent = i ? p->context_of[from->parent] : NO_CONTEXT;
	uint32_t depth = i ? p->contexts[parent].depth + 1 : 0;
	uint32_t region = sir_find_hook(p->sir, hash, from->region), c;

	if (from->depth != depth || depth >= DEEPEST)
		return 1;
	c = find_context(p, parent, region);
	if (c == NO_CONTEXT && (!tables_room(p, p->ncontexts + 1) || (!i && p->ncontexts)))
		return 1;
	if (c == NO_CONTEXT) {
		c = p->ncontexts;
		if (append_context(p, parent, depth, region))
			return -1;
	}
	p->contexts[c].run = p->run;
	p->context_of[i] = c;
	p->ncontexts_of = i + 1;
	return 0;
}

static int sync_contexts(struct measurements *p, const struct mon_peer *peer)
{
	uint32_t n = mon_peer_ncontexts(peer);
	void *grown;

	if (n <= p->ncontexts_of)
		return 0;
	grown = realloc(p->context_of, n * sizeof *p->context_of);
	if (!grown)
		return -1;
	p->context_of = grown;
	grown = realloc(p->contexts, (p->ncontexts + n - p->ncontexts_of) * sizeof *p->contexts);
	if (!grown)
		return -1;
	p->contexts = grown;
	for (uint32_t i = p->ncontexts_of; i < n; i++) {
		struct mon_context from;
		uint64_t hash;
		int rc = mon_peer_context(peer, i, &from, &hash) ? take_context(p, i, &from, hash) :
			1;

		if (rc)
			return rc < 0 ? -1 : 0;
	}
	return 0;
}

/* --- data structures ------------------------------------------------------------------------- */

struct declaration {            /* of a data structure; strings borrowed */
	const struct mon_object *from;
	const char *name, *scope, *source;
	uint32_t region;        /* in the SIR */
};

static bool same_structure(const struct measured_object *o, const struct declaration *d)
{
	return o->kind == d->from->kind && o->line == d->from->line && o->region == d->region &&
		o->elem == d->from->elem && text_same(o->name, d->name) &&
		text_same(o->source, d->source) && text_same(o->scope, d->scope);
}

/* The structure of an earlier run that is declared there.  Most have the same number: begins at
 * `hint`.  NO_CONTEXT: there is none. */
static uint32_t find_structure(const struct measurements *p, const struct declaration *d,
	uint32_t hint)
{
	for (uint32_t i = 0; p->run && i < p->nobjects; i++) {
		uint32_t o = (hint + i) % p->nobjects;

		if (o >= MON_OBJ_FIRST && p->objects[o].run != p->run &&
		    same_structure(&p->objects[o], d))
			return o;
	}
	return NO_CONTEXT;
}

static int append_structure(struct measurements *p, const struct declaration *d)
{
	struct measured_object *o = &p->objects[p->nobjects];

	*o = (struct measured_object){ .kind = d->from->kind, .elem = d->from->elem,
		.nodes = d->from->nodes, .line = d->from->line, .region = d->region };
	o->name = strdup(d->name);
	o->scope = *d->scope ? strdup(d->scope) : NULL;
	o->source = strdup(d->source);
	p->nobjects++;
	return o->name && o->source ? 0 : -1;
}

/* Reads object i of the monitor.  Numbers below MON_OBJ_FIRST are causes, not structures: these are
 * kept as empty rows. */
static void read_structure(const struct measurements *p, const struct mon_peer *peer, uint32_t i,
	struct mon_object *from, struct declaration *d)
{
	const char *name = NULL, *scope = NULL, *source = NULL;
	uint64_t hash = 0;

	*from = (struct mon_object){ 0 };
	mon_peer_object(peer, i, from, &name, &scope, &hash, &source);
	*d = (struct declaration){ from, name ? name : "", scope ? scope : "", source ? source : "",
		SIR_NONE };
	if (i >= MON_OBJ_FIRST && from->region != MON_ANY && hash)
		d->region = sir_find_hook(p->sir, hash, from->region);
}

/* In a run of which nothing is recorded no block is counted: what is known stands. */
static void sync_blocks(struct measured_object *o, const struct mon_object *from)
{
	o->allocated = fmax(o->allocated, (double)from->allocated);
	o->largest = fmax(o->largest, (double)from->largest);
	if (from->allocations <= o->allocations)
		return;
	o->allocations = from->allocations;
	o->grown = from->grown;
	o->mapped = from->mapped;
	o->executions = from->executions;
	o->releases = from->releases;
	o->made |= from->made;
}

/* Where its blocks are allocated, and by whom.  0 / -1 (memory). */
static int sync_allocation(struct measured_object *o, const struct mon_object *from,
	const struct mon_peer *peer)
{
	const char *file = mon_peer_allocated_in(peer, from);

	o->allocated_by = from->allocated_by <= MON_THREADS ? from->allocated_by : 0;
	o->allocated_line = file ? from->allocated_line : 0;
	if (text_same(o->allocated_file, file ? file : ""))
		return 0;
	free(o->allocated_file);
	o->allocated_file = file ? strdup(file) : NULL;
	return file && !o->allocated_file ? -1 : 0;
}

static int sync_objects(struct measurements *p, const struct mon_peer *peer)
{
	uint32_t n = mon_peer_nobjects(peer);
	void *grown;

	if (n < p->nobjects_of)
		n = p->nobjects_of;
	grown = realloc(p->object_of, (n + 1) * sizeof *p->object_of);
	if (!grown)
		return -1;
	p->object_of = grown;
	grown = realloc(p->objects, (p->nobjects + n - p->nobjects_of + 1) * sizeof *p->objects);
	if (!grown)
		return -1;
	p->objects = grown;
	for (uint32_t i = 0; i < n; i++) {
		struct mon_object from;
		struct declaration d;
		uint32_t o;

		read_structure(p, peer, i, &from, &d);
		if (i >= p->nobjects_of) {
			o = i < MON_OBJ_FIRST && i < p->nobjects ? i : find_structure(p, &d, i);
			if (o == NO_CONTEXT) {
				o = p->nobjects;
				if (append_structure(p, &d))
					return -1;
			}
			p->object_of[i] = o;
			p->nobjects_of = i + 1;
		}
		o = p->object_of[i];
		p->objects[o].run = p->run;
		sync_blocks(&p->objects[o], &from);
		if (sync_allocation(&p->objects[o], &from, peer))
			return -1;
		/* A heap block may have moved or grown.  The monitor places blocks when something
		 * is recorded: in a run that is only timed they have no size, and that
		 * of the run before stands. */
		if (from.size) {
			p->objects[o].address = from.address;
			p->objects[o].size = from.size;
			p->objects[o].blocks = from.blocks;
		}
	}
	return 0;
}

/* --- aliases --------------------------------------------------------------------------------- */

static int sync_aliases(struct measurements *p, const struct mon_peer *peer)
{
	uint32_t n = mon_peer_naliases(peer);
	void *grown;

	if (n <= p->naliases_of)
		return 0;
	grown = realloc(p->aliases, (p->naliases + n - p->naliases_of) * sizeof *p->aliases);
	if (!grown)
		return -1;
	p->aliases = grown;
	for (uint32_t i = p->naliases_of; i < n; i++) {
		struct measured_alias *a = &p->aliases[p->naliases++];
		uint64_t hash;
		uint32_t region, object, context;
		const char *name;

		p->naliases_of = i + 1;
		*a = (struct measured_alias){ SIR_NONE, MON_ANY, MON_ANY, NULL };
		if (!mon_peer_alias(peer, i, &hash, &region, &object, &context, &name))
			continue;
		a->context = context == MON_ANY ? MON_ANY : tables_context(p, context);
		a->unit = sir_find_hook(p->sir, hash, region);
		a->object = tables_object(p, object);
		a->name = strdup(name);
		if (!a->name)
			return -1;
	}
	return 0;
}

/* --- all ------------------------------------------------------------------------------------- */

int measured_sync(struct measurements *p, const struct mon_peer *peer, struct err *err)
{
	uint32_t threads = mon_peer_threads(peer);

	if (threads > p->threads)
		p->threads = threads;
	p->placement = mon_peer_placement(peer);
	p->unseen_faults = mon_peer_unseen_faults(peer);
	if (sync_contexts(p, peer) || sync_objects(p, peer) || sync_aliases(p, peer))
		return err_nomem(err);
	return 0;
}

static void translate_counts(const struct measurements *p, struct mon_count_row *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		rows[i].context = tables_context(p, rows[i].context);
		rows[i].object = tables_object(p, rows[i].object);
	}
}

void measured_translate(const struct measurements *p, struct mon_result *r)
{
	for (uint32_t i = 0; i < r->ntimes; i++)
		r->times[i].context = tables_context(p, r->times[i].context);
	for (uint32_t i = 0; i < r->nmpi_rows; i++)
		r->mpi_rows[i].context = tables_context(p, r->mpi_rows[i].context);
	for (uint32_t i = 0; i < r->nmessages; i++)
		r->messages[i].context = tables_context(p, r->messages[i].context);
	translate_counts(p, r->counts, r->ncounts);
	translate_counts(p, r->varied, r->nvaried);
	for (uint32_t i = 0; i < r->nlines; i++) {
		r->lines[i].object = tables_object(p, r->lines[i].object);
		for (uint32_t k = 0; k < MON_LINE_THREADS; k++)
			r->lines[i].used[k] = tables_object(p, r->lines[i].used[k]);
	}
	for (uint32_t i = 0; i < r->nevents; i++)
		r->events[i].context = tables_context(p, r->events[i].context);
	for (uint32_t i = 0; i < r->nsites; i++) {
		r->sites[i].context = tables_context(p, r->sites[i].context);
		r->sites[i].object = tables_object(p, r->sites[i].object);
	}
	for (uint32_t i = 0; i < r->nburst_words; i++) {
		struct mon_burst_words *b = &r->burst_words[i];

		b->begins = tables_context(p, b->begins);
		if (b->context != MON_ANY)
			b->context = tables_context(p, b->context);
	}
	for (uint32_t i = 0; i < r->nwalks; i++) {
		r->walks[i].context = tables_context(p, r->walks[i].context);
		r->walks[i].object = tables_object(p, r->walks[i].object);
	}
}

void measured_next_run(struct measurements *p)
{
	p->run++;
	p->ncontexts_of = p->nobjects_of = p->naliases_of = 0;
}
