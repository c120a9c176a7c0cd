/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what of the phase's time the kernel takes, and divides it among the contexts. */
#include "analysis/measure/kernel_use.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/estimate_rows.h"
#include "analysis/measure/thread_times.h"

#define TICK_NS 4e6             /* between two ticks of the clock, 1 / CONFIG_HZ: 250 on most
				 * systems */
#define LEAST_TICKS 3           /* of system time in all clean executions together */
#define TICKS_WANTED 30         /* of processor time */
#define MOST_WALL_NS 5e8        /* that the report waits for further executions */
#define PHASES 0.9              /* of the process's page faults: with as many, the phase's threads
				 * have all */
#define BEFORE 4                /* executions that pass until they begin */
#define ERRORS 2                /* of the number of ticks, about its square root: its range is so
				 * many */
#define TICKS_KNOWN 10          /* from here on a fault takes no more than the system time says */

static const struct kernel_use unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };

struct kernel_uses {
	struct mon_kernel *execution;   /* one for each clean execution; owned */
	/* ns and number of further executions (kernel_use_more()) */
	double more_sys, more_user;
	uint32_t more;
	/* Sums over the executions, as far as threads read them: of the phase, for the shares of
	 * contexts. */
	double faults_read, sys_read;
	/* What threads of the phase have of the process's, as far as they
	 * read: 1, or less than PHASES. */
	double of_phase;
	struct kernel_use use;
	/* The last answer of unmarked_time() of a context with markers: contexts
	 * are asked in their order. */
	struct unmarked { uint32_t context, thread; double ns; bool brief; } last;
};

void kernel_use_free(struct measurements *p)
{
	if (p->kernel_uses)
		free(p->kernel_uses->execution);
	free(p->kernel_uses);
	p->kernel_uses = NULL;
}

int kernel_use_add(struct measurements *p, const struct mon_result *r, uint32_t first)
{
	struct mon_kernel *grown;

	if (!p->kernel_uses)
		p->kernel_uses = calloc(1, sizeof *p->kernel_uses);
	if (!p->kernel_uses)
		return -1;
	grown = realloc(p->kernel_uses->execution, p->nclean * sizeof *grown);
	if (!grown)
		return -1;
	p->kernel_uses->execution = grown;
	for (uint32_t i = 0; i < r->executions; i++)
		grown[first + i] = r->kernel[i];
	return 0;
}

int kernel_use_more(struct measurements *p, const struct mon_result *r)
{
	if (!p->kernel_uses || r->state != MON_DONE || !r->executions)
		return 0;
	p->kernel_uses->more_sys += (double)r->kernel[0].sys_ns;
	p->kernel_uses->more_user += (double)r->kernel[0].user_ns;
	p->kernel_uses->more += r->kernel_executions;
	kernel_use_refresh(p);
	return estimate_rows_refresh(p);
}

/* --- the phase ------------------------------------------------------------------------------- */

static double sum(const struct measurements *p, const double *values)
{
	double all = 0;

	for (uint32_t i = 0; i < p->nclean; i++)
		all += values[i];
	return all;
}

/* Sums over the executions: of the phase itself and of all its threads.  Faults tell whether other
 * threads of the process have a part of what was read of it. */
static void sum_read(struct measurements *p)
{
	struct kernel_uses *k = p->kernel_uses;
	const struct measured_context *phase = p->ncontexts ? &p->contexts[0] : NULL;
	double process = 0;

	k->faults_read = k->sys_read = 0;
	for (uint32_t e = 0; phase && e < p->nclean; e++) {
		double faults = 0;

		for (uint32_t i = 0; i < phase->nthreads; i++) {
			faults += phase->thread[i].faults[e];
			k->sys_read += phase->thread[i].sys[e];
		}
		k->faults_read += faults;
		process += faults > 0 ? (double)k->execution[e].minor : 0;
	}
	k->of_phase = k->faults_read < PHASES * process ? k->faults_read / process : 1;
}

/* The median of one figure over the clean executions that count; NAN: memory. */
static double median_figure(const struct measurements *p,
	double (*figure)(const struct mon_kernel *k))
{
	double *values = malloc(p->nclean * sizeof *values), median;

	if (!values)
		return NAN;
	for (uint32_t i = 0; i < p->nclean; i++)
		values[i] = figure(&p->kernel_uses->execution[i]);
	median = like_median(p, values);
	free(values);
	return median;
}

