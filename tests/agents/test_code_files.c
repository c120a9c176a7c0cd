/* SPDX-License-Identifier: BSD-3-Clause */
/* code_files.c: which of the libraries that the dynamic loader names count as the program's code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/code_files.h"

static const char *path_of(const char *line)
{
	static char copy[200];

	strcpy(copy, line);
	return code_file_of_line(copy);
}

static void libraries_of_the_program_count(void **state)
{
	(void)state;
	assert_string_equal(path_of("\tliblzma.so.5 => /lib/x86_64-linux-gnu/liblzma.so.5 (0x00007f0000000000)\n"),
		"/lib/x86_64-linux-gnu/liblzma.so.5");
	assert_string_equal(path_of("\tlibmine.so => /home/me/my lib/libmine.so (0x00007f0000000000)\n"), "/home/me/my lib/libmine.so");
}

static void run_time_systems_do_not(void **state)
{
	(void)state;
	assert_null(path_of("\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0000000000)\n"));
	assert_null(path_of("\tlibgomp.so.1 => /lib/x86_64-linux-gnu/libgomp.so.1 (0x00007f0000000000)\n"));
	assert_null(path_of("\tlinux-vdso.so.1 (0x00007ffd00000000)\n"));
	assert_null(path_of("\t/lib64/ld-linux-x86-64.so.2 (0x00007f0000000000)\n"));
	assert_null(path_of("\tlibgone.so => not found\n"));
	assert_null(path_of(""));
}

static void program_that_is_none_has_no_libraries(void **state)
{
	char *files = code_files("/nowhere/at/all");

	(void)state;
	assert_string_equal(files, "");
	free(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libraries_of_the_program_count),
		cmocka_unit_test(run_time_systems_do_not),
		cmocka_unit_test(program_that_is_none_has_no_libraries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
