/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the memory times of contexts, threads and structures into estimates, once the times of
 * clean executions are known. */
#include "analysis/measure/estimate_rows_private.h"
#include "analysis/measure/contention.h"
#include "analysis/measure/copy_use.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/quantiles.h"
#include "analysis/measure/sharing.h"
#include "analysis/measure/store.h"
#include "analysis/measure/thread_times.h"
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_work(const struct estimate_rows *e, uint32_t context, uint32_t thread)
{
	return e && estimate_work_find(e, context, thread) != &estimate_no_work;
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

/* A structure's part of the estimate of its context.  The parts sum to
 * it, and so do their ranges. */
static struct tally_estimate part_of(const struct estimate_row *row, const struct cost *all,
	const struct estimate *e)
{
	struct memory_time memory = estimate_paid(row);
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
		m->head = estimate_head(p, m->w->context);
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
			with = estimate_paid(&m[i].row[k]);
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
	const struct thread_work *work = estimate_joint_find(p->estimates, m->head,
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
