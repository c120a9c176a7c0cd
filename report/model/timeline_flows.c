/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds who uses a structure when, and how its threads share its time. */
#include "report/model/timeline_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_INTERVAL 0.02     /* of the lane's accesses */
#define LEAST_OF_THREAD 0.01    /* of a thread's accesses, to be told of its structures */
#define LEAST_USER 0.001        /* of a structure's accesses */
#define LEAST_FILL 0.02         /* of a structure's accesses before others begin, to be a filling */
#define ONE_AT_A_TIME 0.9       /* of the accesses, by the thread that has most in each column */
#define PARTS 0.8               /* of the rows touched, by one thread alone */
/* of the accesses, in columns that are no edges: threads use them at once */
#define PROOF 0.1
enum { EDGE = 2 };              /* columns that two threads share where one follows the other */

/* --- patterns --------------------------------------------------------------------------------- */

struct lanes {
	int threads, columns;
	double *reads, *writes;         /* by thread * columns + column */
	bool *user;                     /* by thread */
	double *sum;                    /* accesses that count, by thread */
};

static double used(const struct lanes *l, int thread, int column)
{
	const size_t at = (size_t)thread * (size_t)l->columns + (size_t)column;

	return l->reads[at] + l->writes[at];
}

static double written(const struct lanes *l, int thread, int column)
{
	return l->writes[(size_t)thread * (size_t)l->columns + (size_t)column];
}

/* First column in which a user has at least one access; of all but one thread. */
static int first_use(const struct lanes *l, int but)
{
	for (int c = 0; c < l->columns; c++)
		for (int k = 0; k < l->threads; k++)
			if (l->user[k] && k != but && used(l, k, c) >= 1)
				return c;
	return l->columns;
}

static int first_user(const struct lanes *l)
{
	const int c = first_use(l, -1);
	int best = -1;

	for (int k = 0; c < l->columns && k < l->threads; k++)
		if (l->user[k] && used(l, k, c) >= 1 &&
			(best < 0 || used(l, k, c) > used(l, best, c)))
			best = k;
	return best;
}

static void fill(struct time_structure *s, int thread, int to)
{
	s->filled = true;
	s->filled_by = thread;
	s->filled_to = to;
}

/* One thread alone writes it before any other begins. */
static void find_filling(struct time_structure *s, const struct lanes *l)
{
	const int one = first_user(l), begin = first_use(l, one);
	double n = 0, wrote = 0;

	for (int c = 0; one >= 0 && c < begin; c++) {
		n += used(l, one, c);
		wrote += written(l, one, c);
	}
	if (begin < l->columns && wrote > n / 2 &&
		n >= LEAST_FILL * (double)time_accesses(&s->sums))
		fill(s, one, begin);
}

/* Is the structure used, and not just here and there, from a column on? */
static bool used_behind(const struct lanes *l, int from)
{
	double behind = 0, all = 0;

	for (int c = 0; c < l->columns; c++)
		for (int k = 0; k < l->threads; k++) {
			all += used(l, k, c);
			behind += c >= from ? used(l, k, c) : 0;
		}
	return behind >= fmax(1, LEAST_FILL * all);
}

/* All that is written is written before anything is read, but for two columns, since those of
 * threads lie across each other. */
static void find_writing(struct time_structure *s, const struct lanes *l)
{
	int read = l->columns, last = -1, writer = -1, writers = 0;

	for (int k = 0; k < l->threads; k++) {
		bool writes = false;

		for (int c = 0; c < l->columns; c++) {
			if (written(l, k, c) >= 1) {
				last = c > last ? c : last;
				writes = true;
			}
			if (used(l, k, c) - written(l, k, c) >= 1 && c < read)
				read = c;
		}
		writers += writes;
		writer = writes ? k : writer;
	}
	if (writers && read < l->columns && last <= read + 1 && used_behind(l, last + 1))
		fill(s, writers == 1 ? writer : -1, last + 1);
}

/* The thread that makes nearly all accesses of a column; -1: none, or several do. */
static int owner(const struct lanes *l, int column)
{
	double all = 0;
	int best = 0;

	for (int k = 0; k < l->threads; k++) {
		all += used(l, k, column);
		best = used(l, k, column) > used(l, best, column) ? k : best;
	}
	return all > 0 && used(l, best, column) >= ONE_AT_A_TIME * all ? best : -1;
}

