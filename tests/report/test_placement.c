/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_report --placement: which structures of a report get rules, and the forms of these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/files/placement_forms.h"

static char directory[] = "/tmp/psc-placement-XXXXXX";
static struct report *report;
static struct buf text;
static char source[64];

static struct report_gain *gain(const char *structure, const char *scope, const char *declared,
	enum tried_fix fix,
	double share)
{
	struct report_gain *g = &report->gains[report->ngains++];

	*g = (struct report_gain){ .structure = structure, .scope = scope, .declared = declared,
		.fix = fix, .change = "",
		.time_share = share, .least = NAN, .most = NAN, .node = NAN };
	return g;
}

/* A finding about the structure of a gain, whose property names the change. */
static struct report_finding *finding(const struct report_gain *g, const char *property)
{
	struct report_node *n = arena_array(report->arena, 1, sizeof *n);
	struct report_finding *f = &report->findings[report->nfindings++];

	*n = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = g->structure,
		.scope = g->scope, .file = "" };
	*f = (struct report_finding){ .property = property, .about = ABOUT_NODES, .path = n,
		.npath = 1, .source = source,
		.declared = g->declared, .fixes = tried_fix_names[g->fix] };
	return f;
}

static void trial(enum tried_action action, const char *structure, enum trial_verdict verdict)
{
	report->trials[report->ntrials++] = (struct report_trial){ .action = action, .structure =
		structure,
		.verdict = verdict, .gain = verdict == TRIAL_GAIN ? 0.25 : NAN, .node = -1 };
}

static int set_up(void **state)
{
	(void)state;
	report = report_new();
	report->gains = arena_array(report->arena, 8, sizeof *report->gains);
	report->findings = arena_array(report->arena, 8, sizeof *report->findings);
	report->trials = arena_array(report->arena, 8, sizeof *report->trials);
	report->command = "./app";
	report->directory = directory;
	report->machine = "epyc-2s: two sockets";
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	report_free(report);
	buf_free(&text);
	return 0;
}

static const char *form(enum placement_form which)
{
	buf_clear(&text);
	placement_form(report, which, &text);
	return buf_str(&text);
}

static bool has(enum placement_form which, const char *what)
{
	if (strstr(form(which), what))
		return true;
	printf("%s", buf_str(&text));
	return false;
}

static void a_finding_about_nodes_makes_a_rule(void **state)
{
	struct report_gain *g = gain("data", "heap", "f.c:2", TRIED_INTERLEAVE, 0.12);

	(void)state;
	finding(g, "OverloadedNode");
	assert_string_equal(form(PLACEMENT_RULES), "periscope placement 1\n# of ./app; memory "
		"nodes are those of epyc-2s\n"
		"# data, f.c:2: OverloadedNode; estimated to save 12.0% of the phase's time\n"
		"interleave \"data\" f.c:2\n");
	assert_true(has(PLACEMENT_ENVIRONMENT, "\nnumactl --interleave=all PROGRAM\n"));
	g->allocated = "xmalloc.c:9";
	g->scope = "heap of make, 7 blocks";
	((struct report_node *)(uintptr_t)report->findings[0].path)->scope = g->scope;
	assert_true(has(PLACEMENT_SITES, "\nxmalloc.c:9 > f.c:2 (make) @ interleave\n"));
}

static void without_a_finding_or_a_gain_there_is_no_rule(void **state)
{
	(void)state;
	gain("data", NULL, "f.c:2", TRIED_INTERLEAVE, 0.12);
	gain("table", NULL, "f.c:3", TRIED_PAGES, 0.01);
	gain("other", NULL, "f.c:4", TRIED_PAGES, 0.5)->reason = "not known";
	assert_true(has(PLACEMENT_RULES, "# the report speaks for no placement\n"));
	assert_string_equal(form(PLACEMENT_CODE), "# the report speaks for no placement\n");
	assert_true(has(PLACEMENT_ENVIRONMENT, "# the report speaks for nothing"));
	assert_true(has(PLACEMENT_SITES, "# the report speaks for no placement of heap blocks\n"));
}

