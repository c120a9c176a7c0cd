/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the reports of a directory and lists their costs. */
#include <config.h>

#include "report/gate/history.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/csv_text.h"
#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/problem_words.h"

/* --- reading --------------------------------------------------------------------------------- */

static int is_psc(const struct dirent *d)
{
	return text_ends(d->d_name, ".psc") && strcmp(d->d_name, ".psc") != 0;
}

struct run {
	char *name;
	struct report *report;
};

static int by_start(const void *pa, const void *pb)
{
	const struct run *a = pa, *b = pb;

	if (a->report->when != b->report->when)
		return a->report->when < b->report->when ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Reads one file; what cannot be read is noted.  0 / -1 (memory). */
static int read_one(struct history *h, struct run *runs, const char *dir, const char *name)
{
	struct buf path = BUF_INIT;
	struct err err = { "out of memory" };
	struct run *run = &runs[h->n];

	buf_printf(&path, "%s/%s", dir, name);
	run->report = path.failed ? NULL : report_psc_read(buf_str(&path), &err);
	buf_free(&path);
	if (!run->report) {
		h->unread[h->nunread] = strdup(err.text);
		return h->unread[h->nunread++] ? 0 : -1;
	}
	run->name = strndup(name, strlen(name) - 4);
	h->n++;
	return run->name ? 0 : -1;
}

static int read_all(struct history *h, struct run *runs, const char *dir, struct dirent **entries,
	int n, struct err *err)
{
	for (int i = 0; i < n; i++)
		if (read_one(h, runs, dir, entries[i]->d_name))
			return err_nomem(err);
	if (h->n > 1)
		qsort(runs, (size_t)h->n, sizeof *runs, by_start);
	for (int i = 0; i < h->n; i++) {
		h->names[i] = runs[i].name;
		h->reports[i] = runs[i].report;
	}
	for (int i = 1; i < h->n; i++)
		if (compare_reports(&h->steps[i], h->reports[i - 1], h->names[i - 1], h->reports[i],
		    h->names[i], err))
			return -1;
	if (h->n)
		return 0;
	return h->nunread ? err_set(err, "%s", h->unread[0]) :
		err_set(err, "%s: no file whose name ends in .psc", dir);
}

int history_read(struct history *h, const char *dir, struct err *err)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_psc, alphasort), rc;
	size_t room = n > 0 ? (size_t)n : 1;
	struct run *runs;

	*h = (struct history){ 0 };
	if (n < 0)
		return err_sys(err, "%s", dir);
	runs = calloc(room, sizeof *runs);
	h->names = calloc(room, sizeof *h->names);
	h->reports = calloc(room, sizeof *h->reports);
	h->steps = calloc(room, sizeof *h->steps);
	h->unread = calloc(room, sizeof *h->unread);
	if (!runs || !h->names || !h->reports || !h->steps || !h->unread)
		rc = err_nomem(err);
	else
		rc = read_all(h, runs, dir, entries, n, err);
	for (int i = 0; rc && runs && i < h->n && !h->reports[i]; i++) {
		report_free(runs[i].report);
		free(runs[i].name);
	}
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	free(runs);
	if (rc)
		history_free(h);
	return rc;
}

void history_free(struct history *h)
{
	for (int i = 0; i < h->n; i++) {
		compare_free(&h->steps[i]);
		report_free(h->reports[i]);
		free(h->names[i]);
	}
	for (int i = 0; i < h->nunread; i++)
		free(h->unread[i]);
	free(h->names);
	free(h->reports);
	free(h->steps);
	free(h->unread);
	*h = (struct history){ 0 };
}

/* --- choosing -------------------------------------------------------------------------------- */

/* The cost of the structure in the whole phase of a report; NULL: it is not accessed. */
static const struct report_cost *cost_in(const struct report *r, const struct report_cost *like)
{
	for (int i = 0; i < r->ncosts && strcmp(r->costs[i].region, r->costs[0].region) == 0; i++)
		if (text_same(r->costs[i].structure, like->structure) &&
		    text_same(r->costs[i].scope, like->scope))
			return &r->costs[i];
	return NULL;
}

static int by_misses(const void *pa, const void *pb)
{
	const struct report_cost *a = *(const struct report_cost *const *)pa;
	const struct report_cost *b = *(const struct report_cost *const *)pb;

	if (!a->structure != !b->structure)
		return a->structure ? 1 : -1;
	if (a->misses[0] != b->misses[0])
		return a->misses[0] > b->misses[0] ? -1 : 1;
	return report_cost_compare(a, b);
}

