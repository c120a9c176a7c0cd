/* SPDX-License-Identifier: BSD-3-Clause */
/* Says of each row of a structure whose it is, and which part of the structure is used at all.
 * Where the use of cache lines is known, a row is of the kind of most of its lines. */
#include "report/model/timeline_facts.h"

#include <math.h>

#define NEARLY_ALL 0.9          /* of the rows, first touched by one thread */
#define SURELY_DRAWN 4  /* samples that a row that is used has on average, or the others may be so,
			 * too */

/* What a row's users are, in the executions. */
struct users {
	int n, writers;                 /* of threads */
	int one;                        /* the last of them */
	int writer;
	int first;                      /* that used it first: by column of the axis */
	double at;                      /* share of the axis at which it did */
	bool first_reads;               /* the first toucher reads it */
	bool first_writes;
};

/* Marks by row what a thread does there, and when it begins. */
static void mark(const struct time_facts *f, const struct report_time_map *m,
	const struct report_series *s, bool *does, double *begin)
{
	for (int i = 0; i < s->n; i++) {
		const int row = (int)(s->point[i].at % (unsigned)f->t->rows);
		double from, to;

		time_axis_column(&f->axis, m->thread, (int)(s->point[i].at / (unsigned)f->t->rows),
			&from, &to);
		if (begin[row] < 0 || from < begin[row])
			begin[row] = from;
		does[row] = true;
	}
}

/* Memory for one thread at a time: by row. */
struct work {
	bool *reads, *writes;           /* by thread * rows + row */
	double *begin;
	struct users *users;            /* by row */
};

static void use(struct users *u, int thread, bool writes, double begin)
{
	u->n++;
	u->one = thread;
	if (writes) {
		u->writers++;
		u->writer = thread;
	}
	if (u->first < 0 || begin < u->at) {
		u->first = thread;
		u->at = begin;
	}
}

static void find_users(const struct time_facts *f, int structure, struct work *w)
{
	const int rows = f->t->rows;

	for (int r = 0; r < rows; r++)
		w->users[r] = (struct users){ .first = -1, .one = -1, .writer = -1 };
	for (int i = 0; i < f->t->threads * rows; i++) {
		w->reads[i] = w->writes[i] = false;
		w->begin[i] = -1;
	}
	for (int i = 0; i < f->t->nmaps; i++) {
		const struct report_time_map *m = &f->t->maps[i];
		const size_t at = (size_t)m->thread * (size_t)rows;

		if (m->structure != structure + 1)
			continue;
		mark(f, m, &m->reads, w->reads + at, w->begin + at);
		mark(f, m, &m->writes, w->writes + at, w->begin + at);
	}
	for (int i = 0; i < f->t->threads * rows; i++)
		if (w->begin[i] >= 0)
			use(&w->users[i % rows], i / rows, w->writes[i], w->begin[i]);
}

static enum time_sharing sharing_of(const struct users *u, int first)
{
	if (!u->n)
		return SHARING_NONE;
	if (u->n == 1)
		return first < 0 || first == u->one ? SHARING_PRIVATE : SHARING_HANDED;
	if (u->n == 2 && first >= 0 && u->first_writes && !u->first_reads)
		return SHARING_HANDED;
	return u->writers == 0 || (u->writers == 1 && u->writer == first) ? SHARING_READ :
		SHARING_WRITTEN;
}

/* A row is coarser than a line: where the private parts of two threads meet, it is of both.  Unless
 * they took lines of this structure from each other, no line of the row need be shared. */
static bool is_border(const struct time_structure *s, const struct users *u, int row, int rows)
{
	return s->row[row] > SHARING_PRIVATE && !s->sums.coherent && row > 0 && row + 1 < rows &&
		u[row - 1].n == 1 && u[row + 1].n == 1 && u[row - 1].one != u[row + 1].one &&
		s->row[row - 1] == SHARING_PRIVATE && s->row[row + 1] == SHARING_PRIVATE;
}

/* --- by line -------------------------------------------------------------------------------- */

/* Lines of a row by kind; `all` 0: not known. */
struct lines { int64_t of[LINE_USES], all; };

/* The lines of all rows; NULL: nothing is known of them, or no memory. */
static struct lines *lines_by_row(const struct time_facts *f, const struct report_series *s)
{
	struct lines *lines = s->n ? arena_array(f->arena, (size_t)f->t->rows, sizeof *lines) :
		NULL;

	for (int i = 0; lines && i < s->n; i++) {
		struct lines *row = &lines[s->point[i].at / LINE_USES];

		row->of[s->point[i].at % LINE_USES] += s->point[i].value;
		row->all += s->point[i].value;
	}
	return lines;
}

/* Whose the lines of a kind are.  Which thread wrote a line first is known of its row alone: lines
 * that one thread writes are its own that touched the row first if nobody else writes the row. */
static enum time_sharing line_sharing(enum line_use use, const struct users *u, int first)
{
	switch (use) {
	case LINE_ONE:
		return u->n == 1 && first >= 0 && first != u->one ? SHARING_HANDED :
			SHARING_PRIVATE;
	case LINE_READ:
		return SHARING_READ;
	case LINE_ONE_WRITES:
		return u->n > 1 && u->writers < 2 ? sharing_of(u, first) : SHARING_WRITTEN;
	default:
		return SHARING_WRITTEN;
	}
}

/* Adds the parts of a row's lines to those of the structure, tells them per cent, and returns the
 * kind of most. */
