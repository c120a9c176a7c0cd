/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled properties as bytes: they come back whole, and nothing else comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asl/code.h"
#include "asl/tools/tools.h"
#include "base/buf.h"
#include "tests/asl/failing_calloc.h"

static const char everything[] =
	"enum Kind { cold, warm };\n"
	"class Region { string name; Kind kind; };\n"
	"class Perf { Region region; float t [s]; float m [1]; int n; float a[] [1]; setof Perf subs; };\n"
	"class SubPerf extends Perf { bool extra; };\n"
	"class AppPerf { setof Perf all; };\n"
	"const float Limit = 0.5;\n"
	"float top(Perf p) = MAX(p.a[i] WHERE i IN p.n);\n"
	"PROPERTY P(Perf p, Region Basis) {\n"
	"LET float best = top(p); Region r = p.n > 1 ? p.region : UNIQUE(p.subs).region; IN\n"
	"CONDITION: (big) best > Limit OR NOT EXISTS(x IN p.subs WITH x.m > 1) AND r.name == \"x\";\n"
	"CONFIDENCE: coverage(p.m); SEVERITY: MAX((big) -> p.t, p.t * STDEV(x.m WHERE x IN p.subs));\n"
	"ADVICE: \"{r.name} {r.kind} {best %}\"; }\n"
	"PROPERTY Q(SubPerf p) REFINES P { CONDITION: p.extra AND p.m > 1; CONFIDENCE: 1; SEVERITY: p.t; }\n"
	"PROPERTY W(AppPerf a) { CONDITION: MAX(x.t WHERE x IN a.all AND top(x) > 2) > 0;\n"
	"CONFIDENCE: 1; SEVERITY: AVG(x.t WHERE x IN a.all); }\n";

static struct asl_program *compile(void)
{
	const struct asl_source source = { "test", everything, strlen(everything) };
	struct asl_program *p = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);

	assert_non_null(p);
	p->max_steps = 10000;
	return p;
}

/* --- an environment of anything --- */
static unsigned seed;

static void any_attr(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	const struct asl_program *p = arg;
	struct asl_attr_type type;
	unsigned r;

	(void)index;
	assert_true(cls >= 0 && cls < (int)asl_nclasses(p) && attr < asl_nattrs(p, cls));
	seed = seed * 1103515245 + 12345;
	r = seed >> 16;
	asl_attr_type(p, cls, attr, &type);
	memset(out, 0, sizeof *out);
	out->type = r % 13 ? type.type : r % 9;
	out->cls = type.cls;
	out->samples = r % 5;
	out->coverage = r % 5 * 0.25;
	switch (out->type) {
	case ASL_FLOAT: out->v.f = r % 7 ? r % 90 * 0.1 : r % 2 ? NAN : INFINITY; break;
	case ASL_STRING: out->v.s = "x"; break;
	case ASL_OBJECT: out->v.object = (void *)(uintptr_t)object; break;
	case ASL_SET: out->v.set.n = r % 4; break;
	case ASL_BOOL: out->v.b = r & 1; break;
	default: out->v.i = r % 5;
	}
}

static void any_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)arg;
	(void)i;
	*out = (struct asl_value){ .type = ASL_OBJECT, .cls = set->cls, .v.object = &seed };
}

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

/* Evaluates each property of a; of b as well, if there is one: how many verdicts differ. */
static int evaluate(const struct asl_program *a, const struct asl_program *b, int times)
{
	struct asl_env env = { .attr = any_attr, .element = any_element };
	void *objects[MAX_OBJ];
	int different = 0;

	for (int i = 0; i < MAX_OBJ; i++)
		objects[i] = &seed;
	for (int i = 0; i < times; i++)
		for (size_t k = 0; k < asl_nproperties(a); k++) {
			struct asl_verdict v, w;
			unsigned before;

			seed = (unsigned)i * 977 + 5;
			before = seed;
			env.arg = (void *)(uintptr_t)a;
			asl_evaluate(a, k, &env, objects, &v);
			if (!b)
				continue;
			seed = before;
			env.arg = (void *)(uintptr_t)b;
			asl_evaluate(b, k, &env, objects, &w);
			different += v.holds != w.holds || !same(v.severity, w.severity)
				|| !same(v.confidence, w.confidence) || strcmp(v.advice, w.advice)
				|| strcmp(v.undecided, w.undecided);
		}
	return different;
}

static char *dumped(const struct asl_program *p)
{
	size_t n;
	char *s = NULL;
	FILE *f = open_memstream(&s, &n);

	assert_non_null(f);
	aslc_disassemble(p, f);
	fclose(f);
	return s;
}

static struct buf image_of(const struct asl_program *p)
{
	struct buf b = BUF_INIT;

	asl_image_write(p, &b);
	assert_false(b.failed);
	return b;
}

/* --- tests --- */
static void a_program_comes_back_whole(void **state)
{
	struct asl_program *p = compile(), *q;
	struct buf image = image_of(p), again;
	char *a = dumped(p), *b;
	struct err err = { "" };

	(void)state;
	q = asl_image_read(image.data, image.len, &err);
	assert_string_equal(err.text, "");
	assert_non_null(q);
	b = dumped(q);
	assert_string_equal(a, b);
	again = image_of(q);
	assert_int_equal(again.len, image.len);
	assert_memory_equal(again.data, image.data, image.len);
	assert_string_equal(asl_property(q, 1)->file, "test");
	assert_int_equal(asl_property(q, 0)->basis, 1);
	assert_int_equal(asl_property(q, 1)->parents[0], 0);
	assert_int_equal(asl_class_find(q, "SubPerf"), 2);
	assert_true(asl_class_is(q, 2, 1));
	assert_int_equal(evaluate(p, q, 2000), 0);
	free(a);
	free(b);
	buf_free(&image);
	buf_free(&again);
	asl_free(p);
	asl_free(q);
}

