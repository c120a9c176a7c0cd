/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the entries of a function (itself, and the inlined functions that have loops) with their
 * regions, and the places of its code. */
#include "binary/analysis.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static uint64_t entry_hash(const struct analysis *a, uint32_t scope)
{
	uint64_t key[3] = { a->b->id, a->code->entry, scope }, h = binary_hash(BINARY_HASH, key,
		sizeof key);

	return h ? h : 1;       /* 0 means no unit */
}

static struct binary_function *entry_of(const struct analysis *a, uint32_t scope)
{
	return a->code->entries[a->scopes[scope].entry];
}

/* The region of an entry that its own code belongs to. */
static uint32_t body(const struct binary_function *f)
{
	return f->nregions > 1 && f->regions[1].type != REGION_LOOP ? 1 : 0;
}

static struct binary_region *regions_of(const struct binary_function *f)
{
	return (struct binary_region *)(uintptr_t)f->regions;
}

static void set_unit(const struct analysis *a, struct binary_function *f)
{
	const struct dwarf_unit *u = a->code->unit;

	f->source = u ? u->name : a->b->name;
	f->dir = u ? u->dir : NULL;
	f->language = u ? u->language : NULL;
	f->compiler = u ? u->compiler : NULL;
	f->unoptimised = u && u->unoptimised;
}

static bool is_program(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_hasattr_integrate(die, DW_AT_main_subprogram) ||
		(dwarf_formudata(dwarf_attr_integrate(die, DW_AT_calling_convention, &attribute),
		&value) == 0 && value == DW_CC_program);
}

static void end_line(const struct analysis *a, uint32_t scope, struct binary_region *r)
{
	r->end_line = r->line;
	for (uint32_t i = 0; i < a->flow.ninsns; i++) {
		struct source_line l = analysis_level_line(a, i, scope);

		if (l.line > r->end_line && l.file == r->file)
			r->end_line = l.line;
	}
}

/* "liblzma+0x11a0": the file's name before its first dot, and the address in the file. */
static const char *made_up_name(const struct binary *b, uint64_t address)
{
	const char *slash = strrchr(b->path, '/'), *file = slash ? slash + 1 : b->path;

	return arena_printf(b->arena, "%.*s+0x%llx", (int)strcspn(file, "."), file,
		(unsigned long long)address);
}

/* Names a function by its symbol alone. */
static bool name_bare(const struct analysis *a, struct binary_function *f)
{
	const char *base = a->code->symbol ? symbol_base(a->b->arena, a->code->symbol) : NULL;

	f->name = !a->code->symbol ? made_up_name(a->b, a->code->entry) :
		base ? demangle_name(a->b->arena, base) : NULL;
	f->symbol = a->code->symbol && f->name && strcmp(a->code->symbol, f->name) != 0 ?
		a->code->symbol : NULL;
	return f->name;
}

/* The line of the directive of an outlined function: clang gives it to the
 * function, GCC to its first code. */
static struct source_line directive(const struct analysis *a, const struct binary_region *r)
{
	struct source_line best = { r->file, r->line };

	for (uint32_t i = 0; !r->line && i < a->flow.ninsns; i++) {
		struct source_line l = analysis_level_line(a, i, 0);

		if (l.line > 0 && (!best.line || (l.file == best.file && l.line < best.line)))
			best = l;
	}
	return best;
}

/* A function outlined for OpenMP: region 0 is the function of the
 * source, region 1 the construct. */
static void name_outlined(const struct analysis *a, struct binary_function *f)
{
	struct binary_region *r = regions_of(f);
	struct source_line at = directive(a, r);
	struct outlined from;

	if (!outlined_from(a->b->arena, a->code->unit, f->name, at.file, at.line, &from))
		return;
	r[1] = (struct binary_region){ .type = strstr(f->name, ".omp_task") ? REGION_TASK :
		REGION_PARALLEL, .parent = 0, .file = at.file, .line = at.line,
		.head = a->code->entry };
	end_line(a, 0, &r[1]);
	r[0].file = from.file;
	r[0].line = from.line;
	r[0].end_line = r[1].end_line;
	f->symbol = f->name;
	f->name = from.name;
	f->nregions = 2;
}

