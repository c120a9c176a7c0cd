/* SPDX-License-Identifier: BSD-3-Clause */
/* What others took of the processors. */
#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "agents/host_load.h"

static void the_cpus_of_the_set_are_added_up(void **state)
{
	static const char text[] = "cpu  100 100 100 100 100 100 100 100 0 0\n"
		"cpu0 1 2 3 40 50 6 7 8 9 10\ncpu1 1000 0 0 1000 0 0 0 0 0 0\n"
		"cpu11 10 20 30 400 500 60 70 80 90 100\nintr 1 2 3\ncpu3 1 1 1 1 1 1 1 1\n";
	struct load_cpus got;
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	CPU_SET(3, &set);
	CPU_SET(11, &set);
	load_parse(text, &set, &got);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.busy, 27 + 270);
	assert_int_equal(got.idle, 90 + 900);
	load_parse("", &set, &got);
	assert_int_equal(got.n, 0);
}

static void what_is_not_ours_is_others(void **state)
{
	struct load_watch l = { { 1000, 1000, 2 }, { 1150, 1050, 2 }, 100 };
	struct load_figures f;

	(void)state;
	assert_int_equal(load_figures(&l, &f), 0);
	assert_true(fabs(f.cpus - 2) < 1e-9 && fabs(f.others - 0.5) < 1e-9 && fabs(f.idle - 0.5) < 1e-9);
	l.own = 1000;           /* a process counts finer than the machine */
	assert_int_equal(load_figures(&l, &f), 0);
	assert_true(f.others <= 0);
	l.last.n = 1;           /* a CPU has gone */
	assert_int_equal(load_figures(&l, &f), -1);
	l.last = l.first;
	assert_int_equal(load_figures(&l, &f), -1);
}

static void this_process_has_run_and_one_that_is_gone_has_not(void **state)
{
	volatile unsigned long n = 0;

	(void)state;
	while (load_process(getpid()) == 0)
		n++;
	assert_true(load_process(getpid()) > 0);
	assert_int_equal(load_process(0x7fffffff), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cpus_of_the_set_are_added_up),
		cmocka_unit_test(what_is_not_ours_is_others),
		cmocka_unit_test(this_process_has_run_and_one_that_is_gone_has_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
