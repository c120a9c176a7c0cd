/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of reading, compiling and formatting property files fails once: an
 * answer comes all the same, somebody is told, and nothing is lost.  The arenas' own functions are
 * wrapped at link time beside malloc and its kin, so that each piece of an arena counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asl/asl.h"
#include "asl/tools/tools.h"
#include "base/arena.h"
#include "base/buf.h"

/* --- allocations: counted, number fail_at fails --- */
static long count, fail_at, live;

static bool fails(void)
{
	return ++count == fail_at;
}

void *__real_calloc(size_t n, size_t size);
void *__real_malloc(size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

static void *counted(void *p)
{
	live += p != NULL;
	return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_realloc(void *p, size_t size)
{
	void *new = fails() ? NULL : __real_realloc(p, size);

	live += new && !p;
	return new;
}

void __wrap_free(void *p)
{
	live -= p != NULL;
	__real_free(p);
}

void *__real_arena_alloc(struct arena *a, size_t size);
void *__real_arena_array(struct arena *a, size_t nmemb, size_t size);
void *__real_arena_grow(struct arena *a, const void *old, size_t old_size, size_t size);
char *__real_arena_strdup(struct arena *a, const char *s);
char *__real_arena_strndup(struct arena *a, const char *s, size_t n);
void *__wrap_arena_alloc(struct arena *a, size_t size);
void *__wrap_arena_array(struct arena *a, size_t nmemb, size_t size);
void *__wrap_arena_grow(struct arena *a, const void *old, size_t old_size, size_t size);
char *__wrap_arena_strdup(struct arena *a, const char *s);
char *__wrap_arena_strndup(struct arena *a, const char *s, size_t n);
char *__wrap_arena_printf(struct arena *a, const char *fmt, ...) PSC_PRINTF(2, 3);

void *__wrap_arena_alloc(struct arena *a, size_t size)
{
	return fails() ? NULL : __real_arena_alloc(a, size);
}

void *__wrap_arena_array(struct arena *a, size_t nmemb, size_t size)
{
	return fails() ? NULL : __real_arena_array(a, nmemb, size);
}

void *__wrap_arena_grow(struct arena *a, const void *old, size_t old_size, size_t size)
{
	return fails() ? NULL : __real_arena_grow(a, old, old_size, size);
}

char *__wrap_arena_strdup(struct arena *a, const char *s)
{
	return fails() ? NULL : __real_arena_strdup(a, s);
}

char *__wrap_arena_strndup(struct arena *a, const char *s, size_t n)
{
	return fails() ? NULL : __real_arena_strndup(a, s, n);
}

char *__wrap_arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char text[2048];

	if (fails())
		return NULL;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return __real_arena_strdup(a, text);
}

/* --- files with everything in them --- */
static char dir[] = "/tmp/psc-memory-XXXXXX";

static const char lib_asl[] =
	"// A library.\n"
	"enum Kind { cold, warm };\n"
	"class Region { string name; Kind kind; };\n"
	"class Perf { Region region; float t [s]; float m [1]; int n; float a[] [1]; setof Perf subs; };\n"
	"const float Limit;\n"
	"const Kind Wanted = cold;\n";

static const char main_asl[] =
	"// Everything.\n\n"
	"include \"lib.asl\"; /* first */\n"
	"float at(Perf p, int i) = p.a[i];\n"
	"float top(float F(Perf, int), Perf p) = MAX(F(p, i) WHERE i IN p.n);\n"
	"setof Perf warm_ones(Perf p) = {x IN p.subs WITH x.region.kind == Wanted};\n"
	"float sure(float x) = coverage(x) * (samples(x) > 30 ? 1 : 0.5);\n"
	"PROPERTY TEMPLATE T <float F(Perf, int)> (Perf p) {\n"
	"LET const float w; float best = top(F, p); setof Perf ws = warm_ones(p);\n"
	"Region r = p.n > 1 ? p.region : UNIQUE(ws).region; string s = r.name; IN\n"
	"CONDITION: (big) best > Limit OR (odd) s == \"x\" OR NOT EXISTS(x IN ws WITH x.m > 1);\n"
	"CONFIDENCE: MAX((big) -> sure(best), (odd) -> 0.5);\n"
	"SEVERITY: MAX((big) -> w * p.t, (odd) -> p.t * STDEV(x.m WHERE x IN ws AND x.n > 0));\n"
	"ADVICE: \"{s} {r.kind} {best %} {p.t} {AVG(x.m WHERE x IN p.subs)} {MIN(p.m, 3)}\"; }\n"
	"PROPERTY T<at> P;\n"
	"PROPERTY Q(Perf p) REFINES P { LET float unused = 1; IN CONDITION: p.m / p.n > 1;\n"
	"CONFIDENCE: 2; SEVERITY: COUNT(x WHERE x IN p.subs); }\n";

static const char bad_asl[] =
	"include \"lib.asl\"; include \"lib.asl\"; include \"none.asl\"; include \"bad.asl\";\n"
	"float f(Perf p) = p.tt + g(p) + (1;\nfloat h(Perf p) = p.nn + Limt + f(p) + && 3 \"a\n"
	"class Perf { Regio r; float x [s]; };\nfloat k(Perf p) = k(p) + p.region.nam;\n"
	"PROPERTY R(Perf p) REFINES S { LET const float open; IN CONDITION: (a) p.m > p.t; CONFIDENCE: (b) -> 1; SEVERITY: q; }\n";

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int make_files(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	write_file("lib.asl", lib_asl);
	write_file("lib.conf", "Limit = 0.5 # of all\n");
	write_file("main.asl", main_asl);
	write_file("main.conf", "T.w = 3\nP.w = 2\n");
	write_file("bad.asl", bad_asl);
	write_file("ring.asl", "include \"lib.asl\"; include \"ring.asl\";\n");
	write_file("bad2.asl", "float x = 1;\n");
	write_file("bad2.conf", "x 3\nx = 3\n");
	return 0;
}

static int remove_files(void **state)
{
	static const char *const names[] = { "lib.asl", "lib.conf", "main.asl", "main.conf", "bad.asl",
		"ring.asl", "bad2.asl", "bad2.conf" };
	char path[256];

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		unlink(path);
	}
	return rmdir(dir);
}

