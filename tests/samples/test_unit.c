/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by made-up descriptions of units, and the period within its budget. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "config.h"
#include "samples/event_source.h"
#include "samples/unit.h"

static char dir[] = "/tmp/psc-units.XXXXXX";

static void put(const char *unit, const char *part, const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, unit);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/%s/%s", dir, unit, part);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/%s/%s%s%s", dir, unit, part, *part ? "/" : "", name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void clear(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s/*", dir);
	assert_int_equal(system(command), 0);
}

static int begin(void **unused)
{
	(void)unused;
	return !mkdtemp(dir) || setenv("PSC_EVENT_SOURCES", dir, 1);
}

static int end(void **unused)
{
	(void)unused;
	clear();
	return rmdir(dir);
}

static void put_core(const char *unit)
{
	put(unit, "", "type", "4\n");
	put(unit, "format", "event", "config:0-7\n");
	put(unit, "format", "umask", "config:8-15\n");
	put(unit, "format", "ldlat", "config1:0-15\n");
	put(unit, "events", "mem-loads", "event=0xcd,umask=0x1,ldlat=30\n");
	put(unit, "events", "mem-stores", "event=0xd0,umask=0x82\n");
}

static void intel_s_loads_are_all_loads(void **unused)
{
	struct sample_event e[SAMPLE_EVENTS];

	(void)unused;
	clear();
	put_core("cpu");
	assert_int_equal(sample_events_here(e), 2);
	assert_string_equal(e[0].name, "cpu/mem-loads/");
	assert_int_equal(e[0].attr.config, 0x1cd);
	assert_int_equal(e[0].attr.config1, 3);
	assert_int_equal(e[0].attr.precise_ip, 2);
	assert_int_equal(e[0].attr.exclude_kernel, 1);
	assert_false(e[0].has_leader);
	assert_int_equal(e[1].attr.config, 0x82d0);
	assert_true(e[1].stores && !e[1].loads);
	/* One of these would make each sample an interrupt. */
	assert_int_equal(
		e[0].attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER), 0);
	assert_int_equal(e[0].attr.freq, 0);
}

static void both_kinds_of_cores_and_the_auxiliary_event(void **unused)
{
	struct sample_event e[SAMPLE_EVENTS];

	(void)unused;
	clear();
	put_core("cpu_core");
	put_core("cpu_atom");
	put("cpu_core", "events", "mem-loads-aux", "event=0x03,umask=0x82\n");
	assert_int_equal(sample_events_here(e), 4);
	assert_true(e[0].has_leader);
	assert_int_equal(e[0].leader.config, 0x8203);
	assert_int_equal(e[0].leader.sample_period, 0);
	assert_false(e[2].has_leader);
}

static void amd_leaves_the_kernel_out_only_where_it_can(void **unused)
{
	struct sample_event e[SAMPLE_EVENTS];

	(void)unused;
	clear();
	put("ibs_op", "", "type", "10\n");
	put("ibs_op", "format", "cnt_ctl", "config:19\n");
	assert_int_equal(sample_events_here(e), 1);
	assert_int_equal(e[0].attr.config, 1 << 19);
	assert_int_equal(e[0].attr.exclude_kernel, 0);
	put("ibs_op", "format", "swfilt", "config2:0\n");
	assert_int_equal(sample_events_here(e), 1);
	assert_int_equal(e[0].attr.config2, 1);
	assert_int_equal(e[0].attr.exclude_kernel, 1);
	assert_int_equal(e[0].attr.sample_period % 16, 0);
}

static void arm_samples_by_packets(void **unused)
{
	struct sample_event e[SAMPLE_EVENTS];

	(void)unused;
	clear();
	put("arm_spe_0", "", "type", "9\n");
	put("arm_spe_0", "format", "ts_enable", "config:0\n");
	put("arm_spe_0", "format", "jitter", "config:16\n");
	put("arm_spe_0", "format", "load_filter", "config:33\n");
	put("arm_spe_0", "format", "store_filter", "config:34\n");
	assert_int_equal(sample_events_here(e), 1);
	assert_true(e[0].packets);
	assert_true(e[0].attr.config == (UINT64_C(1) | UINT64_C(1) << 16 | UINT64_C(3) << 33));
}

static void a_host_without_a_unit_says_what_was_looked_for(void **unused)
{
	char name[SAMPLE_EVENT_NAME];
	struct sample_unit u;
	struct err err;

	(void)unused;
	clear();
	assert_int_equal(sample_unit_try(name, sizeof name, &err), -1);
	assert_non_null(strstr(err.text, "ibs_op"));
	assert_int_equal(sample_unit_open(&u, getpid(), &err), -1);
	assert_non_null(strstr(err.text, "virtual machine"));
}

static void an_event_that_does_not_open_is_named(void **unused)
{
	char name[SAMPLE_EVENT_NAME];
	struct err err;

	(void)unused;
	clear();
	put_core("cpu");
	put("cpu", "", "type", "123456\n"); /* no such unit in any kernel */
	assert_int_equal(sample_unit_try(name, sizeof name, &err), -1);
	assert_non_null(strstr(err.text, "cpu/mem-stores/"));
}

static void the_period_follows_the_budget(void **unused)
{
	const double second = 1e9, allowed = second * SAMPLE_BUDGET / SAMPLE_COST_NS;

	(void)unused;
	assert_int_equal(sample_period_for(1000, (uint64_t)allowed, second, 100), 1000);
	assert_int_equal(sample_period_for(1000, (uint64_t)(2 * allowed), second, 100), 2000);
	assert_int_equal(sample_period_for(1000, (uint64_t)(allowed / 2), second, 100), 500);
	assert_int_equal(sample_period_for(1000, (uint64_t)(100 * allowed), second, 100), 4000);
	assert_int_equal(sample_period_for(1000, 0, second, 800), 800);
	assert_int_equal(sample_period_for(1000, 5, 0, 800), 1000);
}

/* Pages that nobody touched are on no node. */
static void the_kernel_tells_nodes_of_pages_in_bulk(void **unused)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(
		NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *pages[3];
	int node[3];

	(void)unused;
	memory[0] = memory[2 * page] = 1;
	for (int i = 0; i < 3; i++)
		pages[i] = memory + (size_t)i * page;
	sample_source.page_nodes(getpid(), 3, pages, node);
	munmap(memory, 3 * page);
	if (node[0] < 0)
		skip(); /* a container may forbid the call */
	assert_true(node[2] >= 0);
	assert_int_equal(node[1], -1);
	sample_source.page_nodes(INT_MAX, 3, pages, node); /* there is no such process */
	assert_int_equal(node[0], -1);
	assert_int_equal(sample_source.cpu_node(1u << 30), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_tells_nodes_of_pages_in_bulk),
		cmocka_unit_test(intel_s_loads_are_all_loads),
		cmocka_unit_test(both_kinds_of_cores_and_the_auxiliary_event),
		cmocka_unit_test(amd_leaves_the_kernel_out_only_where_it_can),
		cmocka_unit_test(arm_samples_by_packets),
		cmocka_unit_test(a_host_without_a_unit_says_what_was_looked_for),
		cmocka_unit_test(an_event_that_does_not_open_is_named),
		cmocka_unit_test(the_period_follows_the_budget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
