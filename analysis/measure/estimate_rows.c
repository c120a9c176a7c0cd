/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the memory time of each context, thread and structure; estimate_groups.c turns it into
 * estimates.
 *
 * An estimate is computed for a context without the contexts inside it, and for one thread.  It is
 * distributed to the structures in proportion to their memory times, and added up over contexts and
 * threads.  So structures sum to their region, and regions to the phase. */
#include "analysis/measure/estimate_rows_private.h"
#include "analysis/measure/burst_error.h"
#include "analysis/measure/contention.h"
#include "analysis/measure/first_touches.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are sorted by context, thread and object. */

void estimate_rows_free(struct measurements *p)
{
	if (!p->estimates)
		return;
	free(p->estimates->row);
	free(p->estimates->work);
	free(p->estimates->joint);
	free(p->estimates);
	p->estimates = NULL;
}

static int by_work(const void *a, const void *b)
{
	const struct estimate_work *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static int by_row(const void *a, const void *b)
{
	const struct estimate_row *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

const struct thread_work estimate_no_work;

/* estimate_no_work: there is none. */
static const struct thread_work *find(const struct estimate_work *work, uint32_t n,
	uint32_t context, uint32_t thread)
{
	struct estimate_work key = { .context = context, .thread = thread };
	const struct estimate_work *w = n ? bsearch(&key, work, n, sizeof key, by_work) : NULL;

	return w ? &w->work : &estimate_no_work;
}

const struct thread_work *estimate_work_find(const struct estimate_rows *e, uint32_t context,
	uint32_t thread)
{
	return find(e->work, e->nwork, context, thread);
}

const struct thread_work *estimate_joint_find(const struct estimate_rows *e, uint32_t head,
	uint32_t thread)
{
	return find(e->joint, e->njoint, head, thread);
}

uint32_t estimate_head(const struct measurements *p, uint32_t context)
{
	while (p->contexts[context].brief && !p->modelled)
		context = p->contexts[context].parent;
	return context;
}

/* --- taking in a result ---------------------------------------------------------------------- */

/* Merges the sorted arrays old and new into a new one, which it returns; an element of `new`
 * replaces its equal.  Frees both.  NULL: memory. */
static void *merge(void *old, uint32_t nold, void *new, uint32_t *nnew, size_t size,
	int (*by)(const void *, const void *))
{
	char *out = malloc((nold + (size_t)*nnew + 1) * size), *a = old, *b = new;
	uint32_t i = 0, k = 0, n = 0;

	while (out && (i < nold || k < *nnew)) {
		int order = i == nold ? 1 : k == *nnew ? -1 : by(a + i * size, b + k * size);

		memcpy(out + n++ * size, order < 0 ? a + i * size : b + k * size, size);
		i += order <= 0;
		k += order >= 0;
	}
	free(old);
	free(new);
	*nnew = n;
	return out;
}

/* Sorts the works, and joins those of the same context and thread.  Returns their number. */
static uint32_t join_equal(struct estimate_work *w, uint32_t n)
{
	uint32_t kept = 0;

	qsort(w, n, sizeof *w, by_work);
	for (uint32_t i = 0; i < n; i++)
		if (kept && !by_work(&w[kept - 1], &w[i]))
			work_join(&w[kept - 1].work, &w[i].work);
		else
			w[kept++] = w[i];
	return kept;
}

/* Counts the threads that work in a context: at once, as far as is known. */
static void count_threads(struct estimate_work *w, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && w[end].context == w[i].context;)
			end++;
		for (uint32_t k = i; k < end; k++)
			w[k].work.threads = end - i;
	}
}

/* The work of each context and thread of the result, sorted; *n: their number. */
static struct estimate_work *works_of(const struct measurements *p, const struct mon_result *r,
	uint32_t *n)
{
	struct estimate_work *w = malloc(((size_t)r->ncounts + 1) * sizeof *w);
	uint32_t kept = 0;

	*n = 0;
	if (!w)
		return NULL;
	for (uint32_t i = 0; i < r->ncounts; i++) {
		const struct mon_count_row *row = &r->counts[i];

		if (row->context >= p->ncontexts || row->variant)
			continue;
		w[kept] = (struct estimate_work){ .context = row->context, .thread = row->thread };
		w[kept].work.unclassified = r->sample.classes && !r->sample.slices;
		work_add_row(&w[kept++].work, row, 1.0 / r->executions);
	}
	*n = join_equal(w, kept);
	count_threads(w, *n);
	return w;
}

/* A result for some structures only tells nothing about the work of their contexts. */
static bool tells_work(const struct estimate_work *w)
{
	return w->work.statements > 0;
}

