/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws structures by address and time: the points that are used, a line for what is not known
 * by address. */
#include "report/text/over_time.h"

#include <math.h>
#include <string.h>

#include "report/text/plot.h"

/* of a column's accesses, divided evenly among the points: fewer are no point */
#define NOISE 0.2
#define LEAST 0.02              /* of all accesses, for a structure to be drawn among others */
enum { ONE_LINES = 9, MISS_LINES = 6, LINES = 3, SHOWN = 5, CAPTIONS = 9 };

/* --- points ----------------------------------------------------------------------------------- */

/* Adds the accesses of a map, or its misses of the first level, by point of the plot; `from`,
 * `rows`: those of the map that are drawn. */
static void add_map(const struct over_time *o, const struct report_time_map *m,
	const struct plot *p, bool misses, int from, int rows, double *points)
{
	const struct report_series *const series[] = { misses ? &m->first_misses : &m->reads,
		&m->writes };
	const unsigned all = (unsigned)o->f->t->rows;

	for (int k = 0; k < (misses ? 1 : 2); k++)
		for (int i = 0; i < series[k]->n; i++) {
			const struct report_point *at = &series[k]->point[i];
			const int row = (int)(at->at % all) - from;

			if (row < 0 || row >= rows)
				continue;
			/* With fewer rows than points a row is several of these. */
			for (int y = row * p->rows / rows; y <= ((row + 1) * p->rows - 1) / rows;
				y++)
				time_axis_add(&o->f->axis, m->thread, (int)(at->at / all),
					(double)at->value, points + (size_t)y * (size_t)p->columns,
					p->columns);
		}
}

static void set_points(struct plot *p, const double *points)
{
	for (int x = 0; x < p->columns; x++) {
		double sum = 0;

		for (int y = 0; y < p->rows; y++)
			sum += points[(size_t)y * (size_t)p->columns + (size_t)x];
		for (int y = 0; y < p->rows; y++)
			if (points[(size_t)y * (size_t)p->columns + (size_t)x] >=
				fmax(0.5, NOISE * sum / p->rows))
				plot_set(p, x, y);
	}
}

/* The first and number of rows of the part that is used. */
static void used_rows(const struct time_facts *f, const struct time_structure *s, int *from,
	int *rows)
{
	int to = 0;

	*from = f->t->rows;
	for (int r = 0; r < f->t->rows; r++)
		if (s->row[r] != SHARING_NONE) {
			*from = r < *from ? r : *from;
			to = r + 1;
		}
	*rows = to - *from;
}

static int fill(struct over_time *o, int structure, bool misses, struct plot *p)
{
	double *points = arena_array(
		o->f->arena, (size_t)p->columns * (size_t)p->rows, sizeof *points);
	int from, rows;

	if (!points)
		return err_nomem(o->err);
	used_rows(o->f, &o->f->structure[structure], &from, &rows);
	for (int i = 0; i < o->f->t->nmaps && rows > 0; i++)
		if (o->f->t->maps[i].structure == structure + 1)
			add_map(o, &o->f->t->maps[i], p, misses, from, rows, points);
	set_points(p, points);
	return 0;
}

