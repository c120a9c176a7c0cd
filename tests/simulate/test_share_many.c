/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests coherence with many cores, pages, objects, contexts or levels, and with too much for the
 * memory.  Expected counts follow from the definition in share.h. */
#include "simulate/coherence/directory.h"
#include "tests/simulate/cores.h"

enum {
	ACCESSES = 6400,        /* of a core: 100 turns */
	/* The turns' first accesses, but for one that nobody wrote before, or one more where a
	 * batch's end cuts a turn. */
	TURNS_MIN = 98, TURNS_MAX = 101
};
static const int lengths[] = { 64, 100, 777, 1000, ACCESSES };
#define EACH(i, of) (size_t i = 0; i < sizeof (of) / sizeof *(of); i++)

static uint32_t applied;
void __real_directory_apply(struct share_core *l, struct stripe *t, struct page *p,
	const struct share_lines *e);
void __wrap_directory_apply(struct share_core *l, struct stripe *t, struct page *p,
	const struct share_lines *e);
void __wrap_directory_apply(struct share_core *l, struct stripe *t, struct page *p,
	const struct share_lines *e)
{
	applied++;
	__real_directory_apply(l, t, p, e);
}

static void expect_turns(uint32_t n)
{
	assert_in_range(kind(n, FALSE_SHARING), TURNS_MIN, TURNS_MAX);
	assert_int_equal(kind(n, TRUE_SHARING), 0);
}

static void again(void **state)
{
	tear_down(state);
	set_up(state);
}

/* The cores' words of four bytes lie in one line, which they used before or not. */
static void words_of_cores(uint32_t ncores, int length, bool before)
{
	for (int done = before ? -1 : 0; done < ACCESSES; done += done < 0 ? 1 : length)
		for (uint32_t n = 0; n < ncores; n++) {
			begin(n, done < 0 ? 1 : 5);
			for (int k = 0; k < (done < 0 ? 1 : length) && done + k < ACCESSES; k++)
				touch_as(n, 4096 + 4 * n, 4, 1, &core[n].cells[CELL]);
			end(n);
		}
}

static void each_of_many_cores_misses_once_a_turn(void **state)
{
	static const uint32_t ncores[] = { 2, 3, 4, CORES };

	for EACH(j, ncores)
		for EACH(i, lengths) {
			words_of_cores(ncores[j], lengths[i], true);
			for (uint32_t n = 0; n < ncores[j]; n++)
				expect_turns(n);
			again(state);
		}
}

/* In one batch, and in some that last long enough.  Of others, what comes before the cores are
 * known to meet is not counted. */
static void a_first_meeting_counts(void **state)
{
	enum { LONG = (SHARE_LASTS + 2) * SHARE_TURN };
	static const uint32_t ncores[] = { 2, 3, 4, CORES };
	static const int length[] = { ACCESSES, ACCESSES / 2, LONG, LONG - 3 * SHARE_TURN, 777, 64 };

	for EACH(j, ncores)
		for EACH(i, length) {
			uint32_t lost = length[i] < LONG ? SHARE_LASTS : 0;

			words_of_cores(ncores[j], length[i], false);
			for (uint32_t n = 0; n < ncores[j]; n++) {
				assert_in_range(kind(n, FALSE_SHARING), TURNS_MIN - lost, TURNS_MAX);
				assert_int_equal(kind(n, TRUE_SHARING), 0);
			}
			again(state);
		}
}

/* One core writes, the other reads the same word. */
static void a_first_meeting_with_a_reader_is_true_sharing(void **state)
{
	(void)state;
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < ACCESSES; k++)
			touch(n, 4096, !n);
		end(n);
	}
	expect(0, 0, 0);
	assert_in_range(kind(1, TRUE_SHARING), TURNS_MIN, TURNS_MAX);
	assert_int_equal(kind(1, FALSE_SHARING), 0);
}

