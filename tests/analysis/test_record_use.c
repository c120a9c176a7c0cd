/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/measure/copy_use.h"
#include "analysis/measure/record_use.h"
#include "tests/analysis/fixture.h"

#define RECORD(array, type, size, used) \
	"<record type=\"" type "\" " array " size=\"" #size "\" members=\"9\" used=\"" used "\"/>\n"
#define MARKED(type, name, line, inside) \
	"<codeRegion type=\"" type "\" name=\"" name "\" index=\"" #line "\" hook=\"marker\"><position startLine=\"" #line \
	"\" endLine=\"" #line "\"><file name=\"a.c\"/></position>" inside "</codeRegion>\n"
#define PLAIN(type, name, line, inside) \
	"<codeRegion type=\"" type "\" name=\"" name "\"><position startLine=\"" #line "\" endLine=\"" #line \
	"\"><file name=\"a.c\"/></position>" inside "</codeRegion>\n"
#define UNIT(name, line, inside) \
	"<unit type=\"function\" name=\"" name "\" hash=\"aa\"><position startLine=\"" #line "\" endLine=\"" #line \
	"\"><file name=\"a.c\"/></position>" inside "</unit>\n"

/* main has a loop (3), whose inner loop (4) without a marker uses x of p, and calls the light function get()
 * and the function work() with a marker; another loop (6) uses all of p, and one (7) none that is known. */
static const char sir_text[] = "<sir language=\"C\" xmlns=\"http://www.lrr.in.tum.de/Periscope\">\n"
	"<source name=\"a.c\" hash=\"aa\"/>\n"
	UNIT("main", 1,
		MARKED("loop", "", 3, RECORD("array=\"g.cells\"", "cell", 128, "0:8:a")
			PLAIN("loop", "", 4, RECORD("array=\"p\"", "body", 72, "0:8:x")
				RECORD("array=\"q\"", "body", 72, "64:8:mass"))
			PLAIN("call", "get", 4, "")
			MARKED("call", "work", 5, ""))
		MARKED("loop", "", 6, "<copy of=\"block\"/>" RECORD("array=\"p\"", "body", 72,
			"0:8:x 8:8:y 16:8:z 24:8:u 32:8:v 40:8:w 48:8:fx 56:8:fy 64:8:mass"))
		MARKED("loop", "", 7, "<array name=\"p\" type=\"DERIVED\" nelts=\"0\"/>"
			RECORD("", "body", 72, "0:8:x") RECORD("array=\"r\"", "wide", 256, "0:64:head 192:64:tail")))
	UNIT("get", 20, "<array name=\"g.cells\" access=\"r\" index=\"loaded\"/><array name=\"q\" access=\"r\"/>" RECORD("", "body", 72, "8:8:y 8:4:half"))
	UNIT("work", 30, MARKED("loop", "", 31, RECORD("array=\"b\"", "body", 72, "16:8:z")
		"<copy of=\"argument\" for=\"eval\"/><copy of=\"argument\" for=\"eval\"/><copy of=\"section\" for=\"smooth\" line=\"33\"/>"))
	"</sir>\n";
enum { NREGIONS = 10, MAIN = 0, LOOP, INNER, GET, CALL, LOOP6, LOOP7, UNIT_GET, UNIT_WORK, WORK_LOOP };

enum { P = MON_OBJ_FIRST, Q, CELLS, NAMELESS, WIDE, SHORT, NOBJECTS };
enum { C_MAIN, C_LOOP, C_CALL, C_WORK, C_LOOP6, C_LOOP7, NCONTEXTS };

static struct fixture fix;
static struct measurements *p;

static int set_up(void **state)
{
	static const char *const names[NOBJECTS] = { [P] = "p", [Q] = "q", [CELLS] = "g->cells",
		[NAMELESS] = "a.c:9", [WIDE] = "r", [SHORT] = "few" };
	static const struct fixture_context contexts[NCONTEXTS] = { { NO_CONTEXT, MAIN }, { C_MAIN, LOOP },
		{ C_LOOP, CALL }, { C_CALL, WORK_LOOP }, { C_MAIN, LOOP6 }, { C_MAIN, LOOP7 } };

	(void)state;
	if (fixture_open(&fix, sir_text, NREGIONS, "class Region { string name; };\n"))
		return -1;
	fixture_cache(&fix);
	p = fixture_measurements(&fix, 0, 1, contexts, NCONTEXTS);
	fixture_objects(p, "a.c", names, NOBJECTS);
	for (uint32_t o = P; o < NOBJECTS; o++)
		p->objects[o].size = 72 * 128;
	p->objects[SHORT].size = 72 * 15;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	measured_free(p);
	fixture_close(&fix);
	return 0;
}

