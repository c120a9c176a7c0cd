/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers a core's accesses of a batch page by page, applies them to the directory stripe by stripe
 * (unlocked stripes first), and applies the core's queued invalidations. */
#include "simulate/coherence/directory.h"

enum {
	AHEAD = 8,              /* pages that are prefetched before they are applied */
	INVALIDATIONS = 32      /* taken from the queue at once */
};

/* --- batches -------------------------------------------------------------------------------- */

/* Prefetches what applying these lines will read: the contexts that counted them, and the 64ths
 * that the core read. */
static void known_ahead(const struct share_core *l, const struct page *p,
	const struct share_lines *e)
{
	const struct share_user *o = p->users;

	__builtin_prefetch(p->seen);
	while (o && o->core != l->index)
		o = o->peer;
	if (!o || !o->mask)
		return;
	for (uint64_t left = e->read & ~o->read; left; )
		__builtin_prefetch(&o->mask[line_take(&left)], 1);
}

/* Applies up to AHEAD entries of one stripe.  Pages are cold in the host's caches, so all are
 * prefetched before the first is used. */
static void apply_some(struct share_core *l, struct stripe *t, const uint16_t *which, uint32_t n)
{
	struct page *page[AHEAD];

	for (uint32_t i = 0; i < n; i++) {
		page[i] = directory_page(l->share, t, l->lines[which[i]].page);
		for (size_t k = 0; page[i] && k < sizeof *page[i]; k += 64)
			__builtin_prefetch((char *)page[i] + k, 1);
	}
	for (uint32_t i = 0; i < n; i++)
		if (page[i])
			known_ahead(l, page[i], &l->lines[which[i]]);
	for (uint32_t i = 0; i < n; i++)
		directory_apply(l, t, page[i], &l->lines[which[i]]);
}

/* Applies everything gathered so far. */
static void apply_all(struct share_core *l)
{
	struct share *s = l->share;
	uint32_t begin[SHARE_STRIPES + 1] = { 0 }, fill[SHARE_STRIPES], left = 0;

	if (!l->nlines)
		return;
	for (uint32_t i = 0; i < l->nlines; i++)
		begin[stripe_of(l->lines[i].page) + 1]++;
	for (uint32_t k = 0; k < SHARE_STRIPES; k++) {
		fill[k] = begin[k];
		begin[k + 1] += begin[k];
	}
	for (uint32_t i = 0; i < l->nlines; i++)
		l->order[fill[stripe_of(l->lines[i].page)]++] = (uint16_t)i;
	for (uint32_t k = 0; k < SHARE_STRIPES; k++)
		left |= (uint32_t)(begin[k] < begin[k + 1]) << k;
	for (bool wait = false; left; wait = true)
		for (uint32_t k = 0, n; k < SHARE_STRIPES; k++) {
			struct stripe *t = &s->stripe[k];

			if (!(left >> k & 1) || !stripe_lock(t, wait))
				continue;
			left &= ~(1u << k);
			for (uint32_t i = begin[k]; i < begin[k + 1]; i += n) {
				n = least(AHEAD, begin[k + 1] - i);
				apply_some(l, t, l->order + i, n);
			}
			pthread_mutex_unlock(&t->lock);
		}
	for (uint32_t i = 0; i < l->nlines; i++)
		l->at[l->lines[i].at] = 0;
	l->nlines = 0;
}

/* The position of a page and context in the index, or a free one. */
static uint32_t lines_at(const struct share_core *l, uint64_t page, uint32_t context)
{
	uint64_t key = page + ((uint64_t)context << 20);
	uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SHARE_INDEX;

	while (l->at[at] && (l->lines[l->at[at] - 1].page != page ||
	    l->lines[l->at[at] - 1].context != context))
		at = (at + 1) % SHARE_INDEX;
	return at;
}

/* The page's lines that only turns invalidate in the core's caches. */
static uint64_t managed(const struct share_core *l, uint64_t page)
{
	uint32_t i = page % SHARE_PAGES;

	return l->permissions[i].page == page + 1 ?
		atomic_load_explicit(&l->page[i].managed, memory_order_relaxed) : 0;
}

/* Begins an entry at a position in the index; applies all entries first if there is no room. */
static struct share_lines *lines_make(struct share_core *l, uint64_t page, uint32_t at,
	uint32_t context)
{
	struct share_lines *e;

	if (l->nlines == SHARE_GATHERED) {
		apply_all(l);
		at = lines_at(l, page, context);
	}
	e = &l->lines[l->nlines++];
	l->at[at] = (uint16_t)l->nlines;
	e->at = at;
	e->page = page;
	e->context = context;
	e->read = e->written = e->lasting = 0;
	e->first = e->last = l->turn;
	e->base = share_block(l);
	e->managed = managed(l, page);
	return e;
}

