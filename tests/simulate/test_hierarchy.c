/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests hierarchy.c against a simulator of lists written from the rules in hierarchy.h, and with
 * cases worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "simulate/cache/hierarchy.h"
#include "tests/random_cases.h"
#include "tests/simulate/blocks.h"
#include "tests/simulate/one_access.h"
#include "tests/simulate/lists.h"

/* --- neighbours ------------------------------------------------------------------------------------ */

static _Atomic uint64_t *marks(void *space, uint64_t address, bool make)
{
	(void)space;
	(void)address;
	(void)make;
	return NULL;
}
static const struct sim_env env = { .get = block_get, .marks = marks };
static struct sim sim;

/* --- comparison ------------------------------------------------------------------------------------------ */

static struct sim_core *cores[CPUS];

static void arm(const struct machine_flat *m)
{
	blocks_free();
	memset(&plain, 0, sizeof plain);
	plain.m = m;
	for (uint32_t i = 0; i < m->nlevels; i++)
		for (uint32_t n = 0; n < CPUS; n++)
			plain.cache[i][n].random = UINT32_C(0x9e3779b9) * (i * SIM_CPUS + n + 1);
	assert_true(sim_machine_ok(m));
	sim_arm(&sim, m, &env);
	for (uint32_t cpu = 0; cpu < m->ncpus; cpu++) {
		if (!cores[cpu]) {
			cores[cpu] = calloc(1, sizeof **cores);
			cores[cpu]->cells = calloc(SIM_CELLS, sizeof *cores[cpu]->cells);
			cores[cpu]->index = calloc(2 * SIM_CELLS, sizeof *cores[cpu]->index);
		}
		sim_core_clear(cores[cpu]);
		assert_int_equal(sim_core_attach(cores[cpu], &sim, cpu), 0);
		sim_core_count(cores[cpu]);
	}
}

static void access_both(uint32_t cpu, uint32_t who, uint64_t first, uint64_t last, uint32_t store)
{
	plain_access(cpu, who, first, last, (int)store);
	if (cores[cpu]->generic) {
		sim_first(cores[cpu], first, last, sim_core_cell(cores[cpu], 1, who), store);
	} else {
		one_access(cores[cpu], first, last, sim_core_cell(cores[cpu], 1, who), store);
		sim_drain(cores[cpu]);  /* shared levels see accesses in order */
	}
}