/* Do several threads use a column? */
static bool in_common(const struct lanes *l, int column)
{
	int n = 0;

	for (int k = 0; k < l->threads; k++)
		n += used(l, k, column) > 0;
	return n > 1 && owner(l, column) < 0;
}

/* A column in which one thread ends and another one begins, or the next of two such columns.  That
 * several threads use it is an artefact of its width. */
static bool is_edge(const struct lanes *l, int column)
{
	int from = column, to = column;

	if (!in_common(l, column))
		return false;
	while (from > 0 && column - from < EDGE && in_common(l, from - 1))
		from--;
	while (to + 1 < l->columns && to - column < EDGE && in_common(l, to + 1))
		to++;
	return to - from < EDGE;
}

/* Has each thread but one less than a thousandth of the accesses, which l->sum has by thread? */
static bool find_alone(struct time_structure *s, const struct lanes *l)
{
	double all = 0;
	int one = 0, users = 0, few = 0;

	for (int k = 0; k < l->threads; k++) {
		one = l->sum[k] > l->sum[one] ? k : one;
		all += l->sum[k];
	}
	for (int k = 0; k < l->threads; k++) {
		users += l->sum[k] >= 1 && l->sum[k] >= LEAST_USER * all;
		few += l->sum[k] >= 1 && l->sum[k] < LEAST_USER * all;
	}
	if (users != 1)
		return false;
	s->pattern = PATTERN_EXCLUSIVE;
	s->alone = one;
	s->nearly_alone = few > 0;
	return true;
}

static void find_pattern(struct time_structure *s, const struct lanes *l)
{
	double all = 0, most = 0, writes = 0, edges = 0;

	memset(l->sum, 0, (size_t)l->threads * sizeof *l->sum);
	for (int c = s->filled_to; c < l->columns; c++) {
		const bool edge = is_edge(l, c);
		double top = 0;

		for (int k = 0; k < l->threads; k++) {
			l->sum[k] += used(l, k, c);
			all += used(l, k, c);
			top = fmax(top, used(l, k, c));
			writes += written(l, k, c);
			edges += edge ? used(l, k, c) : 0;
		}
		most += edge ? 0 : top;
	}
	s->read_only_after = writes < fmax(1, all / 1000);
	if (find_alone(s, l))
		return;
	if (s->row && s->sharing[SHARING_PRIVATE] >= PARTS)
		s->pattern = PATTERN_PARTS;
	else if (all - edges >= 1 && most >= ONE_AT_A_TIME * (all - edges))
		s->pattern = PATTERN_TURNS;
	else if (s->row && s->sharing[SHARING_PRIVATE] + s->sharing[SHARING_HANDED] >= PARTS)
		/* what one thread filled for each of the others is a part of these */
		s->pattern = PATTERN_PARTS;
	else    /* columns that threads may have used one after the other prove nothing */
		s->pattern = all - edges >= fmax(1, PROOF * all) ? PATTERN_CONCURRENT :
			PATTERN_UNKNOWN;
}

/* Without barriers it is not known who is first: only what needs no time. */
static void timeless(struct time_facts *f, int i, const struct lanes *l)
{
	struct time_structure *s = &f->structure[i];

	for (int k = 0; k < l->threads; k++)
		l->sum[k] = (double)time_accesses(
			&f->both[(size_t)i * (size_t)l->threads + (size_t)k]);
	if (!find_alone(s, l) && s->row && s->sharing[SHARING_PRIVATE] >= PARTS)
		s->pattern = PATTERN_PARTS;
	s->read_only_after = !s->sums.writes;
}

static void structure_pattern(struct time_facts *f, int i, struct lanes *l)
{
	struct time_structure *s = &f->structure[i];
	const size_t all = (size_t)l->threads * (size_t)l->columns;

	memset(l->reads, 0, all * sizeof *l->reads);
	memset(l->writes, 0, all * sizeof *l->writes);
	for (int k = 0; k < l->threads; k++) {
		const int64_t n = time_accesses(
			&f->both[(size_t)i * (size_t)l->threads + (size_t)k]);

		l->user[k] = n > 0 && (double)n >= LEAST_USER * (double)time_accesses(&s->sums);
	}
	time_lanes(f, i, l->reads, l->writes, l->columns);
	find_filling(s, l);
	if (!s->filled)
		find_writing(s, l);
	find_pattern(s, l);
}