/* Both lines are in each turn. */
static void contended_pages_that_meet_in_a_place_count_each(void **state)
{
	const uint64_t apart = (uint64_t)SHARE_PAGES * 4096;

	for EACH(i, lengths) {
		for (uint32_t n = 0; n < 4; n++) {      /* they met before, turns ago */
			one(n & 1, 1, 4096 + (n & 2 ? apart : 0) + 8 * (n & 1), 1);
			share_pass(core[n & 1].sharing, SHARE_TURN - 1);
		}
		for (int done = 0; done < ACCESSES; done += lengths[i])
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 5);
				for (int k = done; k < done + lengths[i] && k < ACCESSES; k++)
					touch(n, 4096 + (k & 1 ? apart : 0) + 8 * n, 1);
				end(n);
			}
		for (uint32_t n = 0; n < 2; n++) {
			assert_in_range(kind(n, FALSE_SHARING), 2 * TURNS_MIN, 2 * TURNS_MAX);
			assert_int_equal(kind(n, TRUE_SHARING), 0);
		}
		again(state);
	}
}

static void objects_of_one_line_count_as_one(void **state)
{
	for EACH(i, lengths) {
		for (uint32_t n = 0; n < 2; n++)
			one(n, 1, 4096 + 8 * n, 1);
		for (int done = 0; done < ACCESSES; done += lengths[i])
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 5);
				for (int k = done; k < done + lengths[i] && k < ACCESSES; k++)
					touch_as(n, 4096 + 8 * n, 8, 1,
						sim_core_cell(&core[n], 7, 9 + k / 64 % 2));
				end(n);
			}
		for (uint32_t n = 0; n < 2; n++) {
			const struct sim_cell *c = sim_core_cell(&core[n], 7, 10);

			assert_int_equal(kind(n, TRUE_SHARING), 0);
			assert_int_equal(c->coherent[TRUE_SHARING][1], 0);
			assert_in_range(kind(n, FALSE_SHARING) + c->coherent[FALSE_SHARING][1],
				TURNS_MIN, TURNS_MAX);
			assert_int_equal(c->coherent[0][0] + c->coherent[1][0], 0);
		}
		again(state);
	}
}

/* All levels have lines of so many bytes. */
static void arm_line(uint32_t line)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = CORES, .page_size = 4096, .level = {
		{ .level = 1, .line = line, .assoc = 2, .sets = 2, .cpus = 1 },
		{ .level = 2, .line = line, .assoc = 8, .sets = 64, .cpus = CORES,
		  .shared = MACHINE_SHARED_ALL } } };

	arm(&m);
}

/* Cores 0 and 1 write a word each of one line, core 2 the line; core 3 reads the line behind it. */
static void words_and_a_line(uint32_t line, struct share_report *r)
{
	uint64_t at = 4096 + 3 * line;

	for (uint32_t i = 0; i < 3; i++) {
		one(0, 10 * i, at, 1);
		one(1, 10 * i + 1, at + 8, 1);
		begin(2, 10 * i + 2);
		for (uint32_t k = 0; k < line; k += 8)
			touch(2, at + k, 1);
		end(2);
		one(3, 10 * i + 3, at + line, 0);
	}
	assert_int_equal(share_worst(share, r, 2, 2), 1);
	assert_int_equal(r->line, line);
	assert_int_equal(r->address, at);
	assert_int_equal(r->nthreads, 3);
	/* Each comes back twice, and all were written by core 2; core 2 finds both words
	 * written. */
	for (uint32_t n = 0; n < 3; n++)
		expect(n, 0, 2);
	expect(3, 0, 0);
	assert_int_equal(r->miss[0], 0);
	assert_int_equal(r->miss[1], 6);
	for (uint32_t n = 0; n < 3; n++) {
		assert_int_equal(r->who[n].thread, n);
		assert_int_equal(r->who[n].read, 0);
	}
}

static void a_small_line_has_a_bit_for_each_byte(void **state)
{
	struct share_report r;

	tear_down(state);
	arm_line(32);
	words_and_a_line(32, &r);
	assert_int_equal(r.who[0].written, 0xff);
	assert_int_equal(r.who[1].written, 0xff00);
	assert_int_equal(r.who[2].written, UINT32_MAX);
	touch_as(0, 8192 + 31, 1, 1, &core[0].cells[CELL]);
	end(0);
	one(1, 40, 8192 + 32, 1);       /* the next line */
	one(0, 41, 8192 + 24, 1);
	expect(0, 0, 2);
	expect(1, 0, 2);
}

