/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches messages by sorting: both ends of one have the same key. */
#include "analysis/measure/mpi_match.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mpi_calls.h"

struct end {
	uint32_t collective;    /* 0: of a message */
	uint32_t from, to, tag; /* of a message */
	uint64_t communicator, number;
	uint32_t side, row;
};

static const struct mon_message_row *row_of(const struct mpi_side *sides, const struct end *e)
{
	return &sides[e->side].rows[e->row];
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_key(const struct end *a, const struct end *b)
{
	int c = compare(a->collective, b->collective);

	c = c ? c : compare(a->communicator, b->communicator);
	c = c ? c : compare(a->from, b->from);
	c = c ? c : compare(a->to, b->to);
	c = c ? c : compare(a->tag, b->tag);
	return c ? c : compare(a->number, b->number);
}

static int in_order(const void *x, const void *y)
{
	const struct end *a = x, *b = y;
	int c = by_key(a, b);

	c = c ? c : compare(a->side, b->side);
	return c ? c : compare(a->row, b->row);
}

static enum mpi_wait_kind kind_of(uint32_t kind)
{
	switch (kind) {
	case PSC_MPI_SEND: return MPI_WAIT_RECEIVER;
	case PSC_MPI_RECV: return MPI_WAIT_SENDER;
	case PSC_MPI_BARRIER: return MPI_WAIT_BARRIER;
	case PSC_MPI_MEET:
	case PSC_MPI_DOWN:
	case PSC_MPI_UP: return MPI_WAIT_COLLECTIVE;
	default: return MPI_WAIT_NONE;
	}
}

static struct end end_of(const struct mpi_side *s, uint32_t side, uint32_t row)
{
	const struct mon_message_row *r = &s->rows[row];
	struct end e = { .communicator = r->communicator, .number = r->number, .side = side,
		.row = row };

	if (r->kind >= PSC_MPI_MEET) {
		e.collective = 1;
		return e;
	}
	e.from = r->kind == PSC_MPI_RECV ? r->peer : s->rank;
	e.to = r->kind == PSC_MPI_RECV ? s->rank : r->peer;
	e.tag = r->tag;
	return e;
}

/* The call of the row waits until the time `until`, for `late`. */
static void wait_until(struct mpi_wait *w, const struct mon_message_row *r, uint64_t until,
	uint32_t late)
{
	uint64_t most = r->end - r->begin;

	w->matched = true;
	w->late = late;
	if (until > r->begin)
		w->ns = until - r->begin < most ? until - r->begin : most;
}

static void match_message(const struct mpi_side *sides, const struct end *e, uint32_t n,
	struct mpi_wait *const *waits)
{
	uint64_t posted[2] = { UINT64_MAX, UINT64_MAX };        /* of the send, of the receive */

	for (uint32_t i = 0; i < n; i++) {
		const struct mon_message_row *r = row_of(sides, &e[i]);
		uint64_t *at = &posted[r->kind == PSC_MPI_RECV];

		*at = r->posted < *at ? r->posted : *at;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct mon_message_row *r = row_of(sides, &e[i]);
		bool receives = r->kind == PSC_MPI_RECV;
		uint64_t other = posted[!receives];

		if (r->kind != PSC_MPI_POST && other != UINT64_MAX)
			wait_until(&waits[e[i].side][e[i].row], r, other, r->peer);
	}
}

/* The process of these that begins last, `but` excepted. */
static const struct end *last_of(const struct mpi_side *sides, const struct end *e, uint32_t n,
	uint32_t but)
{
	const struct end *last = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (i != but && (!last || row_of(sides, &e[i])->begin > row_of(sides, last)->begin))
			last = &e[i];
	return last;
}

static void match_collective(const struct mpi_side *sides, const struct end *e, uint32_t n,
	struct mpi_wait *const *waits)
{
	uint32_t kind = row_of(sides, e)->kind, root = row_of(sides, e)->peer;

	for (uint32_t i = 0; i < n; i++) {
		const struct mon_message_row *r = row_of(sides, &e[i]);

		if (r->size != n || r->kind != kind || (i && e[i].side == e[i - 1].side))
			return;         /* not all members are here, or they do not agree */
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct mon_message_row *r = row_of(sides, &e[i]);
		struct mpi_wait *w = &waits[e[i].side][e[i].row];
		bool is_root = sides[e[i].side].rank == root;
		const struct end *last = last_of(sides, e, n, i);

		if (kind == PSC_MPI_DOWN)
			for (uint32_t k = 0; k < n; k++)
				if (sides[e[k].side].rank == root)
					last = &e[k];
		if (!last || (kind == PSC_MPI_DOWN && is_root) || (kind == PSC_MPI_UP && !is_root))
			w->matched = true;
		else
			wait_until(w, r, row_of(sides, last)->begin, sides[last->side].rank);
	}
}

/* --- clocks ----------------------------------------------------------------------------------- */

struct clocks {
	const struct mpi_side *sides;
	uint32_t own;
	struct mpi_clock *list;
	uint32_t n;
};

/* Narrows an offset by two times, of which `first`, by the clock of a, was before `second`, by that
 * of b.  Only pairs of the own host and another one tell something. */
static void before(const struct clocks *c, const struct mpi_side *a, uint64_t first,
	const struct mpi_side *b, uint64_t second)
{
	bool ours = a->host == c->own;
	uint32_t other = ours ? b->host : a->host;

	if (ours == (b->host == c->own))
		return;
	for (uint32_t i = 0; i < c->n; i++) {
		struct mpi_clock *k = &c->list[i];
		int64_t offset = ours ? (int64_t)(second - first) : (int64_t)(first - second);

		if (k->host != other)
			continue;
		if (ours && offset < k->high)
			k->high = offset;
		if (!ours && offset > k->low)
			k->low = offset;
	}
}

/* Before every end of a receive the message was sent. */
static void clocks_of_message(const struct clocks *c, const struct end *e, uint32_t n)
{
	const struct end *sent = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (row_of(c->sides, &e[i])->kind != PSC_MPI_RECV &&
		    (!sent || row_of(c->sides, &e[i])->posted < row_of(c->sides, sent)->posted))
			sent = &e[i];
	for (uint32_t i = 0; i < n && sent; i++)
		if (row_of(c->sides, &e[i])->kind == PSC_MPI_RECV)
			before(c, &c->sides[sent->side], row_of(c->sides, sent)->posted,
				&c->sides[e[i].side], row_of(c->sides, &e[i])->end);
}

/* Does the call of b end only after the call of a has begun? */
static bool waits_for(uint32_t kind, bool a_is_root, bool b_is_root)
{
	return kind == PSC_MPI_DOWN ? a_is_root : kind == PSC_MPI_UP ? b_is_root : true;
}

/* Narrows the offsets by a collective: the member on the own host that begins last and the one that
 * ends first tell most; of a rooted collective, on the root's side, the root. */
static void clocks_of_collective(const struct clocks *c, const struct end *e, uint32_t n)
{
	uint32_t kind = row_of(c->sides, e)->kind, root = row_of(c->sides, e)->peer;
	const struct end *begins = NULL, *ends = NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct mpi_side *s = &c->sides[e[i].side];
		const struct mon_message_row *r = row_of(c->sides, &e[i]);

		if (s->host != c->own)
			continue;
		if (kind == PSC_MPI_DOWN ? s->rank == root : !begins ||
		    r->begin > row_of(c->sides, begins)->begin)
			begins = &e[i];
		if (kind == PSC_MPI_UP ? s->rank == root : !ends ||
		    r->end < row_of(c->sides, ends)->end)
			ends = &e[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct mpi_side *s = &c->sides[e[i].side];
		const struct mon_message_row *r = row_of(c->sides, &e[i]);
		bool is_root = s->rank == root;

		if (s->host == c->own || r->kind != kind)
			continue;
		if (begins && waits_for(kind, c->sides[begins->side].rank == root, is_root))
			before(c, &c->sides[begins->side], row_of(c->sides, begins)->begin, s,
				r->end);
		if (ends && waits_for(kind, is_root, c->sides[ends->side].rank == root))
			before(c, s, r->begin, &c->sides[ends->side], row_of(c->sides, ends)->end);
	}
}

/* --- all -------------------------------------------------------------------------------------- */

/* Calls one of the functions for the ends of each message and collective. */
static void match_all(const struct mpi_side *sides, const struct end *e, uint32_t n,
	struct mpi_wait *const *waits, const struct clocks *clocks)
{
	for (uint32_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && by_key(&e[i], &e[k]) == 0; k++)
			;
		if (e[i].communicator == PSC_MPI_UNKNOWN || e[i].number == PSC_MPI_UNKNOWN)
			continue;
		if (clocks && e[i].collective)
			clocks_of_collective(clocks, e + i, k - i);
		else if (clocks)
			clocks_of_message(clocks, e + i, k - i);
		else if (e[i].collective)
			match_collective(sides, e + i, k - i, waits);
		else
			match_message(sides, e + i, k - i, waits);
	}
}

