/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders: fields of a sample in the kernel's order, where data came from by vendor, Arm's
 * packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/perf_event.h>
#include "config.h"
#include "samples/data_source.h"
#include "samples/ring_records.h"
#include "samples/spe.h"

#define WEIGHT_STRUCT (UINT64_C(1) << 24)
#define CGROUP (UINT64_C(1) << 21)
#define PAGE_SIZES (UINT64_C(3) << 22)

/* --- samples ---------------------------------------------------------------------------------- */

/* A sample with every field that may stand in front of those that are wanted. */
static void fields_are_found_behind_all_others(void **unused)
{
	const uint64_t words[] = {
		0, /* header */
		7, 0x401000, UINT64_C(21) << 32 | 20, 99, 0x7000, 7, 8, 3,
		1009,              /* identifier .. period */
		2, 50, 5, 7, 6, 7, /* two counters of a group, with a time and their numbers */
		2, UINT64_MAX - 511, 0x401000,       /* call chain */
		UINT64_C(0x1234) << 32 | 12, 0x5678, /* 12 bytes of the unit's own record */
		1, 9, 1, 2, 3,                       /* a branch, behind the hardware's index */
		2, 11, 12,                           /* registers */
		8, 13, 8,                            /* stack */
		UINT64_C(5) << 32 | 321,             /* latency */
		UINT64_C(13) << 33 | 2,              /* a load from memory */
		15, 0, 0xabc000, 16, 17,
		18 /* transaction, no registers, physical, group, page sizes */
	};
	const struct record_form form = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
			PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
			WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
			PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | CGROUP | PAGE_SIZES,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED,
		.branch_sample_type = UINT64_C(1) << 17,
		.regs_user = 3,
		.regs_intr = 7 };
	uint64_t bytes[sizeof words / sizeof *words];
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, sizeof bytes };
	struct record r;

	(void)unused;
	memcpy(bytes, words, sizeof bytes);
	memcpy(bytes, &h, sizeof h);
	record_decode(&form, bytes, sizeof bytes, &r);
	assert_int_equal(r.kind, RECORD_SAMPLE);
	assert_int_equal(r.sample.address, 0x7000);
	assert_int_equal(r.sample.tid, 21);
	assert_int_equal(r.sample.period, 1009);
	assert_int_equal(r.sample.cpu, 3);
	assert_int_equal(r.sample.latency, 321);
	assert_int_equal(r.sample.source.level, SAMPLE_MEMORY);
	assert_int_equal(r.sample.physical, 0xabc000);
	assert_false(r.sample.exact_ip);
	/* Without any of its last words it is not a sample: each word was read. */
	for (size_t n = 1; n < sizeof words / sizeof *words; n++) {
		record_decode(&form, bytes, n * 8, &r);
		assert_int_equal(r.kind, RECORD_INVALID);
	}
}

static void a_length_beyond_the_record_makes_it_invalid(void **unused)
{
	const struct record_form form = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, 24 };
	uint64_t bytes[3] = { 0, UINT64_MAX, 1 };
	struct record r;

	(void)unused;
	memcpy(bytes, &h, sizeof h);
	record_decode(&form, bytes, sizeof bytes, &r);
	assert_int_equal(r.kind, RECORD_INVALID);
}

/* --- where data came from --------------------------------------------------------------------- */

enum { NA = 1, NONE = 2, HIT = 4, MISS = 8, HITM = 16 };

struct word {
	unsigned number; /* of the level */
	bool remote;
	unsigned snoop, snoopx, hops;
	enum sample_level level;
	enum sample_answer modified;
};

static void check(const struct word *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t word = PERF_MEM_OP_LOAD | (uint64_t)w[i].snoop << 19 |
			(uint64_t)w[i].number << 33 | (uint64_t)w[i].remote << 37 |
			(uint64_t)w[i].snoopx << 38 | (uint64_t)w[i].hops << 43;
		/* The old field says otherwise, and does not matter. */
		const struct data_source d = data_source_decode(
			word | (uint64_t)(PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1) << 5);

		assert_int_equal(d.op, SAMPLE_LOAD);
		assert_string_equal(sample_level_name(d.level), sample_level_name(w[i].level));
		assert_int_equal(d.modified, w[i].modified);
	}
}

