/* SPDX-License-Identifier: BSD-3-Clause */
/* Free memory of made-up machines: files are read from a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/syscall.h>

#include "monitor/collect/process_copies.h"

static const struct made { const char *path, *text; } *made;
static size_t nmade;

/* Descriptors are places in the table, from 100. */
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	va_list a;
	long r = -1;

	va_start(a, number);
	if (number == SYS_openat) {
		const char *path = (va_arg(a, int), va_arg(a, const char *));

		for (size_t i = 0; i < nmade; i++)
			if (!strcmp(made[i].path, path))
				r = 100 + (long)i;
	} else if (number == SYS_read) {
		const char *text = made[va_arg(a, long) - 100].text;
		char *to = va_arg(a, char *);
		size_t room = va_arg(a, size_t), n = strlen(text);

		r = (long)(n < room ? n : room);
		memcpy(to, text, (size_t)r);
	}
	va_end(a);
	return r;
}

int __wrap_close(int fd);
int __wrap_close(int fd)
{
	return fd >= 100 ? 0 : -1;
}

static const char meminfo[] = "MemTotal:       2000 kB\nMemFree: 10 kB\nMemAvailable:   1000 kB\nBuffers: 7 kB\n";

#define FREE(...) free_with((const struct made[]){ __VA_ARGS__ }, \
	sizeof (const struct made[]){ __VA_ARGS__ } / sizeof (struct made))
static uint64_t free_with(const struct made *files, size_t n)
{
	made = files;
	nmade = n;
	return verify_memory_free();
}

static void without_groups_it_is_what_the_machine_has(void **state)
{
	(void)state;
	assert_int_equal(FREE({ "/proc/meminfo", meminfo }), 1000 << 10);
	assert_int_equal(FREE({ "/proc/meminfo", meminfo }, { "/proc/self/cgroup", "0::/a/b\n" },
		{ "/sys/fs/cgroup/a/b/memory.max", "max\n" }), 1000 << 10);
}

static void the_fullest_group_on_the_way_up_limits(void **state)
{
	(void)state;
	assert_int_equal(FREE({ "/proc/meminfo", meminfo }, { "/proc/self/cgroup", "0::/a/b\n" },
		{ "/sys/fs/cgroup/a/b/memory.max", "900000\n" },
		{ "/sys/fs/cgroup/a/b/memory.current", "100000\n" },
		{ "/sys/fs/cgroup/a/memory.max", "700000\n" },
		{ "/sys/fs/cgroup/a/memory.current", "200000\n" }), 500000);
	assert_int_equal(FREE({ "/proc/meminfo", meminfo }, { "/proc/self/cgroup", "0::/\n" },
		{ "/sys/fs/cgroup/memory.max", "300000\n" },
		{ "/sys/fs/cgroup/memory.current", "400000\n" }), 0);
}

static void groups_of_the_first_version_limit_too(void **state)
{
	(void)state;
	assert_int_equal(FREE({ "/proc/meminfo", meminfo },
		{ "/proc/self/cgroup", "5:cpu:/\n4:memory:/x\n0::/\n" },
		{ "/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "600000\n" },
		{ "/sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1000\n" },
		{ "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n" },
		{ "/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n" }), 599000);
}

static void what_cannot_be_read_is_none(void **state)
{
	(void)state;
	assert_int_equal(FREE({ "/proc/self/cgroup", "0::/\n" }), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_groups_it_is_what_the_machine_has),
		cmocka_unit_test(the_fullest_group_on_the_way_up_limits),
		cmocka_unit_test(groups_of_the_first_version_limit_too),
		cmocka_unit_test(what_cannot_be_read_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