static int add_works(struct measurements *p, const struct mon_result *r)
{
	struct estimate_rows *e = p->estimates;
	uint32_t n, kept = 0;
	struct estimate_work *w = works_of(p, r, &n);

	for (uint32_t i = 0; i < n; i++)
		if (tells_work(&w[i]) ||
		    !estimate_work_find(e, w[i].context, w[i].thread)->statements)
			w[kept++] = w[i];
	if (!w)
		return -1;
	e->work = merge(e->work, e->nwork, w, &kept, sizeof *w, by_work);
	e->nwork = e->work ? kept : 0;
	return e->work ? 0 : -1;
}

static int join_groups(struct measurements *p)
{
	struct estimate_rows *e = p->estimates;

	free(e->joint);
	e->joint = malloc((e->nwork + (size_t)1) * sizeof *e->joint);
	if (!e->joint)
		return -1;
	for (uint32_t i = 0; i < e->nwork; i++) {
		e->joint[i] = e->work[i];
		e->joint[i].context = estimate_head(p, e->work[i].context);
	}
	e->njoint = join_equal(e->joint, e->nwork);
	return 0;
}

static double apart(const struct thread_work *w)
{
	return w->irregular > 0 ? w->statements / w->irregular : 0;
}

/* The work around the misses of a context.  The first miss of a brief call is as many statements
 * from the miss before it as misses are in the group; so are all misses between brief calls. */
static struct thread_work work_around(const struct measurements *p, uint32_t context,
	uint32_t thread)
{
	const struct estimate_rows *e = p->estimates;
	const struct measured_context *c = &p->contexts[context];
	struct thread_work own = *estimate_work_find(e, context, thread);
	double between = apart(estimate_joint_find(e, estimate_head(p, context), thread));
	double calls = c->brief && p->nclean ? median_of(c->calls, p->nclean) : own.irregular;
	double first = fmin(calls, own.irregular);

	if (between > apart(&own))
		own.statements += first * (between - apart(&own));
	return own;
}

struct memory_shape estimate_shape(const struct measurements *p, uint32_t object)
{
	struct memory_shape s = { .line = p->machine->flat.level[0].line, .split = { 1, 1 } };

	if (object >= MON_OBJ_FIRST && object < p->nobjects && p->machine->flat.page_size)
		s.pages = ceil((double)p->objects[object].size /
			(double)p->machine->flat.page_size);
	return s;
}

/* The last splits found, by context and object: rows of several threads ask for the same. */
struct splits {
	struct { uint32_t context, object; struct record_split split; } at[256];
	bool any;               /* false: no structure can be split */
};

static void splits_init(struct splits *s, const struct measurements *p)
{
	for (size_t i = 0; i < sizeof s->at / sizeof s->at[0]; i++)
		s->at[i].context = NO_CONTEXT;
	s->any = record_use_any(p);
}

static struct record_split split_of(struct splits *s, const struct measurements *p,
	const struct mon_count_row *row)
{
	size_t i = (row->context * 31 + row->object) % (sizeof s->at / sizeof s->at[0]);

	if (!s->any)
		return (struct record_split){ 1, 1 };
	if (s->at[i].context != row->context || s->at[i].object != row->object) {
		s->at[i].context = row->context;
		s->at[i].object = row->object;
		s->at[i].split = record_split_of(p, row->context, row->object);
	}
	return s->at[i].split;
}

/* The memory time of a row.  First touches in bursts are misses of the last level, or none: what
 * they count as gives the value, both give the range, and bursts that differ widen it. */
static void time_of_row(const struct measurements *p, const struct mon_count_row *row, double per,
	struct splits *splits, struct memory_time *out)
{
	const struct thread_work work = work_around(p, row->context, row->thread);
	struct memory_shape shape = estimate_shape(p, row->object);
	struct mon_count_row known = *row;
	struct memory_time other;

	shape.split = split_of(splits, p, row);
	memory_time_of_row(out, row, per, &work, &p->costs, &shape);
	if (!p->in_bursts)
		return;
	if (row->unwarmed) {
		first_touches_remove(&p->machine->flat, &known);
		memory_time_of_row(&other, &known, per, &work, &p->costs, &shape);
		memory_time_widen(&other, out);
		memory_time_widen(out, &other);
		if (first_touches_hit(p, row->object))
			*out = other;
	}
	memory_time_blur(out, burst_error(row, work.group, p->machine->flat.nlevels));
}

