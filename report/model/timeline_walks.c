/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds how structures are walked through, from the rows that each thread uses in each column. */
#include "report/model/timeline_facts.h"

#include <math.h>
#include <string.h>

#define LEAST_STEP 0.02         /* of a structure's accesses, in a run that is told */
/* of the accesses of a step, for the kinds of its misses to say how it goes */
#define LEAST_MISSES 0.01
#define LEAST_COLUMNS 3         /* of a walk */
#define STRAIGHT 0.8            /* r2 of the mean row over the column: one walk from end to end */
#define MOVES 0.3               /* of the rows used: a walk moves at least so far */
#define NEARLY_ALL 0.7          /* of the rows used in one column: no direction shows */
/* times as many bytes accessed as covered: several walks in a column */
#define MANY 3.0
#define AGAIN 2.0               /* as many: each part is used again */
#define MIXED_ENDS 8            /* columns of a run from which on those at its ends are left out */
#define FULL_LINES 0.5          /* bytes accessed for each byte of a line that misses, in streams */
#define MOST_MISSES 0.4         /* of a step's misses, by walks of one stride */
/* of the steps between columns, for several walks of one direction */
#define ONE_WAY 0.7
/* bytes, where the model does not say; strides that are compared */
enum { LINE = 64, STRIDES = 16 };

/* What a thread uses of a structure in one of its columns. */
struct place {
	int column, run;
	/* accesses; their mean row; the rows that so many accesses spread over evenly */
	double n, mean, width;
	int low, high;
};

struct rows {
	double n, sum, square;
	int low, high;
};

static void count_rows(const struct report_timeline *t, const struct report_series *s,
	struct rows *at)
{
	for (int i = 0; i < s->n; i++) {
		const int row = (int)(s->point[i].at % (unsigned)t->rows);
		const double n = (double)s->point[i].value;
		struct rows *r = &at[s->point[i].at / (unsigned)t->rows];

		if (r->n <= 0 || row < r->low)
			r->low = row;
		if (r->n <= 0 || row > r->high)
			r->high = row;
		r->n += n;
		r->sum += n * row;
		r->square += n * row * row;
	}
}

/* Fills in the columns in which the map has accesses; returns their number. */
static int find_places(const struct time_facts *f, const struct report_time_map *m,
	struct rows *rows, struct place *out)
{
	int n = 0;

	memset(rows, 0, (size_t)f->columns * sizeof *rows);
	count_rows(f->t, &m->reads, rows);
	count_rows(f->t, &m->writes, rows);
	for (int c = 0; c < f->columns; c++) {
		const struct rows *r = &rows[c];
		double mean, spread;

		if (r->n <= 0)
			continue;
		mean = r->sum / r->n;
		spread = fmax(0, r->square / r->n - mean * mean);
		out[n++] = (struct place){ c,
			time_run_at(f, time_axis_bin(&f->axis, m->thread, c, f->columns)), r->n,
			mean,
			fmin(1 + sqrt(12 * spread), r->high - r->low + 1), r->low, r->high };
	}
	return n;
}

struct line {
	double slope, r2;
};

static struct line fit(const struct place *p, int n)
{
	double w = 0, mx = 0, my = 0, xx = 0, xy = 0, yy = 0;

	for (int i = 0; i < n; i++) {
		w += p[i].n;
		mx += p[i].n * p[i].column;
		my += p[i].n * p[i].mean;
	}
	mx /= w;
	my /= w;
	for (int i = 0; i < n; i++) {
		const double x = p[i].column - mx, y = p[i].mean - my;

		xx += p[i].n * x * x;
		xy += p[i].n * x * y;
		yy += p[i].n * y * y;
	}
	return (struct line){ xx > 0 ? xy / xx : 0, xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0 };
}

/* Several walks of one direction: most steps go that way, and a few lead back over half of the rows
 * or more. */
static enum time_walk several(const struct place *p, int n, double used, int *passes)
{
	int up = 0, down = 0, back_up = 0, back_down = 0;

