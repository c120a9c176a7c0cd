/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the text report: head, ranked table, advice, ledger, notes. */
#include "report/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/words.h"

#define KEY_COLUMNS 10
#define DEFAULT_WIDTH 80
#define LEAST_WIDTH 60

const char *text_rate(struct text_report *t, char figure[PAGE_FIGURE], double v)
{
	if (isnan(v))
		t->dash = true;
	return page_rate(figure, v);
}

/* --- the head ------------------------------------------------------------------------------ */

static void key_value(void *arg, const char *key, const struct buf *value)
{
	struct text_report *t = arg;

	page_cell(&t->page, key, KEY_COLUMNS, PAGE_LEFT);
	page_wrap_buf(&t->page, KEY_COLUMNS, KEY_COLUMNS, value);
}

/* Prints a line that the reader must see first. */
void text_warning(struct text_report *t, const char *what, const char *why)
{
	struct buf b = BUF_INIT;

	if (!text_some(why))
		return;
	buf_printf(&b, "%s: %s", what, why);
	page_bold(&t->page, true);
	page_wrap_buf(&t->page, 0, 2, &b);
	page_bold(&t->page, false);
	buf_free(&b);
}

void text_warnings(struct text_report *t)
{
	struct buf b = BUF_INIT;

	text_warning(t, "Partial analysis", t->r->partial);
	text_warning(t, "Warning", t->r->phase_warning);
	words_unoptimised(&b, t->r);
	text_warning(t, "Warning", buf_str(&b));
	buf_clear(&b);
	words_children(&b, t->r);
	text_warning(t, "Warning", buf_str(&b));
	t->page.out.failed |= b.failed;
	buf_free(&b);
}

/* The same after an empty line. */
static void warning(struct text_report *t, const char *what, const char *why)
{
	if (text_some(why))
		buf_puts(&t->page.out, "\n");
	text_warning(t, what, why);
}

static void head(struct text_report *t)
{
	const struct report *r = t->r;
	const char *what = text_some(r->command) ? r->command : text_some(r->executable) ?
		r->executable : "?";
	struct buf b = BUF_INIT;

	if (text_some(r->version))
		buf_printf(&b, "Periscope/C %s: memory behaviour of %s", r->version, what);
	else
		buf_printf(&b, "Memory behaviour of %s", what);
	page_bold(&t->page, true);
	page_wrap_buf(&t->page, 0, 2, &b);
	page_bold(&t->page, false);
	warning(t, "partial analysis", t->r->partial);
	warning(t, "warning", t->r->phase_warning);
	buf_clear(&b);
	words_unoptimised(&b, r);
	warning(t, "warning", buf_str(&b));
	buf_clear(&b);
	words_children(&b, r);
	warning(t, "warning", buf_str(&b));
	buf_puts(&t->page.out, "\n");
	buf_free(&b);
	words_head(r, t->page.unicode, key_value, t);
}

/* --- the ranked table ---------------------------------------------------------------------- */

enum { COL_RANK, COL_SEVERITY, COL_TIME, COL_RATE, COL_ERROR, COL_STALL, COL_KIND, COL_PROPERTY,
	NCOLS };
#define PROPERTY_LEAST 12
#define PROPERTY_GOOD 20
#define PLACE_LEAST 26

struct columns {
	const char *head[NCOLS];
	int width[NCOLS];
	int gap;
	bool index, share;      /* kinds of severity in the table; it may have both */
	bool repeated[NCOLS];   /* left out: in another column too, or there is no room */
};