static void a_large_line_has_a_bit_for_two_bytes(void **state)
{
	struct share_report r;

	tear_down(state);
	arm_line(128);
	words_and_a_line(128, &r);
	assert_int_equal(r.who[0].written, 0xf);
	assert_int_equal(r.who[1].written, 0xf0);
	assert_true(r.who[2].written == UINT64_MAX);
	for (uint64_t k = 0; k < 2; k++)        /* bytes 0 and 1 of one line, 1 and 2 of another */
		for (uint32_t i = 0; i < 2; i++)
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 40 + 2 * i + n);
				touch_as(n, 8192 + 129 * k + n, 1, 1, &core[n].cells[CELL]);
				end(n);
			}
	for (uint32_t n = 0; n < 2; n++)
		expect(n, 1, 3);
}

/* Of one level's misses of both kinds of access. */
static uint64_t missed_at(uint32_t n, uint32_t level)
{
	return core[n].cells[CELL].miss[level][0] + core[n].cells[CELL].miss[level][1];
}

static void expect_levels(uint32_t n, uint64_t near, uint64_t next, uint64_t far)
{
	assert_int_equal(missed_at(n, 0), near);
	assert_int_equal(missed_at(n, 1), next);
	assert_int_equal(missed_at(n, 2), far);
}

/* Lines of 64 bytes near, of 128 far: both halves go. */
static void a_larger_line_takes_all_smaller_ones(void **state)
{
	struct machine_flat m = { .nlevels = 3, .ncpus = CORES, .page_size = 4096, .level = {
		{ .level = 1, .line = 64, .assoc = 4, .sets = 2, .cpus = 1 },
		{ .level = 2, .line = 128, .assoc = 8, .sets = 4, .cpus = 1 },
		{ .level = 3, .line = 128, .assoc = 8, .sets = 64, .cpus = CORES,
		  .shared = MACHINE_SHARED_ALL } } };

	tear_down(state);
	arm(&m);
	for (uint64_t half = 0; half < 4; half++)       /* of two lines */
		one(0, 1, 4096 + 64 * half, 0);
	expect_levels(0, 4, 2, 2);
	one(1, 2, 4096 + 8, 1);
	begin(0, 3);
	for (uint64_t half = 4; half-- > 0; )
		touch(0, 4096 + 64 * half, 0);
	end(0);
	expect_levels(0, 6, 3, 2);
	expect(0, 1, 0);
	one(1, 4, 4096 + 128, 1);
	one(0, 5, 4096 + 128, 0);
	expect_levels(0, 7, 4, 2);
	expect(0, 1, 1);
}

/* The second level belongs to two CPUs each. */
static void arm_pairs(void)
{
	struct machine_flat m = { .nlevels = 3, .ncpus = CORES, .page_size = 4096, .level = {
		{ .level = 1, .line = 64, .assoc = 2, .sets = 2, .cpus = 1 },
		{ .level = 2, .line = 64, .assoc = 4, .sets = 4, .cpus = 2,
		  .shared = MACHINE_SHARED_CORE },
		{ .level = 3, .line = 64, .assoc = 8, .sets = 64, .cpus = CORES,
		  .shared = MACHINE_SHARED_ALL } } };

	arm(&m);
	assert_ptr_equal(core[0].level[1], core[1].level[1]);
	assert_ptr_not_equal(core[0].level[1], core[2].level[1]);
}

static void expect_coherent(uint32_t n, uint64_t level1, uint64_t level2, uint64_t level3)
{
	const struct sim_cell *c = &core[n].cells[CELL];

	assert_int_equal(c->coherence[0][0] + c->coherence[0][1], level1);
	assert_int_equal(c->coherence[1][0] + c->coherence[1][1], level2);
	assert_int_equal(c->coherence[2][0] + c->coherence[2][1], level3);
}

