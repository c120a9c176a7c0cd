/* SPDX-License-Identifier: BSD-3-Clause */
/* What is derived from the rows of a timeline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/report/made_timeline.h"

static struct time_facts *facts(const struct made *m)
{
	struct time_facts *f = time_facts_new(&m->t);

	assert_non_null(f);
	return f;
}

static void done(struct time_facts *f, struct made *m)
{
	time_facts_free(f);
	made_free(m);
}

static bool about(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* --- the axis ---------------------------------------------------------------------------------- */

static void threads_meet_at_their_barriers(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 20, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 12, 0, 16, MADE_UP, false, 1000 });
	made_mark(m, 0, 0, 4000);       /* thread 1 does more before the barrier .. */
	made_mark(m, 1, 0, 8000);
	made_mark(m, 0, 1, 20000);      /* .. and less behind it */
	made_mark(m, 1, 1, 12000);
	f = facts(m);
	assert_true(f->axis.aligned);
	assert_true(about(f->axis.span, 8000 + 16000));
	assert_true(about(time_axis_at(&f->axis, 0, 4000), 8000));
	assert_true(about(time_axis_at(&f->axis, 1, 8000), 8000));
	assert_true(about(time_axis_at(&f->axis, 0, 2000), 4000));
	assert_true(about(time_axis_at(&f->axis, 1, 10000), 16000));
	assert_true(about(time_axis_at(&f->axis, 1, 12000), 24000));
	done(f, m);
}

static void without_barriers_each_thread_keeps_its_own_positions(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 20, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 12, 0, 16, MADE_UP, false, 1000 });
	f = facts(m);
	assert_false(f->axis.aligned);
	assert_true(about(f->axis.span, 20000));
	assert_true(about(time_axis_at(&f->axis, 1, 12000), 12000));
	done(f, m);
}

static void what_is_divided_among_columns_sums_to_the_whole(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;
	double bins[7] = { 0 }, sum = 0;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 20, 0, 16, MADE_UP, false, 1000 });
	made_mark(m, 0, 0, 10500);
	made_mark(m, 1, 0, 3500);
	f = facts(m);
	time_lane(f, -1, -1, bins, bins, 7);
	for (int i = 0; i < 7; i++)
		sum += bins[i];
	assert_true(about(sum, 52000));
	done(f, m);
}

static void a_barrier_of_fewer_threads_moves_only_these(void **state)
{
	struct made *m = made_new(3);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	for (int k = 0; k < 3; k++)
		made_use(m, &(struct made_use){ r, s, k, 0, 10, 0, 16, MADE_UP, false, 1000 });
	made_mark(m, 0, 0, 2000);
	made_mark(m, 1, 0, 5000);
	f = facts(m);
	assert_true(about(time_axis_at(&f->axis, 0, 2000), 5000));
	assert_true(about(time_axis_at(&f->axis, 2, 2000), 2000));
	done(f, m);
}

static void a_thread_s_columns_lie_between_its_barriers(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;
	double from, to;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 8, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 4, 0, 16, MADE_UP, false, 1000 });
	made_mark(m, 0, 0, 4000);
	made_mark(m, 1, 0, 2000);
	made_mark(m, 0, 1, 5000);       /* thread 1 does nothing before this one */
	made_mark(m, 1, 1, 2000);
	f = facts(m);
	assert_int_equal(time_axis_used(&f->axis, 0), 8);
	assert_int_equal(time_axis_used(&f->axis, 1), 4);
	time_axis_column(&f->axis, 1, 1, &from, &to);
	assert_true(about(from * f->axis.span, 2000) && about(to * f->axis.span, 4000));
	time_axis_column(&f->axis, 1, 2, &from, &to);
	assert_true(about(from * f->axis.span, 5000) && about(to * f->axis.span, 6000));
	assert_true(about(time_axis_border(&f->axis, 1, 4), 7000));
	assert_true(about(time_axis_border(&f->axis, 1, MADE_COLUMNS), 7000));
	done(f, m);
}

/* --- the strip of regions ---------------------------------------------------------------------- */