static void members_are_those_of_the_context_and_of_light_functions_it_calls(void **state)
{
	struct record_use use;

	(void)state;
	assert_true(record_use_find(p, C_LOOP, P, false, &use));
	assert_string_equal(use.type, "body");
	assert_int_equal(use.size, 72);
	assert_int_equal(use.members, 9);
	assert_int_equal(use.nused, 3);         /* not mass, which is q's */
	assert_string_equal(use.used[0].name, "x");
	assert_int_equal(use.bytes, 16);        /* y and half overlap */
	/* work() has a marker, so it is a context of its own. */
	assert_true(record_use_find(p, C_LOOP, P, true, &use));
	assert_int_equal(use.nused, 4);
	assert_int_equal(use.bytes, 24);
	assert_true(record_use_find(p, C_WORK, P, false, &use));
	assert_string_equal(use.used[0].name, "z");
}

static void names_of_members_are_spelled_as_the_language_likes(void **state)
{
	struct record_use use;

	(void)state;
	assert_true(record_use_find(p, C_LOOP, CELLS, false, &use));
	assert_string_equal(use.type, "cell");
	assert_int_equal(use.bytes, 8);
}

static void a_structure_that_no_record_names_has_the_only_type_of_its_size(void **state)
{
	struct record_use use;

	(void)state;
	/* The loop's records that belong to no structure are those of get(). */
	assert_true(record_use_find(p, C_LOOP, NAMELESS, false, &use));
	assert_string_equal(use.type, "body");
	assert_int_equal(use.bytes, 8);
	p->objects[NAMELESS].elem = 8;
	assert_false(record_use_find(p, C_LOOP, NAMELESS, false, &use));
	p->objects[NAMELESS].elem = 72;
	assert_true(record_use_find(p, C_LOOP, NAMELESS, false, &use));
}

static void what_is_no_array_of_records_partly_used_has_none(void **state)
{
	struct record_use use;

	(void)state;
	assert_false(record_use_find(p, C_LOOP6, P, false, &use));      /* all members */
	assert_false(record_use_find(p, C_MAIN, P, true, &use));        /* all of them in one loop */
	assert_false(record_use_find(p, C_LOOP7, P, false, &use));      /* p is something else there */
	assert_false(record_use_find(p, C_LOOP, SHORT, false, &use));   /* fewer than 16 records */
	assert_false(record_use_find(p, C_LOOP, MON_ANY, true, &use));
	assert_false(record_use_find(p, NCONTEXTS, P, true, &use));
	assert_null(record_use_text(p, C_LOOP6, P));
	p->objects[P].size = 72 * 16 + 8;                               /* no whole number of records */
	assert_false(record_use_find(p, C_LOOP, P, false, &use));
	p->objects[P].elem = 72;                                        /* with a header */
	assert_true(record_use_find(p, C_LOOP, P, false, &use));
}

static void the_text_counts_members_and_bytes(void **state)
{
	const char *text = record_use_text(p, C_WORK, P);

	(void)state;
	/* All members are used in the phase. */
	assert_string_equal(text, "1 of 9 members is used there (8 of 72 bytes; all in the phase)");
	assert_ptr_equal(record_use_text(p, C_WORK, P), text);
	assert_string_equal(record_use_names(p, C_WORK, P), "z");
	assert_string_equal(record_use_text(p, C_LOOP, P), "4 of 9 members are used there (24 of 72 bytes; all in the phase)");
	assert_string_equal(record_use_names(p, C_LOOP, P), "x, y, half, z");
}

/* Of the phase, which is the loop: its contexts use x, y and half, or z. */
static void each_region_of_a_phase_names_the_members_that_it_uses(void **state)
{
	struct tally t = { .loads = 1000 };

	(void)state;
	t.estimate.memory[MEMORY_STREAM] = 1;
	p->contexts[C_MAIN].region = LOOP;
	p->contexts[C_MAIN].child = C_CALL;
	assert_string_equal(record_use_text(p, C_WORK, P), "1 of 9 members is used there (8 of 72 bytes; 4 in the phase)");
	assert_string_equal(record_use_names(p, C_WORK, P), "z");
	assert_string_equal(record_use_text(p, C_MAIN, P), "4 of 9 members are used in the phase (24 of 72 bytes)");
	assert_string_equal(record_use_names(p, C_MAIN, P), "x, y, half, z");
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), KIND_RECORD);
	assert_int_equal(measured_memory_kind(p, C_MAIN, P, &t), KIND_RECORD);
}

