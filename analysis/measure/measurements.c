/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the measurements of one process: takes in results and answers questions about them. */
#include "analysis/measure/measurements.h"
#include "analysis/measure/burst_rows.h"
#include "analysis/measure/burst_weights.h"
#include "analysis/measure/columns.h"
#include "analysis/measure/estimate_rows.h"
#include "analysis/measure/first_touches.h"
#include "analysis/measure/frequent_calls.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/monitor_tables.h"
#include "analysis/measure/mpi_messages.h"
#include "analysis/measure/per_thread.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/sharing.h"
#include "analysis/measure/site_misses.h"
#include "analysis/measure/walks.h"
#include "analysis/measure/slice_coverage.h"
#include "analysis/measure/store.h"
#include "analysis/measure/thread_times.h"
#include "analysis/measure/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- life ------------------------------------------------------------------------------------ */

struct measurements *measured_new(const struct sir *sir, const struct machine *machine, int rank)
{
	struct measurements *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->sir = sir;
	p->machine = machine;
	p->rank = rank;
	p->store = store_new();
	p->record_texts = calloc(1, sizeof(struct record_text *));
	if (!p->store || !p->record_texts) {
		measured_free(p);
		return NULL;
	}
	measured_costs(p, false);
	return p;
}

void measured_costs(struct measurements *p, bool here)
{
	p->modelled = !here;
	machine_costs(p->machine, here, &p->costs, NULL, 0);
}

/* The arrays of a context that have a value for each clean execution. */
enum { NSERIES = 5 };
static double **context_series(struct measured_context *c, int k)
{
	double **const all[NSERIES] = { &c->wall, &c->cpu, &c->wait, &c->exec, &c->calls };

	return all[k];
}

static void counts_first_free(struct measurements *p)
{
	if (p->counts_first) {
		free(p->counts_first->times);
		free(p->counts_first->counts);
	}
	free(p->counts_first);
	p->counts_first = NULL;
}

void measured_free(struct measurements *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->ncontexts; i++) {
		for (int k = 0; k < NSERIES; k++)
			free(*context_series(&p->contexts[i], k));
		thread_times_free(&p->contexts[i]);
	}
	mpi_calls_free(p);
	sharing_free(p);
	kernel_use_free(p);
	counts_first_free(p);
	estimate_rows_free(p);
	site_misses_free(p);
	walks_free(p);
	columns_free(p);
	record_texts_free(p);
	for (uint32_t i = 0; i < p->nobjects; i++) {
		free(p->objects[i].name);
		free(p->objects[i].scope);
		free(p->objects[i].source);
		free(p->objects[i].allocated_file);
	}
	for (uint32_t i = 0; i < p->naliases; i++)
		free(p->aliases[i].name);
	store_free(p->store);
	free(p->context_of);
	free(p->object_of);
	free(p->contexts);
	free(p->objects);
	free(p->aliases);
	free(p->phase_ns);
	free(p->clean_at);
	like_free(p);
	measured_free(p->one_cpu);
	free(p);
}

/* --- limits ---------------------------------------------------------------------------------- */

/* Limits on what an application can make its agent keep: far more than any program needs. */
enum {
	CLEAN_MOST = 1 << 16,           /* clean executions */
	VALUES_MOST = 1 << 25           /* times, of all contexts together: 256 MB */
};

static bool values_fit(uint64_t contexts, uint64_t thread_rows, uint64_t clean)
{
	return clean <= CLEAN_MOST && (NSERIES * contexts + 3 * thread_rows) * clean <= VALUES_MOST;
}

bool tables_room(const struct measurements *p, uint32_t contexts)
{
	return values_fit(contexts, p->nthread_rows, p->nclean);
}

int tables_context_times(struct measurements *p, struct measured_context *c)
{
	for (int k = 0; p->nclean && k < NSERIES; k++) {
		*context_series(c, k) = calloc(p->nclean, sizeof(double));
		if (!*context_series(c, k))
			return -1;
	}
	return 0;
}

/* --- results --------------------------------------------------------------------------------- */

enum { TOO_MUCH = -2 };
#define LOST_MOST 0.05          /* share of lost words from which counts are undefined */

static int grow_samples(double **v, uint32_t old, uint32_t new)
{
	double *p = realloc(*v, new * sizeof *p);

	if (!p)
		return -1;
	memset(p + old, 0, (new - old) * sizeof *p);
	*v = p;
	return 0;
}

static int grow_times(struct measurements *p, uint32_t new)
{
	uint64_t *at = realloc(p->clean_at, new * sizeof *at);

	if (!at)
		return -1;
	p->clean_at = at;
	if (grow_samples(&p->phase_ns, p->nclean, new) || thread_times_grow(p, new))
		return -1;
	for (uint32_t i = 0; i < p->ncontexts; i++)
		for (int k = 0; k < NSERIES; k++)
			if (grow_samples(context_series(&p->contexts[i], k), p->nclean, new))
				return -1;
	return 0;
}

