/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the stated errors of set sampling.  Small programs are simulated in full once, then with
 * many samples: the exact number of misses must lie within nearly all 95 % intervals. */
#include "monitor/client/mon.h"
#include "tests/simulate/records.h"

#include <math.h>

enum { WORDS = 30000, SAMPLES = 20 };

static struct sim_thread *thread;
static uint64_t words[WORDS], *at = words;

static const struct { _Alignas(8) struct psc_segment s; uint32_t d[6]; }
	triad = { { 3, 3, 3, 6, 0, { 0 } }, { 8, 8 << 2, 8, 8 << 2, 8, 8 << 2 | PSC_STORE } },
	dot = { { 3, 2, 2, 4, 0, { 0 } }, { 8, 8 << 2, PSC_STEP_WORD, 8 << 2 } },
	stride = { { 2, 1, 1, 2, 0, { 0 } }, { PSC_STEP_WORD, 8 << 2 } };
static const struct { _Alignas(8) struct psc_segment s; uint32_t d[1]; }
	load = { { 1, 1, 1, 1, 0, { 0 } }, { 8 << 2 } };
/* A block of 5 x 5 and a vector of 5, as in LU. */
static struct desc block;

static uint64_t *room(uint32_t n)
{
	if (at + n > words + WORDS) {
		assert_int_equal(sim_batch(thread, words, at, true, true), 0);
		at = words;
	}
	at += n;
	return at - n;
}

#define PUT(...) do { \
	const uint64_t put_[] = { __VA_ARGS__ }; \
	memcpy(room(sizeof put_ / 8), put_, sizeof put_); \
} while (0)
#define HEAD(o) ((uintptr_t)&(o).s)
#define LOOP(o) (HEAD(o) | PSC_REC_LOOP)
enum { A = 1 << 24, B = 2 << 24, C = 3 << 24 };

static void run_triad(void)
{
	for (int i = 0; i < 3; i++)
		PUT(LOOP(triad), 40000, A, B + 4096, C + 72);
}

static void run_matmul(void)
{
	enum { N = 80 };

	for (uint64_t i = 0; i < N; i++)
		for (uint64_t j = 0; j < N; j++)
			PUT(LOOP(dot), N, A + i * N * 8, B + j * 8, N * 8);
}

static void run_lu(void)
{
	for (int times = 0; times < 3; times++)
		for (uint64_t i = 0; i < 3000; i++)
			PUT(HEAD(block), A + i * 200, B + i * 40, C + i * 40);
}

static void run_strided(void)
{
	for (int times = 0; times < 3; times++)
		for (uint64_t i = 0; i < 33; i++)
			PUT(LOOP(stride), 1500, A + i * 8, 264);
}

static void run_random(void)
{
	seed = 88172645463325252ull;
	for (int i = 0; i < 30000; i++)
		PUT(HEAD(load), A + rnd() % (1 << 20) / 8 * 8);
}

static void make_block(void)
{
	uint32_t *d = block.d;

	memset(&block, 0, sizeof block);
	*d++ = PSC_GROUP_MANY | 200 << 8 | 25;
	*d++ = 25 << 16 | 200;
	*d++ = 0;
	for (uint32_t i = 0; i < 25; i++)
		*d++ = i * 8 << 16 | 8 << 2;
	for (uint32_t store = 0; store < 2; store++) {
		*d++ = PSC_GROUP_MANY | 40 << 8 | 5;
		*d++ = store ? 0 : 5 << 16 | 40;
		*d++ = store ? 5 << 16 | 40 : 0;
		for (uint32_t i = 0; i < 5; i++)
			*d++ = i * 8 << 16 | 8 << 2 | store;
	}
	block.s = (struct psc_segment){ 3, 3, 35, (uint16_t)(d - block.d), 0, { 0 } };
}

