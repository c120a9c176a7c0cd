/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what each view of memory over time shows, and how to read it. */
#include "report/words/timeline_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST 0.05              /* of all accesses, for a structure to be named */
#define ALONE 0.2               /* of the axis, for a thread alone to be said */
#define FAR 0.03                /* of the lines from memory, to be said */
#define UNEVEN 1.5              /* times as many accesses as the next thread */
#define EVEN 1.05
enum { RUNS = 4 };
#define ENOUGH 0.8              /* of all misses or accesses, by the structures that are named */

const char *const timeline_view_names[TIMELINE_VIEWS] = {
	[VIEW_TIMELINE] = "timeline", [VIEW_CARTOGRAPHY] = "cartography", [VIEW_GANTT] = "gantt",
	[VIEW_VARIABLES] = "variables", [VIEW_THREADS] = "threads", [VIEW_MODULES] = "modules",
};

static void put_columns(struct buf *b, const struct time_facts *f)
{
	buf_printf(b, ", in %d columns of ", f->t->columns);
	timeline_count(b, (double)f->t->width);
	buf_puts(b, " accesses");
	if (f->t->threads > 1)
		buf_puts(b,
			f->axis.aligned ? " of the busiest thread between two barriers" :
				" of each thread");
}

static void put_axis(struct buf *b, const struct time_facts *f, bool columns)
{
	buf_puts(b, "Left to right: one execution");
	if (columns)
		put_columns(b, f);
	buf_puts(b, ". ");
	if (f->t->threads > 1 && !f->ordered)
		buf_puts(b,
			"Their order is not known: what threads do in one column need not be at "
			"one time. ");
}

/* Of the nearest level, by the structure at a place of the order. */
static double misses(const struct time_facts *f, int at)
{
	return (double)f->structure[f->order[at]].sums.misses[f->nearest];
}

/* The structures with most misses of the nearest level. */
static double missing(const struct time_facts *f, struct timeline_names *names)
{
	bool told[TIMELINE_NAMES * 4] = { false };
	const int n = f->t->nstructures < TIMELINE_NAMES * 4 ? f->t->nstructures :
		TIMELINE_NAMES * 4;
	double sum = 0, all = (double)f->all.misses[f->nearest];

	while (sum < ENOUGH && names->n < TIMELINE_NAMES) {
		int best = -1;

		for (int i = 0; i < n; i++)
			if (!told[i] && (best < 0 || misses(f, i) > misses(f, best)))
				best = i;
		if (best < 0 || misses(f, best) < LEAST * all)
			break;
		told[best] = true;
		timeline_names_add(names, f->order[best]);
		sum += misses(f, best) / all;
	}
	return fmin(1, sum);
}

/* Misses of the nearest level in the source line of a row, of all its rows from this one on. */
static int64_t of_line(const struct report_timeline *t, int at)
{
	int64_t n = 0;

	for (int i = at; i < t->nlines; i++)
		if (t->lines[i].line == t->lines[at].line &&
			strcmp(t->lines[i].file, t->lines[at].file) == 0)
			n += series_sum(&t->lines[i].first_misses);
	return n;
}

static void put_worst_line(struct buf *b, const struct report_timeline *t, int64_t all)
{
	int64_t most = 0;
	int worst = -1;

	for (int i = 0; i < t->nlines; i++) {
		const int64_t n = t->lines[i].line > 0 ? of_line(t, i) : 0;

		if (n > most) {
			most = n;
			worst = i;
		}
	}
	if (worst < 0)
		return;
	buf_printf(b, "; the source line with most, %s:%d, has ", t->lines[worst].file,
		t->lines[worst].line);
	timeline_share(b, fmin(1, (double)most / (double)all));
}

static void put_misses(struct buf *b, const struct time_facts *f)
{
	struct timeline_names names = { .n = 0 };
	const double share = f->all.misses[f->nearest] > 0 ? missing(f, &names) : 0;

	if (!names.n)
		return;
	timeline_names_sort(&names, f);
	timeline_names_put(b, f, &names);
	buf_puts(b, names.n == 1 ? " has " : " have ");
	timeline_share(b, share);
	buf_printf(b, " of the misses of level %d", f->nearest + 1);
	put_worst_line(b, f->t, f->all.misses[f->nearest]);
	buf_puts(b, ". ");
}

/* "push makes 19% of the accesses, and takes 76% of the time. " */
static void put_pace(struct buf *b, const struct time_facts *f)
{
	if (!time_pace_uneven(&f->pace))
		return;
	timeline_section(b, f, f->pace.section);
	buf_puts(b, " makes ");
	timeline_share(b, f->pace.accesses);
	buf_puts(b, " of the accesses, and takes ");
	timeline_share(b, f->pace.time);
	buf_puts(b, " of the time. ");
}

