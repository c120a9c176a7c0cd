/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report of one screen: a verdict, the problems, what is sure of it, what to do
 * next. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/model/figures.h"
#include "base/text_same.h"
#include "report/words/problem_words.h"
#include "report/words/quote.h"
#include "report/text/text.h"
#include "report/words/words.h"

enum {
	MOST_SHOWN = 4,         /* problems, unless more are asked for */
	LABEL_AT = 4, TEXT_AT = 11,
	RANK = 2, AMOUNT = 7, SHARE = 12,       /* columns of a problem's figures */
	STRUCTURES = 6,         /* names printed, if there is room */
	OWN_LINES = 9           /* for the user's own properties, beside problems */
};
#define WALL_TIMES 1.5          /* the phase's time, from which its wall time is told, too */
#define NOT_SURE 0.05           /* share of the phase's time, an upper end of what probably costs
				 * less than 1 % */

/* How much of a problem is printed. */
enum detail { DETAIL_LINE, DETAIL_PATH, DETAIL_AS, DETAIL_DO, DETAIL_WHY, DETAIL_SOURCE };

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* --- the head --------------------------------------------------------------------------------
 * */

/* True: the program did not have its processors all the time, so that times of
 * waits have another base. */
static bool wall_differs(const struct report *r)
{
	return r->wall_time > WALL_TIMES * r->phase_time ||
		r->phase_time > WALL_TIMES * r->wall_time;
}

static void phase_times(struct buf *b, const struct report *r, bool with_wall)
{
	char figure[PAGE_FIGURE];

	if (!isnan(r->phase_time))
		buf_printf(b, ", %s", page_seconds(figure, r->phase_time));
	if (!isnan(r->phase_time) && with_wall)
		buf_printf(b, " (%s wall)", page_seconds(figure, r->wall_time));
}

static void phase_words(struct buf *b, const struct report *r, bool with_wall)
{
	static const struct { enum region_type type; const char *word; } kinds[] = {
		{ REGION_LOOP, "loop" }, { REGION_SUB, "subroutine" }, { REGION_USER, "region" },
	};
	const struct report_node *n = &r->phase;
	char figure[PAGE_FIGURE], run[PAGE_RUN];

	if (!text_some(n->file) && !text_some(n->name))
		return;
	if (r->bursts) {
		buf_puts(b, "; the whole run");
		phase_times(b, r, with_wall);
		return;
	}
	buf_puts(b, "; phase:");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (n->type == kinds[i].type)
			buf_printf(b, " %s", kinds[i].word);
	if (text_some(n->name))
		buf_printf(b, " %s", n->name);
	buf_puts(b, " ");
	words_line(b, n->file, n->line);
	phase_times(b, r, with_wall);
	if (!isnan(r->run_share))
		buf_printf(b, ", %s of %s", page_percent(figure, r->run_share), page_run(run, r));
}

/* Wraps the rest of the head, which begins in column `at`. */
static void run_and_phase(struct text_report *t, int at, bool with_wall)
{
	const struct report *r = t->r;
	struct buf b = BUF_INIT;

	if (r->nprocs > 1 || (r->nprocs == 1 && r->nthreads <= 1))
		buf_printf(&b, ", %d process%s", r->nprocs, r->nprocs == 1 ? "" : "es");
	if (r->hosts > 1)
		buf_printf(&b, " on %d hosts", r->hosts);
	if (r->nprocs > 0 && r->nthreads > 0)
		buf_printf(&b, ", %d thread%s%s", r->nthreads, r->nthreads == 1 ? "" : "s",
			r->nprocs == 1 ? "" : " each");
	phase_words(&b, r, with_wall);
	page_wrap_buf(&t->page, at, 2, &b);
	buf_free(&b);
}

/* The command line; of one that is too long, the words that fit.  If even the first does not,
 * page_cell() shortens it. */
