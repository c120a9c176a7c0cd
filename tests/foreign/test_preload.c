/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.c: which files a recorder can be loaded into, and what is said of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>
#include "foreign/preload.h"

static char path[32];
static struct err err;

static int make(const void *data, size_t n)
{
	int fd, rc;

	strcpy(path, "/tmp/preload.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
	err.text[0] = '\0';
	rc = preload_possible(path, &err);
	unlink(path);
	return rc;
}

static struct elf { Elf64_Ehdr h; Elf64_Phdr p; } elf(void)
{
	struct elf e = { .h = { .e_type = ET_DYN, .e_machine = EM_X86_64, .e_phoff = sizeof(Elf64_Ehdr), .e_phnum = 1,
		.e_phentsize = sizeof(Elf64_Phdr) }, .p = { .p_type = PT_INTERP } };

	memcpy(e.h.e_ident, ELFMAG, SELFMAG);
	e.h.e_ident[EI_CLASS] = ELFCLASS64;
	return e;
}

static void dynamic_program_is_fine(void **state)
{
	const struct elf e = elf();

	(void)state;
	assert_int_equal(make(&e, sizeof e), 0);
}

static void static_program_is_told_what_can_be_had(void **state)
{
	struct elf e = elf();

	(void)state;
	e.p.p_type = PT_LOAD;
	assert_int_equal(make(&e, sizeof e), PRELOAD_STATIC);
	assert_non_null(strstr(err.text, "linked statically"));
	assert_non_null(strstr(err.text, "psc_gcc"));
}

static void other_architecture_is_named(void **state)
{
	struct elf e = elf();

	(void)state;
	e.h.e_machine = EM_AARCH64;
	assert_int_equal(make(&e, sizeof e), -1);
	assert_non_null(strstr(err.text, "x86-64"));
}

static void script_names_its_interpreter(void **state)
{
	static const char text[] = "#!/usr/bin/python3 -u\nprint(1)\n";

	(void)state;
	assert_int_equal(make(text, sizeof text - 1), -1);
	assert_non_null(strstr(err.text, "psc_frontend -- /usr/bin/python3 -u /tmp/preload."));
}

static void other_files_are_refused(void **state)
{
	(void)state;
	assert_int_equal(make("hello", 5), -1);
	assert_int_equal(make("", 0), -1);
	assert_int_equal(preload_possible("/nowhere/at/all", &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dynamic_program_is_fine),
		cmocka_unit_test(static_program_is_told_what_can_be_had),
		cmocka_unit_test(other_architecture_is_named),
		cmocka_unit_test(script_names_its_interpreter),
		cmocka_unit_test(other_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
