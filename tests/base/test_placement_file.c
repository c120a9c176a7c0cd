/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement files: what is read, what is refused and where, and what is written is read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/placement_file.h"

#define HEAD "periscope placement 1\n"

static void a_file_has_rules_comments_and_blank_lines(void **state)
{
	static struct placement p;
	struct err err;

	(void)state;
	assert_int_equal(placement_parse("f", "# why\n\n" HEAD "  interleave \"data\" points.c:20\n"
		"bind=3\t\"Node<int>::t\"  src/a b.cc \r\n#\nlocal \"x%b\"\npages=2M \"a \\\"b\" "
			"g.c", &p,
		&err), 0);
	assert_int_equal(p.n, 4);
	assert_int_equal(p.rule[0].action, TRIED_ALL_NODES);
	assert_string_equal(p.rule[0].structure, "data");
	assert_string_equal(p.rule[0].file, "points.c");
	assert_int_equal(p.rule[0].line, 20);
	assert_int_equal(p.rule[1].action, TRIED_ONE_NODE);
	assert_int_equal(p.rule[1].node, 3);
	assert_string_equal(p.rule[1].structure, "Node<int>::t");
	assert_string_equal(p.rule[1].file, "src/a b.cc");
	assert_int_equal(p.rule[1].line, 0);
	assert_int_equal(p.rule[2].action, TRIED_LOCAL_NODE);
	assert_string_equal(p.rule[2].file, "");
	assert_int_equal(p.rule[3].action, TRIED_LARGE_PAGES);
	assert_string_equal(p.rule[3].structure, "a \"b");
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct { const char *text, *message; } bad[] = {
		{ "", "f: the file is empty; it begins with 'periscope placement 1'" },
		{ "interleave \"a\"\n", "f:1:1: a placement file begins with 'periscope "
			"placement 1'" },
		{ "periscope placement 2\n",
			"f:1:21: this version of placement files is not known; version 1 is" },
		{ "periscope placement 10\n",
			"f:1:21: this version of placement files is not known; version 1 is" },
		{ HEAD "spread \"a\"\n",
			"f:2:1: a rule begins with interleave, bind=N, local or pages=2M" },
		{ HEAD "malloc \"a\"\n",
			"f:2:1: a rule begins with interleave, bind=N, local or pages=2M" },
		{ HEAD "\n bind=x \"a\"\n", "f:3:7: bind=N names a memory node, from 0 to 1023" },
		{ HEAD "bind=1024 \"a\"\n", "f:2:6: bind=N names a memory node, from 0 to 1023" },
		{ HEAD "local a\n", "f:2:7: the name of a structure, in double quotes, is "
			"missing" },
		{ HEAD "local \"a\n", "f:2:9: the name has no closing quote" },
		{ HEAD "local \"a\\", "f:2:10: the name has no closing quote" },
		{ HEAD "local \"\"\n", "f:2:8: the name is empty" },
		{ HEAD "local \"a\" b.c:x\n", "f:2:15: a place is FILE or FILE:LINE" },
		{ HEAD "local \"a\" b.c:0\n", "f:2:16: a place is FILE or FILE:LINE" },
		{ HEAD "local \"a\" b.c:9 x\n", "f:2:16: a place is FILE or FILE:LINE" },
		{ HEAD "local \"a\" :9\n", "f:2:12: a place is FILE or FILE:LINE" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		static struct placement p;
		struct err err;

		assert_int_equal(placement_parse("f", bad[i].text, &p, &err), -1);
		assert_string_equal(err.text, bad[i].message);
	}
}

static void names_and_files_and_rules_have_limits(void **state)
{
	struct buf text = BUF_INIT;
	static struct placement p;
	struct err err;

	(void)state;
	buf_puts(&text, HEAD);
	for (int i = 0; i < PLACE_RULES + 1; i++)
		buf_puts(&text, "local \"a\"\n");
	assert_int_equal(placement_parse("f", buf_str(&text), &p, &err), -1);
	assert_string_equal(err.text, "f:66:10: there are more than 64 rules");
	buf_clear(&text);
	buf_printf(&text, HEAD "local \"%0*d\"\n", TRIED_NAME, 0);
	assert_int_equal(placement_parse("f", buf_str(&text), &p, &err), -1);
	assert_non_null(strstr(err.text, "the name is too long"));
	buf_clear(&text);
	buf_printf(&text, HEAD "local \"a\" %0*d\n", PLACE_FILE, 0);
	assert_int_equal(placement_parse("f", buf_str(&text), &p, &err), -1);
	assert_non_null(strstr(err.text, "the name of the file is too long"));
	buf_free(&text);
}

static void what_is_written_is_read_again(void **state)
{
	static const struct place_rule rules[] = {
		{ TRIED_ONE_NODE, 7, "a\\b\" c", "dir/x.f90", 12 },
		{ TRIED_ALL_NODES, 0, "u", "", 0 },
	};
	struct buf text = BUF_INIT;
	static struct placement p;
	struct err err;

	(void)state;
	placement_head(&text);
	for (size_t i = 0; i < 2; i++)
		placement_rule(&text, &rules[i]);
	assert_int_equal(placement_parse("f", buf_str(&text), &p, &err), 0);
	assert_int_equal(p.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(p.rule[i].action, rules[i].action);
		assert_int_equal(p.rule[i].node, rules[i].node);
		assert_string_equal(p.rule[i].structure, rules[i].structure);
		assert_string_equal(p.rule[i].file, rules[i].file);
		assert_int_equal(p.rule[i].line, rules[i].line);
	}
	buf_free(&text);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	static struct placement p;
	struct err err;

	(void)state;
	assert_int_equal(placement_read("/nonexistent/p", &p, &err), -1);
	assert_non_null(strstr(err.text, "/nonexistent/p"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_has_rules_comments_and_blank_lines),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
		cmocka_unit_test(names_and_files_and_rules_have_limits),
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