/* The entry is of the present block of turns. */
static inline bool lines_present(const struct share_core *l, const struct share_lines *e)
{
	return l->turn < e->base + SHARE_BLOCK;
}

static __attribute__((noinline)) struct share_lines *lines_find(struct share_core *l, uint64_t page,
	uint32_t context)
{
	uint32_t at = lines_at(l, page, context);
	struct share_lines *e = l->at[at] ? &l->lines[l->at[at] - 1] : NULL;

	if (!e || !lines_present(l, e))
		e = lines_make(l, page, at, context);
	l->permissions[page % SHARE_PAGES].gathered = (uint32_t)(e - l->lines) + 1;
	return e;
}

/* The entry of a page and context, if it is the page's most recent one; else NULL. */
SHARE_INLINE struct share_lines *lines_near(struct share_core *l, uint64_t page, uint32_t context)
{
	uint32_t i = l->permissions[page % SHARE_PAGES].gathered - 1;
	struct share_lines *e;

	if (__builtin_expect(i >= l->nlines, 0))
		return NULL;
	e = &l->lines[i];
	return __builtin_expect(e->page == page && e->context == context && lines_present(l, e),
		1) ? e : NULL;
}

SHARE_INLINE struct share_lines *lines_of(struct share_core *l, uint64_t page, uint32_t context)
{
	struct share_lines *e = lines_near(l, page, context);

	return e ? e : lines_find(l, page, context);
}

/* Clears a turn's bit of line k for the private levels that do not hold the line now. */
static __attribute__((noinline)) void line_held(const struct share_core *l, struct share_lines *e,
	uint32_t k, uint64_t turn)
{
	const uint64_t line = (e->page << share_page_shift(l->shift)) + k;
	const struct sample *sample = l->core->sim->sample;
	const uint32_t alone = l->alone;
	uint32_t i = 0;

	if (sample && !sample_has(sample, line << l->shift))
		return;         /* not simulated */
	while (i < alone) {
		const struct sim_cache *c = l->core->level[i];
		uint32_t parts = l->shift - c->shift;

		if (sim_cache_has(l->core->sim, c, line << parts, parts))
			break;
		i++;
	}
	e->line[k].near &= i ? ~turn : UINT64_MAX;
	e->line[k].held &= i == alone ? ~turn : UINT64_MAX;
}

_Static_assert(SIM_CELLS <= UINT16_MAX && SIM_SITES < UINT16_MAX,
	"struct share_line has 16 bits for each");

/* The site of a touch by core->group. */
SHARE_INLINE uint16_t site_of(struct sim_core *core, struct sim_cell *cell)
{
	return (uint16_t)sim_site_number(core, sim_site(core, core->group, cell));
}

/* Adds a touch of line k in these turns of the block, at the present clock, by `times` accesses.
 * delta: program address - normalised address.  The first touch overwrites the entry: reading back
 * fields just stored in other sizes would stall. */
SHARE_INLINE void line_touch(const struct share_core *l, struct share_lines *e, uint32_t k,
	uint64_t delta, uint64_t read, uint64_t written, struct sim_cell *cell, uint64_t turns,
	uint32_t last, uint32_t times)
{
	const uint64_t bit = UINT64_C(1) << k;
	struct share_line *x = &e->line[k];

	if (!((e->read | e->written) & bit)) {
		*x = (struct share_line){ .read = read, .written = written, .touched = turns,
			.wrote = written ? turns : 0, .near = turns, .held = turns,
			.cell = (uint16_t)(cell - l->core->cells), .site = site_of(l->core, cell),
			.delta = delta, .loads = read ? times : 0 };
		if (__builtin_expect((e->managed & bit) != 0, 0))
			line_held(l, e, k, turns & -turns);
	} else {
		uint64_t new = turns & ~x->touched;

		x->near |= new;
		x->held |= new;
		/* Soon after the last touch nobody asks. */
		if (__builtin_expect(e->managed & bit && new > x->touched << SHARE_GAP, 0))
			line_held(l, e, k, new & -new);
		x->read |= read;
		x->written |= written;
		x->touched |= turns;
		x->wrote |= written ? turns : 0;
		x->loads += read ? times : 0;
	}
	e->lasting |= (uint64_t)(x->touched >> __builtin_ctzll(x->touched) >> SHARE_LASTS !=
		0) << k;
	e->read |= read ? bit : 0;
	e->written |= written ? bit : 0;
	e->last = last > e->last ? last : e->last;
}

