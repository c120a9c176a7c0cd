/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cache_dir.h"
#include "base/err.h"
#include "base/user_file.h"
#include "base/data_dir.h"
#include "base/region.h"
#include "base/unit_tables.h"
#include "base/json_text.h"
#include "base/word_distance.h"

static void error_text_is_cut_not_overrun(void **state)
{
	struct err err;
	char big[4000];

	(void)state;
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	assert_int_equal(err_set(&err, "%s", big), -1);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_int_equal(err_set(NULL, "nobody listens"), -1);
}

static void context_goes_before_the_cause(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "no such file");
	err_prefix(&err, "machine %s", "itanium2");
	assert_string_equal(err.text, "machine itanium2: no such file");
}

static void wire_values_come_back(void **state)
{
	struct buf b = BUF_INIT;
	struct cursor c;
	char *s;

	(void)state;
	buf_u8(&b, 7);
	buf_u32(&b, 0x01020304);
	buf_u64(&b, UINT64_MAX - 1);
	buf_f64(&b, -0.25);
	buf_string(&b, "rsd");
	buf_string(&b, NULL);
	assert_false(b.failed);
	assert_int_equal(b.data[1], 4);         /* little-endian on the wire */
	c = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
	assert_int_equal(cur_u8(&c), 7);
	assert_int_equal(cur_u32(&c), 0x01020304);
	assert_true(cur_u64(&c) == UINT64_MAX - 1);
	assert_true(cur_f64(&c) == -0.25);
	s = cur_string(&c);
	assert_string_equal(s, "rsd");
	free(s);
	assert_null(cur_string(&c));
	assert_false(c.failed);
	assert_int_equal(c.pos, c.len);
	buf_free(&b);
}

static void reading_past_the_end_fails_and_stays_failed(void **state)
{
	const uint8_t raw[6] = { 255, 0, 0, 0, 'a', 'b' };
	struct cursor c = { raw, sizeof raw, 0, false };

	(void)state;
	assert_null(cur_string(&c));    /* claims 255 bytes, has 2 */
	assert_true(c.failed);
	assert_int_equal(cur_u8(&c), 0);
	assert_true(c.failed);
}

static void arena_blocks_are_zeroed_and_aligned(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_non_null(a);
	for (size_t n = 0; n < 3000; n += 37) {
		unsigned char *p = arena_alloc(a, n);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % sizeof(max_align_t) % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, n);
	}
	assert_null(arena_array(a, SIZE_MAX / 2, 16));
	assert_string_equal(arena_printf(a, "%s:%d", "ssor.f", 109), "ssor.f:109");
	arena_free(a);
	arena_free(NULL);
}

static void region_names_round_trip(void **state)
{
	(void)state;
	for (int t = 1; t <= REGION_DATA_STRUCTURE; t++) {
		const char *name = region_type_name(t), *sir = region_type_sir(t);

		if (strcmp(name, "UNKNOWN_REGION") != 0)
			assert_int_equal(region_type_from_name(name), t);
		if (sir)
			assert_int_equal(region_type_from_sir(sir), t);
	}
	assert_int_equal(region_type_from_sir("pipeline"), REGION_UNKNOWN);
}

static void json_text_is_escaped(void **state)
{
	struct buf b = BUF_INIT;
	uint32_t code = 0;

	(void)state;
	text_json(&b, "a\"\\\n\x01\x7f \xc3\xbc \xff\xc3");
	assert_string_equal(buf_str(&b), "\"a\\\"\\\\\\u000a\\u0001\\u007f \xc3\xbc \\ufffd\\ufffd\"");
	buf_clear(&b);
	text_json(&b, NULL);
	assert_string_equal(buf_str(&b), "null");
	assert_int_equal(text_utf8("\xc0\xaf", &code), 0);      /* overlong */
	assert_int_equal(text_utf8("\xe2\x82\xac", &code), 3);
	assert_int_equal(code, 0x20ac);
	buf_free(&b);
}

