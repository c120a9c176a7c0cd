/* SPDX-License-Identifier: BSD-3-Clause */
/* What text cases cannot show: tokens, broken code, failing memory, strange environments.
 * calloc and free are wrapped at link time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asl/ast.h"
#include "asl/parse.h"
#include "tests/asl/failing_calloc.h"

/* --- a program with everything in it --- */
static const char everything[] =
	"enum Kind { cold, warm };\n"
	"class Region { string name; Kind kind; };\n"
	"class Perf { Region region; float t [s]; float m [1]; int n; float a[] [1]; setof Perf subs; };\n"
	"const float Limit = 0.5;\n"
	"float at(Perf p, int i) = p.a[i];\n"
	"float top(float F(Perf, int), Perf p) = MAX(F(p, i) WHERE i IN p.n);\n"
	"setof Perf warm_ones(Perf p) = {x IN p.subs WITH x.region.kind == warm};\n"
	"PROPERTY TEMPLATE T <float F(Perf, int)> (Perf p) {\n"
	"LET const float w = 2; float best = top(F, p); setof Perf ws = warm_ones(p);\n"
	"Region r = p.n > 1 ? p.region : UNIQUE(ws).region; string s = r.name; IN\n"
	"CONDITION: (big) best > Limit OR (odd) s == \"x\" OR NOT EXISTS(x IN ws WITH x.m > 1);\n"
	"CONFIDENCE: MAX((big) -> coverage(p.m), (odd) -> 0.5);\n"
	"SEVERITY: MAX((big) -> w * p.t, (odd) -> p.t * STDEV(x.m WHERE x IN ws AND x.n > 0));\n"
	"ADVICE: \"{s} {r.kind} {best %} {p.t} {AVG(x.m WHERE x IN p.subs)} {MIN(p.m, 3)}\"; }\n"
	"PROPERTY T<at> P;\n"
	"PROPERTY Q(Perf p) REFINES P { CONDITION: samples(p.m) > 1 AND p.m / p.n > 1;\n"
	"CONFIDENCE: 1; SEVERITY: COUNT(x WHERE x IN p.subs) + UNIQUE({i IN p.n WITH p.a[i] > 1}); }\n"
	"class AppPerf { int n; setof Perf all; };\n"
	"setof Perf big(setof Perf ps, float limit) = {x IN ps WITH top(at, x) > limit};\n"
	"PROPERTY W(AppPerf a) REFINES Q { LET setof Perf ws = big(a.all, 2 * Limit);\n"
	"float mean = AVG(x.t WHERE x IN ws); IN\n"
	"CONDITION: (m) MAX(x.t WHERE x IN ws) > mean OR EXISTS(x IN big(ws, 1) WITH x.region.name == \"x\");\n"
	"CONFIDENCE: MIN(coverage(x.m) WHERE x IN a.all); SEVERITY: MAX((m) -> STDEV(x.t WHERE x IN ws), 0);\n"
	"ADVICE: \"{mean} of {a.n} {COUNT(x WHERE x IN a.all AND FORALL(y IN x.subs WITH y.m > 1))}\"; }\n";

static void count_diag(void *arg, const struct asl_diag *diag)
{
	(void)diag;
	++*(int *)arg;
}

static struct asl_program *compile_text(const char *text, int *diags)
{
	struct asl_source source = { "test", text, strlen(text) };

	*diags = 0;
	return asl_compile(NULL, &source, 1, NULL, 0, count_diag, diags);
}

/* --- an environment that answers anything --- */
struct answers {
	struct asl_value value;
	unsigned seed;
	int calls;
};

static void any_attr(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	struct answers *a = arg;

	(void)cls;
	(void)object;
	(void)attr;
	(void)index;
	a->calls++;
	*out = a->value;
}

static void any_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)set;
	(void)i;
	any_attr(arg, 0, NULL, 0, 0, out);
}