static bool name_entry(const struct analysis *a, uint32_t scope, struct binary_function *f)
{
	Dwarf_Die die = scope ? a->scopes[scope].die : a->code->die;
	struct binary_region *r = regions_of(f);
	const char *name, *symbol;

	if (!a->code->unit)
		return name_bare(a, f);
	name = die_name(a->b->arena, &die);
	symbol = die_symbol(&die);
	f->name = name ? name : made_up_name(a->b, f->low);
	f->symbol = symbol && strcmp(symbol, f->name) != 0 ? symbol : NULL;
	f->program = is_program(&die);
	r->file = die_place(a->b->arena, a->code->unit, &die, &r->line);
	r->file = *r->file ? r->file : f->source;
	end_line(a, scope, r);
	if (!scope && name && outlined_name(name))
		name_outlined(a, f);
	return true;
}

/* The scope around it that has an entry; scope 0 has one. */
static uint32_t entry_scope(const struct analysis *a, uint32_t scope)
{
	while (a->scopes[scope].entry == BINARY_NONE)
		scope = a->scopes[scope].parent;
	return scope;
}

static bool make_entry(struct analysis *a, uint32_t scope)
{
	struct code_function *c = a->code;
	struct binary_function *f = arena_alloc(a->b->arena, sizeof *f);
	uint32_t most = 2;

	for (uint32_t l = 0; l < a->flow.nloops; l++)
		most += a->loops[l].scope == scope;
	if (!f || !(f->regions = arena_array(a->b->arena, most, sizeof *f->regions)))
		return false;
	f->hash = entry_hash(a, scope);
	f->low = c->spans[0].low;
	f->high = c->spans[0].high;
	f->into_region = BINARY_NONE;
	f->nregions = 1;
	regions_of(f)[0] = (struct binary_region){ .type = REGION_SUB, .parent = BINARY_NONE,
		.file = a->b->name, .head = c->entry };
	set_unit(a, f);
	a->scopes[scope].entry = c->nentries;
	c->entries[c->nentries++] = f;
	return name_entry(a, scope, f);
}

static bool make_entries(struct analysis *a)
{
	struct code_function *c = a->code;
	uint32_t most = 1;

	for (uint32_t l = 0; l < a->flow.nloops; l++)
		most += a->loops[l].scope != 0;
	c->entries = arena_array(a->b->arena, most, sizeof *c->entries);
	if (!c->entries || !make_entry(a, 0))
		return false;
	for (uint32_t s = 1; s < a->nscopes; s++)
		for (uint32_t l = 0; l < a->flow.nloops; l++)
			if (a->loops[l].scope == s && a->scopes[s].entry == BINARY_NONE &&
			    !make_entry(a, s))
				return false;
	return true;
}

/* The region of the entry that a loop is in. */
static uint32_t parent_region(const struct analysis *a, uint32_t loop)
{
	uint32_t outer = a->flow.loops[loop].parent;

	if (outer != FLOW_NONE && a->loops[outer].scope == a->loops[loop].scope)
		return a->loops[outer].region;
	return body(entry_of(a, a->loops[loop].scope));
}

/* A part of the same loop of the source: peeled, vectorised, remainder. */
static uint32_t same_loop(const struct binary_function *f, const struct loop_place *p,
	uint32_t parent)
{
	for (uint32_t i = 1; i < f->nregions; i++) {
		const struct binary_region *r = &f->regions[i];

		if (p->at.line && r->type == REGION_LOOP && r->parent == parent &&
		    r->line == p->at.line && strcmp(r->file, p->at.file) == 0)
			return i;
	}
	return BINARY_NONE;
}

struct loop_key {
	uint32_t depth, header, loop;
};

/* Outer loops before inner ones; of loops beside one another, that with the lower address first. */
static int loop_order(const void *x, const void *y)
{
	const struct loop_key *l = x, *m = y;

	if (l->depth != m->depth)
		return l->depth < m->depth ? -1 : 1;
	return (l->header > m->header) - (l->header < m->header);
}

