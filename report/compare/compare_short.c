/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a comparison for a user who has just changed the program: how much faster the phase is,
 * what became of each problem, in the words of the short report, and whether the change
 * brought what was promised. */
#include "report/compare/compare_short.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text_same.h"
#include "report/compare/compare_problems.h"
#include "report/words/problem_words.h"
#include "report/words/words.h"

enum {
	MOST_PROBLEMS = 6,      /* unless more are asked for */
	STRUCTURES = 6,         /* names printed, if there is room */
	KEY = 10, OUTCOME = 10, TIME = 7
};
#define DISTURBED 1.5           /* times the shortest execution: the longest, from which a run was
				 * disturbed */
#define LEAST_TIME 0.0005       /* share of the phase's time that is a figure */

struct short_compare {
	struct text_page *page;
	const struct compare *c;
	const struct report_style *style;
	struct compare_problems all;
	int time;               /* columns of a time */
	int place_at;           /* the column in which places begin */
};

/* --- the whole phase -------------------------------------------------------------------------- */

static void head_line(struct text_page *p, const char *key, const char *name,
	const struct report *r, bool command)
{
	struct buf b = BUF_INIT;
	time_t when = (time_t)r->when;
	struct tm tm;

	buf_puts(&b, name);
	if (command)
		buf_printf(&b, ": %s", text_some(r->command) ? r->command : "unknown program");
	if (r->when > 0 && localtime_r(&when, &tm))
		buf_printf(&b, ", %04d-%02d-%02d %02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
			tm.tm_mday, tm.tm_hour, tm.tm_min);
	page_cell(p, key, KEY, PAGE_LEFT);
	page_wrap_buf(p, KEY, KEY, &b);
	buf_free(&b);
}

static void head(struct short_compare *s)
{
	const struct compare *c = s->c;
	bool commands = !text_same(c->before->command, c->after->command);

	head_line(s->page, "Before", c->before_name, c->before, commands);
	head_line(s->page, "After", c->after_name, c->after, commands);
	for (int i = 0; i < c->nnotes; i++) {
		page_cell(s->page, "Note", KEY, PAGE_LEFT);
		page_wrap(s->page, KEY, KEY, c->notes[i]);
	}
}

static bool disturbed(const struct report *r)
{
	return r->time_most > DISTURBED * r->time_least;
}

/* "; its executions took 10.1 ms to 176 ms before. The run before was disturbed: repeat
 * both on a quiet machine." */
static void put_disturbed(struct buf *b, const struct compare *c)
{
	const bool before = disturbed(c->before), after = disturbed(c->after);
	char least[PAGE_FIGURE], most[PAGE_FIGURE];

	for (int i = 0; i < 2; i++) {
		const struct report *r = i ? c->after : c->before;

		if (!disturbed(r))
			continue;
		buf_printf(b, "%s%s to %s %s", i && before ? " and " : "; its executions took ",
			page_seconds(least, r->time_least), page_seconds(most, r->time_most),
			i ? "after" : "before");
	}
	buf_puts(b, ".");
	if (before || after)
		buf_printf(b, " %s disturbed: repeat both on a quiet machine.", before &&
			after ? "Both runs were" : before ? "The run before was" :
			"The run after was");
	else
		buf_puts(b, " Repeat both runs on a quiet machine.");
}

static void time_sentence(struct buf *b, const struct compare *c)
{
	struct compare_cells cells;

	if (!compare_time_cells(c, &cells))
		return;
	if (compare_time_unclear(c))
		buf_puts(b, "Whether the phase's time changed cannot be told: ");
	else if (compare_time_differs(c))
		buf_printf(b, "The phase is %s: ", cells.change);
	else if (*cells.change)
		buf_puts(b,
			"The phase takes as long as before, within the spread of its executions: ");
	else
		buf_puts(b, "The phase: ");
	buf_printf(b, "%s -> %s (processor time of an execution%s, measured by the tool)",
		cells.before, cells.after, c->before->nprocs > 1 || c->after->nprocs > 1 ?
		" of a process" : "");
	if (compare_time_unclear(c))
		put_disturbed(b, c);
	else
		buf_puts(b, ".");
}