/* The present turn's bit in the entry's block. */
SHARE_INLINE uint64_t turn_bit(const struct share_core *l, const struct share_lines *e)
{
	return UINT64_C(1) << (l->turn - e->base);
}

/* The bits of the turns in which n iterations of `per` accesses begin, all in the entry's block. */
static uint64_t turns_of(const struct share_core *l, const struct share_lines *e, uint64_t n,
	uint32_t per)
{
	uint32_t to = share_turn(l, (n - 1) * per);
	uint64_t bits = 0;

	if (per >> l->turn_shift == 0)  /* iterations shorter than turns skip none */
		return UINT64_MAX >> (63 - (to - l->turn)) << (l->turn - e->base);
	for (uint64_t i = 0; i < n; i++)
		bits |= UINT64_C(1) << (share_turn(l, i * per) - e->base);
	return bits;
}

/* Adds a touch in the present turn. */
SHARE_INLINE void line_now(const struct share_core *l, struct share_lines *e, uint32_t k,
	uint64_t delta, uint64_t read, uint64_t written, struct sim_cell *cell, uint32_t times)
{
	line_touch(l, e, k, delta, read, written, cell, turn_bit(l, e), l->turn, times);
}

/* The entry of a line's page. */
static inline struct share_lines *lines_with(struct share_core *l, uint64_t line,
	const struct sim_cell *cell)
{
	return lines_of(l, line >> share_page_shift(l->shift), sim_cell_context(cell));
}

void share_tell(struct share_core *l, uint64_t address, uint64_t first, uint64_t last,
	uint32_t store, struct sim_cell *cell)
{
	uint64_t mask = share_mask(l, first, last), line = first >> l->shift;

	if (!share_allowed_one(l, line, store ? mask : 0, cell, l->turn, l->turn))
		line_now(l, lines_with(l, line, cell), share_in_page(l->shift, line),
			address - first, store ? 0 : mask, store ? mask : 0, cell, 1);
}

/* Adds touches of n lines of one page, from its line k on. */
SHARE_INLINE void mark_page(struct share_core *l, uint64_t page, uint32_t k, uint64_t delta,
	uint32_t n, const uint64_t mask[][2], struct sim_cell *cell, uint32_t times)
{
	const uint32_t context = sim_cell_context(cell);
	struct share_permission *g = share_permission_in(l, page, context);
	uint64_t read = g ? g->read & g->told : 0, write = g ? g->write & g->told : 0;
	struct share_lines *e = NULL;

	for (const uint64_t (*end)[2] = mask + n; mask < end; mask++, k++) {
		uint64_t r = (*mask)[0], w = (*mask)[1];

		if (!(r | w))
			continue;
		if ((w ? write : read) >> k & 1) {
			share_used(l, g, l->turn, l->turn);
			if (w)
				share_wrote(l, g, k, w);
			continue;
		}
		if (!e)
			e = lines_near(l, page, context);
		if (!e) {
			e = lines_find(l, page, context);
			g = share_permission_in(l, page, context);  /* applying may replace it */
			read = g ? g->read & g->told : 0;
			write = g ? g->write & g->told : 0;
		}
		line_now(l, e, k, delta, r, w, cell, times);
	}
}

SHARE_INLINE void mark_lines(struct share_core *l, uint32_t shift, uint64_t address, uint64_t first,
	uint32_t n, const uint64_t mask[][2], struct sim_cell *cell, uint32_t times)
{
	const uint32_t in_page = share_page_shift(shift);
	uint64_t line = first >> shift;

	while (n) {
		uint32_t k = share_in_page(shift, line), here = least(n, (1u << in_page) - k);

		mark_page(l, line >> in_page, k, address - first, here, mask, cell, times);
		line += here;
		mask += here;
		n -= here;
	}
}

void share_mark_lines(struct share_core *l, uint64_t address, uint64_t first, uint32_t n,
	const uint64_t mask[][2], struct sim_cell *cell, uint32_t times)
{
	if (l->shift == 6)      /* most machines; a constant for the compiler */
		mark_lines(l, 6, address, first, n, mask, cell, times);
	else
		mark_lines(l, l->shift, address, first, n, mask, cell, times);
}