static void the_strip_has_the_outermost_regions_that_tell_parts_apart(void **state)
{
	struct made *m = made_new(1);
	const int top = made_region(m, "a.f:step/loop 1", 0), up = made_region(m, "a.f:step/loop 1/loop 1", top);
	const int low = made_region(m, "a.f:step/loop 1/loop 1 > low.f:low/loop 1", up);
	const int high = made_region(m, "a.f:step/loop 1/loop 1 > high.f:high/loop 1", up);
	const int down = made_region(m, "a.f:step/loop 1/loop 2", top), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	for (int c = 0; c < 6; c++)     /* low and high take turns, more often than there is room for */
		made_use(m, &(struct made_use){ c % 2 ? high : low, s, 0, 3 * c, 3 * c + 3, 0, 16, MADE_UP, false, 1000 });
	for (int c = 6; c < 10; c++)
		made_use(m, &(struct made_use){ c % 2 ? high : low, s, 0, 2 * c + 6, 2 * c + 8, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ down, s, 0, 26, 32, 0, 16, MADE_DOWN, false, 1000 });
	f = facts(m);
	assert_int_equal(f->nruns, 2);
	assert_int_equal(f->run[0].region, up);
	assert_int_equal(f->run[0].to, 26);
	assert_int_equal(f->run[0].named[0], low);
	assert_int_equal(f->run[0].named[1], high);
	assert_int_equal(f->run[1].region, down);
	done(f, m);
}

/* --- walks ------------------------------------------------------------------------------------- */

static enum time_walk walk_of(enum made_walk walk)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;
	enum time_walk found;

	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, walk, false, 1600 });
	f = facts(m);
	assert_int_equal(f->structure[0].nsteps, 1);
	found = f->structure[0].step[0].walk;
	if (found == WALK_UPS)
		assert_int_equal(f->structure[0].step[0].passes, 2);
	done(f, m);
	return found;
}

static void walks_have_directions(void **state)
{
	(void)state;
	assert_int_equal(walk_of(MADE_UP), WALK_UP);
	assert_int_equal(walk_of(MADE_DOWN), WALK_DOWN);
	assert_int_equal(walk_of(MADE_TWICE_UP), WALK_UPS);
	assert_int_equal(walk_of(MADE_ALL), WALK_ALL);
}

static void a_walk_of_all_with_irregular_misses_is_random(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	const struct report_point gather = { 5 * TIMELINE_CLASSES + TIMELINE_GATHER, 800 };
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_ALL, false, 1600 });
	m->cells[0].kinds = (struct report_series){ &gather, 1 };
	f = facts(m);
	assert_int_equal(f->structure[0].step[0].walk, WALK_RANDOM);
	assert_int_equal(f->all.memory, 800);
	done(f, m);
}

static void threads_with_a_part_each_walk_one_way(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 8, MADE_UP, true, 500 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 32, 8, 16, MADE_UP, true, 500 });
	f = facts(m);
	assert_int_equal(f->structure[0].step[0].walk, WALK_UP);
	assert_int_equal(f->structure[0].pattern, PATTERN_PARTS);
	assert_int_equal(f->structure[0].most, SHARING_PRIVATE);
	done(f, m);
}

/* --- sharing ----------------------------------------------------------------------------------- */

static void rows_are_private_handed_over_read_or_written(void **state)
{
	struct made *m = made_new(3);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 8, 0, 12, MADE_ALL, true, 1200 });  /* writes 0-11 first .. */
	made_use(m, &(struct made_use){ r, s, 1, 8, 16, 3, 6, MADE_ALL, true, 900 });   /* .. 3-5 then belong to 1 .. */
	made_use(m, &(struct made_use){ r, s, 1, 16, 24, 6, 12, MADE_ALL, false, 900 }); /* .. 6-11 are read by two .. */
	made_use(m, &(struct made_use){ r, s, 2, 16, 24, 6, 12, MADE_ALL, false, 900 });
	made_use(m, &(struct made_use){ r, s, 2, 24, 32, 9, 12, MADE_ALL, true, 900 }); /* .. and 9-11 written by another */
	for (int k = 0; k < 3; k++)
		made_mark(m, k, 0, 8000);
	f = facts(m);
	assert_int_equal(f->structure[0].row[0], SHARING_PRIVATE);
	assert_int_equal(f->structure[0].row[3], SHARING_HANDED);
	assert_int_equal(f->structure[0].row[6], SHARING_READ);
	assert_int_equal(f->structure[0].row[9], SHARING_WRITTEN);
	assert_int_equal(f->structure[0].row[12], SHARING_NONE);
	assert_int_equal(f->structure[0].toucher, 0);
	assert_true(about(f->structure[0].sharing[SHARING_NONE], 0.25));
	assert_true(about(f->structure[0].touched, 0.75));
	assert_true(about(f->structure[0].used, 0.75));
	done(f, m);
}

