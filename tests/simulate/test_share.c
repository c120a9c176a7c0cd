/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests coherence with traces whose misses are known. */
#include "tests/simulate/cores.h"

static void a_word_that_another_wrote_is_true_sharing(void **state)
{
	(void)state;
	one(0, 1, 4096, 0);
	one(1, 2, 4096, 1);
	one(0, 3, 4096, 0);
	expect(0, 0, 1);
	expect(1, 0, 0);
	assert_int_equal(missed(0), 2);         /* the caches saw it */
	assert_int_equal(core[0].cells[CELL].beyond[0][0], 0);
	assert_int_equal(core[0].cells[CELL].miss[1][0], 1);    /* from the level that all share */
}

static void another_word_of_the_line_is_false_sharing(void **state)
{
	(void)state;
	one(0, 1, 4096, 0);
	one(1, 2, 4104, 1);
	one(0, 3, 4096, 1);
	one(1, 4, 4104, 1);
	expect(0, 1, 0);
	expect(1, 1, 0);
}

static void all_that_was_written_since_decides(void **state)
{
	(void)state;
	one(0, 1, 4096, 0);
	one(1, 2, 4104, 1);
	one(2, 3, 4096, 1);
	one(0, 4, 4096, 0);
	expect(0, 0, 1);
	one(0, 5, 4104, 0);     /* has it again: no miss */
	expect(0, 0, 1);
}

static void reading_alone_shares_nothing(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4 * CORES; i++)
		one(i % CORES, 1, 4096 + 8 * (i % 2), 0);
	for (uint32_t n = 0; n < CORES; n++) {
		expect(n, 0, 0);
		assert_int_equal(missed(n), 1);
		assert_int_equal(core[n].cells[CELL].shared_lines, 0);
	}
}

static void an_upgrade_costs_the_readers_not_the_writer(void **state)
{
	(void)state;
	for (uint32_t n = 0; n < CORES; n++)
		one(n, 1, 4096, 0);
	one(0, 2, 4096, 1);
	expect(0, 0, 0);
	for (uint32_t n = 1; n < CORES; n++) {
		one(n, 3, 4096, 0);
		expect(n, 0, 1);
	}
}

static void migratory_data_misses_once_a_move(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 10; i++) {
		begin(i % 2, i + 1);
		for (int k = 0; k < 1000; k++)
			touch(i % 2, 4096, k & 1);
		end(i % 2);
	}
	expect(0, 0, 4);        /* the first time is no coherence */
	expect(1, 0, 4);
}

static void a_line_that_left_the_cache_before_is_no_coherence_miss(void **state)
{
	(void)state;
	one(0, 1, 4096, 0);
	for (uint64_t i = 1; i < 9; i++)
		one(0, 1, 4096 + 4096 * i, 0);  /* other lines of the same set */
	one(1, 2, 4096, 1);
	one(0, 3, 4096, 0);
	expect(0, 0, 0);
}

static struct share_use used[8];
static int nused;

static void take(void *to, const struct share_use *use)
{
	assert_ptr_equal(to, used);
	used[nused++] = *use;
}

static void the_use_of_lines_is_known(void **state)
{
	(void)state;
	nused = 0;
	one(0, 1, 4096, 1);             /* line 0: of one core */
	one(0, 1, 4096 + 64, 0);        /* 1: read by two */
	one(1, 1, 4096 + 64, 0);
	one(2, 1, 4096 + 128, 1);       /* 2: written by one, read by two others */
	one(0, 2, 4096 + 128, 0);
	one(1, 2, 4096 + 128, 0);
	one(0, 1, 4096 + 192, 0);       /* 3: written by one that reads it, too */
	one(1, 2, 4096 + 192, 1);
	one(1, 3, 4096 + 192, 0);
	one(3, 1, 4096 + 256, 1);       /* 4: two write other words */
	one(4, 1, 4096 + 256 + 8, 1);
	one(5, 1, 3 * 4096 + 63 * 64, 1);
	share_finish(share);
	share_uses(share, take, used);
	assert_int_equal(nused, 2);
	if (used[0].first != 4096)
		used[7] = used[0], used[0] = used[1], used[1] = used[7];
	assert_int_equal(used[0].first, 4096);
	assert_int_equal(used[0].line, 64);
	assert_int_equal(used[0].touched, 0x1f);
	assert_int_equal(used[0].many, 0x1e);
	assert_int_equal(used[0].wrote, 0x1d);
	assert_int_equal(used[0].writers, 0x10);
	assert_int_equal(used[1].first, 3 * 4096);
	assert_int_equal(used[1].touched, UINT64_C(1) << 63);
	assert_int_equal(used[1].many, 0);
}