/* n turns of core 0 in other lines of the same set of the nearest level. */
static void away(uint32_t n)
{
	for (uint32_t k = 0; k < n * SHARE_TURN; k++)
		touch(0, 4096 + 128 * (1 + k % 3), 0);
}

/* Both cores use the line side by side; then core 0 goes away, for so long that only the second
 * level still has the line, or none has it. */
static void a_coherence_miss_counts_from_the_level_that_had_the_line(void **state)
{
	static const uint32_t ways[] = { 16, 2 };

	for EACH(i, ways) {
		struct machine_flat m = { .nlevels = 3, .ncpus = CORES, .page_size = 4096, .level = {
			{ .level = 1, .line = 64, .assoc = 2, .sets = 2, .cpus = 1 },
			{ .level = 2, .line = 64, .assoc = ways[i], .sets = 2, .cpus = 1 },
			{ .level = 3, .line = 64, .assoc = 8, .sets = 64, .cpus = CORES,
			  .shared = MACHINE_SHARED_ALL } } };
		uint64_t before;

		tear_down(state);
		arm(&m);
		for (uint32_t stretch = 1; stretch < 3; stretch++)
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, stretch);
				for (int k = 0; k < 4 * SHARE_TURN; k++)
					touch(n, 4096 + 8 * n, 1);
				end(n);
			}
		share_finish(share);
		share_settle(&core[0]);
		before = kind(0, FALSE_SHARING);
		assert_in_range(before, 3, 8);
		expect_coherent(0, before, before, 0);
		begin(0, 3);
		touch(0, 4096, 1);
		away(2 * SHARE_GAP);
		touch(0, 4096, 1);
		end(0);
		begin(1, 3);
		touch(1, 4104, 1);
		end(1);
		share_finish(share);
		share_settle(&core[0]);
		/* The first touch of the stretch finds the line in the first level. */
		assert_int_equal(kind(0, FALSE_SHARING), before + (i ? 1 : 2));
		expect_coherent(0, before + 1, before + (i ? 1 : 2), 0);
	}
}

/* --- order -------------------------------------------------------------------------------------- */

enum { TRIO = 3, BATCHES = 40, BATCH = 300 };

/* Batch b of core n: lines of three words side by side, touched now and then, as by a branch on
 * data.  Core 2 makes fewer accesses. */
static void branchy(uint32_t n, uint32_t stretch, uint32_t b)
{
	uint64_t random = (n + 1) * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1342543de82ef95);

	begin(n, stretch);
	for (int k = 0; k < BATCH / (n == 2 ? 3 : 1); k++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		touch(n, (UINT64_C(1) << 20) * (n + 1) + (b * BATCH + (uint64_t)k) * 8 % 65536, 0);
		if (random >> 60 < 7)
			touch(n, 4096 + 8 * n, 1);
		if ((random >> 40) % 64 < 3)
			touch(n, 8192 + 8 * n, 1);
		touch(n, 12288 + (b * BATCH + (uint64_t)k) / 8 * 64 % 4096 + 16 * n, random >> 33 & 1);
	}
	end(n);
}

/* Simulates a stretch.  Order 0: in step; 1 to 3: one core far ahead; else by chance. */
static void stretch_in_order(uint32_t stretch, uint32_t order)
{
	uint32_t next[TRIO] = { 0 }, n = 0;
	uint64_t random = order;

	for (uint32_t left = TRIO * BATCHES; left; left--) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		n = !order ? n + 1 : order <= TRIO ? order - 1 : (uint32_t)(random >> 40);
		for (n %= TRIO; next[n] == BATCHES; n = (n + 1) % TRIO)
			;
		branchy(n, stretch, next[n]++);
	}
}

