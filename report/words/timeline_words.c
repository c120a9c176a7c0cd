/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what each view of memory over time shows, and how to read it. */
#include "report/words/timeline_words.h"

#include <math.h>
#include <string.h>

#define LEAST 0.05              /* of all accesses, for a structure to be named */
#define ALONE 0.2               /* of the axis, for a thread alone to be said */
#define FAR 0.03                /* of the lines from memory, to be said */
#define UNEVEN 1.5              /* times as many accesses as the next thread */
#define EVEN 1.05
enum { NAMED = 3, STRUCTURES = 6, RUNS = 4 };

const char *const timeline_view_names[TIMELINE_VIEWS] = {
	[VIEW_TIMELINE] = "timeline", [VIEW_CARTOGRAPHY] = "cartography", [VIEW_GANTT] = "gantt",
	[VIEW_VARIABLES] = "variables", [VIEW_THREADS] = "threads", [VIEW_MODULES] = "modules",
};

/* --- lists of names ---------------------------------------------------------------------------- */

struct names {
	int at[STRUCTURES], n;          /* indices of structures */
};

/* "a, b, c and d" */
static void put_names(struct buf *b, const struct time_facts *f, const struct names *names)
{
	for (int i = 0; i < names->n; i++) {
		buf_puts(b, !i ? "" : i == names->n - 1 ? " and " : ", ");
		buf_puts(b, timeline_name(&f->structure[names->at[i]]));
	}
}

static void take(struct names *names, int structure)
{
	if (names->n < STRUCTURES)
		names->at[names->n++] = structure;
}

/* --- timeline ---------------------------------------------------------------------------------- */

static double least_used(const struct time_structure *s)
{
	return s->thin ? 1 : fmin(isnan(s->used) ? 1 : s->used, isnan(s->touched) ? 1 : s->touched);
}

static void put_walked(struct buf *b, const struct time_facts *f, const struct names *names)
{
	double used = 0;

	put_names(b, f, names);
	buf_puts(b, ": ");
	timeline_walk(b, f, names->at[0], true);
	for (int i = 0; i < names->n; i++)
		used = fmax(used, least_used(&f->structure[names->at[i]]));
	if (used > 0.8)
		return;
	buf_puts(b, ", of which ");
	if (used >= 0.45 && used <= 0.55)
		buf_puts(b, "half");
	else
		timeline_share(b, 1 - used);
	buf_puts(b, " is never touched");
}

/* Structures that are walked through alike are named together. */
static void claim_timeline(struct buf *b, const struct time_facts *f)
{
	bool *done = NULL;
	int said = 0;

	done = f->t->nstructures ? arena_array(f->arena, (size_t)f->t->nstructures, sizeof *done) : NULL;
	for (int i = 0; done && i < f->t->nstructures && said < NAMED; i++) {
		struct names names = { .n = 0 };

		if (done[f->order[i]] || f->structure[f->order[i]].share < LEAST || !f->structure[f->order[i]].nsteps)
			continue;
		take(&names, f->order[i]);
		for (int k = i + 1; k < f->t->nstructures; k++)
			if (!done[f->order[k]] && f->structure[f->order[k]].share >= LEAST / 2 &&
					timeline_same_walk(f, f->order[i], f->order[k])) {
				take(&names, f->order[k]);
				done[f->order[k]] = true;
			}
		buf_puts(b, said++ ? "; " : "");
		put_walked(b, f, &names);
	}
}

static void put_axis(struct buf *b, const struct time_facts *f)
{
	buf_puts(b, "Left to right: the accesses of one execution");
	if (f->t->threads > 1)
		buf_puts(b, f->axis.aligned ? ", of the busiest thread between two barriers" : ", of each thread its own");
	buf_printf(b, ", in %d columns of ", f->t->columns);
	timeline_count(b, (double)f->t->width);
	buf_puts(b, ". ");
	if (f->t->threads > 1 && !f->ordered)
		buf_puts(b, "Their order is not known: what threads do in one column need not be at one time. ");
}