/* Threads that change parts from one execution to the next share them. */
static void a_line_of_another_thread_in_the_warm_up_is_shared(void **state)
{
	(void)state;
	nused = 0;
	begin(0, 1);
	touch_as(0, 4096, 8, 1, &core[0].cells[0]);     /* is not counted */
	end(0);
	one(1, 2, 4096, 1);
	share_finish(share);
	share_uses(share, take, used);
	assert_int_equal(nused, 1);
	assert_int_equal(used[0].many, 1);
	assert_int_equal(used[0].writers, 1);
}

static void one_thread_shares_nothing(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		one(0, i / 10, 4096 + i % 200 * 8, i % 3 == 0);
	expect(0, 0, 0);
	assert_int_equal(share_lost(share), 0);
}

/* A line has its turns counted from the second core on that comes to it. */
static void make_shared(void)
{
	for (uint32_t n = 0; n < 2; n++)
		one(n, 1, 4096 + 8 * n, 1);
}

/* Side by side, each turn's first access misses, however the batches were cut. */
static void turns_decide_not_batches(void **state)
{
	static const int lengths[] = { 64, 100, 1000, 6400 };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		make_shared();
		for (int done = 0; done < 6400; done += lengths[i])
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 5);
				for (int k = 0; k < lengths[i] && done + k < 6400; k++)
					touch(n, 4096 + 8 * n, 1);
				end(n);
			}
		for (uint32_t n = 0; n < 2; n++) {
			assert_in_range(kind(n, FALSE_SHARING), 98, 101);
			assert_int_equal(kind(n, TRUE_SHARING), 0);
		}
		tear_down(state);
		set_up(state);
	}
}

/* A load and a store by turns: 32 loads a turn, of which the first is the miss.  Of stores alone none waits. */
static void loads_behind_a_miss_are_contended(void **state)
{
	static const int lengths[] = { 64, 1000, 6400 };

	for (size_t i = 0; i < 2 * sizeof lengths / sizeof *lengths; i++) {
		bool loads = i % 2;

		make_shared();
		for (int done = 0; done < 6400; done += lengths[i / 2])
			for (uint32_t n = 0; n < 2; n++) {
				begin(n, 5);
				for (int k = done; k < done + lengths[i / 2] && k < 6400; k++)
					touch(n, 4096 + 8 * n, k % 2 || !loads);
				end(n);
			}
		for (uint32_t n = 0; n < 2; n++) {
			assert_in_range(kind(n, FALSE_SHARING), 98, 101);
			assert_in_range(core[n].cells[CELL].contended, loads ? 98 * 31 : 0, loads ? 101 * 31 : 0);
		}
		tear_down(state);
		set_up(state);
	}
}

/* A thread that read and set all words before, as a reduction does, shares none of them side by side. */
static void bytes_used_at_other_times_make_no_sharing_true(void **state)
{
	(void)state;
	make_shared();
	for (uint32_t k = 0; k < 2; k++) {
		one(0, 2 + k, 4096, k);
		one(0, 2 + k, 4104, k);
	}
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < 6400; k++)
			touch(n, 4096 + 8 * n, k % 2);
		end(n);
	}
	for (uint32_t n = 0; n < 2; n++) {
		assert_in_range(kind(n, FALSE_SHARING), 98, 101);
		assert_in_range(kind(n, TRUE_SHARING), 0, 2);   /* what the other wrote before */
	}
}

/* A batch: core 0 is in the line in each turn, core 1 in every tenth. */
static void every_tenth_turn(uint32_t n, int from, int to, uint32_t store)
{
	begin(n, 5);
	for (int k = from; k < to; k++)
		touch(n, n && k / 64 % 10 ? 1 << 20 : 4096, store);
	end(n);
}

