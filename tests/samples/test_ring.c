/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring's reader on a virtual unit: every kind of record, wraps, torn ends; counts by structure,
 * with losses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>
#include "config.h"
#include "samples/ring.h"
#include "samples/event_source.h"
#include "tests/samples/virtual_pmu.h"

#define WEIGHT_STRUCT (UINT64_C(1) << 24)
enum { RING = 1 << 15, STRUCTURES = 3, TYPE_LOST_SAMPLES = 13, TYPE_AUX = 11, TYPE_SWITCH = 14 };

static const struct perf_event_attr plain = { .sample_period = 1,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		PERF_SAMPLE_CPU | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PERIOD | WEIGHT_STRUCT };
static const struct perf_event_attr packets = { .sample_period = 1,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU };
static const struct virtual_access access_a = { .ip = 0x401000,
	.address = 0x7000,
	.time = 5,
	.pid = 10,
	.tid = 11,
	.cpu = 1,
	.latency = 77,
	.level = SAMPLE_L3 };

static struct virtual_pmu v;
static struct sample_ring ring;
static struct sample_ledger ledger;
static struct memory_sample got[4096];
static uint32_t ngot;

static void keep(void *to, const struct memory_sample *s)
{
	(void)to;
	if (ngot < sizeof got / sizeof *got)
		got[ngot] = *s;
	ngot++;
}

static void read_all(void)
{
	const struct sample_taker to = { keep, NULL };

	sample_ring_read(&ring, &ledger, &to);
}

static void begin(const struct perf_event_attr *attr, bool of_packets)
{
	assert_true(virtual_pmu_open(&v, attr, of_packets, RING, 12345) >= 0);
	v.page->aux_offset = v.page->data_offset + v.page->data_size;
	v.page->aux_size = of_packets ? SAMPLE_PACKET_BYTES : 0;
	ring = (struct sample_ring){ .page = v.page,
		.period = attr->sample_period,
		.packets = of_packets ? (char *)v.page + v.page->aux_offset : NULL,
		.form = {
			.sample_type = attr->sample_type, .sample_id_all = attr->sample_id_all } };
	ledger = (struct sample_ledger){ 0 };
	ngot = 0;
}

static void a_sample_has_all_its_fields(void **unused)
{
	(void)unused;
	begin(&plain, false);
	virtual_pmu_access(&v, &access_a);
	read_all();
	assert_int_equal(ngot, 1);
	assert_int_equal(got[0].ip, 0x401000);
	assert_int_equal(got[0].address, 0x7000);
	assert_int_equal(got[0].tid, 11);
	assert_int_equal(got[0].cpu, 1);
	assert_int_equal(got[0].latency, 77);
	assert_int_equal(got[0].period, 1);
	assert_int_equal(got[0].source.level, SAMPLE_L3);
	assert_int_equal(got[0].source.op, SAMPLE_LOAD);
	assert_true(got[0].exact_ip);
	assert_int_equal(v.page->data_tail, v.page->data_head);
	virtual_pmu_close(&v);
}

static void records_wrap_at_every_place(void **unused)
{
	uint64_t n = 0;

	(void)unused;
	begin(&plain, false);
	for (uint64_t pad = 0; pad < 3000; pad++) {
		static const uint64_t words[2] = { 1, 2 };
		struct virtual_access a = access_a;

		a.address = 0x10000 + pad;
		virtual_pmu_record(&v, TYPE_SWITCH, words, pad % 3);
		virtual_pmu_access(&v, &a);
		ngot = 0;
		read_all();
		n += ngot == 1 && got[0].address == a.address;
	}
	assert_int_equal(n, 3000);
	assert_int_equal(ledger.invalid, 0);
	assert_true(v.page->data_head > 4 * RING);
	virtual_pmu_close(&v);
}

