/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps all threads of the process on one CPU for the time of an execution.  The
 * callers hold pscm_phase.lock. */
#include "config.h"
#include "monitor/collect/one_cpu.h"
#include "monitor/host/affinity.h"
#include "monitor/state.h"
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MOST = 1024 };

struct kept {
	long tid;
	struct cpu_mask before;
};

static struct {
	struct kept thread[THREADS_MOST];       /* the calling thread is the first */
	uint32_t n;                             /* 0: the threads run where they may */
	struct cpu_mask one;
} kept;

/* A thread that has ended meanwhile is none. */
static bool keep(long tid)
{
	struct kept *k = &kept.thread[kept.n];

	if (tid == kept.thread[0].tid)
		return true;
	if (kept.n == THREADS_MOST)
		return false;
	k->tid = tid;
	if (!affinity_get(tid, &k->before) || !affinity_set(tid, &kept.one))
		return errno == ESRCH;
	kept.n++;
	return true;
}

/* Gives a thread its CPUs back; those that the program itself has set meanwhile stay. */
static bool give_back(long tid)
{
	const struct cpu_mask *before = &kept.thread[0].before;
	struct cpu_mask now;

	if (!affinity_get(tid, &now) || memcmp(&now, &kept.one, sizeof now) != 0)
		return true;
	for (uint32_t i = 0; i < kept.n; i++)
		if (kept.thread[i].tid == tid)
			before = &kept.thread[i].before;
	affinity_set(tid, before);
	return true;
}

bool one_cpu_begin(void)
{
	unsigned cpu = 0;

	if (kept.n)
		return false;
	kept.thread[0].tid = syscall(SYS_gettid);
	if (syscall(SYS_getcpu, &cpu, NULL, NULL) || cpu >= AFFINITY_CPUS ||
	    !affinity_get(kept.thread[0].tid, &kept.thread[0].before))
		return false;
	kept.one = affinity_one(cpu);
	if (!affinity_set(kept.thread[0].tid, &kept.one))
		return false;
	kept.n = 1;
	if (affinity_each_thread(keep))
		return true;
	one_cpu_end();
	return false;
}

void one_cpu_end(void)
{
	if (!kept.n)
		return;
	affinity_each_thread(give_back);
	kept.n = 0;
}

void one_cpu_forked(void)
{
	if (kept.n)
		affinity_set(0, &kept.thread[0].before);
	kept.n = 0;
}