/* The costs that get a table: all memory, then structures; of the last report that accesses them.
 * Returns their number; the caller frees. */
static int choose(const struct history *h, const struct report_style *style, const char *structure,
	const struct report_cost ***chosen)
{
	const struct report_cost **all;
	int n = 0, cap = 0;

	for (int i = 0; i < h->n; i++)
		cap += h->reports[i]->ncosts;
	*chosen = all = calloc((size_t)cap + 1, sizeof(const struct report_cost *));
	for (int i = h->n - 1; all && i >= 0; i--) {
		const struct report *r = h->reports[i];

		for (int k = 0; k < r->ncosts && strcmp(r->costs[k].region, r->costs[0].region) ==
		     0; k++) {
			const struct report_cost *cost = &r->costs[k];
			bool known = structure && cost->structure &&
				strcmp(cost->structure, structure) != 0;

			for (int j = 0; j < n && !known; j++)
				known = text_same(all[j]->structure, cost->structure) &&
					text_same(all[j]->scope, cost->scope);
			if (!known)
				all[n++] = cost;
		}
		if (i == h->n - 1 && n)
			qsort(all, (size_t)n, sizeof *all, by_misses);
	}
	return !structure && style->top && n > style->top + 1 ? style->top + 1 : n;
}

/* --- writing --------------------------------------------------------------------------------- */

static void date(char text[24], const struct report *r)
{
	time_t when = (time_t)r->when;
	struct tm tm;

	if (r->when <= 0 || !localtime_r(&when, &tm) || !strftime(text, 24, "%Y-%m-%d %H:%M", &tm))
		strcpy(text, "-");
}

static bool differs(const struct history *h, int i, const struct report_cost *like, int figure)
{
	struct compare_costs pair;

	if (!i)
		return false;
	pair = (struct compare_costs){ cost_in(h->reports[i - 1], like),
		cost_in(h->reports[i], like), COMPARE_SAME };
	return (pair.before || pair.after) && compare_figure_differs(&h->steps[i], &pair, figure);
}

enum { NAME = 18, DATE = 17, FIGURE = 9 };

/* The figures with a column: those that some report has, other than 0. */
static bool has_figure(const struct history *h, const struct report_cost *like, int figure)
{
	for (int i = 0; i < h->n; i++) {
		double v = compare_figure(cost_in(h->reports[i], like), figure);

		if (!isnan(v) && v > 0)
			return true;
	}
	return false;
}

static void figure_cell(struct text_page *p, const char *text, bool mark)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == ' ')
		n--;
	page_spaces(p, FIGURE - 1 - (int)n);
	buf_add(&p->out, text, n);
	buf_puts(&p->out, mark ? "*" : " ");
}

static void table(struct text_page *p, const struct history *h, const struct report_cost *like)
{
	static const char *const headings[COMPARE_FIGURES] = { "memory", "L1", "L2", "L3", "L4",
		"coherence", "accesses" };
	bool whole = !like->structure;

	page_heading(p, whole ? "The phase" : like->structure);
	page_cell(p, "run", NAME, PAGE_LEFT);
	page_cell(p, "", DATE, PAGE_LEFT);
	if (whole)
		figure_cell(p, "time", false);
	for (int k = 0; k < COMPARE_FIGURES; k++)
		if (has_figure(h, like, k))
			figure_cell(p, headings[k], false);
	page_end_line(p);
	for (int i = 0; i < h->n; i++) {
		const struct report *r = h->reports[i];
		char when[24], text[PAGE_FIGURE];

		date(when, r);
		page_cell(p, h->names[i], NAME - 1, PAGE_LEFT);
		page_spaces(p, 1);
		page_cell(p, when, DATE, PAGE_LEFT);
		if (whole)
			figure_cell(p, page_seconds(text, r->cpu_time), i &&
				compare_time_differs(&h->steps[i]));
		for (int k = 0; k < COMPARE_FIGURES; k++) {
			double v = compare_figure(cost_in(r, like), k);

			if (has_figure(h, like, k))
				figure_cell(p, k == COMPARE_ESTIMATE ? page_seconds(text, v) :
					page_count(text, v), differs(h, i, like, k));
		}
		page_end_line(p);
	}
}