static double minor_of(const struct mon_kernel *k)
{
	return (double)k->minor;
}

static double major_of(const struct mon_kernel *k)
{
	return (double)k->major;
}

static double switches_of(const struct mon_kernel *k)
{
	return (double)k->voluntary;
}

static double user_of(const struct mon_kernel *k)
{
	return (double)k->user_ns;
}

static double system_of(const struct mon_kernel *k)
{
	return (double)k->sys_ns;
}

/* One figure, summed over the clean executions. */
static double clean_sum(const struct measurements *p, double (*figure)(const struct mon_kernel *k))
{
	double all = 0;

	for (uint32_t i = 0; i < p->nclean; i++)
		all += figure(&p->kernel_uses->execution[i]);
	return all;
}

/* ns, of all executions together. */
static double system_time(const struct measurements *p)
{
	return clean_sum(p, system_of) + p->kernel_uses->more_sys;
}

static double user_time(const struct measurements *p)
{
	return clean_sum(p, user_of) + p->kernel_uses->more_user;
}

static bool anything_read(const struct measurements *p)
{
	return clean_sum(p, user_of) + clean_sum(p, system_of) + clean_sum(p, minor_of) > 0;
}

/* sys: ns of system time of an execution; ticks: of all.  Where the system time is known, the
 * faults have as much of it as they can explain, and its error is that of counting ticks. */
static void divide(struct kernel_use *use, double sys, double ticks, const struct cost *fault)
{
	const double error = ticks >= TICKS_KNOWN ? ERRORS / sqrt(ticks) : 1;

	use->fault_time = use->faults * fault->value;
	use->fault_low = use->faults * fault->low;
	use->fault_high = use->faults * fault->high;
	if (ticks >= TICKS_KNOWN) {
		use->fault_time = fmin(fmax(sys, use->fault_low), use->fault_high);
		use->fault_low = fmin(use->fault_time, fmax(use->fault_low, sys * (1 - error)));
		use->fault_high = fmax(use->fault_time, fmin(use->fault_high, sys * (1 + error)));
	}
	use->time = ticks >= LEAST_TICKS ? fmax(sys, use->fault_time) : use->fault_time;
	use->fault_time *= 1e-9;
	use->fault_low *= 1e-9;
	use->fault_high *= 1e-9;
	use->time *= 1e-9;
}

void kernel_use_refresh(struct measurements *p)
{
	struct kernel_uses *k = p->kernel_uses;
	struct cost fault = machine_fault(&p->costs, p->threads);
	double all;

	if (!k || !p->nclean)
		return;
	k->use = unknown;
	k->last.context = NO_CONTEXT;
	if (!anything_read(p))
		return;
	all = system_time(p);
	k->use.faults = median_figure(p, minor_of);
	k->use.major = median_figure(p, major_of);
	k->use.switches = median_figure(p, switches_of);
	sum_read(p);
	k->use.faults *= k->of_phase;
	divide(&k->use, k->of_phase * all / (p->nclean + k->more), all / TICK_NS, &fault);
}

struct kernel_use kernel_use_phase(const struct measurements *p)
{
	return p->kernel_uses ? p->kernel_uses->use : unknown;
}

uint32_t kernel_use_lacking(const struct measurements *p)
{
	double each, lacks, most;

	if (!p->kernel_uses || !p->nclean || !anything_read(p))
		return 0;
	most = fmin(MON_KERNEL_EXECUTIONS, MOST_WALL_NS / fmax(like_median(p, p->phase_ns), 1) -
		BEFORE);
	each = (user_time(p) + system_time(p)) / (p->nclean + p->kernel_uses->more);
	lacks = TICKS_WANTED * TICK_NS - user_time(p) - system_time(p);
	return lacks > 0 && most >= 1 ? (uint32_t)fmin(most, ceil(lacks / fmax(each, 1))) : 0;
}

/* --- contexts -------------------------------------------------------------------------------- */