static int picture(struct over_time *o, int structure, bool misses, int lines,
	const char *const *caption)
{
	struct plot p;

	if (plot_new(&p, o->chars, lines))
		return err_nomem(o->err);
	if (fill(o, structure, misses, &p)) {
		plot_free(&p);
		return -1;
	}
	for (int i = 0; i < lines; i++) {
		over_time_label(o, caption[i] ? caption[i] : "");
		plot_line(&o->page.out, &p, i, o->style->unicode);
		page_end_line(&o->page);
	}
	plot_free(&p);
	return 0;
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* A lane of accesses; two: reads and writes. */
static int lanes(struct over_time *o, int structure, const char *one, const char *other)
{
	double *reads = over_time_lane(o), *writes = other ? over_time_lane(o) : reads, most;

	if (!reads || !writes)
		return -1;
	time_lane(o->f, structure, -1, reads, writes, o->chars);
	most = fmax(over_time_largest(reads, o->chars), over_time_largest(writes, o->chars));
	over_time_label(o, one);
	over_time_heights(o, reads, most);
	page_end_line(&o->page);
	if (other) {
		over_time_label(o, other);
		over_time_heights(o, writes, most);
		page_end_line(&o->page);
	}
	return 0;
}

/* --- one structure ---------------------------------------------------------------------------- */

/* Texts beside a picture, each at most a label wide. */
struct captions {
	struct buf text[CAPTIONS];
	const char *line[CAPTIONS];
	int n;
};

static struct buf *caption(struct captions *c)
{
	return &c->text[c->n++];
}

static void captions_ready(struct over_time *o, struct captions *c)
{
	for (int i = 0; i < c->n; i++) {
		o->page.out.failed |= c->text[i].failed;
		c->line[i] = buf_str(&c->text[i]);
	}
}

static void captions_free(struct captions *c)
{
	for (int i = 0; i < c->n; i++)
		buf_free(&c->text[i]);
}

static void count_of(struct captions *c, const struct time_facts *f, int64_t n, const char *what)
{
	timeline_count(caption(c), (double)n / f->t->executions);
	buf_puts(caption(c), what);
}

static void describe(struct captions *c, const struct time_facts *f, const struct time_structure *s)
{
	char miss[24];

	snprintf(miss, sizeof miss, "miss L%d", f->nearest + 1);
	buf_puts(caption(c), timeline_name(s));
	if (s->used <= 0.995) {
		struct buf *b = caption(c);

		timeline_share(b, s->used);
		buf_puts(b, " of");
	}
	if (s->s->bytes > 0)
		timeline_bytes(caption(c), (double)s->s->bytes);
	count_of(c, f, time_accesses(&s->sums), "accesses");
	count_of(c, f, s->sums.misses[f->nearest], miss);
	count_of(c, f, s->sums.memory, "from memory");
}

/* Are misses of a structure known by address? */
static bool has_misses(const struct time_facts *f, int structure)
{
	for (int i = 0; i < f->t->nmaps; i++)
		if (f->t->maps[i].structure == structure + 1 && f->t->maps[i].first_misses.n)
			return true;
	return false;
}

static int one(struct over_time *o, int structure)
{
	char level[24];
	const char *miss_captions[MISS_LINES] = { "where it", level };
	const struct time_structure *s = &o->f->structure[structure];
	struct captions c = { .n = 0 };
	struct buf claim = BUF_INIT, reading = BUF_INIT;
	int rc = 0;

	snprintf(level, sizeof level, "misses L%d", o->f->nearest + 1);
	timeline_structure_claim(&claim, o->f, structure);
	timeline_structure_reading(&reading, o->f, structure);
	over_time_claim(o, &claim);
	over_time_reading(o, &reading);
	buf_free(&claim);
	buf_free(&reading);
	page_end_line(&o->page);
	over_time_strip(o);
	describe(&c, o->f, s);
	captions_ready(o, &c);
	if (s->row)
		rc = picture(o, structure, false, ONE_LINES, c.line);
	captions_free(&c);
	if (!rc && has_misses(o->f, structure))
		rc = picture(o, structure, true, MISS_LINES, miss_captions);
	if (rc || lanes(o, structure, "reads", "writes") || over_time_misses(o, structure))
		return -1;
	over_time_axis(o);
	return over_time_lines(o, structure);
}

/* --- all that matter -------------------------------------------------------------------------- */

/* Marks the structures that are walked through alike, which one picture stands for, and names
 * them: "as b, c, a". */
static void find_alike(const struct over_time *o, int nth, bool *done, struct buf *names)
{
	const struct time_facts *f = o->f;
	int n = 0;

	for (int i = nth + 1; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[f->shown[i]];

		if (s->share < LEAST || done[i] || !s->row ||
			!timeline_same_walk(f, f->shown[nth], f->shown[i]))
			continue;
		done[i] = true;
		buf_printf(names, "%s%s", n++ ? ", " : "as ", timeline_name(s));
	}
}

/* Takes LENGTH bytes out of a text. */
static void cut(struct buf *b, char *at, size_t length)
{
	memmove(at, at + length, strlen(at + length) + 1);
	b->len -= length;
}

/* "51% of 10.3 MiB"; where that has no room "51% of 10.3MiB", else "51% of 10MiB". */
static void put_used(const struct over_time *o, struct buf *b, const struct time_structure *s)
{
	size_t room = (size_t)o->label - 1;
	char *space, *point;

	timeline_used(b, s);
	space = b->len > room ? strrchr(b->data, ' ') : NULL;
	if (!space)
		return;
	cut(b, space, 1);
	point = b->len > room ? strrchr(b->data, '.') : NULL;
	if (point && point < space)
		cut(b, point, (size_t)(space - point));
}

static int small_picture(struct over_time *o, int nth, bool *done)
{
	const int structure = o->f->shown[nth];
	const struct time_structure *s = &o->f->structure[structure];
	struct captions c = { .n = 0 };
	struct buf *last;
	int rc;

	buf_puts(caption(&c), timeline_name(s));
	put_used(o, caption(&c), s);
	last = caption(&c);
	if (s->row)
		find_alike(o, nth, done, last);
	if (!last->len) {
		timeline_share(last, s->share);
		buf_puts(last, " of all");
	}
	captions_ready(o, &c);
	rc = s->row ? picture(o, structure, false, LINES, c.line) :
		lanes(o, structure, c.line[0], NULL);
	captions_free(&c);
	return rc || !(s->sums.misses[o->f->nearest] > 0) ? rc :
		over_time_miss_lane(o, structure, o->f->nearest);
}

static int several(struct over_time *o)
{
	const int most = o->style->top > 0 ? o->style->top : SHOWN, n = o->f->t->nstructures;
	bool *done = arena_array(o->f->arena, (size_t)n, sizeof *done);
	int shown = 0;

	if (!done)
		return err_nomem(o->err);
	for (int i = 0; i < n && shown < most; i++) {
		if (done[i] || o->f->structure[o->f->shown[i]].share < LEAST)
			continue;
		shown++;
		if (small_picture(o, i, done))
			return -1;
	}
	return 0;
}

static int all(struct over_time *o)
{
	struct buf claim = BUF_INIT, reading = BUF_INIT, edges = BUF_INIT;
	int rc;

	timeline_claim(&claim, o->f, VIEW_TIMELINE);
	timeline_reading(&reading, o->f, VIEW_TIMELINE);
	timeline_edges(&edges, o->f);
	over_time_claim(o, &claim);
	over_time_reading(o, &reading);
	page_end_line(&o->page);
	over_time_strip(o);
	rc = several(o) || over_time_misses(o, -1) ? -1 : 0;
	if (!rc) {
		over_time_axis(o);
		rc = over_time_lines(o, -1);
		if (edges.len)
			page_end_line(&o->page);
		over_time_reading(o, &edges);
	}
	buf_free(&claim);
	buf_free(&reading);
	buf_free(&edges);
	return rc;
}

int over_time_timeline(struct over_time *o)
{
	int structure;

	if (!o->style->of)
		return all(o);
	structure = time_facts_find(o->f, o->style->of);
	return structure < 0 ? over_time_unknown(o) : one(o, structure);
}
