/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "report/model/fields.h"
#include "tests/random_cases.h"
#include "tests/report/sample.h"

static const struct report_style style = { .width = 80, .why_not = true };

static void what_was_sent_arrives(void **state)
{
	struct report *reports[] = { sample_lu(), sample_nasty(), sample_empty(true), report_new() };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct buf sent = BUF_INIT, again = BUF_INIT;
		struct report *copy;
		char *a, *b;

		report_encode(reports[i], &sent);
		assert_false(sent.failed);
		copy = report_decode(sent.data, sent.len, NULL);
		assert_non_null(copy);
		report_encode(copy, &again);
		assert_int_equal(sent.len, again.len);
		assert_memory_equal(sent.data, again.data, sent.len);
		a = sample_text(reports[i], &style);
		b = sample_text(copy, &style);
		assert_string_equal(a, b);
		free(a);
		free(b);
		buf_free(&sent);
		buf_free(&again);
		report_free(copy);
		report_free(reports[i]);
	}
}

static void a_message_cut_anywhere_is_refused(void **state)
{
	struct report *r = sample_lu();
	struct buf sent = BUF_INIT;
	struct err err;
	/* Where that takes long, still in each field of 8 bytes. */
	const size_t step = random_cases(4) < 4 ? 7 : 1;

	(void)state;
	report_encode(r, &sent);
	for (size_t n = 0; n < sent.len; n += step) {
		char *cut = malloc(n + !n);     /* of exactly that size: a read past it is seen */

		memcpy(cut, sent.data, n);
		assert_null(report_decode(cut, n, &err));
		free(cut);
	}
	buf_u8(&sent, 0);
	assert_null(report_decode(sent.data, sent.len, &err));
	assert_non_null(strstr(err.text, "damaged"));
	buf_free(&sent);
	report_free(r);
}

static void damage_is_refused_or_harmless(void **state)
{
	struct report *r = sample_nasty();
	struct buf sent = BUF_INIT;
	unsigned seed = 1;
	char *copy;

	(void)state;
	report_encode(r, &sent);
	copy = malloc(sent.len);
	for (int round = 0; round < 4000; round++) {
		struct report *got;

		memcpy(copy, sent.data, sent.len);
		for (int i = 0; i <= round % 4; i++) {
			seed = seed * 1103515245u + 12345u;
			copy[8 + seed % (sent.len - 8)] ^= (char)(1u << (seed >> 28 & 7));
			if (round % 3 == 0)
				copy[8 + (seed >> 7) % (sent.len - 8)] = (char)0xff;
		}
		got = report_decode(copy, sent.len, NULL);
		if (got && round % 8 == 0)
			free(sample_text(got, &style));
		report_free(got);
	}
	free(copy);
	buf_free(&sent);
	report_free(r);
}

static void noise_is_refused(void **state)
{
	unsigned char noise[600];
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof noise; i++) {
			seed = seed * 1103515245u + 12345u;
			noise[i] = (unsigned char)(seed >> 16);
		}
		if (round % 2)  /* past the magic and the version */
			memcpy(noise, "PSCR\1\0\0\0", 8);
		assert_null(report_decode(noise, sizeof noise, NULL));
	}
}

static void another_version_is_named(void **state)
{
	struct report *r = sample_empty(false);
	struct buf sent = BUF_INIT;
	struct err err;

	(void)state;
	report_encode(r, &sent);
	sent.data[4]++;
	assert_null(report_decode(sent.data, sent.len, &err));
	assert_string_equal(err.text, "report message: version 2, this program reads 1");
	buf_free(&sent);
	report_free(r);
}

static void check_rows(const struct row_type *type)
{
	bool key = false;

	for (const struct field *f = type->fields; f->name; f++) {
		key |= f->merge == MERGE_KEY;
		assert_true(f->merge < MERGE_WITH);     /* of heads only */
		assert_true(!field_summed(f) || f->kind == FIELD_REAL);
		assert_true(f->merge != MERGE_KEY || f->kind != FIELD_REAL);
	}
	assert_true(key || type->merge != ROWS_BY_KEY);
	for (const struct list *l = type->lists; l->name; l++) {
		assert_true(l->type->merge >= ROWS_STEPS);
		check_rows(l->type);
	}
}

/* What a type of rows declares suits the sum over processes. */
static void rows_can_be_merged(void **state)
{
	(void)state;
	for (const struct list *l = report_lists; l->name; l++) {
		assert_true(l->type->merge < ROWS_STEPS);
		check_rows(l->type);
		for (const struct list *k = report_lists; k != l; k++)
			assert_true(strcmp(k->name, l->name) != 0 && k->type != l->type);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_sent_arrives),
		cmocka_unit_test(a_message_cut_anywhere_is_refused),
		cmocka_unit_test(damage_is_refused_or_harmless),
		cmocka_unit_test(noise_is_refused),
		cmocka_unit_test(another_version_is_named),
		cmocka_unit_test(rows_can_be_merged),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("report wire", tests, NULL, NULL);
}