static void command_words(struct buf *b, const char *what, int room)
{
	const char *end = what;

	for (const char *c = what; page_columns(what) > room && (c = strchr(c, ' ')); c++) {
		buf_clear(b);
		buf_add(b, what, (size_t)(c - what));
		buf_puts(b, " ..");
		if (page_columns(buf_str(b)) > room)
			break;
		end = c;
	}
	buf_clear(b);
	buf_add(b, what, end > what ? (size_t)(end - what) : strlen(what));
	buf_puts(b, end > what ? " .." : "");
}

static void head(struct text_report *t)
{
	const struct report *r = t->r;
	const char *what = text_some(r->command) ? r->command : text_some(r->executable) ?
		r->executable : "?";
	static const char program[] = "Periscope/C: ";
	int room = t->page.width / 3, at, lines;
	struct buf command = BUF_INIT;
	size_t from;

	page_bold(&t->page, true);
	buf_puts(&t->page.out, program);
	command_words(&command, what, room);
	page_cell(&t->page, buf_str(&command), room, PAGE_FREE);
	at = (int)strlen(program) + least(page_columns(buf_str(&command)), room);
	t->page.out.failed |= command.failed;
	buf_free(&command);
	page_bold(&t->page, false);
	from = t->page.out.len;
	run_and_phase(t, at, false);
	lines = page_lines_from(&t->page, from);
	if (wall_differs(r)) {
		page_cut(&t->page, from);
		run_and_phase(t, at, true);
		if (page_lines_from(&t->page, from) > lines) {      /* no line for it alone */
			page_cut(&t->page, from);
			run_and_phase(t, at, false);
		}
	}
	text_warnings(t);
	buf_puts(&t->page.out, "\n");
}

/* --- the verdict -----------------------------------------------------------------------------
 * */

static void verdict(struct text_report *t, const struct report_problems *all, int worth)
{
	struct buf b = BUF_INIT;

	problem_verdict(&b, t->r, all);
	problem_time(&b, t->r, all);
	if (all->n) {
		buf_puts(&b, b.len ? " " : "");
		problem_count(&b, all, worth);
		buf_puts(&b, ":");
	}
	page_bold(&t->page, true);
	if (b.len || b.failed)
		page_wrap_buf(&t->page, 0, 0, &b);
	page_bold(&t->page, false);
	if (all->n == 0 && !report_own_findings(t->r))
		text_nothing(t);
	buf_free(&b);
}

/* --- a problem -------------------------------------------------------------------------------
 * */

struct short_report {
	struct text_report *t;
	const struct report_style *style;
	const struct report_problems *all;
};

/* Prints s as a link to the source line; in a terminal without links, as it is. */
static void put_link(struct short_report *s, const struct report_problem *p, const char *text,
	int width)
{
	const struct report_finding *f = p->lead;
	struct buf *out = &s->t->page.out;
	char host[256] = "";

	if (!s->style->links || !f->source || gethostname(host, sizeof host - 1) != 0) {
		page_cell(&s->t->page, text, width, PAGE_FREE);
		return;
	}
	buf_printf(out, "\033]8;;file://%s", host);
	for (const char *c = f->source; *c; c++) {
		if (isalnum((unsigned char)*c) || strchr("/._-~", *c))
			buf_add(out, c, 1);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*c);
	}
	buf_printf(out, "#%d\033\\", p->place_line > 0 ? p->place_line : f->first_line);
	page_cell(&s->t->page, text, width, PAGE_FREE);
	buf_puts(out, "\033]8;;\033\\");
}

/* The routine, if *in is left, and the place, as much of both as there is room for. */
static void place_in(struct buf *b, const struct report_problem *p, const char **in, int room)
{
	int routine = *in ? page_columns(*in) + 1 : 0;

	for (int with_range = 1; with_range >= 0; with_range--) {
		buf_clear(b);
		problem_place(b, p, with_range);
		if (routine + page_columns(buf_str(b)) <= room)
			return;
	}
	/* Without a line, the file says less than the routine. */
	if (*in && p->region && p->region->line <= 0)
		buf_clear(b);
	else
		*in = NULL;
}