static void raise_to(double *value, uint64_t ns)
{
	if ((double)ns > *value)
		*value = (double)ns;
}

static int add_time(struct measurements *p, const struct mon_time_row *row, uint32_t execution)
{
	struct measured_context *c = &p->contexts[row->context];

	raise_to(&c->wall[execution], row->wall_ns);
	raise_to(&c->exec[execution], row->cpu_ns + row->wait_ns);
	c->cpu[execution] += (double)row->cpu_ns;
	c->wait[execution] += (double)row->wait_ns;
	c->calls[execution] += (double)row->calls;
	c->brief |= row->brief == MON_BRIEF_YES && row->context;
	if (!values_fit(p->ncontexts, p->nthread_rows + 1, p->nclean))
		return 0;
	return thread_times_add(p, row, execution);
}

static int add_times(struct measurements *p, const struct mon_result *r)
{
	uint32_t old = p->nclean, new = old + r->executions, nrows;
	struct mon_time_row *rows;
	int rc = 0;

	if (!r->executions)
		return 0;
	if (!values_fit(p->ncontexts, p->nthread_rows, new))
		return TOO_MUCH;
	rows = waits_rows(p, r, &nrows);
	if (!rows || frequent_calls_rows(p, &rows, &nrows) || grow_times(p, new)) {
		free(rows);
		return -1;
	}
	p->nclean = new;
	if (!old)
		p->clean_first = r->ran_first;
	for (uint32_t i = 0; i < r->executions; i++) {
		p->phase_ns[old + i] = (double)r->phase_ns[i];
		p->clean_at[old + i] = r->ran_first + i;
	}
	for (uint32_t i = 0; i < nrows && !rc; i++)
		rc = add_time(p, &rows[i], old + rows[i].execution);
	free(rows);
	if (rc || kernel_use_add(p, r, old))
		return -1;
	/* The phase is timed at its boundaries, not by region markers. */
	for (uint32_t i = 0; p->ncontexts && i < r->executions; i++)
		p->contexts[0].wall[old + i] = (double)r->phase_ns[i];
	return mpi_calls_add(p, r, old);
}

/* Takes the calls of the first counted execution. */
static void add_calls(struct measurements *p, const struct mon_result *r)
{
	for (uint32_t c = 0; c < p->ncontexts; c++)
		p->contexts[c].counted_calls = 0;
	for (uint32_t i = 0; i < r->ntimes; i++)
		if (r->times[i].context < p->ncontexts)
			p->contexts[r->times[i].context].counted_calls += (double)r->times[i].calls;
	p->calls_counted = r->ntimes > 0;
}

/* Adds each row to its context and to all contexts around it. */
static int add_everything(struct measurements *p, const struct mon_result *r)
{
	double per = 1.0 / r->executions;

	store_clear_counts(p->store);
	p->nthread_counts = 0;
	for (uint32_t i = 0; i < r->ncounts; i++) {
		const struct mon_count_row *row = &r->counts[i];

		if (row->context >= p->ncontexts)
			continue;
		for (uint32_t c = row->context; c != NO_CONTEXT; c = p->contexts[c].parent) {
			struct store_row *one, *all;

			one = store_insert(p->store, store_key(c, row->object, ALL_THREADS));
			if (!one)
				return -1;
			one->counts = STORE_COUNTED;
			tally_add_row(&one->tally, &p->machine->flat, row, per);
			all = store_insert(p->store, store_key(c, MON_ANY, ALL_THREADS));
			if (!all)
				return -1;
			all->counts = STORE_COUNTED;
			tally_add_row(&all->tally, &p->machine->flat, row, per);
		}
		if (per_thread_count(p, row, per))
			return -1;
	}
	if (p->ncontexts) {     /* a phase without accesses was measured, too */
		struct store_row *phase = store_insert(p->store,
			store_key(0, MON_ANY, ALL_THREADS));

		if (!phase)
			return -1;
		phase->counts = STORE_COUNTED;
	}
	p->complete = true;
	p->counted_first = r->ran_first;
	p->counted_at_once = r->executions;
	add_calls(p, r);
	return 0;
}

/* Keeps the counts of a result that came before any time: estimates
 * depend on times (estimate.h). */