static void take(void *arg, const struct asl_diag *diag)
{
	*(int *)arg += diag->severity == ASL_ERROR;
}

/* --- what is done: true where it succeeded; messages are counted --- */
static bool load(const char *name, int *errors)
{
	const struct asl_setting settings[] = { { "Wanted", "warm", "--set" } };
	char path[256];
	const char *const paths[] = { path }, *const dirs[] = { dir, "/nowhere", NULL };
	struct asl_program *p;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	p = asl_load(paths, 1, dirs, settings, strcmp(name, "main.asl") == 0, take, errors);
	asl_free(p);
	return p != NULL;
}

static bool load_good(int *errors)
{
	return load("main.asl", errors);
}

static bool load_bad(int *errors)
{
	return load("bad.asl", errors);
}

static bool load_ring(int *errors)
{
	return load("ring.asl", errors);
}

static bool load_bad_conf(int *errors)
{
	return load("bad2.asl", errors);
}

static bool format(int *errors)
{
	const struct asl_source source = { "main.asl", main_asl, strlen(main_asl) };
	struct buf out = BUF_INIT;
	int rc = aslc_format(&source, take, errors, &out);
	bool done = rc == 0 && !out.failed;

	*errors += rc == 0 && out.failed;       /* that is how it tells */
	buf_free(&out);
	return done;
}

/* The real errors are expected when nothing failed. */
static void sweep(bool (*work)(int *errors), bool good, long at_least)
{
	long failures = 0;
	int errors;

	for (fail_at = 1; ; fail_at++) {
		long before = live;
		bool done;

		count = 0;
		errors = 0;
		done = work(&errors);
		assert_int_equal(live, before);
		if (count < fail_at) {
			fail_at = 0;
			assert_int_equal(done, good);
			assert_int_equal(errors == 0, good);
			break;
		}
		if (done || !errors) {
			long at = fail_at;

			fail_at = 0;
			fail_msg("allocation %ld failed: %s, %d errors told", at,
				done ? "done all the same" : "not done", errors);
		}
		failures++;
	}
	assert_true(failures >= at_least);
}

static void loading_survives_each(void **state)
{
	(void)state;
	sweep(load_good, true, 500);
}

static void telling_errors_survives_each(void **state)
{
	(void)state;
	sweep(load_bad, false, 300);
	sweep(load_ring, false, 50);
	sweep(load_bad_conf, false, 10);
}

static void formatting_survives_each(void **state)
{
	(void)state;
	sweep(format, true, 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loading_survives_each),
		cmocka_unit_test(telling_errors_survives_each),
		cmocka_unit_test(formatting_survives_each),
	};

	return cmocka_run_group_tests_name("memory", tests, make_files, remove_files);
}
