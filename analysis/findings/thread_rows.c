/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the regions in which threads are longest, and writes a row for each thread of them. */
#include "analysis/findings/thread_rows.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/waits.h"

#define LEAST_SHARE 0.01        /* of the time of the phase's threads */

struct waiting_call {
	uint32_t context;
	enum waits waits;
};

struct thread_rows {
	const struct measurements *measured;
	struct report *r;
	struct waiting_call *calls;     /* owned */
	uint32_t ncalls;
	int cap;                        /* of r->thread_rows */
};

/* --- figures --------------------------------------------------------------------------------- */

static const struct sir_region *region_of(const struct measurements *p, uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	return region == SIR_NONE ? NULL : &p->sir->regions[region];
}

static bool is_call(const struct measurements *p, uint32_t context)
{
	const struct sir_region *r = region_of(p, context);

	return r && r->type == REGION_CALL;
}

/* Lists the contexts that are calls which wait by themselves. */
static int list_calls(struct thread_rows *t)
{
	const struct measurements *p = t->measured;

	t->calls = malloc((p->ncontexts + (size_t)1) * sizeof *t->calls);
	if (!t->calls)
		return -1;
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		enum waits waits = is_call(p, c) && p->contexts[c].child == NO_CONTEXT ?
			waits_of(region_of(p, c)->name) : WAITS_NOT;

		if (waits != WAITS_NOT)
			t->calls[t->ncalls++] = (struct waiting_call){ c, waits };
	}
	return 0;
}

static bool is_inside(const struct measurements *p, uint32_t context, uint32_t around)
{
	while (context != around && context != NO_CONTEXT)
		context = p->contexts[context].parent;
	return context == around;
}

/* Divides the thread's waits in the context: what no call waits is for other threads. */
static void split_waits(const struct thread_rows *t, uint32_t context, uint32_t thread,
	struct report_thread *row)
{
	const struct measurements *p = t->measured;
	double all = measured_thread_wait(p, context, thread);

	row->mpi_wait = row->other_wait = 0;
	for (uint32_t i = 0; i < t->ncalls; i++)
		if (is_inside(p, t->calls[i].context, context))
			*(t->calls[i].waits == WAITS_ALL ? &row->mpi_wait : &row->other_wait) +=
				measured_thread_wait(p, t->calls[i].context, thread);
	row->barrier_wait = fmax(0, all - row->mpi_wait - row->other_wait);
}

/* Counts of a thread.  False: not known. */
static bool thread_tally(const struct measurements *p, uint32_t context, uint32_t thread,
	struct tally *out)
{
	if (!p->complete || measured_lossy(p))
		return false;
	if (p->threads <= 1)
		return measured_tally(p, context, MON_ANY, out);
	return context ? measured_thread_tally(p, context, MON_ANY, thread, out) :
		measured_phase_thread(p, thread, out);
}

static void fill_counts(const struct measurements *p, uint32_t context, uint32_t thread,
	struct report_thread *row)
{
	uint32_t last = p->machine->flat.nlevels - 1;
	struct tally t;

	row->modelled_time = row->est_stall = row->est_stall_low = row->est_stall_high = NAN;
	row->accesses = row->first_misses = row->last_misses = NAN;
	if (!thread_tally(p, context, thread, &t))
		return;
	row->accesses = tally_refs(&t);
	row->first_misses = t.load_miss[0] + t.store_miss[0];
	row->last_misses = t.load_miss[last] + t.store_miss[last];
	if (!p->estimated)
		return;
	*(p->modelled ? &row->modelled_time : &row->time) = t.estimate.time;
	row->est_stall = t.estimate.stall;
	row->est_stall_low = t.estimate.low;
	row->est_stall_high = t.estimate.high;
}

/* --- rows ------------------------------------------------------------------------------------ */

