/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes and keeps what is known of ranks on other hosts. */
#include "analysis/measure/mpi_remote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/mpi_messages.h"
#include "base/mpi_calls.h"

enum { ROW_BYTES = 4 * 4 + 5 * 8, OWN_BYTES = 4 + 8 };

static bool is_local(const int *local, uint32_t n, uint32_t rank)
{
	for (uint32_t i = 0; i < n; i++)
		if (local[i] >= 0 && (uint32_t)local[i] == rank)
			return true;
	return false;
}

static void put_row(const struct mon_message_row *r, struct buf *out)
{
	buf_u32(out, r->kind);
	buf_u32(out, r->peer);
	buf_u32(out, r->tag);
	buf_u32(out, r->size);
	buf_u64(out, r->communicator);
	buf_u64(out, r->number);
	buf_u64(out, r->posted);
	buf_u64(out, r->begin);
	buf_u64(out, r->end);
}

static void take_row(struct mon_message_row *r, struct cursor *in)
{
	r->kind = cur_u32(in);
	r->peer = cur_u32(in);
	r->tag = cur_u32(in);
	r->size = cur_u32(in);
	r->communicator = cur_u64(in);
	r->number = cur_u64(in);
	r->posted = cur_u64(in);
	r->begin = cur_u64(in);
	r->end = cur_u64(in);
}

static void put_rows(const struct measurements *p, const int *local, uint32_t nlocal,
	struct buf *out)
{
	const struct mon_message_row *rows;
	uint32_t n = mpi_calls_rows(p, &rows), sent = 0;
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; i < n && sent < MPI_REMOTE_ROWS; i++) {
		if (rows[i].kind < PSC_MPI_MEET && is_local(local, nlocal, rows[i].peer))
			continue;
		put_row(&rows[i], &b);
		sent++;
	}
	buf_u32(out, sent);
	buf_add(out, b.data, b.len);
	out->failed |= b.failed;
	buf_free(&b);
}

static int put_own(const struct measurements *p, struct buf *out)
{
	double *own = mpi_calls_own_times(p);
	uint32_t n = 0;

	if (!own)
		return -1;
	for (uint32_t r = 0; r < p->sir->nregions; r++)
		n += own[r] != 0;
	buf_u32(out, n);
	for (uint32_t r = 0; r < p->sir->nregions; r++)
		if (own[r] != 0) {
			buf_u32(out, r);
			buf_f64(out, own[r]);
		}
	free(own);
	return 0;
}

bool mpi_remote_encode(const struct measurements *p, uint32_t host, uint32_t phase,
	const int *local, uint32_t nlocal, struct buf *out)
{
	if (!p->mpi || p->rank < 0 || p->rank >= MPI_REMOTE_RANKS || !p->nclean)
		return false;
	buf_u32(out, (uint32_t)p->rank);
	buf_u32(out, host);
	buf_u32(out, phase);
	buf_f64(out, measured_exec(p, 0));
	put_rows(p, local, nlocal, out);
	return put_own(p, out) == 0 && !out->failed;
}

static void remote_free(struct mpi_remote *r)
{
	free(r->rows);
	free(r->own);
}

void mpi_remotes_free(struct mpi_remotes *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		remote_free(&all->list[i]);
	free(all->list);
	*all = (struct mpi_remotes){ NULL, 0 };
}

static struct mpi_remote *remote_of(struct mpi_remotes *all, uint32_t rank)
{
	struct mpi_remote *more;

	for (uint32_t i = 0; i < all->n; i++)
		if (all->list[i].rank == rank) {
			remote_free(&all->list[i]);
			return &all->list[i];
		}
	more = realloc(all->list, (all->n + (size_t)1) * sizeof *more);
	if (!more)
		return NULL;
	all->list = more;
	return &more[all->n++];
}

static bool decode(struct mpi_remote *r, uint32_t nregions, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	if (in->failed || n > MPI_REMOTE_ROWS || (in->len - in->pos) / ROW_BYTES < n)
		return false;
	r->rows = calloc((size_t)n + 1, sizeof *r->rows);
	r->own = calloc((size_t)nregions + 1, sizeof *r->own);
	for (; r->rows && r->nrows < n; r->nrows++)
		take_row(&r->rows[r->nrows], in);
	n = cur_u32(in);
	if (in->failed || (in->len - in->pos) / OWN_BYTES < n)
		return false;
	for (uint32_t i = 0; r->own && i < n; i++) {
		uint32_t region = cur_u32(in);
		double s = cur_f64(in);

		if (region >= nregions || !isfinite(s))
			return false;
		r->own[region] = s;
	}
	return r->rows && r->own && !in->failed && in->pos == in->len;
}

int mpi_remotes_take(struct mpi_remotes *all, uint32_t own, uint32_t phase, uint32_t nregions,
	const struct buf *body, struct err *err)
{
	struct cursor in = { (const uint8_t *)body->data, body->len, 0, false };
	struct mpi_remote r = { .rank = cur_u32(&in) }, *to;
	uint32_t of;

	r.host = cur_u32(&in);
	of = cur_u32(&in);
	r.exec = cur_f64(&in);
	if (!in.failed && (r.host == own || of != phase))
		return 0;
	if (in.failed || r.rank >= MPI_REMOTE_RANKS || !decode(&r, nregions, &in)) {
		remote_free(&r);
		return err_set(err, "malformed message: calls of MPI");
	}
	to = remote_of(all, r.rank);
	if (!to) {
		remote_free(&r);
		return err_nomem(err);
	}
	*to = r;
	return 1;
}