static const char *cell(const struct text_report *t, const struct report_finding *f, int rank,
	int col, char figure[PAGE_FIGURE])
{
	const struct report *r = t->r;

	switch (col) {
	case COL_RANK:
		snprintf(figure, PAGE_FIGURE, "%d", rank);
		return figure;
	case COL_SEVERITY:
		return f->severity_is_index ? page_index(figure, f->severity_share) :
			page_percent(figure, f->severity_share);
	case COL_TIME:
		return page_percent(figure, f->time_share);
	case COL_RATE:
		return page_rate(figure, f->measure);
	case COL_ERROR:
		return page_rate(figure, r->sampled ? f->measure_error : NAN);
	case COL_STALL:
		return t->narrow && !page_not_known(f->est_stall_low_share,
			f->est_stall_high_share) ? page_percent(figure, f->est_stall_share) :
				page_range(figure, f->est_stall_share, f->est_stall_low_share,
				f->est_stall_high_share);
	case COL_KIND:
		return f->kind ? miss_kind_name(f->kind) : "-";
	default:
		return f->property ? f->property : "";
	}
}

/* Columns of the widest label of a place: in full, or as short as it is without cutting names. */
static int place_columns(struct text_report *t, bool full)
{
	int most = 0;

	for (int i = 0; i < t->shown; i++) {
		struct buf label = BUF_INIT;

		page_label(&label, report_place(&t->r->findings[i]), full ? 0 : PLACE_LEAST,
			t->page.unicode);
		if (page_columns(buf_str(&label)) > most)
			most = page_columns(buf_str(&label));
		if (label.failed)
			t->page.out.failed = true;
		buf_free(&label);
	}
	return most;
}

/* A column's width; 0 where no finding has that figure. */
static int column_width(const struct text_report *t, const char *heading, int col)
{
	int width = (int)strlen(heading);
	bool any = false;

	for (int i = 0; i < t->shown; i++) {
		char figure[PAGE_FIGURE];
		const char *s = cell(t, &t->r->findings[i], i + 1, col, figure);

		any |= strcmp(s, "-") != 0;
		if (page_columns(s) > width)
			width = page_columns(s);
	}
	return any ? width : 0;
}

static bool same_figure(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(a) + 1e-12;
}

/* Finds columns whose figures stand in another column too: of MemoryStall, all three are equal. */
static void find_repeated(const struct text_report *t, struct columns *c)
{
	c->repeated[COL_SEVERITY] = c->repeated[COL_RATE] = t->shown > 0;
	for (int i = 0; i < t->shown; i++) {
		const struct report_finding *f = &t->r->findings[i];

		c->repeated[COL_SEVERITY] &= same_figure(f->severity_share, f->est_stall_share);
		c->repeated[COL_RATE] &= same_figure(f->measure, f->severity_share);
	}
}

/* Takes columns from what can be spared, until the places fit.  A long place is cut before the kind
 * is left out. */
static void make_room(struct text_report *t, struct columns *c, int used, int place)
{
	int least = place_columns(t, false);

	if (used + place > t->page.width && c->width[COL_STALL]) {
		t->narrow = true;
		used -= c->width[COL_STALL];
		c->width[COL_STALL] = column_width(t, c->head[COL_STALL], COL_STALL);
		used += c->width[COL_STALL];
	}
	for (; used + place > t->page.width && c->width[COL_PROPERTY] > PROPERTY_GOOD; used--)
		c->width[COL_PROPERTY]--;
	if (used + least > t->page.width && c->width[COL_KIND]) {
		used -= c->width[COL_KIND] + c->gap;
		c->width[COL_KIND] = 0;
		c->repeated[COL_KIND] = true;
	}
	for (; used + least > t->page.width && c->width[COL_PROPERTY] > PROPERTY_LEAST; used--)
		c->width[COL_PROPERTY]--;
}

static void lay_out(struct text_report *t, struct columns *c)
{
	int used = 1 + 2, ncols = 0, place = place_columns(t, true);

	*c = (struct columns){ .head = { "#", "severity", "time", "rate", "+-", "memory", "kind",
		"property" } };
	for (int i = 0; i < t->shown; i++) {
		c->index |= t->r->findings[i].severity_is_index;
		c->share |= !t->r->findings[i].severity_is_index;
	}
	if (!c->share)
		c->head[COL_SEVERITY] = "index";
	find_repeated(t, c);
	for (int col = 0; col < NCOLS; col++) {
		c->width[col] = c->repeated[col] ? 0 : column_width(t, c->head[col], col);
		used += c->width[col];
		ncols += c->width[col] > 0;
	}
	c->gap = used + 2 * (ncols - 1) + place <= t->page.width ? 2 : 1;
	used += c->gap * (ncols - 1);
	make_room(t, c, used, place);
}