static void the_order_of_batches_does_not_matter(void **state)
{
	uint64_t is_false[TRIO], misses[TRIO];

	for (uint32_t order = 0; order < 12; order++) {
		stretch_in_order(1, order);
		stretch_in_order(2, order * 7);
		for (uint32_t n = 0; n < TRIO; n++) {
			uint64_t before[2];

			before[0] = kind(n, FALSE_SHARING);
			share_settle(&core[n]);
			before[1] = missed(n);
			core[n].cells[CELL].coherent[0][0] -= before[0];
			core[n].cells[CELL].miss[0][0] -= before[1];
		}
		stretch_in_order(3, order * 5);
		for (uint32_t n = 0; n < TRIO; n++) {
			uint64_t count = kind(n, FALSE_SHARING);

			share_settle(&core[n]);
			assert_int_equal(kind(n, TRUE_SHARING), 0);
			if (!order) {
				is_false[n] = count;
				misses[n] = missed(n);
				assert_true(count > 100);
			}
			assert_int_equal(count, is_false[n]);
			assert_int_equal(missed(n), misses[n]);
		}
		again(state);
	}
}

static void a_write_takes_what_its_caches_are_not(void **state)
{
	tear_down(state);
	arm_pairs();
	one(0, 1, 4096, 0);
	expect_levels(0, 1, 1, 1);
	one(1, 2, 4096, 1);             /* the other one of the pair */
	expect_levels(1, 1, 0, 0);
	one(0, 3, 4096, 0);
	expect_levels(0, 2, 1, 1);
	expect(0, 0, 1);
	one(2, 4, 4104, 1);             /* another pair */
	expect_levels(2, 1, 1, 0);
	one(0, 5, 4096, 0);
	expect_levels(0, 3, 2, 1);
	expect(0, 1, 1);
	expect_coherent(0, 2, 1, 0);
}

/* Both kinds of writer, before the core reads its invalidation: the one from farther away
 * decides. */
static void a_farther_write_takes_more(void **state)
{
	tear_down(state);
	arm_pairs();
	one(0, 1, 4096, 0);
	begin(0, 2);
	one(1, 3, 4096, 1);
	touch(0, 4096, 0);
	end(0);
	expect_levels(0, 1, 1, 1);
	one(2, 4, 4104, 1);
	one(0, 5, 4096, 0);
	expect_levels(0, 2, 2, 1);
	expect(0, 0, 1);
}

/* Turns cost the nearest level alone where another core has the next one, too. */
static void turns_are_settled_in_levels_of_one_core(void **state)
{
	uint64_t seen[3];

	tear_down(state);
	arm_pairs();
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < ACCESSES; k++)
			touch(n, 4096 + 8 * n, 1);
		end(n);
	}
	for (uint32_t k = 0; k < 3; k++)
		seen[k] = missed_at(0, k);
	expect_turns(0);
	share_settle(&core[0]);
	assert_in_range(missed_at(0, 0) - seen[0], TURNS_MIN - 1, TURNS_MAX);
	assert_int_equal(missed_at(0, 1), seen[1]);
	assert_int_equal(missed_at(0, 2), seen[2]);
}

/* Of one core: `each` batches of one access, in each of some contexts. */
static uint32_t told(const uint32_t *contexts, size_t n, int each)
{
	uint32_t before = applied;

	for (int i = 0; i < each; i++)
		for (size_t k = 0; k < n; k++) {
			begin(0, 1);
			touch_as(0, 4096 + 8 * (i % 8), 8, i & 1, sim_core_cell(&core[0], contexts[k], 9));
			end(0);
		}
	return applied - before;
}

static void contexts_in_turn_are_told_once(void **state)
{
	static const uint32_t two[] = { 0, 5 }, same[] = { 0, 4, 8 },
		all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

	one(0, 1, 4096, 1);             /* it may write from here on */
	applied = 0;
	assert_int_equal(told(two, 2, 1), 2);
	assert_int_equal(told(two, 2, 100), 0);
	again(state);
	one(0, 1, 4096, 1);
	told(same, 3, 4);               /* in one set: they find their ways */
	assert_int_equal(told(same, 3, 100), 0);
	again(state);
	one(0, 1, 4096, 1);
	told(all, 16, 20);
	assert_int_equal(told(all, 16, 100), 0);
	/* When the line becomes shared, each is told again; core 1 counts it in context 7. */
	one(1, 2, 4096, 0);
	begin(0, 3);
	for (size_t k = 0; k < 16; k++)
		touch_as(0, 4096, 8, 0, sim_core_cell(&core[0], all[k], 9));
	end(0);
	for (size_t k = 0; k < 16; k++)
		assert_int_equal(sim_core_cell(&core[0], all[k], 9)->shared_lines, all[k] != 7);
	assert_int_equal(sim_core_cell(&core[1], 7, 9)->shared_lines, 1);
}

