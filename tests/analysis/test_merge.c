/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of one finding over several processes agree with each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/report_sum.h"

static const struct rank_run ranks[] = { { 0, 0 }, { 1, 1 }, { 2, 2 } };

/* A process that computes for `cpu` s in a phase of 40 ms, of which memory takes that share in a loop. */
static struct report *process(int rank, double cpu, double share, const char *why)
{
	struct report *r = report_new();
	struct report_node *path = arena_array(r->arena, 2, sizeof *path);
	struct report_finding *f = arena_alloc(r->arena, sizeof *f);

	r->nprocs = 1;
	r->phase_time = 0.04;
	r->cpu_time = cpu;
	path[0] = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "a.c", .line = 1,
		.measure = share, .holds = true };
	path[1] = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = "a", .file = "a.c", .line = 1,
		.measure = share, .holds = true };
	*f = (struct report_finding){ .property = "MemoryStall", .file = "memory.asl", .processes = &ranks[rank],
		.nruns = 1, .nprocesses = 1, .path = path, .npath = 2, .severity = share * cpu, .severity_is_time = true,
		.severity_share = share, .severity_max_share = share, .measure = share, .confidence = 1,
		.coverage = 1, .est_stall_share = share, .est_stall_low_share = share / 2,
		.est_stall_high_share = share, .kind = MISS_STREAM, .why = why,
		.rank_figures = strpbrk(why, "0123456789") };
	r->findings = f;
	r->nfindings = 1;
	return r;
}

static void same(double a, double b)
{
	if (!(fabs(a - b) < 1e-12))
		fail_msg("%.15g, not %.15g", a, b);
}

/* 2 of 10 ms and 12 of 30 ms: 14 of 40 ms. */
static void check_two(const struct report *r)
{
	const struct report_finding *f = &r->findings[0];

	assert_int_equal(r->nfindings, 1);
	assert_int_equal(f->nprocesses, 2);
	same(f->est_stall_share, 0.35);
	same(f->severity_share, 0.35);
	same(f->measure, 0.35);
	same(f->path[1].measure, 0.35);
	same(f->severity_max_share, 0.4);
	assert_string_equal(f->why, "of the worse one");
}

static void share_rate_and_severity_of_a_finding_are_one_figure(void **state)
{
	struct report *a = process(0, 0.01, 0.2, "of the better one"), *b = process(1, 0.03, 0.4, "of the worse one");
	struct report *ab = report_merge((struct report *[]){ a, b }, 2), *ba = report_merge((struct report *[]){ b, a }, 2);

	(void)state;
	check_two(ab);
	check_two(ba);
	report_free(ab);
	report_free(ba);
	report_free(a);
	report_free(b);
}

/* Another finding has a part of it in each process, here a tenth of the time. */
static void what_is_a_finding_s_own_is_summed_as_its_estimate(void **state)
{
	struct report *p[2] = { process(0, 0.01, 0.2, "x"), process(1, 0.03, 0.4, "y") }, *r;

	(void)state;
	for (int i = 0; i < 2; i++)
		p[i]->findings[0].own_stall_share = p[i]->findings[0].est_stall_share - 0.1;
	r = report_merge(p, 2);
	same(r->findings[0].est_stall_share, 14.0 / 40);
	same(r->findings[0].own_stall_share, 10.0 / 40);
	report_free(r);
	for (int i = 0; i < 2; i++)
		report_free(p[i]);
}

/* Agents of several hosts: each merges its own processes first. */
static void merging_in_two_steps_is_merging_at_once(void **state)
{
	struct report *p[3] = { process(0, 0.01, 0.2, "x"), process(1, 0.03, 0.4, "y"), process(2, 0.02, 0.1, "z") };
	struct report *two = report_merge(p, 2), *steps = report_merge((struct report *[]){ two, p[2] }, 2);
	struct report *once = report_merge(p, 3);

	(void)state;
	same(once->findings[0].est_stall_share, 16.0 / 60);
	same(steps->findings[0].est_stall_share, once->findings[0].est_stall_share);
	same(steps->findings[0].severity_share, once->findings[0].severity_share);
	same(steps->findings[0].measure, once->findings[0].measure);
	same(steps->findings[0].path[0].measure, once->findings[0].path[0].measure);
	report_free(two);
	report_free(steps);
	report_free(once);
	for (int i = 0; i < 3; i++)
		report_free(p[i]);
}