bool share_managed(struct share_core *l, uint64_t first, uint32_t n, const struct sim_cell *cell)
{
	uint64_t line = first >> l->shift;

	for (uint32_t here; n; n -= here, line += here) {
		uint64_t page = line >> share_page_shift(l->shift);
		uint32_t k = share_in_page(l->shift, line);
		const struct share_lines *e = lines_near(l, page, sim_cell_context(cell));

		here = least(n, (1u << share_page_shift(l->shift)) - k);
		if ((e ? e->managed : managed(l, page)) >> k & UINT64_MAX >> (64 - here))
			return true;
	}
	return false;
}

void share_stream(struct share_core *l, uint64_t address, uint64_t first, uint64_t read,
	uint64_t written, struct sim_cell *cell, uint64_t n, uint32_t per)
{
	const uint64_t line = first >> l->shift;
	const uint32_t last = share_turn(l, (n - 1) * per);
	struct share_lines *e;

	if (share_allowed_one(l, line, written, cell, l->turn, last))
		return;
	e = lines_with(l, line, cell);
	line_touch(l, e, share_in_page(l->shift, line), address - first, read, written, cell,
		turns_of(l, e, n, per), last, (uint32_t)n);
}

/* --- invalidations ---------------------------------------------------------------------------- */

struct invalidation {
	struct share_user *to;
	uint64_t page, lines[MACHINE_LEVELS], found;
};

/* Removes lines from the core's caches that the writer does not share; returns the lines found. */
static uint64_t drop_lines(const struct share_core *l, const struct invalidation *m)
{
	uint64_t found = 0, lines = 0;

	for (uint32_t i = l->core->nlevels; i-- > 0; ) {
		const struct sim_cache *c = l->core->level[i];

		lines |= m->lines[i];
		if (lines)
			found |= sim_cache_drop(l->core->sim, l->core->level[i],
				m->page << share_page_shift(l->shift) << (l->shift - c->shift),
				lines, l->shift - c->shift);
	}
	return found;
}

/* Takes at most `most` invalidations from the core's queue; returns their number. */
static uint32_t invalidations_take(struct stripe *t, struct share_user *_Atomic *queue,
	struct invalidation *out, uint32_t most)
{
	struct share_user *o;
	uint32_t n = 0;

	pthread_mutex_lock(&t->lock);
	o = atomic_load_explicit(queue, memory_order_relaxed);
	for (; n < most && o; n++, o = o->next) {
		out[n] = (struct invalidation){ .to = o, .page = o->page->number };
		memcpy(out[n].lines, o->invalidation, sizeof o->invalidation);
		memset(o->invalidation, 0, sizeof o->invalidation);
		o->chained = false;
	}
	atomic_store_explicit(queue, o, memory_order_relaxed);
	pthread_mutex_unlock(&t->lock);
	return n;
}

static void lines_lost(const struct invalidation *m)
{
	m->to->lost |= m->found;
	for (uint32_t i = 0; i < MACHINE_LEVELS; i++)
		m->to->lost_from[i] |= m->lines[i] & m->found;
}

/* Applies the core's invalidations from one stripe.  The stripe's lock is not held while caches are
 * locked: a running batch takes them in the opposite order, cache first. */
static void invalidations_read(struct share_core *l, struct stripe *t,
	struct share_user *_Atomic *queue)
{
	struct invalidation invalidation[INVALIDATIONS];
	uint32_t n;

	do {
		bool any = false;

		n = invalidations_take(t, queue, invalidation, INVALIDATIONS);
		for (uint32_t i = 0; i < n; i++) {
			invalidation[i].found = drop_lines(l, &invalidation[i]);
			any |= invalidation[i].found;
		}
		if (!any)
			continue;
		pthread_mutex_lock(&t->lock);
		for (uint32_t i = 0; i < n; i++)
			lines_lost(&invalidation[i]);
		pthread_mutex_unlock(&t->lock);
	} while (n == INVALIDATIONS);
}

void share_begin(struct share_core *l, uint32_t stretch)
{
	if (l->stretch != stretch) {
		l->reported = 0;
		l->origin = (uint32_t)(l->clock >> l->turn_shift) + 1;
	}
	l->stretch = stretch;
	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		if (atomic_load_explicit(&l->queue[i], memory_order_relaxed))
			invalidations_read(l, &l->share->stripe[i], &l->queue[i]);
}

void share_end(struct share_core *l)
{
	apply_all(l);
	l->reported = (l->turn - l->origin) / SHARE_BLOCK;
}

