/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds sections that read what others wrote, and rows that are written again before anybody read
 * them.  A row may be coarser than what is read of it: only what holds of most of the
 * rows of a structure is kept. */
#include "report/model/timeline_facts.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES = 24 };            /* that are kept */
#define CLEAR 0.5               /* of the rows that the reader reads: the writer wrote them last; or
				 * .. */
#define CLEAR_WRITTEN 0.9       /* .. of those that the writer writes: the reader reads them */
#define LEAST_ROWS 8            /* of a structure, for rows to say anything */
#define LEAST_STRUCTURE 0.01    /* of all accesses */
#define NEARLY_ALL 0.95         /* of the rows that the reader writes, for what nobody reads
				 * before */

/* By column of the axis and row: accesses; by column: the section that has most of them. */
struct grid {
	float *reads, *writes;
	int *reader, *writer;
	double *sum;                    /* by column * (regions + 1) + region */
};

static void add_map(const struct time_facts *f, int thread, const struct report_series *s,
	float *grid)
{
	const unsigned rows = (unsigned)f->t->rows;

	for (int i = 0; i < s->n; i++) {
		const int bin = time_axis_bin(&f->axis, thread, (int)(s->point[i].at / rows),
			f->columns);

		grid[(size_t)bin * rows + s->point[i].at % rows] += (float)s->point[i].value;
	}
}

static void add_sections(const struct time_facts *f, int structure, bool writes, struct grid *g,
	int *out)
{
	const size_t row = (size_t)f->t->nregions + 1;

	memset(g->sum, 0, (size_t)f->columns * row * sizeof *g->sum);
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const struct report_series *s = writes ? &c->writes : &c->reads;

		if (c->structure != structure + 1)
			continue;
		for (int p = 0; p < s->n; p++) {
			const int bin = time_axis_bin(&f->axis, c->thread, (int)s->point[p].at,
				f->columns);

			g->sum[(size_t)bin * row +
				(size_t)f->section[c->region]] += (double)s->point[p].value;
		}
	}
	for (int c = 0; c < f->columns; c++) {
		const double *sum = g->sum + (size_t)c * row;
		int best = 0;

		for (int r = 1; r <= f->t->nregions; r++)
			if (sum[r] > sum[best])
				best = r;
		out[c] = best;
	}
}

static void fill(const struct time_facts *f, int structure, struct grid *g)
{
	const size_t all = (size_t)f->columns * (size_t)f->t->rows;

	memset(g->reads, 0, all * sizeof *g->reads);
	memset(g->writes, 0, all * sizeof *g->writes);
	for (int i = 0; i < f->t->nmaps; i++) {
		const struct report_time_map *m = &f->t->maps[i];

		if (m->structure != structure + 1)
			continue;
		add_map(f, m->thread, &m->reads, g->reads);
		add_map(f, m->thread, &m->writes, g->writes);
	}
	add_sections(f, structure, false, g, g->reader);
	add_sections(f, structure, true, g, g->writer);
}

/* What the rows of one structure say of pairs of sections. */
struct pair {
	int writer, reader;
	int read, overwritten;          /* rows */
};
struct tally {
	struct pair *pair;
	int n, most;
	int *reads, *writes;            /* by region: rows that the section reads, writes */
	bool failed;
};

static struct pair *pair_of(struct time_facts *f, struct tally *t, int writer, int reader)
{
	for (int i = 0; i < t->n; i++)
		if (t->pair[i].writer == writer && t->pair[i].reader == reader)
			return &t->pair[i];
	if (t->n == t->most) {
		const size_t old = (size_t)t->most * sizeof *t->pair;
		struct pair *more = arena_grow(f->arena, t->pair, old, old ? 2 * old :
			16 * sizeof *more);

		if (!more) {
			t->failed = true;
			return NULL;
		}
		t->most = t->most ? 2 * t->most : 16;
		t->pair = more;
	}
	t->pair[t->n] = (struct pair){ .writer = writer, .reader = reader };
	return &t->pair[t->n++];
}

/* Whether the row already counts for a section, in this pass over it. */
enum { COUNTED_READ = 1, COUNTED_WRITE = 2, COUNTED_EDGE = 4, COUNTED_OVER = 8 };

/* One row from the first column to the last.  A section counts once for a row,
 * whatever it comes back for. */