static void random_attr(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	struct answers *a = arg;
	unsigned r;

	(void)attr;
	(void)index;
	(void)cls;
	a->seed = a->seed * 1103515245 + 12345;
	r = a->seed >> 16;
	memset(out, 0, sizeof *out);
	out->type = r % 9;      /* 8 is no type */
	out->cls = (int)(r / 9 % 5) - 1;
	switch (out->type) {
	case ASL_BOOL:
		out->v.b = r & 1;
		break;
	case ASL_FLOAT:
		out->v.f = r % 3 ? r % 7 : r % 2 ? NAN : INFINITY;
		break;
	case ASL_STRING:
		out->v.s = "x";
		break;
	case ASL_OBJECT:
		out->v.object = r % 5 ? (void *)(uintptr_t)object : NULL;
		break;
	case ASL_SET:
		out->v.set.n = r % 4;
		break;
	default:
		out->v.i = (int64_t)(r % 100) - 50;
	}
}

static void random_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	random_attr(arg, 0, set, 0, (int64_t)i, out);
}

/* --- tests --- */
static void words_are_keywords_only_where_they_stand_for_one(void **state)
{
	static const char text[] = "max, MAX( x.max( float max( CONDITION condition: a->b >= .5e1";
	static const int kinds[] = { TOK_ID, ',', TOK_AGG, '(', TOK_ID, '.', TOK_ID, '(', TOK_ID, TOK_ID,
		'(', TOK_ID, TOK_CONDITION, ':', TOK_ID, TOK_ARROW, TOK_ID, TOK_GE, TOK_NUMBER, 0 };
	struct compile c = { .scratch = arena_new() };
	const struct token *t;
	size_t n;

	(void)state;
	assert_non_null(c.scratch);
	assert_int_equal(setjmp(c.nomem), 0);
	t = asl_lex(&c, text, strlen(text), (struct pos){ 0, 1, 1 }, &n);
	assert_int_equal(n + 1, sizeof kinds / sizeof *kinds);
	for (size_t i = 0; i <= n; i++)
		assert_int_equal(t[i].kind, kinds[i]);
	assert_int_equal(t[2].pos.col, 6);
	assert_true(t[n - 1].number == 5);
	arena_free(c.scratch);
}

static void tokens_know_their_lines(void **state)
{
	static const char text[] = "a /* x\n y */ b // c\n\t\"d e\" f";
	struct compile c = { .scratch = arena_new() };
	const struct token *t;
	size_t n;

	(void)state;
	assert_int_equal(setjmp(c.nomem), 0);
	t = asl_lex(&c, text, strlen(text), (struct pos){ 0, 1, 1 }, &n);
	assert_int_equal(n, 4);
	assert_int_equal(t[1].pos.line, 2);
	assert_int_equal(t[1].pos.col, 7);
	assert_int_equal(t[2].kind, TOK_STRING);
	assert_string_equal(t[2].text, "d e");
	assert_int_equal(t[3].pos.line, 3);
	assert_int_equal(t[3].pos.col, 8);
	arena_free(c.scratch);
}

/* The distance of the suggestion, -1 where the candidate is none. */
static int suggested(const char *word, const char *candidate)
{
	struct suggest s = { .word = word };

	asl_suggest(&s, candidate);
	return s.best ? s.distance : -1;
}

static void a_suggestion_counts_a_swap_as_one(void **state)
{
	(void)state;
	assert_int_equal(suggested("MRIParPef", "MRIParPerf"), 1);
	assert_int_equal(suggested("SeqPref", "SeqPerf"), 1);
	assert_int_equal(suggested("seqperf", "SeqPerf"), 0);
	assert_int_equal(suggested("SeqPerf", "Region"), -1);
	assert_int_equal(suggested("", "abc"), -1);
}

static void a_nul_byte_is_no_text(void **state)
{
	struct asl_source source = { "test", "float a = 1;\0float b;", 21 };
	int diags = 0;

	(void)state;
	assert_null(asl_compile(NULL, &source, 1, NULL, 0, count_diag, &diags));
	assert_int_equal(diags, 1);
}

static void good_code_is_verified(void **state)
{
	int diags;
	struct asl_program *p = compile_text(everything, &diags);
	struct err err;

	(void)state;
	assert_non_null(p);
	assert_int_equal(diags, 0);
	assert_int_equal(p->nprops, 3);
	for (int i = 0; i < p->nprops; i++)
		assert_int_equal(asl_verify(p, &p->props[i], &err), 0);
	asl_free(p);
}

