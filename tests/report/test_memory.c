/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of the part fails once: the result is whole, or an error, never something
 * in between.  Linked with --wrap; libxml2's own allocations are its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/gate/check.h"
#include "tests/report/sample.h"

static long countdown = -1;     /* allocations until one fails; -1 never */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);

static int fails(void)
{
	return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

static const struct report_style style = { .width = 80, .why_not = true };
static char file[] = "/tmp/psc-report-XXXXXX";

static int text_now(struct report *r, struct buf *out, struct err *err)
{
	static char memory[1 << 16];
	FILE *f = fmemopen(memory, sizeof memory, "w");
	int rc;

	rc = report_text(r, &style, f, err);
	countdown = -1;
	fclose(f);
	buf_clear(out);
	buf_puts(out, memory);
	return rc;
}

static int text(struct report *r, long fail, struct buf *out, struct err *err)
{
	countdown = fail;
	return text_now(r, out, err);
}

static int encode(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct buf sent = BUF_INIT;
	int rc;

	countdown = fail;
	report_encode(r, &sent);
	countdown = -1;
	rc = sent.failed ? err_nomem(err) : 0;
	if (rc == 0)
		buf_add(out, sent.data, sent.len);
	buf_free(&sent);
	return rc;
}

static int finish(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct report *copy = sample_complete(r);
	int rc;

	countdown = fail;
	rc = report_finish(copy) ? err_nomem(err) : 0;
	countdown = -1;
	if (!rc)
		text_now(copy, out, err);
	report_free(copy);
	return rc;
}

static int decode(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct buf sent = BUF_INIT;
	struct report *copy;

	report_encode(r, &sent);
	countdown = fail;
	copy = report_decode(sent.data, sent.len, err);
	countdown = -1;
	buf_free(&sent);
	if (!copy)
		return -1;
	text_now(copy, out, err);
	report_free(copy);
	return 0;
}

static int contents(struct buf *out)
{
	FILE *f = fopen(file, "r");
	char chunk[4096];
	size_t n;

	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(out, chunk, n);
	fclose(f);
	return 0;
}

static int psc_write(struct report *r, long fail, struct buf *out, struct err *err)
{
	int rc;

	countdown = fail;
	rc = report_psc_write(r, file, err);
	countdown = -1;
	return rc < 0 ? -1 : contents(out);
}

static int json_write(struct report *r, long fail, struct buf *out, struct err *err)
{
	int rc;

	countdown = fail;
	rc = report_json_write(r, file, err);
	countdown = -1;
	return rc < 0 ? -1 : contents(out);
}

static int csv_write(struct report *r, long fail, struct buf *out, struct err *err)
{
	int rc;

	countdown = fail;
	rc = report_csv_write(r, file, err);
	countdown = -1;
	return rc < 0 ? -1 : contents(out);
}

static int html_write(struct report *r, long fail, struct buf *out, struct err *err)
{
	int rc;

	countdown = fail;
	rc = report_html_write(r, file, err);
	countdown = -1;
	return rc < 0 ? -1 : contents(out);
}

static int psc_read(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct report *copy;

	if (report_psc_write(r, file, err) < 0)
		return -1;
	countdown = fail;
	copy = report_psc_read(file, err);
	countdown = -1;
	if (!copy)
		return -1;
	text_now(copy, out, err);
	report_free(copy);
	return 0;
}

/* Gives the sample what comparing needs: costs, and regions with names. */
static void name_places(struct report *r, double misses)
{
	static const char *const regions[] = { "ssor.f:ssor/loop 1", "ssor.f:ssor/loop 1/parallel 1" };

	r->phase.name_path = regions[0];
	r->costs = arena_array(r->arena, 4, sizeof *r->costs);
	r->ncosts = 4;
	for (int i = 0; i < 4; i++)
		r->costs[i] = (struct report_cost){ .region = regions[i / 2], .structure = i % 2 ? "rsd" : NULL,
			.scope = i % 2 ? "COMMON cvar" : NULL, .declared = i % 2 ? "a.f:3" : NULL, .file = "ssor.f",
			.accesses = 1e6, .misses = { misses, misses, misses, misses }, .est_stall = misses * 1e-6 };
	for (int i = 0; i < r->nfindings; i++)
		for (int k = 0; k < r->findings[i].npath; k++)
			((struct report_node *)r->findings[i].path)[k].name_path = k ? "ssor.f:ssor/loop 1/parallel 1" :
				regions[0];
}

static int comparing(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct report *before = sample_lu();
	struct report_style all = { .width = 80 }, problems = { .width = 80, .part = REPORT_SHORT };
	struct buf text = BUF_INIT;
	struct compare c;
	int rc;

	name_places(before, 2000);
	before->nfindings -= 2;
	assert_int_equal(report_finish(before), 0);
	name_places(r, 1000);
	countdown = fail;
	rc = compare_reports(&c, before, "before.psc", r, "after.psc", err);
	if (!rc) {
		compare_text(&c, &all, &text);
		compare_text(&c, &problems, &text);
		compare_markdown(&c, &all, &text);
		compare_json(&c, &text);
		compare_free(&c);
	}
	countdown = -1;
	if (!rc && text.failed)
		rc = err_nomem(err);
	if (!rc)
		buf_add(out, text.data, text.len);
	buf_free(&text);
	report_free(before);
	return rc;
}

static int limits(struct report *r, long fail, struct buf *out, struct err *err)
{
	struct arena *arena = arena_new();
	struct check_limit limit[] = { { .text = "l1_misses > 1 || severity_share > 0.01", .hard = true },
		{ .text = "structure *: l2_misses > 3 && est_stall > 1ns" } };
	struct check c = { .report = r, .name = "r.psc", .limits = limit, .nlimits = 2 };
	struct report_style all = { .width = 80 };
	struct buf text = BUF_INIT;
	int rc = 0;

	name_places(r, 1000);
	countdown = fail;
	for (int i = 0; i < 2 && !rc; i++) {
		limit[i].condition = condition_parse(limit[i].text, arena, err);
		rc = limit[i].condition ? 0 : -1;
	}
	if (!rc)
		rc = check_run(&c, err);
	if (!rc) {
		check_text(&c, &all, &text);
		check_markdown(&c, &text);
		check_sarif(&c, &text);
		check_junit(&c, &text);
	}
	countdown = -1;
	check_free(&c);
	if (!rc && text.failed)
		rc = err_nomem(err);
	if (!rc)
		buf_add(out, text.data, text.len);
	buf_free(&text);
	arena_free(arena);
	return rc;
}

static void sweep(int (*work)(struct report *, long, struct buf *, struct err *))
{
	struct buf whole = BUF_INIT, now = BUF_INIT;
	struct report *r = sample_lu();
	struct err err;
	int failures = 0;

	assert_int_equal(report_finish(r), 0);
	assert_int_equal(work(r, -1, &whole, &err), 0);
	for (long i = 0, calm = 0; calm < 3; i++) {
		err.text[0] = '\0';
		buf_clear(&now);
		if (work(r, i, &now, &err) < 0) {
			if (!err.text[0])
				fail_msg("allocation %ld: no description", i);
			failures++;
			calm = 0;
			continue;
		}
		calm++;
		if (strcmp(buf_str(&now), buf_str(&whole)) != 0)
			fail_msg("allocation %ld: %s\n--- is not\n%s", i, buf_str(&now), buf_str(&whole));
	}
	assert_true(failures > 0);
	buf_free(&whole);
	buf_free(&now);
	report_free(r);
}

static void text_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(text);
}

