/* SPDX-License-Identifier: BSD-3-Clause */
/* Aggregates over processes: whatever the order and the tree in which parts are merged, the result is
 * the same to the bit, and that of folding the whole set in one place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asl/code.h"
#include "base/buf.h"

static uint64_t seed = 88172645463325252u;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Of any exponent, also subnormal; of one that sums to something; a repetition; a special one. */
static double any_double(void)
{
	static const double special[] = { 0, -0.0, DBL_MAX, -DBL_MAX, 5e-324, -5e-324, DBL_MIN, 1, -1 };
	uint64_t bits = any();
	double x;

	switch (any() % 4) {
	case 0:
		return (double)(int64_t)bits * 1e-9;
	case 1:
		return special[bits % (sizeof special / sizeof *special)];
	default:
		memcpy(&x, &bits, sizeof x);
		return isfinite(x) ? x : any() % 8 ? 1.5 : any() % 3 ? NAN : INFINITY;
	}
}

static void shuffle(double *x, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int k = (int)(any() % (unsigned)(i + 1));
		double swap = x[i];

		x[i] = x[k];
		x[k] = swap;
	}
}

static void add_all(struct asl_part *acc, const double *x, int n)
{
	asl_part_init(acc);
	for (int i = 0; i < n; i++)
		asl_part_add(acc, x[i], "");
}

/* In a random tree, by way of the wire. */
static void fold_tree(struct asl_part *acc, const double *x, int n)
{
	int cut = n ? (int)(any() % (unsigned)n) : 0;
	struct buf b = BUF_INIT;
	struct asl_part left, right;
	struct cursor in;

	if (n < 2) {
		add_all(acc, x, n);
		return;
	}
	fold_tree(&left, x, cut);
	fold_tree(&right, x + cut, n - cut);
	asl_part_merge(&left, &right);
	asl_part_encode(&left, &b);
	in = (struct cursor){ (const uint8_t *)b.data, b.len, 0, false };
	assert_int_equal(asl_part_decode(acc, &in), 0);
	assert_int_equal(in.pos, b.len);
	buf_free(&b);
}

static void same_to_the_bit(const struct asl_part *a, const struct asl_part *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->undefined, b->undefined);
	assert_memory_equal(a->sum, b->sum, sizeof a->sum);
	assert_memory_equal(a->squares, b->squares, sizeof a->squares);
	for (int f = 0; f < ASL_NAGGREGATES; f++) {
		double x = asl_part_result(a, (enum asl_aggregate)f);
		double y = asl_part_result(b, (enum asl_aggregate)f);

		assert_true(isnan(x) == isnan(y));
		assert_true(isnan(x) || memcmp(&x, &y, sizeof x) == 0);
	}
}

static void order_and_tree_never_show(void **state)
{
	double x[64];

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct asl_part whole, tree;
		int n = (int)(any() % 64), kinds = (int)(any() % 3);

		for (int i = 0; i < n; i++) {
			do
				x[i] = any_double();
			while ((kinds > 0 && isnan(x[i])) || (kinds > 1 && isinf(x[i])));
			if (i && any() % 5 == 0)
				x[i] = -x[i - 1];
		}
		add_all(&whole, x, n);
		shuffle(x, n);
		fold_tree(&tree, x, n);
		same_to_the_bit(&whole, &tree);
	}
}

static double sum_of(const double *x, int n)
{
	struct asl_part acc;

	add_all(&acc, x, n);
	return asl_part_result(&acc, ASL_SUM);
}

static double deviation_of(const double *x, int n)
{
	struct asl_part acc;

	add_all(&acc, x, n);
	return asl_part_result(&acc, ASL_STDEV);
}

