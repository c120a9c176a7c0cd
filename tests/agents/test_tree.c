/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the tree of agents, for many sizes and fan-outs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agents/tree.h"

static const int fanouts[] = { 1, 2, 3, 4, 7, 16, 64, 1000 };
enum { FANOUTS = sizeof fanouts / sizeof fanouts[0], MOST = 130 };

static void for_each_tree(void (*test)(const struct tree *))
{
	static const int large[] = { 1025, 4097 };

	for (int k = 0; k < FANOUTS; k++) {
		for (int n = 1; n <= MOST; n++)
			test(&(struct tree){ n, fanouts[k] });
		for (unsigned i = 0; i < sizeof large / sizeof large[0]; i++)
			if (fanouts[k] > 1)
				test(&(struct tree){ large[i], fanouts[k] });
	}
}

static void reaches_root(const struct tree *t)
{
	for (int rank = 0; rank < t->size; rank++) {
		int steps = 0, at = rank;

		while (at != 0) {
			int up = tree_parent(t, at);

			assert_in_range(up, 0, at - 1);
			at = up;
			steps++;
		}
		assert_int_equal(steps, tree_depth(t, rank));
	}
	assert_int_equal(tree_parent(t, 0), -1);
}

static void every_rank_reaches_the_root(void **state)
{
	(void)state;
	for_each_tree(reaches_root);
}

/* The ranges of the children follow one another, behind their parent, and fill its range. */
static void divides(const struct tree *t)
{
	assert_int_equal(tree_range(t, 0), t->size);
	for (int rank = 0; rank < t->size; rank++) {
		int n = tree_children(t, rank), next = rank + 1;

		assert_in_range(n, 0, t->fanout);
		for (int i = 0; i < n; i++) {
			int child = tree_child(t, rank, i);

			assert_int_equal(child, next);
			assert_int_equal(tree_parent(t, child), rank);
			assert_true(tree_range(t, child) >= 1);
			next += tree_range(t, child);
		}
		assert_int_equal(next, rank + tree_range(t, rank));
	}
}

static void the_ranges_of_children_divide_that_of_their_parent(void **state)
{
	(void)state;
	for_each_tree(divides);
}

/* The height of the lowest tree that has so many ranks with this fan-out. */
static int least_height(const struct tree *t)
{
	long ranks = 1, level = 1;
	int height = 0;

	while (ranks < t->size) {
		level *= t->fanout;
		ranks += level;
		height++;
	}
	return height;
}

static void lowest(const struct tree *t)
{
	int most = 0;

	for (int rank = 0; rank < t->size; rank++)
		if (tree_depth(t, rank) > most)
			most = tree_depth(t, rank);
	assert_int_equal(most, tree_height(t));
	assert_int_equal(most, least_height(t));
}

static void no_tree_of_that_fanout_is_lower(void **state)
{
	(void)state;
	for_each_tree(lowest);
}

static void children_differ_by_one_rank_at_most(void **state)
{
	struct tree t = { 4097, 16 };

	(void)state;
	for (int rank = 0; rank < t.size; rank++) {
		int n = tree_children(&t, rank);

		if (n)
			assert_in_range(tree_range(&t, tree_child(&t, rank, 0)) -
				tree_range(&t, tree_child(&t, rank, n - 1)), 0, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rank_reaches_the_root),
		cmocka_unit_test(the_ranges_of_children_divide_that_of_their_parent),
		cmocka_unit_test(no_tree_of_that_fanout_is_lower),
		cmocka_unit_test(children_differ_by_one_rank_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