static void add(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

#define ADD(what) add((uint64_t *)s.what, (const uint64_t *)c->what, sizeof s.what / sizeof(uint64_t))
/* What all cores have counted for one owner. */
static struct counts sum(const struct machine_flat *m, uint32_t who)
{
	struct counts s = { .fetched = { 0 } };

	for (uint32_t cpu = 0; cpu < m->ncpus; cpu++) {
		const struct sim_cell *c = sim_core_cell(cores[cpu], 1, who);

		ADD(miss);
		ADD(fetched);
		ADD(writeback);
		ADD(prefetched);
		ADD(useful);
		ADD(tlb_miss);
	}
	return s;
}

static void compare(const struct machine_flat *m, const char *what)
{
	for (uint32_t who = 0; who < OWNERS; who++) {
		struct counts got = sum(m, who);

		if (memcmp(&got, &plain.count[who], sizeof got) == 0)
			continue;
		for (size_t i = 0; i < sizeof got / sizeof(uint64_t); i++)
			if (((uint64_t *)&got)[i] != ((uint64_t *)&plain.count[who])[i])
				print_error("owner %u, count %zu: %lu, not %lu\n", who, i,
					(unsigned long)((uint64_t *)&got)[i],
					(unsigned long)((uint64_t *)&plain.count[who])[i]);
		fail_msg("%s", what);
	}
}

/* --- random traces over every combination ----------------------------------------------------------------- */

static uint64_t seed;
static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t walk[CPUS][3];

static uint64_t where(uint32_t cpu, uint64_t span)
{
	switch (rnd() % 5) {
	case 0: return 4096 + rnd() % span;
	case 1: return 4096 + (walk[cpu][0] += 8) % span;
	case 2: return 4096 + (walk[cpu][1] += 136) % span;
	case 3: return 4096 + (walk[cpu][2] += 192) % span;
	default: return 4096 + cpu * 512 + rnd() % 512;
	}
}

static int accesses = 1200;     /* of a trace, by random_cases() */

static void random_trace(const struct machine_flat *m, const char *what)
{
	arm(m);
	seed = 88172645463325252u;
	memset(walk, 0, sizeof walk);
	for (int i = 0; i < accesses; i++) {
		uint32_t cpu = (uint32_t)(rnd() % m->ncpus), size = 1 + (uint32_t)(rnd() % 24);
		uint64_t a = where(cpu, 30000), b = a + size - 1;

		/* In another page the second half is anywhere. */
		if (a / 4096 != b / 4096 && rnd() % 2)
			b = 4096 + rnd() % 8 * 4096 + b % 4096;
		access_both(cpu, (uint32_t)(rnd() % OWNERS), a, b, rnd() % 3 == 0);
	}
	compare(m, what);
}

static struct machine_level level(uint32_t line, uint32_t assoc, uint32_t sets, uint32_t cpus,
	uint32_t shared)
{
	return (struct machine_level){ .level = 1, .cpus = cpus, .shared = shared, .line = line,
		.assoc = assoc, .sets = sets, .size = (uint64_t)line * assoc * sets };
}

static struct machine_flat four_cpus(uint32_t far_line)
{
	struct machine_flat m = { .nlevels = 3, .ncpus = 4, .page_size = 4096 };

	m.level[0] = level(64, 2, 4, 1, MACHINE_SHARED_CPU);
	m.level[1] = level(64, 4, 8, 2, MACHINE_SHARED_CORE);
	m.level[2] = level(far_line, 4, 16, 4, MACHINE_SHARED_ALL);
	return m;
}

static void every_combination_agrees_with_lists(void **state)
{
	static const uint32_t inclusion[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 2, 0 },
		{ 0, 2 }, { 2, 2 }, { 1, 2 }, { 2, 1 } };
	char what[120];

	(void)state;
	for (uint32_t policy = 0; policy < 27; policy++)
		for (uint32_t k = 0; k < 9; k++)
			for (uint32_t ahead = 0; ahead < 6; ahead++)
				for (uint32_t rest = 0; rest < 4; rest++) {
					struct machine_flat m = four_cpus(k < 4 && policy % 2 ? 128 : 64);

					for (uint32_t i = 0; i < 3; i++) {
						static const uint32_t power[] = { 1, 3, 9 };

						m.level[i].replacement = policy / power[i] % 3;
						m.level[i].prefetch = ahead == 5 ? i % 3
							: ahead / 3 == i ? ahead % 3 : 0;
						if (i)
							m.level[i].inclusion = inclusion[k][i - 1];
						if (m.level[i].inclusion == MACHINE_EXCLUSIVE)
							m.level[i].prefetch = 0;
						m.level[i].degree = m.level[i].prefetch ? 1 + policy % 3 : 0;
					}
					m.write = rest & 1;
					if (rest & 2) {
						m.ntlbs = 2;
						m.tlb[0] = (struct machine_tlb){ 4, 2, 4096, 7 };
						m.tlb[1] = (struct machine_tlb){ 6, 3, 8192, 30 };
					}
					snprintf(what, sizeof what, "policy %u, inclusion %u, prefetch %u, "
						"rest %u", policy, k, ahead, rest);
					random_trace(&m, what);
				}
}

static void one_set_and_odd_sets_agree_with_lists(void **state)
{
	(void)state;
	for (uint32_t k = 0; k < 3; k++) {
		struct machine_flat m = { .nlevels = 2, .ncpus = 2, .page_size = 4096, .write = 1 };

		m.level[0] = level(64, 1, 1, 1, MACHINE_SHARED_CPU);
		m.level[1] = level(64, 5, 13, 2, MACHINE_SHARED_CORE);
		m.level[1].inclusion = k;
		random_trace(&m, "one line");
		m.level[0] = level(64, 8, 1, 1, MACHINE_SHARED_CPU);
		m.level[0].replacement = MACHINE_PLRU;
		random_trace(&m, "one set");
	}
}

static void stores_and_pages_change_no_miss(void **state)
{
	struct counts all[3];

	(void)state;
	for (uint32_t k = 0; k < 3; k++) {
		struct machine_flat m = four_cpus(64);

		m.write = k == 1;
		m.ntlbs = k == 2;
		m.tlb[0] = (struct machine_tlb){ 4, 2, 4096, 7 };
		random_trace(&m, "plain levels");
		assert_int_equal(cores[0]->generic, k != 0);
		all[k] = sum(&m, 3);
		assert_memory_equal(all[k].miss, all[0].miss, sizeof all[0].miss);
		assert_memory_equal(all[k].fetched, all[0].fetched, sizeof all[0].fetched);
	}
}

