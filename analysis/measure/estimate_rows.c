/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the memory time of each context, thread and structure, and turns it into estimates once the
 * times of clean executions are known.
 *
 * An estimate is computed for a context without the contexts inside it, and for one thread.  It is
 * distributed to the structures in proportion to their memory times, and added up over contexts and
 * threads.  So structures sum to their region, and regions to the phase. */
#include "analysis/measure/estimate_rows.h"
#include "analysis/measure/burst_error.h"
#include "analysis/measure/contention.h"
#include "analysis/measure/copy_use.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/measure/first_touches.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/record_use.h"
#include "analysis/measure/sharing.h"
#include "analysis/measure/store.h"
#include "analysis/measure/thread_times.h"
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are sorted by context, thread and object. */
struct estimate_row {
	uint32_t context, thread, object;
	struct memory_time memory;      /* ns an execution; K is not in it */
	double contended;               /* the part of K that the time pays for, 0..1 */
	double waits;                   /* ns in the kernel for a lock */
};

struct estimate_work {
	uint32_t context, thread;
	struct thread_work work;        /* of an execution */
};

struct estimate_rows {
	struct estimate_row *row;       /* owned */
	struct estimate_work *work;     /* owned; sorted by context and thread */
	struct estimate_work *joint;    /* of groups, by head and thread; owned */
	uint32_t nrows, nwork, njoint;
};

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

static const struct thread_work no_work;

/* no_work: there is none. */
static const struct thread_work *find(const struct estimate_work *work, uint32_t n,
	uint32_t context, uint32_t thread)
{
	struct estimate_work key = { .context = context, .thread = thread };
	const struct estimate_work *w = n ? bsearch(&key, work, n, sizeof key, by_work) : NULL;

	return w ? &w->work : &no_work;
}

static const struct thread_work *work_find(const struct estimate_rows *e, uint32_t context,
	uint32_t thread)
{
	return find(e->work, e->nwork, context, thread);
}

/* Brief contexts were measured together with the context around them, the head of their group. */
static uint32_t head_of(const struct measurements *p, uint32_t context)
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
		if (tells_work(&w[i]) || !work_find(e, w[i].context, w[i].thread)->statements)
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
		e->joint[i].context = head_of(p, e->work[i].context);
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
	struct thread_work own = *work_find(e, context, thread);
	double between = apart(find(e->joint, e->njoint, head_of(p, context), thread));
	double calls = c->brief && p->nclean ? median_of(c->calls, p->nclean) : own.irregular;
	double first = fmin(calls, own.irregular);

	if (between > apart(&own))
		own.statements += first * (between - apart(&own));
	return own;
}

static struct memory_shape shape_of(const struct measurements *p, uint32_t object)
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
	struct memory_shape shape = shape_of(p, row->object);
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

/* --- estimates ------------------------------------------------------------------------------- */

static bool has_work(const struct estimate_rows *e, uint32_t context, uint32_t thread)
{
	return e && work_find(e, context, thread) != &no_work;
}

/* True: the context is brief and has no work of its own, as the call of a brief subroutine.  Its
 * part of the time belongs to the context around it. */
static bool only_brief(const struct measurements *p, const struct estimate_rows *e,
	uint32_t context, uint32_t thread)
{
	return p->contexts[context].brief && !p->modelled && !has_work(e, context, thread);
}

/* Subtracts the time of the contexts inside from the clean executions' times. */
static void take_inside(const struct measurements *p, const struct estimate_rows *e,
	uint32_t context, uint32_t thread, double *ns)
{
	for (uint32_t k = p->contexts[context].child; k != NO_CONTEXT; k = p->contexts[k].next) {
		const struct measured_thread *inside = thread_times_find(&p->contexts[k], thread);

		if (only_brief(p, e, k, thread))
			take_inside(p, e, k, thread, ns);
		else
			for (uint32_t i = 0; inside && i < p->nclean; i++)
				ns[i] -= inside->cpu[i];
	}
}

