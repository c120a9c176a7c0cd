/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains one problem as text and as JSON. */
#include "report/text/explain.h"

#include <math.h>
#include <string.h>

#include "base/json_text.h"
#include "base/real_text.h"
#include "base/text_same.h"
#include "report/compare/compare.h"
#include "report/model/figures.h"
#include "report/words/page.h"
#include "report/words/problem_words.h"
#include "report/words/sites.h"
#include "report/words/words.h"

#define FORMAT "periscope-c explanation 1"

/* --- parts ----------------------------------------------------------------------------------- */

/* The property files, unless all were asked for by default. */
static void properties(struct buf *out, const struct report *r)
{
	struct buf list = BUF_INIT;
	bool usual = true;

	for (int i = 0; i < r->nasked; i++) {
		usual &= r->asked[i].usual;
		buf_printf(&list, "%s%s", i ? "," : "", r->asked[i].name);
	}
	if (!usual) {
		buf_puts(out, " --properties ");
		words_shell(out, buf_str(&list));
		out->failed |= list.failed;
	}
	buf_free(&list);
}

/* Is the command's first word another program than the analysed one, as mpirun? */
static bool has_launcher(const struct report *r)
{
	const char *word = r->command, *exe = r->executable ? strrchr(r->executable, '/') : NULL;
	size_t n, base;

	if (!word || !exe)
		return false;
	n = *word == '\'' ? strcspn(++word, "'") : strcspn(word, " ");
	for (base = n; base && word[base - 1] != '/';)
		base--;
	return strlen(exe + 1) != n - base || strncmp(exe + 1, word + base, n - base) != 0;
}

/* The beginning of a command that analyses the program again. */
static void again(struct buf *out, const struct report *r)
{
	struct buf phase = BUF_INIT;

	buf_puts(out, "psc_frontend");
	if (*r->phase.file && !r->bursts) {
		buf_printf(&phase, "%s:%d", r->phase.file, r->phase.line);
		buf_puts(out, " --phase ");
		words_shell(out, buf_str(&phase));
		out->failed |= phase.failed;
	}
	buf_free(&phase);
	if (r->nprocs > 1 && !has_launcher(r))
		buf_printf(out, " --mpinumprocs %d", r->nprocs);
	if (r->nthreads > 1)
		buf_printf(out, " --ompnumthreads %d", r->nthreads);
	properties(out, r);
}

/* After a change: the run that shows what it changed. */
static void compare_command(struct buf *out, const struct report *r, const char *file)
{
	again(out, r);
	buf_puts(out, " --compare ");
	words_shell(out, file);
	buf_printf(out, " -- %s", r->command ? r->command : "PROGRAM");
}

/* The run that measures what the misses of the structure cost, of page faults what malloc's
 * settings save; nothing where it cannot. */
static void measure_command(struct buf *out, const struct report *r, const struct report_finding *f,
	const char *structure)
{
	if (r->bursts)                  /* neither can be had */
		return;
	if (f->about == ABOUT_FAULTS && r->nprocs <= 1) {
		again(out, r);
		buf_printf(out, " --try malloc -- %s", r->command ? r->command : "PROGRAM");
	}
	if (f->about == ABOUT_FAULTS || f->about == ABOUT_NODES)
		return;
	if (!*structure || (r->nthreads > 1 && !miss_kind_shares(f->kind)))
		return;
	again(out, r);
	buf_puts(out, " --verify ");
	words_shell(out, structure);
	buf_printf(out, " -- %s", r->command ? r->command : "PROGRAM");
}

/* False: what memory costs at the place of the finding is no figure of it. */
static bool of_memory(const struct report_finding *f)
{
	return report_about_memory(f) || (report_place(f)->type == REGION_DATA_STRUCTURE &&
		f->about != ABOUT_THREADS && f->about != ABOUT_FAULTS && f->about != ABOUT_NODES &&
		!report_own_property(f));
}

static void claim(struct buf *out, const struct report_finding *f, const struct compare_label *l)
{
	char share[PAGE_FIGURE], rate[PAGE_FIGURE];

	buf_printf(out, "%s holds", f->property);
	if (*l->structure)
		buf_printf(out, " for %s", l->structure);
	buf_puts(out, " at ");
	words_line(out, l->file, l->line);
	if (l->function_length)
		buf_printf(out, " in %.*s", l->function_length, l->function);
	if (!isnan(f->severity_share) && (isnan(f->est_stall_share) || !of_memory(f)))
		buf_printf(out, ": %s %s", f->severity_is_index ? "index" : "severity",
			f->severity_is_index ? page_index(share, f->severity_share) :
			page_percent(share, f->severity_share));
	if (!isnan(f->measure))
		buf_printf(out, ", rate %s (what the property compares with its threshold)",
			page_rate(rate, f->measure));
}

static struct compare_label label_of(const struct report_finding *f)
{
	struct compare_finding only = { .after = f };
	struct compare_label l;

	compare_label(&only, &l);
	return l;
}