static void a_replaced_file_keeps_its_permissions(void **state)
{
	char path[] = "/tmp/psc-base-XXXXXX", text[8] = "";
	struct buf b = BUF_INIT;
	struct err err = { "" };
	struct stat before, after;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0640), 0);
	assert_int_equal(fstat(fd, &before), 0);
	buf_puts(&b, "new\n");
	assert_int_equal(output_write(path, &b, &err), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_mode & 07777, 0640);
	assert_int_not_equal(before.st_ino, after.st_ino);      /* replaced, not overwritten */
	close(fd);
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof text - 1), 4);
	assert_string_equal(text, "new\n");
	close(fd);
	unlink(path);
	assert_int_equal(output_write("/nowhere/at/all", &b, &err), -1);
	assert_non_null(strstr(err.text, "/nowhere/at/all: No such file"));
	buf_free(&b);
}

static void data_of_a_build_tree_are_the_sources(void **state)
{
	char path[4096];

	(void)state;
	snprintf(path, sizeof path, "%s/properties/model.asl", place_data_dir());
	assert_int_equal(access(path, R_OK), 0);
	snprintf(path, sizeof path, "%s/base/data_dir.h", place_data_dir());
	assert_int_equal(access(path, R_OK), 0);
}

static void the_cache_directory_is_the_users_alone(void **state)
{
	char top[] = "/tmp/psc-test-XXXXXX", path[200], want[200];
	struct stat st;
	struct err err;

	(void)state;
	assert_non_null(mkdtemp(top));
	setenv("XDG_CACHE_HOME", top, 1);
	assert_int_equal(cache_dir_path("a", path, sizeof path, &err), 0);
	snprintf(want, sizeof want, "%s/periscope/a", top);
	assert_string_equal(path, want);
	assert_int_equal(cache_dir_make(path, &err), 0);
	assert_int_equal(cache_dir_make(path, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(cache_dir_path("a", path, 10, &err), -1);
	assert_non_null(strstr(err.text, "too long"));
	rmdir(want);
	snprintf(want, sizeof want, "%s/periscope", top);
	rmdir(want);
	rmdir(top);
	assert_int_equal(cache_dir_make("/dev/null/periscope", &err), -1);
	assert_non_null(strstr(err.text, "/dev/null/periscope: "));
	/* A relative path is none. */
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/home/somebody", 1);
	assert_int_equal(cache_dir_path("", path, sizeof path, &err), 0);
	assert_string_equal(path, "/home/somebody/.cache/periscope");
}

/* Where the processor can multiply and add at once, or is told that it can, as well. */
static void products_are_rounded_before_they_are_added(void **state)
{
	volatile double x = 1 + 0x1p-30, square = 1 + 0x1p-29;
	double a = x, b = square;

	(void)state;
	assert_true(a * a - b == 0);
}

/* A loop on line 300: a load of 8 bytes that moves by -16, and three stores of 4 bytes, 8 apart, behind
 * a load of 8. */
static const unsigned char packed[] = { 0xac, 2, 2, 7 << 2 | PSC_WORK_CALLS, 12, 32, 48, 8,
	PSC_LOAD << 1, 31, 8,
	PSC_PACKED_MANY | PSC_PACKED_TAIL | PSC_PACKED_STEP, 4, 0 << 2 | PSC_LOAD, 0,
	2 << 2 | PSC_RUN_SIZE | PSC_STORE, 4, 0, 8 };

static void packed_descriptors_say_what_plain_ones_say(void **state)
{
	_Alignas(8) uint32_t out[32];
	struct psc_segment want = { .nwords = 3, .ngroups = 2, .naccess = 5, .length = 10,
		.line = 300, .work = { .statements = 7, .throughput = 12, .carried = 32, .chain = 48,
		.mispredicts = 8, .flags = PSC_WORK_CALLS } };
	const uint32_t head = sizeof want / sizeof *out;
	const uint32_t groups[] = { (uint32_t)-16, 8 << 2 | PSC_LOAD,
		(uint32_t)PSC_STEP_WORD, PSC_GROUP_MANY | PSC_GROUP_TAIL | 28 << 8 | 4, 1 << 16 | 8,
		3 << 16 | 12, 0 << 16 | 8 << 2 | PSC_LOAD, 8 << 16 | 4 << 2 | PSC_STORE,
		16 << 16 | 4 << 2 | PSC_STORE, 24 << 16 | 4 << 2 | PSC_STORE };

	(void)state;
	assert_int_equal(tables_segment(packed, packed + sizeof packed, PSC_REC_PACKED | PSC_REC_LOOP, out, 32), head + 12);
	assert_memory_equal(out, &want, sizeof want);
	assert_memory_equal(out + head, groups, sizeof groups);
	assert_true(out[head + 10] == 0 && out[head + 11] == 0);        /* without lines */
}

static void a_packed_descriptor_that_is_cut_or_does_not_fit_is_none(void **state)
{
	_Alignas(8) uint32_t out[32];
	unsigned char many[sizeof packed];

	(void)state;
	for (size_t n = 0; n < sizeof packed; n++)
		assert_int_equal(tables_segment(packed, packed + n, PSC_REC_LOOP, out, 32), 0);
	for (uint32_t max = 3; max < sizeof(struct psc_segment) / sizeof *out + 12; max++)
		assert_int_equal(tables_segment(packed, packed + sizeof packed, PSC_REC_LOOP, out, max), 0);
	memcpy(many, packed, sizeof packed);
	many[12] = 3;   /* a run of three leaves the group */
	assert_int_equal(tables_segment(many, many + sizeof many, PSC_REC_LOOP, out, 32), 0);
}

static void a_packed_descriptor_gives_the_line_of_each_group(void **state)
{
	/* Line 300; a load in line 302, a load in another file, a store in line 299. */
	static const unsigned char with_lines[] = { (300 & 0x7f) | 0x80, 300 >> 7, 3, 0,
		2 << 1, PSC_LOAD << 1, 8, ((2 * 302 - 1) & 0x7f) | 0x80, (2 * 302 - 1) >> 7, PSC_LOAD << 1, 4,
		((2 * 299) & 0x7f) | 0x80, (2 * 299) >> 7, PSC_STORE << 1, 2 };
	_Alignas(8) uint32_t out[32];
	const uint32_t head = sizeof(struct psc_segment) / sizeof *out;
	const uint32_t want[] = { 8 << 2 | PSC_LOAD, 4 << 2 | PSC_LOAD, 2 << 2 | PSC_STORE, 302, 0, 299 };

	(void)state;
	assert_int_equal(tables_segment(with_lines, with_lines + sizeof with_lines, PSC_REC_PACKED | PSC_REC_LINES, out,
		32), head + 6);
	assert_memory_equal(out + head, want, sizeof want);
	for (size_t n = 0; n < sizeof with_lines; n++)
		assert_int_equal(tables_segment(with_lines, with_lines + n, PSC_REC_PACKED | PSC_REC_LINES, out, 32), 0);
}

static void edit_distance_counts_swaps_as_one(void **state)
{
	(void)state;
	assert_int_equal(word_distance("MRIParPef", "MRIParPerf", 3), 1);
	assert_int_equal(word_distance("SeqPref", "SeqPerf", 3), 1);
	assert_int_equal(word_distance("seqperf", "SeqPerf", 3), 0);
	assert_int_equal(word_distance("", "abc", 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edit_distance_counts_swaps_as_one),
		cmocka_unit_test(packed_descriptors_say_what_plain_ones_say),
		cmocka_unit_test(a_packed_descriptor_gives_the_line_of_each_group),
		cmocka_unit_test(a_packed_descriptor_that_is_cut_or_does_not_fit_is_none),
		cmocka_unit_test(error_text_is_cut_not_overrun),
		cmocka_unit_test(context_goes_before_the_cause),
		cmocka_unit_test(wire_values_come_back),
		cmocka_unit_test(reading_past_the_end_fails_and_stays_failed),
		cmocka_unit_test(arena_blocks_are_zeroed_and_aligned),
		cmocka_unit_test(region_names_round_trip),
		cmocka_unit_test(json_text_is_escaped),
		cmocka_unit_test(a_replaced_file_keeps_its_permissions),
		cmocka_unit_test(data_of_a_build_tree_are_the_sources),
		cmocka_unit_test(the_cache_directory_is_the_users_alone),
		cmocka_unit_test(products_are_rounded_before_they_are_added),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
