/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps all threads of the process on one CPU for the time of an execution.  The callers hold pscm_phase.lock. */
#include "config.h"
#include "monitor/collect/one_cpu.h"
#include "monitor/state.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MOST = 1024, CPUS_MOST = 8192, WORD_BITS = 8 * sizeof(unsigned long) };

struct mask {
	unsigned long word[CPUS_MOST / WORD_BITS];
};
struct kept {
	long tid;
	struct mask before;
};

static struct {
	struct kept thread[THREADS_MOST];       /* the calling thread is the first */
	uint32_t n;                             /* 0: the threads run where they may */
	struct mask one;
} kept;

static bool mask_get(long tid, struct mask *m)
{
	memset(m, 0, sizeof *m);
	return syscall(SYS_sched_getaffinity, tid, sizeof *m, m) > 0;
}

static bool mask_set(long tid, const struct mask *m)
{
	return syscall(SYS_sched_setaffinity, tid, sizeof *m, m) == 0;
}

static long number_of(const char *name)
{
	long n = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		n = 10 * n + (*name - '0');
	return n;
}

/* Calls a function for each thread of the process until it returns false.  False: it did, or the threads cannot be listed. */
static bool each_thread(bool (*what)(long tid))
{
	_Alignas(8) char entries[4096];
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	bool good = fd >= 0;
	long n = 0;

	while (good && (n = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
		for (long at = 0; at < n && good;) {
			const struct dirent64 *d = (const struct dirent64 *)(entries + at);

			if (d->d_name[0] != '.')
				good = what(number_of(d->d_name));
			at += d->d_reclen;
		}
	if (fd >= 0)
		syscall(SYS_close, fd);
	return good && n == 0;
}

/* A thread that has ended meanwhile is none. */
static bool keep(long tid)
{
	struct kept *k = &kept.thread[kept.n];

	if (tid == kept.thread[0].tid)
		return true;
	if (kept.n == THREADS_MOST)
		return false;
	k->tid = tid;
	if (!mask_get(tid, &k->before) || !mask_set(tid, &kept.one))
		return errno == ESRCH;
	kept.n++;
	return true;
}

/* Gives a thread its CPUs back; those that the program itself has set meanwhile stay. */
static bool give_back(long tid)
{
	const struct mask *before = &kept.thread[0].before;
	struct mask now;

	if (!mask_get(tid, &now) || memcmp(&now, &kept.one, sizeof now) != 0)
		return true;
	for (uint32_t i = 0; i < kept.n; i++)
		if (kept.thread[i].tid == tid)
			before = &kept.thread[i].before;
	mask_set(tid, before);
	return true;
}

bool one_cpu_begin(void)
{
	unsigned cpu = 0;

	if (kept.n)
		return false;
	kept.thread[0].tid = syscall(SYS_gettid);
	if (syscall(SYS_getcpu, &cpu, NULL, NULL) || cpu >= CPUS_MOST ||
	    !mask_get(kept.thread[0].tid, &kept.thread[0].before))
		return false;
	memset(&kept.one, 0, sizeof kept.one);
	kept.one.word[cpu / WORD_BITS] = 1ul << cpu % WORD_BITS;
	if (!mask_set(kept.thread[0].tid, &kept.one))
		return false;
	kept.n = 1;
	if (each_thread(keep))
		return true;
	one_cpu_end();
	return false;
}

void one_cpu_end(void)
{
	if (!kept.n)
		return;
	each_thread(give_back);
	kept.n = 0;
}

void one_cpu_forked(void)
{
	if (kept.n)
		mask_set(0, &kept.thread[0].before);
	kept.n = 0;
}
