/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/options.h"

enum { WORDS = 24 };

/* getopt writes to the words, so they are copied. */
static int parse(struct frontend_options *o, struct err *err, const char *line)
{
	static char text[1024];
	char *argv[WORDS] = { (char *)"psc_frontend" }, *save = NULL;
	int argc = 1;

	strcpy(text, line);
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	optind = 0;
	err->text[0] = '\0';
	return options_parse(o, argc, argv, err);
}

static void the_users_line_is_understood(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app ./lu --phase ssor.f:109 -- 64 3"), 0);
	assert_string_equal(o.phase, "ssor.f:109");
	assert_int_equal(o.ncommand, 3);
	assert_string_equal(o.command[0], "./lu");
	assert_string_equal(o.command[2], "3");
	assert_null(o.command[3]);
	assert_int_equal(o.delay, 1);
	assert_int_equal(o.clean, 5);
	assert_int_equal(o.sample, 1);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--sample 8 --app x"), 0);
	assert_int_equal(o.sample, 8);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--phase a.c:3 -- mpirun -np 2 ./a --phase x"), 0);
	assert_string_equal(o.command[0], "mpirun");
	assert_int_equal(o.ncommand, 6);
	options_free(&o);
}

static void property_lists_add_up(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--properties paper,./my.asl --properties memory "
		"--set A=1 --set B.c=2 --app x"), 0);
	assert_int_equal(o.nproperties, 3);
	assert_string_equal(o.properties[1], "./my.asl");
	assert_int_equal(o.nsettings, 2);
	options_free(&o);
}

static void every_mistake_is_named(void **state)
{
	static const struct { const char *line, *says; } cases[] = {
		{ "", "no program is given" },
		{ "--phase a.c:1", "no program is given" },
		{ "--app", "--app needs a value" },
		{ "--foo --app x", "unknown option '--foo'" },
		{ "--app x 64", "'64': the program's arguments come after --" },
		{ "--app x --clean 0", "--clean takes a whole number from 1 to 64, not '0'" },
		{ "--app x --max-slowdown 60", "--max-slowdown takes a time from 0.001s to 1000000s, a factor" },
		{ "--app x --sample 0", "--sample takes a whole number from 1 to 4096, not '0'" },
		{ "--app x --sample 1/8", "not '1/8'" },
		{ "--app x --delay -1", "--delay takes a whole number" },
		{ "--app x --delay 3x", "not '3x'" },
		{ "--app x --confidence 1.5", "--confidence takes a number from 0 to 1" },
		{ "--app x --strategy best", "--strategy takes one of share, paper, not 'best'" },
		{ "--app x --set A", "--set takes NAME=VALUE, not 'A'" },
		{ "--app x --color red", "auto, always, never" },
		{ "--stop me", "--stop takes a whole number" },
	};
	struct frontend_options o;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(parse(&o, &err, cases[i].line), -1);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s' said '%s'", cases[i].line, err.text);
		options_free(&o);
	}
}

static void limits_of_a_recorded_execution_are_understood(void **state)
{
	static const struct { const char *line; uint64_t ns; uint32_t percent; } cases[] = {
		{ "--app x", 60000000000u, 0 },
		{ "--app x --max-slowdown 1.5s", 1500000000u, 0 },
		{ "--app x --max-slowdown 20x", 0, 2000 },
		{ "--app x --max-slowdown none", 0, 0 },
		{ "--app x --max-slowdown none --max-slowdown=2s", 2000000000u, 0 },
	};
	struct frontend_options o;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(parse(&o, &err, cases[i].line), 0);
		assert_int_equal(o.slow_ns, cases[i].ns);
		assert_int_equal(o.slow_percent, cases[i].percent);
		options_free(&o);
	}
}

static void fixes_to_try_are_understood(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--what-if --what-if b --what-if=ns::v:pad,hit "
		"--what-if g->edges:pad=4096 --app x"), 0);
	assert_int_equal(o.nwhat_if, 4);
	assert_string_equal(o.what_if[0].structure, "");
	assert_int_equal(o.what_if[0].fixes, 0);
	assert_string_equal(o.what_if[1].structure, "b");
	assert_string_equal(o.what_if[2].structure, "ns::v");
	assert_int_equal(o.what_if[2].fixes, FIX_PAD | FIX_HIT);
	assert_string_equal(o.what_if[3].structure, "g->edges");
	assert_int_equal(o.what_if[3].fixes, FIX_ROWS);
	assert_int_equal(o.what_if[3].row, 4096);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--what-if ns::v --app x"), 0);
	assert_string_equal(o.what_if[0].structure, "ns::v");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--verify b --what-if=c --verify ns::v --app x"), 0);
	assert_int_equal(o.nwhat_if, 3);
	assert_string_equal(o.what_if[0].structure, "b");
	assert_int_equal(o.what_if[0].fixes, FIX_VERIFY);
	assert_int_equal(o.what_if[1].fixes, 0);
	assert_string_equal(o.what_if[2].structure, "ns::v");
	options_free(&o);
}