static void who_comes_seldom_misses_seldom(void **state)
{
	static const int lengths[] = { 64, 128, 640, 6400 };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (int done = 0; done < 6400; done += lengths[i])
			for (uint32_t n = 0; n < 2; n++)
				every_tenth_turn(n, done, done + lengths[i], !n);
		expect(0, 0, 0);
		assert_int_equal(kind(1, FALSE_SHARING), 0);
		assert_in_range(kind(1, TRUE_SHARING), 8, 11);  /* one less if the cores meet late */
		tear_down(state);
		set_up(state);
	}
}

static void who_writes_seldom_costs_little(void **state)
{
	static const int lengths[] = { 64, 128, 640, 6400 };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		every_tenth_turn(1, 0, 6400, 1);
		for (int done = 0; done < 6400; done += lengths[i])
			every_tenth_turn(0, done, done + lengths[i], 0);
		expect(1, 0, 0);
		assert_int_equal(kind(0, FALSE_SHARING), 0);
		assert_in_range(kind(0, TRUE_SHARING), 9, 11);
		tear_down(state);
		set_up(state);
	}
}

/* The same, where both go on in batches: what the caches saw is not counted once more. */
static void a_write_is_counted_once(void **state)
{
	static const int lengths[] = { 64, 128, 640, 6400 };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		for (int done = 0; done < 6400; done += lengths[i])
			for (uint32_t n = 0; n < 2; n++)
				every_tenth_turn(n, done, done + lengths[i], n);
		expect(1, 0, 0);
		assert_int_equal(kind(0, FALSE_SHARING), 0);
		assert_in_range(kind(0, TRUE_SHARING), 9, 12);
		tear_down(state);
		set_up(state);
	}
}

/* What it did before anybody wrote the line is known. */
static void a_reader_who_came_first_misses_truly(void **state)
{
	const struct sim_cell *c = &core[0].cells[CELL];

	(void)state;
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < 6400; k++)
			touch(n, 4096, n);
		end(n);
	}
	assert_int_equal(kind(0, FALSE_SHARING), 0);
	assert_in_range(c->coherent[TRUE_SHARING][0], 98, 101);
	assert_int_equal(c->coherent[TRUE_SHARING][1], 0);
}

/* Whoever it is of many. */
static void one_writer_costs_all_others(void **state)
{
	for (uint32_t writer = 0; writer < CORES; writer++) {
		for (uint32_t n = 0; n < CORES; n++)
			one(n, 1, 4096, n == writer);
		for (int done = 0; done < 6400; done += 800)
			for (uint32_t n = 0; n < CORES; n++) {
				begin(n, 5);
				for (int k = 0; k < 800; k++)
					touch(n, 4096, n == writer);
				end(n);
			}
		for (uint32_t n = 0; n < CORES; n++) {
			assert_int_equal(kind(n, FALSE_SHARING), 0);
			assert_in_range(kind(n, TRUE_SHARING), n == writer ? 0 : 98, n == writer ? 0 : 101);
		}
		tear_down(state);
		set_up(state);
	}
}

/* Reports a line that two groups of a loop touch, in iterations [0, end) and [begin, count), as the
 * engines do: for all iterations of a block of turns at once. */
static void stream(uint32_t n, uint64_t mask, uint64_t count, uint32_t per, uint64_t end, uint64_t begin)
{
	struct share_core *l = core[n].sharing;
	uint64_t told[2] = { 0, begin }, ends[2] = { end, count };

	for (uint64_t i = 0; i < count; i++) {
		for (uint32_t g = 0; g < 2; g++) {
			uint64_t here;

			if (i != told[g] || i == ends[g])
				continue;
			here = share_in_block(l, ends[g] - i, per);
			share_stream(l, 4096, 4096, mask, mask, &core[n].cells[CELL], here, per);
			told[g] = i + here;
		}
		share_pass(l, per);
	}
}

/* A loop that is one record, or two, counts the same. */
static void a_stream_counts_the_turns_it_lasts(void **state)
{
	(void)state;
	make_shared();
	for (int i = 0; i < 2; i++)
		for (uint32_t n = 0; n < 2; n++) {
			struct share_core *l = core[n].sharing;
			uint64_t mask = share_mask(l, 4096 + 8 * n, 4103 + 8 * n);

			begin(n, 5);
			stream(n, mask, 3200, 1, 3200, 3200);
			one_access(&core[n], 4096, 4103, &core[n].cells[CELL], 1);
			end(n);
		}
	for (uint32_t n = 0; n < 2; n++)
		assert_in_range(kind(n, FALSE_SHARING), 98, 101);
}

