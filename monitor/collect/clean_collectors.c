/* SPDX-License-Identifier: BSD-3-Clause */
/* Clean executions: the program's own code with markers, or not even those.  Three collectors:
 * times by context; what the kernel does, in sum; and times while all threads run on one CPU. */
#include "monitor/collect/clean_collectors.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/kernel_counts.h"
#include "monitor/collect/mpi_rows.h"
#include "monitor/collect/one_cpu.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/threads.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/time_rows.h"
#include "monitor/state.h"

static struct clean_execution shortest;         /* of the last request for times */
static uint32_t kernel_only;                    /* of the request: MON_KERNEL_ */

struct clean_execution clean_shortest(void)
{
	return shortest;
}

static void forget_clean(void)
{
	shortest = (struct clean_execution){ 0 };
	brief_forget(atomic_load(&pscm_shm->ncontexts));
}

/* --- in common ------------------------------------------------------------------------------- */

static void start_mpi(const struct pscm_armed *a)
{
	mpi_rows_execution(a->progress < a->warm ? MON_ANY : a->progress - a->warm);
}

static void start_clean(struct pscm_armed *a)
{
	start_mpi(a);
	kernel_use_begin();
}

static void close_clean(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	(void)a;
	(void)t;
	(void)is_void;
	mpi_rows_execution(MON_ANY);
	kernel_use_end();
}

/* The next executions have fewer markers. */
static void hooks_change(void)
{
	pscm_units_call(PSCM_CALLS_NONE);
	pscm_units_native(false);
}

/* The first warm-ups of clean executions are surveys.  One that finds no brief region is an
 * execution like those after it, and counts, unless it is the first of all, which touches memory
 * first. */
static bool surveyed(struct pscm_armed *a, uint64_t number)
{
	bool more;

	if (!brief_wanted())
		return false;
	more = brief_survey();
	if (timed_choose() || more)
		hooks_change();
	if (more)
		return false;
	if (number == 1) {
		a->warm = a->progress + 1;
		return false;
	}
	a->warm = a->progress;
	return true;
}

static bool counts_after_all(struct pscm_armed *a, const struct collector_execution *e)
{
	if (e->counted || e->is_void)
		return e->counted;
	if (surveyed(a, e->number))
		return true;
	atomic_fetch_add(&pscm_shm->surveyed_ns, e->ns);
	atomic_fetch_add(&pscm_shm->surveyed_runs, 1);
	return false;
}

/* Spans of time are not alike: each may show more brief regions. */
static void look_again(const struct collector_execution *e)
{
	if (e->unlike && brief_more()) {
		timed_choose();
		hooks_change();
	}
}

static void finish_clean(struct pscm_armed *a)
{
	kernel_use_stop();
	mpi_rows_finish(a);
}

/* --- times by context ------------------------------------------------------------------------ */

static bool wants_times(const struct mon_request *r)
{
	return r->kind == MON_TIME;
}

static enum mon_drop arm_times(struct pscm_armed *a)
{
	shortest = (struct clean_execution){ 0 };
	kernel_use_arm(true);
	mpi_rows_arm(a);
	return MON_DROP_NONE;
}

static bool take_clean(struct pscm_armed *a, const struct collector_execution *e)
{
	const struct mon_kernel kernel = kernel_use_take();

	if (!counts_after_all(a, e))
		return false;
	a->request->kernel[a->progress - a->warm] = kernel;
	if (!pscm_time_rows(a))
		a->failed = MON_DROP_ROWS;
	look_again(e);
	return true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a && a < b ? a : b;
}

static void note_shortest(const struct collector_execution *e)
{
	shortest.ns = least(shortest.ns, e->ns);
	shortest.cpu_ns = least(shortest.cpu_ns, e->cpu_ns);
}

static bool take_times(struct pscm_armed *a, const struct collector_execution *e)
{
	if (!take_clean(a, e))
		return false;
	note_shortest(e);
	return true;
}

const struct pscm_collector collect_times = {
	.mode = PSCM_MODE_TIME, .most = MON_EXECUTIONS, .clean = true, .surveys = true,
	.wants = wants_times, .arm = arm_times, .start = start_clean,
	.close = close_clean, .take = take_times, .finish = finish_clean, .forget = forget_clean
};

/* --- what the kernel does, in sum ------------------------------------------------------------- */

static bool wants_kernel(const struct mon_request *r)
{
	return r->kind == MON_TIME && r->kernel_only && !r->one_cpu;
}

static enum mon_drop arm_kernel(struct pscm_armed *a)
{
	kernel_only = a->request->kernel_only;
	shortest = (struct clean_execution){ 0 };
	kernel_use_arm(false);
	mpi_rows_arm(a);
	return MON_DROP_NONE;
}

/* Read at the begin of each execution, or of the first counted one alone. */
static void start_kernel(struct pscm_armed *a)
{
	start_mpi(a);
	if (kernel_only != MON_KERNEL_WHOLE || a->progress == a->warm)
		kernel_use_begin();
}

static void close_kernel(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	(void)a;
	(void)t;
	(void)is_void;
	mpi_rows_execution(MON_ANY);
	if (kernel_only != MON_KERNEL_WHOLE)
		kernel_use_end();
}

static bool take_kernel(struct pscm_armed *a, const struct collector_execution *e)
{
	const struct mon_kernel kernel = kernel_use_take();

	if (!counts_after_all(a, e))
		return false;
	look_again(e);
	note_shortest(e);
	kernel_use_sum(a->request, &kernel, e->ns);
	return true;
}

static void finish_kernel(struct pscm_armed *a)
{
	if (kernel_only == MON_KERNEL_WHOLE)
		kernel_use_finish(a->request);
	finish_clean(a);
}

const struct pscm_collector collect_kernel = {
	.mode = PSCM_MODE_TIME, .most = MON_KERNEL_EXECUTIONS, .clean = true, .surveys = true,
	.sums = true, .wants = wants_kernel, .arm = arm_kernel, .start = start_kernel,
	.close = close_kernel, .take = take_kernel, .finish = finish_kernel
};

/* --- all threads on one CPU ------------------------------------------------------------------- */

static bool wants_one_cpu(const struct mon_request *r)
{
	return r->kind == MON_TIME && r->one_cpu;
}

static enum mon_drop arm_one_cpu(struct pscm_armed *a)
{
	if (sandbox_around())
		return MON_DROP_CPU;
	kernel_use_arm(false);
	mpi_rows_arm(a);
	return MON_DROP_NONE;
}

static enum mon_drop open_one_cpu(struct pscm_armed *a, struct pscm_thread *t,
	const struct collector_begin *b)
{
	(void)a;
	(void)t;
	(void)b;
	return one_cpu_begin() ? MON_DROP_NONE : MON_DROP_CPU;
}

static void close_one_cpu(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	one_cpu_end();
	close_clean(a, t, is_void);
}

static void finish_one_cpu(struct pscm_armed *a)
{
	one_cpu_end();
	finish_clean(a);
}

const struct pscm_collector collect_one_cpu = {
	.mode = PSCM_MODE_TIME, .most = MON_EXECUTIONS, .clean = true, .slower = true,
	.surveys = true, .wants = wants_one_cpu, .arm = arm_one_cpu, .open = open_one_cpu,
	.start = start_clean, .close = close_one_cpu, .take = take_clean, .finish = finish_one_cpu,
	.stop = one_cpu_end, .forked = one_cpu_forked
};