static void put_line(struct buf *b, const struct time_facts *f)
{
	const struct report_time_line *worst = NULL;
	int64_t most = 0, all = f->all.misses[0];

	for (int i = 0; i < f->t->nlines; i++) {
		const int64_t n = series_sum(&f->t->lines[i].first_misses);

		if (n > most) {
			most = n;
			worst = &f->t->lines[i];
		}
	}
	if (!worst || all <= 0)
		return;
	timeline_share(b, fmin(1, (double)most / (double)all));
	buf_printf(b, " of the misses of the first level are those of %s in %s:%d. ",
		timeline_name(&f->structure[worst->structure - 1]), worst->file, worst->line);
}

static void read_timeline(struct buf *b, const struct time_facts *f)
{
	put_axis(b, f);
	if (f->t->rows)
		buf_puts(b, "Top to bottom: addresses of the part of a structure that is used. ");
	else
		buf_puts(b, "Addresses were not drawn (psc_frontend --timeline draws those of structures that are one block): the "
			"picture has when, not where. ");
	put_line(b, f);
}

/* --- cartography ------------------------------------------------------------------------------- */

/* Structures that one thread touched first and others use. */
static int lived_on(const struct time_facts *f, int thread, struct names *names)
{
	names->n = 0;
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[f->order[i]];

		if (s->row && s->share >= LEAST / 2 && s->toucher == thread && s->users > 1)
			take(names, f->order[i]);
	}
	return names->n;
}

static bool any_rows(const struct time_facts *f)
{
	for (int i = 0; i < f->t->nstructures; i++)
		if (f->structure[i].row)
			return true;
	return false;
}

/* Is there a structure that several threads use, row by row? */
static bool rows_are_shared(const struct time_facts *f)
{
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[i];

		if (s->row && s->users > 1 && s->share >= LEAST / 2 && s->most != SHARING_PRIVATE)
			return true;
	}
	return false;
}

static void claim_cartography(struct buf *b, const struct time_facts *f)
{
	struct names names = { .n = 0 }, own = { .n = 0 };
	int said = 0;

	for (int k = 0; k < f->t->threads && said < NAMED; k++)
		if (lived_on(f, k, &names)) {
			buf_printf(b, "%sthread %d touched ", said++ ? "; " : "", k);
			put_names(b, f, &names);
			buf_puts(b, names.n == 1 ? " first, others use it, too" : " first, others use them, too");
		}
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[f->order[i]];

		if (s->row && s->share >= LEAST / 2 && s->users > 1 && s->most == SHARING_PRIVATE && s->toucher < 0)
			take(&own, f->order[i]);
	}
	if (own.n) {
		buf_puts(b, said++ ? "; of " : "of ");
		put_names(b, f, &own);
		buf_puts(b, ", each thread has a part of its own");
	}
	if (!said && f->t->threads == 1)
		buf_puts(b, "one thread: all rows are its own");
	else if (!said)
		buf_puts(b, !any_rows(f) ? "addresses were not drawn: whose a row is, is not known" : rows_are_shared(f) ?
			"threads use the same rows" : "each thread uses structures of its own");
}

static void read_cartography(struct buf *b, const struct time_facts *f)
{
	bool begin = false;

	for (int i = 0; i < f->t->nstructures; i++)
		begin |= f->t->structures[i].touched == TOUCH_BEGIN;
	if (!f->t->rows) {
		buf_puts(b, "The picture needs addresses: psc_frontend --timeline draws those of structures that are one block.");
		return;
	}
	buf_puts(b, "A lane is a thread, from the first byte used to the last; it tells the thread that touched the place first");
	buf_puts(b, begin ? ", since the program began where that is known. " : ", in the executions counted. ");
	buf_puts(b, "Above: private, handed over (written by the first, then used by one other alone), read only since its first "
		"toucher wrote it, shared and written. A row is as coarse as the structure is large: rows where two threads' "
		"parts meet look shared.");
}

/* --- gantt ------------------------------------------------------------------------------------- */