/* CPUs that have room for so many lines. */
static void arm_large(void)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = CORES, .page_size = 4096, .level = {
		{ .level = 1, .line = 64, .assoc = 128, .sets = 64, .cpus = 1 },
		{ .level = 2, .line = 64, .assoc = 256, .sets = 64, .cpus = CORES,
		  .shared = MACHINE_SHARED_ALL } } };

	arm(&m);
}

/* A line of each page, by core after core, in so many batches. */
static void pages_in_batches(uint64_t pages, uint32_t parts)
{
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t n = 0; n < 2; n++)
			for (uint32_t part = 0; part < parts; part++) {
				begin(n, 2 * round + n);
				for (uint64_t k = pages * part / parts; k < pages * (part + 1) / parts; k++)
					touch(n, (k + 16) * 4096 + k % 64 * 64 + 8 * n, 1);
				end(n);
			}
}

static void a_batch_of_too_many_pages_counts_as_two(void **state)
{
	enum { MANY = SHARE_GATHERED + SHARE_GATHERED / 4 };

	for (uint32_t parts = 2; parts-- > 0; ) {
		tear_down(state);
		arm_large();
		pages_in_batches(MANY, parts + 1);
		for (uint32_t n = 0; n < 2; n++) {
			expect(n, 2 * MANY, 0);
			assert_int_equal(missed(n), 3 * MANY);
		}
		assert_int_equal(share_lost(share), 0);
	}
}

/* A line is used side by side throughout a batch that is applied in parts. */
static void turns_go_on_where_a_batch_has_too_many_pages(void **state)
{
	for (int parts = 2; parts > 0; parts--) {
		for (uint32_t n = 0; n < 2; n++)
			one(n, 1, 4096 + 8 * n, 1);
		for (int done = 0; done < ACCESSES; done += ACCESSES / parts)
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 5);
				for (uint64_t k = 0; k < (uint64_t)(ACCESSES / parts); k++)
					if (k % 8)
						touch(n, (16 + 16384 * n + done + k) * 4096 + 64, 1);
					else
						touch(n, 4096 + 8 * n, 1);
				end(n);
			}
		for (uint32_t n = 0; n < 2; n++)
			expect_turns(n);
		again(state);
	}
}

/* Two cores' words of a line, where they met before. */
static void side_by_side(uint64_t line, uint32_t stretch)
{
	for (uint32_t n = 0; n < 2; n++)
		one(n, stretch + 1000, line + 8 * n, 1);
	for (int done = 0; done < ACCESSES; done += 640)
		for (uint32_t n = 0; n < 2; n++) {
			begin(n, stretch);
			for (int k = 0; k < 640; k++)
				touch(n, line + 8 * n, 1);
			end(n);
		}
}

/* A second core's write costs the first one a miss; the lines are of one set. */
static void expect_each_page(uint64_t first, uint64_t n)
{
	for (uint64_t k = first; k < first + n; k++) {
		uint64_t before;

		one(0, 100, k * 4096, 1);
		before = kind(0, FALSE_SHARING);
		one(1, 101, k * 4096 + 8, 1);
		one(0, 102, k * 4096, 1);
		assert_int_equal(kind(0, FALSE_SHARING), before + 1);
	}
}