/* Iterations longer than a turn: each is one turn, whichever of two groups is reported first. */
static void a_stream_of_long_iterations_counts_each(void **state)
{
	(void)state;
	make_shared();
	for (uint32_t n = 0; n < 2; n++) {
		struct share_core *l = core[n].sharing;
		uint64_t mask = share_mask(l, 4096 + 8 * n, 4103 + 8 * n);

		begin(n, 5);
		stream(n, mask, 100, 200, 60, 40);
		one_access(&core[n], 4096, 4103, &core[n].cells[CELL], 1);
		end(n);
	}
	for (uint32_t n = 0; n < 2; n++)
		assert_in_range(kind(n, FALSE_SHARING), 98, 101);
}

static void one_write_is_one_miss_of_a_thread_that_looks_often(void **state)
{
	(void)state;
	begin(0, 5);
	for (int k = 0; k < 6400; k++)
		touch(0, 4096, 0);
	end(0);
	one(1, 5, 4096, 1);
	begin(0, 5);
	for (int k = 0; k < 6400; k++)
		touch(0, 4096, 0);
	end(0);
	assert_in_range(kind(0, TRUE_SHARING), 1, 2);
}

/* What a barrier separates, in the same region. */
static void turns_at_other_times_are_apart(void **state)
{
	(void)state;
	make_shared();
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < 6400; k++)
			touch(n, n ? 1 << 20 : 4096, 1);
		for (int k = 0; k < 6400; k++)
			touch(n, n ? 4096 : 1 << 21, 1);
		end(n);
	}
	assert_in_range(kind(0, FALSE_SHARING) + kind(0, TRUE_SHARING), 1, 2);
	assert_in_range(kind(1, FALSE_SHARING) + kind(1, TRUE_SHARING), 1, 2);
}

static void stretches_are_apart(void **state)
{
	(void)state;
	make_shared();
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5 + n);
		for (int k = 0; k < 6400; k++)
			touch(n, 4096 + 8 * n, 1);
		end(n);
	}
	expect(0, 1, 0);        /* each by the other's last stretch */
	expect(1, 1, 0);
}

static void what_the_caches_did_not_see_is_added_to_private_levels(void **state)
{
	uint64_t coherent, seen, extra;

	(void)state;
	make_shared();
	for (uint32_t n = 0; n < 2; n++) {
		begin(n, 5);
		for (int k = 0; k < 6400; k++)
			touch(n, 4096, 1);
		end(n);
	}
	coherent = kind(0, TRUE_SHARING) + kind(0, FALSE_SHARING);
	seen = missed(0);
	extra = core[0].cells[CELL].beyond[0][0] + core[0].cells[CELL].beyond[0][1];
	assert_in_range(coherent, 98, 101);
	assert_in_range(extra, 97, 101);
	share_settle(&core[0]);
	assert_int_equal(missed(0), seen + extra);
	assert_int_equal(core[0].cells[CELL].coherence[0][0] + core[0].cells[CELL].coherence[0][1], coherent);
	assert_int_equal(core[0].cells[CELL].coherence[1][0] + core[0].cells[CELL].coherence[1][1], 0);
	assert_int_equal(core[0].cells[CELL].miss[1][1], 1);    /* not beyond the shared level */
	share_settle(&core[0]);
	assert_int_equal(missed(0), seen + extra);
}

/* Two lines of source write the word, one after the other in each core. */
static void what_only_turns_tell_has_its_source_line(void **state)
{
	const struct sim_site *s;
	uint64_t told[2] = { 0 };
	uint32_t group[2];

	(void)state;
	make_shared();
	for (uint32_t n = 0; n < 2; n++) {
		group[0] = sim_group(&core[n], 30);
		group[1] = sim_group(&core[n], 31);
		for (uint32_t half = 0; half < 2; half++) {
			begin(n, 5);
			core[n].group = group[half];
			for (int k = 0; k < 3200; k++)
				touch(n, 4096, 1);
			end(n);
		}
	}
	share_finish(share);
	share_settle(&core[0]);
	for (uint32_t i = 0; i < SIM_SITES; i++) {
		s = &core[0].sites->site[i];
		if (s->cell == &core[0].cells[CELL])
			told[s->line == 31] += s->first;
		assert_true(!s->cell || s->line == 30 || s->line == 31);
		assert_int_equal(s->last, 0);   /* the last level is shared */
	}
	assert_in_range(told[0], SHARE_BLOCK - 2, SHARE_BLOCK);         /* to the end of the block, which it was the first in */
	assert_in_range(told[1], 98 - SHARE_BLOCK, 101 - SHARE_BLOCK);
}