static void the_members_of_a_phase_are_common_where_each_loop_uses_them(void **state)
{
	static const struct mon_count_row row = { .context = C_WORK, .object = P, .loads = 1000 };
	struct record_use use;

	(void)state;
	p->contexts[C_MAIN].region = LOOP;
	p->contexts[C_MAIN].child = C_CALL;
	assert_true(record_use_common(p, P, &use));
	assert_int_equal(use.nused, 4);
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_false(record_use_common(p, P, &use));
	assert_false(record_use_common(p, NOBJECTS, &use));
}

/* get(), a light function, has cells[idx[i]]. */
static void an_index_is_that_of_the_context_and_of_what_it_calls(void **state)
{
	(void)state;
	assert_true(record_use_indexed(p, C_LOOP, CELLS));
	assert_true(record_use_indexed(p, C_MAIN, CELLS));
	assert_false(record_use_indexed(p, C_WORK, CELLS));
	assert_false(record_use_indexed(p, C_LOOP, Q));
	assert_false(record_use_indexed(p, C_LOOP, MON_ANY));
}

/* As small heap blocks and arrays are named. */
static void a_byte_of_a_record_is_a_member(void **state)
{
	(void)state;
	assert_string_equal(record_member_at(p, Q, 64), "mass");
	assert_string_equal(record_member_at(p, Q, 72 + 71), "mass");
	assert_null(record_member_at(p, Q, 40));
	assert_null(record_member_at(p, MON_ANY, 0));
	free(p->objects[SHORT].name);
	p->objects[SHORT].name = strdup("struct cell");
	assert_string_equal(record_member_at(p, SHORT, 7), "a");
	free(p->objects[SHORT].name);
	p->objects[SHORT].name = strdup("struct cells");
	assert_null(record_member_at(p, SHORT, 7));
}

static void lines_are_counted_at_every_position_of_a_record(void **state)
{
	struct record_use one = { .size = 64, .nused = 1, .used = { { "x", 0, 8 } } };
	struct record_use far = { .size = 192, .nused = 2, .used = { { "x", 0, 8 }, { "y", 184, 8 } } };
	struct record_use odd = { .size = 72, .nused = 1, .used = { { "x", 0, 24 } } };
	struct record_use small = { .size = 16, .nused = 1, .used = { { "x", 0, 8 } } };
	struct record_lines n;

	(void)state;
	n = record_lines_of(&one, 64);
	assert_true(n.walked == 1 && n.alone == 1);
	n = record_lines_of(&far, 64);
	assert_true(n.walked == 2 && n.alone == 2);
	/* 8 records of 72 bytes on 9 lines, at 0, 8 ... 56: from 48 on x is on two lines, the second of which
	 * is the first one of the next record. */
	n = record_lines_of(&odd, 64);
	assert_true(n.walked == 9. / 8 && n.alone == 10. / 8);
	n = record_lines_of(&small, 64);
	assert_true(n.walked == 0.25 && n.alone == 1);
	n = record_lines_packed(24, 64);        /* 8 on 3 lines; those at 48 and 56 + 64 are on two */
	assert_true(n.walked == 3. / 8 && n.alone == 10. / 8);
}

static void split_leaves_the_lines_of_the_members_used(void **state)
{
	struct record_split split = record_split_of(p, C_LOOP, CELLS);

	(void)state;
	assert_true(split.walked == 1. / 8 && split.alone == 1);
	split = record_split_of(p, C_LOOP6, P);
	assert_true(split.walked == 1 && split.alone == 1);
}