static void losses_go_to_the_ledger(void **unused)
{
	static const uint64_t lost[] = { 1, 40 }, dropped[] = { 2 }, throttle[] = { 3, 1, 1 };

	(void)unused;
	begin(&plain, false);
	ring.form.sample_id_all = false;
	virtual_pmu_record(&v, PERF_RECORD_LOST, lost, 2);
	virtual_pmu_record(&v, TYPE_LOST_SAMPLES, dropped, 1);
	virtual_pmu_record(&v, PERF_RECORD_THROTTLE, throttle, 3);
	virtual_pmu_record(&v, PERF_RECORD_UNTHROTTLE, throttle, 3);
	read_all();
	assert_int_equal(ledger.lost_ring, 40);
	assert_int_equal(ledger.lost_unit, 2);
	assert_int_equal(ledger.throttled, 1);
	assert_int_equal(ngot, 0);
	virtual_pmu_close(&v);
}

static void a_torn_record_ends_the_reading(void **unused)
{
	static const struct perf_event_header none = { PERF_RECORD_SAMPLE, 0, 0 },
					      large = { PERF_RECORD_SAMPLE, 0, 4096 },
					      crooked = { PERF_RECORD_SAMPLE, 0, 12 },
					      few = { PERF_RECORD_SAMPLE, 0, 16 };
	static const uint64_t word = 1;

	(void)unused;
	begin(&plain, false);
	virtual_pmu_raw(&v, &none, sizeof none);
	read_all();
	assert_int_equal(ledger.invalid, 1);
	virtual_pmu_raw(&v, &large, sizeof large);
	read_all();
	assert_int_equal(ledger.invalid, 2);
	virtual_pmu_raw(&v, &crooked, sizeof crooked);
	read_all();
	assert_int_equal(ledger.invalid, 3);
	virtual_pmu_raw(&v, &none, 4);
	read_all();
	assert_int_equal(ledger.invalid, 4);
	v.page->data_head = v.page->data_tail = 0;
	virtual_pmu_raw(&v, &few, sizeof few);
	virtual_pmu_raw(&v, &word, sizeof word);
	virtual_pmu_access(&v, &access_a);
	read_all();
	assert_int_equal(ledger.invalid, 5);
	assert_int_equal(ngot, 1);
	virtual_pmu_close(&v);
}

static void a_head_that_ran_away_is_not_followed(void **unused)
{
	(void)unused;
	begin(&plain, false);
	v.page->data_head = UINT64_C(1) << 40;
	read_all();
	assert_int_equal(ledger.invalid, 1);
	assert_int_equal(ngot, 0);
	assert_int_equal(v.page->data_tail, v.page->data_head);
	virtual_pmu_close(&v);
}

static void the_kernels_own_accesses_are_left_out(void **unused)
{
	struct virtual_access a = access_a;

	(void)unused;
	begin(&plain, false);
	a.ip = UINT64_MAX - 4096;
	virtual_pmu_access(&v, &a);
	a = access_a;
	a.address = 0;
	virtual_pmu_access(&v, &a);
	read_all();
	assert_int_equal(ngot, 0);
	assert_int_equal(ledger.samples, 2);
	assert_int_equal(ledger.kernel, 1);
	assert_int_equal(ledger.without_address, 1);
	virtual_pmu_close(&v);
}

/* --- packets ---------------------------------------------------------------------------------- */

static void packets_wrap_and_have_their_parts_thread(void **unused)
{
	uint64_t n = 0;

	(void)unused;
	begin(&packets, true);
	for (int part = 0; part < 3000; part++) {
		struct virtual_access a = access_a;

		a.tid = 100u + (uint32_t)part;
		for (int i = 0; i < 10; i++)
			virtual_pmu_access(&v, &a);
		virtual_pmu_part(&v, &a, 0);
		ngot = 0;
		read_all();
		for (uint32_t i = 0; i < ngot; i++)
			n += got[i].tid == a.tid && got[i].address == a.address &&
				got[i].latency == 77 && got[i].source.level == SAMPLE_L3 &&
				got[i].cpu == 1;
	}
	assert_int_equal(n, 30000);
	assert_int_equal(ledger.invalid, 0);
	assert_true(v.aux_head > 2 * SAMPLE_PACKET_BYTES);
	virtual_pmu_close(&v);
}

