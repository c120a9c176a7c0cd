/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of ours fails once: each time an error comes back, and nothing leaks (which
 * --enable-sanitizers sees).  Libraries' own allocations are not touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/abi.h"
#include "tests/sir/support.h"

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);

static long countdown = -1;     /* -1: none fails */

static bool fails(void)
{
	return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

/* This program is instrumented, too. */
#define TEXT "<fragment source='t.c' language='C' dir='/d'><unit type='function' name='main' index='0'>" \
	"<position startLine='1' endLine='2'><file name='t.c'/></position></unit></fragment>"
static const struct {
	struct psc_sir_header h;
	char text[sizeof TEXT];
} fragment __attribute__((section("psc_sir"), used, aligned(8))) =
	{ { PSC_SIR_MAGIC, PSC_ABI_VERSION, sizeof TEXT - 1, 5 }, TEXT };

/* Two copies of a function with many loops, so that everything grows and merges. */
static char *large_document(void)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "<sir><source name='a' hash='1' dir='/d'/><source name='b' hash='2' dir='/d'/>");
	for (int u = 1; u <= 2; u++) {
		buf_printf(&b, "<unit type='function' name='f' hash='%d' index='0' hook='marker'>"
			"<position startLine='1' endLine='2'><file name='t.c'/></position>", u);
		for (int i = 1; i < 200; i++)
			buf_printf(&b, "<codeRegion type='loop' index='%d' hook='phase'>"
				"<position startLine='%d' endLine='%d'><file name='t.c'/></position>"
				"<array name='x%d'/><record type='t' size='8' members='2' used='0:4:a'/>"
				"<codeRegion type='call' name='f'/></codeRegion>",
				i, i / 2, i, i % u);
		buf_puts(&b, "</unit>");
	}
	buf_puts(&b, "</sir>");
	return buf_take(&b);
}

static void sweep(struct sir *(*read)(const char *, struct err *), const char *what, long least)
{
	for (long n = 0;; n++) {
		struct err err = { "" };
		struct sir *s;
		bool done;

		countdown = n;
		s = read(what, &err);
		done = countdown >= 0;
		countdown = -1;
		if (done) {
			assert_non_null(s);
			sir_free(s);
			assert_true(n >= least);        /* the sweep did meet allocations */
			return;
		}
		assert_null(s);
		assert_non_null(strstr(err.text, "emory"));
	}
}

static struct sir *read_document(const char *text, struct err *err)
{
	return read_text(text, strlen(text), err);
}

static void reading_a_document_survives_every_failure(void **state)
{
	char *text = large_document();

	(void)state;
	sweep(read_document, text, 20);
	free(text);
}

static void reading_a_program_survives_every_failure(void **state)
{
	struct err err;
	struct sir *s = sir_read("/proc/self/exe", &err);

	(void)state;
	assert_non_null(s);
	assert_int_not_equal(sir_find_hook(s, fragment.h.hash, 0), SIR_NONE);
	sir_free(s);
	sweep(sir_read, "/proc/self/exe", 5);
}

static void choosing_a_phase_survives_every_failure(void **state)
{
	char *text = large_document();
	struct err err;
	struct sir *s = read_document(text, &err);
	static const char *const specs[] = { "t.c:1", "t.c:9999", "u.c:1", "t.c:50" };

	(void)state;
	assert_non_null(s);
	for (long n = 0; n < 10; n++)
		for (size_t i = 0; i < 5; i++) {
			struct buf choice = BUF_INIT;
			uint32_t region;
			int ret;

			countdown = n;
			ret = i < 4 ? sir_find_phase(s, specs[i], &region, &choice, &err)
				: sir_guess_phase(s, &region, &choice, &err);
			countdown = -1;
			assert_true(ret == 0 || strlen(err.text) > 0);
			buf_free(&choice);
		}
	sir_free(s);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_a_document_survives_every_failure),
		cmocka_unit_test(reading_a_program_survives_every_failure),
		cmocka_unit_test(choosing_a_phase_survives_every_failure),
	};

	return cmocka_run_group_tests_name("sir alloc", tests, NULL, NULL);
}