/* --- by hand --------------------------------------------------------------------------------------------- */

static struct machine_flat one_cpu(uint32_t nlevels)
{
	struct machine_flat m = { .nlevels = nlevels, .ncpus = 1, .page_size = 4096 };

	for (uint32_t i = 0; i < nlevels; i++)
		m.level[i] = level(64, i ? 4 : 2, 1, 1, MACHINE_SHARED_CPU);
	return m;
}

/* Lines by invalidation. */
static void line(char invalidation, uint32_t store)
{
	uint64_t a = 4096 + (uint64_t)(invalidation - 'a') * 64;

	sim_first(cores[0], a, a + 7, sim_core_cell(cores[0], 1, 0), store);
}

static const struct sim_cell *cell(void)
{
	return sim_core_cell(cores[0], 1, 0);
}

static void lines(const char *invalidations)
{
	for (; *invalidations; invalidations++)
		line(*invalidations, 0);
}

static uint64_t misses(uint32_t i)
{
	return cell()->miss[i][0] + cell()->miss[i][1];
}

/* a b c d fill ways 0 to 3.  Each way's use turns the nodes above it away from it:
 *   a: root right, left node right   b: root right, left node left
 *   c: root left, right node right   d: root left, right node left
 * So after a b c d the tree says left, left: a is replaced.  After a again (root right, left node
 * right) it says right, left: c, though b is the least recent. */
static void tree_of_four_ways_replaces_what_the_drawing_says(void **state)
{
	struct machine_flat m = one_cpu(1);

	(void)state;
	m.level[0] = level(64, 4, 1, 1, MACHINE_SHARED_CPU);
	m.level[0].replacement = MACHINE_PLRU;
	arm(&m);
	lines("abcd");
	assert_int_equal(misses(0), 4);
	lines("a");
	assert_int_equal(misses(0), 4);
	lines("e");                     /* for c, in way 2: root left, right node right */
	lines("abd");
	assert_int_equal(misses(0), 5);
	lines("c");                     /* a b d: root left (by d), left node left: for a */
	assert_int_equal(misses(0), 6);
	lines("bde");
	assert_int_equal(misses(0), 6);
	lines("a");
	assert_int_equal(misses(0), 7);
}

static void random_replacement_repeats(void **state)
{
	struct machine_flat m = one_cpu(1);
	uint64_t first;

	(void)state;
	m.level[0] = level(64, 4, 1, 1, MACHINE_SHARED_CPU);
	m.level[0].replacement = MACHINE_RANDOM;
	arm(&m);
	for (int i = 0; i < 100; i++)
		lines("abcdef");
	first = misses(0);
	/* LRU misses all 600, the best policy about half of them. */
	assert_in_range(first, 250, 550);
	arm(&m);
	for (int i = 0; i < 100; i++)
		lines("abcdef");
	assert_int_equal(misses(0), first);
}

/* L1 keeps a in use, so L2 never sees it again and evicts it after three others. */
static void an_inclusive_level_takes_lines_from_the_nearer(void **state)
{
	struct machine_flat m = one_cpu(2);

	(void)state;
	arm(&m);
	m.level[1].inclusion = MACHINE_INCLUSIVE;
	arm(&m);
	lines("abacadae");              /* L2 has a b c d, then e comes for a */
	assert_int_equal(misses(0), 5);
	lines("a");
	assert_int_equal(misses(0), 6);
	assert_int_equal(misses(1), 6);
	m.level[1].inclusion = MACHINE_INDEPENDENT;
	m.write = MACHINE_WRITE_BACK;
	arm(&m);
	lines("abacadaea");             /* independent: a is still in L1 */
	assert_int_equal(misses(0), 5);
}

/* Two lines in L1 and four others in L2: six in all, where an independent L2 has four. */
static void an_exclusive_level_adds_to_the_nearer(void **state)
{
	struct machine_flat m = one_cpu(2);

	(void)state;
	m.level[1].inclusion = MACHINE_EXCLUSIVE;
	arm(&m);
	lines("abcdef");
	assert_int_equal(misses(1), 6);
	for (int i = 0; i < 10; i++)
		lines("abcdef");
	assert_int_equal(misses(0), 66);
	assert_int_equal(misses(1), 6);
	lines("g");                     /* for a */
	lines("a");
	assert_int_equal(misses(1), 8);
}

