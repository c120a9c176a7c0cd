/* SPDX-License-Identifier: BSD-3-Clause */
/* What pictures hide, and how it is told: time, strides, structures without rows, edges of columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "report/words/timeline_words.h"
#include "tests/report/made_timeline.h"

typedef void writer(struct buf *b, const struct time_facts *f);

static void says(struct made *m, writer *write, const char *want)
{
	struct time_facts *f = time_facts_new(&m->t);
	struct buf b = BUF_INIT;

	write(&b, f);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
	time_facts_free(f);
}

static void reading(struct buf *b, const struct time_facts *f)
{
	timeline_reading(b, f, VIEW_TIMELINE);
}

static void brief(struct buf *b, const struct time_facts *f)
{
	timeline_walk(b, f, 0, true);
}

static void whole(struct buf *b, const struct time_facts *f)
{
	timeline_structure_claim(b, f, 0);
}

/* --- time --------------------------------------------------------------------------------------- */

/* sort makes 24 of 32 columns, push the others. */
static struct made *two_sections(double sort, double push)
{
	struct made *m = made_new(1);
	const int a = made_region(m, "a.c:sort/loop 1", 0), b = made_region(m, "a.c:push/loop 1", 0);
	const int s = made_structure(m, "x");

	made_use(m, &(struct made_use){ a, s, 0, 0, 24, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ b, s, 0, 24, 32, 0, 16, MADE_UP, false, 1000 });
	m->regions[0].time = sort;
	m->regions[1].time = push;
	return m;
}

static void time_that_accesses_hide_is_shown_and_told(void **state)
{
	struct made *m = two_sections(0.2, 0.8);
	struct time_facts *f = time_facts_new(&m->t);

	(void)state;
	assert_true(time_pace_uneven(&f->pace));
	assert_int_equal(f->pace.section, 2);
	assert_true(fabs(f->pace.moved - 0.55) < 1e-9);
	time_facts_free(f);
	says(m, reading, "Left to right: one execution, in 32 columns of 1000 accesses. push makes 25% of the accesses, and "
		"takes 80% of the time. Top to bottom: addresses, from the first byte used to the last. ");
	made_free(m);
}

/* push is called twice: its time is that of both calls. */
static void calls_of_a_function_are_told_as_one(void **state)
{
	struct made *m = made_new(1);
	const int sort = made_region(m, "a.c:sort/loop 1", 0), s = made_structure(m, "x");
	const int first = made_region(m, "a.c:main/call push 1 > a.c:push/loop 1", 0);
	const int second = made_region(m, "a.c:main/call push 2 > a.c:push/loop 1", 0);
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ sort, s, 0, 0, 24, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ first, s, 0, 24, 28, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ second, s, 0, 28, 32, 0, 16, MADE_UP, false, 1000 });
	m->regions[0].time = 0.2;
	m->regions[1].time = m->regions[2].time = 0.4;
	f = time_facts_new(&m->t);
	assert_int_equal(f->pace.section, first);
	assert_true(fabs(f->pace.time - 0.8) < 1e-9);
	assert_true(fabs(f->pace.accesses - 0.25) < 1e-9);
	time_facts_free(f);
	made_free(m);
}

static void time_that_goes_with_the_accesses_is_not_told(void **state)
{
	struct made *m = two_sections(0.7, 0.3);
	struct time_facts *f = time_facts_new(&m->t);

	(void)state;
	assert_true(f->pace.known);
	assert_false(time_pace_uneven(&f->pace));
	time_facts_free(f);
	made_free(m);
}

static void time_of_few_regions_says_nothing(void **state)
{
	struct made *m = two_sections(NAN, 0.8);
	struct time_facts *f = time_facts_new(&m->t);

	(void)state;
	assert_false(f->pace.known);
	assert_false(time_pace_uneven(&f->pace));
	time_facts_free(f);
	made_free(m);
}