/* Every operand of every instruction, set to values around its bounds and far beyond: either it
 * is rejected, or the code still runs to its end.  How many were rejected. */
static int break_code(struct asl_program *p, size_t property, struct code *code, const struct asl_env *env)
{
	static const uint16_t values[] = { 0, 1, 2, 7, 63, 64, 127, 128, 255, 256, 4000, 0x8000,
		UINT16_MAX };
	int object = 0, rejected = 0;
	void *objects[1] = { &object };
	struct asl_verdict v;
	struct err err;

	for (int at = 0; at < code->ninsn; at++)
		for (int k = 0; k < 4; k++)
			for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
				uint16_t *field = (uint16_t *)&code->insn[at] + k, old = *field;

				*field = values[i];
				if (asl_verify(p, &p->props[property], &err) < 0)
					rejected++;
				else
					asl_evaluate(p, property, env, objects, &v);
				*field = old;
			}
	return rejected;
}

static void broken_code_is_rejected_or_harmless(void **state)
{
	struct answers a = { .seed = 1 };
	const struct asl_env env = { .attr = random_attr, .element = random_element, .arg = &a };
	int diags, rejected;
	struct asl_program *p = compile_text(everything, &diags);
	struct err err;

	(void)state;
	assert_non_null(p);
	rejected = break_code(p, 0, &p->props[0], &env) + break_code(p, 2, &p->props[2], &env)
		+ break_code(p, 2, &p->props[2].parts[0].code, &env);
	assert_true(rejected > 1000);
	p->props[2].parts[0].attr = 0;
	assert_int_equal(asl_verify(p, &p->props[2], &err), -1);
	assert_string_equal(err.text, "part 0: not of the elements of 'n'");
	p->props[0].insn[p->props[0].ninsn - 1].op = OP_NOT;
	assert_int_equal(asl_verify(p, &p->props[0], &err), -1);
	assert_string_equal(err.text, "code does not end");
	asl_free(p);
}

/* --- code that is built by hand: one broken rule each --- */
#define INSN(op, a, b, c) { OP_##op, a, b, c }

static const struct insn nested[] = {
	/* 0 */ INSN(RANGE, 0, 0, 0), INSN(LOOP, 0, 1, 9), INSN(NEXT, 2, 0, 9), INSN(LOOP, 0, 1, 7),
	/* 4 */ INSN(NEXT, 2, 0, 7), INSN(FILTER, 2, 1, 4), INSN(BACK, 4, 0, 0), INSN(FILTER, 1, 0, 2),
	/* 8 */ INSN(BACK, 2, 0, 0), INSN(RATE, 0, 0, 0), INSN(ALT, 0, 0, 0), INSN(HOLDS, 0, 0, 0),
	/* 12 */ INSN(SEV, 0, 0, 0), INSN(CONF, 0, 0, 0), INSN(MOV, 0, 1, 0), INSN(END, 0, 0, 0),
};

