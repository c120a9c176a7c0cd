/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lane touches in a batch is gathered here, line by line, and applied to the directory stripe by
 * stripe, those first in which no other lane is. */
#include "monitor/directory.h"

enum {
	LETTERS = 128,          /* read at once */
	AHEAD = 16              /* lines whose memory is asked for before they are applied */
};

/* --- batches -------------------------------------------------------------------------------- */

/* A few of one stripe.  Each is memory that was not used for long, in several places: all are
 * asked for before the first is waited for. */
static void apply_some(struct share_lane *l, struct stripe *t, const uint16_t *which, uint32_t n)
{
	uint64_t *state[AHEAD];

	for (uint32_t i = 0; i < n; i++) {
		state[i] = directory_state(l->share, t, l->entry[which[i]].line);
		__builtin_prefetch(state[i], 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		char *r = state[i] ? (char *)record_of(*state[i]) : NULL;

		for (size_t k = 0; r && k < sizeof(struct record); k += 64)
			__builtin_prefetch(r + k, 1);
	}
	for (uint32_t i = 0; i < n; i++)
		directory_apply(l, t, state[i], &l->entry[which[i]]);
}

/* All that was gathered. */
static void apply_all(struct share_lane *l)
{
	struct share *s = l->share;
	uint32_t begin[SHARE_STRIPES + 1] = { 0 }, fill[SHARE_STRIPES], left = 0;

	if (!l->nentries)
		return;
	for (uint32_t i = 0; i < l->nentries; i++)
		begin[stripe_of(s, l->entry[i].line) + 1]++;
	for (uint32_t k = 0; k < SHARE_STRIPES; k++) {
		fill[k] = begin[k];
		begin[k + 1] += begin[k];
	}
	for (uint32_t i = 0; i < l->nentries; i++)
		l->order[fill[stripe_of(s, l->entry[i].line)]++] = (uint16_t)i;
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
	memset(l->at, 0, sizeof l->at);
	l->nentries = 0;
}

struct share_entry *share_entry_make(struct share_lane *l, uint64_t line, uint32_t at,
	uint64_t address, struct sim_cell *cell)
{
	struct share_entry *e;

	if (l->nentries == SHARE_LINES) {
		apply_all(l);
		return share_entry(l, line, address, cell);
	}
	e = &l->entry[l->nentries++];
	l->at[at] = (uint16_t)l->nentries;
	*e = (struct share_entry){ .line = line, .address = address, .cell = cell,
		.first = l->turn, .last = l->turn - 1 };
	return e;
}

void share_tell(struct share_lane *l, uint64_t address, uint64_t first, uint64_t last,
	uint32_t store, struct sim_cell *cell)
{
	uint64_t mask = share_mask(l, first, last), line = first >> l->shift;

	if (!share_allowed_one(l, line, store ? mask : 0, cell, l->turn, l->turn))
		share_gather(l, line, address - (first & ((UINT64_C(1) << l->shift) - 1)),
			store ? 0 : mask, store ? mask : 0, cell);
}

void share_mark_lines(struct share_lane *l, uint64_t address, uint64_t first, uint32_t n,
	const uint64_t mask[][2], struct sim_cell *cell)
{
	uint64_t line = first >> l->shift, size = UINT64_C(1) << l->shift;
	struct share_rights *g = NULL;
	uint64_t read = 0, write = 0;

	address -= first & (size - 1);
	for (uint32_t k = 0; k < n; k++, line++, address += size) {
		uint32_t i = share_in_page(l->shift, line);

		if (!g || !i) {
			g = share_rights(l, l->shift, line, cell);
			read = g ? g->read & g->told.lines : 0;
			write = g ? g->write & g->told.lines : 0;
		}
		if (!(mask[k][0] | mask[k][1]))
			continue;
		if (!((mask[k][1] ? write : read) >> i & 1)) {
			share_gather(l, line, address, mask[k][0], mask[k][1], cell);
			g = NULL;       /* it may belong to another page now */
			continue;
		}
		share_used(g, l->turn, l->turn);
		if (mask[k][1] && !(g->whole >> i & 1))
			share_wrote(l, g, i, mask[k][1]);
	}
}

/* Turns from `from` to the last one, of which `last` and those before are counted. */
static uint32_t turns_new(const struct share_lane *l, uint32_t last, uint64_t n, uint32_t per,
	uint32_t to)
{
	uint64_t from, done;

	if (to <= last)
		return 0;
	if (per >> l->turn_shift == 0)  /* none is left out */
		return to - (last >= l->turn ? last : l->turn - 1);
	from = (uint64_t)last << l->turn_shift;         /* the first access behind those */
	done = from > l->clock ? (from - l->clock + per - 1) / per : 0;
	return (uint32_t)(n - done);
}

void share_stream(struct share_lane *l, uint64_t address, uint64_t first, uint64_t read,
	uint64_t written, struct sim_cell *cell, uint64_t n, uint32_t per)
{
	struct share_entry *e;
	uint32_t to = (uint32_t)((l->clock + (n - 1) * per) >> l->turn_shift) + 1;

	if (share_allowed_one(l, first >> l->shift, written, cell, l->turn, to))
		return;
	e = share_entry(l, first >> l->shift,
		address - (first & ((UINT64_C(1) << l->shift) - 1)), cell);
	e->read |= read;
	e->turns += turns_new(l, e->last, n, per, to);
	if (to > e->last)
		e->last = to;
	if (!written)
		return;
	e->written |= written;
	e->wrote += turns_new(l, e->last_wrote, n, per, to);
	if (!e->last_wrote)
		e->first_wrote = l->turn;
	if (to > e->last_wrote)
		e->last_wrote = to;
}

/* From all caches of the lane that the writer does not use, too. */
static bool drop_line(const struct share_lane *l, const struct share_lane *from, uint64_t line)
{
	bool found = false;

	for (uint32_t i = 0; i < l->lane->nlevels; i++) {
		struct sim_cache *c = l->lane->level[i];
		uint64_t first = line << (l->shift - c->shift);

		if (c == from->lane->level[i])
			continue;
		for (uint64_t k = 0; k < UINT64_C(1) << (l->shift - c->shift); k++)
			found |= sim_cache_drop(l->lane->sim, c, first + k);
	}
	return found;
}

struct letter {
	uint64_t line;
	uint32_t record, from;
};

/* The first of the lane's letters, at most `most`. */
static uint32_t letters_take(const struct share_lane *l, struct stripe *t, _Atomic uint32_t *mail,
	struct letter *out, uint32_t most)
{
	uint32_t n = 0, next;

	pthread_mutex_lock(&t->lock);
	next = atomic_load_explicit(mail, memory_order_relaxed);
	for (; n < most && next; n++) {
		struct record *r = record_at(t, next - 1);
		struct sharer *me = sharer_find(r, l->index);

		out[n] = (struct letter){ r->line, r->number, me->by };
		me->chained = false;
		next = me->next;
	}
	atomic_store_explicit(mail, next, memory_order_relaxed);
	pthread_mutex_unlock(&t->lock);
	return n;
}

/* Without the directory's lock in between: a batch holds its cache and comes to the directory. */
static void letters_read(struct share_lane *l, struct stripe *t, _Atomic uint32_t *mail)
{
	struct share *s = l->share;
	struct letter letter[LETTERS];
	uint32_t n;

	do {
		n = letters_take(l, t, mail, letter, LETTERS);
		for (uint32_t i = 0; i < n; i++)
			if (!drop_line(l, s->lanes[letter[i].from], letter[i].line))
				letter[i].line = UINT64_MAX;
		pthread_mutex_lock(&t->lock);
		for (uint32_t i = 0; i < n; i++)
			if (letter[i].line != UINT64_MAX)
				sharer_find(record_at(t, letter[i].record), l->index)->lost = true;
		pthread_mutex_unlock(&t->lock);
	} while (n == LETTERS);
}

void share_begin(struct share_lane *l, uint32_t stretch)
{
	if (l->stretch != stretch)
		l->origin = (uint32_t)(l->clock >> l->turn_shift) + 1;
	l->stretch = stretch;
	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		if (atomic_load_explicit(&l->mail[i], memory_order_relaxed))
			letters_read(l, &l->share->stripe[i], &l->mail[i]);
}

void share_end(struct share_lane *l)
{
	apply_all(l);
}

/* Nearer levels than the first that other lanes use as well: a line comes from there, or from
 * memory. */
static uint32_t levels_alone(const struct share *s, const struct sim_lane *lane)
{
	uint32_t k = 0;

	for (; k < lane->nlevels; k++)
		for (uint32_t i = 0; i < s->nlanes; i++)
			if (s->lanes[i] && s->lanes[i]->lane != lane &&
			    s->lanes[i]->lane->level[k] == lane->level[k])
				return k;
	return k;
}

void share_settle(const struct share *s, struct sim_lane *lane)
{
	uint32_t n = levels_alone(s, lane);

	for (uint32_t i = 0; i < lane->ncells; i++) {
		struct sim_cell *c = &lane->cells[i];

		for (uint32_t k = 0; k < n; k++) {
			c->miss[k][0] += c->beyond[0];
			c->miss[k][1] += c->beyond[1];
			c->fetched[k] += c->beyond[0] + c->beyond[1];
		}
		c->beyond[0] = c->beyond[1] = 0;
	}
}

/* --- what is told -------------------------------------------------------------------------------- */

static void report(const struct share *s, struct record *r, struct share_report *out)
{
	*out = (struct share_report){ .address = r->address, .line = 1u << s->shift,
		.object = r->object, .miss = { r->miss[0], r->miss[1] }, .nthreads = r->n };
	for (uint32_t i = 0; i < r->n && i < SHARE_THREADS; i++) {
		const struct sharer *o = sharer_at(r, i);

		out->who[i].thread = o->lane;
		out->who[i].read = o->read;
		out->who[i].written = o->written;
		for (uint32_t k = i; k && out->who[k].thread < out->who[k - 1].thread; k--) {
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

/* Where a line belongs among those of its object, which begin at `out`. */
static uint32_t place(const struct share_report *out, uint32_t n, const struct record *r)
{
	uint32_t i = 0;

	while (i < n && all(out[i].miss) >= all(r->miss))
		i++;
	return i;
}

/* Puts the record where it belongs; the new number of reports. */
static uint32_t place_worst(const struct share *s, struct record *r, struct share_report *out,
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
	if (last - first == each)       /* the object's last one goes */
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
			struct record *r = record_at(t, k);

			if (all(r->miss))
				n = place_worst(s, r, out, n, max, each);
		}
		pthread_mutex_unlock(&t->lock);
	}
	return n;
}