static void sums_are_rounded_once(void **state)
{
	const double half = ldexp(1, -53), least = 5e-324;

	(void)state;
	assert_true(sum_of((double[]){ 1, half }, 2) == 1);                     /* to even */
	assert_true(sum_of((double[]){ 1, half, least }, 3) == 1 + DBL_EPSILON);
	assert_true(sum_of((double[]){ 1 + DBL_EPSILON, half }, 2) == 1 + 2 * DBL_EPSILON);
	assert_true(sum_of((double[]){ -1, -half, -least }, 3) == -1 - DBL_EPSILON);
	assert_true(sum_of((double[]){ 1e308, 1e308, least, -1e308, -1e308 }, 5) == least);
	assert_true(sum_of((double[]){ DBL_MAX, DBL_MAX }, 2) == INFINITY);
	assert_true(sum_of((double[]){ 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 10) == 1);
	assert_true(sum_of((double[]){ 1e16, 1, -1e16, 1e-8 }, 4) == 1.00000001);
	assert_true(sum_of((double[]){ INFINITY, 1 }, 2) == INFINITY);
	assert_true(isnan(sum_of((double[]){ INFINITY, -INFINITY }, 2)));
	assert_true(!signbit(sum_of((double[]){ -0.0 }, 1)));
	assert_true(sum_of(NULL, 0) == 0);
}

static void deviations_do_not_cancel(void **state)
{
	double ten[10];

	(void)state;
	assert_true(deviation_of((double[]){ 3, 3, 3 }, 3) == 0);
	assert_true(deviation_of((double[]){ 1e17, 1e17 + 16 }, 2) == 8);
	assert_true(deviation_of((double[]){ -1e300, 1e300 }, 2) == 1e300);
	assert_true(deviation_of((double[]){ 2e-300, 4e-300 }, 2) == 1e-300);
	assert_true(deviation_of((double[]){ 0, 1e-323 }, 2) == 5e-324);
	assert_true(deviation_of((double[]){ DBL_MAX, -DBL_MAX }, 2) == DBL_MAX);
	assert_true(deviation_of((double[]){ 7 }, 1) == 0);
	assert_true(isnan(deviation_of(NULL, 0)));
	for (int i = 0; i < 10; i++)
		ten[i] = 0.1 * i;
	assert_true(fabs(deviation_of(ten, 10) - sqrt(8.25) / 10) < 1e-15);
}

static void a_mean_is_finite_where_the_sum_is_not(void **state)
{
	struct asl_part acc;

	(void)state;
	add_all(&acc, (double[]){ DBL_MAX, DBL_MAX, DBL_MAX }, 3);
	assert_true(asl_part_result(&acc, ASL_AVG) == DBL_MAX);
	add_all(&acc, (double[]){ 1, 2, 4 }, 3);
	assert_true(asl_part_result(&acc, ASL_AVG) == 7.0 / 3);
}

static void reasons_do_not_depend_on_order(void **state)
{
	struct asl_part a, b, c;

	(void)state;
	asl_part_init(&a);
	asl_part_miss(&a, "zeta");
	asl_part_init(&b);
	asl_part_miss(&b, "alpha");
	c = a;
	asl_part_merge(&a, &b);
	asl_part_merge(&b, &c);
	assert_string_equal(a.why_unsure, "alpha");
	assert_memory_equal(&a, &b, sizeof a);
	assert_int_equal(a.unsure, 2);
	assert_true(isnan(asl_part_result(&a, ASL_COUNT)));
}

static void only_what_was_encoded_is_decoded(void **state)
{
	double x[] = { 1e300, -3, 1e-300, NAN, 0.1 };
	struct asl_part acc, back;
	struct buf b = BUF_INIT, again = BUF_INIT;
	int refused = 0;

	(void)state;
	add_all(&acc, x, 5);
	asl_part_miss(&acc, "exec_time");
	asl_part_encode(&acc, &b);
	for (size_t n = 0; n < b.len; n++) {
		struct cursor cut = { (const uint8_t *)b.data, n, 0, false };

		assert_int_equal(asl_part_decode(&back, &cut), -1);
	}
	/* A changed byte is refused, or was another value: then it is encoded as it came. */
	for (size_t at = 0; at < b.len; at++)
		for (int change = 1; change < 256; change += 37) {
			struct cursor in = { (const uint8_t *)b.data, b.len, 0, false };

			b.data[at] = (char)(b.data[at] ^ change);
			if (asl_part_decode(&back, &in) < 0) {
				refused++;
			} else {
				buf_clear(&again);
				asl_part_encode(&back, &again);
				assert_int_equal(again.len, in.pos);
				assert_memory_equal(again.data, b.data, in.pos);
				(void)asl_part_result(&back, ASL_STDEV);
			}
			b.data[at] = (char)(b.data[at] ^ change);
		}
	assert_true(refused > 100);
	buf_free(&b);
	buf_free(&again);
}

/* --- through a property ------------------------------------------------------------------------- */

/* The same text for a class whose sets are folded in parts, and for one whose sets are looped over. */
#define BOTH(name, cls) \
	"PROPERTY " name "(" cls " a) {\n" \
	"LET float sum = SUM(p.x WHERE p IN a.all AND p.y > 2); IN\n" \
	"CONDITION: (sum) sum > 20 OR (count) COUNT(p WHERE p IN {q IN a.all WITH q.y > 1}) > 3\n" \
	"OR (some) EXISTS(p IN a.all WITH p.x > 6 OR p.y > 6) OR (every) FORALL(p IN a.all WITH p.x > 0 AND p.y > 0)\n" \
	"OR (far) MAX(p.x - p.y WHERE p IN a.all) - MIN(p.x / 4 WHERE p IN a.all AND p.x != 3) > 4;\n" \
	"CONFIDENCE: AVG(p.y WHERE p IN a.all) / 8;\n" \
	"SEVERITY: STDEV(p.x WHERE p IN a.all) + 0 * a.n; }\n"

static const char text[] =
	"class Perf { float x; float y; };\n"
	"class AppPerf { int n; setof Perf all; };\n"
	"class Host { int n; setof Perf all; };\n"
	BOTH("InParts", "AppPerf")
	BOTH("Looped", "Host");

struct element {
	double x, y;            /* NAN: undefined */
};

struct world {
	struct asl_program *p;
	struct element e[16];
	int n, asked;
};

static void attr(void *arg, int cls, const void *object, int number, int64_t index,
	struct asl_value *out)
{
	struct world *w = arg;
	const struct element *e = object;
	double v;

	(void)index;
	if (cls == asl_class_find(w->p, "Perf")) {
		v = number ? e->y : e->x;
		out->type = isnan(v) ? ASL_UNDEFINED : ASL_FLOAT;
		out->v.f = v;
	} else if (number) {
		w->asked++;
		out->type = ASL_SET;
		out->cls = asl_class_find(w->p, "Perf");
		out->v.set.n = (size_t)w->n;
	} else {
		out->type = ASL_INT;
		out->v.i = w->n;
	}
}

static void element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	struct world *w = arg;

	out->type = ASL_OBJECT;
	out->cls = set->cls;
	out->v.object = &w->e[i];
}