/* Why, and the rank whose figures it has; -1: none. */
static int merged_why(struct report *a, struct report *b, const char *want)
{
	struct report *r = report_merge((struct report *[]){ a, b }, 2);
	int rank = r->findings[0].rank_figures ? r->findings[0].figures_rank : -1;

	assert_string_equal(r->findings[0].why, want);
	report_free(r);
	report_free(a);
	report_free(b);
	return rank;
}

/* The time of the finding is the mean of both, that in the text is of one. */
static void a_text_with_figures_of_one_process_names_it(void **state)
{
	static const char one[] = "calls of MPI take 9 ms", two[] = "calls of MPI take 14.6 ms";
	static const char plain[] = "lines come one after the other";
	struct report *none = process(0, 0.01, 0.2, one);

	(void)state;
	none->nfindings = 0;
	assert_int_equal(merged_why(process(0, 0.01, 0.2, one), process(1, 0.03, 0.4, two), two), 1);
	/* Of both. */
	assert_int_equal(merged_why(process(0, 0.01, 0.2, two), process(1, 0.03, 0.4, two), two), -1);
	/* No figure. */
	assert_int_equal(merged_why(process(0, 0.01, 0.2, one), process(1, 0.03, 0.4, plain), plain), -1);
	/* Rank 0 has none. */
	assert_int_equal(merged_why(process(1, 0.03, 0.4, two), none, two), 1);
}

static void add_lines(struct report *r, const char *source, const struct report_site *sites, int n)
{
	struct report_finding *f = &r->findings[0];
	struct report_cost *c = arena_alloc(r->arena, sizeof *c);

	f->source = source;
	f->sites = sites;
	f->nsites = n;
	f->place_line = report_sites_place(sites, n);
	*c = (struct report_cost){ .region = "a.c:f", .structure = "a", .file = "a.c", .sites = sites, .nsites = n };
	r->costs = c;
	r->ncosts = 1;
}

/* Line 6 has most misses of all, though in no process but one. */
static void misses_of_a_line_are_summed_over_processes(void **state)
{
	static const struct report_site one[] = { { 5, 9, 9 }, { 6, 8, 8 } }, two[] = { { 6, 50, 7 }, { 0, 1, 1 } };
	struct report *p[3] = { process(0, 0.01, 0.2, "x"), process(1, 0.03, 0.4, "y"), process(2, 0.02, 0.1, "z") };
	struct report *two_of_them, *steps, *once;

	(void)state;
	add_lines(p[0], "/a.c", one, 2);
	add_lines(p[1], "/a.c", two, 2);
	two_of_them = report_merge(p, 2);
	steps = report_merge((struct report *[]){ two_of_them, p[2] }, 2);
	once = report_merge((struct report *[]){ p[1], p[0], p[2] }, 3);
	for (int i = 0; i < 2; i++) {
		const struct report_finding *f = i ? &steps->findings[0] : &once->findings[0];
		const struct report_cost *c = i ? &steps->costs[0] : &once->costs[0];

		assert_int_equal(f->nsites, 3);
		assert_int_equal(f->place_line, 6);
		assert_int_equal(f->sites[0].line, 6);
		same(f->sites[0].first_misses, 58);
		same(f->sites[0].last_misses, 15);
		assert_int_equal(f->sites[2].line, 0);
		assert_int_equal(c->nsites, 3);
		same(c->sites[0].last_misses, 15);
	}
	report_free(two_of_them);
	report_free(steps);
	report_free(once);
	for (int i = 0; i < 3; i++)
		report_free(p[i]);
}

static void lines_of_another_file_are_other_lines(void **state)
{
	static const struct report_site one[] = { { 5, 9, 9 } }, two[] = { { 5, 50, 7 } };
	struct report *p[2] = { process(0, 0.01, 0.2, "x"), process(1, 0.03, 0.4, "y") }, *r;

	(void)state;
	add_lines(p[0], "/a.c", one, 1);
	add_lines(p[1], "/b.c", two, 1);
	r = report_merge(p, 2);
	assert_int_equal(r->findings[0].nsites, 2);
	/* The finding is that of the worse process, in /b.c. */
	assert_int_equal(r->findings[0].sites[0].line, 5);
	same(r->findings[0].sites[0].last_misses, 7);
	assert_int_equal(r->findings[0].sites[1].line, 0);
	same(r->findings[0].sites[1].last_misses, 9);
	report_free(r);
	report_free(p[0]);
	report_free(p[1]);
}

