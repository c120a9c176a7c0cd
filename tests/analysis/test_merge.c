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
		cmocka_unit_test(a_structure_that_one_process_knows_is_not_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
