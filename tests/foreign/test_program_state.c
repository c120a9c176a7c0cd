/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc says of a program: this process and its children stand for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "foreign/program_state.h"

enum { BUSY_MS = 100, LEAST_MS = 50 };  /* a clock tick is 10 ms at most */

static void compute(void)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < BUSY_MS * 1000000);
}

static void time_of_children_is_known_while_they_run_and_after(void **state)
{
	struct program_state s;
	int ends[2];
	char byte;
	pid_t child;

	(void)state;
	program_state_begin(&s, getpid());
	assert_int_equal(s.children_ns, 0);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		compute();
		(void)!write(ends[1], "", 1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(ends[0], &byte, 1), 1);
	program_state_read(&s);
	assert_true(s.children_ns >= LEAST_MS * UINT64_C(1000000));
	assert_int_equal(s.waited_ns, 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	program_state_read(&s);
	assert_true(s.waited_ns >= LEAST_MS * UINT64_C(1000000));
	assert_true(s.children_ns >= s.waited_ns);
	assert_false(s.executed);
}

static void program_that_becomes_another_is_seen(void **state)
{
	struct program_state s;
	int ends[2], back[2];
	char byte;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends) | pipe(back), 0);
	child = fork();
	if (child == 0) {
		(void)!read(ends[0], &byte, 1);
		dup2(back[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", "echo; sleep 10", (char *)NULL);
		_exit(1);
	}
	program_state_begin(&s, child);
	program_state_read(&s);
	assert_false(s.executed);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(read(back[0], &byte, 1), 1);
	program_state_read(&s);
	assert_true(s.executed);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	program_state_read(&s);
	assert_true(s.executed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_of_children_is_known_while_they_run_and_after),
		cmocka_unit_test(program_that_becomes_another_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