/* Prints the headings (f NULL) or a finding's figures; returns the column after them. */
static int put_cells(struct text_report *t, const struct columns *c, const struct report_finding *f,
	int rank)
{
	char figure[PAGE_FIGURE];
	int at = 1;

	page_spaces(&t->page, 1);
	for (int col = 0; col < NCOLS; col++) {
		const char *s = f ? cell(t, f, rank, col, figure) : c->head[col];
		int gap = col == COL_PROPERTY ? 2 : c->gap;

		if (c->width[col] == 0)
			continue;
		t->dash |= strcmp(s, "-") == 0;
		page_cell(&t->page, s, c->width[col],
			col == COL_PROPERTY || col == COL_KIND ? PAGE_LEFT : PAGE_RIGHT);
		page_spaces(&t->page, gap);
		at += c->width[col] + gap;
	}
	return at;
}

static void row(struct text_report *t, const struct columns *c, int rank)
{
	const struct report_finding *f = &t->r->findings[rank - 1];
	int at = put_cells(t, c, f, rank);
	struct buf label = BUF_INIT;

	page_label(&label, report_place(f), t->page.width - at, t->page.unicode);
	page_cell(&t->page, buf_str(&label), t->page.width - at, PAGE_FREE);
	page_end_line(&t->page);
	if (label.failed)
		t->page.out.failed = true;
	buf_free(&label);
}

/* True: an estimate in the table is not known. */
static bool any_unknown(const struct text_report *t)
{
	for (int i = 0; i < t->shown; i++)
		if (page_not_known(t->r->findings[i].est_stall_low_share,
		    t->r->findings[i].est_stall_high_share))
			return true;
	return false;
}

static void table_legend(struct text_report *t, const struct columns *c)
{
	static const char *const names[NCOLS] = { [COL_SEVERITY] = "severity",
		[COL_TIME] = "time of the region", [COL_RATE] = "rate",
		[COL_STALL] = "cost of memory" };
	struct buf absent = BUF_INIT;

	page_dim(&t->page, true);
	if (c->index && c->share)
		page_wrap(&t->page, 0, 2,
			"severity: share of the phase's time; without % it is an index: "
			"rate x share of time, in hundredths (of a structure: its part of the region's "
			"index); not time lost.");
	else if (c->index)
		page_wrap(&t->page, 0, 2,
			"index: rate x share of the phase's time, in hundredths (of a "
			"structure: its part of the region's index); not time lost.");
	else if (c->width[COL_SEVERITY])
		page_wrap(&t->page, 0, 2, "severity: share of the phase's time.");
	if (c->width[COL_TIME])
		page_wrap(&t->page, 0, 2, "time: of the region, as share of the phase's time.");
	if (c->width[COL_RATE])
		page_wrap(&t->page, 0, 2, "rate: what the property compares with its threshold.");
	if (c->width[COL_ERROR])
		page_wrap(&t->page, 0, 2,
			"+-: half the 95% confidence interval of the rate, because only a "
			"sample was counted; for other figures see the remarks.");
	if (c->width[COL_STALL])
		page_wrap(&t->page, 0, 2, t->narrow ?
			"memory: share of the phase's processor time that "
			"is lost to memory here: an estimate; its range is in --json and --csv." :
			"memory: share of the phase's processor time that is lost to "
			"memory here: an estimate, and its range.");
	if (c->width[COL_STALL] && any_unknown(t))
		page_wrap(&t->page, 0, 2,
			"not known: from less than 5% to more than 85%; the range is in --json and --csv.");
	if (c->width[COL_KIND])
		page_wrap(&t->page, 0, 2, "kind: of the misses that cost most there.");
	if (t->dash)
		page_wrap(&t->page, 0, 2, "-: not measured.");
	for (int col = 0; col < NCOLS; col++)
		if (c->width[col] == 0 && !c->repeated[col] && names[col])
			buf_printf(&absent, "%s%s", absent.len ? ", " : "not measured: ",
				names[col]);
	if (absent.len || absent.failed)
		page_wrap_buf(&t->page, 0, 2, &absent);
	page_dim(&t->page, false);
	buf_free(&absent);
}

