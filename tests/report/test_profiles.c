/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs as a tree, and in the forms of other tools: no figure is lost or counted twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/model/cost_tree.h"
#include "tests/report/json.h"

/* A step with two loops; loop 1 calls f, which uses a as well. */
#define STEP "x.c:main/loop 1"
#define COST(key, name, in, at, seconds, n, l1) \
	{ .region = key, .structure = name, .scope = in, .file = "x.c", .line = at, .time = seconds, .accesses = n, \
		.misses = { l1, NAN, NAN, NAN }, .coherence = NAN, .est_stall = (seconds) / 2 }
static struct report_cost costs[] = {
	COST(STEP, NULL, NULL, 9, 1e-3, 1110, 111),
	COST(STEP, "a", NULL, 9, NAN, 600, 70),
	COST(STEP, "b\n\"&<", "heap", 9, NAN, 300, 20),
	COST(STEP "/loop 1", NULL, NULL, 10, 6e-4, 700, 80),
	COST(STEP "/loop 1", "a", NULL, 10, NAN, 500, 60),
	COST(STEP "/loop 1 > x.c:f", NULL, NULL, 3, 2e-4, 200, 40),
	COST(STEP "/loop 1 > x.c:f", "a", NULL, 3, NAN, 200, 40),
	COST(STEP "/loop 2", NULL, NULL, 20, 3e-4, 250, 20),
	COST(STEP "/loop 2", "b\n\"&<", "heap", 20, NAN, 250, 20),
};
/* Of a's 60 misses in loop 1, 40 are f's. */
static const struct report_site sites_of_loop[] = { { 11, 12, 12 }, { 12, 5, 5 }, { 0, 3, 3 } };
static const struct report report = { .command = "./x", .costs = costs, .ncosts = sizeof costs / sizeof *costs };

static const struct cost_node *node(const struct cost_tree *t, const char *region, const char *structure)
{
	for (int i = 0; i < t->n; i++) {
		const struct report_cost *c = t->nodes[i].cost;

		if (strcmp(c->region, region) == 0 && (structure ? c->structure && strcmp(c->structure, structure) == 0 :
		    !c->structure))
			return &t->nodes[i];
	}
	return NULL;
}

static void each_cost_has_one_place(void **state)
{
	struct cost_tree t;
	struct err err;
	double accesses = 0, time = 0;

	(void)state;
	assert_int_equal(cost_tree_make(&report, &t, &err), 0);
	for (int i = 0; i < t.n; i++) {
		accesses += t.nodes[i].own[COST_ACCESSES];
		time += isnan(t.nodes[i].own[COST_TIME]) ? 0 : t.nodes[i].own[COST_TIME];
	}
	assert_true(accesses == 1110 && fabs(time - 1e-3) < 1e-9);
	/* Of a's 600 accesses, loop 1 makes 300 and f 200; 100 are in the step itself. */
	assert_true(node(&t, STEP, "a")->own[COST_ACCESSES] == 100);
	assert_true(node(&t, STEP "/loop 1", "a")->own[COST_ACCESSES] == 300);
	assert_true(node(&t, STEP "/loop 1 > x.c:f", "a")->own[COST_ACCESSES] == 200);
	/* 1110 of the step: 700 and 250 in its loops, 100 of a and 50 of b, 10 of nothing that has a name. */
	assert_true(node(&t, STEP, NULL)->own[COST_ACCESSES] == 10);
	assert_true(node(&t, STEP "/loop 2", NULL)->own[COST_ACCESSES] == 0);
	assert_true(fabs(node(&t, STEP "/loop 1", NULL)->own[COST_TIME] - 4e-4) < 1e-12);
	assert_string_equal(node(&t, STEP "/loop 1 > x.c:f", NULL)->name, "x.c:f");
	assert_int_equal(node(&t, STEP "/loop 1 > x.c:f", NULL)->parent, node(&t, STEP "/loop 1", NULL) - t.nodes);
	cost_tree_free(&t);
}

static void a_report_without_costs_has_no_nodes(void **state)
{
	struct cost_tree t;
	struct err err;

	(void)state;
	assert_int_equal(cost_tree_make(&(struct report){ 0 }, &t, &err), 0);
	assert_int_equal(t.n, 0);
	cost_tree_free(&t);
}

/* What a writer writes; the caller frees it. */
static char *written(int (*writer)(const struct report *, const char *, struct err *))
{
	char path[] = "/tmp/psc-profile-XXXXXX", *text;
	int fd = mkstemp(path);
	struct err err;
	FILE *f;
	size_t n;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(writer(&report, path, &err), 0);
	f = fopen(path, "r");
	text = calloc(1, 1 << 16);
	assert_true(f && text);
	n = fread(text, 1, (1 << 16) - 1, f);
	assert_true(n > 0 && feof(f));
	fclose(f);
	unlink(path);
	return text;
}

/* Lines "LINE TIME ACCESSES L1 MEMORY" are own costs, unless "calls=" stands before. */
static void callgrind_lines_sum_to_its_summary(void **state)
{
	char *text = written(report_callgrind_write), *rest = text, *line;
	unsigned long sum[4] = { 0 }, summary[4] = { 0 }, v[4], at;
	bool call = false;

	(void)state;
	assert_non_null(strstr(text, "\nevents: time accesses L1_misses memory_time\n"));
	assert_non_null(strstr(text, "\nfn=data: b?\"&< in heap\n"));
	assert_non_null(strstr(text, "\ncfn=x.c:f\ncalls=1 3\n3 200000 200 40 100000\n"));
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "summary: %lu %lu %lu %lu", &summary[0], &summary[1], &summary[2], &summary[3]) == 4)
			continue;
		if (sscanf(line, "%lu %lu %lu %lu %lu", &at, &v[0], &v[1], &v[2], &v[3]) == 5 && !call)
			for (int i = 0; i < 4; i++)
				sum[i] += v[i];
		call = strncmp(line, "calls=", 6) == 0;
	}
	assert_int_equal(summary[1], 1110);
	assert_memory_equal(sum, summary, sizeof sum);
	free(text);
}

/* What is known by line stands there, the rest in the region's first line. */
static void callgrind_has_misses_by_line(void **state)
{
	struct report_cost *a = &costs[4];
	char *text;

	(void)state;
	a->sites = sites_of_loop;
	a->nsites = 3;
	text = written(report_callgrind_write);
	assert_non_null(strstr(text, "\nfn=data: a\n11 0 0 12 0\n12 0 0 5 0\n10 0 300 3 0\n"));
	free(text);
	a->nsites = 0;
}

static void hatchet_s_form_is_json_with_all_nodes(void **state)
{
	char *text = written(report_hatchet_write);
	int nodes = 0;

	(void)state;
	assert_null(json_fault(text, strlen(text)));
	for (const char *at = text; (at = strstr(at, "{\"frame\": ")); at++)
		nodes++;
	assert_int_equal(nodes, 9);
	assert_non_null(strstr(text, "\"name\": \"b\\u000a\\\"&<\", \"type\": \"structure\", \"scope\": \"heap\""));
	assert_non_null(strstr(text, "\"accesses\": 10, \"accesses (inc)\": 1110"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cost_has_one_place),
		cmocka_unit_test(a_report_without_costs_has_no_nodes),
		cmocka_unit_test(callgrind_lines_sum_to_its_summary),
		cmocka_unit_test(callgrind_has_misses_by_line),
		cmocka_unit_test(hatchet_s_form_is_json_with_all_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
