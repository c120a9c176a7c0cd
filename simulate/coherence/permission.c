/* SPDX-License-Identifier: BSD-3-Clause */
/* Grants and revokes permissions, by which a core uses lines without reports, and passes on what it
 * wrote by permission when another core comes to the line. */
#include "simulate/coherence/directory.h"

static struct share_permission *permission_of(struct share_core *l, uint64_t page)
{
	return &l->permissions[page % SHARE_PAGES];
}

static struct share_page *page_of(struct share_core *l, const struct share_permission *g)
{
	return &l->page[g - l->permissions];
}

/* Adds what a core wrote by permission to the masks of the page's users. */
static void wrote_tell(const struct share *s, struct page *p, struct share_user *o,
	struct share_core *l, struct share_permission *g, uint64_t lines)
{
	struct share_page *its = page_of(l, g);
	uint64_t whole = g->whole & lines, part = its->part & lines;
	uint64_t mask[64];

	if (!(whole | part))
		return;
	atomic_fetch_and(&g->whole, ~whole);
	atomic_fetch_and(&its->part, ~part);
	part &= ~whole;
	o->written |= whole;
	for (uint64_t left = part; left; ) {
		uint32_t k = line_take(&left);

		mask[k] = atomic_load_explicit(&its->wrote[k], memory_order_relaxed);
		o->mask[k].written |= mask[k];
	}
	for (struct share_user *q = p->users; q; q = q->peer) {
		if (q == o || same_cache(s, o->core, q->core))
			continue;
		q->unseen |= whole;
		for (uint64_t left = part; left; ) {
			uint32_t k = line_take(&left);

			q->mask[k].unseen = (q->part >> k & 1 ? q->mask[k].unseen : 0) | mask[k];
		}
		q->part |= part;
	}
}

uint64_t permission_had(struct share_core *l, const struct share_lines *e)
{
	struct share_permission *g = share_permission_in(l, e->page, e->context);
	uint64_t had;

	if (!g)
		return 0;
	had = g->told & ((e->read & ~e->written & g->read) | (e->written & g->write));
	if (had)
		share_used(l, g, e->first, e->last);
	for (uint64_t left = had & e->written; left; ) {
		uint32_t k = line_take(&left);

		share_wrote(l, g, k, e->line[k].written);
	}
	return had;
}

/* Did core o use the page in turns of this access, or at most SHARE_GAP turns away? */
static bool beside(const struct act *a, const struct share_user *u, struct share_core *o,
	const struct share_permission *g)
{
	uint32_t from = a->e->first - a->l->origin, to = a->e->last - a->l->origin;
	uint32_t last = g->last, first = page_of(o, g)->first;

	first = first > o->origin ? first - o->origin : 0;

	if (u->stretch == a->l->stretch && from <= u->last + SHARE_GAP &&
	    u->first <= to + SHARE_GAP)
		return true;
	return o->stretch == a->l->stretch && last >= o->origin &&
		from <= last - o->origin + SHARE_GAP && first <= to + SHARE_GAP;
}

uint64_t permission_revoke(const struct act *a, uint64_t fresh)
{
	uint64_t met = 0;

	for (struct share_user *u = a->p->users; u; u = u->peer) {
		struct share_core *o = a->l->share->cores[u->core];
		struct share_permission *g = permission_of(o, a->p->number);
		uint64_t read, write;

		if (u == a->me || g->page != a->p->number + 1)
			continue;
		write = g->write & a->lines;
		read = g->read & a->lines;
		if (write)
			atomic_store_explicit(&g->write, g->write & ~write, memory_order_relaxed);
		if (read & (a->written | fresh))
			atomic_store_explicit(&g->read, g->read & ~(read & (a->written | fresh)),
				memory_order_relaxed);
		if (a->lines & a->shared)
			wrote_tell(a->l->share, a->p, u, o, g, a->lines & a->shared);
		write |= read & a->written;
		if (write && beside(a, u, o, g))
			met |= write;
	}
	return met;
}

/* The core's permissions for the page; replaces those of another page in the same slot. */
static struct share_permission *claim(const struct act *a)
{
	struct share_core *l = a->l;
	struct share_permission *g = permission_of(l, a->p->number);
	struct share_page *its = page_of(l, g);