/* Thread 0 has rows 0-7 of x in both loops; of y it has rows 0-7, then 8-15. */
static void parts_that_change_threads_are_found(void **state)
{
	struct made *m = made_new(2);
	const int down = made_region(m, "a.c:down/loop 1", 0);
	const int up = made_region(m, "a.c:up/loop 1", 0);
	const int x = made_structure(m, "x"), y = made_structure(m, "y");
	struct time_facts *f;

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct made_use u = { down, x, k, 0, 8, 8 * k, 8 * k + 8, MADE_ALL, true, 800 };

		made_use(m, &u);
		u.structure = y;
		made_use(m, &u);
		u.region = up;
		u.from = 8;
		u.to = 16;
		u.structure = x;
		made_use(m, &u);
		u.structure = y;
		u.first = 8 - 8 * k;
		u.last = u.first + 8;
		made_use(m, &u);
		made_mark(m, k, 0, 8000);
		made_mark(m, k, 1, 16000);
	}
	f = facts(m);
	assert_int_equal(f->nruns, 2);
	assert_true(f->structure[0].hands.share == 0);
	assert_true(about(f->structure[1].hands.share, 1));
	assert_int_equal(f->structure[1].hands.from, 0);
	assert_int_equal(f->structure[1].hands.to, 1);
	time_facts_free(f);
	m->t.nmarks = 0;                /* nobody knows what is at one time */
	f = facts(m);
	assert_true(f->structure[1].hands.share == 0);
	done(f, m);
}

static void a_row_where_private_parts_meet_is_private_unless_lines_were_taken(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 8, 0, 9, MADE_ALL, true, 900 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 8, 8, 16, MADE_ALL, true, 900 });
	made_mark(m, 0, 0, 8000);
	made_mark(m, 1, 0, 8000);
	f = facts(m);
	assert_int_equal(f->structure[0].row[8], SHARING_PRIVATE);
	time_facts_free(f);
	m->cells[0].coherent = made_flat(m, 0, 1, 1);
	f = facts(m);
	assert_int_equal(f->structure[0].row[8], SHARING_HANDED);
	done(f, m);
}

/* Two threads use the whole of a structure by turns of a line: rows are of both, lines are not. */
static void rows_are_of_the_kind_of_most_of_their_lines(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct report_point lines[] = { { 0 * LINE_USES + LINE_ONE, 16 },
		{ 1 * LINE_USES + LINE_ONE, 6 }, { 1 * LINE_USES + LINE_WRITTEN, 10 },
		{ 2 * LINE_USES + LINE_READ, 16 }, { 3 * LINE_USES + LINE_ONE_WRITES, 4 }, { 15 * LINE_USES + LINE_ONE, 1 } };
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 8, 0, 4, MADE_ALL, true, 900 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 8, 0, 4, MADE_ALL, true, 900 });
	made_mark(m, 0, 0, 8000);
	made_mark(m, 1, 0, 8000);
	f = facts(m);
	assert_int_equal(f->structure[0].row[0], SHARING_HANDED);
	time_facts_free(f);
	m->structures[0].lines = (struct report_series){ lines, 6 };
	f = facts(m);
	assert_int_equal(f->structure[0].row[0], SHARING_PRIVATE);
	assert_int_equal(f->structure[0].row[1], SHARING_WRITTEN);
	assert_int_equal(f->structure[0].row[2], SHARING_READ);
	assert_int_equal(f->structure[0].row[3], SHARING_WRITTEN);      /* both write the row */
	assert_int_equal(f->structure[0].row[15], SHARING_NONE);        /* of which nothing was drawn */
	assert_int_equal(f->structure[0].row_parts[0 * SHARINGS + SHARING_PRIVATE], 100);
	assert_int_equal(f->structure[0].row_parts[1 * SHARINGS + SHARING_PRIVATE], 38);
	assert_int_equal(f->structure[0].row_parts[1 * SHARINGS + SHARING_WRITTEN], 63);
	assert_true(about(f->structure[0].sharing[SHARING_PRIVATE], (1 + 6 / 16.) / 4));
	assert_true(about(f->structure[0].sharing[SHARING_READ], 1 / 4.));
	assert_true(about(f->structure[0].sharing[SHARING_WRITTEN], (10 / 16. + 1) / 4));
	done(f, m);
}