/* CPU 1 reads what only the caches of CPU 0 have: the exclusive level lets them hand it over. */
static void an_exclusive_level_knows_what_the_nearer_hold(void **state)
{
	struct machine_flat m = one_cpu(2);

	(void)state;
	m.ncpus = 2;
	m.level[1].shared = MACHINE_SHARED_ALL;
	m.level[1].cpus = 2;
	m.level[1].inclusion = MACHINE_EXCLUSIVE;
	arm(&m);
	lines("a");
	assert_int_equal(misses(1), 1);
	sim_first(cores[1], 4096, 4103, sim_core_cell(cores[1], 1, 0), 0);
	assert_int_equal(sim_core_cell(cores[1], 1, 0)->miss[0][0], 1);
	assert_int_equal(sim_core_cell(cores[1], 1, 0)->miss[1][0], 0);
}

static void a_line_is_written_back_once_for_who_stored(void **state)
{
	struct machine_flat m = one_cpu(2);
	const struct sim_cell *other;

	(void)state;
	m.write = MACHINE_WRITE_BACK;
	arm(&m);
	line('a', 1);
	line('a', 1);
	lines("bcd");                   /* a leaves L1 and is dirty in L2 */
	assert_int_equal(cell()->writeback[0], 1);
	assert_int_equal(cell()->writeback[1], 0);
	other = sim_core_cell(cores[0], 2, 9);
	for (uint64_t a = 8192; a < 8192 + 4 * 64; a += 64)
		sim_first(cores[0], a, a + 7, sim_core_cell(cores[0], 2, 9), 0);
	assert_int_equal(cell()->writeback[1], 1);
	assert_int_equal(other->writeback[0] + other->writeback[1], 0);
	lines("abcdefg");               /* read again, it is clean */
	assert_int_equal(cell()->writeback[1], 1);
}

static void a_stream_is_fetched_ahead(void **state)
{
	struct machine_flat m = one_cpu(2);

	(void)state;
	m.level[1].prefetch = MACHINE_NEXT_LINE;
	m.level[1].degree = 1;
	arm(&m);
	lines("abcdefgh");              /* a misses, b … h are there already */
	assert_int_equal(misses(0), 8);
	assert_int_equal(misses(1), 1);
	assert_int_equal(cell()->prefetched[1], 8);
	assert_int_equal(cell()->useful[1], 7);
	m.level[1].prefetch = MACHINE_STRIDE;
	arm(&m);
	lines("adgjmp");                /* a, d set the step, g confirms it: j m p are there */
	assert_int_equal(misses(1), 3);
	assert_int_equal(cell()->useful[1], 3);
	assert_int_equal(cell()->prefetched[1], 4);
}

static void no_prefetch_leaves_its_4_kib(void **state)
{
	struct machine_flat m = one_cpu(1);

	(void)state;
	m.level[0].prefetch = MACHINE_NEXT_LINE;
	m.level[0].degree = 4;
	arm(&m);
	sim_first(cores[0], 8192 - 128, 8192 - 121, sim_core_cell(cores[0], 1, 0), 0);
	assert_int_equal(cell()->prefetched[0], 1);
}

static void pages_miss_in_both_levels(void **state)
{
	struct machine_flat m = one_cpu(1);

	(void)state;
	m.level[0] = level(64, 8, 64, 1, MACHINE_SHARED_CPU);
	m.ntlbs = 2;
	m.tlb[0] = (struct machine_tlb){ 2, 2, 4096, 7 };
	m.tlb[1] = (struct machine_tlb){ 4, 4, 4096, 30 };
	arm(&m);
	for (int round = 0; round < 2; round++)
		for (uint64_t page = 1; page <= 4; page++)
			sim_first(cores[0], page * 4096, page * 4096 + 7,
				sim_core_cell(cores[0], 1, 0), page == 4);
	assert_int_equal(cell()->tlb_miss[0][0], 6);
	assert_int_equal(cell()->tlb_miss[0][1], 2);
	assert_int_equal(cell()->tlb_miss[1][0], 3);
	assert_int_equal(cell()->tlb_miss[1][1], 1);
	/* Two pages at once: one access, one miss. */
	sim_first(cores[0], 6 * 4096 - 4, 6 * 4096 + 3, sim_core_cell(cores[0], 1, 0), 0);
	assert_int_equal(cell()->tlb_miss[1][0], 4);
}