/* --- text ------------------------------------------------------------------------------------ */

static void line(struct text_page *p, const char *key, struct buf *value)
{
	if (value->len || value->failed) {
		page_cell(p, key, 10, PAGE_LEFT);
		page_wrap_buf(p, 10, 10, value);
	}
	buf_clear(value);
}

/* The problem as the screen has it, and its findings. */
static void whole(struct buf *out, const struct report *r, const struct report_problem *p)
{
	char amount[PAGE_FIGURE], share[PAGE_FIGURE];

	buf_printf(out, "%d: %s", p->number, problem_amount(r, p, amount));
	if (!problem_unknown(p))
		buf_printf(out, ", %s", problem_share(p, share));
	buf_puts(out, " at ");
	problem_place(out, p, false);
	if (p->nstructures)
		buf_puts(out, ", ");
	problem_structures(out, p, p->nstructures);
	buf_printf(out, "; %s; finding%s", p->cause, p->nmembers == 1 ? "" : "s");
	for (int i = 0; i < p->nmembers; i++)
		buf_printf(out, "%s %d", i ? "," : "", (int)(p->members[i] - r->findings) + 1);
}

static void evidence(struct buf *out, const struct report *r, const struct report_finding *f)
{
	bool failed = false;
	const struct report_cost *cost = report_cost_of(r, f, &failed);
	char a[PAGE_FIGURE], b[PAGE_FIGURE], c[PAGE_FIGURE];

	if (of_memory(f) && page_not_known(f->est_stall_low_share, f->est_stall_high_share))
		buf_puts(out,
			"how much of the phase's processor time is lost to memory here is not known");
	else if (of_memory(f) && !isnan(f->est_stall_share))
		buf_printf(out, "about %s of the phase's processor time is lost to memory here",
			page_percent(a, f->est_stall_share));
	if (out->len && !isnan(f->est_stall_low_share) && !isnan(f->est_stall_high_share) &&
	    !page_not_known(f->est_stall_low_share, f->est_stall_high_share))
		buf_printf(out, " (%s to %s)", page_percent(b, f->est_stall_low_share),
			page_percent(c, f->est_stall_high_share));
	if (f->kind && of_memory(f))
		buf_printf(out, "%skind of misses: %s", out->len ? "; " : "",
			miss_kind_name(f->kind));
	for (int i = COMPARE_ACCESSES; cost && of_memory(f) && i >= 1; i--) {
		double v = compare_figure(cost, i);
		const char *figure = page_count(a, v);

		if (!isnan(v) && v > 0)
			buf_printf(out, "%s%.*s%s %s", out->len ? "; " : "",
				(int)strcspn(figure, " "), figure, strlen(figure) > 2 &&
				figure[strlen(figure) - 1] != ' ' ? figure + strcspn(figure, " ") :
				"", compare_figure_name(i));
	}
	if (f->info)
		buf_printf(out, "%s%s", out->len ? "; " : "", f->info);
	out->failed |= failed;
}

/* The line that misses most, or the place. */
static void source(struct buf *out, const struct report_finding *f, const struct compare_label *l)
{
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;

	if (f->place_line > 0)
		buf_printf(out, "%s:%d", slash ? slash + 1 : f->source ? f->source : l->file,
			f->place_line);
	else
		words_line(out, l->file, l->line);
}

/* The lines that miss, and their file where it is another than the place's. */
static void lines(struct buf *out, const struct report_finding *f)
{
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;

	if (!f->nsites)
		return;
	buf_printf(out, "share of the %s misses in %s by line: ", sites_level(f->sites, f->nsites),
		slash ? slash + 1 : "the source");
	sites_words(out, f->sites, f->nsites);
}

/* Says what a change saves in the problem, as the other forms of the report do. */
static void saves(struct buf *out, const struct report *r, const struct report_problem *p)
{
	if (report_problem_savable(p))
		problem_saves(out, r, p);
}

void explain_text(const struct report *r, const struct report_problem *problem, const char *file,
	const struct report_style *style, struct buf *out)
{
	const struct report_finding *f = problem->lead;
	struct compare_label l = label_of(f);
	struct text_page p = { .out = BUF_INIT, .width = style->width ? style->width : 80,
		.unicode = style->unicode };
	struct buf b = BUF_INIT;

	whole(&b, r, problem);
	line(&p, "Problem", &b);
	claim(&b, f, &l);
	line(&p, "Claim", &b);
	evidence(&b, r, f);
	line(&p, "Evidence", &b);
	source(&b, f, &l);
	if (f->declared)
		buf_printf(&b, "; %s is declared at %s", l.structure, f->declared);
	line(&p, "Source", &b);
	lines(&b, f);
	line(&p, "Lines", &b);
	if (problem->npasses)
		buf_puts(&b, problem_doing(r, problem));
	else
		words_advice(&b, r, f);
	line(&p, "Change", &b);
	saves(&b, r, problem);
	line(&p, "Saves", &b);
	measure_command(&b, r, f, l.structure);
	line(&p, "Measure", &b);
	compare_command(&b, r, file);
	line(&p, "Verify", &b);
	buf_add_buf(out, &p.out);
	buf_free(&p.out);
	buf_free(&b);
}