/* What threads read in the context without the contexts inside it, sums over the executions. */
static void own_sums(const struct measurements *p, uint32_t context, uint32_t thread,
	double *faults, double *sys)
{
	const struct measured_thread *t = thread_times_find(&p->contexts[context], thread);

	*faults = t ? sum(p, t->faults) : 0;
	*sys = t ? sum(p, t->sys) : 0;
	for (uint32_t c = p->contexts[context].child; t && c != NO_CONTEXT;
	     c = p->contexts[c].next) {
		const struct measured_thread *inside = thread_times_find(&p->contexts[c], thread);

		*faults -= inside ? sum(p, inside->faults) : 0;
		*sys -= inside ? sum(p, inside->sys) : 0;
	}
	*faults = fmax(0, *faults);
	*sys = fmax(0, *sys);
}

/* ns: what the thread was seen to spend in the kernel in the context
 * itself; alone: for page faults. */
static double seen_in(const struct measurements *p, uint32_t context, uint32_t thread, bool alone)
{
	const struct kernel_uses *k = p->kernel_uses;
	double faults, sys, ns = 0;

	own_sums(p, context, thread, &faults, &sys);
	if (k->faults_read > 0)
		ns += k->use.fault_time * faults / k->faults_read;
	if (k->sys_read > 0 && !alone)
		ns += (k->use.time - k->use.fault_time) * sys / k->sys_read;
	return ns * 1e9;
}

/* ns of processor time in the context and in the brief ones inside it, which have no markers in
 * clean executions.  brief: whether there are any. */
static double unmarked_time(const struct measurements *p, uint32_t context, uint32_t thread,
	bool *brief)
{
	const struct measured_thread *t = thread_times_find(&p->contexts[context], thread);
	double ns = t ? like_median(p, t->cpu) : 0;

	for (uint32_t c = p->contexts[context].child; t && c != NO_CONTEXT;
	     c = p->contexts[c].next) {
		const struct measured_thread *inside = thread_times_find(&p->contexts[c], thread);
		bool deeper = false;

		*brief |= p->contexts[c].brief;
		ns -= inside ? like_median(p, inside->cpu) : 0;
		ns += p->contexts[c].brief ? unmarked_time(p, c, thread, &deeper) : 0;
	}
	return fmax(0, ns);
}

static const struct unmarked *unmarked_of(const struct measurements *p, uint32_t context,
	uint32_t thread)
{
	struct unmarked *last = &p->kernel_uses->last;

	if (last->context != context || last->thread != thread) {
		*last = (struct unmarked){ .context = context, .thread = thread };
		last->ns = unmarked_time(p, context, thread, &last->brief);
	}
	return last;
}

static double own_part(const struct measurements *p, uint32_t context, uint32_t thread, double own,
	bool alone)
{
	const struct kernel_uses *k = p->kernel_uses;
	const struct unmarked *u;
	uint32_t marked = context;

	if (!k || isnan(k->use.time))
		return 0;
	while (p->contexts[marked].brief && p->contexts[marked].parent != NO_CONTEXT)
		marked = p->contexts[marked].parent;
	u = unmarked_of(p, marked, thread);
	if (!u->brief || !(u->ns > 0))
		return seen_in(p, context, thread, alone);
	return seen_in(p, marked, thread, alone) * fmin(1, own / u->ns) +
		(marked == context ? 0 : seen_in(p, context, thread, alone));
}

double kernel_use_own(const struct measurements *p, uint32_t context, uint32_t thread, double own)
{
	return own_part(p, context, thread, own, false);
}

double kernel_use_own_faults(const struct measurements *p, uint32_t context, uint32_t thread,
	double own)
{
	return own_part(p, context, thread, own, true);
}

double kernel_use_thread_faults(const struct measurements *p, uint32_t context, uint32_t thread)
{
	const struct kernel_uses *k = p->kernel_uses;
	double faults, sys;

	if (!k || isnan(k->use.faults))
		return 0;
	if (!(k->faults_read > 0))
		return context == 0 && p->contexts[0].nthreads &&
			p->contexts[0].thread[0].thread == thread ? k->use.faults : 0;
	own_sums(p, context, thread, &faults, &sys);
	return k->use.faults * faults / k->faults_read;
}

double kernel_use_faults(const struct measurements *p, uint32_t context)
{
	double all = 0;

	if (!p->kernel_uses || !(p->kernel_uses->faults_read > 0))
		return 0;
	for (uint32_t i = 0; i < p->contexts[context].nthreads; i++)
		all += kernel_use_thread_faults(p, context, p->contexts[context].thread[i].thread);
	return all;
}