	for (int i = 1; i < n; i++) {
		const double step = p[i].mean - p[i - 1].mean;

		up += step > 0;
		down += step < 0;
		back_up += step < -used / 2;
		back_down += step > used / 2;
	}
	if (up >= ONE_WAY * (n - 1) && back_up) {
		*passes = back_up + 1;
		return WALK_UPS;
	}
	if (down >= ONE_WAY * (n - 1) && back_down) {
		*passes = back_down + 1;
		return WALK_DOWNS;
	}
	return WALK_MIXED;
}

/* What a thread's columns of one run say. */
struct seen {
	enum time_walk walk;
	int passes;
	double n, window;               /* accesses; rows in a column, mean */
	int low, high;                  /* rows */
};

static struct seen look(const struct place *p, int n)
{
	struct seen s = { .walk = WALK_UNKNOWN, .low = p[0].low, .high = p[0].high };
	struct line line;
	double used;

	for (int i = 0; i < n; i++) {
		s.n += p[i].n;
		s.window += p[i].n * p[i].width;
		s.low = p[i].low < s.low ? p[i].low : s.low;
		s.high = p[i].high > s.high ? p[i].high : s.high;
	}
	s.window /= s.n;
	used = s.high - s.low + 1;
	if (n < LEAST_COLUMNS)
		return s;
	line = fit(p, n);
	if (used < LEAST_COLUMNS)
		s.walk = WALK_STAY;
	else if (s.window >= NEARLY_ALL * used)
		s.walk = WALK_ALL;
	else if (line.r2 >= STRAIGHT &&
		fabs(line.slope) * (p[n - 1].column - p[0].column) >= MOVES * used)
		s.walk = line.slope > 0 ? WALK_UP : WALK_DOWN;
	else
		s.walk = several(p, n, used, &s.passes);
	return s;
}

/* Of all threads: each walk has the accesses of the threads that walk so. */
struct votes {
	double n[WALK_MIXED + 1], all, window;
	int passes;
	bool *touched;                  /* by row */
};

static void vote(struct votes *v, const struct seen *s)
{
	v->n[s->walk] += s->n;
	v->all += s->n;
	v->window += s->n * s->window;
	if (s->passes > v->passes)
		v->passes = s->passes;
}

static enum time_walk decide(const struct votes *v)
{
	int best = WALK_UNKNOWN;

	for (int k = 0; k <= WALK_MIXED; k++)
		if (v->n[k] > v->n[best])
			best = k;
	return v->all > 0 && v->n[best] >= NEARLY_ALL * v->all ? (enum time_walk)best : WALK_MIXED;
}

/* The cells of a structure in a run: what is exact.  A column that two runs share is in the run of
 * its middle. */
static void step_sums(const struct time_facts *f, int structure, struct time_step *step,
	int64_t kinds[TIMELINE_CLASSES])
{
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];
		const struct {
			const struct report_series *s;
			int64_t *sum;
		} of[] = {
			{ &c->reads, &step->reads },
			{ &c->writes, &step->writes },
			{ &c->bytes, &step->bytes },
			{ &c->misses[f->nearest], &step->misses },
		};

		if (c->structure != structure + 1)
			continue;
		for (size_t k = 0; k < sizeof of / sizeof *of; k++)
			for (int p = 0; p < of[k].s->n; p++)
				if (time_run_of(f, c, (int)of[k].s->point[p].at) == step->run)
					*of[k].sum += of[k].s->point[p].value;
		for (int p = 0; p < c->kinds.n; p++) {
			const struct report_point *k = &c->kinds.point[p];

			if (time_run_of(f, c, (int)(k->at / TIMELINE_CLASSES)) == step->run)
				kinds[k->at % TIMELINE_CLASSES] += k->value;
		}
	}
}

/* Their sum; 0 where they are too few of the accesses to say how these go. */
static int64_t telling(const int64_t kinds[TIMELINE_CLASSES], const struct time_step *step)
{
	int64_t all = 0;

	for (int k = 0; k < TIMELINE_CLASSES; k++)
		all += kinds[k];
	return (double)all >= LEAST_MISSES * (double)(step->reads + step->writes) ? all : 0;
}

/* The kind of half of the misses, or more. */
static int most_kind(const int64_t kinds[TIMELINE_CLASSES], int64_t all)
{
	for (int k = 0; k < TIMELINE_CLASSES; k++)
		if (all > 0 && 2 * kinds[k] >= all)
			return k;
	return -1;
}

