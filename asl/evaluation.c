/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates and explains properties; for those of the whole application, runs their parts on the
 * elements of processes. */
#include "asl/vm.h"

/* Runs a part's code on one element and adds the result to the part's accumulator. */
static void take_element(const struct asl_program *p, const struct code *code,
	const struct asl_env *env, const void *object, long *steps, struct asl_part *acc)
{
	struct asl_verdict v;

	asl_run(p, code, env, (void *const[]){ (void *)(uintptr_t)object }, NULL, steps, &v);
	if (v.holds == ASL_UNDECIDED)
		asl_part_miss(acc, v.undecided);
	else if (v.holds == ASL_TRUE)
		asl_part_add(acc, v.severity, v.undecided);
}

void asl_part_take(const struct asl_program *p, size_t property, int part,
	const struct asl_env *env, const void *object, struct asl_part *acc)
{
	long steps = p->max_steps;

	take_element(p, &p->props[property].parts[part].code, env, object, &steps, acc);
}

/* Accumulates one part over the set that env gives. */
static void accumulate_part(const struct asl_program *p, const struct code *code,
	const struct part *part, const struct asl_env *env, void *object, long *steps,
	struct asl_part *acc)
{
	int cls = code->pub.context;
	struct asl_value set = { .type = ASL_UNDEFINED };

	asl_part_init(acc);
	env->attr(env->arg, cls, object, part->attr, -1, &set);
	if (set.type != ASL_SET) {
		asl_part_miss(acc, p->classes[cls].attrs[part->attr].name);
		return;
	}
	for (size_t i = 0; i < set.v.set.n && *steps >= 0; i++) {
		struct asl_value v = { .type = ASL_UNDEFINED };

		env->element(env->arg, &set, i, &v);
		if (v.type == ASL_OBJECT && v.v.object
				&& asl_class_is(p, v.cls, part->code.pub.context))
			take_element(p, &part->code, env, v.v.object, steps, acc);
		else
			asl_part_miss(acc, p->classes[cls].attrs[part->attr].name);
		*steps -= part->code.ninsn;
	}
	if (*steps < 0)
		asl_part_miss(acc, MANY_STEPS);
}

void asl_evaluate_parts(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, struct asl_verdict *out)
{
	long steps = p->max_steps;

	asl_run(p, &p->props[property], env, objects, parts, &steps, out);
}

static void accumulate_parts(const struct asl_program *p, const struct code *code,
	const struct asl_env *env, void *object, long *steps, struct asl_part *parts)
{
	for (int i = 0; i < code->nparts; i++)
		accumulate_part(p, code, &code->parts[i], env, object, steps, &parts[i]);
}

static void evaluate_whole(const struct asl_program *p, const struct code *code,
	const struct asl_env *env, void *const *objects, struct asl_verdict *out)
{
	struct asl_part parts[ASL_MAX_PARTS];
	long steps = p->max_steps;

	accumulate_parts(p, code, env, objects[0], &steps, parts);
	asl_run(p, code, env, objects, parts, &steps, out);
}

void asl_evaluate(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, struct asl_verdict *out)
{
	const struct code *code = &p->props[property];

	if (code->nparts)
		evaluate_whole(p, code, env, objects, out);
	else
		asl_evaluate_parts(p, property, env, objects, NULL, out);
}

void asl_explain(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, char *text, size_t size)
{
	const struct code *code = &p->props[property];
	struct asl_part own[ASL_MAX_PARTS];
	struct asl_verdict verdict;
	struct trace trace = { .all.at = 0 };
	long steps = p->max_steps;

	if (code->nparts && !parts) {
		accumulate_parts(p, code, env, objects[0], &steps, own);
		parts = own;
	}
	asl_run_traced(p, code, env, objects, parts, steps, &trace, &verdict);
	text[0] = '\0';
	if (verdict.holds == ASL_FALSE)
		asl_say_why(&trace, p, code, text, size);
}