/* The thread's processor time in a context without the contexts inside it, ns. */
struct own_time {
	/* Of the clean executions that are like the counted one: the lower quartile, as other
	 * programs can only add to it; and the upper one. */
	double time, slow;
	double mean;            /* contention_mean() */
	double kernel;          /* the kernel's part, which the others are without */
};

/* All with the kernel's part.  0 / -1 (memory). */
static int own_time(const struct measurements *p, const struct estimate_rows *e, uint32_t context,
	uint32_t thread, struct own_time *out)
{
	const struct measured_context *c = &p->contexts[context];
	const struct measured_thread *t = thread_times_find(c, thread);
	double *ns = t ? malloc(p->nclean * sizeof *ns) : NULL;
	uint32_t n;

	*out = (struct own_time){ 0, 0, 0, 0 };
	if (!t)
		return 0;
	if (!ns)
		return -1;
	memcpy(ns, t->cpu, p->nclean * sizeof *ns);
	take_inside(p, e, context, thread, ns);
	out->mean = contention_mean(p, ns);
	n = like_values(p, ns, ns);
	out->time = fmax(0, lower_quartile(ns, n));
	out->slow = fmax(out->time, quantile_nearest(ns, n, 0.75));
	free(ns);
	return 0;
}

static void clear(struct store *s)
{
	for (uint32_t i = 0; i < s->used; i++)
		memset(&s->row[i].tally.estimate, 0, sizeof s->row[i].tally.estimate);
}

static void add_to(struct store_row *it, const struct tally_estimate *part)
{
	if (it && it->counts != STORE_UNKNOWN)
		tally_estimate_add(&it->tally.estimate, part, 1);
}

void estimate_add_upwards(struct measurements *p, uint32_t context, uint32_t thread,
	uint32_t object, const struct tally_estimate *part)
{
	for (uint32_t c = context; c != NO_CONTEXT; c = p->contexts[c].parent) {
		add_to(store_find(p->store, store_key(c, object, ALL_THREADS)), part);
		add_to(store_find(p->store, store_key(c, object, thread)), part);
	}
}

static void cost_add(struct cost *to, const struct cost *c)
{
	to->value += c->value;
	to->low += c->low;
	to->high += c->high;
}

/* M with the part of K that the time pays for. */
static struct memory_time paid(const struct estimate_row *row)
{
	struct memory_time m = row->memory;

	memory_time_contend(&m, row->contended);
	memory_time_wait(&m, row->waits);
	return m;
}

/* A structure's part of the estimate of its context.  The parts sum to
 * it, and so do their ranges. */
static struct tally_estimate part_of(const struct estimate_row *row, const struct cost *all,
	const struct estimate *e)
{
	struct memory_time memory = paid(row);
	struct cost m = memory_time_sum(&memory);
	double stall = all->value > 0 ? e->value * m.value / all->value : 0;
	struct tally_estimate part = {
		.stall = stall,
		.low = e->value > 0 ? stall * e->low / e->value : 0,
		.high = stall + (all->high > 0 ? (e->high - e->value) * m.high / all->high : 0),
	};

	for (int c = 0; c < MEMORY_CLASSES; c++)
		part.memory[c] = memory.class[c].value * 1e-9;
	part.walks = memory.walks * 1e-9;
	part.large_pages = fmax(0, m.value - memory.class[MEMORY_SHARING].value -
		memory.changed[CHANGE_PAGES]) * 1e-9;
	part.traffic = memory.traffic * 1e-9;
	part.conflict = memory.conflict * 1e-9;
	part.capacity = memory.capacity * 1e-9;
	for (uint32_t l = 0; l < MACHINE_LEVELS; l++)
		part.fit[l] = (m.value - memory.class[MEMORY_SHARING].value -
			memory.changed[CHANGE_FIT + l]) * 1e-9;
	part.stall *= 1e-9;
	part.low *= 1e-9;
	part.high *= 1e-9;
	return part;
}