static void intel_servers_tell_remote_memory_and_caches(void **unused)
{
	static const struct word words[] = {
		{ 1, false, NONE, 0, 0, SAMPLE_L1, SAMPLE_NO },
		{ 12, false, NONE, 0, 0, SAMPLE_FILL_BUFFER, SAMPLE_NO },
		{ 2, false, NONE, 0, 0, SAMPLE_L2, SAMPLE_NO },
		{ 3, false, NONE, 0, 0, SAMPLE_L3, SAMPLE_NO },
		{ 3, false, HIT, 0, 0, SAMPLE_L3, SAMPLE_NO },
		{ 3, false, HITM, 0, 0, SAMPLE_PEER_CACHE, SAMPLE_YES },
		{ 13, false, MISS, 0, 0, SAMPLE_MEMORY, SAMPLE_NO },
		{ 13, true, NONE, 0, 0, SAMPLE_REMOTE_MEMORY, SAMPLE_NO },
		{ 11, true, 0, 1, 0, SAMPLE_REMOTE_CACHE, SAMPLE_NOT_TOLD },
		{ 11, true, HITM, 0, 0, SAMPLE_REMOTE_CACHE, SAMPLE_YES },
		{ 14, false, NA, 0, 0, SAMPLE_FAR_MEMORY, SAMPLE_NOT_TOLD },
		{ 8, false, NA, 0, 0, SAMPLE_UNCACHED, SAMPLE_NOT_TOLD },
		{ 5, false, NA, 0, 0, SAMPLE_L2, SAMPLE_NOT_TOLD },
		{ 6, false, NA, 0, 0, SAMPLE_MEMORY, SAMPLE_NOT_TOLD },
		{ 15, false, NA, 0, 0, SAMPLE_LEVEL_UNKNOWN, SAMPLE_NOT_TOLD },
		{ 7, false, NA, 0, 0, SAMPLE_LEVEL_OTHER, SAMPLE_NOT_TOLD },
	};

	(void)unused;
	check(words, sizeof words / sizeof *words);
}

/* On AMD the remote bit stands also for another group of cores of the same node. */
static void amd_s_other_groups_of_cores_are_not_remote(void **unused)
{
	static const struct word words[] = {
		{ 3, false, NA, 0, 0, SAMPLE_L3, SAMPLE_NOT_TOLD },
		{ 11, true, NA, 0, 1, SAMPLE_PEER_CACHE, SAMPLE_NOT_TOLD },
		{ 11, true, HITM, 0, 1, SAMPLE_PEER_CACHE, SAMPLE_YES },
		{ 11, true, NA, 0, 2, SAMPLE_REMOTE_CACHE, SAMPLE_NOT_TOLD },
		{ 13, false, NA, 0, 0, SAMPLE_MEMORY, SAMPLE_NOT_TOLD },
		{ 13, true, NA, 0, 2, SAMPLE_REMOTE_MEMORY, SAMPLE_NOT_TOLD },
		{ 9, false, NA, 0, 0, SAMPLE_FAR_MEMORY, SAMPLE_NOT_TOLD },
		{ 10, false, NA, 0, 0, SAMPLE_UNCACHED, SAMPLE_NOT_TOLD },
	};

	(void)unused;
	check(words, sizeof words / sizeof *words);
}

static void operations_translations_and_locks(void **unused)
{
	const struct data_source store =
		data_source_decode(PERF_MEM_OP_STORE | (uint64_t)PERF_MEM_LOCK_LOCKED << 24 |
			(uint64_t)(PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2) << 26);
	const struct data_source hit = data_source_decode(
		PERF_MEM_OP_PFETCH | (uint64_t)(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2) << 26);
	const struct data_source nothing =
		data_source_decode(PERF_MEM_OP_NA | (uint64_t)PERF_MEM_TLB_NA << 26);

	(void)unused;
	assert_int_equal(store.op, SAMPLE_STORE);
	assert_int_equal(store.locked, SAMPLE_YES);
	assert_int_equal(store.tlb_miss, SAMPLE_YES);
	assert_int_equal(hit.op, SAMPLE_PREFETCH);
	assert_int_equal(hit.tlb_miss, SAMPLE_NO);
	assert_int_equal(nothing.op, SAMPLE_OP_UNKNOWN);
	assert_int_equal(nothing.tlb_miss, SAMPLE_NOT_TOLD);
	assert_int_equal(nothing.locked, SAMPLE_NOT_TOLD);
}

/* A word that a Skylake server wrote for a load of 225 cycles. */
static void a_recorded_word_of_intel_is_decoded(void **unused)
{
	const struct data_source d = data_source_decode(UINT64_C(0x11868100242));

	(void)unused;
	assert_int_equal(d.op, SAMPLE_LOAD);
	assert_int_equal(d.level, SAMPLE_FILL_BUFFER);
	assert_int_equal(d.tlb_miss, SAMPLE_NO);
	assert_int_equal(d.modified, SAMPLE_NO);
}

/* --- Arm's packets ---------------------------------------------------------------------------- */

static struct memory_sample got[8];
static unsigned ngot;

static void keep(void *to, const struct memory_sample *s)
{
	(void)to;
	if (ngot < sizeof got / sizeof *got)
		got[ngot] = *s;
	ngot++;
}
static const struct sample_taker taker = { keep, NULL };