static void loops_and_verdicts_are_in_order(void **state)
{
	static const struct {
		int at;
		struct insn insn;
		const char *want;
	} broken[] = {
		{ 0, INSN(NEXT, 0, 0, 9), "NEXT outside a loop" },
		{ 0, INSN(FILTER, 0, 0, 0), "no way back 0" },
		{ 14, INSN(FILTER, 0, 0, 4), "FILTER outside a loop" },
		{ 14, INSN(BACK, 2, 0, 0), "BACK outside a loop" },
		{ 14, INSN(NEXTO, 0, 0, 15), "NEXTO outside a loop" },
		{ 0, INSN(LOOP, 0, 1, 9), "loop does not end with the way back" },
		{ 1, INSN(LOOP, 0, 1, 10), "loop does not end with the way back" },
		{ 1, INSN(LOOP, 0, 1, 3), "loop does not end with the way back" },
		{ 3, INSN(LOOP, 0, 1, 9), "loop ends outside the one around it" },
		{ 3, INSN(LOOP, 0, 1, 12), "loop ends outside the one around it" },
		{ 3, INSN(MOV, 0, 1, 0), "way out does not go to the end" },
		{ 4, INSN(NEXT, 2, 0, 9), "way out does not go to the end" },
		{ 2, INSN(NEXT, 2, 0, 7), "way out does not go to the end" },
		{ 5, INSN(FILTER, 2, 1, 2), "way back does not go to the begin" },
		{ 7, INSN(FILTER, 1, 0, 4), "way back does not go to the begin" },
		{ 7, INSN(BACK, 5, 0, 0), "way back does not go to the begin" },
		{ 5, INSN(RATE, 0, 0, 0), "RATE is out of place" },
		{ 5, INSN(ALT, 0, 0, 0), "ALT is out of place" },
		{ 7, INSN(HOLDS, 0, 0, 0), "HOLDS is out of place" },
		{ 7, INSN(SEV, 0, 0, 0), "SEV is out of place" },
		{ 7, INSN(CONF, 0, 0, 0), "CONF is out of place" },
		{ 7, INSN(GMAX, 0, 0, 0), "GMAX is out of place" },
		{ 7, INSN(ADVN, 0, 0, 0), "ADVN is out of place" },
		{ 7, INSN(END, 0, 0, 0), "END is out of place" },
		{ 9, INSN(SEV, 0, 0, 0), "SEV is out of place" },
		{ 9, INSN(GMAX, 0, 0, 64), "GMAX is out of place" },
		{ 9, INSN(HOLDS, 0, 0, 0), "ALT is out of place" },
		{ 11, INSN(MOV, 0, 1, 0), "SEV is out of place" },
		{ 12, INSN(ADVN, 0, 0, 0), "CONF is out of place" },
		{ 14, INSN(HOLDS, 0, 0, 0), "HOLDS is out of place" },
		{ 14, INSN(ALT, 0, 0, 0), "ALT is out of place" },
		{ 14, INSN(END, 0, 0, 0), "END is out of place" },
		{ 14, INSN(MOV, 0, 1, 1), "operand 1 is not used" },
	};
	int diags;
	struct asl_program *p = compile_text(everything, &diags);
	struct insn insn[sizeof nested / sizeof *nested];
	struct code code = p->props[0];
	struct err err = { "" };

	(void)state;
	code.insn = insn;
	code.ninsn = sizeof nested / sizeof *nested;
	memcpy(insn, nested, sizeof insn);
	assert_int_equal(asl_verify(p, &code, &err), 0);
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		memcpy(insn, nested, sizeof insn);
		insn[broken[i].at] = broken[i].insn;
		assert_int_equal(asl_verify(p, &code, &err), -1);
		if (!strstr(err.text, broken[i].want))
			fail_msg("case %zu: %s", i, err.text);
	}
	asl_free(p);
}

static void frames_beyond_the_machine_are_rejected(void **state)
{
	int diags;
	struct asl_program *p = compile_text(everything, &diags);
	struct code bad = p->props[0];
	struct err err;

	(void)state;
	bad.nnum = MAX_NUM + 1;
	assert_int_equal(asl_verify(p, &bad, &err), -1);
	bad = p->props[0];
	bad.nobj = 0;
	assert_int_equal(asl_verify(p, &bad, &err), -1);
	bad = p->props[0];
	bad.nset = MAX_SET + 1;
	assert_int_equal(asl_verify(p, &bad, &err), -1);
	bad = p->props[0];
	bad.ninsn = 0;
	assert_int_equal(asl_verify(p, &bad, &err), -1);
	asl_free(p);
}

static void any_answer_of_the_environment_gives_a_verdict(void **state)
{
	struct answers a = { .seed = 7 };
	const struct asl_env env = { .attr = random_attr, .element = random_element, .arg = &a };
	int diags, object = 0, seen[3] = { 0 };
	struct asl_program *p = compile_text(everything, &diags);
	void *objects[1] = { &object };
	struct asl_verdict v;

	(void)state;
	assert_non_null(p);
	for (int i = 0; i < 100000; i++) {
		asl_evaluate(p, (size_t)i % 3, &env, objects, &v);
		seen[v.holds]++;
		assert_true(isnan(v.confidence) || (v.confidence >= 0 && v.confidence <= 1));
		assert_true(!isinf(v.severity));
		assert_true((v.holds == ASL_UNDECIDED) == (v.undecided[0] != '\0'));
	}
	assert_true(seen[0] && seen[1] && seen[2]);
	asl_free(p);
}

