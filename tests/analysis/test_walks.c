/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks: the rows of threads are joined, with their commonest moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "analysis/measure/walks.h"

enum { A = MON_OBJ_FIRST, B };

static struct measured_context contexts[] = { { .parent = NO_CONTEXT }, { .parent = 0 } };

static struct mon_walk row(uint32_t object, uint32_t line, uint32_t thread, int64_t step, uint64_t n)
{
	return (struct mon_walk){ .context = 1, .object = object, .line = line, .thread = thread, .size = 8, .per = 1,
		.bytes = 8, .seen = n + 1, .step = { step, 4096 }, .moves = { n, 1 } };
}

static void threads_are_one_walk(void **state)
{
	struct mon_walk rows[] = { row(A, 12, 0, 8, 10), row(B, 12, 0, -8, 4), row(A, 12, 1, 8, 20), row(A, 13, 1, 8, 3) };
	struct measurements p = { .contexts = contexts, .ncontexts = 2 };
	const struct mon_result r = { .walks = rows, .nwalks = 4 };
	(void)state;

	assert_int_equal(walks_add(&p, &r), 0);
	assert_int_equal(p.nwalks, 3);
	assert_true(p.walks[0].object == A && p.walks[0].line == 12 && p.walks[0].seen == 32);
	assert_true(p.walks[0].step[0].step == 8 && p.walks[0].step[0].n == 30);
	assert_true(p.walks[0].step[1].step == 4096 && p.walks[0].step[1].n == 2);
	assert_true(p.walks[1].object == B && p.walks[1].step[0].step == -8);
	assert_true(p.walks[2].line == 13);
	walks_free(&p);
}

static void the_rarest_moves_are_left_out(void **state)
{
	struct mon_walk rows[4];
	struct measurements p = { .contexts = contexts, .ncontexts = 2 };
	const struct mon_result r = { .walks = rows, .nwalks = 4 };
	(void)state;

	for (uint32_t t = 0; t < 4; t++) {      /* each thread has a step of its own, and 64 in common */
		rows[t] = row(A, 12, t, 100 + (int64_t)t, 1 + t);
		rows[t].step[1] = 64;
		rows[t].moves[1] = 50;
		rows[t].step[2] = 7;
		rows[t].moves[2] = 2;
	}
	assert_int_equal(walks_add(&p, &r), 0);
	assert_int_equal(p.nwalks, 1);
	assert_true(p.walks[0].step[0].step == 64 && p.walks[0].step[0].n == 200);
	assert_true(p.walks[0].step[1].step == 7 && p.walks[0].step[1].n == 8);
	walks_free(&p);
}

static void a_result_replaces_the_one_before(void **state)
{
	struct mon_walk rows[] = { row(A, 12, 0, 8, 10), { .context = 9, .object = A } };
	struct measurements p = { .contexts = contexts, .ncontexts = 2 };
	struct mon_result r = { .walks = rows, .nwalks = 2 };
	(void)state;

	assert_int_equal(walks_add(&p, &r), 0);
	assert_int_equal(p.nwalks, 1);          /* no such context */
	r.nwalks = 0;
	assert_int_equal(walks_add(&p, &r), 0);
	assert_int_equal(p.nwalks, 0);
	walks_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_one_walk),
		cmocka_unit_test(the_rarest_moves_are_left_out),
		cmocka_unit_test(a_result_replaces_the_one_before),
	};

	return cmocka_run_group_tests_name("walks", tests, NULL, NULL);
}