static void time_without_accesses_is_not_on_the_axis_but_told(void **state)
{
	struct made *m = two_sections(0.7, 0.3);
	const int wait = made_region(m, "a.c:wait/parallel 1", 0);
	struct time_facts *f;

	(void)state;
	m->regions[2].time = 3;
	made_use(m, &(struct made_use){ wait, 1, 0, 31, 32, 0, 1, MADE_UP, false, 10 });
	f = time_facts_new(&m->t);
	assert_false(time_pace_uneven(&f->pace));
	assert_true(f->pace.of_region[1] > 0 && f->pace.of_region[wait] == 0);
	time_facts_free(f);
	says(m, timeline_untimed, "75% of the time is in regions with hardly any accesses, as where threads wait, or other "
		"programs have the processor. The axis of time lacks it.");
	made_free(m);
}

/* --- strides ------------------------------------------------------------------------------------ */

/* A structure that is read as a whole; its line 11 has all misses, and moves by `step`. */
static struct made *strided(struct report_line_walk *walk, struct report_time_line *line, int64_t step)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:sum/loop 1", 0), s = made_structure(m, "x");

	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_ALL, false, 800 });
	m->cells[0].misses[0] = made_flat(m, 0, 32, 400);
	*walk = (struct report_line_walk){ "a.c", 11, r, s, false, 8, 1, 8, 1000, step, 0.99, NAN };
	*line = (struct report_time_line){ .file = "a.c", .line = 11, .region = r, .structure = s,
		.first_misses = made_flat(m, 0, 32, 400) };
	m->t.line_walks = walk;
	m->t.nline_walks = 1;
	m->t.lines = line;
	m->t.nlines = 1;
	return m;
}

static void a_walk_of_all_tells_the_step_that_misses(void **state)
{
	struct report_line_walk walk;
	struct report_time_line line;
	struct made *m = strided(&walk, &line, -4096);

	(void)state;
	says(m, brief, "read as a whole in steps of 4 KiB again and again");
	says(m, whole, "x: read as a whole in steps of 4 KiB, each byte about 13 times");
	m->t.rows = m->t.nmaps = 0;
	says(m, brief, "read in steps of 4 KiB");
	made_free(m);
}

static void a_step_within_a_line_or_of_few_misses_is_not_told(void **state)
{
	struct report_line_walk walk;
	struct report_time_line line;
	struct made *m = strided(&walk, &line, 40);

	(void)state;
	says(m, brief, "read as a whole again and again");
	made_free(m);
	m = strided(&walk, &line, 4096);
	line.first_misses = made_flat(m, 0, 32, 40);
	says(m, brief, "read as a whole again and again");
	made_free(m);
}

/* --- what is missing ---------------------------------------------------------------------------- */

static void what_is_not_drawn_is_counted_and_said(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), a = made_structure(m, "a"), b = made_structure(m, "b");

	(void)state;
	for (int k = 0; k < 2; k++) {
		made_use(m, &(struct made_use){ r, a, k, 0, 32, 0, 16, MADE_ALL, false, 800 });
		made_use(m, &(struct made_use){ r, b, k, 0, 32, 0, 16, MADE_ALL, false, 200 });
	}
	says(m, timeline_missing, "");
	m->t.nmaps = 3;                 /* b, thread 1 */
	says(m, timeline_missing, "Not drawn by address: b, with 10% of the accesses.");
	m->t.undrawn = 12;
	m->t.left_out = 100;
	says(m, timeline_missing, "100 accesses are not in it: their columns did not fit into the log. Not drawn by address: b, "
		"with 10% of the accesses. 12 records, misses and lines of the sample by address found no room: the pictures lack "
		"what they stand for.");
	m->t.rows = m->t.nmaps = 0;     /* nothing was to be drawn */
	m->t.undrawn = m->t.left_out = 0;
	says(m, timeline_missing, "");
	made_free(m);
}

static void few_accesses_may_be_without_a_record(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), a = made_structure(m, "a"), b = made_structure(m, "b");

	(void)state;
	made_use(m, &(struct made_use){ r, a, 0, 0, 32, 0, 16, MADE_ALL, false, 800 });
	made_use(m, &(struct made_use){ r, b, 0, 0, 4, 0, 16, MADE_ALL, false, 1000 });
	m->t.nmaps = 1;
	says(m, timeline_missing, "");
	made_free(m);
}

static void a_sample_of_sets_is_said(void **state)
{
	struct made *m = two_sections(NAN, NAN);

	(void)state;
	m->t.sample_share = 0.25;
	says(m, timeline_missing, "Misses are estimated from 25% of the cache sets.");
	made_free(m);
}

