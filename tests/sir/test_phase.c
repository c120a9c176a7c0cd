/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the phase, as a table: what is asked for, what is taken or why nothing is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/sir/support.h"

#define POS(file, from, to) \
	"<position startLine='" #from "' endLine='" #to "'><file name='" file "'/></position>"
#define UNIT(type, name, file, from, to, index, hook, inside) \
	"<unit type='" type "' name='" name "' hash='1' index='" #index "' hook='" hook "'>" \
	POS(file, from, to) inside "</unit>"
#define REGION(type, name, file, from, to, index, rest, inside) \
	"<codeRegion type='" type "' name='" name "' index='" #index "' " rest ">" \
	POS(file, from, to) inside "</codeRegion>"
#define PHASE "hook='marker phase'"
#define NO(why) "hook='marker' refuse='" why "'"
#define DOCUMENT(language, inside) \
	"<sir><source name='s' hash='1' language='" language "' dir='/home/u/lu/build'/>" inside "</sir>"

/* Like LU: the iteration in ssor, whose loop holds a parallel region. */
static const char lu[] = DOCUMENT("Fortran",
	UNIT("program", "applu", "../applu.f", 1, 60, 0, "marker",
		REGION("call", "SSOR", "../applu.f", 40, 40, 1, "hook='marker'", "")
		REGION("call", "error", "../applu.f", 50, 50, 2, "hook='marker'", ""))
	UNIT("subroutine", "ssor", "../ssor.f", 4, 262, 10, "marker phase",
		REGION("loop", "", "../ssor.f", 30, 40, 11, NO("innermost"), "")
		REGION("loop", "", "../ssor.f", 109, 240, 12, PHASE,
			REGION("parallelRegion", "", "../ssor.f", 120, 230, 13, PHASE,
				REGION("workshareLoop", "", "../ssor.f", 126, 136, 14, PHASE, "")
				REGION("loop", "", "../ssor.f", 149, 180, 15, NO("parallel"),
					REGION("call", "jacld", "../ssor.f", 156, 156, 16, "hook='marker'", "")
					REGION("call", "blts", "../ssor.f", 165, 170, 17, "hook='marker'", "")))))
	UNIT("subroutine", "error", "../error.f", 4, 80, 20, "marker phase",
		REGION("loop", "", "../error.f", 20, 60, 21, PHASE,
			REGION("call", "exact", "../error.f", 30, 30, 22, "", "")))
	UNIT("subroutine", "jacld", "../jacld.f", 5, 90, 30, "marker phase",
		REGION("workshareLoop", "", "../jacld.f", 39, 80, 31, NO("parallel"), ""))
	UNIT("subroutine", "blts", "../blts.f", 4, 90, 40, "marker",
		REGION("loop", "", "../blts.f", 70, 85, 41, NO("abnormal"), "")));

/* Everything on few lines, and the same file name twice. */
static const char crowd[] = DOCUMENT("C",
	UNIT("function", "main", "/home/u/a/main.c", 1, 9, 0, "marker phase",
		REGION("call", "f", "/home/u/a/main.c", 5, 5, 1, PHASE, "")
		REGION("loop", "", "/home/u/a/main.c", 5, 7, 2, PHASE, "")
		REGION("loop", "", "/home/u/a/main.c", 7, 7, 3, NO("innermost"), "")
		REGION("loop", "", "/home/u/a/main.c", 7, 7, 4, PHASE, "")
		REGION("parallelRegion", "", "/home/u/a/main.c", 8, 8, 5, PHASE,
			REGION("workshareLoop", "", "/home/u/a/main.c", 8, 8, 6, PHASE, ""))
		REGION("loop", "", "/home/u/a/main.c", 9, 9, 7, NO("some other reason"), "")
		REGION("call", "g", "/home/u/a/main.c", 9, 9, 8, PHASE, ""))
	UNIT("function", "f", "/home/u/b/main.c", 1, 20, 20, "marker phase",
		REGION("loop", "", "/home/u/b/main.c", 5, 6, 21, PHASE, "")
		REGION("userRegion", "step", "/home/u/b/main.c", 12, 14, 22, PHASE,
			REGION("loop", "", "/home/u/b/main.c", 12, 14, 23, PHASE, ""))));