static void a_row_touched_first_by_another_thread_is_handed_over(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct report_point by_first[MADE_ROWS];
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 1, 0, 32, 0, 16, MADE_UP, false, 1000 });
	for (int k = 0; k < MADE_ROWS; k++)
		by_first[k] = (struct report_point){ (uint32_t)k, 1 };  /* thread 0 */
	m->structures[0].toucher = (struct report_series){ by_first, MADE_ROWS };
	m->structures[0].touched = TOUCH_BEGIN;
	f = facts(m);
	assert_int_equal(f->structure[0].most, SHARING_HANDED);
	assert_int_equal(f->structure[0].toucher, 0);
	done(f, m);
}

/* Who used a row first in the executions need not have touched it first. */
static void rows_whose_first_touch_is_unknown_stay_so(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct report_point known[] = { { 0, 1 } };
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 1, 0, 32, 0, 16, MADE_UP, false, 1000 });
	m->structures[0].toucher = (struct report_series){ known, 1 };
	m->structures[0].touched = TOUCH_BEGIN;
	f = facts(m);
	assert_int_equal(f->structure[0].first[0], 0);
	assert_int_equal(f->structure[0].row[0], SHARING_HANDED);
	assert_int_equal(f->structure[0].first[1], -1);
	assert_int_equal(f->structure[0].row[1], SHARING_PRIVATE);
	assert_int_equal(f->structure[0].toucher, -1);
	done(f, m);
}

static void without_rows_only_what_threads_do_is_known(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 32, 0, 16, MADE_UP, false, 1000 });
	m->t.rows = m->t.nmaps = 0;
	f = facts(m);
	assert_null(f->structure[0].row);
	assert_int_equal(f->structure[0].most, SHARING_READ);
	assert_int_equal(f->structure[0].step[0].walk, WALK_UNKNOWN);
	assert_true(isnan(f->structure[0].touched));
	assert_int_equal(f->nedges, 0);
	done(f, m);
}

/* --- time -------------------------------------------------------------------------------------- */

static void patterns_tell_filling_turns_and_concurrent_use(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), table = made_structure(m, "table"), work = made_structure(m, "work");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, table, 0, 0, 10, 0, 16, MADE_UP, true, 1000 });
	for (int k = 0; k < 2; k++)
		made_use(m, &(struct made_use){ r, table, k, 10, 20, 0, 16, MADE_ALL, false, 1000 });
	made_mark(m, 0, 0, 10000);
	made_mark(m, 1, 0, 10000);
	for (int k = 0; k < 3; k++)
		made_use(m, &(struct made_use){ r, work, k % 2, 20 + 4 * k, 24 + 4 * k, 0, 16, MADE_ALL, true, 1000 });
	f = facts(m);
	assert_true(f->structure[0].filled);
	assert_int_equal(f->structure[0].filled_by, 0);
	assert_int_equal(f->structure[0].filled_to, 10);
	assert_true(f->structure[0].read_only_after);
	assert_int_equal(f->structure[0].pattern, PATTERN_CONCURRENT);
	assert_int_equal(f->structure[1].pattern, PATTERN_TURNS);
	done(f, m);
}

static void without_barriers_nothing_is_said_of_the_order_of_threads(void **state)
{
	struct made *m = made_new(2);
	const int top = made_region(m, "a.c:step/loop 1", 0), fill = made_region(m, "a.c:step/loop 1/loop 1", top);
	const int use = made_region(m, "a.c:step/loop 1/loop 2", top), s = made_structure(m, "x");
	const struct time_interval *v;
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ fill, s, 0, 0, 10, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ use, s, 0, 10, 20, 0, 16, MADE_ALL, false, 1600 });
	made_use(m, &(struct made_use){ use, s, 1, 0, 10, 0, 16, MADE_ALL, false, 1600 });
	f = facts(m);
	assert_int_equal(f->strip_of, 0);
	assert_int_equal(f->nruns, 2);
	assert_int_equal(f->structure[0].pattern, PATTERN_UNKNOWN);
	assert_false(f->structure[0].filled);
	assert_int_equal(time_intervals(f, s - 1, -1, &v), 3);
	assert_int_equal(v[1].thread, 1);       /* at the begin of its own positions, but in the second region */
	assert_int_equal(v[1].run, 1);
	done(f, m);
}