static void read_timeline(struct buf *b, const struct time_facts *f)
{
	put_axis(b, f, true);
	put_pace(b, f);
	if (f->t->rows)
		buf_puts(b, "Top to bottom: addresses, from the first byte used to the last. ");
	else
		buf_puts(b, "Addresses were not drawn (psc_frontend --timeline draws them): the "
			"picture has when, not where. ");
	put_misses(b, f);
}

/* --- gantt ------------------------------------------------------------------------------------ */

/* The share of the axis in which a thread alone has accesses; *thread: the one that has most of
 * it. */
static double alone(const struct time_facts *f, int *thread)
{
	const size_t n = (size_t)f->columns;
	double *lane = arena_array(f->arena, n, sizeof *lane), best = 0;
	int *users = arena_array(f->arena, n, sizeof *users);
	int *one = arena_array(f->arena, n, sizeof *one);

	if (!lane || !users || !one)
		return 0;
	for (int k = 0; k < f->t->threads; k++) {
		memset(lane, 0, n * sizeof *lane);
		time_lane(f, -1, k, lane, lane, f->columns);
		for (size_t c = 0; c < n; c++)
			if (lane[c] >= 1) {
				users[c]++;
				one[c] = k;
			}
	}
	for (int k = 0; k < f->t->threads; k++) {
		double share = 0;

		for (size_t c = 0; c < n; c++)
			share += users[c] == 1 && one[c] == k ? 1 / (double)n : 0;
		if (share > best) {
			best = share;
			*thread = k;
		}
	}
	return best;
}

static double used_in(const struct time_structure *s, int run)
{
	for (int i = 0; i < s->nsteps; i++)
		if (s->step[i].run == run)
			return (double)(s->step[i].reads + s->step[i].writes);
	return 0;
}

/* Has it a fifth of the run's accesses, or a tenth where those that are always used with it have a
 * fifth together? */
static bool is_used_most(const struct time_facts *f, int structure, int run)
{
	const double all = (double)f->run[run].accesses,
		own = used_in(&f->structure[structure], run);
	double together = 0;

	for (int i = 0; i < f->t->nstructures; i++)
		if (f->structure[i].leader == f->structure[structure].leader)
			together += used_in(&f->structure[i], run);
	return own * 5 >= all || (together * 5 >= all && own * 10 >= all);
}

/* "sweep: grid and next". */
static void put_run(struct buf *b, const struct time_facts *f, int run)
{
	struct timeline_names names = { .n = 0 };

	for (int i = 0; i < f->t->nstructures; i++)
		if (is_used_most(f, f->order[i], run))
			timeline_names_add(&names, f->order[i]);
	timeline_run_said(b, f, run);
	buf_puts(b, ": ");
	if (names.n)
		timeline_names_put(b, f, &names);
	else
		buf_puts(b, "many structures");
}

static void claim_gantt(struct buf *b, const struct time_facts *f)
{
	int thread = 0, said = 0;
	const double share = f->ordered && f->t->threads > 1 ? alone(f, &thread) : 0;

	if (share >= ALONE) {
		buf_printf(b, "thread %d works alone in ", thread);
		timeline_share(b, share);
		buf_puts(b, " of the columns; ");
	}
	for (int i = 0; i < f->nruns && said < RUNS; i++) {
		if (f->run[i].to - f->run[i].from < LEAST * f->columns)
			continue;
		buf_puts(b, said++ ? "; " : "");
		put_run(b, f, i);
	}
}

static void read_gantt(struct buf *b, const struct time_facts *f)
{
	put_axis(b, f, false);
	buf_puts(b,
		"A lane is a thread, a colour a structure, or structures that are always used "
		"together. A lane that is empty is a thread without accesses.");
}

/* --- portals ---------------------------------------------------------------------------------- */

static int busiest(const struct time_facts *f, int but)
{
	int best = -1;

	for (int k = 0; k < f->t->threads; k++)
		if (k != but &&
			(best < 0 ||
				time_accesses(&f->thread[k]) > time_accesses(&f->thread[best])))
			best = k;
	return best;
}

/* How far the one with most accesses, of n threads or ranks, is before the next. */
static void put_lead(struct buf *b, const char *before, const char *what, int n, double most,
	double next)
{
	if (next <= 0)
		return;
	if (most >= UNEVEN * next)
		buf_printf(b, "%s%.1f times as many as any other", before, most / next);
	else if (most >= EVEN * next)
		buf_printf(b, "%s%.0f%% more than the next", before, 100 * (most / next - 1));
	else
		buf_printf(b, "; %s %ss make equally many", n == 2 ? "both" : "the busiest", what);
}