static double variance_of(const struct sample *s, const uint64_t *groups)
{
	const struct mon_sample shape = { s->classes, s->chosen, s->groups, 0 };
	double parts[MON_ERRORS], sum = 0;
	float scaled[MON_GROUPS] = { 0 };

	for (uint32_t g = 0; g < s->groups; g++)
		scaled[g] = (float)sample_scaled(s, groups[g]);
	mon_sample_parts(&shape, scaled, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += parts[i] * parts[i];
	return sum;
}

/* Misses by level, and with a sample their variance. */
static void play(const struct machine_flat *m, void (*run)(void), struct sample *s,
	double *misses, double *variance, uint64_t *refs)
{
	struct sample_sums sums = { 0 };
	uint64_t miss[MACHINE_LEVELS] = { 0 };

	thread = thread_make();
	sim_arm(&sim, m, &env);
	sim.sample = s;
	assert_int_equal(sim_core_attach(&thread->core, &sim, 0), 0);
	thread->core.sums = s ? calloc(SIM_CELLS, sizeof sums) : NULL;
	at = words;
	run();
	assert_int_equal(sim_batch(thread, words, at, true, true), 0);
	sim_core_sum(&thread->core);
	*refs = 0;
	for (uint32_t i = 1; i < thread->core.ncells; i++)
		for (int store = 0; store < 2; store++) {
			const struct sim_cell *c = &thread->core.cells[i];

			*refs += c->refs[store];
			for (uint32_t l = 0; l < m->nlevels; l++) {
				miss[l] += c->miss[l][store];
				for (uint32_t g = 0; s && g < s->groups; g++)
					sums.miss[l][0][g] +=
						thread->core.sums[i].miss[l][store][g];
			}
		}
	for (uint32_t l = 0; l < m->nlevels; l++) {
		uint64_t all = 0;

		for (uint32_t g = 0; s && g < s->groups; g++)
			all += sums.miss[l][0][g];
		assert_true(!s || all == miss[l]);
		misses[l] = s ? (double)sample_scaled(s, miss[l]) : (double)miss[l];
		variance[l] = s ? variance_of(s, sums.miss[l][0]) : 0;
	}
	free(thread->core.sums);
	thread->core.sums = NULL;
	thread_free(thread);
	blocks_free();
}

/* Student's t, 97.5 %. */
static const double t95[] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365 };

/* need: of one kernel's samples at one level; returns how many of all lie within. */
static uint32_t intervals(uint32_t n, uint32_t need)
{
	uint32_t all_within = 0;
	void (*const kernel[])(void) = { run_triad, run_matmul, run_lu, run_strided, run_random };
	struct machine_flat m = { .ncpus = 1, .page_size = 4096, .nlevels = 3 };

	permute = 0;
	make_block();
	m.level[0] = level(64, 8, 64);
	m.level[1] = level(64, 8, 256);
	m.level[2] = level(64, 16, 192);
	for (int k = 0; k < 5; k++) {
		double exact[MACHINE_LEVELS], got[MACHINE_LEVELS], var[MACHINE_LEVELS];
		uint32_t within[MACHINE_LEVELS] = { 0 };
		uint64_t refs, all;

		play(&m, kernel[k], NULL, exact, var, &all);
		for (int i = 0; i < SAMPLES; i++) {
			struct sample s;

			assert_true(sample_make(&s, &m, n, (uint64_t)i));
			play(&m, kernel[k], &s, got, var, &refs);
			assert_int_equal(refs, all);
			for (uint32_t l = 0; l < 3; l++) {
				double d = got[l] - exact[l], t = t95[s.groups - 1];

				within[l] += d * d <= t * t * var[l];
			}
		}
		for (uint32_t l = 0; l < 3; l++) {
			print_message("kernel %d, 1/%u, level %u: %.0f misses, %u of %u within\n", k, n,
				l + 1, exact[l], within[l], (unsigned)SAMPLES);
			assert_true(within[l] >= need);
			all_within += within[l];
		}
	}
	return all_within;
}

static void the_exact_count_lies_within_the_stated_interval(void **state)
{
	(void)state;
	assert_true(intervals(8, SAMPLES * 8 / 10) >= 15 * SAMPLES * 9 / 10);
	/* Two classes that are alike by chance say nothing of others: where a program has two kinds
	 * of classes (the matrices of 80 x 80 here), that is every other sample. */
	assert_true(intervals(32, SAMPLES * 4 / 10) >= 15 * SAMPLES * 85 / 100);
}

