/* SPDX-License-Identifier: BSD-3-Clause */
/* What reports say of the phase's time apart from memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words/time_words.h"
#include "tests/report/sample.h"

/* A phase of 10 ms whose time is all computing. */
static struct report *computing(void)
{
	struct report *r = sample_empty(false);

	r->cpu_time = r->computing_time = r->computing_low = r->computing_high = 0.01;
	r->est_stall = r->est_stall_low = r->est_stall_high = r->branch_time = 0;
	r->kernel_time = r->fault_time = r->library_time = r->unexplained_time = r->faults = 0;
	r->barrier_wait = r->mpi_wait = r->other_wait = r->away_time = 0;
	r->modelled_time = NAN;
	r->library_calls = r->fault_blocks = r->fault_place = NULL;
	return r;
}

/* Takes the seconds from computing. */
static void move(struct report *r, double *to, double seconds)
{
	r->computing_time -= seconds;
	*to += seconds;
}

static void begins(struct report *r, const char *want)
{
	struct buf b = BUF_INIT;

	assert_int_equal(time_verdict(&b, r), *want != '\0');
	if (strncmp(buf_str(&b), want, strlen(want)) != 0 || (!*want && b.len))
		assert_string_equal(buf_str(&b), want);
	buf_free(&b);
	report_free(r);
}

static void divided(struct report *r, const char *want)
{
	struct buf b = BUF_INIT;

	words_time(&b, r);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
	report_free(r);
}

static void page_faults_that_take_most_are_said_first_with_their_place(void **state)
{
	struct report *r = computing();

	(void)state;
	move(r, &r->kernel_time, 0.008);
	r->fault_time = 0.0075;
	r->faults = 1379;
	r->fault_blocks = "work.f90:18 (a)";
	begins(r, "Most of the processor time (75.0%) goes to page faults: 1379 an execution, for memory allocated at "
		"work.f90:18 (a). Keep that memory");
	r = computing();
	move(r, &r->kernel_time, 0.004);
	r->fault_time = 0.004;
	r->faults = 123456;
	r->fault_place = "append grow.c:15";
	begins(r, "About 40.0% of the processor time goes to page faults: 123 456 an execution, most of them in append grow.c:15.");
}

static void system_calls_libraries_and_what_is_unexplained_are_said_first(void **state)
{
	struct report *r = computing();

	(void)state;
	move(r, &r->kernel_time, 0.006);
	r->fault_time = 0.0006;
	begins(r, "Most of the processor time (60.0%) is spent in the kernel; page faults take 10.0% of it. strace");
	r = computing();
	move(r, &r->kernel_time, 0.004);
	r->fault_time = 0.0024; /* less than a third each */
	r->fault_blocks = "work.f90:18 (a)";
	begins(r, "About 40.0% of the processor time is spent in the kernel; page faults take 60.0% of it; memory is allocated "
		"in each execution at work.f90:18 (a). ");
	r = computing();
	move(r, &r->library_time, 0.009);
	r->library_calls = "qsort";
	begins(r, "Most of the processor time (90.0%) goes to code that is not recorded, in calls of qsort. ");
	r = computing();
	move(r, &r->unexplained_time, 0.0034);
	r->core_time = 0.005;
	begins(r, "About 34.0% of the processor time is not explained: it is more than memory and the core's model");
	r = computing();
	move(r, &r->unexplained_time, 0.0099);
	r->core_time = 0.0001;
	begins(r, "Most of the processor time (99.0%) is not explained: few accesses to memory are recorded there");
}

static void waits_are_said_before_processor_time(void **state)
{
	struct report *r = computing();

	(void)state;
	r->other_wait = 0.02;
	begins(r, "Its threads wait most of the time (66.7%), for input, output, locks or a clock. ");
	r = computing();
	r->barrier_wait = 0.02;
	begins(r, "Its threads wait most of the time (66.7%), for each other. ");
	r = computing();
	r->barrier_wait = 0.02;
	r->cpus = 2;            /* all had by others: threads wait for one that has no processor */
	r->cpus_others = 1.9;
	r->cpus_idle = 0;
	begins(r, "");
	r = computing();
	r->away_time = 0.02;
	begins(r, "Its threads wait most of the time (66.7%), asleep. ");
	r = computing();
	r->away_time = 0.02;
	r->cpus = 2;            /* other programs had the processor */
	r->cpus_others = 1.9;
	r->cpus_idle = 0;
	begins(r, "");
}

/* A third of the time leads; less does not. */
static void nothing_is_said_first_of_computing_and_memory(void **state)
{
	struct report *r = computing();

	(void)state;
	begins(computing(), "");
	move(r, &r->est_stall, 0.009);
	begins(r, "");
	r = computing();
	move(r, &r->library_time, 0.003);
	move(r, &r->unexplained_time, 0.003);
	begins(r, "");
}

/* A report without the parts does not say what they are. */
static void what_was_not_measured_is_not_called_computing(void **state)
{
	struct report *r = computing();

	(void)state;
	r->computing_time = r->kernel_time = r->library_time = r->unexplained_time = NAN;
	r->est_stall = 0.002;
	assert_true(isnan(time_computing(r)));
	begins(r, "");
	r = computing();
	r->computing_time = NAN;
	r->est_stall = 0.002;
	divided(r, "80.0% not memory, 20.0% memory");
}

static void parts_are_told_from_the_largest_on(void **state)
{
	struct report *r = computing();

	(void)state;
	move(r, &r->est_stall, 0.001);
	move(r, &r->kernel_time, 0.004);
	r->fault_time = 0.003;
	move(r, &r->library_time, 0.0005);
	move(r, &r->unexplained_time, 0.0015);
	r->away_time = 0.005;
	divided(r, "30.0% computing, 30.0% page faults, 15.0% unexplained, 10.0% memory, 10.0% other work of the kernel, "
		"5.0% calls of libraries; besides, 5 ms without a processor, or asleep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_faults_that_take_most_are_said_first_with_their_place),
		cmocka_unit_test(system_calls_libraries_and_what_is_unexplained_are_said_first),
		cmocka_unit_test(waits_are_said_before_processor_time),
		cmocka_unit_test(nothing_is_said_first_of_computing_and_memory),
		cmocka_unit_test(what_was_not_measured_is_not_called_computing),
		cmocka_unit_test(parts_are_told_from_the_largest_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