static void put_uneven(struct buf *b, const struct time_facts *f, const char *before)
{
	const int first = busiest(f, -1), next = busiest(f, first);

	if (next >= 0)
		put_lead(b, before, "thread", f->t->threads,
			(double)time_accesses(&f->thread[first]),
			(double)time_accesses(&f->thread[next]));
}

static double of_execution(const struct time_facts *f)
{
	return (double)time_accesses(&f->all) / f->t->executions;
}

void timeline_ranks_claim(struct buf *b, struct time_facts *const *f, int n)
{
	double most = -1, next = -1, all = 0;
	int first = 0;

	for (int i = 0; i < n; i++) {
		const double one = of_execution(f[i]);

		all += one;
		if (one > most) {
			next = most;
			most = one;
			first = i;
		} else if (one > next) {
			next = one;
		}
	}
	if (n < 2 || all <= 0)
		return;
	if (n == 2 && most < EVEN * next) {
		buf_puts(b, "both ranks make equally many accesses");
		return;
	}
	buf_printf(b, "rank %d makes ", f[first]->t->process);
	timeline_share(b, most / all);
	buf_printf(b, " of the accesses of %d ranks", n);
	put_lead(b, ", ", "rank", n, most, next);
}

static void claim_variables(struct buf *b, const struct time_facts *f)
{
	struct timeline_names names = { .n = 0 };
	char before[32];
	double share = 0;

	for (int i = 0; i < f->t->nstructures && names.n < TIMELINE_NAMES && share < ENOUGH; i++) {
		if (f->structure[f->order[i]].share < LEAST)
			break;
		timeline_names_add(&names, f->order[i]);
		share += f->structure[f->order[i]].share;
	}
	if (!names.n)
		return;
	timeline_names_put(b, f, &names);
	buf_puts(b, names.n == 1 ? " takes " : " take ");
	timeline_share(b, fmin(1, share));
	buf_puts(b, " of all accesses");
	snprintf(before, sizeof before, "; thread %d makes ", busiest(f, -1));
	put_uneven(b, f, before);
}

static void claim_threads(struct buf *b, const struct time_facts *f)
{
	const int first = busiest(f, -1);

	if (first < 0 || !time_accesses(&f->all))
		return;
	buf_printf(b, "thread %d makes ", first);
	timeline_share(
		b, (double)time_accesses(&f->thread[first]) / (double)time_accesses(&f->all));
	buf_puts(b, " of all accesses");
	put_uneven(b, f, ", ");
}

static void read_portal(struct buf *b, const struct time_facts *f)
{
	buf_puts(b,
		"Each cell is a count of one execution with a bar; bars compare all cells of a "
		"table. Totals stand at both edges, together ");
	timeline_count(b, (double)time_accesses(&f->all) / f->t->executions);
	buf_puts(b, " accesses.");
}

/* --- all -------------------------------------------------------------------------------------- */

typedef void view_writer(struct buf *b, const struct time_facts *f);
static const struct { view_writer *claim, *reading; } views[TIMELINE_VIEWS] = {
	[VIEW_TIMELINE] = { timeline_walks_claim, read_timeline },
	[VIEW_CARTOGRAPHY] = { timeline_cartography_claim, timeline_cartography_reading },
	[VIEW_GANTT] = { claim_gantt, read_gantt },
	[VIEW_VARIABLES] = { claim_variables, read_portal },
	[VIEW_THREADS] = { claim_threads, read_portal },
	[VIEW_MODULES] = { timeline_modules_claim, timeline_modules_reading },
};

/* Counts are of page faults. */
static void read_pages(struct buf *b, const struct time_facts *f, enum timeline_view view)
{
	buf_puts(b,
		"Pages that were seen, not accesses: within a budget, pages are made to fault, and a fault tells the first access to its "
		"page. ");
	if (view == VIEW_CARTOGRAPHY) {
		timeline_cartography_reading(b, f);
		return;
	}
	buf_printf(b,
		"Left to right: the run, %.3g s. A lane is a thread, a colour a structure, or structures that are always used together.", (double)f->t->references * 1e-6);
}

void timeline_claim(struct buf *b, const struct time_facts *f, enum timeline_view view)
{
	if (f->t->pages && view != VIEW_CARTOGRAPHY && view != VIEW_GANTT)
		return;
	views[view].claim(b, f);
}

void timeline_reading(struct buf *b, const struct time_facts *f, enum timeline_view view)
{
	if (f->t->pages)
		read_pages(b, f, view);
	else
		views[view].reading(b, f);
}