static void memory_that_comes_back_serves_later_lines(void **state)
{
	enum { PAGES_OUT = 20000 };
	uint64_t before, lost;

	(void)state;
	side_by_side(4096, 5);
	for (uint32_t n = 0; n < 2; n++)
		expect_turns(n);
	for (uint64_t k = 0; k < SHARE_STRIPES * SHARE_STRIPES; k++)
		if (k / SHARE_STRIPES < k % SHARE_STRIPES)      /* each stripe runs short elsewhere */
			one(2, 1, (k + 32768) * 4096, 1);
	memory_out = true;
	for (uint64_t k = 0; k < PAGES_OUT; k++)
		for (uint32_t n = 0; n < 2; n++)
			one(n, 6 + n, (k + 1024) * 4096 + 8 * n, 1);
	lost = share_lost(share);
	assert_in_range(lost, PAGES_OUT, 2 * PAGES_OUT);
	memory_out = false;
	for (uint64_t i = 0; i < 3; i++) {
		/* A new page, the last one that was lost, one of before. */
		static const uint64_t page[] = { 65536, 1024 + PAGES_OUT - 1, 1 };

		before = kind(0, FALSE_SHARING);
		side_by_side(page[i] * 4096, 8 + (uint32_t)i);
		assert_in_range(kind(0, FALSE_SHARING) - before, TURNS_MIN, TURNS_MAX + 1);
		expect(0, kind(0, FALSE_SHARING), 0);
		expect(1, kind(1, FALSE_SHARING), 0);
	}
	expect_each_page(1024, PAGES_OUT);
	assert_int_equal(share_lost(share), lost);
}

/* The page is known, but there is no room for what others did to it, for a while. */
static void a_page_without_room_becomes_shared_later(void **state)
{
	uint64_t lost;

	(void)state;
	for (uint64_t line = 0; line < 2; line++)
		one(0, 1, 4096 + 64 * line, 1);
	memory_out = true;
	for (uint64_t k = 0; k < 20000; k++)    /* take what is left */
		for (uint32_t n = 2; n < 4; n++)
			one(n, 1, (k + 1024) * 4096, 1);
	lost = share_lost(share);
	assert_true(lost);
	one(1, 2, 4104, 1);
	one(1, 3, 4096 + 64, 0);
	assert_int_equal(share_lost(share), lost + 2);
	memory_out = false;
	one(1, 4, 4104, 1);
	one(1, 5, 4096 + 64, 0);
	expect(1, 0, 0);
	one(0, 6, 4096, 1);
	expect(0, 1, 0);
	one(0, 7, 4096 + 64, 1);
	expect(0, 1, 0);
	one(1, 8, 4096, 0);
	expect(1, 0, 1);
	one(1, 9, 4096 + 64, 0);
	expect(1, 0, 2);
}

/* The core's caches still have the line, and the invalidation waits for its next batch. */
static void what_was_written_before_a_letter_came_is_known(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t line = 4096 * (1 + i), mine = line + (i & 1 ? 8 : 0);

		one(0, 10 * i + 1, mine, 0);
		begin(0, 10 * i + 2);
		one(1, 10 * i + 3, line, 1);
		touch(0, mine, i & 2 ? 1 : 0);  /* a hit */
		end(0);
		expect(0, i / 2, (i + 1) / 2);
		begin(0, 10 * i + 4);
		touch(0, mine, 0);
		end(0);
		expect(0, (i + 1) / 2, i / 2 + 1);
		assert_int_equal(missed(0), 2 * (i + 1));
	}
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(each_of_many_cores_misses_once_a_turn),
		CASE(a_first_meeting_counts),
		CASE(a_first_meeting_with_a_reader_is_true_sharing),
		CASE(contended_pages_that_meet_in_a_place_count_each),
		CASE(objects_of_one_line_count_as_one),
		CASE(a_small_line_has_a_bit_for_each_byte),
		CASE(a_large_line_has_a_bit_for_two_bytes),
		CASE(a_larger_line_takes_all_smaller_ones),
		CASE(a_coherence_miss_counts_from_the_level_that_had_the_line),
		CASE(the_order_of_batches_does_not_matter),
		CASE(a_write_takes_what_its_caches_are_not),
		CASE(a_farther_write_takes_more),
		CASE(turns_are_settled_in_levels_of_one_core),
		CASE(contexts_in_turn_are_told_once),
		CASE(a_batch_of_too_many_pages_counts_as_two),
		CASE(turns_go_on_where_a_batch_has_too_many_pages),
		CASE(memory_that_comes_back_serves_later_lines),
		CASE(a_page_without_room_becomes_shared_later),
		CASE(what_was_written_before_a_letter_came_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
