/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of a function's instructions, by the line table of its unit. */
#include "binary/analysis.h"

#include <stdlib.h>

/* The last row of the table at or before the address; n: there is none. */
static size_t row_at(Dwarf_Lines *rows, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		Dwarf_Addr at;

		if (dwarf_lineaddr(dwarf_onesrcline(rows, mid), &at) == 0 && at <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : n;
}

static struct source_line read_row(struct analysis *a, Dwarf_Line *row)
{
	struct source_line l = { "", 0 };
	const char *file = dwarf_linesrc(row, NULL, NULL);
	bool end;

	if (dwarf_lineendsequence(row, &end) != 0 || end || !file ||
	    dwarf_lineno(row, &l.line) != 0)
		return (struct source_line){ "", 0 };
	l.file = source_name(a->b->arena, a->code->unit, file);
	return l;
}

void analysis_lines(struct analysis *a)
{
	Dwarf_Lines *rows;
	size_t n, row;
	struct source_line at = { "", 0 };

	for (uint32_t i = 0; i < a->flow.ninsns; i++)
		a->lines[i] = at;
	if (!a->code->unit || dwarf_getsrclines(&a->code->unit->skeleton, &rows, &n) != 0 ||
	    !a->flow.ninsns)
		return;
	row = n;
	for (uint32_t i = 0; i < a->flow.ninsns; i++) {
		uint64_t address = a->flow.insns[i].address;
		Dwarf_Addr next;

		if (row == n ||
		    (i && address != a->flow.insns[i - 1].address + a->flow.insns[i - 1].length)) {
			row = row_at(rows, n, address);
			if (row < n)
				at = read_row(a, dwarf_onesrcline(rows, row));
		}
		for (; row + 1 < n && dwarf_lineaddr(dwarf_onesrcline(rows, row + 1), &next) == 0 &&
		    next <= address; row++)
			at = read_row(a, dwarf_onesrcline(rows, row + 1));
		a->lines[i] = row < n ? at : (struct source_line){ "", 0 };
	}
}

struct source_line analysis_level_line(const struct analysis *a, uint32_t insn, uint32_t scope)
{
	uint32_t s = a->scope_of[insn];

	if (s == scope)
		return a->lines[insn];
	if (s < scope || s > a->scopes[scope].last)
		return (struct source_line){ "", 0 };
	while (a->scopes[s].parent != scope)
		s = a->scopes[s].parent;
	return (struct source_line){ a->scopes[s].call_file, a->scopes[s].call_line };
}
