/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says of threads that wait for one another, over hand-made measurements: the time of a
 * wait is no time of memory accesses, however many of its few accesses miss. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/findings/findings.h"
#include "analysis/search/search.h"
#include "base/buf.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "app.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "app.c", 9, 80,
			FIXTURE_REGION(1, "parallelRegion", "", "app.c", 12, 79,
				FIXTURE_REGION(1, "call", "wait", "app.c", 20, 20, "")
				FIXTURE_REGION(1, "call", "columns", "app.c", 30, 30, "")
				FIXTURE_REGION(1, "call", "pass", "app.c", 40, 40, "")))));

enum { R_MAIN, R_PHASE, R_PARALLEL, R_WAIT, R_COLUMNS, R_PASS, NREGIONS };
enum { C_PHASE, C_PARALLEL, C_WAIT, C_COLUMNS, C_PASS, NCONTEXTS };
enum { DONE = MON_OBJ_FIRST, MATRIX, FLAG, NOBJECTS };
enum { NTHREADS = 2 };

/* Of both threads.  A miss of the first level takes 36 ns longer, one of the second 160 more.
 * wait: 62 loads of a flag, all of which miss, 2.2 + 1.4 us of 600 us; the rest of the wait is folded.
 * columns: 10000 loads of 8 bytes, a line each: 360 us of 500 us; 200 go to memory, 32 us.
 * pass: 5000 loads of a flag that the other thread has just written: 180 us of 500 us. */
static const struct mon_count_row rows[] = {
	{ .context = C_WAIT, .object = DONE, .loads = 62, .bytes = 248, .load_miss = { 62, 9 },
	  .fetched = { 62, 9 }, .true_sharing = { 7 }, .folded = 500000 },
	{ .context = C_COLUMNS, .object = MATRIX, .loads = 10000, .bytes = 80000,
	  .load_miss = { 10000, 200 }, .fetched = { 10000, 200 }, .true_sharing = { 100 } },
	{ .context = C_PASS, .object = FLAG, .loads = 5000, .bytes = 20000, .load_miss = { 5000 },
	  .fetched = { 5000 }, .true_sharing = { 4900 } },
};

/* us of each thread */
static const uint64_t times[NCONTEXTS] = { [C_PHASE] = 1000, [C_PARALLEL] = 900, [C_WAIT] = 300,
	[C_COLUMNS] = 250, [C_PASS] = 250 };

struct world {
	struct fixture f;
	struct measurements *measured;
	struct run_config config;
	struct search search;
	struct report *report;
};

static void library(struct buf *text, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], piece[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "%s/properties/%s.asl", srcdir ? srcdir : ".", name);
	f = fopen(path, "r");
	assert_non_null(f);
	while ((n = fread(piece, 1, sizeof piece, f)) > 0)
		buf_add(text, piece, n);
	fclose(f);
}

static void measure(struct measurements *p)
{
	struct mon_time_row time[NCONTEXTS * NTHREADS];
	uint32_t n = 0;

	for (uint32_t c = 0; c < NCONTEXTS; c++)
		for (uint32_t t = 0; t < (c == C_PHASE ? 1 : NTHREADS); t++)
			time[n++] = (struct mon_time_row){ .context = c, .thread = t,
				.wall_ns = times[c] * 1000, .calls = 1 };
	assert_int_equal(fixture_times(p, times[C_PHASE] * 1000, time, n), 0);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
}

static struct measurements *make_measurements(struct world *w)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_PARALLEL] = { C_PHASE, R_PARALLEL },
		[C_WAIT] = { C_PARALLEL, R_WAIT }, [C_COLUMNS] = { C_PARALLEL, R_COLUMNS },
		[C_PASS] = { C_PARALLEL, R_PASS },
	};
	static const char *const names[NOBJECTS] = { [DONE] = "done", [MATRIX] = "matrix",
		[FLAG] = "flag" };
	struct measurements *p = fixture_measurements(&w->f, 0, NTHREADS, contexts, NCONTEXTS);

	fixture_objects(p, "app.c", names, NOBJECTS);
	return p;
}

static int set_up(void **state)
{
	static struct world w;
	struct buf text = BUF_INIT;
	struct machine_flat *m = &w.f.machine.flat;

	library(&text, "model");
	library(&text, "memory");
	library(&text, "sharing");
	if (fixture_open(&w.f, sir_text, NREGIONS, buf_str(&text)))
		return -1;
	buf_free(&text);
	w.f.machine.ghz = 1;
	m->ncpus = NTHREADS;
	m->nlevels = 2;
	m->memory_latency = 200;
	m->level[0] = (struct machine_level){ .level = 1, .line = 64, .cpus = 1, .latency = 4 };
	m->level[1] = (struct machine_level){ .level = 2, .line = 64, .cpus = 2, .latency = 40,
		.shared = MACHINE_SHARED_SOCKET };
	w.measured = make_measurements(&w);
	measure(w.measured);
	run_config_init(&w.config);
	w.config.phase_region = R_PHASE;
	if (run_config_ask(&w.config, "memory", true) || run_config_ask(&w.config, "sharing", true))
		return -1;
	if (search_run(&w.search, w.measured, w.f.program, w.f.attributes, strategy_find(STRATEGY_SHARE), 0.8))
		return -1;
	w.report = findings_report(&w.search, &w.config);
	*state = &w;
	return w.report ? 0 : -1;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	report_free(w->report);
	search_free(&w->search);
	run_config_free(&w->config);
	measured_free(w->measured);
	fixture_close(&w->f);
	return 0;
}

/* A finding of the property at the structure, or of all at it with NULL. */
static int found(const struct world *w, const char *property, const char *structure)
{
	int n = 0;

	for (int i = 0; i < w->report->nfindings; i++) {
		const struct report_finding *f = &w->report->findings[i];

		n += (!property || strcmp(f->property, property) == 0) &&
			strcmp(f->path[f->npath - 1].name, structure) == 0;
	}
	return n;
}

static void a_wait_is_not_found_as_memory(void **state)
{
	const struct world *w = *state;

	assert_int_equal(found(w, NULL, "done"), 0);
	assert_int_equal(found(w, NULL, "wait"), 0);
}

static void what_is_fetched_in_vain_is_found_beside_the_wait(void **state)
{
	const struct world *w = *state;

	assert_int_equal(found(w, "FetchExcess", "matrix"), 1);
	assert_int_equal(found(w, "LastLevelMissRate", "matrix"), 1);
	assert_int_equal(found(w, "MemoryStall", "matrix"), 1);
}

static void a_flag_that_costs_is_sharing_not_excess(void **state)
{
	const struct world *w = *state;

	assert_int_equal(found(w, "TrueSharing", "flag"), 1);
	assert_int_equal(found(w, "MemoryStall", "flag"), 1);
	assert_int_equal(found(w, "FetchExcess", "flag"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_wait_is_not_found_as_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_fetched_in_vain_is_found_beside_the_wait,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_flag_that_costs_is_sharing_not_excess, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