/* main's loop calls middle, which calls leaf, which calls itself; nobody calls alone. */
#define LIGHT(name, from, to, index, inside) \
	"<unit type='function' name='" name "' hash='1' index='" #index "' refuse='light'>" \
	POS("b.c", from, to) inside "</unit>"
static const char bare[] = DOCUMENT("C",
	LIGHT("leaf", 1, 3, 0, REGION("call", "leaf", "b.c", 2, 2, 1, "", ""))
	LIGHT("middle", 5, 6, 2, REGION("call", "leaf", "b.c", 5, 5, 3, "", ""))
	LIGHT("alone", 8, 9, 4, "")
	UNIT("function", "main", "b.c", 20, 30, 5, "marker phase",
		REGION("loop", "", "b.c", 23, 25, 6, PHASE,
			REGION("call", "middle", "b.c", 24, 24, 7, "hook='marker'", ""))));

struct ask {
	const char *doc, *spec;
	int index;              /* of the region that is taken; -1 none */
	const char *says;       /* in the choice, or in the error */
	const char *too;        /* there as well; NULL none */
};

static const struct ask table[] = {
	{ lu, "ssor.f:109", 12, "loop ../ssor.f:109-240 in ssor", NULL },
	{ lu, "./ssor.f:109", 12, "loop", NULL },
	{ lu, "lu/ssor.f:109", 12, "loop", NULL },                      /* by dir/../ssor.f */
	{ lu, "/home/u/lu/ssor.f:109", 12, "loop", NULL },
	{ lu, "../ssor.f:109", 12, "loop", NULL },
	{ lu, "sor.f:109", -1, "no source file of that name", "../applu.f, ../ssor.f" },
	{ lu, "lu/build/ssor.f:109", -1, "no source file of that name", NULL },
	{ lu, "ssor.f:4", 10, "subroutine ssor ../ssor.f:4-262", NULL },
	{ lu, "ssor.f:120", 13, "parallel region ../ssor.f:120-230 in ssor", NULL },
	{ lu, "ssor.f:126", 14, "worksharing loop", NULL },
	{ lu, "ssor.f:110", 12, "loop ../ssor.f:109-240", "contains line 110" },
	{ lu, "ssor.f:240", 12, "loop ../ssor.f:109-240", "contains line 240" },
	{ lu, "ssor.f:241", 10, "subroutine ssor", "contains line 241" },
	{ lu, "ssor.f:31", 10, "subroutine ssor", "contains line 31" },
	{ lu, "ssor.f:150", 13, "parallel region", "contains line 150" },
	{ lu, "ssor.f:130", 14, "worksharing loop", "contains line 130" },
	{ lu, "ssor.f:30", -1, "contains no call, OpenMP construct or inner loop",
		"nearest enclosing candidate: subroutine ssor ../ssor.f:4-262" },
	{ lu, "ssor.f:149", -1, "every thread of a parallel region",
		"nearest enclosing candidate: parallel region ../ssor.f:120-230" },
	{ lu, "ssor.f:156", 13, "parallel region", "contains line 156" },     /* a call there */
	{ lu, "jacld.f:39", -1, "every thread", "candidate: subroutine jacld" },
	{ lu, "blts.f:70", -1, "abnormal edges", "nothing around it can be" },
	{ lu, "blts.f:4", -1, "subroutine blts", "nothing around it can be" },
	{ lu, "blts.f:75", -1, "no region that can be the phase contains this line", NULL },
	{ lu, "ssor.f:300", -1, "no region that can be the phase contains this line",
		"; nearest: subroutine ssor ../ssor.f:4-262, loop ../ssor.f:109-240" },
	{ lu, "error.f:2", -1, "contains this line", "nearest: subroutine error" },
	{ lu, "ssor.f", 12, "loop ../ssor.f:109-240 in ssor", NULL },   /* the only one */
	{ lu, "lu/error.f", 21, "loop ../error.f:20-60 in error", NULL },
	{ lu, "ssor", 10, "subroutine ssor ../ssor.f:4-262", NULL },
	{ lu, "SSOR", 10, "subroutine ssor ../ssor.f:4-262", NULL },
	{ lu, "blts", -1, "subroutine blts", "cannot be the phase" },
	{ lu, "main", -1, "program applu", "cannot be the phase" },
	{ lu, "jacld.f", -1, "no subroutine, user region or file", "candidates: " },
	{ crowd, "step", 22, "user region step", NULL },
	{ crowd, "main", 0, "function main", NULL },
	{ crowd, "a/main.c", -1, "several loops there can be the phase", "loop /home/u/a/main.c:5-7 in main, loop" },
	{ crowd, "std::nothing", -1, "no subroutine, user region or file", NULL },
	{ lu, ":109", -1, "not FILE:LINE", NULL },
	{ lu, "ssor.f:", -1, "not FILE:LINE", NULL },
	{ lu, "ssor.f:0", -1, "not a line number", NULL },
	{ lu, "ssor.f:12x", -1, "not a line number", NULL },
	{ lu, "ssor.f:109-240", 12, "loop ../ssor.f:109-240 in ssor", NULL },  /* as it is printed */
	{ lu, "../ssor.f:4-262", 10, "subroutine ssor ../ssor.f:4-262", NULL },
	{ lu, "ssor.f:109-241", 12, "loop ../ssor.f:109-240", "contains line 109" },
	{ lu, "ssor.f:109-", -1, "not a line number", NULL },
	{ lu, "ssor.f:109-240-", -1, "not a line number", NULL },
	{ lu, "ssor.f:240-109", -1, "not the lines of a region", NULL },
	{ lu, "ssor.f:1-99999999999999999999", -1, "not the lines of a region", NULL },
	{ lu, "ssor.f:99999999999999999999", -1, "not a line number", NULL },
	{ lu, "", -1, "not FILE:LINE", NULL },
	{ crowd, "a/main.c:5", 2, "loop", NULL },                       /* before the call */
	{ crowd, "a/main.c:5-5", 1, "call", NULL },                     /* the loop ends elsewhere */
	{ crowd, "b/main.c:5", 21, "loop", NULL },
	{ crowd, "a/main.c:7", 4, "loop", NULL },                       /* the capable one of two */
	{ crowd, "a/main.c:8", 5, "parallel region", NULL },            /* the outermost */
	{ crowd, "a/main.c:9", -1, "some other reason", "function main" },  /* a loop was meant */
	{ crowd, "b/main.c:12", 22, "user region step", NULL },
	{ crowd, "b/main.c:13", 23, "loop", "contains line 13" },
	{ crowd, "b/main.c:25", -1, "nearest: function f", NULL },
	{ crowd, "main.c:1", 0, "function main", NULL },
	{ bare, "b.c:1", -1, "a function without loops has no markers", "called from: loop b.c:23-25 in main" },
	{ bare, "b.c:2", -1, "function leaf b.c:1-3 cannot be the phase", "called from: loop b.c:23-25 in main" },
	{ bare, "b.c:8", -1, "function alone", "nothing around it can be" },
};