static void a_part_that_was_cut_is_counted(void **unused)
{
	static const uint64_t beyond[] = { 0, UINT64_C(1) << 40, 0 };

	(void)unused;
	begin(&packets, true);
	virtual_pmu_access(&v, &access_a);
	v.packet_bytes -= 3; /* the record's end is missing */
	virtual_pmu_part(&v, &access_a, 1 | 4 | 8);
	read_all();
	assert_int_equal(ledger.truncated, 1);
	assert_int_equal(ledger.collisions, 1);
	assert_true(ledger.invalid >= 1);
	ring.form.sample_id_all = false;
	virtual_pmu_record(&v, TYPE_AUX, beyond, 3);
	ngot = 0;
	read_all();
	assert_int_equal(ngot, 0);
	virtual_pmu_close(&v);
}

/* --- counts ----------------------------------------------------------------------------------- */

struct truth {
	double n[STRUCTURES], remote[STRUCTURES], cycles[STRUCTURES];
};
struct estimate {
	struct truth sum;
	uint64_t samples[STRUCTURES];
};

static uint64_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	return *x ^= *x << 17;
}

static struct virtual_access any_access(uint64_t *random)
{
	const uint64_t r = draw(random);
	const unsigned s = r % 10 < 6 ? 0 : r % 10 < 9 ? 1 : 2;
	static const uint32_t latency[STRUCTURES] = { 4, 40, 300 };
	static const enum sample_level level[STRUCTURES] = { SAMPLE_L1, SAMPLE_L3, SAMPLE_MEMORY };
	struct virtual_access a = { .ip = 0x401000 + s,
		.address = ((uint64_t)s + 1) << 32 | (r >> 20 & 0xffffff),
		.pid = 1,
		.tid = 1 + (r >> 50 & 1),
		.latency = latency[s] + (uint32_t)(r >> 40 & 15),
		.level = level[s],
		.store = (r >> 55 & 7) == 0 };

	if (s == 2 && r >> 45 & 1)
		a.level = SAMPLE_REMOTE_MEMORY;
	return a;
}

static void add_sample(void *to, const struct memory_sample *s)
{
	struct estimate *e = to;
	const unsigned k = (unsigned)(s->address >> 32) - 1;

	assert_true(k < STRUCTURES);
	e->samples[k]++;
	e->sum.n[k] += (double)s->period;
	e->sum.remote[k] += (double)s->period * (s->source.level == SAMPLE_REMOTE_MEMORY);
	e->sum.cycles[k] += (double)s->period * s->latency;
}

/* How estimates compare with the truth, in standard deviations. */
static struct {
	uint64_t all, within_2;
	double worst;
} compared;

static void compare_one(double estimate, double truth, double sigma)
{
	const double away = fabs(estimate - truth) / sigma;

	compared.all++;
	compared.within_2 += away < 2;
	compared.worst = away > compared.worst ? away : compared.worst;
}

/* Reads the ring every so many accesses: the later, the more is lost.  Returns the share that was
 * lost. */