/* " 1  0.85 ms  6.5% (0-23)  jacu jacu.f:52 (in 27-260)  a, b, c, d  gather" */
static void title(struct short_report *s, const struct report_problem *p)
{
	struct text_page *page = &s->t->page;
	struct buf place = BUF_INIT, structures = BUF_INIT;
	const char *in = problem_routine(p), *kind = p->cause;
	char figure[PAGE_FIGURE];
	int at = 0, room, names;

	problem_structures(&structures, p, STRUCTURES);
	snprintf(figure, sizeof figure, "%d", p->number);
	page_bold(page, true);
	page_cell(page, figure, RANK, PAGE_RIGHT);
	page_spaces(page, 2);
	if (problem_unknown(p)) {
		page_cell(page, PAGE_NOT_KNOWN, AMOUNT + 2 + SHARE, PAGE_LEFT);
	} else {
		page_cell(page, problem_amount(s->t->r, p, figure), AMOUNT, PAGE_RIGHT);
		page_spaces(page, 2);
		if (page_columns(problem_share(p, figure)) > SHARE)
			page_percent(figure, p->share);
		page_cell(page, figure, SHARE, PAGE_LEFT);
	}
	page_spaces(page, 1);
	at = RANK + 2 + AMOUNT + 2 + SHARE + 1;
	room = page->width - at - 2 - page_columns(kind);
	names = least(page_columns(buf_str(&structures)), room / 3);
	room -= names ? names + 2 : 0;
	place_in(&place, p, &in, room);
	if (in) {
		page_cell(page, in, room, PAGE_FREE);
		page_spaces(page, 1);
		at += page_columns(in) + 1;
		room -= page_columns(in) + 1;
	}
	put_link(s, p, buf_str(&place), room);
	at += least(page_columns(buf_str(&place)), room);
	if (names) {
		page_spaces(page, 2);
		room = page->width - at - 4 - page_columns(kind);
		problem_structures_in(&structures, p, STRUCTURES, room);
		page_cell(page, buf_str(&structures), room, PAGE_FREE);
		at += 2 + least(page_columns(buf_str(&structures)), room);
	}
	page_spaces(page, page->width - at - page_columns(kind));
	page_cell(page, kind, page->width - at, PAGE_FREE);
	page_end_line(page);
	page_bold(page, false);
	page->out.failed |= place.failed || structures.failed;
	buf_free(&place);
	buf_free(&structures);
}

static void label_cell(struct short_report *s, const char *label)
{
	page_spaces(&s->t->page, LABEL_AT);
	page_bold(&s->t->page, true);
	page_cell(&s->t->page, label, TEXT_AT - LABEL_AT, PAGE_LEFT);
	page_bold(&s->t->page, false);
}

static void labelled(struct short_report *s, const char *label, const char *text)
{
	label_cell(s, label);
	page_wrap(&s->t->page, TEXT_AT, TEXT_AT, text);
}

static void labelled_buf(struct short_report *s, const char *label, const struct buf *text)
{
	s->t->page.out.failed |= text->failed;
	if (text->len)
		labelled(s, label, buf_str(text));
}

/* In one line, whatever the names. */
static void path(struct short_report *s, const struct report_problem *p)
{
	const int room = s->t->page.width - TEXT_AT;
	struct buf b = BUF_INIT;

	problem_path(&b, s->t->r, p, room);
	s->t->page.out.failed |= b.failed;
	if (b.len) {
		label_cell(s, "PATH");
		page_cell(&s->t->page, buf_str(&b), room, PAGE_FREE);
		page_end_line(&s->t->page);
	}
	buf_free(&b);
}

/* The first problem before this one with the same advice; -1: none. */
static int same_advice(const struct short_report *s, int i)
{
	const struct report_finding *f = s->all->problem[i].lead;

	for (int k = 0; k < i && !s->all->problem[i].npasses; k++)
		if (!s->all->problem[k].npasses && text_same(s->all->problem[k].lead->why,
		    f->why) && text_same(s->all->problem[k].lead->advice, f->advice))
			return k;
	return -1;
}

