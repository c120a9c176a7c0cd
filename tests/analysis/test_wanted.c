/* SPDX-License-Identifier: BSD-3-Clause */
/* Which contexts and structures a .sir file asks for: a phase that calls f twice, from two places,
 * with a loop in f. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/search/wanted.h"
#include "tests/analysis/fixture.h"

static const char program[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "a.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "a.c", 9, 80,
			FIXTURE_REGION(1, "call", "f", "a.c", 20, 20, "")
			FIXTURE_REGION(1, "call", "f", "a.c", 30, 30, "")))
	FIXTURE_UNIT(2, "f", "f.c", 4, 60,
		FIXTURE_REGION(2, "loop", "", "f.c", 8, 50, "")));

enum { R_MAIN, R_PHASE, R_CALL, R_OTHER_CALL, R_F, R_LOOP, NREGIONS };
enum { PHASE, CALL, F, LOOP, UNKNOWN, OTHER_CALL, OTHER_F, NCONTEXTS };

/* Code without a region lies in f's loop. */
static const struct fixture_context contexts[NCONTEXTS] = {
	[PHASE] = { NO_CONTEXT, R_PHASE }, [CALL] = { PHASE, R_CALL }, [F] = { CALL, R_F },
	[LOOP] = { F, R_LOOP }, [UNKNOWN] = { LOOP, SIR_NONE },
	[OTHER_CALL] = { PHASE, R_OTHER_CALL }, [OTHER_F] = { OTHER_CALL, R_F },
};

struct asking {
	struct fixture f;
	struct measurements *measured;
	struct sir_asked *asked;
	struct wanted wanted;
};

static int set_up(void **state)
{
	static struct asking a;
	static const char *const names[] = { "table", "index", NULL };

	a = (struct asking){ 0 };
	*state = &a;
	if (fixture_open(&a.f, program, NREGIONS, "class SeqPerf { float exec_time; };"))
		return -1;
	a.measured = fixture_measurements(&a.f, 0, 1, contexts, NCONTEXTS);
	fixture_objects(a.measured, "a.c", names, 3);
	return 0;
}

static int tear_down(void **state)
{
	struct asking *a = *state;

	wanted_free(&a->wanted);
	sir_asked_free(a->asked);
	measured_free(a->measured);
	fixture_close(&a->f);
	return 0;
}

static void ask(struct asking *a, const char *text)
{
	struct err err = { "" };

	a->asked = sir_asked_new("my.sir", text, strlen(text), &err);
	assert_string_equal(err.text, "");
	assert_int_equal(sir_asked_match(a->asked, a->f.sir, &err), 0);
	a->measured->asked = a->asked;
	assert_int_equal(wanted_find(&a->wanted, a->measured), 0);
}

static unsigned contexts_of(const struct asking *a,
	bool (*is)(const struct wanted *w, uint32_t context))
{
	unsigned bits = 0;

	for (uint32_t c = 0; c < NCONTEXTS; c++)
		bits |= (unsigned)is(&a->wanted, c) << c;
	return bits;
}

#define ASKED(inside) "<sir language='C'>" inside "</sir>"
#define UNIT_F(inside) \
	"<unit type='subroutine' name='f'><position startLine='4' endLine='60'>" \
	"<file name='f.c'/></position>" inside "</unit>"

static void without_a_file_all_is_wanted(void **state)
{
	struct asking *a = *state;

	assert_int_equal(wanted_find(&a->wanted, a->measured), 0);
	assert_int_equal(contexts_of(a, wanted_context), (1u << NCONTEXTS) - 1);
	assert_int_equal(contexts_of(a, wanted_way), (1u << NCONTEXTS) - 1);
	assert_true(wanted_object(&a->wanted, 1));
}

/* All callers of a function that is asked for are on the way to it. */
static void a_function_is_wanted_wherever_it_is_called(void **state)
{
	struct asking *a = *state;

	ask(a, ASKED(UNIT_F("")));
	assert_int_equal(contexts_of(a, wanted_context), 1u << F | 1u << OTHER_F);
	assert_int_equal(contexts_of(a, wanted_way),
		1u << PHASE | 1u << CALL | 1u << F | 1u << OTHER_CALL | 1u << OTHER_F);
	assert_true(wanted_object(&a->wanted, 0) && wanted_object(&a->wanted, 1));
}

static void code_without_a_region_belongs_to_that_around_it(void **state)
{
	struct asking *a = *state;

	ask(a, ASKED(UNIT_F("<codeRegion type='loop' name=''>"
		"<position startLine='8' endLine='50'><file name='f.c'/></position>"
		"</codeRegion>")));
	assert_true(wanted_context(&a->wanted, LOOP) && wanted_context(&a->wanted, UNKNOWN));
	assert_false(wanted_context(&a->wanted, CALL));
	assert_true(wanted_way(&a->wanted, CALL));
}

static void structures_are_wanted_by_their_name_or_by_that_of_an_argument(void **state)
{
	static struct measured_alias aliases[] = {
		{ .object = 1, .unit = R_F }, { .object = 7, .unit = R_F } };
	struct asking *a = *state;

	aliases[0].name = aliases[1].name = (char *)"v";
	a->measured->aliases = aliases;
	a->measured->naliases = 2;      /* the second one is of no structure that there is */
	ask(a, ASKED(UNIT_F("<array name='v' class='dummy'/>")));
	a->measured->aliases = NULL;
	a->measured->naliases = 0;
	assert_false(wanted_object(&a->wanted, 0));
	assert_true(wanted_object(&a->wanted, 1));
	assert_false(wanted_object(&a->wanted, 2));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_file_all_is_wanted),
		TEST(a_function_is_wanted_wherever_it_is_called),
		TEST(code_without_a_region_belongs_to_that_around_it),
		TEST(structures_are_wanted_by_their_name_or_by_that_of_an_argument),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