static void table(struct text_report *t)
{
	struct buf heading = BUF_INIT;
	struct columns c;

	buf_puts(&heading, "Bottlenecks, worst first");
	if (t->r->rank_by_stall)
		buf_puts(&heading, " by modelled memory time");
	if (t->shown < t->r->nfindings)
		buf_printf(&heading, " (%d of %d; --top 0 shows all)", t->shown, t->r->nfindings);
	page_heading(&t->page, buf_str(&heading));
	if (heading.failed)
		t->page.out.failed = true;
	buf_free(&heading);
	lay_out(t, &c);
	put_cells(t, &c, NULL, 0);
	buf_puts(&t->page.out, "place\n");
	for (int i = 1; i <= t->shown; i++)
		row(t, &c, i);
	table_legend(t, &c);
}

/* --- sentences that several findings share ------------------------------------------------- */

struct group {                  /* one for each finding */
	char *text;             /* owned; NULL: no sentence, or an earlier finding has the same */
	int next;               /* index of the next finding with the same text, -1 end */
	int last;               /* index of the last one so far */
};

static void put_group(struct text_report *t, const struct group *groups, int i)
{
	struct buf b = BUF_INIT;
	int at;

	for (int k = i, runs = 0; k >= 0; k = groups[k].next, runs++) {
		int first = k;

		while (groups[k].next == k + 1)
			k++;
		buf_printf(&b, "%s%d", runs ? ", " : "", first + 1);
		if (k > first)
			buf_printf(&b, "%s%d", k == first + 1 ? ", " : "-", k + 1);
	}
	buf_puts(&b, "  ");
	page_spaces(&t->page, 1);
	page_cell(&t->page, buf_str(&b), t->page.width / 2, PAGE_FREE);
	at = 1 + page_columns(buf_str(&b));
	if (at > t->page.width / 2)
		at = t->page.width / 2;
	page_wrap(&t->page, at, 4, groups[i].text);
	if (b.failed)
		t->page.out.failed = true;
	buf_free(&b);
}

/* Adds finding i to the group with that text, or makes a group.  False: memory. */
static bool join(struct group *groups, int i, const char *text)
{
	for (int k = 0; k < i; k++) {
		if (!groups[k].text || strcmp(groups[k].text, text) != 0)
			continue;
		groups[groups[k].last].next = i;
		groups[k].last = i;
		return true;
	}
	groups[i].text = strdup(text);
	return groups[i].text;
}

/* Prints each sentence once, after the ranks of the findings that have it. */
static void sentences(struct text_report *t, const char *heading, words_writer *writer)
{
	struct group *groups = calloc((size_t)t->shown + 1, sizeof *groups);
	struct buf b = BUF_INIT;
	bool any = false;

	for (int i = 0; groups && i < t->shown; i++) {
		groups[i].next = -1;
		groups[i].last = i;
		buf_clear(&b);
		writer(&b, t->r, &t->r->findings[i]);
		any |= b.len > 0;
		if (b.failed || (b.len && !join(groups, i, buf_str(&b))))
			t->page.out.failed = true;
	}
	if (any)
		page_heading(&t->page, heading);
	for (int i = 0; groups && i < t->shown; i++) {
		if (groups[i].text)
			put_group(t, groups, i);
		free(groups[i].text);
	}
	if (!groups)
		t->page.out.failed = true;
	free(groups);
	buf_free(&b);
}