/* --- JSON ------------------------------------------------------------------------------------ */

/* The text of b, or null where it is empty; empties b. */
static void text(struct buf *out, const char *name, struct buf *b)
{
	buf_printf(out, "\"%s\": ", name);
	text_json(out, b->len ? buf_str(b) : NULL);
	out->failed |= b->failed;
	buf_clear(b);
}

static void json_evidence(struct buf *out, const struct report *r, const struct report_finding *f)
{
	bool failed = false;
	const struct report_cost *cost = report_cost_of(r, f, &failed);

	buf_puts(out, ",\n  \"evidence\": {\"kind\": ");
	text_json(out, f->kind ? miss_kind_name(f->kind) : NULL);
	json_next_real(out, "severity_share", f->severity_share);
	json_next_real(out, "rate", f->measure);
	json_next_real(out, "est_stall_share", f->est_stall_share);
	json_next_real(out, "est_stall_low_share", f->est_stall_low_share);
	json_next_real(out, "est_stall_high_share", f->est_stall_high_share);
	json_next_real(out, "accesses", cost ? cost->accesses : NAN);
	for (int i = 0; i < REPORT_LEVELS; i++) {
		char name[32];

		snprintf(name, sizeof name, "l%d_misses", i + 1);
		json_next_real(out, name, cost ? cost->misses[i] : NAN);
	}
	json_next_real(out, "coherence", cost ? cost->coherence : NAN);
	json_next_real(out, "confidence", f->confidence);
	json_next_real(out, "coverage", f->coverage);
	buf_puts(out, ", \"info\": ");
	text_json(out, f->info);
	buf_puts(out, "}");
	out->failed |= failed;
}

static void json_source(struct buf *out, const struct report_finding *f,
	const struct compare_label *l)
{
	struct buf b = BUF_INIT;

	buf_puts(out, ",\n  \"source\": {\"file\": ");
	text_json(out, l->file);
	buf_printf(out, ", \"line\": %d, ", l->line);
	buf_add(&b, l->function, (size_t)l->function_length);
	text(out, "function", &b);
	buf_puts(out, ", ");
	report_finding_key(f, &b);
	text(out, "region", &b);
	buf_puts(out, ", \"declared\": ");
	text_json(out, f->declared);
	buf_puts(out, ", \"path\": ");
	text_json(out, f->source);
	buf_printf(out, ", \"first_line\": %d, \"last_line\": %d, \"place_line\": %d,\n   ",
		f->first_line, f->last_line, f->place_line);
	sites_json(out, f->sites, f->nsites);
	buf_puts(out, "}");
	buf_free(&b);
}

static void json_change(struct buf *out, const struct report *r, const struct report_problem *p)
{
	struct problem_saving saving;
	bool known = problem_saving(r, p, &saving);
	struct buf why = BUF_INIT;

	if (p->npasses)
		passes_why(&why, p);
	out->failed |= why.failed;
	buf_puts(out, ",\n  \"change\": {\"why\": ");
	text_json(out, p->npasses ? buf_str(&why) : p->lead->why);
	buf_puts(out, ", \"advice\": ");
	text_json(out, p->npasses ? problem_doing(r, p) : p->lead->advice);
	buf_free(&why);
	buf_puts(out, ", \"fix\": ");
	text_json(out, known ? saving.change : NULL);
	json_next_real(out, "saves_share", known ? saving.share : NAN);
	json_next_real(out, "saves_low_share", known ? saving.low : NAN);
	json_next_real(out, "saves_high_share", known ? saving.high : NAN);
	buf_puts(out, "}");
}

void explain_json(const struct report *r, const struct report_problem *p, const char *file,
	struct buf *out)
{
	const struct report_finding *f = p->lead;
	struct compare_label l = label_of(f);
	struct buf b = BUF_INIT;

	buf_printf(out, "{\"format\": \"" FORMAT "\", \"number\": %d, \"key\": ", p->number);
	text_json(out, p->key);
	buf_printf(out, ",\n  \"finding\": %d, \"property\": ", p->finding);
	text_json(out, f->property);
	buf_puts(out, ", \"structure\": ");
	text_json(out, *l.structure ? l.structure : NULL);
	buf_puts(out, ",\n  ");
	claim(&b, f, &l);
	text(out, "claim", &b);
	json_evidence(out, r, f);
	json_source(out, f, &l);
	json_change(out, r, p);
	buf_puts(out, ",\n  \"verify\": {");
	measure_command(&b, r, f, l.structure);
	text(out, "measure", &b);
	buf_puts(out, ", ");
	compare_command(&b, r, file);
	text(out, "after_the_change", &b);
	buf_puts(out, "}}\n");
	buf_free(&b);
}