static void same_verdict(const struct asl_verdict *a, const struct asl_verdict *b)
{
	assert_int_equal(a->holds, b->holds);
	assert_true(a->alternatives == b->alternatives);
	assert_true(isnan(a->confidence) == isnan(b->confidence));
	assert_true(isnan(a->confidence) || a->confidence == b->confidence);
	assert_true(isnan(a->severity) == isnan(b->severity));
	assert_true(isnan(a->severity) || fabs(a->severity - b->severity) < 1e-12);
}

/* As agents do it: two processes' elements a node, nodes merged, the sets are asked for no more. */
static void evaluate_as_agents(struct world *w, const struct asl_env *env, struct asl_verdict *out)
{
	struct asl_part parts[ASL_MAX_PARTS];
	int nparts = asl_parts(w->p, 0), asked = w->asked;
	void *objects[] = { w };

	for (int k = 0; k < nparts; k++) {
		asl_part_init(&parts[k]);
		for (int node = 0; node < w->n; node += 2) {
			struct asl_part mine;

			asl_part_init(&mine);
			for (int i = node; i < node + 2 && i < w->n; i++)
				asl_part_take(w->p, 0, k, env, &w->e[i], &mine);
			asl_part_merge(&parts[k], &mine);
		}
	}
	asl_evaluate_parts(w->p, 0, env, objects, parts, out);
	assert_int_equal(w->asked, asked);
}

