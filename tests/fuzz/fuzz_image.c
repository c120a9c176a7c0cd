/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as compiled properties: whatever is accepted is shown, and evaluated in an environment
 * that answers with anything. */
#include "asl/code.h"
#include "asl/tools/tools.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS 9
#define STEPS 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char objects[CONTEXTS];
static int accepted;

/* Equal questions have equal answers, so that evaluations must agree. */
struct world {
	const struct asl_program *prog;
	uint64_t seed;
};

static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	return h ^ h >> 31;
}

static uint64_t question(const struct world *w, const void *object, uint64_t attr, uint64_t index)
{
	uint64_t number = (uint64_t)((const unsigned char *)object - objects);

	return mix(mix(mix(w->seed + number) + attr) + index);
}

static void answer(const struct world *w, uint64_t r, int type, int cls, struct asl_value *out)
{
	static const double numbers[] = { 0, 1, -1, 0.5, 1e300, -1e300, 3, 2, 1e16, 100 };
	uint64_t k = r >> 16;

	memset(out, 0, sizeof *out);
	out->type = r % 8 ? (enum asl_type)type : (enum asl_type)(r / 8 % 9);   /* 8 is no type */
	out->cls = r / 128 % 16 ? cls : (int)(k % (asl_nclasses(w->prog) + 2)) - 1;
	out->samples = (double)(k % 5);
	out->coverage = (double)(k % 3) / 2;
	switch (out->type) {
	case ASL_BOOL: out->v.b = k & 1; break;
	case ASL_FLOAT:
		out->v.f = numbers[k % 10];
		if (k / 10 % 16 < 2)
			out->v.f = k / 10 % 16 ? (double)INFINITY : (double)NAN;
		break;
	case ASL_STRING: out->v.s = k & 1 ? "warm" : ""; break;
	case ASL_OBJECT: out->v.object = k % 8 ? &objects[k / 8 % CONTEXTS] : NULL; break;
	case ASL_SET:
		out->v.set.handle = &objects[k % CONTEXTS];
		out->v.set.n = k / CONTEXTS % 4;
		break;
	default: out->v.i = (int64_t)(k % 7) - 2;
	}
}

static void attr(void *arg, int cls, const void *object, int number, int64_t index,
	struct asl_value *out)
{
	const struct world *w = arg;
	struct asl_attr_type type;

	if (cls < 0 || cls >= (int)asl_nclasses(w->prog) || number >= asl_nattrs(w->prog, cls))
		abort();
	asl_attr_type(w->prog, cls, number, &type);
	answer(w, question(w, object, (uint64_t)number, (uint64_t)index), (int)type.type, type.cls, out);
}

static void element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	const struct world *w = arg;

	answer(w, question(w, set->v.set.handle, 1u << 20, i), ASL_OBJECT, set->cls, out);
}

static int differ(double a, double b)
{
	return isnan(a) ? !isnan(b) : a != b;
}

/* Twice the same; there is a reason exactly where it does not hold. */
static void evaluate(struct world *w, size_t property)
{
	const struct asl_env env = { .attr = attr, .element = element, .arg = w };
	void *all[MAX_OBJ];

	for (size_t i = 0; i < MAX_OBJ; i++)
		all[i] = &objects[i % CONTEXTS];
	for (size_t i = 0; i < CONTEXTS; i++) {
		struct asl_verdict v, again;
		char why[160];

		all[0] = &objects[i];
		asl_evaluate(w->prog, property, &env, all, &v);
		asl_explain(w->prog, property, &env, all, NULL, why, sizeof why);
		asl_evaluate(w->prog, property, &env, all, &again);
		if (v.holds != again.holds || v.alternatives != again.alternatives
				|| differ(v.severity, again.severity) || differ(v.confidence, again.confidence)
				|| differ(v.measure, again.measure)
				|| (why[0] != '\0') != (v.holds == ASL_FALSE))
			abort();
	}
}

int fuzz_accepted(void);
int fuzz_accepted(void)
{
	return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	struct asl_program *p = asl_image_read(data, size, NULL);
	struct world w = { .prog = p, .seed = size };

	accepted = p != NULL;
	if (!p)
		return 0;
	p->max_steps = STEPS;
	if (!null)
		null = fopen("/dev/null", "w");
	if (null)
		aslc_disassemble(p, null);
	for (size_t i = 0; i < size; i += 61)
		w.seed = mix(w.seed ^ data[i]);
	for (size_t i = 0; i < asl_nproperties(p); i++)
		evaluate(&w, i);
	asl_free(p);
	return 0;
}
