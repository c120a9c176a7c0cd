/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates from slices, and their errors, for made-up pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/client/mon.h"
#include "monitor/collect/slices.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { CONTEXT = 3, NCONTEXTS = 5, PIECES = 20000, EACH = 50 };

static struct slice_pieces pieces[NCONTEXTS];
static struct sample_sums sums;
static struct pscm_thread thread = { .pieces = pieces };

struct mon_shm *pscm_shm;
_Atomic uint32_t pscm_sliced;

uint32_t pscm_thread_count(void)
{
	return 1;
}

struct pscm_thread *pscm_thread_at(uint32_t n)
{
	(void)n;
	return &thread;
}

void *pscm_map(size_t bytes)
{
	return calloc(1, bytes);
}

void sim_core_sum(struct sim_core *core)
{
	(void)core;
}

static int start(void **state)
{
	(void)state;
	memset(pieces, 0, sizeof pieces);
	memset(&sums, 0, sizeof sums);
	if (!pscm_shm)
		pscm_shm = shared_memory();
	assert_non_null(pscm_shm);
	atomic_store(&pscm_shm->ncontexts, NCONTEXTS);
	slice_rows_begin();
	return 0;
}

/* A row with what the groups' slices counted. */
static struct mon_count_row row(uint32_t context)
{
	struct mon_count_row r = { .context = context, .loads = 1000 };

	for (int g = 0; g < MON_GROUPS; g++)
		r.load_miss[1] += sums.miss[1][0][g];
	slice_row(&r, pieces, &sums);
	return r;
}

/* Half the 95 % interval of the loads' misses of level 1. */
static double interval(const struct mon_count_row *r)
{
	uint64_t n[2];
	double parts[MON_ERRORS], sum = 0;

	slice_pieces_all(n);
	mon_sample_parts(&(struct mon_sample){ (uint32_t)n[0], (uint32_t)n[1], MON_GROUPS, 10 },
		r->group[1][0], parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += parts[i] * parts[i];
	return 2.365 * sqrt(sum);
}

static double sum_of(const float *group)
{
	double sum = 0;

	for (int g = 0; g < MON_GROUPS; g++)
		sum += (double)group[g];
	return sum;
}

static void counts_are_scaled_by_the_pieces_of_their_context(void **state)
{
	struct mon_count_row r;

	(void)state;
	pieces[CONTEXT].all = 800;
	pieces[1].all = 100000;
	for (int g = 0; g < MON_GROUPS; g++) {
		pieces[CONTEXT].counted[g] = 10;
		sums.miss[1][0][g] = 5;
	}
	r = row(CONTEXT);
	assert_int_equal(r.loads, 10000);
	assert_int_equal(r.load_miss[1], 400);
	assert_true(fabs(sum_of(r.group[1][0]) - 400) < 0.01);
	assert_false(slice_rows_stray());
}

static void a_context_counted_in_full_has_the_least_error(void **state)
{
	struct mon_count_row r;

	(void)state;
	pieces[CONTEXT].all = 36;
	pieces[1].all = 100000;
	for (unsigned g = 0; g < MON_GROUPS; g++) {
		pieces[CONTEXT].counted[g] = 1 + g;
		sums.miss[1][0][g] = g * g;
	}
	r = row(CONTEXT);
	assert_int_equal(r.loads, 1000);
	assert_int_equal(r.load_miss[1], 140);
	assert_true(interval(&r) < 0.08 * 140);
}

static void one_slice_alone_has_an_error_as_large_as_its_count(void **state)
{
	struct mon_count_row r;

	(void)state;
	pieces[CONTEXT].all = 1000;
	pieces[1].all = 100000;
	pieces[CONTEXT].counted[2] = 10;
	sums.miss[1][0][2] = 7;
	r = row(CONTEXT);
	assert_int_equal(r.load_miss[1], 700);
	assert_true(interval(&r) > 650 && interval(&r) < 900);
}

static void a_context_without_counted_pieces_is_stray(void **state)
{
	struct mon_count_row r;

	(void)state;
	pieces[1].all = 100;
	pieces[1].counted[0] = 50;
	r = row(CONTEXT);
	assert_int_equal(r.loads, 2000);
	assert_true(slice_rows_stray());
}

static void what_cells_gained_in_a_slice_goes_to_its_group(void **state)
{
	static struct sim_cell cells[3];
	static struct sample_sums of[3];
	struct sim_core core = { .cells = cells, .sums = of, .ncells = 3, .counting = true };

	(void)state;
	cells[2].miss[1][1] = 10;
	slice_group_close(&core, 0);
	cells[2].miss[1][1] = 14;
	slice_group_close(&core, 5);
	slice_group_close(&core, 6);
	assert_int_equal(of[2].miss[1][1][0], 10);
	assert_int_equal(of[2].miss[1][1][5], 4);
	assert_int_equal(of[2].miss[1][1][6], 0);
}

/* Pieces whose misses vary, also slowly along the execution: the truth lies within the interval in 95 of 100
 * cases. */
static void intervals_hold_the_truth(void **state)
{
	enum { CASES = 400, SLICE = 24 };
	int within = 0;
	double wide = 0;

	srand(5);
	for (int n = 0; n < CASES; n++) {
		static uint32_t miss[PIECES];
		double truth = 0, slow = rand() % 100;
		struct mon_count_row r;

		start(state);
		for (int i = 0; i < PIECES; i++) {
			miss[i] = (uint32_t)(100 + 50 * sin(i / (300. + slow)) + rand() % EACH);
			truth += miss[i];
		}
		pieces[CONTEXT].all = PIECES;
		for (int k = 0; k < SLICES; k++) {
			int from = (int)((k + (rand() % 1000) / 1000.) * (PIECES - SLICE) / SLICES);

			for (int i = from; i < from + SLICE; i++) {
				pieces[CONTEXT].counted[k % MON_GROUPS]++;
				sums.miss[1][0][k % MON_GROUPS] += miss[i];
			}
		}
		r = row(CONTEXT);
		within += fabs((double)r.load_miss[1] - truth) <= interval(&r);
		wide += interval(&r) / truth / CASES;
	}
	assert_true(within >= 0.93 * CASES);
	assert_true(wide > 0.06 && wide < 0.15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counts_are_scaled_by_the_pieces_of_their_context, start),
		cmocka_unit_test_setup(a_context_counted_in_full_has_the_least_error, start),
		cmocka_unit_test_setup(one_slice_alone_has_an_error_as_large_as_its_count, start),
		cmocka_unit_test_setup(a_context_without_counted_pieces_is_stray, start),
		cmocka_unit_test_setup(what_cells_gained_in_a_slice_goes_to_its_group, start),
		cmocka_unit_test(intervals_hold_the_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