static void memory_sentence(struct buf *b, const struct compare *c)
{
	const struct compare_costs *whole = compare_whole(c);
	bool before = words_unsure(c->before), after = words_unsure(c->after);
	struct compare_cells cells;

	if (!whole || !compare_figure_cells(c, whole, COMPARE_ESTIMATE, &cells))
		return;
	buf_printf(b, "Memory's part%s, estimated: %s -> %s.",
		isnan(c->before->modelled_time) && isnan(c->after->modelled_time) ? " of it" :
		" on the modelled machine", cells.before, cells.after);
	if (!compare_time_differs(c) || compare_figure_differs(c, whole, COMPARE_ESTIMATE))
		return;
	if (before || after)
		buf_printf(b,
			" The time is measured; the estimate %s not known well%s, so its ranges say little.", before ? "was" : "is", before && after ? "" : before ? " before" : " now");
	else
		buf_puts(b, " The time is measured; the estimate alone does not show a change.");
}

static void whole_phase(struct short_compare *s)
{
	struct buf b = BUF_INIT;

	page_end_line(s->page);
	time_sentence(&b, s->c);
	page_bold(s->page, true);
	if (b.len || b.failed)
		page_wrap_buf(s->page, 0, 0, &b);
	page_bold(s->page, false);
	buf_clear(&b);          /* a failure is the page's by now */
	memory_sentence(&b, s->c);
	if (b.len || b.failed)
		page_wrap_buf(s->page, 0, 0, &b);
	buf_free(&b);
}

/* --- the problems ----------------------------------------------------------------------------- */

static bool listed(const struct compare_problem *p)
{
	return p->outcome < COMPARE_PROBLEM_SAME;
}

static bool much_less(const struct compare_problem *p)
{
	return p->outcome <= COMPARE_PROBLEM_MUCH_LESS;
}

/* The cost of a problem in the words of the short report, also where it is not listed. */
static const char *amount(const struct report *r, const struct report_problem *p,
	const struct report_cost *cost, double seconds, char figure[PAGE_FIGURE])
{
	const double base = report_base_time(r);
	struct report_problem here = { .memory = true, .share = seconds / base };

	if (p && (problem_unknown(p) || !cost || !p->nstructures || isnan(cost->est_stall)))
		return problem_amount(r, p, figure);
	if (!(seconds > 0) && !isnan(seconds) && (!cost || !(cost->est_stall_high > 0))) {
		snprintf(figure, PAGE_FIGURE, "0");
		return figure;
	}
	if (isnan(seconds) || !cost || !(cost->est_stall_high > 0))
		return page_seconds(figure, seconds);
	here.low = cost->est_stall_low / base;
	here.high = cost->est_stall_high / base;
	return isnan(here.share) ? page_seconds(figure, seconds) : problem_amount(r, &here, figure);
}

/* "drift stars.c:10  s"; with too little room without the routine, then with fewer structures. */
static void where(struct buf *b, const struct compare_problem *p, int room)
{
	const struct report_problem *of = p->after ? p->after : p->before, *data = p->before ?
		p->before : p->after;
	const char *in = problem_routine(of);
	bool failed = false, fits = false;

	for (int most = in ? STRUCTURES + 1 : STRUCTURES; most > 0 && !fits; most--) {
		struct buf names = BUF_INIT;

		buf_clear(b);
		if (most > STRUCTURES)
			buf_printf(b, "%s ", in);
		problem_place(b, of, false);
		problem_structures(&names, data, most < STRUCTURES ? most : STRUCTURES);
		if (names.len)
			buf_printf(b, "  %s", buf_str(&names));
		failed |= b->failed || names.failed;
		buf_free(&names);
		fits = page_columns(buf_str(b)) <= room;
	}
	b->failed = failed;
}

/* The count that decided, where the estimate does not show the change. */
static void deciding_count(struct short_compare *s, const struct compare_problem *p)
{
	struct compare_cells cells;
	struct buf b = BUF_INIT;
	int figure;

	if (much_less(p) || p->outcome == COMPARE_PROBLEM_NEW || !p->costs.before ||
	    !p->costs.after)
		return;
	figure = compare_main_figure(s->c, &p->costs);
	if (figure <= COMPARE_ESTIMATE || !compare_figure_cells(s->c, &p->costs, figure, &cells))
		return;
	buf_printf(&b, "%s %s -> %s (%s)", cells.name, cells.before, cells.after, cells.change);
	page_spaces(s->page, s->place_at);
	page_wrap_buf(s->page, s->place_at, s->place_at, &b);
	buf_free(&b);
}

