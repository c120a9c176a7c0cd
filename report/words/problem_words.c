/* SPDX-License-Identifier: BSD-3-Clause */
/* Composes what the text report and the HTML page say of a problem: verdict,
 * place, cause, advice, saving. */
#include "report/words/problem_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/time_words.h"
#include "report/words/words.h"

#define WORTH 0.01              /* share of the phase's time: a change that saves less is not proposed, what costs
	                         * less is not on the first screen */
#define LEAST_AMOUNT 0.0005     /* share of the phase's time that is a figure */
#define LITTLE_AMOUNT 0.05
#define NEARLY_ALL 0.9          /* part of what a problem costs: no change to a program that was
				 * seen in bursts saves as much for sure */
#define MAY_BE_MUCH 0.3         /* share of the phase's time, an upper end: what may cost as much is
				 * told though its middle is little */
#define WIDE 0.5                /* share of the phase's time: a range, of which the middle says
				 * little */
#define NEXT_TO_NOTHING 0.1     /* of the middle of a range */
#define AT_ITS_END 0.97         /* of the upper end of a range: its middle, which is printed as the
				 * same figure */
#define SEVERAL 3               /* times the lower end of a range: its upper end, from which the
				 * range is told with the middle */
#define BRANCHY 0.1             /* share of the phase's time from which mispredicted branches are
				 * told */
#define COMPUTES 0.5            /* ... that computing takes as far as it is modelled, from which it
				 * takes most */

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

/* Appends what takes the time that memory does not: branches on data, or other computing. */
static void put_rest(struct buf *b, const struct report *r)
{
	const double base = report_base_time(r), branches = r->branch_time / base,
		memory = r->est_stall / base;
	char figure[PAGE_FIGURE];

	if (branches >= BRANCHY && words_nothing_known(0, 2 * branches))
		buf_puts(b, "; what mispredicted branches on data take is not known");
	else if (branches >= BRANCHY)
		buf_printf(b, "; mispredicted branches on data may take up to %s%s",
			page_percent(figure, 2 * branches), branches > memory ?
			", more than memory does" : "");
	else if (time_computing(r) >= COMPUTES)
		buf_printf(b, "; computing %stakes most%s%s", r->est_stall_high > 0.5 * base ||
			time_computing_least(r) < COMPUTES ? "probably " : "",
			text_some(r->math_calls) ? ": it calls " : "",
			text_some(r->math_calls) ? r->math_calls : "");
}

/* True: the problem is a cost of memory that the estimate of the phase does not have, as lines that
 * threads take from each other, and page faults. */
static bool beside_the_estimate(const struct report *r, const struct report_problem *p)
{
	const struct report_finding *f = p->lead;
	bool of_data = miss_kind_shares(f->kind) || report_place(f)->type == REGION_DATA_STRUCTURE;

	if (f->about == ABOUT_FAULTS)
		return p->share > r->est_stall_high / report_base_time(r);
	return of_data && f->about == ABOUT_MEMORY && !f->severity_is_index &&
		(isnan(p->share) ? f->severity_share : p->share) > r->est_stall_high /
		report_base_time(r);
}

/* "Apart from what is listed below, memory" */
static void put_memory(struct buf *b, const struct report *r, const struct report_problems *all)
{
	for (int i = 0; i < all->n; i++)
		if (beside_the_estimate(r, &all->problem[i])) {
			buf_puts(b, "Apart from what is listed below, memory");
			return;
		}
	buf_puts(b, "Memory");
}