/* --- problems -------------------------------------------------------------------------------- */

/* The problem with the key; else that of the same region and structures, whatever its
 * cause; NULL: not listed. */
static const struct report_problem *problem_in(const struct report *r,
	const struct report_problem *like)
{
	const char *cause = strrchr(like->key, ';');
	size_t n = cause ? (size_t)(cause - like->key) + 1 : strlen(like->key);

	for (int i = 0; i < r->problems.n; i++)
		if (strcmp(r->problems.problem[i].key, like->key) == 0)
			return &r->problems.problem[i];
	for (int i = 0; i < r->problems.n; i++)
		if (strncmp(r->problems.problem[i].key, like->key, n) == 0 &&
		    r->problems.problem[i].memory == like->memory)
			return &r->problems.problem[i];
	return NULL;
}

/* A line a run: what the problem costs there, of which kind it is, and
 * its number in that report. */
static void problem_table(struct text_page *p, const struct history *h,
	const struct report_problem *like)
{
	struct buf name = BUF_INIT;

	buf_printf(&name, "Problem %d: %s:%d", like->number, like->file, like->line);
	for (int i = 0; i < like->nstructures; i++)
		buf_printf(&name, "%s%s", i ? ", " : "  ",
			report_own_name(report_place(like->structures[i])));
	page_heading(p, buf_str(&name));
	p->out.failed |= name.failed;
	buf_free(&name);
	for (int i = 0; i < h->n; i++) {
		const struct report_problem *its = problem_in(h->reports[i], like);
		char when[24], figure[PAGE_FIGURE];

		date(when, h->reports[i]);
		page_cell(p, h->names[i], NAME - 1, PAGE_LEFT);
		page_spaces(p, 1);
		page_cell(p, when, DATE, PAGE_LEFT);
		figure_cell(p, its ? problem_amount(h->reports[i], its, figure) : "-", false);
		page_spaces(p, 1);
		page_cell(p, its ? its->cause : "not listed", p->width - NAME - DATE - FIGURE - 1,
			PAGE_FREE);
		page_end_line(p);
	}
}

/* The problems of the last report, the first style->top of them. */
static void problem_tables(struct text_page *p, const struct history *h,
	const struct report_style *style)
{
	const struct report_problems *last = &h->reports[h->n - 1]->problems;

	for (int i = 0; i < last->n && (!style->top || i < style->top); i++)
		problem_table(p, h, &last->problem[i]);
}

void history_text(const struct history *h, const struct report_style *style, const char *structure,
	struct buf *out)
{
	struct text_page p = { .out = BUF_INIT, .width = style->width ? style->width : 80,
		.color = style->color, .unicode = style->unicode };
	const struct report_cost **chosen;
	int n = choose(h, style, structure, &chosen);

	for (int i = 0; chosen && i < n; i++)
		table(&p, h, chosen[i]);
	if (!structure)
		problem_tables(&p, h, style);
	if (!n)
		page_wrap(&p, 0, 0,
			"The files have no costs of data structures: they are older, or accesses were lost.");
	page_end_line(&p);
	page_wrap(&p, 0, 0,
		"An execution of the phase; memory: estimate of the processor time lost to it; L1 to L4: "
		"misses. *: differs from the line before.");
	buf_add_buf(out, &p.out);
	out->failed |= !chosen;
	buf_free(&p.out);
	free(chosen);
}

void history_csv(const struct history *h, const struct report_style *style, const char *structure,
	struct buf *out)
{
	const struct report_cost **chosen;
	int n = choose(h, style, structure, &chosen);

	buf_puts(out,
		"run,when,structure,scope,cpu_time,est_stall,l1_misses,l2_misses,l3_misses,l4_misses,coherence,"
		"accesses\n");
	for (int i = 0; chosen && i < n; i++)
		for (int k = 0; k < h->n; k++) {
			csv_text(out, h->names[k]);
			buf_printf(out, ",%lld", (long long)h->reports[k]->when);
			csv_next_text(out, chosen[i]->structure);
			csv_next_text(out, chosen[i]->scope);
			csv_next_real(out, chosen[i]->structure ? NAN : h->reports[k]->cpu_time);
			for (int f = 0; f < COMPARE_FIGURES; f++)
				csv_next_real(out, compare_figure(cost_in(h->reports[k], chosen[i]),
					f));
			csv_end(out);
		}
	out->failed |= !chosen;
	free(chosen);
}