static void what_no_placement_does_is_a_comment(void **state)
{
	(void)state;
	finding(gain("model", "heap", "f.c:2", TRIED_REPLICATE, 0.2), "ConcurrentRemoteReads");
	finding(gain("parts", "heap", "f.c:3", TRIED_BIND, 0.2), "PrivatePartsElsewhere");
	finding(gain("cache", "heap", "f.c:4", TRIED_THREADS, 0.2), "SharedInGroup");
	report->gains[2].node = 1;
	assert_true(has(PLACEMENT_RULES, "#   no rule does it: a copy on each memory node, made "
		"by the program\n"));
	assert_true(has(PLACEMENT_RULES, "#   no rule does it: each thread allocates, or first "
		"writes, the part that it uses\n"));
	assert_true(has(PLACEMENT_RULES, "#   no rule does it: the threads that share it on one "
		"memory node\n"));
	assert_null(strstr(form(PLACEMENT_RULES), "\nbind"));
	assert_true(has(PLACEMENT_ENVIRONMENT, "numactl --cpunodebind=1 --preferred=1 PROGRAM\n"));
	assert_null(strstr(form(PLACEMENT_CODE), "+++"));
}

static void nodes_and_large_pages_may_be_for_one_structure(void **state)
{
	struct report_gain *g = gain("data", "heap", "f.c:2", TRIED_BIND, 0.1);

	(void)state;
	g->node = 1;
	finding(g, "RemoteUseAfterAllocation");
	gain("data", "heap", "f.c:2", TRIED_PAGES, 0.05);
	assert_true(has(PLACEMENT_RULES, "\nbind=1 \"data\" f.c:2\n"));
	assert_true(has(PLACEMENT_RULES, "\npages=2M \"data\" f.c:2\n"));
	assert_true(has(PLACEMENT_ENVIRONMENT, "\nnumactl --preferred=1 PROGRAM\n"));
	assert_true(has(PLACEMENT_ENVIRONMENT, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 PROGRAM\n"));
	assert_true(has(PLACEMENT_SITES, "f.c:2 @ node1\n"));
	assert_true(has(PLACEMENT_SITES, "f.c:2 @ hugepage\n"));
}

static void a_trial_goes_before_an_estimate(void **state)
{
	(void)state;
	gain("table", "heap", "f.c:2", TRIED_PAGES, 0.05);
	trial(TRIED_LARGE_PAGES, "table", TRIAL_NULL);
	trial(TRIED_ALL_NODES, "other", TRIAL_GAIN);
	trial(TRIED_MALLOC, "", TRIAL_GAIN);
	assert_true(has(PLACEMENT_RULES, "#   no rule does it: nothing: the trial found no "
		"gain\n"));
	assert_true(has(PLACEMENT_RULES, "# other: tried in the program: 25.0%\ninterleave "
		"\"other\"\n"));
	assert_null(strstr(form(PLACEMENT_RULES), "\npages=2M"));
	assert_true(has(PLACEMENT_ENVIRONMENT, "MALLOC_MMAP_MAX_=0 PROGRAM\n"));
	assert_null(strstr(form(PLACEMENT_ENVIRONMENT), "hugetlb"));
}

/* Large pages that save little are a rule where a property names them; a place that none names is
 * not. */
static void a_property_of_the_users_makes_a_rule(void **state)
{
	struct report_finding *f = finding(gain("table", "heap", "f.c:2", TRIED_PAGES, 0.005),
		"HotTable");

	(void)state;
	f->about = ABOUT_OWN;
	f->fixes = "replicate, interleave, pages=2M";
	finding(gain("other", "heap", "f.c:3", TRIED_INTERLEAVE, 0.1), "Far")->fixes =
		"dense, interleav";
	assert_true(has(PLACEMENT_RULES, "# table, f.c:2: HotTable; estimated to save 0.5% of the "
		"phase's time\npages=2M \"table\" f.c:2\n"));
	assert_null(strstr(form(PLACEMENT_RULES), "other"));
}

static void what_is_written_is_a_placement_file(void **state)
{
	struct placement *p = calloc(1, sizeof *p);
	struct err err;

	(void)state;
	finding(gain("a \"b\"", "heap", "f.c:2", TRIED_INTERLEAVE, 0.1), "OverloadedNode");
	assert_int_equal(placement_parse("f", form(PLACEMENT_RULES), p, &err), 0);
	assert_int_equal(p->n, 1);
	assert_string_equal(p->rule[0].structure, "a \"b\"");
	free(p);
}

/* Each kind of line: what the call says of the block and its bytes. */
static void code_has_the_expressions_of_the_line(void **state)
{
	static const struct { const char *line, *call; } lines[] = {
		{ "\tdouble *data = malloc(n * sizeof *data);", "+\tplace(data, n * sizeof "
			"*data, " },
		{ "  g->at[i + 1] = (double *)calloc(n, size(2, 3));", "+  place(g->at[i + 1], "
			"(n) * (size(2, 3)), " },
		{ "p = aligned_alloc(64, m);", "+place(p, m, " },
		{ "auto q = new std::pair<int, int>[f(n, 1)];",
			"+place(q, (f(n, 1)) * sizeof(std::pair<int, int>), " },
		{ "if (a == b) r = realloc(r, 2 * m);", "+place(r, 2 * m, " },
		{ "x = my_malloc(n);", "+place(data, BYTES, " },
		{ "y = malloc(n *", "+place(data, BYTES, " },
		{ "make(&data, n);", "+place(data, BYTES, " },
		{ "= malloc(1);", "+place(data, BYTES, " },
	};
	char path[128], name[32];

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		FILE *f;

		snprintf(name, sizeof name, "l%zu.c", i);
		snprintf(path, sizeof path, "%s/%s", directory, name);
		f = fopen(path, "w");
		assert_non_null(f);
		fprintf(f, "/* */\n%s\n", lines[i].line);
		fclose(f);
		report->ngains = report->nfindings = 0;
		snprintf(name + strlen(name), sizeof name - strlen(name), ":2");
		finding(gain("data", "heap", name, TRIED_INTERLEAVE, 0.1), "OverloadedNode");
		assert_true(has(PLACEMENT_CODE, lines[i].call));
		assert_true(has(PLACEMENT_CODE, lines[i].line));
		assert_true(has(PLACEMENT_CODE, "@@ -0,0 +1 @@\n+#include \"place.h\"\n@@ -2 "
			"+3,2 @@\n"));
		unlink(path);
	}
}

static void a_line_that_is_gone_and_other_storage_are_said(void **state)
{
	(void)state;
	finding(gain("data", "heap", "gone.c:2", TRIED_INTERLEAVE, 0.1), "OverloadedNode");
	finding(gain("u", "COMMON cvar", "gone.f:4", TRIED_INTERLEAVE, 0.1), "OverloadedNode");
	finding(gain("grid", NULL, "gone.c:9", TRIED_INTERLEAVE, 0.1), "OverloadedNode");
	assert_true(has(PLACEMENT_CODE, "@@ -2,0 +3 @@\n+place(data, BYTES, MPOL_INTERLEAVE, "
		"~0ul);\n"));
	assert_true(has(PLACEMENT_CODE, "+! behind its allocation, or first in the program, in C "
		"with c_loc(): "
		"place(u, sizeof(u), MPOL_INTERLEAVE, ~0ul)\n"));
	assert_true(has(PLACEMENT_CODE, "+/* before its first use: place(grid, sizeof grid, "
		"MPOL_INTERLEAVE, ~0ul); */\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_finding_about_nodes_makes_a_rule),
		TEST(without_a_finding_or_a_gain_there_is_no_rule),
		TEST(what_no_placement_does_is_a_comment),
		TEST(nodes_and_large_pages_may_be_for_one_structure),
		TEST(a_trial_goes_before_an_estimate),
		TEST(a_property_of_the_users_makes_a_rule),
		TEST(what_is_written_is_a_placement_file),
		TEST(code_has_the_expressions_of_the_line),
		TEST(a_line_that_is_gone_and_other_storage_are_said),
	};
	int failed;

	if (!mkdtemp(directory))
		return 1;
	snprintf(source, sizeof source, "%s/f.c", directory);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(directory);
	return failed;
}