static int keep_counts(struct measurements *p, const struct mon_result *r)
{
	struct mon_result *kept = malloc(sizeof *kept);

	counts_first_free(p);
	if (!kept)
		return -1;
	*kept = (struct mon_result){ .executions = r->executions, .sample = r->sample,
		.ran_first = r->ran_first };
	kept->times = malloc((r->ntimes + (size_t)1) * sizeof *kept->times);
	kept->counts = malloc((r->ncounts + (size_t)1) * sizeof *kept->counts);
	p->counts_first = kept;
	if (!kept->times || !kept->counts)
		return -1;
	kept->ntimes = r->ntimes;
	kept->ncounts = r->ncounts;
	memcpy(kept->times, r->times, r->ntimes * sizeof *kept->times);
	memcpy(kept->counts, r->counts, r->ncounts * sizeof *kept->counts);
	return 0;
}

/* A filtered result shows that the object is accessed in the context.  0 / -1. */
static int occurs(struct measurements *p, uint32_t context, uint32_t object)
{
	struct store_row *it = store_insert(p->store, store_key(context, object, ALL_THREADS));

	if (it && it->counts == STORE_UNKNOWN)
		it->counts = STORE_OCCURS;
	return it ? 0 : -1;
}

/* Replaces the counts of each filter's context and object: the result measured nothing else. */
static int add_filtered(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters)
{
	double per = 1.0 / r->executions;

	for (uint32_t f = 0; f < nfilters; f++) {
		uint32_t top = filters[f].context == MON_ANY ? 0 : filters[f].context;
		const struct store_key key = store_key(top, filters[f].object, ALL_THREADS);
		struct store_row *it = store_insert(p->store, key);

		if (!it)
			return -1;
		it->counts = STORE_COUNTED;
		memset(&it->tally, 0, sizeof it->tally);
		per_thread_forget(p, top, filters[f].object);
		for (uint32_t i = 0; i < r->ncounts; i++) {
			const struct mon_count_row *row = &r->counts[i];

			if (row->context >= p->ncontexts ||
			    !measured_within(p, row->context, top) ||
			    (filters[f].object != MON_ANY && filters[f].object != row->object))
				continue;
			tally_add_row(&it->tally, &p->machine->flat, row, per);
			/* Record that the object occurs here; its counts need a request of their
			 * own. The insertion may move the rows: look `it` up again. */
			if (occurs(p, top, row->object) ||
			    per_thread_count_at(p, top, filters[f].object, row, per))
				return -1;
			it = store_find(p->store, key);
		}
	}
	return 0;
}

/* priced: the rows that estimates are made of. */
static int add_counts(struct measurements *p, const struct mon_result *r,
	const struct mon_result *priced, const struct mon_filter *filters, uint32_t nfilters)
{
	int rc = nfilters ? add_filtered(p, r, filters, nfilters) : add_everything(p, r);

	if (!rc && !nfilters)
		rc = frequent_calls_choose(p, r);
	return rc ? rc : estimate_rows_add(p, priced, !nfilters);
}

/* The first times have come. */
static int add_counts_first(struct measurements *p)
{
	int rc = p->counts_first && p->nclean ? add_counts(p, p->counts_first, p->counts_first,
		NULL, 0) : 0;

	if (p->nclean)
		counts_first_free(p);
	return rc;
}

void measured_add_rejected(struct measurements *p, const struct mon_result *r)
{
	p->unhandled += (double)r->unhandled;
	p->rejected += r->rejected;
}

/* rc: of what was added. */
static int refresh(struct measurements *p, int rc, struct err *err)
{
	if (rc == TOO_MUCH)
		return err_set(err, "the process has more times than can be kept");
	if (rc && store_full(p->store))
		return err_set(err,
			"the process has counts at more than %d pairs of a place and a structure",
			STORE_MOST);
	if (rc || like_refresh(p))
		return err_nomem(err);
	kernel_use_refresh(p);
	if (estimate_rows_refresh(p))
		return err_nomem(err);
	p->estimated &= !measured_lossy(p);
	return 0;
}

int measured_add_times(struct measurements *p, const struct mon_result *r, struct err *err)
{
	int rc;

	measured_add_rejected(p, r);
	if (!r->executions)
		return 0;
	p->slice_flags |= r->slice_flags;
	rc = add_times(p, r);
	return refresh(p, rc ? rc : add_counts_first(p), err);
}

static int add_result(struct measurements *p, const struct mon_result *r,
	const struct mon_result *priced, const struct mon_filter *filters, uint32_t nfilters,
	struct err *err)
{
	int rc;

	p->slice_flags |= r->slice_flags;
	p->counted += r->executions;
	p->sample = r->sample;
	if (r->sample.slices)
		slice_coverage_take(p, r);
	p->records += (double)r->records;
	p->words += (double)r->words;
	p->lost += (double)r->lost;
	p->unshared += (double)r->unshared;
	p->counted_words += (double)r->counted_words;
	p->strayed += (double)r->strayed;
	p->strays = r->strays > p->strays ? r->strays : p->strays;
	if (sharing_lines(p, r) || site_misses_add(p, r, filters, nfilters) ||
	    (!nfilters && (walks_add(p, r) || columns_add(p, r))))
		return err_nomem(err);
	rc = add_counts(p, r, priced, filters, nfilters);
	if (!rc && !p->nclean && !nfilters && p->expected_ns > 0)
		rc = keep_counts(p, r);
	return refresh(p, rc, err);
}