/* --- the ledger, the notes ----------------------------------------------------------------- */

static void ledger_cell(struct text_report *t, double n, double total)
{
	char figure[PAGE_FIGURE];

	t->dash |= isnan(n);
	page_cell(&t->page, page_count(figure, n), 10, PAGE_RIGHT);
	page_cell(&t->page, total > 0 && !isnan(n) ? page_percent(figure, n / total) : "", 8,
		PAGE_RIGHT);
}

static void ledger_row(struct text_report *t, const struct report_ledger *l, int width,
	const struct report_ledger *total)
{
	char figure[PAGE_FIGURE];

	page_spaces(&t->page, 2);
	page_cell(&t->page, ledger_names[l->cause], width, PAGE_LEFT);
	ledger_cell(t, l->accesses, total->accesses);
	ledger_cell(t, l->misses, total->misses);
	if (t->r->sampled)
		page_cell(&t->page, page_count(figure, l->misses_error), 10, PAGE_RIGHT);
	page_end_line(&t->page);
}

/* Percentages are of what was measured; the last row says when that is not everything. */
static void ledger(struct text_report *t)
{
	struct report_ledger total;
	int width = 28, figures = t->r->sampled ? 46 : 36;
	bool dash = t->dash;

	if (t->r->nledger <= 0)
		return;
	report_ledger_total(t->r, &total);
	for (int i = 0; i < t->r->nledger; i++)
		if (page_columns(ledger_names[t->r->ledger[i].cause]) > width)
			width = page_columns(ledger_names[t->r->ledger[i].cause]);
	if (width > t->page.width - 2 - figures)
		width = t->page.width - 2 - figures;
	page_heading(&t->page, "Where the accesses belong (per phase execution)");
	page_spaces(&t->page, 2 + width);
	page_cell(&t->page, "accesses  ", 10, PAGE_RIGHT);
	page_cell(&t->page, "misses  ", 18, PAGE_RIGHT);
	if (t->r->sampled)
		page_cell(&t->page, "+-", 18, PAGE_RIGHT);
	page_end_line(&t->page);
	for (int i = 0; i < t->r->nledger; i++)
		ledger_row(t, &t->r->ledger[i], width, &total);
	ledger_row(t, &total, width, &total);
	page_dim(&t->page, true);
	page_wrap(&t->page, 0, 2, "misses: of the last cache level.");
	if (t->dash && !dash)
		page_wrap(&t->page, 0, 2, "-: not measured.");
	page_dim(&t->page, false);
}

static void notes(struct text_report *t)
{
	if (t->r->nnotes <= 0)
		return;
	page_heading(&t->page, "Notes");
	for (int i = 0; i < t->r->nnotes; i++) {
		buf_puts(&t->page.out, "- ");
		page_wrap(&t->page, 2, 2, t->r->notes[i] ? t->r->notes[i] : "");
	}
}

/* Prints the file and line of each property in the report. */
static void property_sources(struct text_report *t)
{
	bool any = false;

	for (int i = 0; i < t->shown; i++) {
		const struct report_finding *f = &t->r->findings[i];
		struct buf b = BUF_INIT;
		bool known = !text_some(f->file);

		for (int k = 0; k < i && !known; k++)
			known = strcmp(t->r->findings[k].property, f->property) == 0;
		if (known)
			continue;
		if (!any)
			page_heading(&t->page, "Properties");
		any = true;
		buf_printf(&b, "- %s: %s:%d", f->property, f->file, f->line);
		if (text_some(f->refines))
			buf_printf(&b, ", refines %s", f->refines);
		page_wrap_buf(&t->page, 0, 2, &b);
		buf_free(&b);
	}
}

enum { TESTS_OPEN, TESTS_HELD, TESTS_REFUTED, NTESTS };

