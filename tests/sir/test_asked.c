/* SPDX-License-Identifier: BSD-3-Clause */
/* What a .sir file asks for, found in a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/sir/support.h"

#define POS(file, line) \
	"<position startLine='" #line "' endLine='" #line "'><file name='" file "'/></position>"
#define UNIT(name, file, line, inside) \
	"<unit type='function' name='" name "'>" POS(file, line) inside "</unit>"
#define LOOP(file, line, inside) \
	"<codeRegion type='loop' name=''>" POS(file, line) inside "</codeRegion>"
#define ARRAY(name, class, rest) "<array name='" name "' class='" class "' " rest "/>"
#define DOCUMENT(language, inside) "<sir language='" language "'>\n" inside "</sir>"

static const char program[] = DOCUMENT("C",
	UNIT("f", "/home/u/new/src/f.c", 10,
		ARRAY("a", "static", "type='DOUBLE'") ARRAY("v", "dummy", "")
		LOOP("/home/u/new/src/f.c", 12, ARRAY("a", "static", "type='DOUBLE'"))
		LOOP("/home/u/new/src/f.c", 20, LOOP("/home/u/new/src/f.c", 21, "")))
	UNIT("f", "/home/u/new/other/f.c", 10, LOOP("/home/u/new/other/f.c", 12, ""))
	UNIT("g", "/home/u/new/src/g.c", 1, ARRAY("v", "dummy", "")));
enum { F, F_12, F_20, F_21, OTHER, OTHER_12, G };

struct asking {
	struct sir *program;
	struct sir_asked *asked;
	char missing[2048];
};

static int tell(void *to, const char *what)
{
	struct asking *a = to;
	const size_t n = strlen(a->missing);

	snprintf(a->missing + n, sizeof a->missing - n, "%s\n", what);
	return 0;
}

static void ask(struct asking *a, const char *text, const char *of)
{
	struct err err = { "" };

	*a = (struct asking){ .program = read_text(of, strlen(of), &err) };
	assert_non_null(a->program);
	a->asked = sir_asked_new("my.sir", text, strlen(text), &err);
	if (!a->asked)
		fail_msg("%s", err.text);
	assert_int_equal(sir_asked_match(a->asked, a->program, &err), 0);
	assert_int_equal(sir_asked_missing(a->asked, tell, a), 0);
}

static void done(struct asking *a)
{
	sir_asked_free(a->asked);
	sir_free(a->program);
}

/* The regions that are asked for, as bits. */
static unsigned regions(const struct asking *a)
{
	unsigned bits = 0;

	for (uint32_t i = 0; i < a->program->nregions; i++)
		bits |= (unsigned)sir_asked_region(a->asked, i) << i;
	return bits;
}

static void a_program_asks_for_all_of_itself(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, program, program);
	assert_int_equal(regions(&a), (1 << (G + 1)) - 1);
	assert_string_equal(a.missing, "");
	assert_true(sir_asked_structure(a.asked, "a", NULL, SIR_NONE));
	assert_false(sir_asked_structure(a.asked, "b", NULL, SIR_NONE));
	done(&a);
}

static void only_what_the_file_has_is_asked_for(void **state)
{
	struct asking a;

	(void)state;
	/* A loop whose outer loop has been deleted. */
	ask(&a, DOCUMENT("C", UNIT("f", "src/f.c", 10, LOOP("src/f.c", 21, ""))),
		program);
	assert_int_equal(regions(&a), 1 << F | 1 << F_21);
	assert_true(sir_asked_structure(a.asked, "anything", NULL, SIR_NONE));
	assert_int_equal(sir_asked_count(a.asked).found, 2);
	done(&a);
}

static void the_longest_common_end_of_the_path_decides(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C", UNIT("f", "/old/place/other/f.c", 10,
		LOOP("/old/place/other/f.c", 12, ""))),
		program);
	assert_int_equal(regions(&a), 1 << OTHER | 1 << OTHER_12);
	done(&a);
	ask(&a, DOCUMENT("C", UNIT("f", "off.c", 10, "")),
		program);
	assert_int_equal(regions(&a), 0);
	done(&a);
}

static void a_unit_that_has_moved_takes_its_regions_along(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C", UNIT("f", "src/f.c", 110, LOOP("src/f.c", 112, ""))),
		program);
	assert_int_equal(regions(&a), 1 << F | 1 << F_12);
	done(&a);
}