static void sites_settle(struct sim_sites *t, uint32_t cell)
{
	for (uint32_t i = t->rest[cell].next; i; i = t->site[i - 1].next) {
		struct sim_site *s = &t->site[i - 1];

		s->first += s->first_beyond;
		s->last += s->last_beyond;
		s->first_beyond = s->last_beyond = 0;
	}
}

void share_settle(struct sim_core *core)
{
	for (uint32_t i = 0; i < core->ncells; i++) {
		struct sim_cell *c = &core->cells[i];

		if (core->sites)
			sites_settle(core->sites, i);
		for (uint32_t k = 0; k < 2 * core->nlevels; k++) {
			uint64_t *beyond = &c->beyond[k / 2][k % 2];

			c->miss[k / 2][k % 2] += *beyond;
			c->coherence[k / 2][k % 2] += *beyond;
			c->fetched[k / 2] += *beyond;
			*beyond = 0;
		}
	}
}

void share_finish(struct share *s)
{
	for (uint32_t i = 0; i < SHARE_STRIPES; i++) {
		struct stripe *t = &s->stripe[i];

		pthread_mutex_lock(&t->lock);
		for (uint32_t k = 0; k < t->nrecords; k++)
			contended_finish(s, t, record_at(t, k));
		pthread_mutex_unlock(&t->lock);
	}
}

/* --- reports ---------------------------------------------------------------------------------- */

/* The 64ths of the record's line that several threads write. */
static uint64_t updated(const struct line_record *r)
{
	uint64_t once = 0, again = 0;

	for (const struct share_user *o = r->page->users; o; o = o->peer) {
		const uint64_t written = o->touched >> r->line & 1 ? user_written(o, r->line) : 0;

		again |= once & written;
		once |= written;
	}
	return again;
}

static void report(const struct share *s, const struct line_record *r, struct share_report *out)
{
	const uint64_t all = share_mask_all(s->shift);
	const struct line_locks locks = locks_in(s, r->address, updated(r) & all);

	*out = (struct share_report){ .address = r->address, .line = 1u << s->shift,
		.object = r->object, .miss = { r->miss[0], r->miss[1] },
		.locks = locks.mask, .nlocks = locks.n, .nupdated = locks.updated };
	for (const struct share_user *o = r->page->users; o; o = o->peer) {
		uint32_t n = out->nthreads;

		if (!(o->touched >> r->line & 1) || out->nthreads++ >= SHARE_THREADS)
			continue;
		out->who[n].thread = o->core;
		out->who[n].read = user_read(o, r->line) & all;
		out->who[n].written = user_written(o, r->line) & all;
		for (uint32_t k = n; k && out->who[k].thread < out->who[k - 1].thread; k--) {
			struct share_who swap = out->who[k];

			out->who[k] = out->who[k - 1];
			out->who[k - 1] = swap;
		}
	}
}

static uint64_t all(const uint64_t miss[2])
{
	return miss[0] + miss[1];
}

/* The rank of a line among its object's n reports, sorted by misses. */
static uint32_t place(const struct share_report *out, uint32_t n, const struct line_record *r)
{
	uint32_t i = 0;

	while (i < n && all(out[i].miss) >= all(r->miss))
		i++;
	return i;
}

/* Inserts a line among the worst lines of its object; returns the new number of reports. */
static uint32_t place_worst(const struct share *s, struct line_record *r, struct share_report *out,
	uint32_t n, uint32_t max, uint32_t each)
{
	uint32_t first = 0, last, at;

	while (first < n && out[first].object != r->object)
		first++;
	for (last = first; last < n && out[last].object == r->object; last++)
		;
	at = first + place(out + first, last - first, r);
	if (at - first >= each)
		return n;
	if (last - first == each)       /* replaces the object's last line */
		memmove(out + at + 1, out + at, (last - 1 - at) * sizeof *out);
	else if (n < max)
		memmove(out + at + 1, out + at, (n++ - at) * sizeof *out);
	else
		return n;
	report(s, r, &out[at]);
	return n;
}

uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < SHARE_STRIPES; i++) {
		struct stripe *t = &s->stripe[i];

		pthread_mutex_lock(&t->lock);
		for (uint32_t k = 0; k < t->nrecords; k++) {
			struct line_record *r = record_at(t, k);

			if (all(r->miss))
				n = place_worst(s, r, out, n, max, each);
		}
		pthread_mutex_unlock(&t->lock);
	}
	return n;
}