/* Leaves the longest wait of each call. */
static void one_a_call(const struct mpi_side *s, struct mpi_wait *w)
{
	for (uint32_t i = 1, best = 0; i < s->n; i++) {
		if (s->rows[i].begin != s->rows[best].begin ||
		    s->rows[i].end != s->rows[best].end) {
			best = i;
		} else if (w[i].ns > w[best].ns) {
			w[best].ns = 0;
			best = i;
		} else {
			w[i].ns = 0;
		}
	}
}

/* The ends of all rows, those of one message or collective together.  The
 * caller frees; NULL: memory. */
static struct end *sorted_ends(const struct mpi_side *sides, uint32_t nsides, uint32_t *count)
{
	struct end *ends;
	size_t n = 0;

	for (uint32_t s = 0; s < nsides; s++)
		n += sides[s].n;
	ends = malloc((n + 1) * sizeof *ends);
	n = 0;
	for (uint32_t s = 0; s < nsides && ends; s++)
		for (uint32_t i = 0; i < sides[s].n; i++)
			ends[n++] = end_of(&sides[s], s, i);
	if (ends)
		qsort(ends, n, sizeof *ends, in_order);
	*count = (uint32_t)n;
	return ends;
}

int mpi_clocks(const struct mpi_side *sides, uint32_t nsides, uint32_t own,
	struct mpi_clock *clocks, uint32_t n)
{
	const struct clocks all = { sides, own, clocks, n };
	uint32_t nends;
	struct end *ends = sorted_ends(sides, nsides, &nends);

	if (!ends)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		clocks[i].low = INT64_MIN;
		clocks[i].high = INT64_MAX;
	}
	match_all(sides, ends, nends, NULL, &all);
	free(ends);
	return 0;
}

int mpi_match(const struct mpi_side *sides, uint32_t nsides, struct mpi_wait *const *waits)
{
	uint32_t n;
	struct end *ends = sorted_ends(sides, nsides, &n);

	if (!ends)
		return -1;
	for (uint32_t s = 0; s < nsides; s++)
		for (uint32_t i = 0; i < sides[s].n; i++)
			waits[s][i] = (struct mpi_wait){ .kind = kind_of(sides[s].rows[i].kind) };
	match_all(sides, ends, n, waits, NULL);
	for (uint32_t s = 0; s < nsides; s++)
		one_a_call(&sides[s], waits[s]);
	free(ends);
	return 0;
}
