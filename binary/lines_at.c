/* SPDX-License-Identifier: BSD-3-Clause */
/* The line of one instruction, with the inlined calls around it. */
#include "binary/internal.h"

#include <dwarf.h>

struct chain {
	Dwarf_Die die[64];      /* the function, then the inlined ones inwards */
	uint32_t n;
};

static void follow(struct chain *c, Dwarf_Die *parent, uint64_t address, int depth)
{
	Dwarf_Die die;

	if (depth > 200 || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			if (dwarf_haspc(&die, address) <= 0)
				break;
			if (c->n < sizeof c->die / sizeof c->die[0])
				c->die[c->n++] = die;
			follow(c, &die, address, depth + 1);
			return;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			follow(c, &die, address, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void own_line(struct binary *b, struct dwarf_unit *u, uint64_t address,
	struct binary_line *to)
{
	Dwarf_Line *row = dwarf_getsrc_die(&u->skeleton, address);
	const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;

	if (!file || dwarf_lineno(row, &to->line) != 0)
		return;
	to->file = source_name(b->arena, u, file);
}

uint32_t binary_lines_at(struct binary *b, uint64_t address, struct binary_line *lines,
	uint32_t max)
{
	struct dwarf_unit *u = binary_unit_at(b, address);
	struct code_function *c = u ? code_index_at(unit_functions(b, u), address) : NULL;
	struct chain chain = { .n = 1 };
	uint32_t n;

	if (!c || !max)
		return 0;
	chain.die[0] = c->die;
	follow(&chain, &c->die, address, 0);
	n = chain.n < max ? chain.n : max;
	for (uint32_t i = 0; i < n; i++) {
		Dwarf_Die *die = &chain.die[chain.n - 1 - i];
		const char *name = die_name(b->arena, die), *file;
		Dwarf_Attribute a;
		Dwarf_Word line;

		lines[i] = (struct binary_line){ name ? name : "", "", 0 };
		if (i == 0) {
			own_line(b, u, address, &lines[0]);
			continue;
		}
		/* The line in this function is that of the call of the one inside. */
		file = die_file(die + 1, DW_AT_call_file);
		lines[i].file = file ? source_name(b->arena, u, file) : "";
		lines[i].line = dwarf_formudata(dwarf_attr(die + 1, DW_AT_call_line, &a), &line) ==
			0 ? (int)line : 0;
	}
	return n;
}
