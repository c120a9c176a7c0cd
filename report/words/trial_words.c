/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what a trial found, and why there was none. */
#include "report/words/trial_words.h"

#include <math.h>
#include <string.h>

#include "base/malloc_settings.h"

#define ALIKE 0.05              /* share by which the time before the trial may differ before it is
				 * said */
#define MIB 1048576.0
#define PAGE 4096.0

/* --- actions ---------------------------------------------------------------------------------- */

static const struct {
	const char *what;               /* it does in the program */
	const char *advice;             /* how to have it always */
} actions[TRIED_ACTIONS] = {
	[TRIED_NOTHING] = { "nothing", NULL },
	[TRIED_MALLOC] = { "malloc keeps its memory",
		"Without the trial: " MALLOC_KEEPS " in the environment, both (either alone gains nothing), or mallopt() with these at the program's start; or allocate the arrays once." },
	[TRIED_LARGE_PAGES] = { "in pages of 2 MiB",
		"Without the trial: madvise(address, bytes, MADV_HUGEPAGE) after its allocation, whole pages of 2 MiB; or GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment, for all large blocks." },
	[TRIED_ALL_NODES] = { "on all memory nodes in turn",
		"Without the trial: mbind(address, bytes, MPOL_INTERLEAVE, ...) after its allocation, before its first touch; or numactl --interleave=all, for all memory." },
	[TRIED_ONE_NODE] = { "on one memory node",
		"Without the trial: mbind(address, bytes, MPOL_BIND, ...) after its allocation, before its first touch; or numactl --membind=N, for all memory." },
	[TRIED_LOCAL_NODE] = { "on the memory node of the phase's thread",
		"Without the trial: let the thread that uses it touch it first." },
	[TRIED_SPREAD] = { "threads far apart, each on one CPU",
		"Without the trial: OMP_PROC_BIND=spread OMP_PLACES=threads in the environment of a program with OpenMP, or pthread_setaffinity_np()." },
	[TRIED_COMPACT] = { "threads close together, each on one CPU",
		"Without the trial: OMP_PROC_BIND=close OMP_PLACES=threads in the environment of a program with OpenMP, or pthread_setaffinity_np()." },
	[TRIED_PIN] = { "each thread stays on its CPU",
		"Without the trial: OMP_PROC_BIND=true in the environment of a program with OpenMP, or pthread_setaffinity_np()." },
};

static const char *const reasons[TRIAL_REASONS] = {
	[TRIAL_NO_REASON] = "for no reason that is known",
	[TRIAL_NOT_PROPOSED] =
		"nothing in this report speaks for an action (page faults take less than 2% of the phase's "
		"processor time, or are not known); --try malloc tries it all the same",
	[TRIAL_STATIC] = "the program is linked statically: malloc is not in a shared C library",
	[TRIAL_OTHER_MALLOC] = "malloc is not the C library's",
	[TRIAL_OTHER_LIBRARY] = "the C library is not glibc, whose malloc has these settings",
	[TRIAL_SETTINGS_HIDDEN] =
		"where malloc keeps its settings was not found, so they could not be put back exactly",
	[TRIAL_RANKS] =
		"ranks of MPI are tried together: on one host, with an action that is named, and where all run the "
		"same executions",
	[TRIAL_SHORT] =
		"an execution of the phase takes less than 20 us: too short to be timed by itself; --phase with a larger part",
	[TRIAL_ENDED] = "the program, or its analysis, ended before enough executions were run",
	[TRIAL_UNSETTLED] = "times go on changing after a switch",
	[TRIAL_BUDGET] = "the time that a trial may take (10 s, 20 s for changes) was over",
	[TRIAL_NOISE] = "executions vary too much",
	[TRIAL_UNKNOWN] = "the phase accesses no structure of that name",
	[TRIAL_NO_PAGES] =
		"between two executions it has no aligned 2 MiB of private memory of its own that the kernel lets be changed and put back",
	[TRIAL_LARGE_ALREADY] = "its memory is in pages of 2 MiB as it is",
	[TRIAL_NOT_MOVED] =
		"the kernel changed none of its pages (Linux 6.1 or later does, where memory of 2 MiB in one piece is free)",
	[TRIAL_FORKED] =
		"the program calls fork() in the phase, and pages that a child shares cannot be put back",
	[TRIAL_FORBIDDEN] =
		"the process may not see which of its pages are large (Linux 6.7 or later tells; a sandbox may forbid it)",
	[TRIAL_ONE_MEMORY_NODE] =
		"the process may have memory on one node only, so its pages cannot be elsewhere",
	[TRIAL_NO_SUCH_NODE] = "the process may have no memory on that node",
	[TRIAL_PLACED_ALREADY] = "all its pages are there as it is",
	[TRIAL_NO_CPUS] = "the threads cannot be listed, or one of them may use none of the CPUs",
	[TRIAL_PINNED_ALREADY] = "all threads are there as it is",
	[TRIAL_STRAYED] = "the kernel moved pages back meanwhile (kernel.numa_balancing)",
	[TRIAL_SANDBOX] = "the process is in a sandbox, where no system call is made for it",
	[TRIAL_REFUSED_BY_KERNEL] = "the kernel refused it",
};

const char *words_trial_reason(enum trial_reason reason)
{
	return reasons[reason];
}

/* --- figures ---------------------------------------------------------------------------------- */

static void put_times(struct buf *b, const struct report_trial *t)
{
	char figure[2][PAGE_FIGURE];

	buf_printf(b, ": %s -> %s of %s time", page_seconds(figure[0], t->time),
		page_seconds(figure[1], t->time_with), t->wall ? "wall" : "processor");
}

