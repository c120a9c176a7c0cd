/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the structure of a program, as sir has it, from functions found in the code. */
#include "binary/internal.h"

#include <stdlib.h>
#include <string.h>
#include "sir/model.h"

/* The C runtime's start-up code, which no user looks for. */
static bool is_startup(const char *name)
{
	static const char *const names[] = { "_start", "_init", "_fini", "deregister_tm_clones",
		"register_tm_clones",
		"__do_global_dtors_aux", "frame_dummy", "_dl_relocate_static_pie",
		"__libc_csu_init",
		"__libc_csu_fini" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static const char *copy(struct sir_model *m, const char *text)
{
	return text ? arena_strdup(m->arena, text) : NULL;
}

/* The source of a function: one for each compile unit. */
static int add_source(struct sir_model *m, const struct binary_function *f, uint32_t *index)
{
	struct sir_source s = { .unoptimised = f->unoptimised };
	const char *dir = f->dir ? f->dir : "";
	uint64_t h = binary_hash(BINARY_HASH, f->source, strlen(f->source) + 1);

	h = binary_hash(h, dir, strlen(dir) + 1);
	s.hash = h ? h : 1;
	for (uint32_t i = 0; i < m->nsources; i++)
		if (m->sources[i].hash == s.hash) {
			*index = i;
			return 0;
		}
	s.name = copy(m, f->source);
	s.dir = copy(m, f->dir);
	s.language = copy(m, f->language);
	s.compiler = copy(m, f->compiler);
	return s.name ? model_source(m, &s, index) : -1;
}

static const char *unit_type(const struct binary_function *f)
{
	if (f->program)
		return "program";
	return f->language && strcmp(f->language, "Fortran") == 0 ? "subroutine" : "function";
}

static int add_region(struct sir_model *m, struct sir_node *n, const struct binary_function *f,
	uint32_t i, uint32_t source)
{
	const struct binary_region *r = &f->regions[i];

	n->r.type = r->type;
	n->r.source = source;
	n->r.line = r->line;
	n->r.end_line = r->end_line;
	n->r.hooks = SIR_HOOK_MARKER;
	n->r.file = copy(m, r->file);
	n->r.name = i ? "" : copy(m, f->name);
	if (i)
		n->r.kind = region_type_sir(r->type);
	else
		n->r.unit_type = unit_type(f);
	if (!i && f->symbol)
		n->r.symbol = copy(m, f->symbol);
	if (!r->line &&
	    !(n->r.ident = arena_printf(m->arena, "0x%llx", (unsigned long long)r->head)))
		return -1;
	return n->r.file && n->r.name ? model_hook(m, n, f->hash, i) : -1;
}

static int add_function(struct sir_model *m, const struct binary_function *f)
{
	struct sir_node **nodes = malloc(f->nregions * sizeof *nodes);
	uint32_t source;
	int ret = nodes ? add_source(m, f, &source) : -1;

	for (uint32_t i = 0; ret == 0 && i < f->nregions; i++) {
		nodes[i] = model_region(m, i ? nodes[f->regions[i].parent] : NULL);
		ret = nodes[i] ? add_region(m, nodes[i], f, i, source) : -1;
	}
	free(nodes);
	return ret;
}

static int add_code(struct sir_model *m, struct binary *b, struct code_function *c)
{
	/* Of two functions with the same code one is known by its address. */
	if (!c->nspans || binary_code_at(b, c->entry) != c || is_startup(c->entries[0]->name))
		return 0;
	for (uint32_t i = 0; i < c->nentries; i++)
		if (add_function(m, c->entries[i]) < 0)
			return -1;
	return 0;
}

static int add_file(struct sir_model *m, struct binary *b)
{
	binary_read_units(b);
	for (uint32_t u = 0; u < b->nunits; u++) {
		const struct code_index *functions = unit_functions(b, &b->units[u]);

		for (uint32_t i = 0; i < functions->nall; i++)
			if (add_code(m, b, &functions->all[i]) < 0)
				return -1;
	}
	binary_read_bare(b);
	for (uint32_t i = 0; i < b->bare.nall; i++)
		if (add_code(m, b, &b->bare.all[i]) < 0)
			return -1;
	return 0;
}

/* The main program can be the phase: that of Fortran, or else the function main. */
static void mark_main(struct sir_model *m)
{
	struct sir_node *found = NULL;

	for (struct sir_node *n = m->first; n; n = n->next)
		if (n->r.unit_type && (strcmp(n->r.unit_type, "program") == 0 ||
		    (!found && strcmp(n->r.name, "main") == 0)))
			found = n;
	if (found)
		found->r.hooks |= SIR_HOOK_PHASE;
}

static struct sir *finish(struct sir_model *m, int ret, struct err *err)
{
	if (ret < 0) {
		err_nomem(err);
		model_drop(m);
		return NULL;
	}
	mark_main(m);
	return model_finish(m, err);
}

struct sir *binary_structure(struct binary *const *files, uint32_t n, struct err *err)
{
	struct sir_model m;
	int ret = model_init(&m);

	for (uint32_t i = 0; ret == 0 && i < n; i++)
		ret = add_file(&m, files[i]);
	return finish(&m, ret, err);
}

struct sir *binary_structure_of(const struct binary_function *const *functions, uint32_t n,
	struct err *err)
{
	struct sir_model m;
	int ret = model_init(&m);

	for (uint32_t i = 0; ret == 0 && i < n; i++)
		ret = add_function(&m, functions[i]);
	return finish(&m, ret, err);
}