static void comparing_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(comparing);
}

static void limits_are_whole_or_an_error(void **state)
{
	(void)state;
	sweep(limits);
}

static void finishing_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(finish);
}

static void encoding_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(encode);
}

static void decoding_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(decode);
}

static void psc_writing_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(psc_write);
}

static void psc_reading_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(psc_read);
}

static void json_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(json_write);
}

static void csv_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(csv_write);
}

static void html_is_whole_or_an_error(void **state)
{
	(void)state;
	sweep(html_write);
}

static int make_file(void **state)
{
	(void)state;
	return mkstemp(file) < 0 ? -1 : 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_whole_or_an_error),
		cmocka_unit_test(comparing_is_whole_or_an_error),
		cmocka_unit_test(limits_are_whole_or_an_error),
		cmocka_unit_test(finishing_is_whole_or_an_error),
		cmocka_unit_test(encoding_is_whole_or_an_error),
		cmocka_unit_test(decoding_is_whole_or_an_error),
		cmocka_unit_test(psc_writing_is_whole_or_an_error),
		cmocka_unit_test(psc_reading_is_whole_or_an_error),
		cmocka_unit_test(json_is_whole_or_an_error),
		cmocka_unit_test(csv_is_whole_or_an_error),
		cmocka_unit_test(html_is_whole_or_an_error),
	};

	return cmocka_run_group_tests_name("report memory", tests, make_file, remove_file);
}