/* Neither stream nor constant step, by the numbers of enum miss_class (simulate/cache/sim.h). */
static bool irregular(const int64_t kinds[TIMELINE_CLASSES], int64_t all)
{
	return all > 0 && 2 * (all - kinds[TIMELINE_STREAM] - kinds[TIMELINE_STRIDED]) >= all;
}

/* The kind of half of the moves of source lines with the structure in the run, or more. */
static int most_line_kind(const struct time_facts *f, int structure, int run)
{
	int64_t n[LINE_WALK_IRREGULAR + 1] = { 0 }, all = 0;

	for (int i = 0; i < f->t->nline_walks; i++) {
		const struct report_line_walk *w = &f->t->line_walks[i];

		if (w->structure != structure + 1 || f->region_run[w->region] != run)
			continue;
		n[line_walk_kind(w)] += w->seen;
		all += w->seen;
	}
	for (int k = 0; k <= LINE_WALK_IRREGULAR; k++)
		if (all > 0 && 2 * n[k] >= all)
			return k;
	return -1;
}

/* Misses of the first level by a source line of a region with a structure. */
static double line_misses(const struct time_facts *f, const struct report_line_walk *w)
{
	int64_t n = 0;

	for (int i = 0; i < f->t->nlines; i++) {
		const struct report_time_line *l = &f->t->lines[i];

		if (l->line == w->line && l->region == w->region && l->structure == w->structure &&
				strcmp(l->file, w->file) == 0)
			n += series_sum(&l->first_misses);
	}
	return (double)n;
}

/* The part of its source line's moves that a walk has. */
static double part_of_line(const struct time_facts *f, const struct report_line_walk *w)
{
	int64_t all = 0;

	for (int i = 0; i < f->t->nline_walks; i++) {
		const struct report_line_walk *o = &f->t->line_walks[i];

		if (o->line == w->line && o->region == w->region && o->structure == w->structure &&
				strcmp(o->file, w->file) == 0)
			all += o->seen;
	}
	return all > 0 ? (double)w->seen / (double)all : 0;
}

static int64_t without_sign(int64_t n)
{
	return n < 0 ? -n : n;
}

/* The stride of the walks that make most of the misses.  Walks of one stride count together. */
static int64_t most_stride(const struct time_facts *f, int structure, const struct time_step *step)
{
	const int64_t line = f->t->line > 0 ? f->t->line : LINE;
	struct { int64_t stride; double misses; } by[STRIDES];
	int n = 0, best = -1;

	for (int i = 0; i < f->t->nline_walks; i++) {
		const struct report_line_walk *w = &f->t->line_walks[i];
		int k = 0;

		if (w->structure != structure + 1 || f->region_run[w->region] != step->run ||
			line_walk_kind(w) != LINE_WALK_STRIDED || without_sign(w->step) < line)
			continue;
		while (k < n && by[k].stride != without_sign(w->step))
			k++;
		if (k == STRIDES)
			continue;
		if (k == n) {
			by[n].stride = without_sign(w->step);
			by[n++].misses = 0;
		}
		by[k].misses += line_misses(f, w) * part_of_line(f, w);
		best = best < 0 || by[k].misses > by[best].misses ? k : best;
	}
	return best >= 0 && by[best].misses > 0 &&
			by[best].misses >= MOST_MISSES * (double)step->misses ?
		by[best].stride :
		0;
}

/* A step by the stride may be one from stream to stream, as through the columns of a sparse matrix:
 * lines are then used as in streams, and few of them are in use at once. */
static int streams(const struct time_facts *f, const struct time_step *step)
{
	enum { MOST = 16 };
	const int64_t line = f->t->line > 0 ? f->t->line : LINE;
	const double n = step->stride ? step->covered / (double)step->stride : 0;

	return step->stride && (double)step->bytes >= FULL_LINES * (double)(step->misses * line) &&
		n > 1.5 && n < MOST + 0.5 && fabs(n - round(n)) < 0.2 ? (int)round(n) : 0;
}

struct work {
	struct rows *rows;              /* by column */
	struct place *place;            /* by column */
	struct votes votes[TIME_RUNS];
};