	if (g->page == a->p->number + 1)
		return g;
	if (g->page) {
		struct page *p = directory_look(a->t, g->page - 1);

		if (p->masks)
			wrote_tell(l->share, p, directory_user(l->share, a->t, p, l->index), l, g,
				p->many & p->wrote);
	}
	memset((void *)its, 0, sizeof *its);
	memset((void *)g, 0, sizeof *g);
	g->page = a->p->number + 1;
	return g;
}

bool permission_managed(const struct share *s, const struct share_user *o)
{
	struct share_core *l = s->cores[o->core];
	struct share_permission *g = permission_of(l, o->page->number);

	if (g->page != o->page->number + 1)
		return false;
	atomic_store_explicit(&page_of(l, g)->managed, o->managed, memory_order_relaxed);
	return true;
}

/* Notes what the core wrote of lines that no other core holds; it need not be reported again. */
static void known(const struct act *a, struct share_permission *g, uint64_t lines)
{
	if (lines & a->whole & ~g->whole)
		atomic_fetch_or(&g->whole, lines & a->whole);
	for (lines &= a->written & ~a->whole; lines; ) {
		uint32_t k = line_take(&lines);

		share_wrote(a->l, g, k, a->e->line[k].written);
	}
}

/* The set of a context; neighbouring numbers use different sets.  A set is one line of the host. */
static struct share_told *told_set(struct share_page *p, uint32_t context)
{
	return p->all[context % SHARE_TOLD_SETS];
}

/* Saves the present context's reported lines. */
static void told_keep(struct share_page *p, const struct share_permission *g)
{
	struct share_told *set = told_set(p, g->context);
	uint32_t i = 0;

	while (i < SHARE_TOLD_WAYS && set[i].context != g->context)
		i++;
	if (i == SHARE_TOLD_WAYS)
		i = p->next++ % SHARE_TOLD_WAYS;
	set[i] = (struct share_told){ g->told, g->context };
}

void share_context(struct share_core *l, struct share_permission *g, uint32_t context)
{
	struct share_told was = { g->told_before, g->context_before };
	const struct share_told *set;
	uint32_t i = 0;

	g->told_before = g->told;
	g->context_before = g->context;
	g->context = context;
	g->told = was.lines;
	if (was.context == context)
		return;
	set = told_set(page_of(l, g), context);
	/* Prefetch the next page: loops tend to go there. */
	if (g + 1 < l->permissions + SHARE_PAGES) {
		__builtin_prefetch(g + 1);
		__builtin_prefetch(told_set(page_of(l, g + 1), context));
	}
	while (i < SHARE_TOLD_WAYS && set[i].context != context)
		i++;
	g->told = i < SHARE_TOLD_WAYS ? set[i].lines : 0;
}

void permission_grant(const struct act *a, uint64_t lines)
{
	const struct share_lines *e = a->e;
	struct share_permission *g;
	struct share_page *its;
	uint64_t others = 0, write, shared = lines & a->shared;

	if (a->me->managed & a->lines) {
		claim(a);
		permission_managed(a->l->share, a->me);
	}
	if (!lines)
		return;
	for (const struct share_user *o = a->p->users; o; o = o->peer)
		others |= o == a->me ? 0 : o->holds;
	write = lines & a->p->wrote & ~others;
	g = claim(a);
	its = page_of(a->l, g);
	atomic_store_explicit(&g->read, g->read | lines, memory_order_relaxed);
	if (write) {
		atomic_store_explicit(&g->write, g->write | write, memory_order_relaxed);
		known(a, g, write);
	}
	if (g->context != e->context)
		share_context(a->l, g, e->context);
	shared &= ~its->shared;
	g->told_before &= ~shared;
	for (uint32_t i = 0; shared && i < SHARE_TOLD_SETS * SHARE_TOLD_WAYS; i++)
		its->all[i / SHARE_TOLD_WAYS][i % SHARE_TOLD_WAYS].lines &= ~shared;
	its->shared |= shared;
	if (lines & ~g->told || shared) {
		g->told |= lines;
		told_keep(its, g);
	}
	share_used(a->l, g, e->first, e->last);
}