static void memory_verdict(struct buf *b, const struct report *r, const struct report_problems *all)
{
	double base = report_base_time(r), low = r->est_stall_low / base,
		share = r->est_stall / base, high = r->est_stall_high / base;
	const char *model = isnan(r->modelled_time) ? "" : " (modelled for that machine)";
	char figure[3][PAGE_FIGURE];

	if (isnan(high))
		return;
	if (words_memory_is_little(r)) {
		put_memory(b, r, all);
		buf_puts(b, " is not what this phase waits for: ");
		words_at_most(b, high);
		buf_printf(b, " of its processor time%s", model);
	} else if (page_not_known(low, high)) {
		problem_phase_unknown(b, r, all);
		return;
	} else if (words_uncertain(low, high)) {
		buf_puts(b, "What memory costs in this phase is uncertain: by the estimate ");
		part_of(b, r->est_stall, base);
		buf_printf(b, " of processor time %s%s (%s), but %s to %s is possible%s",
			words_of_execution(r), r->nprocs > 1 ? " of a process" : "",
			page_percent(figure[0], share), page_percent(figure[1], low),
			page_percent(figure[2], high), model);
	} else if (share < WORTH) {
		put_memory(b, r, all);
		buf_puts(b, " is probably not what this phase waits for: ");
		if (share >= WORTH / 10)
			buf_printf(b, "about %s of its processor time, ",
				page_percent(figure[0], share));
		words_at_most(b, high);
		buf_printf(b, "%s%s", share >= WORTH / 10 ? "" : " of its processor time", model);
	} else {
		buf_puts(b, "About ");
		part_of(b, r->est_stall, base);
		buf_printf(b, " of processor time %s%s (%s; %s to %s) is lost to memory%s",
			words_of_execution(r), r->nprocs > 1 ? " of a process" : "",
			page_percent(figure[0], share), page_percent(figure[1], low),
			page_percent(figure[2], high), model);
	}
	put_rest(b, r);
	buf_puts(b, ".");
}

int problem_worth(const struct report_problems *all)
{
	int n = all->n;

	/* They are in the order of their shares; of one without a share
	 * nobody knows that it is small. */
	while (n > 1 && all->problem[n - 1].share < WORTH &&
	       !(all->problem[n - 1].high >= MAY_BE_MUCH))
		n--;
	return n;
}

void problem_count(struct buf *b, const struct report_problems *all, int n)
{
	int causes = 0;

	for (int i = 0; i < n; i++) {
		bool known = false;

		for (int k = 0; k < i && !known; k++)
			known = strcmp(all->problem[k].cause, all->problem[i].cause) == 0;
		causes += !known;
	}
	if (n == 1 && all->problem[0].share < WORTH)
		buf_puts(b, "What costs most");
	else if (n == 1)
		buf_puts(b, "One problem");
	else if (n > 1 && causes == 1)
		buf_printf(b, "%d problems, one cause", n);
	else if (n > 1)
		buf_printf(b, "%d problems, worst first", n);
}

void problem_verdict(struct buf *b, const struct report *r, const struct report_problems *all)
{
	time_verdict(b, r);
	memory_verdict(b, r, all);
}

void problem_time(struct buf *b, const struct report *r, const struct report_problems *all)
{
	struct buf time = BUF_INIT;

	if (all->n && !time_is_mixed(r))
		return;
	words_time(&time, r);
	if (strchr(buf_str(&time), ','))
		buf_printf(b, "%sIts time: %s.", b->len ? " " : "", buf_str(&time));
	b->failed |= time.failed;
	buf_free(&time);
}

/* --- a problem -------------------------------------------------------------------------------- */

const char *problem_routine(const struct report_problem *p)
{
	for (int i = 0; i < p->nmembers && p->place_line > 0; i++)
		if (p->members[i]->place_line == p->place_line &&
		    text_some(p->members[i]->place_routine) &&
		    text_same(p->members[i]->source, p->lead->source))
			return p->members[i]->place_routine;
	return report_subroutine(p->lead, p->lead->npath);
}

void problem_place(struct buf *b, const struct report_problem *p, bool with_range)
{
	const struct report_finding *f = p->lead;
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;
	bool known = f->first_line > 0 && slash;
	int first, last, line = p->place_line;

	report_problem_range(p, &first, &last);
	if (known)
		buf_printf(b, "%s:%d", slash + 1, line > 0 ? line : first);
	else if (p->region)
		words_line(b, p->region->file, p->region->line);
	else
		buf_puts(b, "?");
	if (known && line <= 0 && last > first)
		buf_printf(b, "-%d", last);
	else if (known && with_range && line >= first && line <= last && last > first)
		buf_printf(b, " (in %d-%d)", first, last);
}