static void add_verified(struct report *r, const char *reason)
{
	r->verified = arena_alloc(r->arena, sizeof *r->verified);
	*r->verified = (struct report_verified){ .structure = "a", .reason = reason, .unknown = reason };
	if (!reason)
		r->verified->declared = "a.c:1";
	r->nverified = 1;
}

static void a_structure_that_one_process_knows_is_not_unknown(void **state)
{
	struct report *p[2] = { process(0, 0.01, 0.2, "x"), process(1, 0.03, 0.4, "y") }, *r;

	(void)state;
	add_verified(p[0], "no structure of that name");
	add_verified(p[1], NULL);
	r = report_merge(p, 2);
	assert_int_equal(r->nverified, 1);
	assert_null(r->verified[0].reason);
	report_free(r);
	add_verified(p[1], "no structure of that name");
	r = report_merge(p, 2);
	assert_int_equal(r->nverified, 1);
	assert_non_null(r->verified[0].reason);
	report_free(r);
	report_free(p[0]);
	report_free(p[1]);
}

/* --- any order, any tree ---------------------------------------------------------------------- */

static uint64_t seed = 7;

static uint32_t below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(seed >> 33) % n;
}

static double any(void)
{
	return below(1000000) / 7e6 + 1e-7;
}

static char *text(struct report *r, const char *what, uint32_t n)
{
	return arena_printf(r->arena, "%s%u", what, n);
}

static void any_finding(struct report *r, int rank, struct report_finding *f)
{
	struct report_node *path = arena_array(r->arena, 3, sizeof *path);
	struct rank_run *own = arena_alloc(r->arena, sizeof *own);
	struct report_site *sites = arena_array(r->arena, 3, sizeof *sites);

	*own = (struct rank_run){ rank, rank };
	for (int i = 0; i < 3; i++) {
		path[i] = (struct report_node){ .type = i < 2 ? REGION_LOOP : REGION_DATA_STRUCTURE, .file = "a.c",
			.name = i < 2 ? "" : text(r, "a", below(4)), .line = i ? (int)below(5) : 1, .measure = any(),
			.measure_error = below(2) ? NAN : any(), .time = any(), .holds = below(2) };
		sites[i] = (struct report_site){ (int)below(4), any() * 1e6, any() * 1e5 };
	}
	*f = (struct report_finding){ .property = text(r, "P", below(3)), .file = "memory.asl", .processes = own, .nruns = 1,
		.nprocesses = 1, .path = path, .npath = 3, .severity = any(), .severity_is_time = below(2),
		.severity_share = any(), .severity_max_share = below(4) / 8., .measure = any(), .measure_error = NAN,
		.severity_error = NAN, .est_stall_error = any(), .confidence = 1 - any(), .coverage = 1 - any(),
		.est_stall_share = any(), .est_stall_low_share = any(), .est_stall_high_share = any(), .time_share = any(),
		.kind = below(2) ? MISS_STREAM : MISS_GATHER, .advice = text(r, "advice ", below(9)),
		.source = text(r, "/", below(2)), .sites = sites, .nsites = 3 };
}

static void any_timeline(struct report *r)
{
	struct report_timeline *t = arena_alloc(r->arena, sizeof *t);
	struct report_time_cell *cell = arena_alloc(r->arena, sizeof *cell);
	struct report_time_region *region = arena_alloc(r->arena, sizeof *region);
	struct report_time_structure *structure = arena_alloc(r->arena, sizeof *structure);
	struct report_point *point = arena_array(r->arena, 2, sizeof *point);

	point[0] = (struct report_point){ below(10), 1 + below(9) };
	point[1] = (struct report_point){ 10 + below(6), 1 + below(9) };
	*region = (struct report_time_region){ .name = text(r, "f", below(3)), .file = "a.c", .time = any() };
	*structure = (struct report_time_structure){ .name = text(r, "s", below(3)), .allocated_by = -1 };
	*cell = (struct report_time_cell){ .region = 1, .structure = 1, .reads = { point, 2 } };
	*t = (struct report_timeline){ .process = (int)below(9), .columns = 16, .threads = 1, .executions = 1,
		.width = 1 + below(9), .time = any(), .sample_share = NAN, .cells = cell, .ncells = 1, .regions = region,
		.nregions = 1, .structures = structure, .nstructures = 1 };
	r->timelines = t;
	r->ntimelines = 1;
}

