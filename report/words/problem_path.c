/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the search path of a problem in a line: the regions from the phase to the place, and
 * the data structures there. */
#include "report/words/problem_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/words.h"

enum { STRUCTURES = 6 };        /* names at the end of a path */
static const char between[] = " > ", left_out[] = "..";

/* --- one step --------------------------------------------------------------------------------- */

static bool is_fortran(const char *file)
{
	const char *dot = file ? strrchr(file, '.') : NULL;

	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

/* "do", "loop", "parallel": a region as its language calls it. */
static void put_kind(struct buf *b, const struct report_node *n)
{
	const char *kind = region_type_name(n->type), *end = strstr(kind, "_REGION");

	if (n->type == REGION_LOOP || n->type == REGION_WORKSHARE_DO) {
		buf_puts(b, is_fortran(n->file) ? "do" : n->type == REGION_LOOP ? "loop" : "for");
		return;
	}
	for (const char *s = kind; *s && s != end; s++)
		buf_printf(b, "%c", *s == '_' ? ' ' : tolower((unsigned char)*s));
}

/* "buts", "do 75", "do jacld.f:52" where that is another file than the step before is in. */
static void put_region(struct buf *b, const struct report_node *n, const char *file)
{
	bool called = n->type == REGION_SUB || n->type == REGION_MAIN || n->type == REGION_CALL ||
		n->type == REGION_USER;

	if (called && text_some(n->name)) {
		buf_puts(b, n->name);
		return;
	}
	put_kind(b, n);
	if (n->line <= 0)
		return;
	buf_puts(b, " ");
	if (text_some(n->file) && !text_same(n->file, file))
		buf_printf(b, "%s:", n->file);
	buf_printf(b, "%d", n->line);
}

static void put_phase(struct buf *b, const struct report_node *n)
{
	if (text_some(n->file))
		words_line(b, n->file, n->line);
	else
		put_region(b, n, NULL);
}

/* "v (= rsd), u, ..": the first `most` data structures. */
static void put_structures(struct buf *b, const struct report_problem *p, int most)
{
	for (int i = 0; i < p->nstructures && i < most; i++) {
		const struct report_node *n = report_place(p->structures[i]);

		buf_printf(b, "%s%s", i ? ", " : "", n->name);
		if (text_some(n->alias_of))
			buf_printf(b, " (= %s)", n->alias_of);
	}
	if (p->nstructures > most)
		buf_printf(b, ", %s", left_out);
}

/* --- all of them ------------------------------------------------------------------------------ */

struct steps {
	struct buf *step;
	int n;
};

/* A call and the subroutine that it enters are one step. */
static bool is_call_of(const struct report_finding *f, int i)
{
	return f->path[i].type == REGION_CALL && i + 1 < f->npath &&
		f->path[i + 1].type == REGION_SUB;
}

/* Instead of one of several passes, their number. */
static void put_regions(struct steps *s, const struct report *r, const struct report_problem *p)
{
	const struct report_finding *f = p->lead;
	const int around = report_problem_around(p);
	const char *file = NULL;

	for (int i = 0; i < around; i++) {
		const struct report_node *n = &f->path[i];

		if (is_call_of(f, i))
			continue;
		if (i == 0 && r->bursts)        /* calling contexts are not told apart */
			buf_puts(&s->step[s->n++], "all callers");
		else if (i == 0)
			put_phase(&s->step[s->n++], n);
		else
			put_region(&s->step[s->n++], n, file);
		file = n->file;
	}
	if (p->npasses)
		buf_printf(&s->step[s->n++], "%d loops", p->npasses);
}

static int columns(const struct steps *s, int i)
{
	return page_columns(buf_str(&s->step[i]));
}

static int columns_of_all(const struct steps *s)
{
	int sum = 0;

	for (int i = 0; i < s->n; i++)
		sum += columns(s, i) + (i ? (int)strlen(between) : 0);
	return sum;
}

/* Names as many as there is room for beside all other steps, at least one. */
static void fit_structures(struct steps *s, const struct report_problem *p, int width)
{
	struct buf *last = &s->step[s->n - 1];
	int most = STRUCTURES;

	do {
		buf_clear(last);
		put_structures(last, p, most);
	} while (--most > 0 && width > 0 && columns_of_all(s) > width);
}

/* Leaves steps out, so that first, last and those nearest to the last remain as far as there is
 * room: those from *from to before *to. */
static void leave_out(const struct steps *s, int width, int *from, int *to)
{
	const int gap = (int)strlen(left_out) + (int)strlen(between), step = (int)strlen(between);
	int room = width - columns(s, s->n - 1) - gap;

	*from = 0;
	*to = s->n - 1;
	if (columns(s, 0) + step > room)
		return;
	room -= columns(s, 0) + step;
	*from = 1;
	while (*to - 1 > *from && columns(s, *to - 1) + step <= room)
		room -= columns(s, --*to) + step;
	while (*from + 1 < *to && columns(s, *from) + step <= room)
		room -= columns(s, (*from)++) + step;
}

static void put_steps(struct buf *b, const struct steps *s, int width)
{
	int from = s->n, to = s->n;

	if (width > 0 && columns_of_all(s) > width)
		leave_out(s, width, &from, &to);
	for (int i = 0; i < s->n; i++) {
		if (i > from && i < to)
			continue;
		buf_puts(b, i ? between : "");
		if (i >= from && i < to)
			buf_puts(b, left_out);
		else
			buf_add_buf(b, &s->step[i]);
	}
}

void problem_path(struct buf *b, const struct report *r, const struct report_problem *p, int width)
{
	/* The regions, "N loops", the structures. */
	struct steps s = { .step = calloc((size_t)p->lead->npath + 2, sizeof *s.step) };

	if (!s.step) {
		b->failed = true;
		return;
	}
	put_regions(&s, r, p);
	if (s.n && p->nstructures) {
		s.n++;
		fit_structures(&s, p, width);
	}
	if (s.n > 1)
		put_steps(b, &s, width);
	for (int i = 0; i < s.n; i++) {
		b->failed |= s.step[i].failed;
		buf_free(&s.step[i]);
	}
	free(s.step);
}
