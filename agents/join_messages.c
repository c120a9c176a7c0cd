/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the messages of an agent's children. */
#include <config.h>

#include "agents/join_messages.h"

#include <stdlib.h>
#include <time.h>

#include "agents/comm.h"
#include "agents/heartbeat.h"

int gather_begin(struct gather *g, const struct tree *t, int rank)
{
	*g = (struct gather){ .n = tree_children(t, rank) };
	g->child = calloc((size_t)g->n + 1, sizeof *g->child);
	g->reports = report_sum_new();
	if (!g->child || !g->reports) {
		gather_end(g);
		return -1;
	}
	for (int i = 0; i < g->n; i++)
		g->child[i].rank = tree_child(t, rank, i);
	return 0;
}

void gather_end(struct gather *g)
{
	report_sum_free(g->reports);
	free(g->child);
	*g = (struct gather){ .n = 0 };
}

void gather_down(const struct gather *g, enum msg_type type, const struct buf *body)
{
	for (int i = 0; i < g->n; i++)
		if (!g->child[i].lost)
			comm_send(g->child[i].rank, type, body);
}

static struct gather_child *child_of(const struct gather *g, int rank)
{
	for (int i = 0; i < g->n; i++)
		if (g->child[i].rank == rank)
			return &g->child[i];
	return NULL;
}

bool gather_hears(const struct gather *g, int from)
{
	const struct gather_child *c = child_of(g, from);

	return c && !c->lost;
}

int gather_silent(const struct gather *g, double (*silence)(int child))
{
	for (int i = 0; i < g->n; i++) {
		const struct gather_child *c = &g->child[i];

		if (!c->lost && c->answer != GATHER_REPORTED &&
		    silence(c->rank) > HEARTBEAT_LIMIT_S)
			return c->rank;
	}
	return -1;
}

bool gather_lose(struct gather *g, const struct tree *t, int child, struct buf *lost)
{
	struct gather_child *c = child_of(g, child);
	bool missing = c && !c->lost && c->answer != GATHER_REPORTED;

	if (c) {
		c->missing |= missing;
		c->lost = c->ready = true;
		c->answer = GATHER_REPORTED;
	}
	if (missing) {
		buf_u32(lost, (uint32_t)child);
		buf_u32(lost, (uint32_t)tree_range(t, child));
	}
	return missing;
}

bool gather_all_missing(const struct gather *g)
{
	for (int i = 0; i < g->n; i++)
		if (!g->child[i].missing)
			return false;
	return g->n > 0;
}

void gather_take_ready(struct gather *g, int from)
{
	struct gather_child *c = child_of(g, from);

	if (c)
		c->ready = true;
}

static uint32_t more(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void join_next(struct next_run *to, const struct next_run *next)
{
	to->number = more(to->number, next->number);
	to->clean = more(to->clean, next->clean);
	to->counted = more(to->counted, next->counted);
}

int gather_take_again(struct gather *g, int from, const struct buf *body, struct err *err)
{
	struct gather_child *c = child_of(g, from);
	struct next_run next;

	if (!c || c->answer == GATHER_REPORTED || next_run_decode(&next, body))
		return err_set(err, "node agent %d: a malformed wish for another run", from);
	c->answer = GATHER_AGAIN;
	join_next(&g->next, &next);
	return 0;
}

void gather_own_again(struct gather *g, const struct next_run *next)
{
	g->answer = GATHER_AGAIN;
	join_next(&g->next, next);
}

uint64_t gather_clock(void)
{
	struct timespec t;

	return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000 +
		(uint64_t)t.tv_nsec;
}

static void count(struct gather *g, const struct buf *body, uint64_t since)
{
	g->messages++;
	g->bytes += body->len;
	g->work_ns += gather_clock() - since;
}

int gather_take_parts(struct gather *g, struct app_parts *parts, const struct buf *body,
	struct err *err)
{
	uint64_t since = gather_clock();
	int rc = app_parts_merge_encoded(parts, body->data, body->len, err);

	count(g, body, since);
	return rc;
}

int gather_take_report(struct gather *g, int from, const struct buf *body, struct err *err)
{
	struct gather_child *c = child_of(g, from);
	uint64_t since = gather_clock();
	int rc;

	if (!c || c->answer == GATHER_REPORTED)
		return err_set(err, "node agent %d sent more than one report", from);
	c->answer = GATHER_REPORTED;
	rc = report_sum_add_encoded(g->reports, body->data, body->len, err);
	count(g, body, since);
	return rc;
}

bool gather_take_progress(struct gather *g, const struct progress *p)
{
	struct progress *job = &g->progress;
	bool news = p->experiment > job->experiment;

	if (news) {
		job->experiment = p->experiment;
		job->collector = p->collector;
		job->first = p->first;
		job->last = p->last;
		job->process = p->process;
	}
	job->found = more(job->found, p->found);
	if (p->executions > job->executions)
		job->executions = p->executions;
	if (p->phase_ns > job->phase_ns)
		job->phase_ns = p->phase_ns;
	return news;
}

bool gather_all_ready(struct gather *g)
{
	bool all = g->ready && !g->ready_told;

	for (int i = 0; i < g->n; i++)
		all &= g->child[i].ready;
	g->ready_told |= all;
	return all;
}

enum gather_answer gather_answer(struct gather *g, struct next_run *next)
{
	bool again = g->answer == GATHER_AGAIN, pending = g->answer == GATHER_PENDING;

	for (int i = 0; i < g->n; i++) {
		again |= g->child[i].answer == GATHER_AGAIN;
		pending |= g->child[i].answer == GATHER_PENDING;
	}
	if (pending)
		return GATHER_PENDING;
	if (!again)
		return GATHER_REPORTED;
	*next = g->next;
	g->next = (struct next_run){ 0 };
	if (g->answer == GATHER_AGAIN)
		g->answer = GATHER_PENDING;
	for (int i = 0; i < g->n; i++)
		if (g->child[i].answer == GATHER_AGAIN)
			g->child[i].answer = GATHER_PENDING;
	return GATHER_AGAIN;
}
