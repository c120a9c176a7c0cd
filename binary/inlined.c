/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the compiler put into another one, and the instructions that are theirs. */
#include "binary/analysis.h"

#include <dwarf.h>
#include <stdlib.h>

static bool room(struct analysis *a)
{
	struct scope *p;

	if (a->nscopes < a->scopes_cap)
		return true;
	p = realloc(a->scopes, (a->scopes_cap * 2 + 16) * sizeof *p);
	if (!p)
		return false;
	a->scopes = p;
	a->scopes_cap = a->scopes_cap * 2 + 16;
	return true;
}

/* The first instruction at or behind the address. */
static uint32_t lower_bound(const struct code_flow *f, uint64_t address)
{
	uint32_t low = 0, high = f->ninsns;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f->insns[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void give(struct analysis *a, Dwarf_Die *die, uint32_t scope)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		for (uint32_t i = lower_bound(&a->flow, low); i < a->flow.ninsns &&
		     a->flow.insns[i].address < high; i++)
			a->scope_of[i] = scope;
}

static const char *call_file(struct analysis *a, Dwarf_Die *die)
{
	const char *file = die_file(die, DW_AT_call_file);

	return file ? source_name(a->b->arena, a->code->unit, file) : "";
}

static int call_line(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line;

	return dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0 ?
		(int)line : 0;
}

static int read_children(struct analysis *a, Dwarf_Die *parent, uint32_t scope, int depth);

static int read_inlined(struct analysis *a, Dwarf_Die *die, uint32_t parent, int depth)
{
	const char *name = dwarf_diename(die), *file;
	uint32_t n = a->nscopes;

	/* clang's outlined function has nothing but its text, inlined. */
	if (name && outlined_name(name))
		return read_children(a, die, parent, depth);
	if (!room(a))
		return -1;
	file = die_file(die, DW_AT_decl_file);
	a->scopes[a->nscopes++] = (struct scope){ .parent = parent, .die = *die,
		.call_file = call_file(a, die), .call_line = call_line(die), .system = file &&
		source_is_system(file), .entry = BINARY_NONE };
	give(a, die, n);
	if (read_children(a, die, n, depth) < 0)
		return -1;
	a->scopes[n].last = a->nscopes - 1;
	return 0;
}

static int read_children(struct analysis *a, Dwarf_Die *parent, uint32_t scope, int depth)
{
	Dwarf_Die die;
	int ret = 0;

	if (depth > 200 || dwarf_child(parent, &die) != 0)
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			ret = read_inlined(a, &die, scope, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			ret = read_children(a, &die, scope, depth + 1);
			break;
		default:
			break;
		}
	} while (ret == 0 && dwarf_siblingof(&die, &die) == 0);
	return ret;
}

int analysis_scopes(struct analysis *a)
{
	a->scope_of = calloc(a->flow.ninsns + 1, sizeof *a->scope_of);
	if (!a->scope_of || !room(a))
		return -1;
	a->scopes[a->nscopes++] = (struct scope){ .parent = BINARY_NONE, .call_file = "",
		.entry = BINARY_NONE };
	if (a->code->unit && read_children(a, &a->code->die, 0, 0) < 0)
		return -1;
	a->scopes[0].last = a->nscopes - 1;
	return 0;
}