/* Of the code of the context and of those inside it. */
static void copies_are_named_with_the_calls_that_they_are_for(void **state)
{
	struct copy_use use;
	char text[64];

	(void)state;
	copy_use_find(p, C_LOOP6, MON_ANY, &use);
	assert_string_equal(copy_use_name(&use), "BLOCK");
	assert_int_equal(use.callees, 0);
	copy_use_callees(&use, text, sizeof text);
	assert_string_equal(text, "");
	copy_use_find(p, C_LOOP, MON_ANY, &use);
	assert_string_equal(copy_use_name(&use), "SECTION");
	copy_use_callees(&use, text, sizeof text);
	assert_string_equal(text, "eval, smooth");
	use.callees = 5;
	use.callee[2] = "third";
	copy_use_callees(&use, text, sizeof text);
	assert_string_equal(text, "eval, smooth, third and 2 more");
	copy_use_callees(&use, text, 8);
	assert_string_equal(text, "eval, s");
	/* Of a structure, those on the line of its misses, if any are there. */
	p->sites = calloc(2, sizeof *p->sites);
	assert_non_null(p->sites);
	p->sites[0] = (struct site_misses){ .context = C_WORK, .object = P, .line = 32, .first = 1 };
	p->sites[1] = (struct site_misses){ .context = C_WORK, .object = P, .line = 33, .first = 9 };
	p->nsites = 2;
	copy_use_find(p, C_WORK, P, &use);
	assert_int_equal(use.callees, 1);
	assert_string_equal(use.callee[0], "smooth");
	p->sites[0].first = 10;
	copy_use_find(p, C_WORK, P, &use);
	assert_int_equal(use.callees, 2);
	copy_use_find(p, C_LOOP7, P, &use);
	assert_string_equal(copy_use_name(&use), "NO_COPIES");
}

/* One record of 72 bytes, of which 8 are used; cells of 128, of which 8 are. */
static void the_kind_is_record_where_the_records_explain_the_misses(void **state)
{
	struct tally t = { .loads = 1000 };

	(void)state;
	t.estimate.memory[MEMORY_STREAM] = 1;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), KIND_RECORD);
	assert_int_equal(measured_memory_kind(p, C_LOOP6, P, &t), MEMORY_STREAM);
	assert_int_equal(measured_memory_kind(p, C_LOOP, MON_ANY, &t), MEMORY_STREAM);
	/* Single records cost a line each, split or not. */
	t.estimate.memory[MEMORY_GATHER] = 2;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_GATHER);
	/* The next record of 72 bytes is mostly on the next line: such a step is another loop's. */
	t.estimate.memory[MEMORY_STRIDED] = 3;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_STRIDED);
	assert_int_equal(measured_memory_kind(p, C_LOOP, CELLS, &t), KIND_RECORD);
	/* Steps of a record are that, also where half of it is used, in lines of its own. */
	assert_int_equal(measured_memory_kind(p, C_LOOP7, WIDE, &t), KIND_RECORD);
	/* ... but not where members are read to and fro, line by line: a page walk in 64 misses. */
	t.load_miss[0] = 6400;
	t.stream_load[0] = 3000;
	t.walks[0] = 100;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), KIND_RECORD);
	t.walks[0] = 400;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_STRIDED);
	t.walks[0] = 0;         /* large steps in an array whose pages fit the translation cache */
	t.stream_load[0] = 1800;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_STRIDED);
	t.load_miss[0] = t.stream_load[0] = 0;
	t.estimate.memory[MEMORY_CHAINED] = 4;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_CHAINED);
	t.estimate.walks = 6;           /* an array instead of the chain saves the walks too */
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), MEMORY_CHAINED);
	t.estimate.memory[MEMORY_GATHER] = 5;
	t.estimate.walks = 8;
	assert_int_equal(measured_memory_kind(p, C_WORK, P, &t), KIND_TLB);
	t.estimate.memory[MEMORY_GATHER] = 2;
	/* A step of more than a page: the other loop innermost saves the walks too. */
	t.estimate.memory[MEMORY_STRIDED] = 5;
	t.estimate.walks = 14;
	assert_int_equal(measured_memory_kind(p, C_LOOP, CELLS, &t), MEMORY_STRIDED);
	assert_string_equal(miss_kind_name(memory_kind_of(KIND_RECORD)), "record");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			members_are_those_of_the_context_and_of_light_functions_it_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_of_members_are_spelled_as_the_language_likes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_structure_that_no_record_names_has_the_only_type_of_its_size, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_array_of_records_partly_used_has_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_text_counts_members_and_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_region_of_a_phase_names_the_members_that_it_uses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_members_of_a_phase_are_common_where_each_loop_uses_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(copies_are_named_with_the_calls_that_they_are_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_index_is_that_of_the_context_and_of_what_it_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_byte_of_a_record_is_a_member, set_up, tear_down),
		cmocka_unit_test(lines_are_counted_at_every_position_of_a_record),
		cmocka_unit_test_setup_teardown(split_leaves_the_lines_of_the_members_used, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_kind_is_record_where_the_records_explain_the_misses, set_up,
			tear_down),
	};

	return cmocka_run_group_tests_name("record use", tests, NULL, NULL);
}