/* One context and thread, with its rows.  The members of a group have one estimate. */
struct member {
	uint32_t head;
	const struct estimate_work *w;
	struct estimate_row *row;       /* nrows of them */
	uint32_t nrows;
	struct cost memory;
	struct cost serial;             /* the part of `memory` that the processor overlaps with
					 * nothing */
	double time, slow;              /* T and its upper quartile, without the kernel's part */
	double kernel;
	double calls;                   /* in brief calls that nothing covers: a part of time */
	double one_cpu, one_cpu_kernel; /* T1; 0: not measured */
	double faulting;                /* the part of `kernel` for page faults */
	double waits;                   /* in the kernel for locks: a part of time */
};

static int by_head(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	if (x->w->thread != y->w->thread)
		return x->w->thread < y->w->thread ? -1 : 1;
	return x->w < y->w ? -1 : x->w > y->w;
}

/* own_time() without the kernel's part. */
static int own_user_time(const struct measurements *p, const struct estimate_rows *e,
	uint32_t context, uint32_t thread, struct own_time *out)
{
	if (own_time(p, e, context, thread, out))
		return -1;
	out->kernel = fmin(kernel_use_own(p, context, thread, out->time), out->time);
	out->time -= out->kernel;
	out->slow = fmax(out->time, out->slow - out->kernel);
	out->mean = fmax(0, out->mean - out->kernel);
	return 0;
}

/* True: the context is the call of code that is not recorded. */
static bool is_call(const struct measurements *p, uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	return region != SIR_NONE && p->sir->regions[region].type == REGION_CALL;
}

/* ns of the brief calls of code that is not recorded, which the context's own time has. */
static double brief_calls(const struct measurements *p, uint32_t context, uint32_t thread)
{
	double ns = 0;

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next) {
		const struct measured_thread *inside = thread_times_find(&p->contexts[c], thread);

		if (only_brief(p, p->estimates, c, thread) && is_call(p, c) &&
		    p->contexts[c].child == NO_CONTEXT && inside)
			ns += like_median(p, inside->cpu);
	}
	return ns;
}

/* True: what threads may lose to one another's lines is so much of the time that the executions in
 * which they meet take longer than others. */
static bool meets(const struct member *m, double time)
{
	double lost = 0;

	for (uint32_t k = 0; k < m->nrows; k++)
		lost += m->row[k].memory.contended.value;
	return lost > CONTENTION_MEETS * time;
}

/* T of a member, and T1 if it was measured. */
static int member_time(const struct measurements *p, struct member *m)
{
	const uint32_t context = m->w->context, thread = m->w->thread;
	struct own_time own, alone = { 0, 0, 0, 0 };

	if (own_user_time(p, p->estimates, context, thread, &own))
		return -1;
	m->time = meets(m, own.time) ? own.mean : own.time;
	m->slow = fmax(m->time, own.slow);
	m->kernel = own.kernel;
	m->faulting = kernel_use_own_faults(p, context, thread, own.time);
	m->calls = brief_calls(p, context, thread);
	if (p->one_cpu && context < p->one_cpu->ncontexts && own_user_time(p->one_cpu, p->estimates,
	    context, thread, &alone))
		return -1;
	m->one_cpu = alone.time;
	m->one_cpu_kernel = alone.kernel;
	return 0;
}

/* The members of all groups, sorted by group.  NULL: memory. */
static struct member *members_of(const struct measurements *p)
{
	const struct estimate_rows *e = p->estimates;
	struct member *all = calloc(e->nwork + (size_t)1, sizeof *all);
	struct estimate_row *row = e->row, *end = e->row + e->nrows;

	for (uint32_t i = 0; all && i < e->nwork; i++) {
		struct member *m = &all[i];

		m->w = &e->work[i];
		m->head = head_of(p, m->w->context);
		m->row = row;
		for (; row < end && row->context == m->w->context && row->thread == m->w->thread;
		     row++)
			m->nrows++;
		if (!p->modelled && member_time(p, m)) {
			free(all);
			return NULL;
		}
	}
	if (all)
		qsort(all, e->nwork, sizeof *all, by_head);
	return all;
}

/* ns of mispredicted branches, of which a member has no more than its time. */
static double branches_of(const struct measurements *p, const struct member *m)
{
	const double branches = work_branch_time(&m->w->work, &p->costs);
	const double longest = m->one_cpu > 0 ? fmin(m->time, m->one_cpu) : m->time;

	return p->modelled ? branches : fmin(branches, longest);
}

