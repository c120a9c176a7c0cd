/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds notes to a report. */
#include "analysis/findings/findings.h"

int findings_note(struct report *r, const char *text)
{
	const char **notes = arena_grow(r->arena, r->notes, (size_t)r->nnotes * sizeof *notes,
		((size_t)r->nnotes + 1) * sizeof *notes);

	if (!notes || !text)
		return -1;
	r->notes = notes;
	notes[r->nnotes++] = text;
	return 0;
}