/* The last member of a name, "c" of "a%b%c", "a.b.c" or "a->b->c"; the name itself where it is
 * something else, as a place in a file. */
static const char *last_member(const char *name)
{
	const char *end = name + strlen(name), *p = end;

	while (p > name && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
		p--;
	return p > name && strchr("%.>", p[-1]) && isalpha((unsigned char)*p) &&
		!strpbrk(name, " /") ? p : name;
}

static void put_structures(struct buf *b, const struct report_problem *p, int most, bool members)
{
	/* Where memory is allocated matters there, not what a function calls it that touches it. */
	const bool own = report_problem_faults(p);

	for (int i = 0; i < p->nstructures && i < most; i++) {
		const struct report_node *place = report_place(p->structures[i]);
		const char *name = own ? report_own_name(place) : report_shown_name(place);

		buf_printf(b, "%s%s", i ? ", " : "", members ? last_member(name) : name);
	}
	if (p->nstructures > most)
		buf_puts(b, ", ..");
	if (!p->nstructures && p->memory)
		buf_puts(b, "many data");
}

void problem_structures(struct buf *b, const struct report_problem *p, int most)
{
	put_structures(b, p, most, false);
}

void problem_structures_in(struct buf *b, const struct report_problem *p, int most, int room)
{
	for (int members = 0; members < 2; members++)
		for (int n = most; n > 0; n--) {
			buf_clear(b);
			put_structures(b, p, n, members);
			if (page_columns(buf_str(b)) <= room)
				return;
		}
}

bool problem_bounded(const struct report_problem *p)
{
	return p->memory && p->share < LEAST_AMOUNT && !isnan(p->high);
}

bool problem_unknown(const struct report_problem *p)
{
	return p->memory && page_not_known(p->low, p->high);
}

bool problem_is_all(const struct report *r, const struct report_problem *p)
{
	return p->memory && isnan(r->modelled_time) && p->share >= WORTH &&
		p->share >= AT_ITS_END * p->high && !problem_unknown(p);
}

const char *problem_amount(const struct report *r, const struct report_problem *p,
	char figure[PAGE_FIGURE])
{
	double base = report_problem_base(r, p);

	if (isnan(p->share))
		return p->members[0]->severity_is_index ? page_index(figure,
			p->members[0]->severity_share) :
			page_percent(figure, p->members[0]->severity_share);
	if (problem_unknown(p) || problem_bounded(p)) {
		snprintf(figure, PAGE_FIGURE, "%s", problem_unknown(p) ? PAGE_NOT_KNOWN :
			p->high < LITTLE_AMOUNT ? "little" : "unknown");
		return figure;
	}
	return isnan(base) ? page_percent(figure, p->share) : page_seconds(figure, p->share * base);
}

const char *problem_share(const struct report_problem *p, char figure[PAGE_FIGURE])
{
	if (problem_bounded(p) && !problem_unknown(p)) {
		if (p->high < LEAST_AMOUNT)
			return page_percent(figure, LEAST_AMOUNT / 10);
		snprintf(figure, PAGE_FIGURE, "up to %.*f%%", p->high < 0.0095, 100 * p->high);
		return figure;
	}
	return report_problem_savable(p) ? page_range(figure, p->share, p->low, p->high) :
		page_percent(figure, p->share);
}

/* --- why -------------------------------------------------------------------------------------- */

/* True: f is about the same place as the lead, and is a time. */
static bool beside(const struct report_finding *f, const struct report_finding *lead)
{
	return !f->severity_is_index && report_path_compare(f->path, f->npath, lead->path,
		lead->npath) == 0;
}

/* ": 1377 page faults an execution, 19.2 us each, allocated at step.f90:12" */
static void put_faults(struct buf *b, const struct report *r, const struct report_problem *p)
{
	char each[PAGE_FIGURE];

	if (!report_problem_faults(p) || !(p->page_faults > 0))
		return;
	buf_puts(b, text_some(p->lead->why) ? ": " : "");
	words_number(b, p->page_faults);
	buf_printf(b, " page faults%s, %s each", r->bursts ? "" : " an execution",
		page_seconds(each, p->share * r->cpu_time / p->page_faults));
	if (text_some(p->lead->declared))
		buf_printf(b, ", allocated at %s", p->lead->declared);
}

void problem_why(struct buf *b, const struct report *r, const struct report_problem *p)
{
	const struct report_finding *lead = p->lead;
	bool led = text_some(lead->why);

	if (p->npasses) {
		passes_why(b, p);
		return;
	}
	words_why(b, lead);
	put_faults(b, r, p);
	if (p->npaths > 1 && led)
		buf_printf(b, " (the costliest of %d calling paths)", p->npaths);
	for (int i = 0; i < p->nmembers; i++) {
		const struct report_finding *f = p->members[i];

		if (f == lead || !beside(f, lead) || !text_some(f->why) ||
		    (led && text_same(f->why, lead->why)))
			continue;
		if (led)
			buf_puts(b, "; ");
		words_why(b, f);
		return;
	}
}

/* --- what a change would save ----------------------------------------------------------------- */

/* The change that saves most of the problem; NULL: none saves anything. */
static const struct report_gain *best_change(const struct report *r, const struct report_problem *p)
{
	return p->gain ? &r->gains[p->gain - 1] : NULL;
}

/* True: the middle of the range says little, or as well it may be next to nothing. */
static bool wide(const struct report *r, const struct report_problem *p)
{
	return p->share > 0 && (words_unsure(r) || p->low < NEXT_TO_NOTHING * p->share ||
		p->high - p->low > WIDE);
}

/* The change in a word, as those that were tried have it. */
static const char *fault_change(const struct report_problem *p)
{
	const enum fault_cause cause = p->lead->fault_cause;

	return cause == FAULT_GROWN || cause == FAULT_REALLOC ? "memory that grows in fewer steps" :
		"memory that is kept";
}

static const char *change_words(const struct report *r, const struct report_problem *p)
{
	if (report_problem_contends(p))
		return "results of its own for each thread, joined once";
	if (p->gain)
		return best_change(r, p)->change;
	return p->npasses ? passes_change() : "not copied";
}

/* What the change also saves, which no estimate has; NULL: nothing. */
static const char *more_words(const struct report_problem *p)
{
	if (!p->saves_more)
		return NULL;
	return report_problem_contends(p) ? "more, as the updates themselves go" :
		"more if the loop then gets vector instructions";
}

bool problem_saving(const struct report *r, const struct report_problem *p,
	struct problem_saving *out)
{
	if (report_problem_faults(p) && p->saves >= WORTH) {
		*out = (struct problem_saving){ .share = p->saves, .low = p->saves_low,
			.high = p->saves_high, .ranged = true, .change = fault_change(p),
			.unknown = page_not_known(p->saves_low, p->saves_high) };
		return true;
	}
	if ((!p->gain && !p->npasses && !report_problem_contends(p) &&
	    p->lead->kind != MISS_COPY) || !(p->saves >= WORTH))
		return false;
	*out = (struct problem_saving){ .share = p->saves, .low = p->saves_low,
		.high = p->saves_high, .wide = wide(r, p), .ranged = p->saves_high > SEVERAL *
		p->saves_low, .more = more_words(p), .change = change_words(r, p) };
	out->unknown = problem_unknown(p) || page_not_known(out->low, out->high);
	return true;
}

/* What a change to a structure saves in all n problems that it suits, in each at most what
 * it costs; false: in none. */
static bool gain_in_all(const struct report *r, const struct report_gain *g,
	struct problem_saving *out, int *n)
{
	*n = 0;
	*out = (struct problem_saving){ .change = g->change };
	for (int k = 0; k < r->problems.n; k++) {
		const struct report_problem *p = &r->problems.problem[k];
		double share = report_problem_saves(r, p, g);

		if (!(share > 0) || !(p->share > 0))
			continue;
		share = share < p->share ? share : p->share;
		out->share += share;
		out->low += share * p->low / p->share;
		out->high += share * p->high / p->share;
		out->wide |= wide(r, p);
		out->unknown |= problem_unknown(p);
		out->ranged |= p->high > SEVERAL * p->low;
		++*n;
	}
	return *n > 0;
}

void problem_gain_saves(struct buf *b, const struct report *r, const struct report_gain *g)
{
	struct problem_saving saving;
	char low[PAGE_FIGURE], high[PAGE_FIGURE], share[PAGE_FIGURE];
	int n;

	if (!gain_in_all(r, g, &saving, &n))
		saving = (struct problem_saving){ .share = g->time_share };
	if (saving.unknown || page_not_known(saving.low, saving.high)) {
		buf_puts(b, "an amount that is not known");
		return;
	}
	page_percent(low, saving.low);
	page_percent(high, saving.high);
	if (saving.wide)
		buf_printf(b, "%s to %s", low, high);
	else
		buf_printf(b, "about %s", page_percent(share, saving.share));
	if (saving.ranged && !saving.wide)
		buf_printf(b, " (%s to %s)", low, high);
	buf_puts(b, " of the phase's processor time");
	if (n > 1)
		buf_printf(b, ", in %d problems together", n);
}

/* The structure that --verify can measure in this problem, by its own name; NULL: none.  Of copies
 * it does not measure what hits.  Of several threads it measures only what they take from each
 * other. */
static const char *measurable(const struct report *r, const struct report_problem *p)
{
	if (!p->nstructures || r->nverified > 0 || !isnan(r->modelled_time) ||
	    p->lead->kind == MISS_COPY || (r->nthreads > 1 && !miss_kind_shares(p->lead->kind)))
		return NULL;
	return report_shown_name(report_place(p->structures[0]));
}

static void put_change(struct buf *b, const struct problem_saving *saves)
{
	buf_printf(b, ": %s", saves->change);
	if (saves->more)
		buf_printf(b, "; %s", saves->more);
}

/* What the estimate does not know can be measured. */
static void put_measurement(struct buf *b, const struct report *r, const struct report_problem *p)
{
	const char *name = measurable(r, p);

	if (!name || r->bursts)         /* neither can be asked of a program that is recorded in
					 * bursts */
		return;
	buf_puts(b, "; --verify ");
	words_shell(b, name);
	buf_puts(b, " measures it");
}

/* What malloc's settings save of page faults can be measured in the running program, unless it was,
 * or ranks wait for each other. */
static bool triable(const struct report *r, const struct report_problem *p)
{
	return report_problem_faults(p) && r->ntrials <= 0 && r->nprocs <= 1 && !r->bursts;
}

static void put_trial(struct buf *b, const struct report *r, const struct report_problem *p)
{
	if (triable(r, p))
		buf_puts(b, "; --try malloc measures it");
}

/* What may be next to nothing or nearly all of the time: the change, and how to know. */
static void put_unknown(struct buf *b, const struct report *r, const struct report_problem *p,
	const char *change)
{
	buf_puts(b, PAGE_NOT_KNOWN);
	if (change)
		buf_printf(b, " (%s)", change);
	put_measurement(b, r, p);
	put_trial(b, r, p);
	if (!triable(r, p) && !measurable(r, p) && r->nverified <= 0 && isnan(r->modelled_time))
		buf_puts(b, "; --compare after the change tells");
}

void problem_phase_unknown(struct buf *b, const struct report *r, const struct report_problems *all)
{
	int i = 0;

	buf_puts(b,
		"What memory costs in this phase is not known: by the estimate next to nothing, or nearly all of its time");
	while (i < all->n && !(all->problem[i].memory && all->problem[i].high >= MAY_BE_MUCH &&
	       measurable(r, &all->problem[i])))
		i++;
	if (i < all->n)
		put_measurement(b, r, &all->problem[i]);
	buf_puts(b, ".");
}

void problem_saves(struct buf *b, const struct report *r, const struct report_problem *p)
{
	double base = report_problem_base(r, p);
	char figure[2][PAGE_FIGURE];
	struct problem_saving saves;
	bool found = problem_saving(r, p, &saves);

	if (problem_unknown(p) || (found && saves.unknown)) {
		put_unknown(b, r, p, found ? saves.change : NULL);
	} else if (found && saves.wide) {
		buf_printf(b, "%s to %s of the time", page_percent(figure[0], saves.low),
			page_percent(figure[1], saves.high));
		put_change(b, &saves);
		put_measurement(b, r, p);
	} else if (found && r->bursts && !(saves.share < NEARLY_ALL * p->share)) {
		buf_printf(b, "at most %s", page_seconds(figure[0], saves.share * base));
		put_change(b, &saves);
	} else if (found && !isnan(base)) {
		buf_puts(b, "about ");
		part_of(b, saves.share * base, p->share * base);
		if (saves.ranged)
			buf_printf(b, " (range %s to %s)",
				page_seconds(figure[0], saves.low * base),
				page_seconds(figure[1], saves.high * base));
		put_change(b, &saves);
		put_trial(b, r, p);
	} else if (report_problem_faults(p)) {
		buf_puts(b, "not known");
		put_trial(b, r, p);
	} else if (p->tried && (problem_bounded(p) || (isnan(p->saves) && p->saves_high > 0)) &&
	    p->high >= LITTLE_AMOUNT) {
		buf_printf(b, "not known: at most %s of the time",
			page_percent(figure[0], p->high));
		put_measurement(b, r, p);
	} else if (p->tried) {
		buf_puts(b, "less than 1% of the phase's time by what was tried (psc_report -v)");
	} else if (p->nstructures && (p->lead->kind == MISS_TRUE_SHARING ||
	    p->lead->kind == MISS_CONTENTION)) {
		buf_puts(b, "not known");
		put_measurement(b, r, p);
	} else if (p->nstructures && (miss_kind_shares(p->lead->kind) ||
			p->lead->kind == MISS_CONFLICT)) {
		buf_printf(b, "not known: psc_frontend --what-if %s simulates the change",
			report_shown_name(report_place(p->structures[0])));
	}
}

/* --- what to do ------------------------------------------------------------------------------- */

/* True: denser accesses are what saves most, by what was tried. */
static bool denser(const struct report *r, const struct report_problem *p)
{
	return p->gain && p->saves >= WORTH && best_change(r, p)->fix == TRIED_DENSE;
}

/* The finding whose advice goes with what saves most: where that is denser accesses, the one that
 * asks how much of what is fetched is used; else the lead. */
static const struct report_finding *adviser(const struct report *r, const struct report_problem *p)
{
	if (!p->memory || !denser(r, p))
		return p->lead;
	for (int i = 0; i < p->nmembers; i++) {
		const struct report_finding *f = p->members[i];

		if (f != p->lead && beside(f, p->lead) && text_some(f->advice) && text_some(f->why))
			return f;
	}
	return p->lead;
}

static bool same_change(const struct report *r, const struct report_problem *p,
	const struct report_problem *q)
{
	return p->memory && q->memory && p->region && p->region->type == REGION_LOOP && q->region &&
		report_path_compare(p->region, 1, q->region, 1) == 0 && denser(r, p) &&
		denser(r, q);
}

const char *problem_doing(const struct report *r, const struct report_problem *p)
{
	const char *text = p->npasses && !denser(r, p) ? passes_doing() : adviser(r, p)->advice;

	return text ? text : "";
}

int problem_as_for(const struct report *r, const struct report_problem *p)
{
	const char *text = problem_doing(r, p);

	for (const struct report_problem *q = r->problems.problem; q < p && *text; q++)
		if (strcmp(problem_doing(r, q), text) == 0 || same_change(r, q, p))
			return q->number;
	return 0;
}