static void any_rows(struct report *r)
{
	struct report_gain *g = arena_array(r->arena, 2, sizeof *g);
	struct report_cost *c = arena_array(r->arena, 4, sizeof *c);
	struct report_ledger *l = arena_array(r->arena, 2, sizeof *l);
	struct report_thread *t = arena_alloc(r->arena, sizeof *t);

	for (int i = 0; i < 2; i++) {
		g[i] = (struct report_gain){ .structure = text(r, "a", below(3)), .fix = TRIED_PAD, .change = "", .least = any(),
			.most = below(3) ? any() : NAN, .time_share = any() };
		l[i] = (struct report_ledger){ (enum ledger_cause)(LEDGER_NAMED + below(4)), any() * 1e6, any() * 1e5, NAN };
	}
	for (int i = 0; i < 4; i++) {
		c[i] = (struct report_cost){ .region = text(r, "a.c:f/loop ", below(4)), .file = "a.c", .line = 3, .time = any(),
			.structure = below(2) ? "a" : NULL, .accesses = any() * 1e6, .coherence = NAN, .est_stall = any(),
			.est_stall_low = any(), .est_stall_high = any() };
		for (int k = 0; k < REPORT_LEVELS; k++) {
			c[i].misses[k] = below(2) ? any() : NAN;
			c[i].errors[k] = NAN;
		}
	}
	*t = (struct report_thread){ .region = "a.c:f", .file = "a.c", .time = any() };
	r->gains = g;
	r->costs = c;
	r->ledger = l;
	r->thread_rows = t;
	r->ngains = r->nledger = 2;
	r->ncosts = report_costs_join(r->arena, c, 4);
	r->nthread_rows = 1;
	any_timeline(r);
}

static struct report *any_process(int rank)
{
	struct report *r = report_new();
	const char **notes = arena_array(r->arena, 1, sizeof *notes);

	r->nprocs = 1;
	r->nthreads = 1 + (int)below(3);
	r->phase_time = any();
	r->cpu_time = below(9) ? any() : NAN;
	r->barrier_wait = below(2) ? any() : NAN;
	r->elapsed = any();
	r->time_least = any();
	r->partial = below(3) ? NULL : text(r, "because ", below(5));
	r->library_time = any();
	r->library_calls = below(3) ? text(r, "f", below(9)) : NULL;
	r->fault_time = any();
	r->fault_place = below(3) ? text(r, "a.c:", below(9)) : NULL;
	r->machine = below(2) ? "a" : "b";
	notes[0] = text(r, "note ", below(5));
	r->notes = notes;
	r->nnotes = 1;
	r->nfindings = 1 + (int)below(4);
	r->findings = arena_array(r->arena, 4, sizeof *r->findings);
	for (int i = 0; i < r->nfindings; i++)
		any_finding(r, rank, &r->findings[i]);
	any_rows(r);
	return r;
}

enum { PROCESSES = 40 };

/* Adds the processes from..to of the order as a tree of random shape would: parts are sums that were sent. */
static struct report_sum *tree_sum(struct report **p, int from, int to)
{
	struct report_sum *s = report_sum_new();

	while (from < to) {
		int n = 1 + (int)below((uint32_t)(to - from));
		struct report_sum *part;
		struct buf b = BUF_INIT;
		struct err err = { "" };

		if (n == 1 || n == to - from) {
			assert_int_equal(report_sum_add(s, p[from++]), 0);
			continue;
		}
		part = tree_sum(p, from, from + n);
		report_sum_encode(part, &b);
		assert_false(b.failed);
		if (report_sum_add_encoded(s, b.data, b.len, &err))
			fail_msg("%s", err.text);
		buf_free(&b);
		report_sum_free(part);
		from += n;
	}
	return s;
}

static void encode_both(struct report_sum *s, struct buf *sum, struct buf *report)
{
	struct report *r;

	report_sum_encode(s, sum);
	r = report_sum_finish(s);
	assert_non_null(r);
	assert_int_equal(r->nprocs, PROCESSES);
	report_encode(r, report);
	report_free(r);
	report_sum_free(s);
}