static double compare(const struct perf_event_attr *attr, uint64_t read_each, uint64_t seed)
{
	struct truth truth = { 0 };
	struct estimate e = { 0 };
	const struct sample_taker to = { add_sample, &e };
	uint64_t random = UINT64_C(88172645463325252) * (2 * seed + 1);
	double scale;

	begin(attr, false);
	for (uint64_t i = 1; i <= 1000000; i++) {
		struct virtual_access a = any_access(&random);
		const unsigned k = (unsigned)(a.address >> 32) - 1;

		truth.n[k]++;
		truth.remote[k] += a.level == SAMPLE_REMOTE_MEMORY;
		truth.cycles[k] += a.latency;
		virtual_pmu_access(&v, &a);
		if (i % read_each == 0)
			sample_ring_read(&ring, &ledger, &to);
	}
	sample_ring_read(&ring, &ledger, &to);
	assert_int_equal(ledger.lost_ring + v.pending, v.lost);
	scale = (double)(ledger.samples + v.lost) / (double)ledger.samples;
	for (int k = 0; k < STRUCTURES; k++) {
		const double n = (double)e.samples[k], sigma = 1 / sqrt(n);

		assert_true(n > 50);
		compare_one(e.sum.n[k] * scale / truth.n[k], 1, sigma);
		compare_one(
			e.sum.cycles[k] / e.sum.n[k] / (truth.cycles[k] / truth.n[k]), 1, sigma);
		compare_one(e.sum.remote[k] / e.sum.n[k], truth.remote[k] / truth.n[k], sigma);
	}
	virtual_pmu_close(&v);
	return (double)v.lost / (double)(v.lost + v.emitted);
}

/* In 20 runs of other accesses, so many comparisons are within two standard deviations as should
 * be, and none is far away. */
static void counts_are_right(uint64_t read_each, double lost_least, double lost_most)
{
	struct perf_event_attr attr = plain;

	attr.sample_period = 97;
	memset(&compared, 0, sizeof compared);
	for (uint64_t seed = 0; seed < 20; seed++) {
		const double lost = compare(&attr, read_each, seed);

		assert_true(lost >= lost_least && lost <= lost_most);
	}
	assert_true(compared.all == 180);
	assert_true((double)compared.within_2 > 0.93 * (double)compared.all);
	assert_true(compared.worst < 4);
}

static void counts_by_structure_are_right_without_losses(void **unused)
{
	(void)unused;
	counts_are_right(20000, 0, 0);
}

static void counts_by_structure_are_right_with_half_of_the_samples(void **unused)
{
	(void)unused;
	counts_are_right(79000, 0.4, 0.6);
}

static void counts_by_structure_are_right_with_a_tenth_of_the_samples(void **unused)
{
	(void)unused;
	counts_are_right(400000, 0.85, 0.95);
}

/* Arm's packets do not tell remote memory from local. */
static void counts_by_structure_are_right_by_packets(void **unused)
{
	struct perf_event_attr attr = packets;
	struct truth truth = { 0 };
	struct estimate e = { 0 };
	const struct sample_taker to = { add_sample, &e };
	uint64_t random = UINT64_C(88172645463325252);

	(void)unused;
	attr.sample_period = 97;
	begin(&attr, true);
	for (uint64_t i = 1; i <= 2000000; i++) {
		struct virtual_access a = any_access(&random);

		truth.n[(a.address >> 32) - 1]++;
		virtual_pmu_access(&v, &a);
		if (i % 20000 == 0) {
			virtual_pmu_part(&v, &a, 0);
			sample_ring_read(&ring, &ledger, &to);
		}
	}
	assert_int_equal(v.lost, 0);
	assert_int_equal(ledger.invalid, 0);
	for (int k = 0; k < STRUCTURES; k++)
		assert_true(fabs(e.sum.n[k] / truth.n[k] - 1) < 2 / sqrt((double)e.samples[k]));
	virtual_pmu_close(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_all_its_fields),
		cmocka_unit_test(records_wrap_at_every_place),
		cmocka_unit_test(losses_go_to_the_ledger),
		cmocka_unit_test(a_torn_record_ends_the_reading),
		cmocka_unit_test(a_head_that_ran_away_is_not_followed),
		cmocka_unit_test(the_kernels_own_accesses_are_left_out),
		cmocka_unit_test(packets_wrap_and_have_their_parts_thread),
		cmocka_unit_test(a_part_that_was_cut_is_counted),
		cmocka_unit_test(counts_by_structure_are_right_without_losses),
		cmocka_unit_test(counts_by_structure_are_right_with_half_of_the_samples),
		cmocka_unit_test(counts_by_structure_are_right_with_a_tenth_of_the_samples),
		cmocka_unit_test(counts_by_structure_are_right_by_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