static void bad_fixes_are_named(void **state)
{
	static const struct { const char *line, *words; } bad[] = {
		{ "--what-if b:pda --app x", "not 'pda'" },
		{ "--what-if b:verify --app x", "not 'verify'" },
		{ "--verify= --app x", "name of a structure" },
		{ "--what-if b: --app x", "not ''" },
		{ "--what-if b:pad, --app x", "not ''" },
		{ "--what-if :pad --app x", "STRUCTURE" },
		{ "--what-if b:pad=0 --app x", "not '0'" },
		{ "--what-if b:pad=-8 --app x", "not '-8'" },
		{ "--what-if b:pad=4k --app x", "not '4k'" },
		{ "--what-if b:pad=8,pad=16 --app x", "twice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct frontend_options o;
		struct err err;

		assert_int_equal(parse(&o, &err, bad[i].line), -1);
		if (!strstr(err.text, bad[i].words))
			fail_msg("%s: %s", bad[i].line, err.text);
		options_free(&o);
	}
}

static void names_are_not_abbreviated(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--phas a.c:3 --app x"), -1);
	assert_string_equal(err.text, "'--phas' is abbreviated: write --phase");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--phas=a.c:3 --app x"), -1);
	assert_string_equal(err.text, "'--phas' is abbreviated: write --phase");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--phase=a.c:3 --app x --quiet"), 0);
	assert_string_equal(o.phase, "a.c:3");
	assert_true(o.quiet);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --qui"), -1);
	assert_string_equal(err.text, "'--qui' is abbreviated: write --quiet");
	options_free(&o);
	/* the value of an option is no option */
	assert_int_equal(parse(&o, &err, "--app x --output --qui"), 0);
	assert_string_equal(o.output, "--qui");
	options_free(&o);
}

static void options_of_a_launcher_belong_behind_the_dashes(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app mpirun -np 2 ./x"), -1);
	assert_non_null(strstr(err.text, "'-np' is not an option of psc_frontend"));
	assert_non_null(strstr(err.text, "--app mpirun -- -np"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app mpirun --machne x"), -1);
	assert_non_null(strstr(err.text, "did you mean '--machine'?"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --phase"), -1);
	assert_string_equal(err.text, "--phase needs a value");
	options_free(&o);
}

static void names_of_files_are_expanded(void **state)
{
	struct frontend_options o;
	struct err err;
	char host[300] = "", want[400];

	(void)state;
	gethostname(host, sizeof host - 1);
	snprintf(want, sizeof want, "lu.%s.%ld.html", host, (long)getpid());
	assert_int_equal(parse(&o, &err, "--app x --html lu.%h.%p.html -o %t --csv 100%.csv --json a%%h"), 0);
	assert_string_equal(o.html, want);
	assert_int_equal(strlen(o.output), strlen("20260102-150405"));
	assert_int_equal(o.output[8], '-');
	assert_string_equal(o.csv, "100%.csv");
	assert_string_equal(o.json, "a%h");
	assert_null(o.psc);
	assert_false(o.no_source);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --html lu.html --no-source"), 0);
	assert_true(o.no_source);
	options_free(&o);
}

static void a_threshold_is_a_share(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app x --threshold 10%"), 0);
	assert_true(o.threshold > 0.0999 && o.threshold < 0.1001);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold 0.2"), 0);
	assert_true(o.threshold > 0.1999 && o.threshold < 0.2001);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold 10"), -1);
	assert_non_null(strstr(err.text, "0.1 or 10%"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold %"), -1);
	assert_int_equal(parse(&o, &err, "--app x --threshold ten"), -1);
	options_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_users_line_is_understood),
		cmocka_unit_test(property_lists_add_up),
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(limits_of_a_recorded_execution_are_understood),
		cmocka_unit_test(fixes_to_try_are_understood),
		cmocka_unit_test(bad_fixes_are_named),
		cmocka_unit_test(names_are_not_abbreviated),
		cmocka_unit_test(options_of_a_launcher_belong_behind_the_dashes),
		cmocka_unit_test(names_of_files_are_expanded),
		cmocka_unit_test(a_threshold_is_a_share),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