/* "much less  1.03 ms -> 96.3 us  settle plume.f90:37  w, c   strided, now stream" */
static void problem(struct short_compare *s, const struct compare_problem *p)
{
	struct buf kind = BUF_INIT, place = BUF_INIT;
	char figure[PAGE_FIGURE];
	int room;

	buf_puts(&kind, p->before ? p->before->cause : p->after->cause);
	if (p->before && p->after && strcmp(p->before->cause, p->after->cause) != 0)
		buf_printf(&kind, ", now %s", p->after->cause);
	room = s->page->width - s->place_at - page_columns(buf_str(&kind)) - 2;
	where(&place, p, room);
	page_cell(s->page, compare_outcome_name(p->outcome), OUTCOME, PAGE_LEFT);
	page_cell(s->page, amount(s->c->before, p->before, p->costs.before, p->was, figure),
		s->time, PAGE_RIGHT);
	buf_puts(&s->page->out, " -> ");
	page_cell(s->page, amount(s->c->after, p->after, p->costs.after, p->is, figure), s->time,
		PAGE_LEFT);
	page_spaces(s->page, 2);
	page_cell(s->page, buf_str(&place), room, PAGE_LEFT);
	page_spaces(s->page, 2);
	page_cell(s->page, buf_str(&kind), s->page->width - s->place_at, PAGE_FREE);
	page_end_line(s->page);
	s->page->out.failed |= kind.failed || place.failed;
	buf_free(&kind);
	buf_free(&place);
	deciding_count(s, p);
}

static void heading(struct short_compare *s)
{
	page_end_line(s->page);
	page_bold(s->page, true);
	page_cell(s->page, "", OUTCOME, PAGE_LEFT);
	page_cell(s->page, "before", s->time, PAGE_RIGHT);
	page_spaces(s->page, 4);
	page_cell(s->page, "after", s->time, PAGE_LEFT);
	page_spaces(s->page, 2);
	page_cell(s->page, "what an execution loses there", s->page->width - s->place_at,
		PAGE_FREE);
	page_bold(s->page, false);
	page_end_line(s->page);
}

/* Times are as wide as figures, or as PAGE_NOT_KNOWN where one is. */
static void lay_out(struct short_compare *s)
{
	char figure[2][PAGE_FIGURE];

	s->time = TIME;
	for (int i = 0; i < s->all.n; i++) {
		const struct compare_problem *p = &s->all.problem[i];

		if (listed(p) &&
		    (strcmp(amount(s->c->before, p->before, p->costs.before, p->was, figure[0]),
		    PAGE_NOT_KNOWN) == 0 || strcmp(amount(s->c->after, p->after, p->costs.after,
		    p->is, figure[1]), PAGE_NOT_KNOWN) == 0))
			s->time = (int)strlen(PAGE_NOT_KNOWN);
	}
	s->place_at = OUTCOME + 2 * s->time + 6;
}

static void problems(struct short_compare *s)
{
	int most = s->style->top, shown = 0, all = 0;

	if (s->style->lines > 0 && (most <= 0 || most > MOST_PROBLEMS))
		most = MOST_PROBLEMS;
	for (int i = 0; i < s->all.n; i++) {
		const struct compare_problem *p = &s->all.problem[i];

		if (!listed(p) || (all++, most > 0 && shown == most))
			continue;
		if (!shown++)
			heading(s);
		problem(s, p);
	}
	if (shown < all) {
		buf_printf(&s->page->out, "and %d more: --top 0", all - shown);
		page_end_line(s->page);
	}
}

static void unchanged(struct short_compare *s)
{
	const int same = s->all.count[COMPARE_PROBLEM_SAME],
		little = s->all.count[COMPARE_PROBLEM_LITTLE];
	struct buf b = BUF_INIT;

	if (same + little == s->all.n) {
		page_end_line(s->page);
		buf_puts(&b, s->all.n ? "No problem is gone, new or changed." :
			"Neither report has a problem.");
	}
	if (same)
		buf_printf(&b, "%sAs before: %d problem%s.", b.len ? " " : "", same, same == 1 ?
			"" : "s");
	if (little)
		buf_printf(&b, "%sLess than 1%% of the time, before and after: %d problem%s.",
			b.len ? " " : "", little, little == 1 ? "" : "s");
	if (b.len || b.failed)
		page_wrap_buf(s->page, 0, 0, &b);
	buf_free(&b);
}

/* --- what was promised ------------------------------------------------------------------------ */

struct promise {
	double value, low, high;        /* s */
	bool wide, unknown;
	int n, of;                      /* problems that have one; that are gone or much less */
	const struct compare_problem *only;
};

static void add_promises(const struct short_compare *s, struct promise *sum)
{
	const double base = report_base_time(s->c->before);

	*sum = (struct promise){ 0 };
	for (int i = 0; i < s->all.n; i++) {
		const struct compare_problem *p = &s->all.problem[i];
		struct problem_saving saves;

		if (!p->before || !much_less(p))
			continue;
		sum->of++;
		if (!problem_saving(s->c->before, p->before, &saves))
			continue;
		sum->value += saves.share * base;
		sum->low += saves.low * base;
		sum->high += saves.high * base;
		sum->wide |= saves.wide;
		sum->unknown |= saves.unknown;
		sum->only = p;
		sum->n++;
	}
	if (sum->high > base)   /* the ends of several ranges */
		sum->high = base;
}

