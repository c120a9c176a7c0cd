/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rows of a timeline about how source lines' accesses move, of the
 * walks that were measured. */
#include "analysis/findings/line_walk_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/name_paths.h"
#include "analysis/measure/walks.h"

#define LEAST 0.01      /* share of the moves of its line that a row stands for; blocks all have
			 * one */

static struct report_line_walk row_of(const struct measured_walk *w,
	const struct line_walk_numbers *numbers)
{
	const double seen = (double)w->seen;

	return (struct report_line_walk){ .line = (int)w->line,
		.region = (int)numbers->region[w->context],
		.structure = (int)numbers->structure[w->object], .writes = w->store,
		.size = (int)w->size, .per = (int)w->per, .span = (int)w->bytes,
		.seen = (int64_t)w->seen, .step = w->step[0].step, .share = w->size &&
		seen > 0 ? (double)w->step[0].n / seen : NAN, .length = w->size || !w->seen ? NAN :
		(double)w->length / seen };
}

static int by_line(const void *a, const void *b)
{
	const struct report_line_walk *x = a, *y = b;
	const int c = strcmp(x->file, y->file);

	if (c)
		return c;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->region != y->region)
		return x->region < y->region ? -1 : 1;
	return x->seen != y->seen ? x->seen > y->seen ? -1 : 1 : x->structure - y->structure;
}

static bool same_line(const struct measured_walk *a, const struct measured_walk *b)
{
	return a->context == b->context && a->line == b->line;
}

/* Is it rare among those of its line?  They stand side by side, by context and line. */
static bool rare(const struct measurements *p, size_t at)
{
	const struct measured_walk *w = &p->walks[at];
	size_t first = at;
	double sum = 0;

	while (first > 0 && same_line(&p->walks[first - 1], w))
		first--;
	for (size_t i = first; i < p->nwalks && same_line(&p->walks[i], w); i++)
		sum += p->walks[i].size ? (double)p->walks[i].seen : 0;
	return w->size && (double)w->seen < LEAST * sum;
}

/* The file of a context's region; NULL: not known, or no memory. */
static const char *file_of(const struct measurements *p, uint32_t context, struct arena *arena)
{
	const uint32_t region = p->contexts[context].region;

	return region == SIR_NONE ? NULL :
		arena_strdup(arena, name_file(p->sir, p->sir->regions[region].file));
}

int findings_line_walks(const struct measurements *p, struct report *r, struct report_timeline *t,
	const struct line_walk_numbers *numbers)
{
	t->line_walks = arena_array(r->arena, p->nwalks, sizeof *t->line_walks);
	if (!t->line_walks)
		return -1;
	for (size_t i = 0; i < p->nwalks; i++) {
		const struct measured_walk *w = &p->walks[i];
		struct report_line_walk row = row_of(w, numbers);

		if (!row.line || !row.region || !row.structure || rare(p, i))
			continue;
		row.file = file_of(p, w->context, r->arena);
		if (row.file)
			t->line_walks[t->nline_walks++] = row;
	}
	if (t->nline_walks > 1)
		qsort(t->line_walks, (size_t)t->nline_walks, sizeof *t->line_walks, by_line);
	return 0;
}