static void a_sample_of_everything_is_exact(void **state)
{
	struct machine_flat m = { .ncpus = 1, .page_size = 4096, .nlevels = 1 };
	double exact[MACHINE_LEVELS], got[MACHINE_LEVELS], var[MACHINE_LEVELS];
	struct sample s;
	uint64_t refs;

	(void)state;
	m.level[0] = level(64, 8, 64);
	assert_true(sample_make(&s, &m, 1, 0));
	play(&m, run_matmul, NULL, exact, var, &refs);
	play(&m, run_matmul, &s, got, var, &refs);
	assert_true(exact[0] == got[0]);
	assert_true(var[0] == 0);
}

static void machines_without_common_bits_are_refused(void **state)
{
	struct machine_flat m = { .ncpus = 1, .page_size = 4096, .nlevels = 2 };
	struct sample s;

	(void)state;
	m.level[0] = level(64, 8, 64);
	m.level[1] = level(64, 8, 128);
	assert_true(sample_make(&s, &m, 32, 0));
	assert_int_equal(s.chosen, 2);
	assert_false(sample_make(&s, &m, 64, 0));
	m.level[1] = level(64, 8, 125);
	assert_false(sample_make(&s, &m, 2, 0));
	m.level[1] = level(4096, 8, 128);
	assert_false(sample_make(&s, &m, 2, 0));
}

static void the_agent_is_told_what_a_machine_allows(void **state)
{
	struct machine_flat m = { .ncpus = 1, .page_size = 4096, .nlevels = 2 };
	struct mon_sample s;
	struct err err = { "" };

	(void)state;
	m.level[0] = level(64, 8, 64);
	m.level[1] = level(64, 8, 128);
	assert_int_equal(mon_sample_of(&m, 1, &s, &err), 0);
	assert_int_equal(s.classes, 0);
	assert_int_equal(mon_sample_of(&m, 8, &s, &err), 0);
	assert_int_equal(s.classes, 64);
	assert_int_equal(s.chosen, 8);
	assert_int_equal(s.groups, 8);
	assert_int_equal(mon_sample_of(&m, 33, &s, &err), -1);
	assert_non_null(strstr(err.text, "64 classes"));
	assert_non_null(strstr(err.text, "one in 32"));
	m.level[1] = level(64, 8, 125);
	assert_int_equal(mon_sample_of(&m, 2, &s, &err), -1);
	assert_non_null(strstr(err.text, "cannot be sampled"));
	m.level[1] = level(64, 8, 128);
	m.level[1].inclusion = MACHINE_INCLUSIVE;
	assert_int_equal(mon_sample_of(&m, 2, &s, &err), -1);
	assert_non_null(strstr(err.text, "independent LRU"));
}

/* Two counts of the same classes: where one has more the other has less, and their sum is sure. */
static void the_error_of_a_sum_is_that_of_its_groups(void **state)
{
	const struct mon_sample s = { 64, 16, 4, 0 };
	const float a[MON_GROUPS] = { 100, 300, 200, 400 }, b[MON_GROUPS] = { 400, 200, 300, 100 };
	float sum[MON_GROUPS];
	double pa[MON_ERRORS], pb[MON_ERRORS], ps[MON_ERRORS], va = 0;

	(void)state;
	for (int g = 0; g < MON_GROUPS; g++)
		sum[g] = a[g] + b[g];
	mon_sample_parts(&s, a, pa);
	mon_sample_parts(&s, b, pb);
	mon_sample_parts(&s, sum, ps);
	/* 4/3 x (1 - 1/4) x (150² + 50² + 50² + 150²) */
	for (int i = 0; i < MON_ERRORS; i++)
		va += pa[i] * pa[i];
	assert_true(fabs(va - 50000) < 1e-6);
	for (int i = 0; i < MON_GROUPS; i++)
		assert_true(fabs(pa[i] + pb[i]) < 1e-9 && ps[i] == 0);
	/* Half a per cent remains. */
	assert_true(fabs(ps[MON_GROUPS] - 10) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_agent_is_told_what_a_machine_allows),
		cmocka_unit_test(the_error_of_a_sum_is_that_of_its_groups),
		cmocka_unit_test(the_exact_count_lies_within_the_stated_interval),
		cmocka_unit_test(a_sample_of_everything_is_exact),
		cmocka_unit_test(machines_without_common_bits_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
