/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait ends when nothing gets on: not when the machine is slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/watch.h"

enum { LOOK_MS = 250, PATIENCE = 240, GROW = 1 << 20 };

static int order[2], answer[2];

/* A child whose child does what is ordered: 'g' needs more memory, 'c' computes for good. */
static pid_t start(void)
{
	pid_t pid;

	assert_int_equal(pipe(order), 0);
	assert_int_equal(pipe(answer), 0);
	pid = fork();
	if (pid == 0 && fork() == 0) {
		volatile unsigned long n = 0;
		char c;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (read(order[0], &c, 1) == 1) {
			if (c == 'g')
				memset(malloc(GROW), 1, GROW);
			if (write(answer[1], &c, 1) != 1)
				_exit(1);
			while (c == 'c')
				n++;
		}
		_exit(0);
	}
	if (pid == 0) {
		close(order[1]);
		while (wait(NULL) > 0)
			;
		_exit(0);
	}
	return pid;
}

static void tell(char c)
{
	assert_int_equal(write(order[1], &c, 1), 1);
	assert_int_equal(read(answer[0], &c, 1), 1);
}

static double look_later(struct watch *w)
{
	poll(NULL, 0, LOOK_MS);
	return watch_still(w);
}

static void end(pid_t pid)
{
	close(order[1]);
	kill(pid, SIGKILL);     /* and with it its child */
	waitpid(pid, NULL, 0);
	close(order[0]);
	close(answer[0]);
	close(answer[1]);
}

static void processes_that_sleep_are_still(void **state)
{
	pid_t pid = start();
	struct watch w;
	double still = 0;

	(void)state;
	tell('n');
	watch_begin(&w, getpid(), false);
	for (int i = 0; i < PATIENCE && still < 1; i++)
		still = look_later(&w);
	assert_true(still >= 1);
	end(pid);
}

static void a_grandchild_that_needs_more_memory_gets_on(void **state)
{
	pid_t pid = start();
	struct watch w;

	(void)state;
	tell('n');
	watch_begin(&w, getpid(), false);
	for (int i = 0; i < 4; i++) {
		look_later(&w);
		tell('g');
		assert_true(look_later(&w) <= 0);
	}
	end(pid);
}

/* Looks until the result is, or is not, 0 (a look may fall into a time in which the process had no CPU). */
static bool comes_to(struct watch *w, bool moving)
{
	for (int i = 0; i < PATIENCE; i++)
		if ((look_later(w) <= 0) == moving)
			return true;
	return false;
}

static void a_process_that_computes_gets_on_where_that_counts(void **state)
{
	pid_t pid = start();
	struct watch counts, does_not;

	(void)state;
	tell('c');
	watch_begin(&counts, getpid(), true);
	watch_begin(&does_not, getpid(), false);
	assert_true(comes_to(&does_not, false));
	assert_true(comes_to(&counts, true));
	assert_true(counts.computed > 0);
	for (int i = 0; i < PATIENCE && does_not.still < 300000000; i++)
		look_later(&does_not);
	assert_true(does_not.still >= 300000000);
	end(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_that_sleep_are_still),
		cmocka_unit_test(a_grandchild_that_needs_more_memory_gets_on),
		cmocka_unit_test(a_process_that_computes_gets_on_where_that_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