static void lines_count_once_a_context(void **state)
{
	(void)state;
	for (int round = 0; round < 3; round++)
		for (uint64_t line = 0; line < 5; line++)
			for (uint32_t n = 0; n < 2; n++)
				one(n, 1, 8192 + 64 * line, 1);
	assert_int_equal(core[0].cells[CELL].shared_lines + core[1].cells[CELL].shared_lines, 5);
}

static void the_worst_lines_are_told_with_who_did_what(void **state)
{
	struct share_report r[3];

	(void)state;
	for (uint64_t line = 0; line < 5; line++)
		for (uint64_t k = 0; k <= line; k++)
			for (uint32_t n = 0; n < 2; n++)
				one(n, (uint32_t)k, 8192 + 64 * line + 8 * n, 1);
	assert_int_equal(share_worst(share, r, 3, 2), 2);
	assert_int_equal(r[0].address, 8192 + 4 * 64);
	assert_int_equal(r[1].address, 8192 + 3 * 64);
	assert_true(r[0].miss[0] > r[1].miss[0]);
	assert_int_equal(r[0].object, 9);
	assert_int_equal(r[0].nthreads, 2);
	for (int k = 0; k < 2; k++) {
		assert_int_equal(r[0].who[k].written & UINT64_C(0xff) << 8 * r[0].who[k].thread,
			UINT64_C(0xff) << 8 * r[0].who[k].thread);
	}
}

static void lines_say_which_bytes_are_locks(void **state)
{
	struct share_report r[1];

	(void)state;
	for (uint32_t again = 1; again < 4; again++)
		for (uint32_t n = 0; n < 2; n++) {
			one(n, again, 8192 + 40 * n, 1);
			share_lock(core[n].sharing, 8192 + 40 * n, 16);
		}
	share_lock(core[0].sharing, 8192 + 64, 16);     /* in the next line */
	share_lock(core[0].sharing, 8192 + 60, 8);      /* goes on in the next line */
	assert_int_equal(share_worst(share, r, 1, 1), 1);
	assert_int_equal(r[0].address, 8192);
	assert_int_equal(r[0].nlocks, 3);
	assert_int_equal(r[0].nupdated, 0);
	assert_true(r[0].locks == (UINT64_C(0xffff) | UINT64_C(0xffff) << 40 | UINT64_C(0xf) << 60));
}

static void a_lock_across_two_lines_is_in_both(void **state)
{
	struct share_report r[2];

	(void)state;
	share_lock(core[0].sharing, 8192 + 56, 16);
	for (uint32_t again = 1; again < 4; again++)
		for (uint32_t n = 0; n < 2; n++) {
			one(n, again, 8192, 1);
			one(n, again, 8192 + 64 + 4 * n, 1);
		}
	one(1, 4, 8192, 1);
	assert_int_equal(share_worst(share, r, 2, 2), 2);
	assert_int_equal(r[0].address, 8192);
	assert_int_equal(r[0].nlocks, 1);
	assert_true(r[0].locks == UINT64_C(0xff) << 56);
	assert_int_equal(r[1].address, 8192 + 64);
	assert_int_equal(r[1].nlocks, 1);
	assert_true(r[1].locks == 0xff);
}

static void a_lock_that_several_threads_write_is_updated(void **state)
{
	struct share_report r[1];

	(void)state;
	share_lock(core[0].sharing, 8192, 4);
	share_lock(core[0].sharing, 8192 + 8, 4);
	share_lock(core[1].sharing, 8192 + 40, 4);
	for (uint32_t again = 1; again < 4; again++)
		for (uint32_t n = 0; n < 2; n++) {
			one(n, again, 8192 + 8, 1);
			one(n, again, 8192 + 16, 1);
			one(n, again, 8192 + 32 + 8 * n, 1);
		}
	assert_int_equal(share_worst(share, r, 1, 1), 1);
	assert_int_equal(r[0].nlocks, 3);
	assert_int_equal(r[0].nupdated, 1);
}