static void follow(struct time_facts *f, const struct grid *g, int row, struct tally *t,
	unsigned char *seen)
{
	int last = 0;                   /* the section that wrote it last */
	bool unread = false;

	memset(seen, 0, (size_t)f->t->nregions + 1);
	for (int c = 0; c < f->columns; c++) {
		const size_t at = (size_t)c * (size_t)f->t->rows + (size_t)row;
		const int reader = g->reads[at] >= 1 ? g->reader[c] : 0,
			writer = g->writes[at] >= 1 ? g->writer[c] : 0;
		struct pair *p;

		if (reader) {
			t->reads[reader] += !(seen[reader] & COUNTED_READ);
			if (last && last != reader && !(seen[reader] & COUNTED_EDGE) &&
			    (p = pair_of(f, t, last, reader)))
				p->read++;
			seen[reader] |= COUNTED_READ | (last && last != reader ? COUNTED_EDGE : 0);
			unread = false;
		}
		if (writer) {
			t->writes[writer] += !(seen[writer] & COUNTED_WRITE);
			if (unread && last != writer && !(seen[writer] & COUNTED_OVER) &&
			    (p = pair_of(f, t, last, writer)))
				p->overwritten++;
			seen[writer] |= COUNTED_WRITE | (unread && last != writer ? COUNTED_OVER :
				0);
			unread = !reader;
			last = writer;
		}
	}
}

static void keep(struct time_facts *f, int structure, const struct tally *t)
{
	for (int i = 0; i < t->n; i++) {
		const struct pair *p = &t->pair[i];
		const double read = p->read ? (double)p->read / t->reads[p->reader] : 0;
		const double over = p->overwritten ? (double)p->overwritten / t->writes[p->reader] :
			0;

		if ((read >= CLEAR || p->read >= CLEAR_WRITTEN * t->writes[p->writer]) &&
		    p->read >= LEAST_ROWS && f->nedges < EDGES)
			f->edge[f->nedges++] = (struct time_edge){ structure, p->writer, p->reader,
				read, false };
		if (over >= NEARLY_ALL && p->overwritten >= LEAST_ROWS && f->nedges < EDGES)
			f->edge[f->nedges++] = (struct time_edge){ structure, p->writer, p->reader,
				over, true };
	}
}

static int make_grid(struct time_facts *f, struct grid *g, struct tally *t)
{
	const size_t columns = (size_t)f->columns, all = columns * (size_t)f->t->rows,
		regions = (size_t)f->t->nregions + 1;

	g->reads = arena_array(f->arena, all, sizeof *g->reads);
	g->writes = arena_array(f->arena, all, sizeof *g->writes);
	g->reader = arena_array(f->arena, columns, sizeof *g->reader);
	g->writer = arena_array(f->arena, columns, sizeof *g->writer);
	g->sum = arena_array(f->arena, columns * regions, sizeof *g->sum);
	t->reads = arena_array(f->arena, regions, sizeof *t->reads);
	t->writes = arena_array(f->arena, regions, sizeof *t->writes);
	f->edge = arena_array(f->arena, EDGES, sizeof *f->edge);
	return g->reads && g->writes && g->reader && g->writer && g->sum && t->reads && t->writes &&
		f->edge ? 0 : -1;
}

int time_edges_make(struct time_facts *f)
{
	const size_t regions = (size_t)f->t->nregions + 1;
	struct grid g;
	struct tally t = { 0 };
	unsigned char *seen = arena_alloc(f->arena, regions);

	if (!f->t->rows)
		return 0;
	if (!seen || make_grid(f, &g, &t))
		return -1;
	for (int i = 0; i < f->t->nstructures && !t.failed; i++) {
		const int structure = f->order[i];
		const struct time_structure *s = &f->structure[structure];

		if (s->share < LEAST_STRUCTURE || s->s->bytes < f->t->rows ||
		    (s->users > 1 && !f->ordered))
			continue;
		t.n = 0;
		memset(t.reads, 0, regions * sizeof *t.reads);
		memset(t.writes, 0, regions * sizeof *t.writes);
		fill(f, structure, &g);
		for (int r = 0; r < f->t->rows; r++)
			follow(f, &g, r, &t, seen);
		keep(f, structure, &t);
	}
	return t.failed ? -1 : 0;
}
