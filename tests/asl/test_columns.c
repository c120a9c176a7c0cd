/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluation of many contexts at once says what evaluation of each says. */
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

#define N 700

static const char model[] =
	"enum Kind { cold, warm };\n"
	"class Region { string name; Kind kind; };\n"
	"class Perf { Region region; float t; float m; int n; float a[]; setof Perf subs;\n"
	"Perf next; bool hot; };\n"
	"class AppPerf { setof Perf subs; };\n"
	"class SubPerf extends Perf { float extra; };\n"
	"float at(Perf p, int i) = p.a[i];\n"
	"float top(float F(Perf, int), Perf p) = MAX(F(p, i) WHERE i IN p.n);\n"
	"setof Perf warm_ones(Perf p) = {x IN p.subs WITH x.region.kind == warm};\n";

static const char properties[] =
	"PROPERTY Straight(Perf p) { CONDITION: (a) p.m / p.t > 1 OR p.m > 3 OR (c) p.hot AND NOT p.n <= 2;\n"
	"CONFIDENCE: MAX((a) -> 0.9, (c) -> p.m); SEVERITY: MAX((a) -> p.t, (c) -> 2 * p.t, p.m); }\n"
	"PROPERTY Never(Perf p) { CONDITION: p.m > 1000; CONFIDENCE: 1; SEVERITY: p.t; }\n"
	"PROPERTY Sampled(Perf p) { CONDITION: samples(p.m) > 2 AND p.m > 0; CONFIDENCE: coverage(p.m);\n"
	"SEVERITY: -p.t; }\n"
	"PROPERTY Ranges(Perf p) { LET float best = top(at, p); IN CONDITION: best > 2;\n"
	"CONFIDENCE: 1; SEVERITY: best * p.t + AVG(p.a[i] WHERE i IN p.n AND p.a[i] > 0); }\n"
	"PROPERTY Sets(Perf p) { LET setof Perf ws = warm_ones(p); IN\n"
	"CONDITION: (big) SUM(x.m WHERE x IN ws) > 1 OR EXISTS(x IN p.subs WITH x.m > p.m);\n"
	"CONFIDENCE: 1; SEVERITY: MAX((big) -> STDEV(x.m WHERE x IN p.subs), p.t); }\n"
	"PROPERTY Objects(Perf p) { LET Perf q = p.n > 1 ? p.next : UNIQUE(p.subs); string s = q.region.name; IN\n"
	"CONDITION: s == \"x\" AND q.region != p.region OR q == p.next AND p.m > 0; CONFIDENCE: 1; SEVERITY: q.next.next.t; }\n"
	"PROPERTY Others(Perf p, Perf q, Region r) { CONDITION: p.m > q.m AND p.region != r; CONFIDENCE: 1;\n"
	"SEVERITY: q.t * COUNT(i WHERE i IN q.n AND q.a[i] > p.m); }\n"
	"PROPERTY Nested(Perf p) { CONDITION: SUM(SUM(p.a[i] * x.m WHERE i IN x.n) WHERE x IN p.subs) > 0;\n"
	"CONFIDENCE: p.m; SEVERITY: MAX(MIN(p.a[i + k] WHERE k IN p.n) WHERE i IN p.n);\n"
	"ADVICE: \"{SUM(x.m WHERE x IN p.subs)} {SUM(SUM(p.a[i] WHERE i IN x.n) WHERE x IN p.subs)}\"; }\n"
	"PROPERTY Whole(AppPerf p) { CONDITION: SUM(x.m WHERE x IN p.subs) > 0; CONFIDENCE: 1;\n"
	"SEVERITY: MAX(x.t WHERE x IN p.subs AND x.hot); }\n";

/* --- an environment that gives the same answer to the same question, of any type --- */
static unsigned char objects[N + 1];
static bool scratch_only;       /* numbers() without memory of its own */
static double columns[16][N];
static int asked_columns;

