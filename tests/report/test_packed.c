/* SPDX-License-Identifier: BSD-3-Clause */
/* The timelines in the page: unpacked they are the report's JSON; addresses that do not fit are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "report/files/json.h"
#include "tests/report/sample.h"

enum { PAGE_MOST = 3 << 20, UNPACKED_MOST = 64 << 20 };

static char file[] = "/tmp/psc-packed-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(file);

	(void)state;
	return fd < 0 || close(fd) ? -1 : 0;
}

static int remove_file(void **state)
{
	(void)state;
	return remove(file);
}

static char *page(const struct report *r)
{
	FILE *f;
	char *text = malloc(PAGE_MOST + 1);
	size_t n;

	assert_int_equal(report_html_write(r, file, NULL), 0);
	f = fopen(file, "r");
	assert_non_null(f);
	n = fread(text, 1, PAGE_MOST + 1, f);
	assert_true(n <= PAGE_MOST);
	text[n] = '\0';
	fclose(f);
	return text;
}

static unsigned digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	assert_true(at && *at);
	return (unsigned)(at - digits);
}

/* The text that is packed from `s` to the next "<"; caller frees. */
static char *unpacked(const char *s)
{
	size_t n = strcspn(s, "<="), length = 0;
	unsigned char *packed = malloc(n);
	char *text = malloc(UNPACKED_MOST);
	uLongf out = UNPACKED_MOST - 1;
	unsigned v = 0;

	for (size_t i = 0; i < n; i++) {
		v = v << 6 | digit(s[i]);
		if (i % 4)
			packed[length++] = (unsigned char)(v >> (6 - 2 * (i % 4)));
	}
	assert_int_equal(uncompress((Bytef *)text, &out, packed, (uLong)length), Z_OK);
	text[out] = '\0';
	free(packed);
	return text;
}

static void the_page_has_each_timeline_as_json(void **state)
{
	struct report *r = sample_empty(false);
	char *text, *at;

	(void)state;
	sample_timelines(r);
	text = at = page(r);
	for (int i = 0; i < r->ntimelines; i++) {
		struct buf want = BUF_INIT;
		char head[96], *is;

		snprintf(head, sizeof head, "<script type='text/plain' class=timelines data-process=%d%s>", i,
			i == 0 ? " data-first=1" : "");
		at = strstr(at, head);
		assert_non_null(at);
		at += strlen(head);
		is = unpacked(at);
		report_json_timeline(&want, r, &r->timelines[i]);
		assert_string_equal(is, buf_str(&want));
		free(is);
		buf_free(&want);
	}
	assert_int_equal(r->ntimelines, 2);
	assert_non_null(strstr(text, "\"timelines\": []"));
	assert_null(strstr(text, "data-cut"));
	assert_null(strstr(text, "id=without-timelines"));
	free(text);
	report_free(r);
}

/* Points that cannot be packed well. */
static struct report_series noise(struct report *r)
{
	enum { N = TIMELINE_COLUMNS * TIMELINE_ROWS };
	struct report_point *p = arena_array(r->arena, N, sizeof *p);
	static uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		p[i] = (struct report_point){ (uint32_t)i, 1 + (int64_t)(seed >> 40) };
	}
	return (struct report_series){ p, N };
}

static void addresses_that_do_not_fit_are_left_out(void **state)
{
	struct report *r = sample_empty(false);
	struct report_timeline *t;
	char *text, *json;

	(void)state;
	sample_timelines(r);
	t = &r->timelines[1];
	t->columns = TIMELINE_COLUMNS;
	t->rows = TIMELINE_ROWS;
	for (int i = 0; i < t->nmaps; i++)
		t->maps[i].reads = t->maps[i].writes = noise(r);
	text = page(r);
	json = strstr(text, "data-process=1 data-cut=1>");
	assert_non_null(json);
	assert_null(strstr(text, "class=timelines data-process=0 data-cut"));
	json = unpacked(strchr(json, '>') + 1);
	assert_non_null(strstr(json, "\"maps\": []"));
	assert_non_null(strstr(json, "\"name\": \"table\""));
	free(json);
	free(text);
	report_free(r);
}

/* Text that cannot be packed well; the report's. */
static const char *long_name(struct report *r)
{
	enum { N = 5 << 19 };
	char *name = arena_alloc(r->arena, N + 1);
	uint64_t seed = 7;

	for (int i = 0; i < N; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		name[i] = (char)('0' + (seed >> 40) % 64);
	}
	return name;
}

static void processes_that_do_not_fit_are_named(void **state)
{
	struct report *r = sample_empty(false);
	char *text;

	(void)state;
	sample_timelines(r);
	r->timelines[1].lines[0].file = long_name(r);
	r->timelines_left_out = 2;
	text = page(r);
	assert_non_null(strstr(text, "class=timelines data-process=0"));
	assert_null(strstr(text, "class=timelines data-process=1"));
	assert_non_null(strstr(text, "id=without-timelines>Did not fit into this page: the pictures of process 1 ("));
	assert_non_null(strstr(text, "The report has no timeline of 2 more processes"));
	free(text);
	report_free(r);
}

/* What the table says without a script. */
static void the_table_has_figures_of_an_execution(void **state)
{
	struct report *r = sample_empty(false);
	char *text;

	(void)state;
	sample_timelines(r);
	r->timelines[0].executions = 2;
	r->timelines[1].executions = 1;
	text = page(r);
	assert_non_null(strstr(text, "<tr><th scope=row>table<td class=n data-v=1.04858e+06>1 MiB<td class=n data-v=1.04858e+06>"
		"1 MiB<td class='n b b63' data-v=12000>12.0 k<td class=n data-v=8000>8.00 k"));
	assert_non_null(strstr(text, "data-v=24000>24.0 k<td class=n data-v=16000>16.0 k"));
	free(text);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_has_each_timeline_as_json),
		cmocka_unit_test(addresses_that_do_not_fit_are_left_out),
		cmocka_unit_test(processes_that_do_not_fit_are_named),
		cmocka_unit_test(the_table_has_figures_of_an_execution),
	};

	return cmocka_run_group_tests_name("timelines in the page", tests, make_file, remove_file);
}
