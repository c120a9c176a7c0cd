/* SPDX-License-Identifier: BSD-3-Clause */
/* What a calibration measures with: working sets and their orders, kernels, quantiles. */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "machine/cores.h"
#include "machine/faults.h"
#include "machine/kernels.h"
#include "machine/series.h"
#include "machine/working_sets.h"

static void a_chain_visits_every_line_of_its_order_once(struct order *o, size_t line)
{
	void *start = o->at, *p = start;
	bool *seen = calloc(o->n, sizeof *seen);
	uint32_t most = 0;

	for (size_t i = 0; i < o->n; i++)
		most = o->word[i] > most ? o->word[i] : most;
	free(seen);
	seen = calloc(most / (line / 8) + 1, sizeof *seen);
	assert_non_null(seen);
	for (size_t i = 0; i < o->n; i++) {
		size_t at = (size_t)((char *)p - (char *)o->base) / line;

		assert_true(at <= most / (line / 8) && !seen[at]);
		assert_ptr_equal((char *)&o->base[o->word[i]] + ((char *)start
			- (char *)&o->base[o->word[0]]), p);
		seen[at] = true;
		p = kernel_chase(p, 1);
	}
	assert_ptr_equal(p, start);
	assert_ptr_equal(kernel_chase(start, o->n), start);
	free(seen);
}

static void sets_fit_their_levels_and_orders_are_complete(void **state)
{
	struct machine m;
	struct working_sets s;
	struct err err = { "" };

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	if (working_sets_make(&m, 0, &s, &err) < 0) {
		assert_non_null(strstr(err.text, "not enough memory"));
		skip();
	}
	for (uint32_t i = 0; i < s.nlevels; i++) {
		assert_true(s.set[i].size <= m.flat.level[i].size / 2);
		assert_true(i == 0 || s.set[i].size >= 3 * m.flat.level[i - 1].size);
		a_chain_visits_every_line_of_its_order_once(&s.set[i].order[BY_BLOCK][ORDER_CHASE],
			s.line);
		if (s.set[i].walks > 0)
			a_chain_visits_every_line_of_its_order_once(
				&s.set[i].order[OVER_PAGES][ORDER_CHASE], s.line);
	}
	assert_true(s.set[s.nlevels].size >= 2 * m.flat.level[s.nlevels - 1].size);
	for (int k = 0; k < OVER_HUGE; k++)
		a_chain_visits_every_line_of_its_order_once(&s.set[s.nlevels].order[k][ORDER_CHASE],
			s.line);
	working_sets_free(&s);
}

/* The same lines in huge pages, where the system gives them; the walks differ in nothing else. */
static void huge_pages_are_visited_as_the_others(void **state)
{
	struct machine m;
	struct working_sets s;
	struct err err;

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	if (working_sets_make(&m, 0, &s, &err) < 0)
		skip();
	if (!s.set[s.nlevels].huge) {
		working_sets_free(&s);
		skip();
	}
	for (uint32_t i = 1; i <= s.nlevels; i++) {
		struct order *small = s.set[i].order[OVER_PAGES], *huge = s.set[i].order[OVER_HUGE];

		for (int use = 0; use < ORDER_USES; use++) {
			assert_int_equal(small[use].n, huge[use].n);
			assert_memory_equal(small[use].word, huge[use].word, small[use].n * sizeof *small[use].word);
			assert_true(small[use].base != huge[use].base && (uintptr_t)huge[use].base % (2 << 20) == 0);
		}
		a_chain_visits_every_line_of_its_order_once(&huge[ORDER_CHASE], s.line);
	}
	working_sets_free(&s);
}

/* Where a page takes long to get, memory's set is smaller, but not less than twice the last level. */
static void sets_are_smaller_where_few_pages_may_be_touched(void **state)
{
	struct machine m;
	struct working_sets s;
	struct err err;

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	if (working_sets_make(&m, 80000, &s, &err) < 0)
		skip();
	assert_true(s.set[s.nlevels].size < (uint64_t)256 << 20);
	working_sets_free(&s);
	assert_int_equal(working_sets_make(&m, 1, &s, &err), 0);
	assert_int_equal(s.set[s.nlevels].size, 2 * m.flat.level[2].size);
	working_sets_free(&s);
}

/* Over all pages: none comes again before as many others as a TLB has entries. */
static void every_access_over_all_pages_needs_a_walk(void **state)
{
	struct machine m;
	struct working_sets s;
	struct err err;

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	if (working_sets_make(&m, 0, &s, &err) < 0)
		skip();
	for (uint32_t i = 1; i <= s.nlevels; i++) {
		const struct order *o = &s.set[i].order[OVER_PAGES][ORDER_LOAD];
		uint32_t *last = calloc(MACHINE_LEVELS + ((size_t)512 << 20) / s.page, sizeof *last);

		assert_non_null(last);
		assert_true(s.set[i].walks > 0);
		for (size_t k = 0; k < o->n; k++) {
			size_t page = o->word[k] / (s.page / 8);

			assert_true(!last[page] || k + 1 - last[page] > COST_WALK_PAGES);
			last[page] = (uint32_t)k + 1;
		}
		free(last);
	}
	working_sets_free(&s);
}

#ifndef __SANITIZE_ADDRESS__
static void too_little_memory_is_refused(void **state)
{
	struct rlimit old, small;
	struct working_sets s;
	struct machine m;
	struct err err = { "" };

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
	small = old;
	small.rlim_cur = (rlim_t)100 << 20;
	assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
	assert_true(memory_room() < (uint64_t)100 << 20);
	assert_int_equal(working_sets_make(&m, 0, &s, &err), -1);
	setrlimit(RLIMIT_AS, &old);
	assert_non_null(strstr(err.text, "not enough memory"));
}
#endif