/* Adds the member's estimate to its structures and contexts. */
static void add_member(struct measurements *p, const struct member *m, const struct estimate *e)
{
	struct estimate core = work_core_time(&m->w->work, &p->costs, m->time);
	struct tally_estimate whole = {
		.core = core.value * 1e-9,
		.branches = branches_of(p, m) * 1e-9,
		.time = (p->modelled ? core.value + m->memory.value : m->time + m->kernel) * 1e-9,
		.kernel = m->kernel * 1e-9,
		.waits = m->waits * 1e-9,
	};

	for (uint32_t i = 0; i < m->nrows; i++) {
		struct tally_estimate part = part_of(&m->row[i], &m->memory, e);

		estimate_add_upwards(p, m->w->context, m->w->thread, m->row[i].object, &part);
		estimate_add_upwards(p, m->w->context, m->w->thread, MON_ANY, &part);
	}
	estimate_add_upwards(p, m->w->context, m->w->thread, MON_ANY, &whole);
}

/* The time that a member can lose at most; slower: what M of its group is multiplied by. */
static double most(const struct member *m, double slower)
{
	return fmin(m->memory.value * slower, m->time);
}

/* Finds which part of K the time of a group pays for, M of its members with
 * it, and C beside streams. */
static void settle_memory(const struct measurements *p, struct member *m, uint32_t n,
	const struct thread_work *work, struct estimate *core, double time)
{
	struct cost memory = { 0, 0, 0 }, contended = { 0, 0, 0 };
	double part, streams = 0, waits = 0;

	for (uint32_t i = 0; i < n; i++)
		waits += m[i].waits;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m[i].nrows; k++) {
			struct cost c = memory_time_sum(&m[i].row[k].memory);

			cost_add(&memory, &c);
			cost_add(&contended, &m[i].row[k].memory.contended);
			streams += m[i].row[k].memory.class[MEMORY_STREAM].value;
		}
	part = p->modelled ? 0 : estimate_contended(&memory, &contended, work, core, time - waits);
	if (!p->modelled && !(work->unknown_calls > 0) &&
	    streams > (memory.value + part * contended.value) / 2)
		core->value = estimate_core_beside_streams(core, time);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m[i].nrows; k++) {
			struct memory_time with;
			struct cost c;

			m[i].row[k].contended = part;
			with = paid(&m[i].row[k]);
			c = memory_time_sum(&with);
			cost_add(&m[i].memory, &c);
			c = memory_time_serial(&with, part);
			cost_add(&m[i].serial, &c);
		}
}

static bool contends(const struct member *m)
{
	for (uint32_t k = 0; k < m->nrows; k++)
		if (m->row[k].memory.contended.value > 0)
			return true;
	return false;
}

static bool several_take(const struct measurements *p, const struct estimate_row *row)
{
	return row->memory.contended.value > 0 && sharing_locks_updated(p, row->object);
}

/* K of the locks that several threads take in the group. */
static double locks_of(const struct measurements *p, const struct member *m, uint32_t n)
{
	double all = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m[i].nrows; k++)
			all += several_take(p, &m[i].row[k]) ? m[i].row[k].memory.contended.value :
				0;
	return all;
}

/* What a lock protects goes from thread to thread with it, and is not contended itself: its K is
 * that of the locks.  So is what data without a name costs, which no problem could be about. */
static void give_to_locks(const struct measurements *p, struct member *m, uint32_t n, double locks)
{
	struct memory_time given = { .true_part = 0 };

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m[i].nrows; k++)
			if (!several_take(p, &m[i].row[k]))
				memory_time_give(&m[i].row[k].memory,
					m[i].row[k].object < MON_OBJ_FIRST, &given);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m[i].nrows; k++)
			if (several_take(p, &m[i].row[k]))
				memory_time_take(&m[i].row[k].memory, &given,
					m[i].row[k].memory.contended.value / locks);
}