/* --- edges -------------------------------------------------------------------------------------- */

/* Two threads use a structure in `common` columns together, after `before` of the first one. */
static int pattern(int before, int common)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	const int last = made_structure(m, "last");     /* the axis has the length of the threads */
	struct time_facts *f;
	int found;

	for (int k = 0; k < 2; k++) {
		made_use(m, &(struct made_use){ r, s, k, k * before, before + common + k * before, 0, 16, MADE_ALL, false, 1000 });
		made_use(m, &(struct made_use){ r, last, k, 31, 32, 0, 16, MADE_ALL, true, 1000 });
		made_mark(m, k, 0, 32000);
	}
	f = time_facts_new(&m->t);
	found = f->structure[0].pattern;
	time_facts_free(f);
	made_free(m);
	return found;
}

static void columns_in_which_one_thread_follows_the_other_are_no_use_at_once(void **state)
{
	(void)state;
	assert_int_equal(pattern(2, 2), PATTERN_TURNS);
	assert_int_equal(pattern(0, 2), PATTERN_UNKNOWN);
	assert_int_equal(pattern(0, 8), PATTERN_CONCURRENT);
	assert_int_equal(pattern(2, 8), PATTERN_CONCURRENT);
}

/* --- waits -------------------------------------------------------------------------------------- */

/* Thread 1 makes 10 accesses while thread 0 makes 16 000: in the midst of a column of its own. */
static void a_thread_that_waits_in_the_midst_of_a_column_has_no_bar_there(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	double lane[MADE_COLUMNS] = { 0 }, sum = 0, from, to;
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 16, 0, 16, MADE_UP, false, 1000 });
	for (int k = 0; k < 2; k++)
		made_mark(m, k, 0, 4500);
	made_mark(m, 0, 1, 20500);
	made_mark(m, 1, 1, 4510);
	f = time_facts_new(&m->t);
	time_lane(f, s - 1, 1, lane, lane, MADE_COLUMNS);
	for (int c = 0; c < MADE_COLUMNS; c++)
		sum += lane[c];
	assert_true(fabs(sum - 16000) < 1e-6);
	assert_true(lane[4] > 499 && lane[4] < 501);
	assert_true(lane[5] < 1 && lane[19] < 1);
	assert_true(lane[20] > 499 && lane[20] < 501);
	time_axis_column(&f->axis, 1, 4, &from, &to);   /* the longest piece */
	assert_true(fabs(from * 32000 - 4000) < 1e-6 && fabs(to * 32000 - 4500) < 1e-6);
	time_facts_free(f);
	made_free(m);
}

/* --- order -------------------------------------------------------------------------------------- */

static void views_begin_with_the_structures_that_miss(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), often = made_structure(m, "often"), far = made_structure(m, "far");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, often, 0, 0, 32, 0, 16, MADE_UP, false, 900 });
	made_use(m, &(struct made_use){ r, far, 0, 0, 32, 0, 16, MADE_UP, false, 100 });
	m->cells[1].misses[0] = made_flat(m, 0, 32, 50);
	f = time_facts_new(&m->t);
	assert_int_equal(f->order[0], often - 1);
	assert_int_equal(f->shown[0], far - 1);
	time_facts_free(f);
	made_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_that_accesses_hide_is_shown_and_told),
		cmocka_unit_test(calls_of_a_function_are_told_as_one),
		cmocka_unit_test(time_that_goes_with_the_accesses_is_not_told),
		cmocka_unit_test(time_of_few_regions_says_nothing),
		cmocka_unit_test(time_without_accesses_is_not_on_the_axis_but_told),
		cmocka_unit_test(a_walk_of_all_tells_the_step_that_misses),
		cmocka_unit_test(a_step_within_a_line_or_of_few_misses_is_not_told),
		cmocka_unit_test(what_is_not_drawn_is_counted_and_said),
		cmocka_unit_test(few_accesses_may_be_without_a_record),
		cmocka_unit_test(a_sample_of_sets_is_said),
		cmocka_unit_test(columns_in_which_one_thread_follows_the_other_are_no_use_at_once),
		cmocka_unit_test(a_thread_that_waits_in_the_midst_of_a_column_has_no_bar_there),
		cmocka_unit_test(views_begin_with_the_structures_that_miss),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