static void kernels_visit_what_they_are_told(void **state)
{
	static uint64_t words[64] __attribute__((aligned(64)));
	static const uint32_t list[] = { 5, 9, 33 };
	static const unsigned char taken[] = { 0, 1, 0, 1 };
	volatile uint64_t sum = 0;

	(void)state;
	kernel_write((char *)words, sizeof words, 7);
	for (int i = 0; i < 64; i++)
		assert_int_equal(words[i], 7);
	words[10] = 8;
	assert_int_equal(kernel_read((char *)words, sizeof words), 7 ^ 8);
	memset(words, 0, sizeof words);
	kernel_store(words, list, 3, 1);
	assert_true(words[5] == 1 && words[9] == 1 && words[33] == 1 && words[6] == 0);
	words[33] = 100;
	assert_int_equal(kernel_gather(words, list, 3), 102);
	memset(words, 0, sizeof words);
	kernel_strided_store((char *)words, 72, 7, 3);
	assert_true(words[0] == 3 && words[9] == 3 && words[54] == 3 && words[63] == 0);
	assert_int_equal(kernel_strided((char *)words, 72, 7), 21);
	kernel_branches(taken, 4, &sum);
	assert_int_equal(sum, 1 + 3);
}

static void disturbed_slices_do_not_change_the_cost(void **state)
{
	struct series quiet = { .n = 0 }, busy = { .n = 0 };

	(void)state;
	for (int i = 0; i < 240; i++) {
		double v = 100 + i % 7;

		series_add(&quiet, v);
		series_add(&busy, i / 24 % 2 ? v : 3 * v);
	}
	assert_true(series_cost(&quiet).value >= 100 && series_cost(&quiet).value <= 102);
	assert_true(series_cost(&busy).value <= series_cost(&quiet).value * 1.05);
	assert_true(series_cost(&busy).high > 250);
	assert_true(series_spread(&busy) < 0.1);
	/* All slices between 100 and 200: they disagree. */
	busy.n = 0;
	for (int i = 0; i < 24; i++)
		series_add(&busy, i % 2 ? 100 : 200);
	assert_true(series_spread(&busy) > 0.9);
	busy.n = 0;
	assert_true(series_cost(&busy).value == 0 && series_rate(&busy) == 0);
}

/* A core's other hardware thread: the slices fall into two clusters, which the probe tells apart. */
static void slices_beside_another_program_are_left_out(void **state)
{
	static struct samples s;
	struct series out;

	(void)state;
	for (int i = 0; i < 40; i++) {
		bool quiet = i % 4 == 0;

		series_add(&s.ns, quiet ? 10 : 20 + i % 3);
		series_add(&s.probe, quiet ? 5 : 10);
	}
	assert_true(series_spread(&s.ns) > 0.4);
	assert_int_equal(samples_undisturbed(&s, 6, &out), 10);
	assert_true(series_cost(&out).value == 10);
	assert_true(series_spread(&out) == 0);
	/* Seven are too few: then those beside another program, and they alone. */
	for (int i = 0; i < 12; i += 4)
		s.probe.v[i] = 10;
	assert_int_equal(samples_undisturbed(&s, 6, &out), 7);
	assert_int_equal(out.n, 33);
	assert_true(series_cost(&out).value >= 20 && series_spread(&out) < 0.2);
}

static long faults_so_far(void)
{
	struct rusage r;

	assert_int_equal(getrusage(RUSAGE_SELF, &r), 0);
	return r.ru_minflt;
}

/* Each thread has a fault for each of its pages, by the system's own count. */
static void every_page_is_a_fault_of_its_own(void **state)
{
	unsigned cpu[CORES_MOST], n = cores_cpus(cpu);

	(void)state;
	n = n > FAULT_THREADS ? FAULT_THREADS : n;
	assert_true(n >= 1);
	for (unsigned k = 1; k <= n; k += n > 1 ? n - 1 : 1) {
		struct series s = { .n = 0 };
		const long pages = (long)k * FAULT_CHUNKS * FAULT_PAGES, before = faults_so_far();

		assert_int_equal(faults_touch(cpu, k, &s), 0);
		assert_int_equal(s.n, k * FAULT_CHUNKS);
		assert_true(faults_so_far() - before >= pages && faults_so_far() - before < pages + pages / 4);
		for (unsigned i = 0; i < s.n; i++)
			assert_true(s.v[i] > 0);
	}
	assert_int_equal(faults_touch(cpu, FAULT_THREADS + 1, NULL), -1);
}

static void a_faults_cost_is_the_median_of_its_samples(void **state)
{
	struct series s = { .n = 0 };

	(void)state;
	assert_true(faults_cost(&s).value == 0 && faults_cost(&s).high == 0);
	for (int i = 0; i <= 100; i++)
		series_add(&s, 100 - i);
	assert_true(faults_cost(&s).value == 50 && faults_cost(&s).low == 10 && faults_cost(&s).high == 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_fit_their_levels_and_orders_are_complete),
		cmocka_unit_test(huge_pages_are_visited_as_the_others),
		cmocka_unit_test(sets_are_smaller_where_few_pages_may_be_touched),
		cmocka_unit_test(every_access_over_all_pages_needs_a_walk),
#ifndef __SANITIZE_ADDRESS__     /* whose own memory is larger */
		cmocka_unit_test(too_little_memory_is_refused),
#endif
		cmocka_unit_test(kernels_visit_what_they_are_told),
		cmocka_unit_test(every_page_is_a_fault_of_its_own),
		cmocka_unit_test(a_faults_cost_is_the_median_of_its_samples),
		cmocka_unit_test(disturbed_slices_do_not_change_the_cost),
		cmocka_unit_test(slices_beside_another_program_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