static void structures_used_in_the_same_columns_are_one_group(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), a = made_structure(m, "a"), b = made_structure(m, "b");
	const int c = made_structure(m, "c");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, a, 0, 0, 16, 0, 16, MADE_UP, false, 600 });
	made_use(m, &(struct made_use){ r, b, 0, 0, 16, 0, 16, MADE_UP, false, 400 });
	made_use(m, &(struct made_use){ r, c, 0, 16, 32, 0, 16, MADE_UP, false, 1000 });
	f = facts(m);
	assert_int_equal(f->structure[b - 1].leader, a - 1);
	assert_int_equal(f->structure[c - 1].leader, c - 1);
	done(f, m);
}

static void intervals_are_by_thread_and_run_and_slivers_are_dropped(void **state)
{
	struct made *m = made_new(2);
	const int top = made_region(m, "a.c:step/loop 1", 0), fill = made_region(m, "a.c:step/loop 1/loop 1", top);
	const int use = made_region(m, "a.c:step/loop 1/loop 2", top), s = made_structure(m, "x");
	const struct time_interval *v;
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ fill, s, 0, 0, 16, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ use, s, 1, 16, 32, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ use, s, 1, 3, 4, 0, 1, MADE_UP, false, 100 });
	made_mark(m, 0, 0, 16000);
	made_mark(m, 1, 0, 16000);
	f = facts(m);
	assert_int_equal(f->nruns, 2);
	assert_int_equal(time_intervals(f, s - 1, -1, &v), 2);
	assert_int_equal(v[0].thread, 0);
	assert_int_equal(v[0].from, 0);
	assert_int_equal(v[0].to, 16);
	assert_int_equal(v[0].sums.writes, 16000);
	assert_int_equal(v[1].thread, 1);
	assert_int_equal(v[1].sums.reads, 16000);
	assert_int_equal(time_intervals(f, -1, 1, &v), 1);
	assert_int_equal(v[0].structure, s - 1);
	done(f, m);
}

static void sections_read_what_others_wrote(void **state)
{
	struct made *m = made_new(1);
	const int copy = made_region(m, "a.c:copy/loop 1", 0), add = made_region(m, "a.c:add/loop 1", 0);
	const int set = made_region(m, "a.c:set/loop 1", 0), c = made_structure(m, "c"), d = made_structure(m, "d");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ copy, c, 0, 0, 8, 0, 16, MADE_ALL, true, 1600 });
	made_use(m, &(struct made_use){ add, c, 0, 8, 16, 0, 16, MADE_ALL, false, 1600 });
	made_use(m, &(struct made_use){ set, d, 0, 16, 24, 0, 16, MADE_ALL, true, 1600 });
	made_use(m, &(struct made_use){ copy, d, 0, 24, 32, 0, 16, MADE_ALL, true, 1600 });
	f = facts(m);
	assert_int_equal(f->nedges, 2);
	assert_false(f->edge[0].overwritten);
	assert_int_equal(f->edge[0].writer, copy);
	assert_int_equal(f->edge[0].reader, add);
	assert_true(f->edge[1].overwritten);
	assert_int_equal(f->edge[1].structure, d - 1);
	assert_int_equal(f->edge[1].writer, set);
	done(f, m);
}

static void what_a_row_does_not_show_is_no_dependence(void **state)
{
	struct made *m = made_new(1);
	const int copy = made_region(m, "a.c:copy/loop 1", 0), add = made_region(m, "a.c:add/loop 1", 0);
	const int c = made_structure(m, "c");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ copy, c, 0, 0, 8, 0, 4, MADE_ALL, true, 1600 });        /* a quarter of what add reads */
	made_use(m, &(struct made_use){ add, c, 0, 8, 16, 0, 16, MADE_ALL, false, 1600 });
	f = facts(m);
	assert_int_equal(f->nedges, 0);
	done(f, m);
}

/* --- views that are not there ----------------------------------------------------------------- */