/* --- what to do ------------------------------------------------------------------------------
 * */

static void why(struct short_report *s, const struct report_problem *p)
{
	struct buf b = BUF_INIT;

	problem_why(&b, s->t->r, p);
	labelled_buf(s, "WHY", &b);
	buf_free(&b);
}

static void saves(struct short_report *s, const struct report_problem *p)
{
	struct buf b = BUF_INIT;

	problem_saves(&b, s->t->r, p);
	labelled_buf(s, "SAVES", &b);
	buf_free(&b);
}

static void proposal(struct short_report *s, const struct report_problem *p)
{
	int as = problem_as_for(s->t->r, p);
	const char *text = problem_doing(s->t->r, p);
	char reference[32];

	snprintf(reference, sizeof reference, "as for %d", as);
	if (*text)
		labelled(s, "DO", as ? reference : text);
}

static void problem(struct short_report *s, int i, enum detail detail)
{
	const struct report_problem *p = &s->all->problem[i];

	title(s, p);
	if (detail >= DETAIL_SOURCE)
		text_quote(s->t, p);
	if (detail >= DETAIL_PATH)
		path(s, p);
	if (detail >= DETAIL_WHY && same_advice(s, i) < 0)
		why(s, p);
	if (detail >= DETAIL_DO || (detail == DETAIL_AS && problem_as_for(s->t->r, p)))
		proposal(s, p);
	if (detail >= DETAIL_DO && report_problem_savable(p))
		saves(s, p);
}

/* --- the screen ------------------------------------------------------------------------------
 * */

static int lines_of(struct short_report *s, int i, enum detail detail)
{
	size_t at = s->t->page.out.len;
	int n;

	problem(s, i, detail);
	n = page_lines_from(&s->t->page, at);
	page_cut(&s->t->page, at);
	return n;
}

/* Gives the first problem its path and what to do, the others their paths, the first why, tells of
 * the others that the same helps, then quotes the first one's source and gives the others all there
 * is, as far as the lines allow; every problem has a line.  room < 0: no limit. */
static void problems(struct short_report *s, int shown, int room)
{
	static const struct { int problem; enum detail detail; } steps[] = {
		{ 0, DETAIL_PATH }, { 0, DETAIL_AS }, { 0, DETAIL_DO },
		{ 1, DETAIL_PATH }, { 2, DETAIL_PATH }, { 3, DETAIL_PATH }, { 0, DETAIL_WHY },
			{ 1, DETAIL_AS }, { 2, DETAIL_AS },
		{ 3, DETAIL_AS }, { 0, DETAIL_SOURCE }, { 1, DETAIL_DO }, { 1, DETAIL_WHY },
		{ 2, DETAIL_DO }, { 1, DETAIL_SOURCE }, { 2, DETAIL_WHY }, { 3, DETAIL_DO },
		{ 2, DETAIL_SOURCE }, { 3, DETAIL_WHY }, { 3, DETAIL_SOURCE },
	};
	enum detail detail[MOST_SHOWN] = { DETAIL_LINE };

	room -= room < 0 ? 0 : shown;
	for (size_t k = 0; k < sizeof steps / sizeof steps[0] && room >= 0; k++) {
		int i = steps[k].problem, now, then;

		if (i >= shown || detail[i] + 1 < steps[k].detail)
			continue;
		now = lines_of(s, i, detail[i]);
		then = lines_of(s, i, steps[k].detail);
		if (then - now > room)
			continue;
		detail[i] = steps[k].detail;
		room -= then - now;
	}
	for (int i = 0; i < shown; i++)
		problem(s, i, room < 0 || i >= MOST_SHOWN ? DETAIL_SOURCE : detail[i]);
}