/* Takes the kernel's time for that of waiting for the locks.  It is divided among them by
 * what their lines may cost. */
static void wait_for_locks(const struct measurements *p, struct member *m, uint32_t n, double locks)
{
	double waits = 0;

	for (uint32_t i = 0; i < n; i++) {
		waits += fmax(0, m[i].kernel - m[i].faulting);
		m[i].kernel = fmin(m[i].kernel, m[i].faulting);
		m[i].one_cpu += m[i].one_cpu > 0 ? m[i].one_cpu_kernel : 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < m[i].nrows; k++) {
			struct estimate_row *row = &m[i].row[k];

			row->waits = several_take(p, row) ? waits * row->memory.contended.value /
				locks : 0;
			m[i].waits += row->waits;
		}
		m[i].time += m[i].waits;
		m[i].slow += m[i].waits;
	}
}

/* Divides what memory and mispredicted branches leave of the group's time into calls and computing,
 * as far as the core's model goes. */
static void divide_rest(struct measurements *p, const struct member *m, uint32_t n,
	const struct thread_work *work, double memory)
{
	struct estimate core = work_straight_time(work, &p->costs);
	double time = 0, calls = 0, branches = 0, rest;
	struct tally_estimate part = { .time = 0 };

	for (uint32_t i = 0; i < n; i++) {
		time += m[i].time;
		calls += m[i].calls;
		branches += branches_of(p, &m[i]);
	}
	/* How many branches are mispredicted is assumed, and the time refutes what
	 * computing leaves no room for. */
	branches = fmax(0, fmin(branches, time - memory - sqrt(core.low * core.high)));
	rest = fmax(0, time - memory - branches);
	part.library = fmin(calls, rest - fmin(core.low, rest));
	rest -= part.library;
	part.computing = fmin(core.high, rest);
	if (is_call(p, m->head))        /* a function that calls back */
		part.library += rest - part.computing;
	part.computing_low = fmin(core.low, part.computing);
	part.computing_high = fmin(core.high, time);
	part.library *= 1e-9;
	part.computing *= 1e-9;
	part.computing_low *= 1e-9;
	part.computing_high *= 1e-9;
	estimate_add_upwards(p, m->head, m->w->thread, MON_ANY, &part);
}

/* Estimates the group's members together: the processor overlaps the work of brief calls.  The
 * estimate is distributed by what each can lose at most; none exceeds that. */
static void estimate_group(struct measurements *p, struct member *m, uint32_t n)
{
	const struct thread_work *work = find(p->estimates->joint, p->estimates->njoint, m->head,
		m->w->thread);
	struct cost memory = { 0, 0, 0 }, serial = { 0, 0, 0 };
	struct estimate core, all;
	double time = 0, slow = 0, one_cpu = 0, losable = 0, slower;
	const double locks = p->modelled ? 0 : locks_of(p, m, n);
	bool contend = false;

	if (locks > 0)
		give_to_locks(p, m, n, locks);
	if (locks > 0 && !(work->unknown_calls > 0))
		wait_for_locks(p, m, n, locks);
	for (uint32_t i = 0; i < n; i++) {
		bool own = contends(&m[i]);

		time += m[i].time;
		slow += own ? m[i].slow : m[i].time;
		contend |= own;
		one_cpu += m[i].one_cpu;
	}
	core = work_core_time(work, &p->costs, time);
	if (contend) {
		estimate_core_beside_contention(&core);
		estimate_core_on_one_cpu(&core, one_cpu);
	}
	settle_memory(p, m, n, work, &core, time);
	for (uint32_t i = 0; i < n; i++) {
		cost_add(&memory, &m[i].memory);
		cost_add(&serial, &m[i].serial);
	}
	all = p->modelled ? estimate_modelled(&memory, &core) : p->in_bursts ?
		estimate_in_bursts(&memory, &core, time) :
		estimate_stall(&memory, &core, time, slow);
	if (!p->modelled && !p->in_bursts)
		estimate_stall_serial(&all, &memory, &serial, &core, time);
	if (contend && !p->modelled)
		estimate_stall_on_one_cpu(&all, &memory, time, one_cpu);
	if (!p->modelled)
		divide_rest(p, m, n, work, all.value);
	slower = memory.value > 0 ? fmax(1, all.value / memory.value) : 1;
	for (uint32_t i = 0; i < n; i++)
		losable += most(&m[i], slower);
	for (uint32_t i = 0; i < n; i++) {
		double part = n == 1 ? 1 : losable > 0 ? most(&m[i], slower) / losable : 0;
		struct estimate e = { part * all.value, part * all.low, part * all.high };

		if (n > 1) {
			e.value = fmin(e.value, most(&m[i], slower));
			e.low = fmin(e.low, e.value);
			e.high = fmin(e.high, m[i].time);
		}
		add_member(p, &m[i], &e);
	}
}