static struct sir *document(const char *text)
{
	struct err err;
	struct sir *s = read_text(text, strlen(text), &err);

	if (!s)
		print_error("%s\n", err.text);
	assert_non_null(s);
	return s;
}

static void check(const struct ask *a, const struct sir *s, int ret, uint32_t region,
	const char *said)
{
	uint32_t want = a->index < 0 ? SIR_NONE : sir_find_hook(s, 1, (uint32_t)a->index);

	if (ret != (a->index < 0 ? -1 : 0) || region != want)
		fail_msg("%s: took %u, not %u: %s", a->spec, region, want, said);
	if (!strstr(said, a->says) || (a->too && !strstr(said, a->too)))
		fail_msg("%s: \"%s\" lacks \"%s\" or \"%s\"", a->spec, said, a->says,
			a->too ? a->too : "");
}

static void phases_are_chosen_as_the_table_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct sir *s = document(table[i].doc);
		struct buf choice = BUF_INIT;
		uint32_t region = SIR_NONE;
		struct err err = { "" };
		int ret = sir_find_phase(s, table[i].spec, &region, &choice, &err);

		check(&table[i], s, ret, region, ret < 0 ? err.text : buf_str(&choice));
		if (ret < 0)
			assert_string_equal(buf_str(&choice), "");
		buf_free(&choice);
		sir_free(s);
	}
}