/* More locks than there is room for: those that are known stay. */
static void too_many_locks_of_a_line_are_not_known(void **state)
{
	struct share_report r[1];

	(void)state;
	for (uint32_t again = 1; again < 4; again++)
		for (uint32_t n = 0; n < 2; n++)
			one(n, again, 8192 + 8 * n, 1);
	for (uint64_t line = 0; line < 2 * SHARE_LOCKS; line++)
		share_lock(core[0].sharing, 8192 + 64 * line, 4);
	assert_int_equal(share_worst(share, r, 1, 1), 1);
	assert_int_equal(r[0].nlocks, 1);
	assert_true(r[0].locks == 0xf);
}

/* One thread writes all that another one has, while that one waits. */
static void letters_have_room_for_every_line(void **state)
{
	enum { MANY = 200000 };

	(void)state;
	for (uint64_t line = 0; line < MANY; line++)
		one(0, 1, (line + 64) * 64, 0);
	for (uint64_t line = 0; line < MANY; line++)
		one(1, 2, (line + 64) * 64, 1);
	for (uint64_t line = MANY - 4; line < MANY; line++)     /* what its cache still held */
		one(0, 3, (line + 64) * 64, 0);
	expect(0, 0, 4);
	assert_int_equal(share_lost(share), 0);
}

/* A line comes back to a thread and is written again before it has read the first invalidation. */
static void a_line_has_one_letter_at_a_time(void **state)
{
	(void)state;
	for (uint64_t line = 64; line < 66; line++)
		one(0, 1, line * 64, 0);
	begin(0, 2);
	for (uint64_t line = 64; line < 66; line++)
		one(1, 9, line * 64, 1);        /* not side by side */
	for (uint64_t line = 64; line < 66; line++)
		touch(0, line * 64, 0);
	end(0);
	for (uint64_t line = 64; line < 66; line++)
		one(2, 3, line * 64, 1);
	for (uint64_t line = 64; line < 66; line++)
		one(0, 4, line * 64, 0);
	assert_int_equal(missed(0), 4);
	assert_in_range(kind(0, TRUE_SHARING), 2, 4);
}

static void every_context_has_its_shared_lines(void **state)
{
	enum { LINES = 3000, CONTEXTS = 200 };
	uint64_t sum = 0;

	(void)state;
	for (uint32_t context = 0; context < CONTEXTS; context++) {
		struct sim_cell *cell[2];

		for (uint32_t n = 0; n < 2; n++)
			cell[n] = sim_core_cell(&core[n], context, 9);
		for (uint64_t line = 0; line < LINES; line++)
			for (uint32_t n = 0; n < 2; n++) {
				uint64_t address = (line + 64) * 64;

				begin(n, context);
				share_touch(core[n].sharing, address, address, address + 7, 1, cell[n]);
				end(n);
			}
		sum += cell[0]->shared_lines + cell[1]->shared_lines;
	}
	assert_int_equal(sum, LINES * CONTEXTS);
	assert_int_equal(share_lost(share), 0);
}

/* A thread's accesses to a line of its own need no reports until another thread accesses it. */
static void what_is_written_by_right_is_known_to_the_next_one(void **state)
{
	(void)state;
	one(1, 1, 4104, 0);
	one(0, 2, 4096, 1);             /* takes the line from 1 */
	for (uint32_t i = 0; i < 5; i++)
		one(0, 3 + i, 4096, 1);
	expect(0, 0, 0);
	one(0, 9, 4104, 1);             /* by permission */
	one(1, 10, 4104, 0);
	expect(1, 0, 1);
	one(2, 11, 4112, 0);            /* others have it: not to be written by permission */
	one(2, 12, 4096, 1);
	one(1, 13, 4104, 0);
	expect(1, 1, 1);
	expect(0, 0, 0);
}

static void permission_end_with_their_page(void **state)
{
	(void)state;
	one(1, 1, 4096, 0);
	one(0, 2, 4104, 1);
	one(0, 3, 4096, 1);             /* by permission */
	one(0, 4, 4096 + (uint64_t)SHARE_PAGES * 4096, 1);      /* takes the place of the page's */
	one(1, 5, 4096, 0);
	expect(1, 0, 1);
	one(0, 6, 4104, 1);
	one(1, 7, 4096, 0);
	expect(1, 1, 1);
}