/* What the user's time of a context without accesses is: copying, where a library packs the section
 * of an array; that of code which is not recorded. */
static void add_call_time(const struct measurements *p, uint32_t context, uint32_t thread, double t,
	struct tally_estimate *to)
{
	if (copy_use_is_packing(p->sir, p->contexts[context].region)) {
		to->stall = to->low = to->high = t * 1e-9;
		to->memory[MEMORY_COPY] = t * 1e-9;
	} else {
		to->library = (is_call(p, context) ? t : fmin(t, brief_calls(p, context, thread))) *
			1e-9;
	}
}

/* Contexts with processor time but without accesses: they are part of the phase's time, and calls
 * among them run code that is not recorded. */
static int add_idle(struct measurements *p)
{
	for (uint32_t c = 0; c < p->ncontexts && !p->modelled; c++)
		for (uint32_t i = 0; i < p->contexts[c].nthreads; i++) {
			uint32_t thread = p->contexts[c].thread[i].thread;
			struct tally_estimate idle = { .time = 0 };
			struct own_time own;

			if (has_work(p->estimates, c, thread) ||
			    only_brief(p, p->estimates, c, thread))
				continue;
			if (own_user_time(p, p->estimates, c, thread, &own))
				return -1;
			idle.time = (own.time + own.kernel) * 1e-9;
			idle.kernel = own.kernel * 1e-9;
			if (p->in_bursts)       /* no burst has seen it: any part of it may be
						 * lost */
				idle.high = own.time * 1e-9;
			add_call_time(p, c, thread, own.time, &idle);
			estimate_add_upwards(p, c, thread, MON_ANY, &idle);
		}
	return 0;
}

int estimate_rows_refresh(struct measurements *p)
{
	const struct estimate_rows *e = p->estimates;
	struct member *m;

	if (!e || (!p->nclean && !p->modelled))
		return 0;
	m = members_of(p);
	if (!m)
		return -1;
	clear(p->store);
	for (uint32_t i = 0, n; i < e->nwork; i += n) {
		for (n = 1; i + n < e->nwork && m[i + n].head == m[i].head &&
		     m[i + n].w->thread == m[i].w->thread;)
			n++;
		estimate_group(p, &m[i], n);
	}
	free(m);
	p->estimated = true;
	return add_idle(p) || fault_costs_add(p) ? -1 : 0;
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

int measured_one_cpu(const struct measurements *p, struct one_cpu_sums *out)
{
	struct member *all;

	memset(out, 0, sizeof *out);
	if (!p->one_cpu || !p->estimates)
		return 0;
	all = members_of(p);
	if (!all)
		return -1;
	for (uint32_t i = 0; i < p->estimates->nwork; i++) {
		out->time += all[i].time;
		out->slow += all[i].slow;
		out->one_cpu += all[i].one_cpu;
	}
	free(all);
	return 0;
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
		shape = shape_of(p, rows[i].object);
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
		struct memory_time m = paid(row);

		if (row->object == object)
			own += m.changed[change] + m.class[MEMORY_SHARING].value *
				(change == CHANGE_APART ? m.true_part : 1);
		else
			others += memory_time_sum(&m).value;
	}
	/* What a sample of the lines stands for may exceed what the structure costs. */
	return (fmax(0, own) + others) * 1e-9;
}