static int make_key(struct thread_rows *t, uint32_t context, struct buf *key)
{
	uint32_t up = t->measured->contexts[context].parent;
	struct report_node node;

	if (up != NO_CONTEXT && make_key(t, up, key))
		return -1;
	if (findings_place(t->measured, context, t->r->arena, &node))
		return -1;
	report_key_extend(key, node.name_path);
	return key->failed ? -1 : 0;
}

/* The threads of a context: of the phase all that worked in it. */
static uint32_t team_size(const struct measurements *p, uint32_t context)
{
	return context ? measured_team_size(p, context) : p->contexts[0].nthreads;
}

static uint32_t team_member(const struct measurements *p, uint32_t context, uint32_t n)
{
	return context ? measured_team_member(p, context, n) : p->contexts[0].thread[n].thread;
}

static int add_rows(struct thread_rows *t, uint32_t context, int order)
{
	const struct measurements *p = t->measured;
	struct report *r = t->r;
	uint32_t n = team_size(p, context);
	struct report_node node;
	struct buf key = BUF_INIT;
	const char *region = make_key(t, context, &key) ? NULL :
		arena_strdup(r->arena, buf_str(&key));

	buf_free(&key);
	if (!region || findings_place(p, context, r->arena, &node))
		return -1;
	for (uint32_t i = 0; i < n && r->nthread_rows < t->cap; i++) {
		uint32_t thread = team_member(p, context, i);
		struct report_thread *row = &r->thread_rows[r->nthread_rows++];

		*row = (struct report_thread){ .region = region, .file = node.file,
			.line = node.line, .type = node.type, .order = order,
			.process = p->rank < 0 ? 0 : p->rank, .thread = (int)thread,
			.time = measured_thread_cpu(p, context, thread) };
		split_waits(t, context, thread, row);
		fill_counts(p, context, thread, row);
	}
	return 0;
}

/* --- the choice ------------------------------------------------------------------------------ */

static double time_of(const struct measurements *p, uint32_t context)
{
	return measured_cpu(p, context) + measured_wait(p, context);
}

/* A call of one function is the same as the function. */
static bool is_wanted(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	bool same = is_call(p, context) && c->child != NO_CONTEXT &&
		p->contexts[c->child].next == NO_CONTEXT;

	return !same && !c->brief && time_of(p, context) >= LEAST_SHARE * time_of(p, 0) &&
		(p->threads <= 1 ? p->rank >= 0 : team_size(p, context) >= 2);
}

/* Puts the longest regions into chosen, the longest first; returns their number. */
static int choose(const struct measurements *p, uint32_t chosen[REPORT_THREAD_REGIONS])
{
	int n = 0;

	for (uint32_t c = 1; c < p->ncontexts; c++) {
		int at = n;

		if (!is_wanted(p, c))
			continue;
		while (at > 0 && time_of(p, c) > time_of(p, chosen[at - 1]))
			at--;
		if (at == REPORT_THREAD_REGIONS)
			continue;
		n += n < REPORT_THREAD_REGIONS;
		for (int i = n - 1; i > at; i--)
			chosen[i] = chosen[i - 1];
		chosen[at] = c;
	}
	return n;
}

int findings_thread_rows(const struct measurements *measured, struct report *r)
{
	struct thread_rows t = { .measured = measured, .r = r };
	uint32_t chosen[REPORT_THREAD_REGIONS];
	int n, rc;

	if (!measured->ncontexts || !measured->nclean)
		return 0;
	n = choose(measured, chosen);
	t.cap = (int)team_size(measured, 0);
	for (int i = 0; i < n; i++)
		t.cap += (int)team_size(measured, chosen[i]);
	r->thread_rows = arena_array(r->arena, (size_t)t.cap, sizeof *r->thread_rows);
	if (!r->thread_rows || list_calls(&t))
		return -1;
	rc = add_rows(&t, 0, 0);
	for (int i = 0; i < n && !rc; i++)
		rc = add_rows(&t, chosen[i], i + 1);
	free(t.calls);
	report_thread_rows_keep(r);
	return rc;
}
