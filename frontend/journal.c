/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the findings so far of all node agents, and writes them to the journal. */
#include <config.h>

#include "frontend/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/findings/report_sum.h"

struct journal_node {
	uint32_t rank;
	struct buf sum;         /* report_sum_encode() */
};

struct journal_loss {
	uint32_t first, n;
};

enum { RANKS_MOST = 1 << 20, WRITE_NS = 300000000 };

static const char unfinished[] = "the analysis was not finished: this is what its journal has";

void journal_begin(struct journal *j, const char *psc)
{
	struct stat st;

	*j = (struct journal){ .path = "" };
	if (*psc && strcmp(psc, "-") != 0 && (stat(psc, &st) || S_ISREG(st.st_mode)))
		snprintf(j->path, sizeof j->path, "%.4000s.journal", psc);
}

static struct journal_node *node(struct journal *j, uint32_t rank)
{
	struct journal_node *grown;

	for (int i = 0; i < j->n; i++)
		if (j->nodes[i].rank == rank)
			return &j->nodes[i];
	grown = realloc(j->nodes, ((size_t)j->n + 1) * sizeof *grown);
	if (!grown)
		return NULL;
	j->nodes = grown;
	j->nodes[j->n] = (struct journal_node){ rank, BUF_INIT };
	return &j->nodes[j->n++];
}

int journal_take(struct journal *j, const struct buf *body, struct err *err)
{
	struct cursor c = { (const uint8_t *)body->data, body->len, 0, false };
	uint32_t rank = cur_u32(&c);
	struct journal_node *n = c.failed ? NULL : node(j, rank);

	if (c.failed)
		return err_set(err, "malformed message: findings so far of %zu bytes", body->len);
	if (!n)
		return err_nomem(err);
	buf_clear(&n->sum);
	buf_add(&n->sum, body->data + c.pos, body->len - c.pos);
	j->stale |= j->path[0] && rank;
	return 0;
}

int journal_write(struct journal *j, uint64_t now, int64_t when, struct err *err)
{
	struct report *r;
	int rc;

	if (!j->stale || now - j->written < WRITE_NS)
		return 0;
	j->stale = false;
	j->written = now;
	r = journal_report(j, unfinished);
	if (!r)
		return err_set(err, "the findings so far cannot be read");
	r->when = when;
	rc = report_psc_write(r, j->path, err);
	report_free(r);
	return rc;
}

int journal_lose(struct journal *j, const struct buf *body, struct err *err)
{
	struct cursor c = { (const uint8_t *)body->data, body->len, 0, false };
	uint32_t first = cur_u32(&c), n = cur_u32(&c);
	struct journal_loss *more;

	if (c.failed || !first || !n || n > RANKS_MOST || first > RANKS_MOST)
		return err_set(err, "malformed message: lost node agents");
	more = realloc(j->losses, ((size_t)j->nlosses + 1) * sizeof *more);
	if (!more)
		return err_nomem(err);
	j->losses = more;
	more[j->nlosses++] = (struct journal_loss){ first, n };
	return 0;
}

static bool is_lost(const struct journal *j, uint32_t rank)
{
	for (int i = 0; i < j->nlosses; i++)
		if (rank - j->losses[i].first < j->losses[i].n)
			return true;
	return false;
}

bool journal_loss(const struct journal *j, int i, uint32_t *first, uint32_t *n)
{
	if (i >= j->nlosses)
		return false;
	*first = j->losses[i].first;
	*n = j->losses[i].n;
	return true;
}

bool journal_knows_lost(const struct journal *j)
{
	for (int i = 0; i < j->n; i++)
		if (is_lost(j, j->nodes[i].rank))
			return true;
	return false;
}

/* merged: rank 0's sum and the lost ones'; else all but rank 0's. */
static bool takes_part(const struct journal *j, const struct journal_node *n, bool merged)
{
	return merged ? n->rank == 0 || is_lost(j, n->rank) : n->rank != 0;
}

static struct report *join(const struct journal *j, bool merged, const char *why)
{
	struct report_sum *sum = j->n ? report_sum_new() : NULL;
	struct report *r = NULL;
	struct err err;
	bool sound = sum != NULL;

	for (int i = 0; i < j->n && sound; i++)
		if (takes_part(j, &j->nodes[i], merged))
			sound = !j->nodes[i].sum.failed &&
				report_sum_add_encoded(sum, j->nodes[i].sum.data,
				j->nodes[i].sum.len, &err) == 0;
	if (sound)
		r = report_sum_finish(sum);
	if (r && report_finish(r)) {
		report_free(r);
		r = NULL;
	}
	if (r)
		r->partial = arena_strdup(r->arena, why);
	report_sum_free(sum);
	return r;
}

struct report *journal_report(const struct journal *j, const char *why)
{
	return join(j, false, why);
}

struct report *journal_complete(const struct journal *j, const char *why)
{
	return join(j, true, why);
}

void journal_end(struct journal *j)
{
	if (j->path[0])
		unlink(j->path);
	for (int i = 0; i < j->n; i++)
		buf_free(&j->nodes[i].sum);
	free(j->nodes);
	free(j->losses);
	*j = (struct journal){ .path = "" };
}