static void add_loop(struct analysis *a, uint32_t loop)
{
	struct loop_place *p = &a->loops[loop];
	struct binary_function *f = entry_of(a, p->scope);
	uint32_t parent = parent_region(a, loop), same = same_loop(f, p, parent);
	struct binary_region *r;

	if (same != BINARY_NONE) {
		r = &regions_of(f)[same];
		r->end_line = p->end_line > r->end_line ? p->end_line : r->end_line;
		p->region = same;
		return;
	}
	p->region = f->nregions++;
	regions_of(f)[p->region] = (struct binary_region){ .type = REGION_LOOP, .parent = parent,
		.file = p->at.line ? p->at.file : f->regions[0].file, .line = p->at.line,
		.end_line = p->end_line ? p->end_line : p->at.line,
		.head = a->flow.insns[a->flow.blocks[a->flow.loops[loop].header].first].address };
}

static bool add_loops(struct analysis *a)
{
	struct loop_key *order = malloc((a->flow.nloops + 1) * sizeof *order);

	if (!order)
		return false;
	for (uint32_t l = 0; l < a->flow.nloops; l++) {
		uint32_t parent = a->flow.loops[l].parent;

		/* An outer loop has a lower number. */
		order[l] = (struct loop_key){ 0, a->flow.loops[l].header, l };
		if (parent != FLOW_NONE)
			order[l].depth = order[parent].depth + 1;
	}
	if (a->flow.nloops)
		qsort(order, a->flow.nloops, sizeof *order, loop_order);
	for (uint32_t l = 0; l < a->flow.nloops; l++)
		add_loop(a, order[l].loop);
	free(order);
	return true;
}

/* The region of the entry around it that an inlined function is in, by the first of its loops. */
static void place_entry(struct analysis *a, uint32_t scope)
{
	struct binary_function *f = entry_of(a, scope), *into;
	uint32_t around = entry_scope(a, a->scopes[scope].parent), l = 0;

	into = entry_of(a, around);
	f->into = into;
	f->into_region = body(into);
	while (a->loops[l].scope != scope)
		l++;
	for (; l != FLOW_NONE; l = a->flow.loops[l].parent)
		if (a->loops[l].scope == around) {
			f->into_region = a->loops[l].region;
			return;
		}
}

/* The place of an instruction. */
static struct spot spot_of(const struct analysis *a, uint32_t insn)
{
	uint32_t scope = entry_scope(a, a->scope_of[insn]),
		l = a->flow.blocks[a->flow.insns[insn].block].loop;
	struct binary_function *f = entry_of(a, scope);
	struct source_line at = analysis_level_line(a, insn, scope);
	struct spot s = { a->flow.insns[insn].address, f, body(f), at.file, at.line };

	for (; l != FLOW_NONE; l = a->flow.loops[l].parent) {
		uint32_t owner = a->loops[l].scope;

		if (owner == scope)
			s.region = a->loops[l].region;
		/* An instruction of the surroundings that the compiler
		 * mixed into an inlined loop. */
		else if (owner > scope && owner <= a->scopes[scope].last) {
			f = entry_of(a, owner);
			s = (struct spot){ s.address, f, a->loops[l].region, a->loops[l].at.file,
				a->loops[l].at.line };
		} else
			continue;
		break;
	}
	return s;
}

static bool make_spots(struct analysis *a)
{
	struct code_function *c = a->code;
	struct spot *all = malloc((a->flow.ninsns + 1) * sizeof *all);
	uint32_t n = 0;

	for (uint32_t i = 0; all && i < a->flow.ninsns; i++) {
		struct spot s = spot_of(a, i);

		if (!n || all[n - 1].function != s.function || all[n - 1].region != s.region ||
		    all[n - 1].line != s.line || all[n - 1].file != s.file)
			all[n++] = s;
	}
	c->spots = all ? arena_array(a->b->arena, n, sizeof *c->spots) : NULL;
	if (c->spots && n)
		memcpy(c->spots, all, n * sizeof *all);
	c->nspots = c->spots ? n : 0;
	free(all);
	return c->spots;
}

int analysis_regions(struct analysis *a)
{
	if (!make_entries(a) || !add_loops(a))
		return -1;
	for (uint32_t s = 1; s < a->nscopes; s++)
		if (a->scopes[s].entry != BINARY_NONE)
			place_entry(a, s);
	return make_spots(a) ? 0 : -1;
}