static void what_matches_nothing_is_listed_with_its_line(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C",
		UNIT("f", "src/f.c", 10, "\n" ARRAY("nowhere", "static", "") "\n"
			LOOP("src/f.c", 13, ""))
		"\n" UNIT("h", "src/h.c", 1,
			LOOP("src/h.c", 2, ARRAY("inside", "static", "")))), program);
	assert_string_equal(a.missing,
		"my.sir:4: loop src/f.c:13 in f was not found in the program\n"
		"my.sir:5: function h src/h.c:1 was not found in the program\n"
		"my.sir:3: array nowhere of f was not found in the program\n");
	done(&a);
}

static void another_type_is_another_array(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C", UNIT("f", "src/f.c", 10, ARRAY("a", "static", "type='INTEGER'"))),
		program);
	assert_false(sir_asked_structure(a.asked, "a", NULL, SIR_NONE));
	assert_string_equal(a.missing,
		"my.sir:2: array a of f is of type DOUBLE in the program, not INTEGER\n");
	done(&a);
}

static void a_dummy_argument_is_one_of_its_subroutine(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C", UNIT("f", "src/f.c", 10, ARRAY("v", "dummy", ""))),
		program);
	assert_true(sir_asked_structure(a.asked, "v", NULL, F));
	assert_false(sir_asked_structure(a.asked, "v", NULL, G));
	assert_false(sir_asked_structure(a.asked, "v", NULL, SIR_NONE));
	done(&a);
}

static void a_structure_of_the_run_is_not_missing(void **state)
{
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("C", UNIT("f", "src/f.c", 10, ARRAY("block", "heap", ""))),
		program);
	assert_string_equal(a.missing, "my.sir:2: array block of f was not found in the program\n");
	assert_true(sir_asked_structure(a.asked, "block", NULL, SIR_NONE));
	a.missing[0] = '\0';
	assert_int_equal(sir_asked_missing(a.asked, tell, &a), 0);
	assert_string_equal(a.missing, "");
	done(&a);
}

static void fortran_has_no_case_and_c_has(void **state)
{
	static const char lu[] = DOCUMENT("Fortran", UNIT("blts", "blts.f", 4, ""));
	struct asking a;

	(void)state;
	ask(&a, DOCUMENT("Fortran", UNIT("BLTS", "blts.f", 4,
		ARRAY("RSD", "common", "scope='CGCON'"))),
		lu);
	assert_int_equal(regions(&a), 1);
	assert_true(sir_asked_structure(a.asked, "rsd", "cgcon", SIR_NONE));
	assert_false(sir_asked_structure(a.asked, "rsd", "other", SIR_NONE));
	done(&a);
	ask(&a, DOCUMENT("C", UNIT("BLTS", "blts.f", 4, ARRAY("RSD", "static", ""))),
		lu);
	assert_int_equal(regions(&a), 0);
	assert_false(sir_asked_structure(a.asked, "rsd", NULL, SIR_NONE));
	done(&a);
}

static void names_are_told_once(void **state)
{
	struct buf names = BUF_INIT;
	struct asking a;

	(void)state;
	ask(&a, program, program);
	sir_asked_names(a.asked, &names);
	assert_string_equal(buf_str(&names), "a\nv\n");
	buf_free(&names);
	done(&a);
}

static void a_bad_file_is_an_error_with_its_line(void **state)
{
	static const char bad[] = "<sir>\n<unit name='f'>\n<codeRegion/></unit></sir>";
	struct err err = { "" };

	(void)state;
	assert_null(sir_asked_new("my.sir", bad, strlen(bad), &err));
	assert_string_equal(err.text, "my.sir:3: <codeRegion> without a type");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_asks_for_all_of_itself),
		cmocka_unit_test(only_what_the_file_has_is_asked_for),
		cmocka_unit_test(the_longest_common_end_of_the_path_decides),
		cmocka_unit_test(a_unit_that_has_moved_takes_its_regions_along),
		cmocka_unit_test(what_matches_nothing_is_listed_with_its_line),
		cmocka_unit_test(another_type_is_another_array),
		cmocka_unit_test(a_dummy_argument_is_one_of_its_subroutine),
		cmocka_unit_test(a_structure_of_the_run_is_not_missing),
		cmocka_unit_test(fortran_has_no_case_and_c_has),
		cmocka_unit_test(names_are_told_once),
		cmocka_unit_test(a_bad_file_is_an_error_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