static void neither_order_nor_tree_changes_a_byte(void **state)
{
	struct report *p[PROCESSES];
	struct report_sum *plain = report_sum_new();
	struct buf sum = BUF_INIT, report = BUF_INIT;

	(void)state;
	for (int i = 0; i < PROCESSES; i++) {
		p[i] = any_process(i);
		assert_int_equal(report_sum_add(plain, p[i]), 0);
	}
	encode_both(plain, &sum, &report);
	for (int round = 0; round < 25; round++) {
		struct buf other_sum = BUF_INIT, other = BUF_INIT;

		for (int i = PROCESSES - 1; i > 0; i--) {
			int k = (int)below((uint32_t)i + 1);
			struct report *t = p[i];

			p[i] = p[k];
			p[k] = t;
		}
		encode_both(tree_sum(p, 0, PROCESSES), &other_sum, &other);
		assert_int_equal(report.len, other.len);
		assert_memory_equal(report.data, other.data, other.len);
		assert_int_equal(sum.len, other_sum.len);
		assert_memory_equal(sum.data, other_sum.data, other_sum.len);
		buf_free(&other_sum);
		buf_free(&other);
	}
	for (int i = 0; i < PROCESSES; i++)
		report_free(p[i]);
	buf_free(&sum);
	buf_free(&report);
}

static void one_process_keeps_its_figures(void **state)
{
	struct report *p = any_process(3), *r = report_merge(&p, 1);

	(void)state;
	report_rank(p);
	assert_int_equal(r->nfindings, p->nfindings);
	for (int i = 0; i < r->nfindings; i++) {
		assert_true(r->findings[i].severity_share == p->findings[i].severity_share);
		assert_true(r->findings[i].measure == p->findings[i].measure);
		assert_int_equal(r->findings[i].processes[0].first, 3);
	}
	report_free(r);
	report_free(p);
}

static void a_host_without_processes_is_no_process(void **state)
{
	struct report *p = any_process(0), *none = report_new(), *r;
	struct report_sum *s = report_sum_new();

	(void)state;
	none->partial = "no instrumented process was seen";
	p->partial = NULL;
	assert_int_equal(report_sum_add_none(s, none), 0);
	r = report_sum_finish(s);
	assert_string_equal(r->partial, "no instrumented process was seen");
	report_free(r);
	assert_int_equal(report_sum_add(s, p), 0);
	r = report_sum_finish(s);
	assert_int_equal(r->nprocs, 1);
	assert_null(r->partial);
	report_free(r);
	report_sum_free(s);
	report_free(none);
	report_free(p);
}

static void a_damaged_sum_is_refused_or_harmless(void **state)
{
	struct report *p[3] = { any_process(0), any_process(1), any_process(2) };
	struct report_sum *s = tree_sum(p, 0, 3);
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	report_sum_encode(s, &b);
	for (size_t n = 0; n < b.len; n += 7) {
		struct report_sum *into = report_sum_new();

		assert_int_equal(report_sum_add_encoded(into, b.data, n, &err), -1);
		report_sum_free(into);
	}
	for (int round = 0; round < 500; round++) {
		struct report_sum *into = report_sum_new();
		char *copy = malloc(b.len);

		memcpy(copy, b.data, b.len);
		copy[below((uint32_t)b.len)] ^= (char)(1 + below(255));
		if (!report_sum_add_encoded(into, copy, b.len, &err))
			report_free(report_sum_finish(into));
		report_sum_free(into);
		free(copy);
	}
	buf_free(&b);
	report_sum_free(s);
	for (int i = 0; i < 3; i++)
		report_free(p[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_rate_and_severity_of_a_finding_are_one_figure),
		cmocka_unit_test(a_text_with_figures_of_one_process_names_it),
		cmocka_unit_test(what_is_a_finding_s_own_is_summed_as_its_estimate),
		cmocka_unit_test(merging_in_two_steps_is_merging_at_once),
		cmocka_unit_test(misses_of_a_line_are_summed_over_processes),
		cmocka_unit_test(lines_of_another_file_are_other_lines),
		cmocka_unit_test(a_structure_that_one_process_knows_is_not_unknown),
		cmocka_unit_test(neither_order_nor_tree_changes_a_byte),
		cmocka_unit_test(one_process_keeps_its_figures),
		cmocka_unit_test(a_host_without_processes_is_no_process),
		cmocka_unit_test(a_damaged_sum_is_refused_or_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
