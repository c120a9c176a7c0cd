/* SPDX-License-Identifier: BSD-3-Clause */
/* What a source line does with structures: kinds of walks, and the sentence of a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "report/words/timeline_words.h"

static const struct report_time_structure structures[] = {
	{ .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "", .cause = LEDGER_STACKS } };
enum { A = 1, B, C, NAMELESS };

static struct report_line_walk walk(int line, int structure, bool writes, int size, int64_t step, double share)
{
	return (struct report_line_walk){ .file = "s.c", .line = line, .region = 1, .structure = structure, .writes = writes,
		.size = size, .per = 1, .span = size, .seen = 1000, .step = step, .share = share, .length = NAN };
}

static struct report_line_walk block(int line, int structure, bool writes, double length)
{
	return (struct report_line_walk){ .file = "s.c", .line = line, .region = 1, .structure = structure, .writes = writes,
		.seen = 1, .share = NAN, .length = length };
}

/* The region walks so through structure c, at strides and in streams that the step has. */
static void says_of(struct time_step c, const struct report_line_walk *walks, int n,
	const char *expected)
{
	const struct report_timeline t = { .structures = (struct report_time_structure *)(uintptr_t)structures, .nstructures = 4,
		.line_walks = (struct report_line_walk *)(uintptr_t)walks, .nline_walks = n };
	struct time_structure facts_of[4] = { { .nsteps = 0 } };
	int region_run[2] = { -1, 0 };
	const struct time_facts f = { .t = &t, .structure = facts_of, .region_run = region_run };
	struct buf b = BUF_INIT;

	facts_of[C - 1].nsteps = 1;
	facts_of[C - 1].step[0] = c;
	line_walk_words(&b, &f, 0);
	assert_string_equal(buf_str(&b), expected);
	buf_free(&b);
}

static void says(const struct report_line_walk *walks, int n, const char *expected)
{
	says_of((struct time_step){ .stride = 16 << 20, .streams = 3 }, walks, n, expected);
}

static void moves_have_kinds(void **state)
{
	const struct { struct report_line_walk w; enum line_walk_kind kind; } cases[] = {
		{ walk(1, A, false, 8, 8, 1), LINE_WALK_UP },
		{ walk(1, A, false, 64, -64, 1), LINE_WALK_DOWN },
		{ walk(1, A, false, 8, 40, 0.9), LINE_WALK_STRIDED },
		{ walk(1, A, false, 8, 8, 0.4), LINE_WALK_IRREGULAR },
		{ walk(1, A, false, 8, 0, 0.8), LINE_WALK_STILL },
		{ walk(1, A, false, 8, 8, NAN), LINE_WALK_IRREGULAR },
		{ block(1, A, false, 4096), LINE_WALK_BLOCK },
	};
	(void)state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(line_walk_kind(&cases[i].w), cases[i].kind);
}

static void a_line_is_one_sentence(void **state)
{
	const struct report_line_walk triad[] = { walk(14, A, false, 32, 32, 1), walk(14, B, false, 32, 32, 1), walk(14, C, true, 32, 32, 1),
		walk(15, A, false, 8, 8, 1) };
	const struct report_line_walk gather[] = { walk(12, A, false, 8, 248, 0.01), walk(12, B, false, 4, 4, 1), walk(12, C, true, 8, 8, 1) };
	const struct report_line_walk copy[] = { block(11, A, false, 8000000), block(11, C, true, 8000000) };
	const struct report_line_walk set[] = { block(11, C, true, 4096) };
	const struct report_line_walk strided[] = { walk(16, B, true, 8, -40, 1), walk(16, NAMELESS, false, 8, 0, 1) };
	const struct report_line_walk streams[] = { walk(17, B, false, 8, 16 << 20, 1),
		walk(17, C, false, 8, 16 << 20, 1) };
	(void)state;

	says(triad, 4, "reads a and b forwards, writes c forwards; vectors of 32 bytes");
	says(gather, 3, "reads b forwards, a in no order, writes c forwards; 8 bytes at a time, no vectors");
	says(copy, 2, "copies a to c, 7.63 MiB at a time (memcpy)");
	says(set, 1, "sets c, 4 KiB at a time (memset)");
	says(strided, 2, "reads thread stacks at one place, writes b every 40 B");
	says(streams, 2, "reads b every 16 MiB and c in 3 streams 16 MiB apart");
}

static void what_was_said_is_not_repeated(void **state)
{
	const struct report_line_walk both[] = { walk(3, A, false, 8, 8, 1), walk(3, A, false, 16, 16, 1), walk(3, A, true, 8, 8, 1) };
	(void)state;

	says(both, 3, "reads a forwards, writes a forwards; vectors of 16 bytes");
}

static void a_line_may_go_another_way_than_the_region(void **state)
{
	const struct time_step forwards = { .walk = WALK_UP }, backwards = { .walk = WALK_DOWN };
	const struct report_line_walk up[] = { walk(5, B, false, 8, 8, 1),
		walk(5, C, false, 8, 8, 1), walk(5, C, true, 8, -8, 1) };
	const struct report_line_walk any[] = { walk(6, B, false, 8, 8, 0.1),
		walk(6, C, false, 8, 8, 0.1) };
	(void)state;

	says_of(backwards, up, 3, "reads b forwards, c forwards within pieces, writes c backwards; "
		"8 bytes at a time, no vectors");
	says_of(forwards, up, 3, "reads b and c forwards, writes c backwards within pieces; "
		"8 bytes at a time, no vectors");
	says_of(forwards, any, 2, "reads b in no order, c in no order within pieces");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_have_kinds),
		cmocka_unit_test(a_line_is_one_sentence),
		cmocka_unit_test(what_was_said_is_not_repeated),
		cmocka_unit_test(a_line_may_go_another_way_than_the_region),
	};

	return cmocka_run_group_tests_name("walks of source lines", tests, NULL, NULL);
}
