/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel is asked about memory nodes, and how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/syscall.h>

#include "monitor/host/memory_nodes.h"
#include "monitor/host/syscall_filter.h"

static int cpu;                 /* where the thread is; its node is cpu / 8 */
static int calls;
static bool sandbox, forbidden;

bool sandbox_around(void)
{
	return sandbox;
}

int __wrap_sched_getcpu(void);
int __wrap_sched_getcpu(void)
{
	return cpu;
}

static long getcpu_(unsigned *of, unsigned *node)
{
	*of = (unsigned)cpu;
	*node = (unsigned)cpu / 8;
	return 0;
}

static long nodes_of(unsigned long n, void **page, int *status)
{
	for (unsigned long i = 0; i < n; i++)
		status[i] = page[i] ? (int)i : -ENOENT;
	return 0;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	va_list a;
	long result = -1;

	calls++;
	va_start(a, number);
	if (number == SYS_getcpu) {
		unsigned *of = va_arg(a, unsigned *);

		result = getcpu_(of, va_arg(a, unsigned *));
	} else if (number == SYS_move_pages && !forbidden) {
		assert_int_equal(va_arg(a, int), 0);
		const unsigned long n = va_arg(a, unsigned long);
		void **page = va_arg(a, void **);

		assert_null(va_arg(a, int *));
		result = nodes_of(n, page, va_arg(a, int *));
	}
	va_end(a);
	return result;
}

static void the_node_of_a_processor_is_asked_for_once(void **state)
{
	(void)state;
	for (int times = 0; times < 3; times++)
		for (cpu = 0; cpu < 32; cpu++)
			assert_int_equal(memory_node_here(), cpu / 8);
	assert_int_equal(calls, 32);
}

static void in_a_sandbox_only_what_was_asked_before_is_known(void **state)
{
	void *page[1] = { &page };
	int node[1] = { 0 };

	(void)state;
	cpu = 8;
	assert_int_equal(memory_node_here(), 1);
	calls = 0;
	sandbox = true;
	assert_int_equal(memory_node_here(), 1);
	cpu = 99;
	assert_int_equal(memory_node_here(), UINT32_MAX);
	memory_nodes_of_pages(1, page, node);
	assert_true(node[0] < 0);
	assert_int_equal(calls, 0);
	sandbox = false;
	cpu = -1;
	assert_int_equal(memory_node_here(), UINT32_MAX);
}

static void pages_that_the_kernel_does_not_find_are_not_known(void **state)
{
	void *page[] = { &page, NULL, &cpu };
	int node[3];

	(void)state;
	memory_nodes_of_pages(3, page, node);
	assert_true(node[0] == 0 && node[1] < 0 && node[2] == 2);
	forbidden = true;
	memory_nodes_of_pages(3, page, node);
	assert_true(node[0] < 0 && node[1] < 0 && node[2] < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_node_of_a_processor_is_asked_for_once),
		cmocka_unit_test(in_a_sandbox_only_what_was_asked_before_is_known),
		cmocka_unit_test(pages_that_the_kernel_does_not_find_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
