/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the threads of the process, and gets and sets their CPUs. */
#include "config.h"
#include "monitor/host/affinity.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool affinity_get(long tid, struct cpu_mask *m)
{
	memset(m, 0, sizeof *m);
	return syscall(SYS_sched_getaffinity, tid, sizeof *m, m) > 0;
}

bool affinity_set(long tid, const struct cpu_mask *m)
{
	return syscall(SYS_sched_setaffinity, tid, sizeof *m, m) == 0;
}

struct cpu_mask affinity_one(uint32_t cpu)
{
	struct cpu_mask m;

	memset(&m, 0, sizeof m);
	m.word[cpu / AFFINITY_WORD] = 1ul << cpu % AFFINITY_WORD;
	return m;
}

bool affinity_has(const struct cpu_mask *m, uint32_t cpu)
{
	return cpu < AFFINITY_CPUS && m->word[cpu / AFFINITY_WORD] >> cpu % AFFINITY_WORD & 1;
}

static long number_of(const char *name)
{
	long n = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		n = 10 * n + (*name - '0');
	return n;
}

bool affinity_each_thread(bool (*what)(long tid))
{
	_Alignas(8) char entries[4096];
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
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