/* Estimates have both cases of first touches in their range, so they need rows that have them. */
static int add_bursts(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters, struct err *err)
{
	struct mon_result weighted, settled;
	int rc;

	p->in_bursts = true;
	p->sampled = r->hardware.opened;
	if (burst_weights_apply(p, r, &weighted, &p->divided))
		return err_nomem(err);
	if (first_touches_settle(p, &weighted, &settled)) {
		burst_rows_free(&weighted);
		return err_nomem(err);
	}
	rc = add_result(p, &settled, &weighted, filters, nfilters, err);
	burst_rows_free(&settled);
	burst_rows_free(&weighted);
	return rc;
}

int measured_add_counts(struct measurements *p, const struct mon_result *r,
	const struct mon_filter *filters, uint32_t nfilters, struct err *err)
{
	measured_add_rejected(p, r);
	if (!r->executions)
		return 0;
	return burst_weights_needed(r) ? add_bursts(p, r, filters, nfilters, err) :
		add_result(p, r, r, filters, nfilters, err);
}

double measured_coverage(const struct measurements *p)
{
	return p->words + p->lost > 0 ? p->words / (p->words + p->lost) : 1;
}

bool measured_lossy(const struct measurements *p)
{
	return measured_coverage(p) < 1 - LOST_MOST;
}

bool measured_result_lossy(const struct mon_result *r)
{
	return (double)r->lost > LOST_MOST * (double)(r->words + r->lost);
}

/* --- questions ------------------------------------------------------------------------------- */

bool measured_tally(const struct measurements *p, uint32_t context, uint32_t object,
	struct tally *out)
{
	const struct store_row *it = store_find(p->store, store_key(context, object, ALL_THREADS));
	const bool counted = it && it->counts == STORE_COUNTED;

	memset(out, 0, sizeof *out);
	if (counted)
		*out = it->tally;
	return counted || p->complete;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

uint32_t measured_objects_of(const struct measurements *p, uint32_t context, uint32_t **objects)
{
	const struct store *s = p->store;
	uint32_t n = 0;

	*objects = NULL;
	for (int pass = 0; pass < 2; pass++) {
		n = 0;
		for (const struct store_row *it = store_last(s, context); it;
		     it = store_before(s, it)) {
			if (it->counts == STORE_UNKNOWN || it->key.object < MON_OBJ_FIRST ||
			    it->key.object >= p->nobjects)
				continue;
			if (pass)
				(*objects)[n] = it->key.object;
			n++;
		}
		if (!n || pass)
			break;
		*objects = malloc(n * sizeof **objects);
		if (!*objects)
			return 0;
	}
	if (n)
		qsort(*objects, n, sizeof **objects, by_number);
	return n;
}

double measured_exec(const struct measurements *p, uint32_t context)
{
	return like_median(p, p->contexts[context].exec) * 1e-9;
}

double measured_spread(const struct measurements *p, uint32_t context)
{
	double exec = like_median(p, p->contexts[context].exec);

	return exec > 0 ? like_spread(p, p->contexts[context].exec) / exec : NAN;
}

double measured_wait(const struct measurements *p, uint32_t context)
{
	return like_median(p, p->contexts[context].wait) * 1e-9;
}

double measured_wall(const struct measurements *p, uint32_t context)
{
	return like_median(p, p->contexts[context].wall) * 1e-9;
}

double measured_cpu(const struct measurements *p, uint32_t context)
{
	return like_median(p, p->contexts[context].cpu) * 1e-9;
}

double measured_calls(const struct measurements *p, uint32_t context)
{
	return like_median(p, p->contexts[context].calls);
}

double measured_phase_time(const struct measurements *p)
{
	return p->ncontexts ? measured_exec(p, 0) : NAN;
}

double measured_phase_wall(const struct measurements *p)
{
	return like_median(p, p->phase_ns) * 1e-9;
}

double measured_phase_cpu(const struct measurements *p)
{
	struct tally all;

	return p->estimated && measured_tally(p, 0, MON_ANY, &all) && all.estimate.time > 0 ?
		all.estimate.time : NAN;
}

double measured_memory_time(const struct measurements *p)
{
	struct tally all;

	return p->estimated && measured_tally(p, 0, MON_ANY, &all) ? tally_memory_time(&all) : NAN;
}