static void guess(const char *doc, int index, const char *says, const char *too)
{
	struct ask a = { doc, "guess", index, says, too };
	struct sir *s = document(doc);
	struct buf choice = BUF_INIT;
	uint32_t region = SIR_NONE;
	struct err err = { "" };
	int ret = sir_guess_phase(s, &region, &choice, &err);

	check(&a, s, ret, region, ret < 0 ? err.text : buf_str(&choice));
	buf_free(&choice);
	sir_free(s);
}

static void the_only_user_region_is_guessed(void **state)
{
	(void)state;
	guess(crowd, 22, "user region step", "the only user region");
}

static void several_user_regions_are_not_guessed(void **state)
{
	(void)state;
	guess(DOCUMENT("C", UNIT("function", "main", "m.c", 1, 9, 0, "marker",
		REGION("userRegion", "one", "m.c", 2, 3, 1, PHASE, "")
		REGION("userRegion", "two", "m.c", 4, 5, 2, PHASE, ""))), -1, "several user regions",
		"user region one m.c:2-3 in main, user region two m.c:4-5 in main");
}

static void the_loop_with_most_below_it_is_guessed(void **state)
{
	(void)state;
	guess(lu, 12, "loop ../ssor.f:109-240", "most of the program");
}

static void the_outermost_loop_on_the_way_is_guessed(void **state)
{
	(void)state;
	/* step's own loop is larger than nothing, but main's surrounds it; recursion ends. */
	guess(DOCUMENT("C",
		UNIT("function", "step", "m.c", 20, 40, 10, "marker",
			REGION("loop", "", "m.c", 21, 30, 11, PHASE,
				REGION("parallelRegion", "", "m.c", 22, 29, 12, PHASE, ""))
			REGION("call", "step", "m.c", 31, 31, 13, "", ""))
		UNIT("function", "main", "m.c", 1, 9, 0, "marker",
			REGION("loop", "", "m.c", 2, 5, 1, PHASE,
				REGION("call", "step", "m.c", 3, 3, 2, "", "")))), 1, "loop m.c:2-5 in main", NULL);
}

