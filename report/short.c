/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report of one screen: a verdict, the problems, what is sure of it, what to do
 * next. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/figures.h"
#include "report/quote.h"
#include "report/text.h"
#include "report/words.h"

enum {
	MOST_SHOWN = 4,         /* problems, unless more are asked for */
	LABEL_AT = 4, TEXT_AT = 11,
	STRUCTURES = 6          /* names printed */
};
#define WORTH 0.01              /* share of the phase's time: a change that saves less is not proposed */
#define ADVICE_FIGURE "memory takes about "     /* reports of earlier versions: a figure of one process */

/* How much of a problem is printed. */
enum detail { DETAIL_LINE, DETAIL_DO, DETAIL_WHY, DETAIL_SOURCE };

static bool some(const char *s)
{
	return s && *s;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* --- the head --------------------------------------------------------------------------------
 * */

static void phase_words(struct buf *b, const struct report *r)
{
	static const struct { enum region_type type; const char *word; } kinds[] = {
		{ REGION_LOOP, "loop" }, { REGION_SUB, "subroutine" }, { REGION_USER, "region" },
	};
	const struct report_node *n = &r->phase;
	char figure[PAGE_FIGURE];

	if (!some(n->file) && !some(n->name))
		return;
	buf_puts(b, "; phase:");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (n->type == kinds[i].type)
			buf_printf(b, " %s", kinds[i].word);
	if (some(n->name))
		buf_printf(b, " %s", n->name);
	buf_printf(b, " %s:%d", some(n->file) ? n->file : "?", n->line);
	if (!isnan(r->phase_time))
		buf_printf(b, ", %s", page_seconds(figure, r->phase_time));
	if (!isnan(r->run_share))
		buf_printf(b, ", %s of the program's time", page_percent(figure, r->run_share));
}

static void warning(struct text_report *t, const char *what, const char *why)
{
	struct buf b = BUF_INIT;

	if (!some(why))
		return;
	buf_printf(&b, "%s: %s", what, why);
	page_bold(&t->page, true);
	page_wrap_buf(&t->page, 0, 2, &b);
	page_bold(&t->page, false);
	buf_free(&b);
}

static void head(struct text_report *t)
{
	const struct report *r = t->r;
	const char *what = some(r->command) ? r->command : some(r->executable) ? r->executable : "?";
	static const char program[] = "Periscope/C: ";
	int room = t->page.width / 3;
	struct buf b = BUF_INIT;

	page_bold(&t->page, true);
	buf_puts(&t->page.out, program);
	page_cell(&t->page, what, room, PAGE_FREE);
	page_bold(&t->page, false);
	if (r->nprocs > 1 || (r->nprocs == 1 && r->nthreads <= 1))
		buf_printf(&b, ", %d process%s", r->nprocs, r->nprocs == 1 ? "" : "es");
	if (r->nprocs > 0 && r->nthreads > 0)
		buf_printf(&b, ", %d thread%s%s", r->nthreads, r->nthreads == 1 ? "" : "s",
			r->nprocs == 1 ? "" : " each");
	phase_words(&b, r);
	page_wrap_buf(&t->page, (int)strlen(program) + least(page_columns(what), room), 2, &b);
	buf_free(&b);
	warning(t, "Partial analysis", r->partial);
	warning(t, "Warning", r->phase_warning);
	buf_puts(&t->page.out, "\n");
}

/* --- the verdict -----------------------------------------------------------------------------
 * */

static double base_time(const struct report *r)
{
	return isnan(r->modelled_time) ? r->cpu_time : r->modelled_time;
}

/* "2.14 of 13 ms": without the first unit where both have the same. */
static void part_of(struct buf *b, double part, double all)
{
	char figure[2][PAGE_FIGURE];
	const char *whole = page_seconds(figure[1], all), *unit = strchr(whole, ' ');

	page_seconds(figure[0], part);
	if (unit && strchr(figure[0], ' ') && strcmp(strchr(figure[0], ' '), unit) == 0)
		*strchr(figure[0], ' ') = '\0';
	buf_printf(b, "%s of %s", figure[0], whole);
}

static void memory_verdict(struct buf *b, const struct report *r)
{
	double base = base_time(r), high = r->est_stall_high / base;
	const char *model = isnan(r->modelled_time) ? "" : " (modelled for that machine)";
	char figure[3][PAGE_FIGURE];

	if (isnan(high))
		return;
	if (words_memory_is_little(r)) {
		buf_printf(b, "Memory is not what this phase waits for: at most %s of its processor "
			"time%s.", page_percent(figure[0], high), model);
		return;
	}
	buf_puts(b, "About ");
	part_of(b, r->est_stall, base);
	buf_printf(b, " of processor time in each execution (%s; %s to %s) is lost to memory%s.",
		page_percent(figure[0], r->est_stall / base),
		page_percent(figure[1], r->est_stall_low / base), page_percent(figure[2], high), model);
}

/* "2 problems, one cause." */
static void count_words(struct buf *b, const struct report_problems *all)
{
	int causes = 0;

	for (int i = 0; i < all->n; i++) {
		bool known = false;

		for (int k = 0; k < i && !known; k++)
			known = strcmp(all->problem[k].cause, all->problem[i].cause) == 0;
		causes += !known;
	}
	if (all->n == 1)
		buf_printf(b, "%sOne problem:", b->len ? " " : "");
	else if (all->n > 1 && causes == 1)
		buf_printf(b, "%s%d problems, one cause:", b->len ? " " : "", all->n);
	else if (all->n > 1)
		buf_printf(b, "%s%d problems, worst first:", b->len ? " " : "", all->n);
}

static void verdict(struct text_report *t, const struct report_problems *all)
{
	struct buf b = BUF_INIT, time = BUF_INIT;

	memory_verdict(&b, t->r);
	if (all->n == 0) {
		words_time(&time, t->r);
		if (strchr(buf_str(&time), ','))
			buf_printf(&b, "%sIts time: %s.", b.len ? " " : "", buf_str(&time));
		t->page.out.failed |= time.failed;
	}
	count_words(&b, all);
	page_bold(&t->page, true);
	if (b.len || b.failed)
		page_wrap_buf(&t->page, 0, 0, &b);
	page_bold(&t->page, false);
	if (all->n == 0)
		text_nothing(t);
	buf_free(&time);
	buf_free(&b);
}

/* --- a problem -------------------------------------------------------------------------------
 * */

struct short_report {
	struct text_report *t;
	const struct report_style *style;
	struct report_problems all;
};

/* The subroutine around a finding's place. */
static const char *routine(const struct report_finding *f)
{
	for (int k = f->npath - 1; k >= 0; k--)
		if ((f->path[k].type == REGION_SUB || f->path[k].type == REGION_MAIN) &&
		    some(f->path[k].name))
			return f->path[k].name;
	return NULL;
}

/* "jacld.f:39-80": the lines of the lead, and of other structures in the same file, as far as
 * they are known. */
static void place_words(struct buf *b, const struct report_problem *p)
{
	const struct report_finding *f = p->lead;
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;
	int first = f->first_line, last = f->last_line;

	for (int i = 0; i < p->nstructures && slash; i++) {
		const struct report_finding *other = p->structures[i];

		if (!other->source || strcmp(other->source, f->source) != 0)
			continue;
		first = other->first_line < first ? other->first_line : first;
		last = other->last_line > last ? other->last_line : last;
	}
	if (f->first_line > 0 && slash)
		buf_printf(b, "%s:%d", slash + 1, first);
	else if (p->region)
		buf_printf(b, "%s:%d", some(p->region->file) ? p->region->file : "?", p->region->line);
	else
		buf_puts(b, "?");
	if (f->first_line > 0 && slash && last > first)
		buf_printf(b, "-%d", last);
}

static void structure_words(struct buf *b, const struct report_problem *p)
{
	for (int i = 0; i < p->nstructures && i < STRUCTURES; i++)
		buf_printf(b, "%s%s", i ? ", " : "", report_place(p->structures[i])->name);
	if (p->nstructures > STRUCTURES)
		buf_puts(b, ", ..");
	if (!p->nstructures && p->memory)
		buf_puts(b, "many data");
}

/* Prints s as a link to the source line; in a terminal without links, as it is. */
static void put_link(struct short_report *s, const struct report_finding *f, const char *text,
	int width)
{
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
	buf_printf(out, "#%d\033\\", f->first_line);
	page_cell(&s->t->page, text, width, PAGE_FREE);
	buf_puts(out, "\033]8;;\033\\");
}

static const char *amount(const struct report *r, const struct report_problem *p,
	char figure[PAGE_FIGURE])
{
	double base = p->memory ? base_time(r) : r->phase_time;

	if (isnan(p->share) && p->members[0]->severity_is_index)
		return page_index(figure, p->members[0]->severity_share);
	if (isnan(p->share))
		return page_percent(figure, p->members[0]->severity_share);
	return isnan(base) ? page_percent(figure, p->share) : page_seconds(figure, p->share * base);
}

/* " 1  0.85 ms  6.5% (0-23)  jacu jacu.f:27-260  a, b, c, d  gather" */
static void title(struct short_report *s, const struct report_problem *p, int rank)
{
	struct text_page *page = &s->t->page;
	struct buf place = BUF_INIT, structures = BUF_INIT;
	const char *in = routine(p->lead), *kind = p->cause;
	char figure[PAGE_FIGURE];
	int at = 0, room, names;

	place_words(&place, p);
	structure_words(&structures, p);
	snprintf(figure, sizeof figure, "%d", rank);
	page_bold(page, true);
	page_cell(page, figure, 2, PAGE_RIGHT);
	page_spaces(page, 2);
	page_cell(page, amount(s->t->r, p, figure), 7, PAGE_RIGHT);
	page_spaces(page, 2);
	page_cell(page, p->memory ? page_range(figure, p->share, p->low, p->high) :
		page_percent(figure, p->share), 11, PAGE_LEFT);
	page_spaces(page, 2);
	at = 26;
	room = page->width - at - 2 - page_columns(kind);
	names = least(page_columns(buf_str(&structures)), room / 3);
	room -= names ? names + 2 : 0;
	if (in && page_columns(in) + 1 + page_columns(buf_str(&place)) <= room) {
		page_cell(page, in, room, PAGE_FREE);
		page_spaces(page, 1);
		at += page_columns(in) + 1;
		room -= page_columns(in) + 1;
	}
	put_link(s, p->lead, buf_str(&place), room);
	at += least(page_columns(buf_str(&place)), room);
	if (names) {
		page_spaces(page, 2);
		room = page->width - at - 4 - page_columns(kind);
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

static void labelled(struct short_report *s, const char *label, const char *text)
{
	page_spaces(&s->t->page, LABEL_AT);
	page_bold(&s->t->page, true);
	page_cell(&s->t->page, label, TEXT_AT - LABEL_AT, PAGE_LEFT);
	page_bold(&s->t->page, false);
	page_wrap(&s->t->page, TEXT_AT, TEXT_AT, text);
}

/* Cuts the end off a line of source that is too long. */
static void cut_end(char *text, int width)
{
	size_t n = strlen(text);

	while (n > 2 && page_columns(text) > width) {
		do
			n--;
		while (n > 2 && ((unsigned char)text[n] & 0xc0) == 0x80);
		memcpy(text + n - 2, "..", 3);
	}
}

static void source(struct short_report *s, const struct report_problem *p)
{
	struct text_page *page = &s->t->page;
	struct quote q;
	char number[16];

	if (quote_read(s->t->r, p->lead, &q)) {
		page->out.failed = true;
		return;
	}
	for (int i = 0; i < q.n; i++) {
		snprintf(number, sizeof number, "%d", q.line[i].number);
		page_dim(page, true);
		page_cell(page, number, TEXT_AT - 2, PAGE_RIGHT);
		buf_puts(&page->out, " | ");
		cut_end(q.line[i].text, page->width - TEXT_AT - 1);
		page_cell(page, q.line[i].text, page->width - TEXT_AT - 1, PAGE_FREE);
		page_end_line(page);
		page_dim(page, false);
	}
	quote_free(&q);
}

/* Where the action of an advice begins: after the first ": " that is no part of parentheses;
 * the whole advice where it has none. */
static const char *action(const char *advice)
{
	int depth = 0;

	for (const char *s = advice; *s; s++) {
		depth += (*s == '(') - (*s == ')');
		if (depth == 0 && s[0] == ':' && s[1] == ' ')
			return s + 2;
	}
	return advice;
}

/* The advice without what earlier versions wrote before it. */
static const char *advice_of(const struct report_finding *f)
{
	const char *s = some(f->advice) ? f->advice : "";

	return strncmp(s, ADVICE_FIGURE, strlen(ADVICE_FIGURE)) == 0 ? action(s) : s;
}

static void add_fact(struct buf *b, const struct report_finding *f)
{
	const char *s = advice_of(f), *end = action(s);

	if (end == s || (b->len && strncmp(buf_str(b), s, (size_t)(end - s) - 2) == 0))
		return;
	if (b->len)
		buf_puts(b, "; ");
	buf_add(b, s, (size_t)(end - s) - 2);
}

/* True: f is about the same place as the lead, and is a time. */
static bool beside(const struct report_finding *f, const struct report_finding *lead)
{
	return !f->severity_is_index &&
		report_path_compare(f->path, f->npath, lead->path, lead->npath) == 0;
}

/* The first problem before this one with the same advice; -1: none. */
static int same_advice(const struct short_report *s, int i)
{
	const char *text = advice_of(s->all.problem[i].lead);

	for (int k = 0; k < i; k++)
		if (strcmp(advice_of(s->all.problem[k].lead), text) == 0)
			return k;
	return -1;
}

/* Facts of the lead, and of one other finding about the same structure or region. */
static void why(struct short_report *s, const struct report_problem *p)
{
	struct buf b = BUF_INIT;
	size_t before;

	add_fact(&b, p->lead);
	before = b.len;
	for (int i = 0; i < p->nmembers && b.len == before; i++)
		if (p->members[i] != p->lead && beside(p->members[i], p->lead))
			add_fact(&b, p->members[i]);
	s->t->page.out.failed |= b.failed;
	if (b.len)
		labelled(s, "WHY", buf_str(&b));
	buf_free(&b);
}

/* --- what a change would save ----------------------------------------------------------------
 * */

static const char *own_name(const struct report_finding *f)
{
	const struct report_node *n = report_place(f);

	return n->alias_of ? n->alias_of : n->name;
}

static bool applies(const struct report_gain *g, const struct report_problem *p)
{
	for (int i = 0; i < p->nstructures; i++)
		if (report_gain_of(g, p->structures[i]))
			return true;
	return false;
}

/* The part that a problem has of what its structure i costs in all problems. */
static double part_of_structure(const struct short_report *s, const struct report_problem *p, int i)
{
	const char *name = own_name(p->structures[i]);
	double all = 0;

	for (int k = 0; k < s->all.n; k++)
		for (int j = 0; j < s->all.problem[k].nstructures; j++)
			if (strcmp(own_name(s->all.problem[k].structures[j]), name) == 0)
				all += s->all.problem[k].structure_share[j];
	return all > 0 ? p->structure_share[i] / all : 1;
}

/* What a change to each structure of the problem saves in it, as share of the phase's time:
 * gains are of a structure in the whole phase. */
static double saving(const struct short_report *s, const struct report_problem *p, const char *fix,
	const struct report_gain **best)
{
	double sum = 0, most = 0;

	for (int i = 0; i < p->nstructures; i++) {
		const struct report_gain *mine = NULL;
		double share;

		for (int k = 0; k < s->t->r->ngains; k++) {
			const struct report_gain *g = &s->t->r->gains[k];

			if (!g->reason && strcmp(g->fix, fix) == 0 && g->time_share > 0 &&
			    report_gain_of(g, p->structures[i]) &&
			    (!mine || g->time_share > mine->time_share))
				mine = g;
		}
		if (!mine)
			continue;
		share = mine->time_share * part_of_structure(s, p, i);
		sum += share;
		if (share > most) {
			most = share;
			*best = mine;
		}
	}
	return sum;
}

/* The change that saves most, of one kind for all structures of the problem; its saving as
 * share of the phase's time, at most the problem's; tried: any change was.  NULL: none saves
 * anything. */
static const struct report_gain *best_change(const struct short_report *s,
	const struct report_problem *p, double *share, bool *tried)
{
	const struct report *r = s->t->r;
	const struct report_gain *best = NULL;

	*share = 0;
	*tried = false;
	for (int k = 0; k < r->ngains; k++) {
		const struct report_gain *g = &r->gains[k], *of = NULL;
		double now;

		if (g->reason || report_gain_bounds(g) || !applies(g, p))
			continue;
		*tried = true;
		now = saving(s, p, g->fix, &of);
		if (of && now > *share) {
			*share = now;
			best = of;
		}
	}
	if (*share > p->share)
		*share = p->share;
	return best;
}

/* Of lines that displace one another, or that threads take from one another, no count tells what
 * a change saves: --what-if simulates it. */
static bool is_simulated(const char *kind)
{
	return strcmp(kind, "sharing") == 0 || strcmp(kind, "conflict") == 0;
}

static void saves(struct short_report *s, const struct report_problem *p)
{
	double base = base_time(s->t->r), share;
	struct buf b = BUF_INIT;
	bool tried;
	const struct report_gain *best = best_change(s, p, &share, &tried);

	if (best && share >= WORTH && !isnan(base)) {
		buf_puts(&b, "about ");
		part_of(&b, share * base, p->share * base);
		buf_printf(&b, ": %s", best->change);
		labelled(s, "SAVES", buf_str(&b));
	} else if (tried) {
		labelled(s, "SAVES", "less than 1% of the phase's time by what was tried (psc_report "
			"-v)");
	} else if (p->nstructures && is_simulated(p->cause)) {
		buf_printf(&b, "not known: psc_frontend --what-if %s simulates the change",
			own_name(p->structures[0]));
		labelled(s, "SAVES", buf_str(&b));
	}
	s->t->page.out.failed |= b.failed;
	buf_free(&b);
}

/* --- what to do ------------------------------------------------------------------------------
 * */

/* The finding whose advice goes with what saves most: where that is denser accesses, the one
 * that asks how much of what is fetched is used; else the lead. */
static const struct report_finding *adviser(const struct short_report *s,
	const struct report_problem *p)
{
	const struct report_gain *best;
	double share;
	bool tried;

	best = p->memory ? best_change(s, p, &share, &tried) : NULL;
	if (!best || share < WORTH || strcmp(best->fix, "dense") != 0)
		return p->lead;
	for (int i = 0; i < p->nmembers; i++) {
		const struct report_finding *f = p->members[i];

		if (f != p->lead && beside(f, p->lead) && some(f->advice) &&
		    action(advice_of(f)) != advice_of(f))
			return f;
	}
	return p->lead;
}

/* The action without any reason before it. */
static const char *doing(const struct short_report *s, int i)
{
	const char *text = advice_of(adviser(s, &s->all.problem[i])), *last = action(text);

	while (last != text) {
		text = last;
		last = action(text);
	}
	return text;
}

static void proposal(struct short_report *s, int i)
{
	const char *text = doing(s, i);
	struct buf b = BUF_INIT;

	if (!*text)
		return;
	for (int k = 0; k < i && !b.len; k++)
		if (strcmp(doing(s, k), text) == 0)
			buf_printf(&b, "as for %d", k + 1);
	labelled(s, "DO", b.len ? buf_str(&b) : text);
	s->t->page.out.failed |= b.failed;
	buf_free(&b);
}

static void problem(struct short_report *s, int i, enum detail detail)
{
	const struct report_problem *p = &s->all.problem[i];

	title(s, p, i + 1);
	if (detail >= DETAIL_SOURCE)
		source(s, p);
	if (detail >= DETAIL_WHY && same_advice(s, i) < 0)
		why(s, p);
	if (detail >= DETAIL_DO)
		proposal(s, i);
	if (detail >= DETAIL_DO && p->memory)
		saves(s, p);
}

/* --- the screen ------------------------------------------------------------------------------
 * */

static int lines_from(const struct text_report *t, size_t from)
{
	int n = 0;

	for (size_t i = from; i < t->page.out.len; i++)
		n += t->page.out.data[i] == '\n';
	return n;
}

static void cut(struct text_report *t, size_t at)
{
	if (!t->page.out.failed && t->page.out.len > at) {
		t->page.out.len = at;
		t->page.out.data[at] = '\0';
	}
}

static int lines_of(struct short_report *s, int i, enum detail detail)
{
	size_t at = s->t->page.out.len;
	int n;

	problem(s, i, detail);
	n = lines_from(s->t, at);
	cut(s->t, at);
	return n;
}

/* Gives each of the first problems what to do, then the first ones the rest, as far as the
 * lines allow; every problem has a line.  room < 0: no limit. */
static void problems(struct short_report *s, int shown, int room)
{
	static const struct { int problem; enum detail detail; } steps[] = {
		{ 0, DETAIL_DO }, { 1, DETAIL_DO }, { 0, DETAIL_WHY }, { 2, DETAIL_DO }, { 0, DETAIL_SOURCE },
		{ 1, DETAIL_WHY }, { 1, DETAIL_SOURCE }, { 2, DETAIL_WHY }, { 3, DETAIL_DO },
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

static void more(struct short_report *s, int shown)
{
	struct buf b = BUF_INIT;
	char figure[PAGE_FIGURE];
	double sum = 0;

	if (shown >= s->all.n)
		return;
	for (int i = shown; i < s->all.n; i++)
		sum += isnan(s->all.problem[i].share) ? 0 : s->all.problem[i].share;
	buf_printf(&b, "and %d more", s->all.n - shown);
	if (sum > 0)
		buf_printf(&b, ", %s together", page_percent(figure, sum));
	buf_puts(&b, ": --top 0");
	page_spaces(&s->t->page, LABEL_AT);
	page_wrap_buf(&s->t->page, LABEL_AT, LABEL_AT, &b);
	buf_free(&b);
}

void text_short(struct text_report *t, const struct report_style *style)
{
	struct short_report s = { .t = t, .style = style };
	struct buf foot = BUF_INIT, whole;
	int shown, used, room = -1;

	if (report_problems_find(t->r, &s.all)) {
		t->page.out.failed = true;
		return;
	}
	shown = style->top > 0 ? least(style->top, s.all.n) : s.all.n;
	if (style->lines > 0)
		shown = least(shown, MOST_SHOWN);
	/* The last part first: what is left is for the problems. */
	whole = t->page.out;
	t->page.out = foot;
	text_sure(t, style);
	foot = t->page.out;
	used = lines_from(t, 0);
	t->page.out = whole;
	head(t);
	verdict(t, &s.all);
	if (s.all.n)
		buf_puts(&t->page.out, "\n");
	used += lines_from(t, 0) + (shown < s.all.n);
	if (style->lines > 0)
		room = style->lines > used + shown ? style->lines - used : shown;
	problems(&s, shown, room);
	more(&s, shown);
	if (style->gains)
		text_gains(t);
	text_verified(t);
	if (foot.len)
		buf_add(&t->page.out, foot.data, foot.len);
	t->page.out.failed |= foot.failed;
	buf_free(&foot);
	report_problems_free(&s.all);
}
