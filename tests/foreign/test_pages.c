/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults of the tests' making, in a ring as the kernel writes it: what is understood, counted, drawn and armed. */
#define _GNU_SOURCE
#include "tests/foreign/made_up.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <unistd.h>
#include "base/clock.h"
#include "foreign/page_sampler.h"

enum { PAGE = 4096, RING = 4096 };
#define LOW UINT64_C(0x11000000)        /* of the tracked memory: inside of an anonymous mapping */

static const uint8_t load[16] = { 0x48, 0x8b, 0x07 }, store[16] = { 0x48, 0x89, 0x07 };
#define IP(code) ((uint64_t)(uintptr_t)(code))

static struct page_sampler sampler;
static struct page_setup setup;
static char *ring;
static uint64_t head;
static double cost = 1000;

/* --- stand for the kernel ------------------------------------------------------------------------ */

int __wrap_page_events_open(struct page_events *e, long pid, struct err *err);
int __wrap_page_events_open(struct page_events *e, long pid, struct err *err)
{
	(void)pid;
	(void)err;
	*e = (struct page_events){ .ring = calloc(1, sizeof *e->ring), .nrings = 1, .physical = true };
	ring = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + RING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	e->ring[0] = (struct page_ring){ .fd = -1, .memory = ring, .bytes = RING };
	head = 0;
	return 0;
}

double __wrap_page_events_cost(void);
double __wrap_page_events_cost(void)
{
	return cost;
}

static void put(const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ring[(size_t)sysconf(_SC_PAGESIZE) + (size_t)((head + i) % RING)] = ((const char *)bytes)[i];
	head += n;
	((struct perf_event_mmap_page *)(void *)ring)->data_head = head;
}

static void put_record(uint32_t type, const void *body, uint16_t bytes)
{
	const struct perf_event_header h = { .type = type, .size = (uint16_t)(sizeof h + bytes) };

	put(&h, sizeof h);
	put(body, bytes);
}

struct fault_record {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, address;
	uint32_t cpu, reserved;
	uint64_t abi, rsi, rdi, physical;
};

static uint64_t now;            /* of the next fault */

static void put_fault(const uint8_t *code, uint32_t tid, uint64_t address, uint32_t cpu)
{
	const struct fault_record s = { .ip = IP(code), .pid = (uint32_t)getpid(), .tid = tid,
		.time = now, .address = address, .cpu = cpu, .abi = 2,
		.physical = address + 0x1000000 };

	put_record(PERF_RECORD_SAMPLE, &s, sizeof s);
}

/* --- set-up ------------------------------------------------------------------------------------------ */

static int set_up(void **state)
{
	const struct recorder_setup of = { 1000000, 10000, 4096, PAGE_LEAST_BLOCK, false, -1,
		false };
	struct err err;

	made_up_begin(state);
	assert_int_equal(recorder_make(&recorder, &of, &err), 0);
	atomic_store(&recorder.head->tracked.low, LOW);
	atomic_store(&recorder.head->tracked.top, 64 * PAGE);
	setup = (struct page_setup){ true, 0.05, false, memfd_create("rows", 0) };
	assert_int_equal(page_sampler_begin(&sampler, &setup, getpid(), -1, &err), 0);
	page_sampler_use(&sampler, &recorder, &objects, &places);
	return 0;
}

static int tear_down(void **state)
{
	page_sampler_end(&sampler);
	recorder_free(&recorder);
	return made_up_end(state);
}

static void block_comes(uint64_t address, uint64_t size)
{
	memory_objects_event(&objects, &(struct burst_heap_event){ .address = address, .size = size, .kind = BURST_ALLOC,
		.callers = { BASE + WORK_AT + 7 } });
}

static void take(bool last)
{
	page_sampler_mark(&sampler);
	page_sampler_take(&sampler, last);
}