static unsigned hash(const void *object, unsigned attr, int64_t index)
{
	uint64_t h = (uint64_t)((const unsigned char *)object - objects);

	h = (h * 64 + attr) * 1000003 + (uint64_t)(index + 1);
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 32) * 0x94d049bb133111ebu;
	return (unsigned)(h >> 33);
}

static void *some_object(unsigned r)
{
	return r % 7 ? &objects[r % N] : NULL;
}

static void answer(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	struct asl_program *p = arg;
	unsigned r = hash(object, (unsigned)attr, index), k = r >> 8;
	struct asl_attr_type type;

	asl_attr_type(p, cls, attr, &type);
	memset(out, 0, sizeof *out);
	out->type = r % 11 ? type.type : r / 11 % 9;
	out->cls = type.cls;
	out->samples = k % 3 ? k % 9 : 0;
	out->coverage = k % 4 ? k % 4 * 0.25 : 0;
	switch (out->type) {
	case ASL_BOOL: out->v.b = k & 1; break;
	case ASL_FLOAT: out->v.f = k % 13 == 0 ? INFINITY : k % 13 == 1 ? NAN : (k % 41) * 0.25 - 3; break;
	case ASL_STRING: out->v.s = k & 1 ? "x" : "y"; break;
	case ASL_OBJECT:
		out->v.object = some_object(k);
		if (type.cls == asl_class_find(p, "Perf") && k % 3 == 0)
			out->cls = asl_class_find(p, "SubPerf");
		break;
	case ASL_SET:
		out->v.set.handle = (void *)(uintptr_t)object;
		out->v.set.n = k % 5;
		break;
	default: out->v.i = (int64_t)(k % 6) - 1;
	}
}

static void member(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	unsigned r = hash(set->v.set.handle, 60, (int64_t)i);

	(void)arg;
	*out = (struct asl_value){ .type = r % 13 ? ASL_OBJECT : ASL_INT, .cls = set->cls,
		.v.object = some_object(r >> 8) };
}

static double number(void *arg, int cls, const void *object, int attr)
{
	struct asl_value v;

	answer(arg, cls, object, attr, -1, &v);
	return v.type == ASL_FLOAT ? v.v.f : v.type == ASL_BOOL ? v.v.b
		: v.type == ASL_INT || v.type == ASL_ENUM ? (double)v.v.i : NAN;
}

/* Some attributes it has not as columns. */
static const double *numbers(void *arg, int cls, void *const *o, size_t n, int attr, double *scratch)
{
	bool in_order = true;

	asked_columns++;
	if (attr % 5 == 4)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		assert_non_null(o[i]);
		in_order &= o[i] == (const unsigned char *)o[0] + i;
		scratch[i] = number(arg, cls, o[i], attr);
	}
	if (scratch_only || !in_order)
		return scratch;
	o = (void *const *)o[0];
	return columns[attr] + ((const unsigned char *)o - objects);
}

static struct asl_program *compile(void)
{
	const struct asl_source sources[] = {
		{ "model", model, strlen(model) }, { "properties", properties, strlen(properties) } };
	struct asl_program *p = asl_compile(sources, 2, NULL, 0, asl_diag_print, stderr);
	int cls;

	assert_non_null(p);
	cls = asl_class_find(p, "Perf");
	for (int a = 0; a < asl_nattrs(p, cls); a++)
		for (size_t i = 0; i < N; i++)
			columns[a][i] = number(p, cls, &objects[i], a);
	return p;
}

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

static int compare(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *contexts, size_t n, int seen[3])
{
	void *others[2] = { &objects[5], &objects[N] };
	static uint8_t holds[N];
	static double severity[N], confidence[N], measure[N];
	static uint64_t alternatives[N];
	const struct asl_columns out = { holds, severity, confidence, measure, alternatives };
	int different = 0;

	asl_evaluate_all(p, property, env, contexts, n, others, &out);
	for (size_t i = 0; i < n; i++) {
		void *all[3] = { contexts[i], others[0], others[1] };
		struct asl_verdict v;

		asl_evaluate(p, property, env, all, &v);
		different += v.holds != holds[i] || !same(v.severity, severity[i])
			|| !same(v.confidence, confidence[i]) || !same(v.measure, measure[i])
			|| v.alternatives != alternatives[i];
		seen[v.holds]++;
	}
	return different;
}

