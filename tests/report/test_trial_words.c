/* SPDX-License-Identifier: BSD-3-Clause */
/* What the report says of a trial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "report/words/trial_words.h"

static struct report_gain gains[2];
static struct report report;

static struct report_trial of_table(void)
{
	return (struct report_trial){ .action = TRIED_LARGE_PAGES, .structure = "table",
		.verdict = TRIAL_GAIN, .gain = 0.12,
		.low = 0.09, .high = 0.15, .cost = 0.2, .time = 0.010, .time_with = 0.0088,
			.time_before = 0.010,
		.memory = 0, .pages = 1024, .moved_pages = 512, .left_pages = 0, .node = -1,
			.cost_there = 0.0036,
		.cost_back = 0.001, .pairs = 8, .executions = 200, .seed = 1 };
}

static void assert_says(const struct report_trial *t, const char *what, bool is_there)
{
	struct buf b = BUF_INIT;

	words_trial(&b, &report, t);
	buf_u8(&b, 0);
	if (!strstr(b.data, what) == is_there)
		fail_msg("'%s' %s '%s'", b.data, is_there ? "lacks" : "has", what);
	buf_free(&b);
}

static void a_gain_says_when_it_pays(void **state)
{
	struct report_trial t = of_table();

	(void)state;
	assert_says(&t,
		"2 of 4 MiB were changed, which took 3.6 ms, and 1 ms back: it pays after 3 executions", true);
	assert_says(&t, "All was put back", true);
	t.cost_there = 0.0001;
	assert_says(&t, "pays after 1 execution.", true);
	t.verdict = TRIAL_NULL;
	assert_says(&t, "1 ms back. All was put back", true);
	t.left_pages = 256;
	assert_says(&t, "1 MiB could not be put back", true);
}

static void the_estimate_stands_beside_the_measurement(void **state)
{
	struct report_trial t = of_table();

	(void)state;
	assert_says(&t, "Estimated", false);
	gains[0] = (struct report_gain){ .structure = "other", .fix = TRIED_PAGES,
		.time_share = 0.5 };
	gains[1] = (struct report_gain){ .structure = "table", .fix = TRIED_PAGES,
		.time_share = 0.1 };
	report.gains = gains;
	report.ngains = 2;
	assert_says(&t, "Estimated without a trial: 10.0%", true);
	gains[1].reason = "for a reason";
	assert_says(&t, "Estimated", false);
	t.action = TRIED_MALLOC;
	assert_says(&t, "Estimated", false);
	report.ngains = 0;
}

static void a_refusal_has_its_reason(void **state)
{
	struct report_trial t = { .action = TRIED_ONE_NODE, .structure = "table",
		.verdict = TRIAL_REFUSED, .node = 1,
		.reason = TRIAL_ONE_MEMORY_NODE, .cost = NAN };

	(void)state;
	assert_says(&t,
		"table: on one memory node (1): not tried: the process may have memory on one node only", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gain_says_when_it_pays),
		cmocka_unit_test(the_estimate_stands_beside_the_measurement),
		cmocka_unit_test(a_refusal_has_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