/* The rows as text, after the last interval, which ends the sampler's file. */
static const char *rows(void)
{
	static char text[8192];
	const int fd = dup(setup.file);
	ssize_t n;

	take(true);
	n = pread(fd, text, sizeof text - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* --- tests ------------------------------------------------------------------------------------------- */

static void rows_have_thread_page_kind_and_structure(void **state)
{
	const char *text;

	(void)state;
	block_comes(LOW, 8 * PAGE);
	put_fault(store, 41, LOW + 16, 1);
	put_fault(load, 42, LOW + 2 * PAGE + 8, 3);
	put_fault(load, 42, LOW + 2 * PAGE + 24, 4);
	text = rows();
	assert_non_null(strstr(text, "task,thread,interval,"));
	assert_non_null(strstr(text, "\n0,41,0,"));
	assert_non_null(strstr(text, ",0x11000000,0x12000000,0,1,0x2,\"block\",16,"));
	assert_non_null(strstr(text, "\n1,42,0,"));
	assert_non_null(strstr(text, ",0x11002000,0x12002000,2,0,0x18,\"block\",8200,"));
	assert_int_equal(sampler.faults, 3);
	assert_int_equal(sampler.first, 2);
}

static void static_variables_have_addresses_of_their_own(void **state)
{
	struct burst_tracked *t = &recorder.head->tracked;

	(void)state;
	t->placed[0] = (struct burst_placed){ 0x1550000, 2 * PAGE, 32 * PAGE };
	t->placed[1] = (struct burst_placed){ 0x1660000, 4 * PAGE, BURST_TRACKED_BYTES - PAGE };
	t->nplaced = 2;
	put_fault(store, 41, 0x1551008, 0);
	put_fault(store, 41, 0x1552008, 0);
	put_fault(store, 41, 0x1660008, 0);
	take(false);
	assert_int_equal(sampler.faults, 1);
	assert_int_equal(sampler.known[33], 1);
}

/* Its memory may come later than the events that were taken before. */
static void a_fault_that_is_not_marked_waits(void **state)
{
	(void)state;
	put_fault(store, 41, LOW, 0);
	page_sampler_mark(&sampler);
	put_fault(store, 41, LOW + PAGE, 0);
	page_sampler_take(&sampler, false);
	assert_int_equal(sampler.faults, 1);
	take(false);
	assert_int_equal(sampler.faults, 2);
}

/* A block that comes, is used and goes before anybody looks has its name all the same; what comes
 * later is not its. */
static void a_fault_belongs_to_the_block_of_its_time(void **state)
{
	const char *text;

	(void)state;
	block_comes(LOW, 8 * PAGE);
	now = 10;
	put_fault(store, 41, LOW, 0);
	now = 30;
	put_fault(store, 41, LOW + PAGE, 0);
	now = 0;
	page_sampler_mark(&sampler);
	page_sampler_take_until(&sampler, 20);
	assert_int_equal(sampler.faults, 1);
	memory_objects_event(&objects, &(struct burst_heap_event){ .address = LOW,
		.kind = BURST_FREE, .time = 20 });
	text = rows();
	assert_non_null(strstr(text, ",0x11000000,0x12000000,0,1,0x1,\"block\",0,"));
	assert_null(strstr(text, ",0x11001000,0x12001000,0,1,0x1,\"block\""));
	assert_int_equal(sampler.faults, 2);
}

static void a_table_that_was_large_for_once_becomes_small(void **state)
{
	struct page_uses *u = &sampler.uses;

	(void)state;
	for (uint64_t k = 0; k < 100000; k++)
		assert_non_null(page_uses_at(u, LOW + k * PAGE, 0));
	page_uses_next(u, 1);
	assert_int_equal(u->room, 1 << 18);
	assert_non_null(page_uses_at(u, LOW, 0));
	page_uses_next(u, 2);
	assert_int_equal(u->room, 1 << 12);
	assert_int_equal(page_uses_at(u, LOW, 0)->reads, 0);
}

static void a_full_disk_is_told(void **state)
{
	struct mon_pages said;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	fclose(sampler.file);
	sampler.file = full;
	block_comes(LOW, 8 * PAGE);
	put_fault(store, 41, LOW, 1);
	take(true);
	page_sampler_describe(&sampler, &said);
	assert_int_equal(said.file_error, ENOSPC);
}

static void faults_elsewhere_do_not_count(void **state)
{
	struct fault_record other = { .ip = IP(load), .pid = (uint32_t)getpid() + 1, .tid = 5, .address = LOW };

	(void)state;
	put_fault(load, 41, LOW - 8, 0);
	put_fault(load, 41, LOW + BURST_TRACKED_BYTES, 0);
	put_record(PERF_RECORD_SAMPLE, &other, sizeof other);
	take(true);
	assert_int_equal(sampler.faults, 0);
}

static void writes_before_the_program_begins_do_not_count(void **state)
{
	(void)state;
	setup.writes = true;
	put_fault(store, 41, LOW, 0);
	take(true);
	assert_int_equal(sampler.faults, 0);
}

static void a_ring_wraps_and_loses(void **state)
{
	const uint64_t lost[2] = { 1, 9 };

	(void)state;
	for (int k = 0; k < 200; k++) {
		put_fault(load, 41, LOW + (uint64_t)(k % 64) * PAGE, 0);
		if (k % 20 == 19)
			take(false);
	}
	put_record(PERF_RECORD_LOST, lost, sizeof lost);
	take(false);
	assert_int_equal(sampler.faults, 200);
	assert_int_equal(sampler.events.lost, 9);
	assert_int_equal(sampler.events.damaged, 0);
}

static void a_damaged_ring_is_left(void **state)
{
	const struct perf_event_header none = { .type = PERF_RECORD_SAMPLE, .size = 0 };

	(void)state;
	put(&none, sizeof none);
	put_fault(load, 41, LOW, 0);
	take(false);
	assert_int_equal(sampler.faults, 0);
	put_record(PERF_RECORD_SAMPLE, &none, 8);
	put_fault(load, 41, LOW, 0);
	take(false);
	assert_int_equal(sampler.faults, 1);
	assert_int_equal(sampler.events.damaged, 2);
}

/* 64 pages, four groups, are known; a fault costs 1 ms, so that the test's own time buys none. */
static void know_pages(void)
{
	for (uint64_t k = 0; k < 64; k++) {
		put_fault(store, 41, LOW + k * PAGE, 0);
		take(false);
	}
	assert_int_equal(sampler.nwindows, 4);
	sampler.cost = 1e6;
	setup.budget = 0.5;
}

/* The pages that are armed with so many faults to spend, of which each page takes `hit`. */
static uint64_t armed_with(double faults, double hit)
{
	struct burst_tracked *t = &recorder.head->tracked;
	const uint64_t before = atomic_load(&t->arm_wanted);

	atomic_store(&t->arm_done, before);
	sampler.credit = faults * sampler.cost;
	sampler.hit = hit;
	sampler.armed = sampler.in_interval = 0;
	sampler.uses.begin -= 1000000000;
	take(false);
	return atomic_load(&t->arm_wanted) == before ? 0 : sampler.armed;
}

static void the_budget_buys_pages(void **state)
{
	(void)state;
	know_pages();
	assert_int_equal(armed_with(-10, 1), 0);
	assert_int_equal(armed_with(10, 1), 0);
	assert_int_equal(armed_with(34, 1), 32);
	assert_int_equal(armed_with(18, 0.5), 32);
	assert_int_equal(armed_with(66, 1), 64);
	assert_int_equal(recorder.head->tracked.windows, 1);
	assert_int_equal(recorder.head->tracked.window[0].bytes, 64 * PAGE);
}

static void a_program_that_touches_little_is_not_trusted(void **state)
{
	(void)state;
	know_pages();
	assert_int_equal(armed_with(3, 0.0001), 48);
}

static void groups_are_drawn_without_repetition(void **state)
{
	const struct burst_tracked *t = &recorder.head->tracked;

	(void)state;
	know_pages();
	for (int k = 0; k < 50; k++) {
		assert_int_equal(armed_with(50, 1), 48);
		assert_int_equal(t->windows, 3);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(t->window[i].bytes, 16 * PAGE);
			assert_int_equal(t->window[i].offset % (16 * PAGE), 0);
			assert_true(t->window[i].offset < 64 * PAGE);
			assert_true(i == 0 || t->window[i].offset != t->window[i - 1].offset);
		}
		assert_true(t->window[0].offset != t->window[2].offset);
	}
}

static void what_was_spent_is_paid_back(void **state)
{
	(void)state;
	know_pages();
	armed_with(66, 1);
	for (uint64_t k = 0; k < 64; k++) {
		put_fault(load, 41, LOW + k * PAGE, 0);
		take(false);
	}
	atomic_store(&recorder.head->tracked.arm_done, atomic_load(&recorder.head->tracked.arm_wanted));
	sampler.credit = 0;
	sampler.uses.begin -= 1000000000;
	take(false);
	assert_true(sampler.credit < -60e6);
	assert_int_equal(sampler.armed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_have_thread_page_kind_and_structure, set_up, tear_down),
		cmocka_unit_test_setup_teardown(static_variables_have_addresses_of_their_own,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_fault_that_is_not_marked_waits, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_fault_belongs_to_the_block_of_its_time, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_table_that_was_large_for_once_becomes_small,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(faults_elsewhere_do_not_count, set_up, tear_down),
		cmocka_unit_test_setup_teardown(writes_before_the_program_begins_do_not_count,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_ring_wraps_and_loses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_damaged_ring_is_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_budget_buys_pages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_program_that_touches_little_is_not_trusted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_spent_is_paid_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(groups_are_drawn_without_repetition, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