static void count_tests(const struct report *r, int n[NTESTS])
{
	memset(n, 0, NTESTS * sizeof *n);
	for (int i = 0; i < r->ntested; i++) {
		enum report_outcome o = r->tested[i].outcome;

		n[TESTS_OPEN] += o == REPORT_UNDECIDED || o == REPORT_NOT_TESTED;
		n[TESTS_HELD] += o == REPORT_HELD;
		n[TESTS_REFUTED] += o == REPORT_FALSE;
	}
}

void text_nothing(struct text_report *t)
{
	int n[NTESTS];

	count_tests(t->r, n);
	if (t->r->ntested <= 0 && text_some(t->r->partial))
		page_wrap(&t->page, 0, 0, "The run ended before anything could be tested.");
	else if (t->r->ntested <= 0)
		page_wrap(&t->page, 0, 0, "There are no findings, and no list of tests.");
	else if (n[TESTS_HELD])
		page_wrap(&t->page, 0, 0,
			"Properties hold, but none is severe enough to be reported.");
	else if (n[TESTS_OPEN] && !n[TESTS_REFUTED])
		page_wrap(&t->page, 0, 0,
			"No test could be decided, which says nothing about the program: --why-not has what "
			"each of them lacks.");
	else if (n[TESTS_OPEN])
		page_wrap(&t->page, 0, 0,
			"Nothing exceeded its threshold of what could be tested; for the rest, --why-not has "
			"what was lacking.");
	else
		page_wrap(&t->page, 0, 0, "Nothing that was tested exceeded the thresholds.");
}

static void nothing(struct text_report *t)
{
	int n[NTESTS];

	count_tests(t->r, n);
	page_heading(&t->page, (n[TESTS_OPEN] || text_some(t->r->partial)) && !n[TESTS_HELD] &&
		!n[TESTS_REFUTED] ? "Undecided" : "No bottleneck");
	text_nothing(t);
	text_tested(t);
}

static void whole(struct text_report *t, const struct report_style *style)
{
	if (style->part == REPORT_PATHS)
		warning(t, "partial analysis", t->r->partial);
	else
		head(t);
	if (style->part == REPORT_LEDGER) {
		ledger(t);
		return;
	}
	if (style->part == REPORT_THREADS) {
		text_threads(t, true);
		return;
	}
	if (t->r->nfindings <= 0)
		nothing(t);
	else if (style->part != REPORT_PATHS)
		table(t);
	if (style->part != REPORT_TABLE)
		text_paths(t);
	if (style->part == REPORT_WHOLE) {
		sentences(t, "Advice", words_advice);
		text_gains(t);
		text_verified(t);
		text_trials(t);
		text_counted(t);
		text_sampled(t);
		text_region_times(t);
		sentences(t, "Remarks", words_remark);
		ledger(t);
		text_threads(t, false);
		property_sources(t);
	}
	if (style->why_not)
		text_why_not(t);
	if (style->part != REPORT_WHOLE)
		return;
	notes(t);
	warning(t, "partial analysis", t->r->partial);
}

int report_text(const struct report *r, const struct report_style *style, FILE *out,
	struct err *err)
{
	struct text_report t = {
		.page = {
			.out = BUF_INIT,
			.width = style->width <= 0 ? DEFAULT_WIDTH :
				style->width < LEAST_WIDTH ? LEAST_WIDTH : style->width,
			.color = style->color,
			.unicode = style->unicode,
		},
		.r = r,
	};
	int rc = 0;

	t.shown = style->top > 0 && style->top < r->nfindings ? style->top : r->nfindings;
	if (style->part == REPORT_SHORT) {
		t.shown = 0;    /* no findings are numbered */
		text_short(&t, style);
	} else {
		whole(&t, style);
	}
	if (t.page.out.failed)
		rc = err_nomem(err);
	else if (t.page.out.len && fwrite(t.page.out.data, t.page.out.len, 1, out) != 1)
		rc = err_sys(err, "report");
	else if (fflush(out) != 0)
		rc = err_sys(err, "report");
	buf_free(&t.page.out);
	return rc;
}