static int add_rows(struct measurements *p, const struct mon_result *r)
{
	struct estimate_rows *e = p->estimates;
	struct estimate_row *rows = malloc(((size_t)r->ncounts + 1) * sizeof *rows);
	struct splits splits;
	uint32_t n = 0;

	splits_init(&splits, p);
	for (uint32_t i = 0; rows && i < r->ncounts; i++) {
		const struct mon_count_row *row = &r->counts[i];

		if (row->context >= p->ncontexts || row->variant || row->object == MON_OBJ_WORK)
			continue;
		rows[n].context = row->context;
		rows[n].thread = row->thread;
		rows[n].object = row->object;
		rows[n].contended = rows[n].waits = 0;
		time_of_row(p, row, 1.0 / r->executions, &splits, &rows[n++].memory);
	}
	if (!rows)
		return -1;
	qsort(rows, n, sizeof *rows, by_row);
	e->row = merge(e->row, e->nrows, rows, &n, sizeof *rows, by_row);
	e->nrows = e->row ? n : 0;
	return e->row ? 0 : -1;
}

int estimate_rows_add(struct measurements *p, const struct mon_result *r, bool everything)
{
	if (everything)
		estimate_rows_free(p);
	if (!p->estimates)
		p->estimates = calloc(1, sizeof *p->estimates);
	return !p->estimates || add_works(p, r) || join_groups(p) || add_rows(p, r) ? -1 : 0;
}

struct memory_time estimate_paid(const struct estimate_row *row)
{
	struct memory_time m = row->memory;

	memory_time_contend(&m, row->contended);
	memory_time_wait(&m, row->waits);
	return m;
}

void estimate_rows_model(const struct measurements *p, uint32_t thread, double *ns)
{
	const struct estimate_rows *e = p->estimates;

	for (uint32_t i = 0; e && i < e->nwork; i++)
		if (e->work[i].thread == thread)
			ns[e->work[i].context] += work_core_time(&e->work[i].work, &p->costs,
				0).value;
	for (uint32_t i = 0; e && i < e->nrows; i++)
		if (e->row[i].thread == thread)
			ns[e->row[i].context] += memory_time_sum(&e->row[i].memory).value;
}

int estimate_rows_of_result(const struct measurements *p, const struct mon_result *r, double *ns)
{
	struct measurements scratch = *p;
	const struct estimate_rows *e;
	int rc;

	scratch.estimates = NULL;
	rc = estimate_rows_add(&scratch, r, true);
	e = scratch.estimates;
	for (uint32_t i = 0; !rc && i < e->nwork; i++)
		ns[e->work[i].context] += work_core_time(&e->work[i].work, &p->costs, 0).value;
	for (uint32_t i = 0; !rc && i < e->nrows; i++)
		ns[e->row[i].context] += memory_time_sum(&e->row[i].memory).value;
	estimate_rows_free(&scratch);
	return rc;
}

static struct thread_work work_of_phase(const struct measurements *p, uint32_t thread)
{
	struct thread_work all = { .statements = 0 };

	for (uint32_t i = 0; p->estimates && i < p->estimates->nwork; i++)
		if (p->estimates->work[i].thread == thread)
			work_join(&all, &p->estimates->work[i].work);
	return all;
}

/* The part of K that the time of the phase pays for. */
static double phase_contended(const struct estimate_rows *e)
{
	double all = 0, part = 0;

	for (uint32_t i = 0; e && i < e->nrows; i++) {
		all += e->row[i].memory.contended.value;
		part += e->row[i].memory.contended.value * e->row[i].contended;
	}
	return all > 0 ? part / all : 0;
}

double measured_rows_memory(const struct measurements *p, const struct mon_count_row *rows,
	uint32_t n, uint32_t variant, double per)
{
	struct thread_work work = { .statements = 0 };
	uint32_t thread = MON_ANY;
	double ns = 0, contended = phase_contended(p->estimates);

	for (uint32_t i = 0; i < n; i++) {
		struct memory_shape shape;
		struct memory_time m;

		if (rows[i].variant != variant || rows[i].object == MON_OBJ_WORK)
			continue;
		if (rows[i].thread != thread)
			work = work_of_phase(p, thread = rows[i].thread);
		shape = estimate_shape(p, rows[i].object);
		memory_time_of_row(&m, &rows[i], per, &work, &p->costs, &shape);
		memory_time_contend(&m, contended);
		ns += memory_time_sum(&m).value;
	}
	return ns * 1e-9;
}

double measured_changed_memory(const struct measurements *p, uint32_t object,
	enum memory_change change)
{
	double own = 0, others = 0;

	for (uint32_t i = 0; p->estimates && i < p->estimates->nrows; i++) {
		const struct estimate_row *row = &p->estimates->row[i];
		struct memory_time m = estimate_paid(row);

		if (row->object == object)
			own += m.changed[change] + m.class[MEMORY_SHARING].value *
				(change == CHANGE_APART ? m.true_part : 1);
		else
			others += memory_time_sum(&m).value;
	}
	/* What a sample of the lines stands for may exceed what the structure costs. */
	return (fmax(0, own) + others) * 1e-9;
}
