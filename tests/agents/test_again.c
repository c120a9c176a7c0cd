/* SPDX-License-Identifier: BSD-3-Clause */
/* When a program may be run once more without --max-runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "frontend/later_runs.h"

#define SECOND UINT64_C(1000000000)
enum { EXIT_1 = 1 << 8, SIGNAL_15 = 15 };       /* wait statuses */

void setup_note(struct setup *s, const char *format, ...)
{
	(void)s;
	(void)format;
}

/* A first run that has taken so long, has ended with that status, and had an empty standard input. */
static struct runs run(uint64_t ns, int status)
{
	return (struct runs){ .number = 1, .input = -1, .status = status, .began = clock_ns() - ns,
		.watch = { .kind = INPUT_NOTHING, .events = -1 } };
}

static struct app_end end_of(struct runs r, uint32_t max_runs, bool unasked)
{
	static struct setup s;
	struct app_end end;

	s.config.max_runs = max_runs;
	s.config.unasked = unasked;
	runs_end(&r, &s, &end);
	return end;
}

static void a_short_run_that_ended_with_0_may_be_repeated(void **state)
{
	(void)state;
	assert_true(end_of(run(SECOND, 0), 2, true).again);
}

static void a_run_of_five_seconds_is_not(void **state)
{
	const struct app_end end = end_of(run(RUNS_SHORT_S * SECOND, 0), 2, true);

	(void)state;
	assert_false(end.again);
	assert_string_equal(end.why, "");
}

static void nor_is_one_that_failed(void **state)
{
	struct app_end end = end_of(run(SECOND, EXIT_1), 2, true);

	(void)state;
	assert_false(end.again);
	assert_non_null(strstr(end.why, "exit code"));
	assert_false(end_of(run(SECOND, SIGNAL_15), 2, true).again);
}

static void nor_is_one_that_has_or_may_have_read_its_input(void **state)
{
	struct runs r = run(SECOND, 0);
	struct app_end end;
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	assert_true(fputs("text", f) >= 0);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(lseek(fileno(f), 0, SEEK_SET), 0);
	input_watch_begin(&r.watch, fileno(f));
	assert_int_equal(lseek(fileno(f), 1, SEEK_SET), 1);
	end = end_of(r, 2, true);
	fclose(f);
	assert_false(end.again);
	assert_non_null(strstr(end.why, "may have read"));
	r.watch = (struct input_watch){ .kind = INPUT_UNKNOWN, .events = -1 };
	end = end_of(r, 2, true);
	assert_false(end.again);
	assert_non_null(strstr(end.why, "not known"));
}

static void what_was_asked_for_is_done(void **state)
{
	(void)state;
	assert_true(end_of(run(60 * SECOND, EXIT_1), 3, false).again);
	assert_false(end_of(run(SECOND, 0), 1, false).again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_run_that_ended_with_0_may_be_repeated),
		cmocka_unit_test(a_run_of_five_seconds_is_not),
		cmocka_unit_test(nor_is_one_that_failed),
		cmocka_unit_test(nor_is_one_that_has_or_may_have_read_its_input),
		cmocka_unit_test(what_was_asked_for_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