static void parts_and_loops_agree(void **state)
{
	static struct world w;
	const struct asl_env env = { .attr = attr, .element = element, .arg = &w };
	const struct asl_source source = { "test", text, sizeof text - 1 };
	int seen[3] = { 0 };

	(void)state;
	w.p = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);
	assert_non_null(w.p);
	assert_int_equal(asl_parts(w.p, 1), 0);
	/* sum of x; count of y; some; every; x - y; x / 4; AVG(y) shares with none; STDEV(x) with none */
	assert_int_equal(asl_parts(w.p, 0), 8);
	for (int round = 0; round < 20000; round++) {
		struct asl_verdict in_parts, looped, merged;
		void *objects[] = { &w };
		int holes = round % 3 ? 40 : 5;

		w.n = (int)(any() % 9);
		for (int i = 0; i < w.n; i++) {
			w.e[i].x = any() % (unsigned)holes ? (double)(any() % 8) : NAN;
			w.e[i].y = any() % (unsigned)holes ? (double)(any() % 8) : NAN;
		}
		asl_evaluate(w.p, 0, &env, objects, &in_parts);
		asl_evaluate(w.p, 1, &env, objects, &looped);
		evaluate_as_agents(&w, &env, &merged);
		same_verdict(&in_parts, &looped);
		same_verdict(&in_parts, &merged);
		assert_true(merged.severity == in_parts.severity || isnan(merged.severity));
		assert_string_equal(in_parts.undecided, merged.undecided);
		seen[in_parts.holds]++;
	}
	assert_true(seen[0] > 10 && seen[1] > 10 && seen[2] > 10);
	asl_free(w.p);
}

static void a_property_needs_what_its_parts_read(void **state)
{
	const struct asl_source source = { "test", text, sizeof text - 1 };
	struct asl_program *p = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);
	const struct asl_property *q;
	int perf, reads = 0;

	(void)state;
	assert_non_null(p);
	assert_int_equal(asl_nproperties(p), 2);
	q = asl_property(p, 0);
	perf = asl_class_find(p, "Perf");
	for (int i = 0; i < q->nreads; i++)
		reads += q->reads[i].cls == perf;
	assert_int_equal(reads, 2);
	assert_int_equal(q->nmetrics, 2);
	assert_int_equal(asl_part_source(p, 0, 0).cls, perf);
	assert_string_equal(asl_attr_name(p, q->context, asl_part_source(p, 0, 0).attr), "all");
	asl_free(p);
}

/* However large a set the environment pretends to have, evaluation ends and says why. */
static void endless_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	struct world *w = arg;

	(void)i;
	out->type = ASL_OBJECT;
	out->cls = set->cls;
	out->v.object = &w->e[0];
}

static void a_set_without_end_is_undecided(void **state)
{
	static const char endless[] = "class Perf { float x; };\n"
		"class AppPerf { int n; setof Perf all; };\n"
		"PROPERTY P(AppPerf a) { CONDITION: SUM(p.x WHERE p IN a.all) > 1; CONFIDENCE: 1; SEVERITY: 1; }";
	static struct world w = { .n = -1, .e = { { 1, 1 } } };
	const struct asl_env env = { .attr = attr, .element = endless_element, .arg = &w };
	const struct asl_source source = { "test", endless, sizeof endless - 1 };
	struct asl_verdict v;
	void *objects[] = { &w };

	(void)state;
	w.p = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);
	assert_non_null(w.p);
	asl_evaluate(w.p, 0, &env, objects, &v);
	assert_int_equal(v.holds, ASL_UNDECIDED);
	assert_string_equal(v.undecided, "more than 20000000 steps");
	asl_free(w.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_and_tree_never_show),
		cmocka_unit_test(sums_are_rounded_once),
		cmocka_unit_test(deviations_do_not_cancel),
		cmocka_unit_test(a_mean_is_finite_where_the_sum_is_not),
		cmocka_unit_test(reasons_do_not_depend_on_order),
		cmocka_unit_test(only_what_was_encoded_is_decoded),
		cmocka_unit_test(parts_and_loops_agree),
		cmocka_unit_test(a_property_needs_what_its_parts_read),
		cmocka_unit_test(a_set_without_end_is_undecided),
	};

	return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