int time_patterns_make(struct time_facts *f)
{
	struct lanes l = { .threads = f->t->threads, .columns = f->columns };
	const size_t all = (size_t)l.threads * (size_t)l.columns;

	l.reads = arena_array(f->arena, all, sizeof *l.reads);
	l.writes = arena_array(f->arena, all, sizeof *l.writes);
	l.user = arena_array(f->arena, (size_t)l.threads, sizeof *l.user);
	l.sum = arena_array(f->arena, (size_t)l.threads, sizeof *l.sum);
	if (!l.reads || !l.writes || !l.user || !l.sum)
		return -1;
	for (int i = 0; i < f->t->nstructures; i++)
		if (f->structure[i].users > 1 && f->ordered)
			structure_pattern(f, i, &l);
		else
			timeless(f, i, &l);
	return 0;
}

/* --- intervals -------------------------------------------------------------------------------- */

/* What a series adds: to which sum, by how many numbers a column. */
static void add_points(const struct time_facts *f, const struct report_time_cell *c,
	const struct report_series *s, int per, struct time_interval *lane, int which)
{
	for (int i = 0; i < s->n; i++) {
		const int column = (int)(s->point[i].at / (unsigned)per),
			of = (int)(s->point[i].at % (unsigned)per);
		const int bin = time_axis_bin(&f->axis, c->thread, column, f->columns),
			run = time_run_of(f, c, column);
		struct time_interval *v = &lane[run < 0 ? 0 : run];
		const int64_t n = s->point[i].value;

		if (which < 2) {
			v->from = v->to ? (bin < v->from ? bin : v->from) : bin;
			v->to = bin + 1 > v->to ? bin + 1 : v->to;
			*(which ? &v->sums.writes : &v->sums.reads) += n;
		} else if (which == 2) {
			v->sums.memory += n;
		} else if (f->node[c->thread] >= 0) {
			v->sums.placed += n;
			v->sums.far += of != f->node[c->thread] ? n : 0;
		}
	}
}

static int in_time(const void *a, const void *b)
{
	const struct time_interval *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->structure < y->structure ? -1 : x->structure > y->structure;
}

/* Keeps those that have `least` accesses and a fiftieth of their lane's; returns their number. */
static int keep(struct time_interval *all, int lanes, double least)
{
	int n = 0;

	for (int i = 0; i < lanes; i++) {
		const struct time_interval *lane = all + (size_t)i * TIME_RUNS;
		double sum = 0;

		for (int k = 0; k < TIME_RUNS; k++)
			sum += (double)time_accesses(&lane[k].sums);
		for (int k = 0; k < TIME_RUNS; k++) {
			const double some = (double)time_accesses(
				&all[(size_t)i * TIME_RUNS + (size_t)k].sums);

			if (some > 0 && some >= least && some >= LEAST_INTERVAL * sum)
				all[n++] = all[(size_t)i * TIME_RUNS + (size_t)k];
		}
	}
	return n;
}

static void add_cell(const struct time_facts *f, const struct report_time_cell *c,
	struct time_interval *lane)
{
	for (int k = 0; k < TIME_RUNS; k++) {
		lane[k].structure = c->structure - 1;
		lane[k].thread = c->thread;
		lane[k].run = k;
	}
	add_points(f, c, &c->reads, 1, lane, 0);
	add_points(f, c, &c->writes, 1, lane, 1);
	add_points(f, c, &c->kinds, TIMELINE_CLASSES, lane, 2);
	if (f->t->nodes > 0)
		add_points(f, c, &c->served, f->t->nodes, lane, 3);
}

/* The intervals of a lane, one for each run. */
static struct time_interval *lane_of(struct time_interval *all, int lane)
{
	return all + (size_t)lane * TIME_RUNS;
}

int time_intervals(struct time_facts *f, int structure, int thread,
	const struct time_interval **out)
{
	const int lanes = structure >= 0 ? f->t->threads : f->t->nstructures;
	struct time_interval *all = arena_array(f->arena, (size_t)lanes * TIME_RUNS, sizeof *all);
	const double least = structure >= 0 ?
		0 :
		LEAST_OF_THREAD * (double)time_accesses(&f->thread[thread]);
	int n;

	if (!all)
		return -1;
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		if (structure >= 0 ? c->structure == structure + 1 : c->thread == thread)
			add_cell(f, c, lane_of(all, structure >= 0 ? c->thread : c->structure - 1));
	}
	n = keep(all, lanes, least);
	qsort(all, (size_t)n, sizeof *all, in_time);
	*out = all;
	return n;
}