static void collect(const struct time_facts *f, int structure, struct work *w)
{
	for (int i = 0; i < f->t->nmaps; i++) {
		const struct report_time_map *m = &f->t->maps[i];
		int n;

		if (m->structure != structure + 1 || (!f->ordered && m->thread != f->strip_of))
			continue;       /* the runs are not the other threads' */
		n = find_places(f, m, w->rows, w->place);
		for (int from = 0, to; from < n; from = to) {
			const int run = w->place[from].run;
			struct seen s;

			for (to = from + 1; to < n && w->place[to].run == run; to++)
				;
			if (run < 0)
				continue;
			/* The columns at both ends may have rows of the runs beside this one. */
			s = to - from < MIXED_ENDS ? look(w->place + from, to - from) :
				look(w->place + from + 1, to - from - 2);
			vote(&w->votes[run], &s);
			for (int r = s.low; r <= s.high; r++)
				w->votes[run].touched[r] = true;
		}
	}
}

/* What is walked through many times is walked through in columns as wide as several walks: no
 * direction shows. */
static void count_passes(const struct time_facts *f, struct time_step *step)
{
	const double bytes = (double)step->bytes / f->t->executions;
	const double passes = step->covered > 0 ? bytes / step->covered : 0;

	if (step->walk == WALK_MIXED && passes >= MANY)
		step->walk = WALK_ALL;
	if (step->walk == WALK_ALL)
		step->passes = passes > 1.5 ? (int)fmin(1e6, round(passes)) : 0;
	step->again = passes >= AGAIN;
}

static bool has_no_order(const struct time_step *step, const int64_t kinds[TIMELINE_CLASSES],
	int64_t misses)
{
	return (step->walk == WALK_ALL || step->walk == WALK_MIXED) &&
		(irregular(kinds, misses) || (!misses && step->line_kind == LINE_WALK_IRREGULAR));
}

static void make_steps(struct time_facts *f, int structure, struct work *w)
{
	struct time_structure *s = &f->structure[structure];
	const double row = time_row_bytes(f->t, s->s);

	for (int run = 0; run < f->nruns; run++) {
		struct votes *v = &w->votes[run];
		struct time_step step = { .run = run, .passes = v->passes };
		int64_t kinds[TIMELINE_CLASSES] = { 0 }, misses;

		step_sums(f, structure, &step, kinds);
		misses = telling(kinds, &step);
		step.kind = most_kind(kinds, misses);
		step.line_kind = most_line_kind(f, structure, run);
		step.stride = most_stride(f, structure, &step);
		if ((double)(step.reads + step.writes) <
				LEAST_STEP * (double)time_accesses(&s->sums) ||
			step.reads + step.writes < 1)
			continue;
		step.walk = decide(v);
		if (has_no_order(&step, kinds, misses))
			step.walk = WALK_RANDOM;
		if (v->all <= 0)
			step.walk = WALK_UNKNOWN;
		step.window = v->all > 0 ? v->window / v->all * row : NAN;
		for (int r = 0; r < f->t->rows; r++)
			step.covered += v->touched[r] ? row : 0;
		step.streams = streams(f, &step);
		count_passes(f, &step);
		s->step[s->nsteps++] = step;
	}
}

int time_walks_make(struct time_facts *f)
{
	const size_t rows = (size_t)f->t->rows;
	struct work w;

	w.rows = arena_array(f->arena, (size_t)f->columns, sizeof *w.rows);
	w.place = arena_array(f->arena, (size_t)f->columns, sizeof *w.place);
	if (!w.rows || !w.place)
		return -1;
	memset(w.votes, 0, sizeof w.votes);
	for (int k = 0; k < TIME_RUNS; k++) {
		w.votes[k].touched = arena_array(f->arena, rows, sizeof *w.votes[k].touched);
		if (!w.votes[k].touched)
			return -1;
	}
	for (int i = 0; i < f->t->nstructures; i++) {
		for (int k = 0; k < TIME_RUNS; k++) {
			bool *touched = w.votes[k].touched;

			w.votes[k] = (struct votes){ .touched = touched };
			memset(touched, 0, rows * sizeof *touched);
		}
		if (rows)
			collect(f, i, &w);
		make_steps(f, i, &w);
	}
	return 0;
}