static void all_at_once_say_what_each_says(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 7, 8, 255, 256, 257, N };
	struct asl_program *p = compile();
	struct asl_env env = { .attr = answer, .element = member, .arg = p };
	void *contexts[N];

	(void)state;
	for (int order = 0; order < 3; order++)
		for (size_t prop = 0; prop < asl_nproperties(p); prop++) {
			int seen[3] = { 0 };

			for (size_t i = 0; i < N; i++)
				contexts[i] = order == 2 && i % 50 == 49 ? NULL
					: &objects[order ? i * 37 % N : i];
			for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
				for (int with = 0; with < 3; with++) {
					env.numbers = with ? numbers : NULL;
					scratch_only = with == 1;
					assert_int_equal(compare(p, prop, &env, contexts, sizes[k], seen), 0);
				}
			assert_true(seen[ASL_UNDECIDED] > 100 && seen[ASL_FALSE] > 100);
			assert_true(seen[ASL_TRUE] > 100 || !strcmp(asl_property(p, prop)->name, "Never"));
		}
	assert_true(asked_columns > 100);
	asl_free(p);
}

/* A bound so low that some contexts exceed it, before and after it is known whether they hold. */
static void steps_are_counted_for_each_context(void **state)
{
	struct asl_program *p = compile();
	struct asl_env env = { .attr = answer, .element = member, .arg = p, .numbers = numbers };
	void *contexts[N];
	int over = 0, fine = 0;

	(void)state;
	for (size_t i = 0; i < N; i++)
		contexts[i] = &objects[i];
	for (p->max_steps = 0; p->max_steps < 200; p->max_steps += 11)
		for (size_t prop = 0; prop < asl_nproperties(p); prop++) {
			int seen[3] = { 0 };

			assert_int_equal(compare(p, prop, &env, contexts, N, seen), 0);
			for (size_t i = 0; i < N; i++) {
				void *all[3] = { contexts[i], &objects[5], &objects[N] };
				struct asl_verdict v;

				asl_evaluate(p, prop, &env, all, &v);
				over += strstr(v.undecided, "steps") != NULL;
				fine += v.holds == ASL_TRUE;
			}
		}
	assert_true(over > 1000 && fine > 1000);
	asl_free(p);
}

static void columns_not_wanted_are_left_out(void **state)
{
	struct asl_program *p = compile();
	struct asl_env env = { .attr = answer, .element = member, .arg = p };
	void *contexts[N], *others[2] = { &objects[5], &objects[N] };
	uint8_t all[N], holds[N];
	double severity[N], a[N], b[N];
	uint64_t alternatives[N];
	const struct asl_columns whole = { all, a, severity, b, alternatives };

	(void)state;
	for (size_t i = 0; i < N; i++)
		contexts[i] = &objects[i];
	for (size_t prop = 0; prop < asl_nproperties(p); prop++) {
		const struct asl_columns one = { .holds = holds }, two = { .severity = b }, none = { 0 };

		asl_evaluate_all(p, prop, &env, contexts, N, others, &whole);
		asl_evaluate_all(p, prop, &env, contexts, N, others, &one);
		assert_memory_equal(all, holds, N);
		asl_evaluate_all(p, prop, &env, contexts, N, others, &two);
		for (size_t i = 0; i < N; i++)
			assert_true(same(a[i], b[i]));
		asl_evaluate_all(p, prop, &env, contexts, N, others, &none);
	}
	asl_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_at_once_say_what_each_says),
		cmocka_unit_test(steps_are_counted_for_each_context),
		cmocka_unit_test(columns_not_wanted_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