#define CALLS(name, line, index) REGION("loop", "", "m.c", line, line, index, PHASE, \
	REGION("call", name, "m.c", line, line, 9##index, "", ""))

/* The first may prepare or check; the others are named. */
static void of_equal_loops_the_last_is_guessed(void **state)
{
	(void)state;
	guess(DOCUMENT("C", UNIT("function", "main", "m.c", 1, 9, 0, "marker",
		CALLS("x", 2, 1) CALLS("x", 4, 2))), 2, "loop m.c:4 in main",
		"equal to loop m.c:2 in main)");
}

/* As in HPCG: a test of the solver calls it in a loop in a loop; main calls it in one. */
static void the_loop_in_main_comes_before_a_slightly_larger_one_in_a_test(void **state)
{
	(void)state;
	guess(DOCUMENT("C",
		UNIT("function", "main", "m.c", 1, 9, 0, "marker",
			REGION("call", "test", "m.c", 2, 2, 1, "", "") CALLS("small", 3, 2)
			CALLS("solve", 5, 3))
		UNIT("function", "test", "m.c", 11, 19, 10, "marker",
			REGION("loop", "", "m.c", 12, 16, 11, PHASE,
				REGION("loop", "", "m.c", 13, 15, 12, PHASE,
					REGION("call", "solve", "m.c", 14, 14, 13, "", ""))))
		UNIT("function", "small", "m.c", 21, 29, 20, "marker", "")
		UNIT("function", "solve", "m.c", 31, 49, 30, "marker",
			REGION("loop", "", "m.c", 32, 40, 31, PHASE,
				REGION("call", "a", "m.c", 33, 33, 32, "", "")
				REGION("call", "b", "m.c", 34, 34, 33, "", "")
				REGION("call", "c", "m.c", 35, 35, 34, "", "")))), 3, "loop m.c:5 in main",
		"most of the program below it)");
}

static void rivals_are_loops_inside_too_the_largest_first(void **state)
{
	struct sir *s = document(DOCUMENT("C",
		UNIT("function", "main", "m.c", 1, 9, 0, "marker",
			REGION("loop", "", "m.c", 2, 5, 1, PHASE,
				REGION("call", "step", "m.c", 3, 3, 2, "", "")) CALLS("x", 7, 3))
		UNIT("function", "step", "m.c", 20, 40, 10, "marker",
			REGION("loop", "", "m.c", 21, 30, 11, PHASE,
				REGION("call", "x", "m.c", 22, 22, 12, "", "")
				REGION("call", "y", "m.c", 23, 23, 13, "", "")))
		UNIT("function", "lost", "m.c", 50, 60, 14, "marker", CALLS("x", 51, 15))));
	uint32_t out[4], outer = sir_find_hook(s, 1, 1);
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(sir_rival_phases(s, outer, out, 4), 2);
	assert_int_equal(out[0], sir_find_hook(s, 1, 11));
	assert_int_equal(out[1], sir_find_hook(s, 1, 3));
	assert_int_equal(sir_rival_phases(s, out[1], out, 1), 1);
	assert_int_equal(out[0], outer);
	sir_describe(s, outer, &b);
	assert_string_equal(buf_str(&b), "loop m.c:2-5 in main");
	buf_free(&b);
	sir_free(s);
}

static void without_a_loop_that_works_nothing_is_guessed(void **state)
{
	(void)state;
	/* Loops in loops without call or construct; an unreachable one that has both. */
	guess(DOCUMENT("C",
		UNIT("function", "main", "m.c", 1, 9, 0, "marker phase",
			REGION("loop", "", "m.c", 2, 5, 1, PHASE, REGION("loop", "", "m.c", 3, 4, 2, "", "")))
		UNIT("function", "lost", "m.c", 11, 19, 3, "marker",
			REGION("loop", "", "m.c", 12, 15, 4, PHASE, REGION("call", "x", "m.c", 13, 13, 5, "", "")))),
		-1, "no loop on the way from the main program",
		"candidates: function main m.c:1-9, loop m.c:2-5 in main");
	guess("<sir/>", -1, "no loop", "no region of the program has phase boundaries");
}

static void a_library_is_searched_from_every_unit(void **state)
{
	(void)state;
	guess(DOCUMENT("C", UNIT("function", "solve", "m.c", 1, 9, 0, "marker",
		REGION("loop", "", "m.c", 2, 5, 1, PHASE, REGION("call", "x", "m.c", 3, 3, 2, "", "")))),
		1, "loop m.c:2-5 in solve", NULL);
}

static void static_functions_of_the_callers_file_come_first(void **state)
{
	(void)state;
	guess("<sir><source name='a.c' hash='1' language='C'/><source name='b.c' hash='2' language='C'/>"
		"<unit type='function' name='work' hash='2' index='0'>" POS("b.c", 1, 9)
		REGION("loop", "", "b.c", 2, 5, 1, PHASE, REGION("call", "x", "b.c", 3, 3, 2, "", "")
			REGION("call", "y", "b.c", 4, 4, 3, "", "")) "</unit>"
		UNIT("function", "work", "a.c", 1, 9, 10, "marker",
			REGION("loop", "", "a.c", 2, 5, 11, PHASE, REGION("call", "x", "a.c", 3, 3, 12, "", "")))
		UNIT("function", "main", "a.c", 20, 29, 20, "marker",
			REGION("call", "work", "a.c", 21, 21, 21, "", "")) "</sir>",
		11, "loop a.c:2-5 in work", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_chosen_as_the_table_says),
		cmocka_unit_test(the_only_user_region_is_guessed),
		cmocka_unit_test(several_user_regions_are_not_guessed),
		cmocka_unit_test(the_loop_with_most_below_it_is_guessed),
		cmocka_unit_test(the_outermost_loop_on_the_way_is_guessed),
		cmocka_unit_test(of_equal_loops_the_last_is_guessed),
		cmocka_unit_test(the_loop_in_main_comes_before_a_slightly_larger_one_in_a_test),
		cmocka_unit_test(rivals_are_loops_inside_too_the_largest_first),
		cmocka_unit_test(without_a_loop_that_works_nothing_is_guessed),
		cmocka_unit_test(a_library_is_searched_from_every_unit),
		cmocka_unit_test(static_functions_of_the_callers_file_come_first),
	};

	return cmocka_run_group_tests_name("sir phase", tests, NULL, NULL);
}