static void put_memory(struct buf *b, const struct report_trial *t)
{
	if (t->memory >= MIB / 10)
		buf_printf(b, ", for %.3g MiB more memory", t->memory / MIB);
}

/* "saves 96.4% (96.3% to 96.5%)", of a loss "adds". */
static void put_share(struct buf *b, const char *verb, double value, double low, double high)
{
	char figure[3][PAGE_FIGURE];

	buf_printf(b, "%s %s (%s to %s) of an execution", verb, page_percent(figure[0], value),
		page_percent(figure[1], low), page_percent(figure[2], high));
}

static void put_between(struct buf *b, const struct report_trial *t)
{
	char figure[2][PAGE_FIGURE];

	buf_printf(b, "it saves between %s and %s of an execution", page_percent(figure[0], t->low),
		page_percent(figure[1], t->high));
}

/* Of the executable there is no name. */
static void put_library(struct buf *b, const struct report_trial *t)
{
	if (t->reason == TRIAL_OTHER_MALLOC)
		buf_printf(b, ", but %s%s", t->library ? "that of " : "the program's own",
			t->library ? t->library : "");
	else if (t->library)
		buf_printf(b, " (%s)", t->library);
}

static void put_verdict(struct buf *b, const struct report_trial *t)
{
	switch (t->verdict) {
	case TRIAL_GAIN:
		put_share(b, "saves", t->gain, t->low, t->high);
		put_times(b, t);
		put_memory(b, t);
		break;
	case TRIAL_LOSS:
		put_share(b, "adds", -t->gain, -t->high, -t->low);
		put_times(b, t);
		put_memory(b, t);
		break;
	case TRIAL_NULL:
		buf_puts(b, "changes nothing that matters: ");
		put_between(b, t);
		break;
	case TRIAL_UNDECIDED:
		buf_printf(b, "undecided, since %s", reasons[t->reason]);
		if (!isnan(t->low)) {
			buf_puts(b, "; ");
			put_between(b, t);
		}
		break;
	default:
		buf_printf(b, "not tried: %s", reasons[t->reason]);
		put_library(b, t);
	}
}

/* The executions that pay for one change. */
static void put_moving(struct buf *b, const struct report_trial *t)
{
	const double pays = fmax(1, ceil(t->cost_there / (t->gain * t->time)));
	char figure[2][PAGE_FIGURE];

	if (!(t->moved_pages > 0))
		return;
	buf_printf(b, ". %.4g of %.4g MiB were changed, which took %s", t->moved_pages * PAGE / MIB,
		t->pages * PAGE / MIB, page_seconds(figure[0], t->cost_there));
	buf_printf(b, ", and %s back", page_seconds(figure[1], t->cost_back));
	if (t->verdict == TRIAL_GAIN)
		buf_printf(b, ": it pays after %.0f execution%s", pays, pays > 1 ? "s" : "");
}

static void put_state(struct buf *b, const struct report_trial *t)
{
	if (t->kept)
		buf_puts(b, "It stays in force until the program ends.");
	else if (t->changed)
		buf_puts(b, "What the program set itself meanwhile was left as it is.");
	else if (t->left_pages > 0)
		buf_printf(b, "%.4g MiB could not be put back.", t->left_pages * PAGE / MIB);
	else
		buf_puts(b, "All was put back.");
}

static void put_trial(struct buf *b, const struct report_trial *t)
{
	char figure[2][PAGE_FIGURE];

	put_moving(b, t);
	buf_puts(b, ". ");
	put_state(b, t);
	buf_printf(b, " %d executions, which took %s longer for the trial", t->executions,
		page_seconds(figure[0], t->cost));
	if (fabs(t->time / t->time_before - 1) > ALIKE)
		buf_printf(b, "; before it, one took %s", page_seconds(figure[1], t->time_before));
	buf_printf(b, " (%d pairs, seed %lld).", t->pairs, (long long)t->seed);
}

/* The same change to the same structure, as the report estimates it from
 * counts or from a simulation. */
static const struct report_gain *estimate_of(const struct report *r, const struct report_trial *t)
{
	static const enum tried_fix same[TRIED_ACTIONS] = {
		[TRIED_LARGE_PAGES] = TRIED_PAGES, [TRIED_ALL_NODES] = TRIED_INTERLEAVE };

	for (int i = 0; i < r->ngains; i++)
		if (same[t->action] && r->gains[i].fix == same[t->action] && !r->gains[i].reason &&
		    strcmp(r->gains[i].structure, t->structure) == 0)
			return &r->gains[i];
	return NULL;
}

static void put_estimate(struct buf *b, const struct report *r, const struct report_trial *t)
{
	const struct report_gain *g = estimate_of(r, t);
	char figure[PAGE_FIGURE];

	if (g && !isnan(g->time_share))
		buf_printf(b, " Estimated without a trial: %s.",
			page_percent(figure, g->time_share));
}

static void put_action(struct buf *b, const struct report_trial *t)
{
	buf_puts(b, actions[t->action].what);
	if (t->node >= 0)
		buf_printf(b, " (%d)", t->node);
	buf_puts(b, ": ");
}

void words_trial(struct buf *b, const struct report *r, const struct report_trial *t)
{
	if (t->structure[0])
		buf_printf(b, "%s: ", t->structure);
	if (t->action != TRIED_NOTHING)
		put_action(b, t);
	put_verdict(b, t);
	if (isnan(t->cost))
		buf_puts(b, ".");
	else
		put_trial(b, t);
	put_estimate(b, r, t);
}

void words_trial_advice(struct buf *b, const struct report_trial *t)
{
	if (t->verdict == TRIAL_GAIN && actions[t->action].advice)
		buf_puts(b, actions[t->action].advice);
}