static void a_view_without_figures_says_why(void **state)
{
	struct made *m = made_new(1);
	const struct report_point far = { 0, 5 };
	const int r = made_region(m, "a.c:f/loop 1", 0), s = made_structure(m, "x");
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_UP, false, 1000 });
	m->t.nodes = 1;
	f = facts(m);
	assert_non_null(strstr(time_view_absent(NULL, VIEW_TIMELINE), "nothing was counted"));
	assert_null(time_view_absent(f, VIEW_TIMELINE));
	assert_null(time_view_absent(f, VIEW_FLOWS));
	assert_non_null(strstr(time_view_absent(f, VIEW_CARTOGRAPHY), "one thread"));
	assert_non_null(strstr(time_view_absent(f, VIEW_MODULES), "one memory node"));
	assert_non_null(strstr(time_view_absent(f, VIEW_PREDICTION), "for which machine"));
	m->t.cpus = 8;
	assert_non_null(strstr(time_view_absent(f, VIEW_PREDICTION), "no line"));
	m->t.pages = true;
	assert_non_null(strstr(time_view_absent(f, VIEW_FLOWS), "pages were sampled"));
	assert_null(time_view_absent(f, VIEW_GANTT));
	time_facts_free(f);
	m->t.pages = false;
	m->t.threads = 2;
	m->t.nodes = 2;
	m->cells[0].kinds = (struct report_series){ &far, 1 };
	f = facts(m);
	assert_null(time_view_absent(f, VIEW_CARTOGRAPHY));
	assert_null(time_view_absent(f, VIEW_MODULES));
	assert_null(time_view_absent(f, VIEW_PREDICTION));
	m->t.cpus = 2;
	assert_non_null(strstr(time_view_absent(f, VIEW_PREDICTION), "each CPU"));
	m->t.nmaps = 0;
	assert_non_null(strstr(time_view_absent(f, VIEW_CARTOGRAPHY), "not drawn"));
	done(f, m);
}

/* --- without figures --------------------------------------------------------------------------- */

static void a_timeline_without_rows_has_no_facts_and_no_fault(void **state)
{
	struct made *m = made_new(1);
	const struct time_interval *v;
	struct time_facts *f = facts(m);

	(void)state;
	assert_int_equal(time_accesses(&f->all), 0);
	assert_int_equal(f->nruns, 1);
	assert_int_equal(f->run[0].region, 0);
	assert_int_equal(time_facts_find(f, "x"), -1);
	assert_int_equal(time_intervals(f, -1, 0, &v), 0);
	done(f, m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_meet_at_their_barriers),
		cmocka_unit_test(without_barriers_each_thread_keeps_its_own_positions),
		cmocka_unit_test(what_is_divided_among_columns_sums_to_the_whole),
		cmocka_unit_test(a_barrier_of_fewer_threads_moves_only_these),
		cmocka_unit_test(a_thread_s_columns_lie_between_its_barriers),
		cmocka_unit_test(the_strip_has_the_outermost_regions_that_tell_parts_apart),
		cmocka_unit_test(walks_have_directions),
		cmocka_unit_test(a_walk_of_all_with_irregular_misses_is_random),
		cmocka_unit_test(threads_with_a_part_each_walk_one_way),
		cmocka_unit_test(rows_are_private_handed_over_read_or_written),
		cmocka_unit_test(parts_that_change_threads_are_found),
		cmocka_unit_test(a_row_where_private_parts_meet_is_private_unless_lines_were_taken),
		cmocka_unit_test(rows_are_of_the_kind_of_most_of_their_lines),
		cmocka_unit_test(a_row_touched_first_by_another_thread_is_handed_over),
		cmocka_unit_test(rows_whose_first_touch_is_unknown_stay_so),
		cmocka_unit_test(without_rows_only_what_threads_do_is_known),
		cmocka_unit_test(patterns_tell_filling_turns_and_concurrent_use),
		cmocka_unit_test(without_barriers_nothing_is_said_of_the_order_of_threads),
		cmocka_unit_test(structures_used_in_the_same_columns_are_one_group),
		cmocka_unit_test(intervals_are_by_thread_and_run_and_slivers_are_dropped),
		cmocka_unit_test(sections_read_what_others_wrote),
		cmocka_unit_test(what_a_row_does_not_show_is_no_dependence),
		cmocka_unit_test(a_view_without_figures_says_why),
		cmocka_unit_test(a_timeline_without_rows_has_no_facts_and_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