/* "said 709 us (range 484 us to 786 us)"; where the report before gave a range alone, "said 0 to
 * 3.1 ms (0% to 71.1% of the time)"; "was not known". */
static void put_promise(struct buf *b, const struct promise *sum, double base)
{
	char figure[4][PAGE_FIGURE];
	const double low = sum->low < LEAST_TIME * base ? 0 : sum->low;
	const char *least = low > 0 ? page_seconds(figure[0], low) : "0",
		*most = page_seconds(figure[1], sum->high);

	if (sum->unknown || page_not_known(low / base, sum->high / base)) {
		buf_puts(b, "was " PAGE_NOT_KNOWN);
		return;
	}
	buf_puts(b, "said ");
	if (sum->wide)
		buf_printf(b, "%s to %s (%s to %s of the time)", least, most,
			page_percent(figure[2], low / base),
			page_percent(figure[3], sum->high / base));
	else
		buf_puts(b, page_seconds(figure[2], sum->value));
	if (!sum->wide && !isnan(low) && !isnan(sum->high))
		buf_printf(b, " (range %s to %s)", least, most);
}

/* Appends the problems that the promise is of; nothing where one alone is gone or much less. */
static void put_whose(struct buf *b, const struct promise *sum)
{
	if (sum->n == 1 && sum->of > 1) {
		buf_puts(b, " for ");
		problem_structures(b, sum->only->before, STRUCTURES);
		buf_puts(b, " in ");
		problem_place(b, sum->only->before, false);
	} else if (sum->n < sum->of) {
		buf_printf(b, " for %d of the %d problems that are gone or much less", sum->n,
			sum->of);
	} else if (sum->n > 1) {
		buf_printf(b, " for the %d problems that are gone or much less", sum->n);
	}
}

/* Appends the change of the time that memory's part is of; false: that time is not of one
 * machine in both reports. */
static bool put_change(struct buf *b, const struct compare *c)
{
	const bool modelled = !isnan(c->before->modelled_time);
	const double was = report_base_time(c->before), is = report_base_time(c->after);
	char figure[PAGE_FIGURE];

	if (isnan(was) || isnan(is) || modelled == isnan(c->after->modelled_time) ||
	    (modelled && !text_same(c->before->machine, c->after->machine)))
		return false;
	buf_printf(b, "; the phase's processor time%s ", modelled ? ", modelled for that machine," :
		"");
	if (modelled ? was == is : !compare_time_differs(c))
		buf_puts(b, "did not change clearly");
	else
		buf_printf(b, "%s by %s", is < was ? "fell" : "rose",
			page_seconds(figure, fabs(was - is)));
	return true;
}

static void promised(struct short_compare *s)
{
	struct buf b = BUF_INIT;
	struct promise sum;

	add_promises(s, &sum);
	if (sum.n) {
		put_promise(&b, &sum, report_base_time(s->c->before));
		put_whose(&b, &sum);
		if (put_change(&b, s->c)) {
			page_bold(s->page, true);
			buf_puts(&s->page->out, "SAVES ");
			page_bold(s->page, false);
			page_wrap_buf(s->page, 6, 6, &b);
		}
	}
	s->page->out.failed |= b.failed;
	buf_free(&b);
}

/* True: both names are of one file, as where a run has replaced the report
 * that it was compared with. */
static bool one_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void next(struct short_compare *s)
{
	const char *after = s->style->psc ? s->style->psc : s->c->after_name;
	struct buf b = BUF_INIT;

	if (!*after || one_file(s->c->before_name, after))
		return;
	buf_printf(&b, "psc_report -v --compare %s %s: every finding", s->c->before_name, after);
	page_bold(s->page, true);
	buf_puts(&s->page->out, "NEXT  ");
	page_bold(s->page, false);
	page_wrap_buf(s->page, 6, 6, &b);
	buf_free(&b);
}

void compare_short(struct text_page *p, const struct compare *c, const struct report_style *style)
{
	struct short_compare s = { .page = p, .c = c, .style = style };

	if (compare_problems_find(&s.all, c)) {
		p->out.failed = true;
		return;
	}
	head(&s);
	whole_phase(&s);
	lay_out(&s);
	problems(&s);
	unchanged(&s);
	promised(&s);
	next(&s);
	compare_problems_free(&s.all);
}