/* "and 1 more, and 7 that cost less than 1% each, 1.4% together: --top 0" */
static void more(struct short_report *s, int shown, int worth)
{
	const int small = shown > worth ? shown : worth, nsmall = s->all->n - small;
	struct buf b = BUF_INIT;
	char figure[PAGE_FIGURE];
	double sum = 0, most = 0;
	int unsure = 0;

	if (shown >= s->all->n)
		return;
	for (int i = shown; i < s->all->n; i++) {
		const struct report_problem *p = &s->all->problem[i];

		sum += isnan(p->share) ? 0 : p->share;
		if (i < small)
			continue;
		unsure += p->high >= NOT_SURE;
		most = p->high > most ? p->high : most;
	}
	if (shown < worth)
		buf_printf(&b, "and %d more%s", worth - shown, nsmall ? ", " : "");
	if (nsmall)
		buf_printf(&b, "and %d that %s%s", nsmall, unsure ? "probably " : "",
			nsmall == 1 ? "costs less than 1%" : "cost less than 1% each");
	if (sum > 0 && s->all->n - shown > 1)
		buf_printf(&b, ", %s together", page_percent(figure, sum));
	if (unsure && nsmall == 1)
		buf_printf(&b, ", but may cost up to %.0f%%", 100 * most);
	else if (unsure)
		buf_printf(&b, ", but %d may cost up to %.0f%%", unsure, 100 * most);
	buf_puts(&b, ": --top 0");
	page_spaces(&s->t->page, LABEL_AT);
	page_wrap_buf(&s->t->page, LABEL_AT, LABEL_AT, &b);
	buf_free(&b);
}

/* What comes behind the problems, printed before them to know how many lines are left: *lines. */
static struct buf foot(struct text_report *t, const struct report_style *style, int *lines)
{
	struct buf before = t->page.out, out;

	t->page.out = (struct buf)BUF_INIT;
	text_classes(t);
	text_sure(t, style);
	*lines = page_lines_from(&t->page, 0);
	out = t->page.out;
	t->page.out = before;
	return out;
}

/* The same of the user's own properties; room: of the screen, 0: no limit. */
static struct buf own(struct short_report *s, int room, int *lines)
{
	struct text_report *t = s->t;
	struct buf before = t->page.out, out;

	t->page.out = (struct buf)BUF_INIT;
	text_own(t, room && s->all->n ? least(OWN_LINES, room / 2) : room);
	*lines = page_lines_from(&t->page, 0);
	out = t->page.out;
	t->page.out = before;
	return out;
}

static void put_part(struct text_report *t, struct buf *part)
{
	if (part->len)
		buf_add(&t->page.out, part->data, part->len);
	t->page.out.failed |= part->failed;
	buf_free(part);
}

void text_short(struct text_report *t, const struct report_style *style)
{
	struct short_report s = { .t = t, .style = style, .all = &t->r->problems };
	struct buf last, of_own;
	int shown, worth, used, lines, room = -1;
	size_t at;

	shown = style->top > 0 ? least(style->top, s.all->n) : s.all->n;
	worth = style->lines > 0 ? problem_worth(s.all) : s.all->n;
	if (style->lines > 0)
		shown = least(least(shown, MOST_SHOWN), worth);
	last = foot(t, style, &used);
	head(t);
	verdict(t, s.all, worth);
	if (s.all->n)
		buf_puts(&t->page.out, "\n");
	at = t->page.out.len;
	more(&s, shown, worth);         /* how many lines it takes */
	used += page_lines_from(&t->page, 0);
	page_cut(&t->page, at);
	of_own = own(&s, style->lines > used ? style->lines - used : style->lines, &lines);
	used += lines;
	if (style->lines > 0)
		room = style->lines > used + shown ? style->lines - used : shown;
	problems(&s, shown, room);
	more(&s, shown, worth);
	put_part(t, &of_own);
	if (style->gains)
		text_gains(t);
	text_verified(t);
	text_trials(t);
	text_counted(t);
	text_region_times(t);
	text_placed(t);
	put_part(t, &last);
}