/* Of a page that took the place of one of which the core wrote whole lines, a word is written. */
static void what_was_written_is_not_the_next_page_s(void **state)
{
	const uint64_t other = 4096 + (uint64_t)SHARE_PAGES * 4096;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		begin(0, 1);
		for (uint64_t k = 0; k < 64; k += 8)
			touch(0, 4096 + k, 1);
		end(0);
	}
	one(1, 2, other + 8, 0);
	one(0, 3, other, 1);
	one(0, 4, other, 1);            /* by permission */
	one(1, 5, other + 8, 0);
	expect(1, 1, 0);
}

static void want_of_memory_is_told(void **state)
{
	(void)state;
	make_shared();
	memory_out = true;
	for (uint64_t line = 0; line < 20000; line++)
		for (uint32_t n = 0; n < 2; n++)
			one(n, 1, (line + 1024) * 64, 1);
	assert_true(share_lost(share) > 10000);
}

/* Another core has the last level's lock for as long as this one fills its queue, and once more. */
static void who_finds_the_last_level_held_goes_on(void **state)
{
	pthread_mutex_t *lock = &core[0].level[1]->lock;
	const struct sim_cell *c = &core[0].cells[CELL];

	(void)state;
	begin(0, 1);
	for (uint64_t i = 0; i < SIM_QUEUE; i++)
		touch(0, (2 * i + 1) << 12, 0);
	assert_int_equal(c->miss[1][0], SIM_QUEUE);
	pthread_mutex_lock(lock);
	for (uint64_t i = 0; i < 2 * SIM_QUEUE; i++)
		touch(0, (2 * i + 2) << 12, 1);
	assert_int_equal(c->miss[0][1], 2 * SIM_QUEUE);
	assert_int_equal(c->miss[1][1], 0);
	pthread_mutex_unlock(lock);
	touch(0, UINT64_C(1) << 12, 0);
	touch(0, (uint64_t)(4 * SIM_QUEUE - 8) << 12, 0);       /* farther than two lines, nearer than eight */
	end(0);
	assert_int_equal(c->miss[1][1], 2 * SIM_QUEUE);
	assert_int_equal(c->miss[0][0], SIM_QUEUE + 2);
	assert_int_equal(c->miss[1][0], SIM_QUEUE + 1);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(a_word_that_another_wrote_is_true_sharing),
		CASE(another_word_of_the_line_is_false_sharing),
		CASE(all_that_was_written_since_decides),
		CASE(reading_alone_shares_nothing),
		CASE(an_upgrade_costs_the_readers_not_the_writer),
		CASE(migratory_data_misses_once_a_move),
		CASE(a_line_that_left_the_cache_before_is_no_coherence_miss),
		CASE(the_use_of_lines_is_known),
		CASE(a_line_of_another_thread_in_the_warm_up_is_shared),
		CASE(one_thread_shares_nothing),
		CASE(turns_decide_not_batches),
		CASE(loads_behind_a_miss_are_contended),
		CASE(bytes_used_at_other_times_make_no_sharing_true),
		CASE(who_comes_seldom_misses_seldom),
		CASE(who_writes_seldom_costs_little),
		CASE(a_write_is_counted_once),
		CASE(a_reader_who_came_first_misses_truly),
		CASE(one_writer_costs_all_others),
		CASE(a_stream_counts_the_turns_it_lasts),
		CASE(a_stream_of_long_iterations_counts_each),
		CASE(one_write_is_one_miss_of_a_thread_that_looks_often),
		CASE(turns_at_other_times_are_apart),
		CASE(stretches_are_apart),
		CASE(what_the_caches_did_not_see_is_added_to_private_levels),
		CASE(what_only_turns_tell_has_its_source_line),
		CASE(lines_count_once_a_context),
		CASE(the_worst_lines_are_told_with_who_did_what),
		CASE(lines_say_which_bytes_are_locks),
		CASE(a_lock_across_two_lines_is_in_both),
		CASE(a_lock_that_several_threads_write_is_updated),
		CASE(too_many_locks_of_a_line_are_not_known),
		CASE(letters_have_room_for_every_line),
		CASE(a_line_has_one_letter_at_a_time),
		CASE(every_context_has_its_shared_lines),
		CASE(what_is_written_by_right_is_known_to_the_next_one),
		CASE(permission_end_with_their_page),
		CASE(what_was_written_is_not_the_next_page_s),
		CASE(want_of_memory_is_told),
		CASE(who_finds_the_last_level_held_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
