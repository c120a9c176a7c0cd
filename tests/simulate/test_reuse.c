/* SPDX-License-Identifier: BSD-3-Clause */
/* Reuse distances against a plain LRU stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "simulate/cache/reuse.h"

enum { LINE = 6, MOST = 1 << 14 };

/* The plain stack: the most recent line first. */
static uint32_t stack[MOST], depth;

/* How many lines lie above this one; depth: it is new.  It is on top afterwards.  With sanitizers,
 * this loop would take most of the test's time. */
__attribute__((no_sanitize("address"), no_sanitize("undefined")))
static uint32_t plain_take(uint32_t line)
{
	uint32_t at = 0;

	while (at < depth && stack[at] != line)
		at++;
	if (at == depth)
		depth++;
	memmove(stack + 1, stack, at * sizeof *stack);
	stack[0] = line;
	return at;
}

static uint32_t state_of;

static uint32_t number(uint32_t below)
{
	state_of = state_of * UINT32_C(1664525) + UINT32_C(1013904223);
	return (uint32_t)((uint64_t)(state_of ^ state_of >> 15) * below >> 32);
}

static struct reuse *begin(uint32_t shift, uint32_t seed)
{
	struct reuse *r = calloc(1, sizeof *r);

	assert_non_null(r);
	reuse_begin(r, shift);
	state_of = seed;
	depth = 0;
	return r;
}

static void every_line_is_followed_exactly(void **state)
{
	static const uint32_t lines[] = { 1, 7, 100, REUSE_LINES - 1 };

	(void)state;
	for (uint32_t l = 0; l < 4; l++) {
		struct reuse *r = begin(0, l);

		for (uint32_t i = 0; i < 50000; i++) {
			/* near lines more often */
			uint32_t line = 1 + number(1 + number(lines[l])) * 4099;
			uint32_t before = depth, want = plain_take(line);
			struct reuse_last last = { 0, false };

			assert_int_equal(reuse_take(r, line, 0, &last), depth == before);
			if (depth == before)
				assert_int_equal(last.distance, want);
		}
		assert_int_equal(r->shift, 0);
		free(r);
	}
}

/* --- samples --------------------------------------------------------------------------------- */

static uint32_t line_cyclic(uint32_t i, uint32_t lines)
{
	return 64 + i % lines;
}

static uint32_t line_strided(uint32_t i, uint32_t lines)
{
	return 64 + i % lines * 64;
}

static uint32_t line_random(uint32_t i, uint32_t lines)
{
	(void)i;
	return 64 + number(lines);
}

/* Near lines more often. */
static uint32_t line_skewed(uint32_t i, uint32_t lines)
{
	(void)i;
	return 64 + number(1 + number(lines));
}

/* Eight pieces, each passed four times before the next one. */
static uint32_t line_blocked(uint32_t i, uint32_t lines)
{
	const uint32_t piece = lines / 8;

	return 64 + i / (4 * piece) % 8 * piece + i % piece;
}

typedef uint32_t trace(uint32_t i, uint32_t lines);
static trace *const traces[] = { line_cyclic, line_strided, line_random, line_skewed, line_blocked };
enum { TRACES = sizeof traces / sizeof traces[0] };

/* The median in bytes, in a class by its logarithm. */
static double median(const uint64_t counts[REUSE_CLASSES])
{
	double all = 0, before = 0;
	uint32_t k = 0;

	for (uint32_t i = 0; i < REUSE_CLASSES; i++)
		all += (double)counts[i];
	while (before + (double)counts[k] < all / 2)
		before += (double)counts[k++];
	return exp2(REUSE_FIRST + k + (all / 2 - before) / (double)counts[k]);
}

