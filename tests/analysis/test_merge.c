/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of one finding over several processes agree with each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/findings/findings.h"

static const int ranks[] = { 0, 1, 2 };

/* A process that computes for `cpu` s in a phase of 40 ms, of which memory takes that share in a loop. */
static struct report *process(int rank, double cpu, double share, const char *advice)
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
		.nprocesses = 1, .path = path, .npath = 2, .severity = share * cpu, .severity_is_time = true,
		.severity_share = share, .severity_max_share = share, .measure = share, .confidence = 1,
		.coverage = 1, .est_stall_share = share, .est_stall_low_share = share / 2,
		.est_stall_high_share = share, .kind = "stream", .advice = advice };
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
	assert_string_equal(f->advice, "of the worse one");
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
	same(r->findings[0].sites[0].last_misses, 9);
	same(r->findings[0].sites[1].last_misses, 7);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_rate_and_severity_of_a_finding_are_one_figure),
		cmocka_unit_test(merging_in_two_steps_is_merging_at_once),
		cmocka_unit_test(misses_of_a_line_are_summed_over_processes),
		cmocka_unit_test(lines_of_another_file_are_other_lines),
		cmocka_unit_test(a_structure_that_one_process_knows_is_not_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