/* The share of the axis in which a thread alone has accesses; *thread: the one that has most of it. */
static double alone(const struct time_facts *f, int *thread)
{
	const size_t n = (size_t)f->columns;
	double *lane = arena_array(f->arena, n, sizeof *lane), best = 0;
	int *users = arena_array(f->arena, n, sizeof *users), *one = arena_array(f->arena, n, sizeof *one);

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

/* "sweep: grid and next": structures with a fifth of the run's accesses or more. */
static void put_run(struct buf *b, const struct time_facts *f, int run)
{
	struct names names = { .n = 0 };

	for (int i = 0; i < f->t->nstructures; i++)
		if (used_in(&f->structure[f->order[i]], run) * 5 >= (double)f->run[run].accesses)
			take(&names, f->order[i]);
	timeline_run_said(b, f, run);
	buf_puts(b, ": ");
	if (names.n)
		put_names(b, f, &names);
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
	put_axis(b, f);
	buf_puts(b, "A lane is a thread, a colour a structure, or structures that are always used together. A lane that is empty is "
		"a thread without accesses.");
}

/* --- portals ----------------------------------------------------------------------------------- */

static int busiest(const struct time_facts *f, int but)
{
	int best = -1;

	for (int k = 0; k < f->t->threads; k++)
		if (k != but && (best < 0 || time_accesses(&f->thread[k]) > time_accesses(&f->thread[best])))
			best = k;
	return best;
}

static void put_uneven(struct buf *b, const struct time_facts *f, const char *before)
{
	const int first = busiest(f, -1), next = busiest(f, first);
	const double most = first < 0 ? 0 : (double)time_accesses(&f->thread[first]);
	const double then = next < 0 ? 0 : (double)time_accesses(&f->thread[next]);

	if (next < 0)
		return;
	if (then > 0 && most >= UNEVEN * then)
		buf_printf(b, "%sthread %d makes %.1f times as many as any other", before, first, most / then);
	else if (then > 0 && most >= EVEN * then)
		buf_printf(b, "%sthread %d makes %.0f%% more than the next", before, first, 100 * (most / then - 1));
	else if (then > 0)
		buf_printf(b, "%sthe busiest threads make equally many", before);
	else
		buf_printf(b, "%sthread %d makes all", before, first);
}

static void claim_variables(struct buf *b, const struct time_facts *f)
{
	struct names names = { .n = 0 };
	double share = 0;

	for (int i = 0; i < f->t->nstructures && names.n < NAMED; i++) {
		if (f->structure[f->order[i]].share < LEAST)
			break;
		take(&names, f->order[i]);
		share += f->structure[f->order[i]].share;
	}
	if (!names.n)
		return;
	put_names(b, f, &names);
	buf_puts(b, names.n == 1 ? " takes " : " take ");
	timeline_share(b, fmin(1, share));
	buf_puts(b, " of all accesses");
	put_uneven(b, f, "; ");
}

static void claim_threads(struct buf *b, const struct time_facts *f)
{
	const int first = busiest(f, -1);

	if (first < 0 || !time_accesses(&f->all))
		return;
	buf_printf(b, "thread %d makes ", first);
	timeline_share(b, (double)time_accesses(&f->thread[first]) / (double)time_accesses(&f->all));
	buf_puts(b, " of all accesses");
	put_uneven(b, f, "; ");
}

static void read_portal(struct buf *b, const struct time_facts *f)
{
	buf_puts(b, "Each cell is a count of one execution with a bar; bars compare all cells of a table. Totals stand at both edges, "
		"together ");
	timeline_count(b, (double)time_accesses(&f->all) / f->t->executions);
	buf_puts(b, " accesses.");
}

/* --- all --------------------------------------------------------------------------------------- */

typedef void view_writer(struct buf *b, const struct time_facts *f);
static const struct { view_writer *claim, *reading; } views[TIMELINE_VIEWS] = {
	[VIEW_TIMELINE] = { claim_timeline, read_timeline },
	[VIEW_CARTOGRAPHY] = { claim_cartography, read_cartography },
	[VIEW_GANTT] = { claim_gantt, read_gantt },
	[VIEW_VARIABLES] = { claim_variables, read_portal },
	[VIEW_THREADS] = { claim_threads, read_portal },
	[VIEW_MODULES] = { timeline_modules_claim, timeline_modules_reading },
};

void timeline_claim(struct buf *b, const struct time_facts *f, enum timeline_view view)
{
	views[view].claim(b, f);
}

void timeline_reading(struct buf *b, const struct time_facts *f, enum timeline_view view)
{
	views[view].reading(b, f);
}