static void evaluating_allocates_nothing(void **state)
{
	struct answers a = { .value = { .type = ASL_INT, .v.i = 3 } };
	const struct asl_env env = { .attr = any_attr, .element = any_element, .arg = &a };
	int diags, object = 0;
	struct asl_program *p = compile_text(everything, &diags);
	void *objects[1] = { &object };
	struct asl_verdict v;
	long before = allocations;

	(void)state;
	asl_evaluate(p, 0, &env, objects, &v);
	asl_evaluate(p, 1, &env, objects, &v);
	asl_evaluate(p, 2, &env, objects, &v);
	assert_int_equal(allocations, before);
	asl_free(p);
}

/* Of a text long enough for many chunks of the arenas, and of one with errors. */
static void each_failing_allocation_is_survived(void **state)
{
	size_t n = strlen(everything), copies = 60;
	char *text = calloc(1, n + copies * 80 + 100);
	struct asl_program *p = NULL;
	long before, failures = 0;
	int diags;

	(void)state;
	assert_non_null(text);
	memcpy(text, everything, n);
	for (size_t i = 0; i < copies; i++)
		n += (size_t)sprintf(text + n, "float f%zu(Perf p) = p.m * %zu.5 / p.a[%zu];\n", i, i, i);
	for (int broken = 0; broken < 2; broken++) {
		if (broken)
			strcpy(text + n, "float g(Perf p) = p.mm;\nfloat h = ;\n");
		for (fail_at = 1; ; fail_at++) {
			allocations = 0;
			before = live;
			p = compile_text(text, &diags);
			if (p)
				asl_free(p);
			assert_int_equal(live, before);
			if (allocations < fail_at)
				break;
			assert_null(p);
			assert_true(diags >= 1);
			failures++;
		}
		assert_int_equal(p == NULL, broken);
	}
	fail_at = 0;
	assert_true(failures > 20);
	free(text);
}

static void rubbish_is_answered_with_errors(void **state)
{
	size_t n = strlen(everything);
	unsigned seed = 3;
	char *text = malloc(n + 1);
	int diags;

	(void)state;
	assert_non_null(text);
	for (int round = 0; round < 3000; round++) {
		struct asl_program *p;

		memcpy(text, everything, n + 1);
		for (int k = 0; k <= round % 5; k++) {
			size_t at;

			seed = seed * 1103515245 + 12345;
			at = (seed >> 8) % n;
			if (round % 3)
				text[at] = "(){}[];:,.<>=+-*/?\"\\ %aPx0"[(seed >> 20) % 26];
			else
				memmove(text + at, text + (seed >> 4) % n, (n - at) / 9 + 1 < n - (seed >> 4) % n
					? (n - at) / 9 + 1 : 1);
			text[n] = '\0';
		}
		p = compile_text(text, &diags);
		assert_true(p || diags);
		asl_free(p);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_keywords_only_where_they_stand_for_one),
		cmocka_unit_test(tokens_know_their_lines),
		cmocka_unit_test(a_suggestion_counts_a_swap_as_one),
		cmocka_unit_test(a_nul_byte_is_no_text),
		cmocka_unit_test(good_code_is_verified),
		cmocka_unit_test(broken_code_is_rejected_or_harmless),
		cmocka_unit_test(loops_and_verdicts_are_in_order),
		cmocka_unit_test(frames_beyond_the_machine_are_rejected),
		cmocka_unit_test(any_answer_of_the_environment_gives_a_verdict),
		cmocka_unit_test(evaluating_allocates_nothing),
		cmocka_unit_test(each_failing_allocation_is_survived),
		cmocka_unit_test(rubbish_is_answered_with_errors),
	};

	return cmocka_run_group_tests_name("asl", tests, NULL, NULL);
}
