/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles property files: runs the passes in order. */
#include "asl/ast.h"

static void check_code(struct compile *c)
{
	struct err err;

	for (int i = 0; i < c->prog->nprops; i++) {
		const struct code *code = &c->prog->props[i];

		if (asl_verify(c->prog, code, &err) < 0) {
			asl_error(c, (struct pos){ 0, 0, 0 }, "internal error: code of '%s': %s",
				code->pub.name, err.text);
			return;
		}
	}
}

static void run_passes(struct compile *c, const struct asl_setting *settings, size_t nsettings)
{
	size_t given = c->nsources;

	for (size_t i = 0; i < given; i++)
		asl_read_source(c, (int)i);
	asl_join_settings(c, settings, nsettings);
	asl_names(c);
	asl_types(c);
	if (c->nerrors == 0)
		asl_units(c);
	asl_fold(c);
	if (c->nerrors > 0)
		return;
	asl_emit(c);
	if (c->nerrors == 0)
		check_code(c);
}

struct compile *asl_open_compile(struct arena *scratch)
{
	struct compile *c = scratch ? arena_alloc(scratch, sizeof *c) : NULL;

	if (!c)
		return NULL;
	c->scratch = scratch;
	c->decls_tail = &c->decls;
	return c;
}

struct asl_program *asl_compile(const struct asl_includer *includer,
	const struct asl_source *sources, size_t nsources, const struct asl_setting *settings,
	size_t nsettings, asl_diag_fn report, void *arg)
{
	struct arena *scratch = arena_new(), *keep = arena_new();
	struct asl_program *prog = NULL;
	struct compile *c;

	c = keep ? asl_open_compile(scratch) : NULL;
	if (!c || setjmp(c->nomem)) {
		asl_out_of_memory(report, arg);
		arena_free(scratch);
		arena_free(keep);
		return NULL;
	}
	c->keep = keep;
	c->includer = includer;
	c->prog = asl_keep(c, 1, sizeof *c->prog);
	c->prog->arena = keep;
	c->prog->max_steps = MAX_STEPS;
	for (size_t i = 0; i < nsources; i++)
		asl_add_source(c, &sources[i], includer && includer->ids ? includer->ids[i]
			: sources[i].name);
	run_passes(c, settings, nsettings);
	asl_give_diags(c, report, arg);
	if (c->nerrors == 0)
		prog = c->prog;
	else
		arena_free(keep);
	arena_free(scratch);
	return prog;
}