static int by_size(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The median in bytes of `misses` misses, by the plain stack. */
static double plain_median(trace *line, uint32_t lines, uint32_t misses)
{
	uint32_t *all = calloc(misses, sizeof *all), n = 0;
	double is;

	assert_non_null(all);
	state_of = 1;
	depth = 0;
	for (uint32_t i = 0; i < misses; i++) {
		const uint32_t before = depth, apart = plain_take(line(i, lines));

		if (depth == before)
			all[n++] = apart;
	}
	qsort(all, n, sizeof *all, by_size);
	is = (double)all[n / 2] * (1 << LINE);
	free(all);
	return is;
}

/* *reuses: of followed lines; *shift: at the end. */
static double sampled_median(trace *line, uint32_t lines, uint32_t misses, uint32_t *reuses, uint32_t *shift)
{
	uint64_t counts[REUSE_CLASSES] = { 0 };
	struct reuse *r = begin(*shift, 1);

	*reuses = 0;
	for (uint32_t i = 0; i < misses; i++) {
		const uint32_t next = line(i, lines);

		*reuses += reuse_hash(next) <= r->most;
		reuse_miss(r, next, 0, LINE, counts);
	}
	*reuses -= r->lines;
	*shift = r->shift;
	free(r);
	return median(counts);
}

static void sampled_medians_are_within_a_factor_of_two(void **state)
{
	static const uint32_t lines[] = { 1 << 10, 3000, 1 << 13 };
	uint32_t compared = 0;

	(void)state;
	for (uint32_t t = 0; t < TRACES; t++)
		for (uint32_t l = 0; l < 3; l++) {
			const uint32_t misses = 1 << 17;
			const double want = plain_median(traces[t], lines[l], misses);

			for (uint32_t from = 0; from <= REUSE_SHIFT; from += 2) {
				uint32_t reuses, shift = from;
				const double is = sampled_median(traces[t], lines[l], misses, &reuses, &shift);

				if (reuses < 1000)
					continue;
				assert_true(is > want / 2 && is < want * 2);
				compared++;
			}
		}
	assert_true(compared >= 50);
}

/* 64 MiB and more: all lines but 1 in 256 are dropped.  Distances by arithmetic: cyclic, all lines;
 * random, any number of them equally often. */
static void more_lines_than_are_followed_are_sampled_more_thinly(void **state)
{
	(void)state;
	for (uint32_t log = 19; log <= 21; log++) {
		uint32_t reuses, shift = REUSE_SHIFT;
		const double bytes = (double)(UINT64_C(1) << (log + LINE));
		double is = sampled_median(line_cyclic, 1u << log, 3u << log, &reuses, &shift);

		assert_in_range(shift, log - 12, log - 11);
		assert_true(reuses >= 1000 && is > bytes / 2 && is < bytes * 2);
		shift = REUSE_SHIFT;
		is = sampled_median(line_random, 1u << log, 6u << log, &reuses, &shift);
		assert_true(reuses >= 1000 && is > bytes / 4 && is < bytes);
	}
}

/* Each reuse counts for all lines that it stands for. */
static void counts_are_of_all_lines(void **state)
{
	(void)state;
	for (uint32_t shift = 0; shift <= REUSE_SHIFT; shift++) {
		struct reuse *r = begin(shift, 1);
		uint64_t counts[REUSE_CLASSES] = { 0 }, all = 0;
		const uint32_t lines = 1 << 18, rounds = 4;

		for (uint32_t i = 0; i < rounds * lines; i++)
			reuse_miss(r, line_cyclic(i, lines), 0, LINE, counts);
		for (uint32_t k = 0; k < REUSE_CLASSES; k++)
			all += counts[k];
		assert_in_range(all, (rounds - 1) * lines * 9 / 10, (rounds - 1) * lines * 11 / 10);
		free(r);
	}
}

/* All that is said of the lines 1 .. lines, missed in turn. */
static void pass(struct reuse *r, uint32_t lines, uint32_t cause)
{
	uint64_t counts[REUSE_CLASSES] = { 0 };

	for (uint32_t i = 1; i <= lines; i++)
		assert_int_equal(reuse_miss(r, i, 0, LINE, counts), cause);
}

/* Levels of which half is 100, 1000 and 10000 lines. */
static void the_cause_depends_on_the_level_and_the_execution(void **state)
{
	struct reuse *r = begin(0, 1);

	(void)state;
	r->near[0] = 100;
	r->near[1] = 1000;
	r->near[2] = 10000;
	pass(r, 50, 0);         /* new */
	pass(r, 50, REUSE_WITHIN | 7);
	reuse_execution(r);
	pass(r, 50, 7);         /* of the execution before */
	pass(r, 50, REUSE_WITHIN | 7);
	free(r);
	r = begin(0, 1);
	r->near[0] = 100;
	r->near[1] = 1000;
	pass(r, 500, 0);
	for (int i = 0; i < 40; i++)    /* times are numbered anew */
		pass(r, 500, REUSE_WITHIN | 2);
	reuse_execution(r);
	pass(r, 500, 2);
	for (int i = 0; i < 40; i++)
		pass(r, 500, REUSE_WITHIN | 2);
	pass(r, 500, REUSE_WITHIN | 2);
	free(r);
	r = begin(0, 1);
	r->near[0] = 100;
	r->near[1] = 1000;
	pass(r, 3000, 0);
	pass(r, 3000, REUSE_WITHIN);
	reuse_execution(r);
	pass(r, 3000, 0);       /* neither */
	free(r);
}

/* Two loops in turn over the same lines, as copy, scale and add are: neither has anything to keep. */
static void what_another_loop_brought_is_no_capacity_miss(void **state)
{
	enum { LINES = 3000 };
	uint64_t counts[REUSE_CLASSES] = { 0 };
	struct reuse *r = begin(0, 1);

	(void)state;
	r->near[0] = 100;
	for (uint16_t owner = 1; owner <= 2; owner++)
		for (uint32_t i = 1; i <= LINES; i++)
			assert_int_equal(reuse_miss(r, i, owner, LINE, counts), 0);
	for (uint32_t i = 1; i <= LINES; i++)   /* the second one again; times are numbered anew meanwhile */
		assert_int_equal(reuse_miss(r, i, 2, LINE, counts), REUSE_WITHIN);
	for (uint32_t i = 1; i <= LINES; i++)
		assert_int_equal(reuse_miss(r, i, 1, LINE, counts), 0);
	free(r);
}

/* Lines of which one half was missed before the execution began and one after: when the times are
 * numbered anew, each stays on its side. */
static void an_execution_begins_where_it_began(void **state)
{
	struct reuse *r = begin(0, 1);
	uint64_t counts[REUSE_CLASSES] = { 0 };

	(void)state;
	r->near[0] = 1 << 20;
	pass(r, 1000, 0);
	reuse_execution(r);
	for (uint32_t i = 0; i < 20000; i++)
		reuse_miss(r, 501 + i % 500, 0, LINE, counts);
	for (uint32_t i = 1; i <= 500; i++)
		assert_int_equal(reuse_miss(r, i, 0, LINE, counts), 1);
	for (uint32_t i = 501; i <= 1000; i++)
		assert_int_equal(reuse_miss(r, i, 0, LINE, counts), REUSE_WITHIN | 1);
	free(r);
}

static void classes_are_powers_of_two(void **state)
{
	(void)state;
	assert_int_equal(reuse_class(0), 0);
	assert_int_equal(reuse_class((1 << 13) - 1), 0);
	assert_int_equal(reuse_class(1 << 13), 1);
	assert_int_equal(reuse_class(UINT64_C(1) << 32), REUSE_CLASSES - 1);
	assert_int_equal(reuse_class((UINT64_C(1) << 32) - 1), REUSE_CLASSES - 2);
	assert_int_equal(reuse_class(UINT64_MAX), REUSE_CLASSES - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_is_followed_exactly),
		cmocka_unit_test(sampled_medians_are_within_a_factor_of_two),
		cmocka_unit_test(more_lines_than_are_followed_are_sampled_more_thinly),
		cmocka_unit_test(counts_are_of_all_lines),
		cmocka_unit_test(the_cause_depends_on_the_level_and_the_execution),
		cmocka_unit_test(what_another_loop_brought_is_no_capacity_miss),
		cmocka_unit_test(an_execution_begins_where_it_began),
		cmocka_unit_test(classes_are_powers_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