static void what_the_warm_up_dirtied_belongs_to_somebody(void **state)
{
	struct machine_flat m = one_cpu(1);

	(void)state;
	m.write = MACHINE_WRITE_BACK;
	arm(&m);
	sim_core_clear(cores[0]);       /* not counting yet */
	sim_first(cores[0], 4096, 4103, sim_core_cell(cores[0], 5, 6), 1);
	sim_core_count(cores[0]);
	assert_int_equal(sim_core_cell(cores[0], 5, 6)->miss[0][1], 0);
	lines("bc");
	assert_int_equal(sim_core_cell(cores[0], 5, 6)->writeback[0], 1);
	assert_int_equal(cell()->writeback[0], 0);
}

static void a_dropped_line_is_gone_whatever_the_policy(void **state)
{
	(void)state;
	for (uint32_t policy = 0; policy < 6; policy++) {
		struct machine_flat m = one_cpu(1);

		m.level[0] = level(64, 4, 1, 1, MACHINE_SHARED_CPU);
		m.level[0].replacement = policy % 3;
		m.write = policy == 3;
		m.pages = policy == 4 ? MACHINE_PAGES_VIRTUAL : MACHINE_PAGES_FIRST_TOUCH;
		arm(&m);
		for (uint64_t a = 4096; a < 4096 + 256; a += 64)
			access_both(0, 0, a, a, 1);
		assert_true(sim_cache_drop(&sim, cores[0]->level[0], (4096 + 64) / 64, 1, 0));
		assert_false(sim_cache_drop(&sim, cores[0]->level[0], (4096 + 64) / 64, 1, 0));
		/* Its way is free: the next line replaces none of the others. */
		access_both(0, 0, 4096 + 256, 4096 + 256, 0);
		for (uint64_t a = 4096; a < 4096 + 256; a += 64)
			if (a != 4096 + 64)
				access_both(0, 0, a, a, 0);
		assert_int_equal(misses(0), 5);
		assert_int_equal(cell()->writeback[0], 0);
	}
}

static void impossible_hierarchies_are_refused(void **state)
{
	struct machine_flat m = four_cpus(64);

	(void)state;
	assert_true(sim_machine_ok(&m));
	m.level[0].inclusion = MACHINE_INCLUSIVE;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(128);
	m.level[2].inclusion = MACHINE_EXCLUSIVE;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(64);
	m.level[1].assoc = 6;
	m.level[1].replacement = MACHINE_PLRU;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(64);
	m.level[1].replacement = 3;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(64);
	m.level[1].prefetch = MACHINE_STRIDE;
	m.level[1].degree = 17;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(32);
	m.write = MACHINE_WRITE_BACK;
	assert_false(sim_machine_ok(&m));
	m = four_cpus(64);
	m.ntlbs = 1;
	m.tlb[0] = (struct machine_tlb){ 4, 3, 4096, 7 };
	assert_false(sim_machine_ok(&m));
	m.ntlbs = 3;
	assert_false(sim_machine_ok(&m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_agrees_with_lists),
		cmocka_unit_test(one_set_and_odd_sets_agree_with_lists),
		cmocka_unit_test(stores_and_pages_change_no_miss),
		cmocka_unit_test(tree_of_four_ways_replaces_what_the_drawing_says),
		cmocka_unit_test(random_replacement_repeats),
		cmocka_unit_test(an_inclusive_level_takes_lines_from_the_nearer),
		cmocka_unit_test(an_exclusive_level_adds_to_the_nearer),
		cmocka_unit_test(an_exclusive_level_knows_what_the_nearer_hold),
		cmocka_unit_test(a_line_is_written_back_once_for_who_stored),
		cmocka_unit_test(a_stream_is_fetched_ahead),
		cmocka_unit_test(no_prefetch_leaves_its_4_kib),
		cmocka_unit_test(pages_miss_in_both_levels),
		cmocka_unit_test(what_the_warm_up_dirtied_belongs_to_somebody),
		cmocka_unit_test(a_dropped_line_is_gone_whatever_the_policy),
		cmocka_unit_test(impossible_hierarchies_are_refused),
	};

	accesses = random_cases(accesses);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
