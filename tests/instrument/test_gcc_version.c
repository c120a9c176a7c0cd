/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's word on a compiler that it was not built for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "instrument/gcc_version.h"

static const char *const built[VERSION_FIELDS] = { "12.2.0", "20220819", "", "", "./configure --prefix=/usr" };

static void the_same_build_differs_in_nothing(void **state)
{
	char text[400] = "x";

	(void)state;
	assert_int_equal(version_differences(built, built, text, sizeof text), 0);
	assert_string_equal(text, "");
}

static void each_field_that_differs_is_told_with_both_values(void **state)
{
	const char *running[VERSION_FIELDS];
	char text[400];

	(void)state;
	for (int i = 0; i < VERSION_FIELDS; i++) {
		memcpy(running, built, sizeof built);
		running[i] = "another";
		assert_int_equal(version_differences(built, running, text, sizeof text), 1);
		assert_non_null(strstr(text, built[i]));
		assert_non_null(strstr(text, "this compiler's is 'another'"));
	}
	memcpy(running, built, sizeof built);
	running[1] = "20230101";
	running[4] = "./configure --prefix=/opt";
	assert_int_equal(version_differences(built, running, text, sizeof text), 2);
	assert_non_null(strstr(text, "date: the plugin's is '20220819'"));
	assert_non_null(strstr(text, "configuration: the plugin's is './configure --prefix=/usr'"));
}

static void a_field_that_is_not_there_counts_as_empty(void **state)
{
	const char *none[VERSION_FIELDS] = { NULL };
	char text[400];

	(void)state;
	assert_int_equal(version_differences(built, none, text, sizeof text), 3);
	assert_int_equal(version_differences(none, none, text, sizeof text), 0);
}

static void long_texts_are_cut(void **state)
{
	const char *running[VERSION_FIELDS] = { "13", "13", "13", "13", "13" };
	char text[60];

	(void)state;
	for (size_t size = 1; size <= sizeof text; size++) {
		memset(text, 'x', sizeof text);
		assert_int_equal(version_differences(built, running, text, size), 5);
		assert_true(strlen(text) < size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_build_differs_in_nothing),
		cmocka_unit_test(each_field_that_differs_is_told_with_both_values),
		cmocka_unit_test(a_field_that_is_not_there_counts_as_empty),
		cmocka_unit_test(long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