static enum time_sharing of_lines(struct time_structure *s, const struct lines *lines,
	const struct users *u, int first, unsigned char *per_cent)
{
	double part[SHARINGS] = { 0 };
	enum time_sharing most = SHARING_PRIVATE;

	for (enum line_use k = 0; k < LINE_USES; k++)
		part[line_sharing(k, u, first)] += (double)lines->of[k] / (double)lines->all;
	for (enum time_sharing k = SHARING_PRIVATE; k < SHARINGS; k++) {
		s->sharing[k] += part[k];
		per_cent[k] = (unsigned char)lround(100 * part[k]);
		if (part[k] > part[most])
			most = k;
	}
	return most;
}

/* --- structures ------------------------------------------------------------------------------ */

/* Ends, holes and first touchers. */
static void sum_up(struct time_facts *f, int structure)
{
	struct time_structure *s = &f->structure[structure];
	const int rows = f->t->rows, all = s->s->pieces ? s->s->pieces : rows;
	int touched = 0, from = -1, to = -1, *by = arena_array(f->arena, (size_t)f->t->threads,
		sizeof *by);

	for (int r = 0; r < rows; r++) {
		if (s->row[r] == SHARING_NONE)
			continue;
		touched++;
		from = from < 0 ? r : from;
		to = r;
		if (by && s->first[r] >= 0)
			by[s->first[r]]++;
	}
	if (!touched)
		return;
	s->sharing[SHARING_NONE] = 1 - (double)touched / all;
	for (int k = SHARING_PRIVATE; k < SHARINGS; k++)
		s->sharing[k] /= touched;
	for (int k = SHARING_PRIVATE; k < SHARINGS; k++)
		if (s->sharing[k] > (s->most ? s->sharing[s->most] : 0))
			s->most = (enum time_sharing)k;
	if (time_row_bytes(f->t, s->s) * (double)time_accesses(&s->sums) >= (double)s->sums.bytes)
		s->touched = (double)touched / all;
	s->thin = time_accesses(&s->sums) < (int64_t)SURELY_DRAWN * TIMELINE_DRAWN * touched;
	for (int k = 0; by && k < f->t->threads; k++)
		if (by[k] >= NEARLY_ALL * touched)
			s->toucher = k;
	if (s->from < 0 && s->s->bytes > 0 && !s->s->pieces) {
		s->from = s->s->bytes * from / rows;
		s->to = s->s->bytes * (to + 1) / rows - 1;
	}
}

static int classify(struct time_facts *f, int structure, const struct work *w)
{
	struct time_structure *s = &f->structure[structure];
	const struct lines *lines = lines_by_row(f, &s->s->lines);
	const int rows = f->t->rows;

	s->row = arena_array(f->arena, (size_t)rows, sizeof *s->row);
	s->row_parts = arena_array(f->arena, (size_t)rows * SHARINGS, sizeof *s->row_parts);
	s->first = arena_array(f->arena, (size_t)rows, sizeof *s->first);
	if (!s->row || !s->row_parts || !s->first)
		return -1;
	for (int r = 0; r < rows; r++) {
		struct users *u = &w->users[r];
		const int touched = (int)series_at(&s->s->toucher, (uint32_t)r) - 1;
		/* Without order nobody knows who was first in the executions; a row that is not
		 * known since the begin stays so. */
		const int counted = s->s->touched != TOUCH_BEGIN && (f->ordered || u->n == 1) ?
			u->first : -1;
		const int first = touched >= 0 && touched < f->t->threads ? touched : counted;

		if (first >= 0) {
			u->first_reads = w->reads[first * rows + r];
			u->first_writes = w->writes[first * rows + r];
		}
		s->row[r] = (unsigned char)(u->n && lines && lines[r].all ? of_lines(s, &lines[r],
			u, first, &s->row_parts[r * SHARINGS]) : sharing_of(u, first));
		s->first[r] = (short)first;
	}
	for (int r = 0; r < rows; r++) {
		if (lines && lines[r].all)
			continue;
		if (is_border(s, w->users, r, rows))
			s->row[r] = SHARING_PRIVATE;
		s->sharing[s->row[r]]++;
	}
	sum_up(f, structure);
	return 0;
}

static bool has_map(const struct report_timeline *t, int structure)
{
	for (int i = 0; i < t->nmaps; i++)
		if (t->maps[i].structure == structure + 1)
			return true;
	return false;
}

/* From what each thread does alone. */
static void without_rows(struct time_structure *s)
{
	if (s->users == 1)
		s->most = SHARING_PRIVATE;
	else if (s->users > 1 && !s->sums.writes)
		s->most = SHARING_READ;
}

int time_sharing_make(struct time_facts *f)
{
	const size_t rows = (size_t)f->t->rows, all = rows * (size_t)f->t->threads;
	struct work w = { arena_array(f->arena, all, sizeof *w.reads), arena_array(f->arena, all,
		sizeof *w.writes), arena_array(f->arena, all, sizeof *w.begin),
		arena_array(f->arena, rows, sizeof *w.users) };

	if (!w.reads || !w.writes || !w.begin || !w.users)
		return -1;
	for (int i = 0; i < f->t->nstructures; i++) {
		struct time_structure *s = &f->structure[i];

		if (!rows || !has_map(f->t, i)) {
			without_rows(s);
		} else {
			find_users(f, i, &w);
			if (classify(f, i, &w))
				return -1;
		}
		if (s->from >= 0 && s->to >= s->from && s->s->bytes > 0)
			s->used = fmin(1, (double)(s->to - s->from + 1) / (double)s->s->bytes);
	}
	return 0;
}