static void what_is_cut_or_longer_is_refused(void **state)
{
	struct asl_program *p = compile();
	struct buf image = image_of(p);
	struct err err;

	(void)state;
	for (size_t n = 0; n < image.len; n++) {
		char *cut = malloc(n ? n : 1);

		assert_non_null(cut);
		memcpy(cut, image.data, n);
		assert_null(asl_image_read(cut, n, &err));
		if (n >= 12) {          /* with a length that fits */
			struct buf b = BUF_INIT;

			buf_u32(&b, (uint32_t)n - 12);
			memcpy(cut + 8, b.data, 4);
			buf_free(&b);
			assert_null(asl_image_read(cut, n, &err));
			assert_non_null(strstr(err.text, "byte "));
		}
		free(cut);
	}
	buf_u8(&image, 0);
	assert_null(asl_image_read(image.data, image.len, &err));
	assert_string_equal(err.text, "cut off, or more than one image");
	image.data[4]++;
	assert_null(asl_image_read(image.data, image.len, &err));
	assert_string_equal(err.text, "compiled by another version of Periscope/C");
	image.data[0]++;
	assert_null(asl_image_read(image.data, image.len, &err));
	assert_string_equal(err.text, "not compiled properties");
	buf_free(&image);
	asl_free(p);
}

static void a_changed_byte_is_refused_or_harmless(void **state)
{
	static const unsigned char changes[] = { 0x01, 0x80, 0xff, 0x20, 0x07 };
	struct asl_program *p = compile(), *q;
	struct buf image = image_of(p);
	int refused = 0, read = 0;
	struct err err;

	(void)state;
	for (size_t at = 0; at < image.len; at++)
		for (size_t k = 0; k < sizeof changes; k++) {
			image.data[at] = (char)(image.data[at] ^ changes[k]);
			q = asl_image_read(image.data, image.len, &err);
			if (q) {
				char *s = dumped(q);

				q->max_steps = 1000;
				evaluate(q, NULL, 2);
				free(s);
				read++;
			} else {
				refused++;
			}
			asl_free(q);
			image.data[at] = (char)(image.data[at] ^ changes[k]);
		}
	assert_true(refused > 1000 && read > 1000);
	buf_free(&image);
	asl_free(p);
}

/* Each way to break a program that a reader must know, and what it says. */
static void refused(struct asl_program *p, const char *want)
{
	struct buf image = image_of(p);
	struct err err = { "" };

	assert_null(asl_image_read(image.data, image.len, &err));
	if (!strstr(err.text, want))
		fail_msg("'%s', not '%s'", err.text, want);
	buf_free(&image);
}

static void broken_programs_are_refused(void **state)
{
	struct asl_program *p = compile();
	int *parents = (int *)(uintptr_t)p->props[1].pub.parents;
	int *params = (int *)(uintptr_t)p->props[0].pub.param_class;
	struct part *part = p->props[2].parts;

	(void)state;
#define BREAK(place, with, want) do { \
		const __typeof__(place) was = place; \
		place = with; \
		refused(p, want); \
		place = was; \
	} while (0)
	BREAK(p->classes[1].base, 1, "a class extends itself");
	BREAK(p->classes[1].base, 2, "a class extends itself");
	BREAK(p->classes[2].base, 5, "no such base class");
	BREAK(p->classes[2].base, -2, "no such base class");
	BREAK(p->classes[0].base, 1, "has not what it inherits");
	BREAK(p->classes[2].attrs[1].kind, K_INT, "has not what it inherits");
	BREAK(p->classes[2].attrs[0].kind, K_RANGE, "no such kind");
	BREAK(p->classes[1].attrs[0].ref, 77, "no such class or enumeration");
	BREAK(parents[0], 1, "a property refines itself");
	BREAK(parents[0], 3, "no such property");
	BREAK(params[0], 9, "no such class");
	BREAK(params[0], 2, "parameter 0 has another class");
	BREAK(p->props[0].pub.basis, 2, "no such parameter");
	BREAK(p->props[0].pub.nparams, 0, "no such parameter");
	BREAK(p->reads[0].attr, 99, "no such attribute");
	BREAK(p->props[0].where[3].file, 1, "no such file");
	BREAK(p->props[0].nnum, MAX_NUM + 1, "code of 'P': frame is too large");
	BREAK(p->props[0].insn[0].a, 9999, "code of 'P': instruction 0");
	BREAK(part->attr, 3, "code of 'W': part 0");
	BREAK(part->code.insn[0].op, OP_COUNT, "code of 'W': instruction 0");
	asl_free(p);
}

static void each_failing_allocation_is_survived(void **state)
{
	struct asl_program *p = compile(), *q = NULL;
	struct buf image = image_of(p);
	struct err err;

	(void)state;
	for (fail_at = 1; !q; fail_at++) {
		long before = live;

		allocations = 0;
		q = asl_image_read(image.data, image.len, &err);
		if (!q) {
			assert_string_equal(err.text, "out of memory");
			assert_int_equal(live, before);
		}
	}
	assert_true(fail_at > 3);
	fail_at = 0;
	asl_free(q);
	buf_free(&image);
	asl_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_comes_back_whole),
		cmocka_unit_test(what_is_cut_or_longer_is_refused),
		cmocka_unit_test(a_changed_byte_is_refused_or_harmless),
		cmocka_unit_test(broken_programs_are_refused),
		cmocka_unit_test(each_failing_allocation_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