/* A load on an Ampere Altra, as it is known publicly with its meaning: 501 cycles, 337 of them
 * until issue, from the cache of a peer cluster.  The address of code belongs to the next record.
 */
static const unsigned char altra[] = { 0x49, 0x00, 0x52, 0x1e, 0x03, 0x99, 0x51, 0x01, 0x98, 0xf5,
	0x01, 0xb2, 0x50, 0x9e, 0xd7, 0xf1, 0x3e, 0x40, 0xff, 0x00, 0x9a, 0x01, 0x00, 0xb3, 0x50,
	0x9e, 0xd7, 0x71, 0x3f, 0x40, 0x00, 0x80, 0x43, 0x0c, 0x00, 0x00, 0x71, 0xb3, 0x9a, 0xe9,
	0xbd, 0x3e, 0x07, 0x00, 0x00, 0xb0, 0x88, 0xb6, 0xcb, 0x8f, 0x22, 0xd4, 0xff, 0xc0, 0x00,
	0x00, 0x00, 0x00 };

static void a_recorded_load_of_arm_is_decoded(void **unused)
{
	uint64_t invalid = 0;

	(void)unused;
	ngot = 0;
	assert_int_equal(spe_decode(altra, sizeof altra, true, &taker, &invalid), sizeof altra);
	assert_int_equal(ngot, 1);
	assert_int_equal(invalid, 0);
	assert_int_equal(got[0].latency, 501);
	assert_true(got[0].address == UINT64_C(0xffff403ef1d79e50));
	assert_int_equal(got[0].physical, UINT64_C(0x403f71d79e50));
	assert_int_equal(got[0].time, UINT64_C(7966055570099));
	assert_int_equal(got[0].source.op, SAMPLE_LOAD);
	assert_int_equal(got[0].source.level, SAMPLE_PEER_CACHE);
	assert_int_equal(got[0].source.tlb_miss, SAMPLE_NO);
}

static void bytes_that_begin_no_packet_are_skipped(void **unused)
{
	static const unsigned char bytes[] = { 0xff, 0x49, 0x01, 0xb2, 1, 2, 3, 4, 5, 6, 0, 0,
		0x01 };
	uint64_t invalid = 0;

	(void)unused;
	ngot = 0;
	spe_decode(bytes, sizeof bytes, true, &taker, &invalid);
	assert_int_equal(invalid, 1);
	assert_int_equal(ngot, 1);
	assert_int_equal(got[0].source.op, SAMPLE_STORE);
	assert_true(got[0].address == UINT64_C(0x60504030201));
}

/* A record that may go on is left for the next piece, at whatever byte the piece ends. */
static void a_record_in_two_pieces_is_decoded_once(void **unused)
{
	unsigned char bytes[2 * sizeof altra];
	uint64_t invalid = 0;

	(void)unused;
	memcpy(bytes, altra, sizeof altra);
	memcpy(bytes + sizeof altra, altra, sizeof altra);
	for (size_t cut = sizeof altra; cut < sizeof bytes; cut++) {
		size_t used;

		ngot = 0;
		used = spe_decode(bytes, cut, false, &taker, &invalid);
		spe_decode(bytes + used, sizeof bytes - used, true, &taker, &invalid);
		assert_int_equal(ngot, 2);
		assert_int_equal(invalid, 0);
		assert_true(got[1].ip == 0 || got[1].ip == UINT64_C(0xffffd4228fcbb688));
	}
}

/* Branches and other operations are sampled, too, where the filter is not obeyed. */
static void a_branch_is_no_access(void **unused)
{
	static const unsigned char bytes[] = { 0xb0, 1, 2, 3, 4, 5, 6, 0, 0, 0x4a, 0x01, 0x01 };
	uint64_t invalid = 0;

	(void)unused;
	ngot = 0;
	spe_decode(bytes, sizeof bytes, true, &taker, &invalid);
	assert_int_equal(ngot, 0);
	assert_int_equal(invalid, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found_behind_all_others),
		cmocka_unit_test(a_length_beyond_the_record_makes_it_invalid),
		cmocka_unit_test(intel_servers_tell_remote_memory_and_caches),
		cmocka_unit_test(amd_s_other_groups_of_cores_are_not_remote),
		cmocka_unit_test(operations_translations_and_locks),
		cmocka_unit_test(a_recorded_word_of_intel_is_decoded),
		cmocka_unit_test(a_recorded_load_of_arm_is_decoded),
		cmocka_unit_test(bytes_that_begin_no_packet_are_skipped),
		cmocka_unit_test(a_record_in_two_pieces_is_decoded_once),
		cmocka_unit_test(a_branch_is_no_access),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
