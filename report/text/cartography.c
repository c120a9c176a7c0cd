/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws who uses which addresses: a lane a thread, in it the thread that touched the place
 * first. */
#include "report/text/over_time.h"

#include <string.h>

#define LEAST 0.01              /* of all accesses, for a structure to be drawn */
#define SOME 5                  /* per cent of the lines of a character's rows */
enum { SHOWN = 4, LANES = 8 };

/* The rows of a structure that are drawn, and a character of them. */
struct part {
	const struct time_structure *s;
	int from, rows;
};

static void bounds(const struct over_time *o, const struct part *p, int i, int *from, int *to)
{
	*from = p->from + i * p->rows / o->chars;
	*to = p->from + (i + 1) * p->rows / o->chars;
	if (*to <= *from)
		*to = *from + 1;
}

/* What most of the character's touched rows are. */
static enum time_sharing sharing_at(const struct over_time *o, const struct part *p, int i)
{
	int from, to, n[SHARINGS] = { 0 }, best = SHARING_NONE;

	bounds(o, p, i, &from, &to);
	for (int r = from; r < to; r++)
		n[p->s->row[r]]++;
	for (int k = SHARING_PRIVATE; k < SHARINGS; k++)
		if (n[k] > (best == SHARING_NONE ? 0 : n[best]))
			best = k;
	return (enum time_sharing)best;
}

static char toucher_at(const struct over_time *o, const struct part *p, int i)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	int from, to;

	bounds(o, p, i, &from, &to);
	for (int r = from; r < to; r++)
		if (p->s->row[r] != SHARING_NONE && p->s->first[r] >= 0)
			return p->s->first[r] < (int)sizeof digits - 1 ? digits[p->s->first[r]] :
				'+';
	return '?';
}

/* Marks the rows that a thread uses. */
static void mark(const struct over_time *o, int structure, int thread, bool *uses)
{
	memset(uses, 0, (size_t)o->f->t->rows * sizeof *uses);
	for (int i = 0; i < o->f->t->nmaps; i++) {
		const struct report_time_map *m = &o->f->t->maps[i];
		const struct report_series *const s[] = { &m->reads, &m->writes };

		if (m->structure != structure + 1 || m->thread != thread)
			continue;
		for (int k = 0; k < 2; k++)
			for (int p = 0; p < s[k]->n; p++)
				uses[s[k]->point[p].at % (unsigned)o->f->t->rows] = true;
	}
}

static void put_lane(struct over_time *o, const struct part *p, const bool *uses)
{
	for (int i = 0; i < o->chars; i++) {
		int from, to;
		bool used = false;

		bounds(o, p, i, &from, &to);
		for (int r = from; r < to; r++)
			used |= uses[r];
		if (used)
			buf_printf(&o->page.out, "%c", toucher_at(o, p, i));
		else
			buf_puts(&o->page.out, o->style->unicode ? "·" : ".");
	}
	page_end_line(&o->page);
}

/* Are lines of the character's rows written by several threads, though most are not? */
static bool some_written(const struct over_time *o, const struct part *p, int i)
{
	int from, to, written = 0;

	bounds(o, p, i, &from, &to);
	for (int r = from; r < to; r++)
		written += p->s->row_parts[r * SHARINGS + SHARING_WRITTEN];
	return written >= SOME * (to - from);
}

static void put_classes(struct over_time *o, const struct part *p)
{
	static const char letters[SHARINGS] = {
		[SHARING_NONE] = ' ',
		[SHARING_PRIVATE] = 'p',
		[SHARING_HANDED] = 'h',
		[SHARING_READ] = 'r',
		[SHARING_WRITTEN] = 'W',
	};

	over_time_label(o, "");
	for (int i = 0; i < o->chars; i++) {
		const enum time_sharing most = sharing_at(o, p, i);

		buf_printf(&o->page.out, "%c", most != SHARING_WRITTEN && some_written(o, p, i) ?
			'w' : letters[most]);
	}
	page_end_line(&o->page);
}

/* "    table  0" of the first lane, "  16 MiB  1" of the second. */
static void lane_label(struct over_time *o, const struct time_structure *s, int nth, int thread)
{
	struct buf b = BUF_INIT, label = BUF_INIT;

	if (nth == 0)
		buf_puts(&b, timeline_name(s));
	else if (nth == 1)
		timeline_bytes(&b, (double)s->s->bytes);
	buf_printf(&label, "%s %2d", buf_str(&b), thread);
	label.failed |= b.failed;
	buf_free(&b);
	over_time_label_buf(o, &label);
}

static bool is_user(const struct over_time *o, int structure, int thread)
{
	return time_accesses(
		&o->f->both[(size_t)structure * (size_t)o->f->t->threads + (size_t)thread]) >
		0;
}

/* 1; 0: nothing of it is drawn; -1: no memory. */
static int put_structure(struct over_time *o, int structure, bool *uses)
{
	const struct time_structure *s = &o->f->structure[structure];
	struct part p = { .s = s, .from = -1 };
	struct buf said = BUF_INIT;
	int lanes = 0, users = 0;

	for (int r = 0; r < o->f->t->rows; r++)
		if (s->row[r] != SHARING_NONE) {
			p.from = p.from < 0 ? r : p.from;
			p.rows = r + 1 - p.from;
		}
	if (p.rows <= 0)
		return 0;
	page_end_line(&o->page);
	put_classes(o, &p);
	for (int k = 0; k < o->f->t->threads; k++) {
		if (!is_user(o, structure, k))
			continue;
		if (users++ >= LANES)
			continue;
		mark(o, structure, k, uses);
		lane_label(o, s, lanes++, k);
		put_lane(o, &p, uses);
	}
	if (over_time_miss_rows(o, structure, p.from, p.rows))
		return -1;
	buf_puts(&said, timeline_name(s));
	if (s->used <= 0.995) {
		buf_puts(&said, " (");
		timeline_used(&said, s);
		buf_puts(&said, ")");
	}
	buf_puts(&said, ": ");
	timeline_sharing(&said, o->f, structure);
	if (users > LANES)
		buf_printf(&said, "; %d more threads use it", users - LANES);
	over_time_label(o, "");
	page_wrap_buf(&o->page, o->label, o->label, &said);
	buf_free(&said);
	return 1;
}

static void head(struct over_time *o)
{
	struct buf b = BUF_INIT;

	timeline_claim(&b, o->f, VIEW_CARTOGRAPHY);
	over_time_claim(o, &b);
	buf_clear(&b);
	timeline_reading(&b, o->f, VIEW_CARTOGRAPHY);
	if (o->f->t->rows)
		buf_printf(&b,
			" A digit is the thread that touched the place first; a lane of its own "
			"digit uses its own pages. Letters: p "
			"private, h handed over, r read only, W written by several (w: some "
			"lines). "
			"miss L%d: where the structure misses the nearest level.",
			o->f->nearest + 1);
	over_time_reading(o, &b);
	buf_free(&b);
}

int over_time_cartography(struct over_time *o)
{
	const int most = o->style->top > 0 ? o->style->top : SHOWN;
	bool *uses = arena_array(o->f->arena, (size_t)o->f->t->rows + 1, sizeof *uses);
	int shown = 0;

	if (!uses)
		return err_nomem(o->err);
	head(o);
	for (int i = 0; i < o->f->t->nstructures && shown < most; i++) {
		const struct time_structure *s = &o->f->structure[o->f->shown[i]];
		int drawn;

		if (!s->row || s->share < LEAST)
			continue;
		drawn = put_structure(o, o->f->shown[i], uses);
		if (drawn < 0)
			return -1;
		shown += drawn;
	}
	return 0;
}
