/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of instructions: the line that is named, and that each is asked for once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agents/code_places.h"
#include "base/log.h"
#include "binary/binary.h"

static int opened, closed, asked, logged;
static bool readable;
static char memory;

struct binary *binary_open(const char *path, struct err *err)
{
	(void)path;
	opened++;
	return readable ? (struct binary *)(void *)&memory : (err_set(err, "no ELF file"), NULL);
}

void binary_close(struct binary *b)
{
	closed += b != NULL;
}

/* 1: inlined code of a header; 2: without a line; others: their own line. */
uint32_t binary_lines_at(struct binary *b, uint64_t address, struct binary_line *line, uint32_t max)
{
	(void)b;
	assert_true(max >= 2);
	asked++;
	if (address == 2)
		return 0;
	line[0] = address == 1 ? (struct binary_line){ "copy", "/usr/include/vector", 99 } :
		(struct binary_line){ "fill", "/src/f.c", (int)address };
	line[1] = (struct binary_line){ "main", "main.c", 7 };
	return 2;
}

void log_msg(int level, const char *format, ...)
{
	(void)level;
	(void)format;
	logged++;
}

static int set_up(void **state)
{
	(void)state;
	opened = closed = asked = logged = 0;
	readable = true;
	return 0;
}

static void the_line_is_that_of_the_program_s_own_code(void **state)
{
	struct code_places *p = code_places_new("/bin/app");

	(void)state;
	assert_non_null(p);
	assert_string_equal(code_places_find(p, 11), "f.c:11");
	assert_string_equal(code_places_find(p, 1), "main.c:7");
	assert_null(code_places_find(p, 2));
	code_places_free(p);
	assert_int_equal(opened, 1);
	assert_int_equal(closed, 1);
}

static void each_instruction_is_asked_for_once(void **state)
{
	struct code_places *p = code_places_new("/bin/app");

	(void)state;
	for (int i = 0; i < 3; i++) {
		code_places_find(p, 11);
		code_places_find(p, 2);
	}
	assert_int_equal(asked, 2);
	code_places_free(p);
}

static void places_beyond_the_table_are_not_known(void **state)
{
	struct code_places *p = code_places_new("/bin/app");

	(void)state;
	for (uint64_t code = 10; code < 10 + 256; code++)
		assert_non_null(code_places_find(p, code));
	assert_null(code_places_find(p, 10 + 256));
	assert_string_equal(code_places_find(p, 265), "f.c:265");
	code_places_free(p);
}

static void an_executable_that_cannot_be_read_has_no_lines(void **state)
{
	struct code_places *p = code_places_new("/bin/app"), *none = code_places_new(NULL);

	(void)state;
	readable = false;
	assert_null(code_places_find(p, 11));
	assert_null(code_places_find(p, 12));
	assert_int_equal(opened, 1);
	assert_int_equal(logged, 1);
	assert_null(code_places_find(none, 11));
	assert_int_equal(opened, 1);
	code_places_free(p);
	code_places_free(none);
	code_places_free(NULL);
	assert_int_equal(closed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_line_is_that_of_the_program_s_own_code, set_up),
		cmocka_unit_test_setup(each_instruction_is_asked_for_once, set_up),
		cmocka_unit_test_setup(places_beyond_the_table_are_not_known, set_up),
		cmocka_unit_test_setup(an_executable_that_cannot_be_read_has_no_lines, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
