/* SPDX-License-Identifier: BSD-3-Clause */
/* Composes the texts that the text report and the HTML report share: the head, and sentences about
 * a finding. */
#include "base/text_same.h"
#include "report/words/time_words.h"
#include "report/words/placed_words.h"
#include "report/words/words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define NOTHING_KNOWN 0.9       /* range, of all that it can be */
#define UNCERTAIN_LOW 0.01      /* shares of the time: a range from below the one .. */
#define UNCERTAIN_HIGH 0.5      /* .. to this or more says little of what memory costs */
#define LEAST_SHARE 0.0005      /* that page_percent() writes in figures */
#define UNSURE 0.5             /* of the phase's processor time */
#define LITTLE 0.05             /* of the phase's processor time: STALL_THRESHOLD of memory.asl */
#define ONE_THREAD 0.02         /* processor time is the phase's time, within this share: one
				 * figure */
#define CHILDREN_PART 0.05      /* of its processor time, from which that of processes that it
				 * started is mentioned */
#define OTHERS_LEAST 0.05       /* share of the CPUs from which other programs are mentioned */

static void add_part(struct buf *b, const char *part)
{
	if (!text_some(part))
		return;
	if (b->len)
		buf_puts(b, "; ");
	buf_puts(b, part);
}

struct head {
	const struct report *r;
	bool unicode;
	words_put *put;
	void *arg;
};

static void put(const struct head *h, const char *key, const struct buf *value)
{
	if (value->len || value->failed)
		h->put(h->arg, key, value);
}

static void head_run(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;

	if (r->nprocs > 0)
		buf_printf(b, "%d process%s", r->nprocs, r->nprocs == 1 ? "" : "es");
	if (r->hosts > 1)
		buf_printf(b, " on %d hosts", r->hosts);
	if (r->nprocs > 0 && r->nthreads > 0)
		buf_printf(b, ", %d thread%s%s", r->nthreads, r->nthreads == 1 ? "" : "s",
			r->nprocs == 1 ? "" : " each");
	if (r->when > 0) {
		time_t when = (time_t)r->when;
		char text[32];
		struct tm tm;

		if (localtime_r(&when, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm))
			add_part(b, text);
	}
	if (text_some(r->directory)) {
		add_part(b, "in ");
		buf_puts(b, r->directory);
	}
	put(h, "Run", b);
}

bool words_loaded(const struct report *r)
{
	return !isnan(r->cpus) && !isnan(r->cpus_others) && !isnan(r->cpus_idle) &&
		r->cpus_others >= 0.1 * r->cpus && r->cpus_idle <= 0.1 * r->cpus;
}

static void head_load(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;

	if (!words_loaded(r))
		return;
	buf_clear(b);
	buf_printf(b,
		"other programs used %.1f of %.0f CPU%s, and none was free: wall times and waits are longer than "
		"without them", r->cpus_others, r->cpus, r->cpus > 1 ? "s" : "");
	put(h, "Load", b);
}

/* "8.2 ms CPU an execution (±4 %; 112 ms wall: other programs had 58 % of the cores)".  Files of
 * earlier versions have phase_time alone. */
static void phase_times(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;
	char figure[PAGE_FIGURE];
	bool alone = r->nthreads <= 1 && fabs(r->cpu_time - r->phase_time) < ONE_THREAD *
		r->phase_time;

	if (isnan(r->phase_time)) {
		buf_puts(b, "; its time was not measured");
		return;
	}
	buf_printf(b, "; %s%s%s (", page_seconds(figure, r->phase_time), alone ? " CPU" : "",
		r->bursts ? "" : " an execution");
	if (!isnan(r->cpu_time) && !alone)
		buf_printf(b, "%s CPU %s; ", page_seconds(figure, r->cpu_time),
			r->nprocs <= 1 ? "in all threads" : r->nthreads <= 1 ? "a process" :
			"in all threads of a process");
	if (isnan(r->time_spread))
		buf_puts(b, r->bursts ? "by samples" : text_some(r->unlike) ? "of few executions" :
			"median");
	else
		buf_printf(b, "%s%.*f %%", h->unicode ? "\302\261" : "+-", r->time_spread < 0.01,
			100 * r->time_spread);
	if (!isnan(r->wall_time))
		buf_printf(b, "; %s wall", page_seconds(figure, r->wall_time));
	if (!isnan(r->wall_time) && r->others_share >= OTHERS_LEAST)
		buf_printf(b, ": other programs had %.0f %% of the cores", 100 * r->others_share);
	buf_puts(b, ")");
}

static void head_phase(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;
	struct report_node phase = r->phase;
	char run[PAGE_RUN];

	buf_clear(b);
	if (!text_some(phase.name) && !text_some(phase.file))
		return;
	phase.phase = !text_some(phase.name);
	if (r->bursts)
		buf_puts(b, "the whole run");
	else
		page_label(b, &phase, 0, h->unicode);
	phase_times(h, b);
	if (r->phase_executions > 0 && !r->bursts)
		buf_printf(b, "; %lld of %lld executions measured", (long long)r->executions_used,
			(long long)r->phase_executions);
	if (!isnan(r->run_share))
		buf_printf(b, "; %.*f %% of %s", r->run_share < 0.1, 100 * r->run_share,
			page_run(run, r));
	add_part(b, r->bursts ? NULL : r->phase_choice);
	put(h, "Phase", b);
}

/* "executions differ: 2.1 ms to 8.4 ms CPU; shares are of execution 8; its times are those of …" */
static void head_unlike(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;
	char figure[2][PAGE_FIGURE];

	buf_clear(b);
	if (!text_some(r->unlike))
		return;
	buf_puts(b, "executions differ");
	if (!isnan(r->time_least) && !isnan(r->time_most))
		buf_printf(b, ": %s to %s CPU", page_seconds(figure[0], r->time_least),
			page_seconds(figure[1], r->time_most));
	add_part(b, r->unlike);
	put(h, "Unlike", b);
}

static void head_time(const struct head *h, struct buf *b)
{
	buf_clear(b);
	words_time(b, h->r);
	put(h, "Time", b);
}

bool words_memory_is_little(const struct report *r)
{
	return r->est_stall_high / report_base_time(r) < LITTLE;
}

bool words_unsure(const struct report *r)
{
	return r->est_stall_high - r->est_stall_low > UNSURE * report_base_time(r);
}

bool words_nothing_known(double low, double high)
{
	return high - low >= NOTHING_KNOWN;
}

bool words_uncertain(double low, double high)
{
	return words_nothing_known(low, high) || (low < UNCERTAIN_LOW && high >= UNCERTAIN_HIGH);
}

/* The program has locks that its threads wait for, by its source or by what was found. */
static bool has_locks(const struct report *r)
{
	for (int i = 0; i < r->nfindings; i++)
		if (r->findings[i].kind == MISS_LOCK || r->findings[i].kind == MISS_CONTENTION)
			return true;
	return r->locks;
}

const char *words_locks(const struct report *r)
{
	return r->nthreads > 1 && has_locks(r) ? "openmp (waits for locks)" : NULL;
}

const char *words_of_execution(const struct report *r)
{
	return r->bursts ? "in the run" : "in each execution";
}

void words_line(struct buf *b, const char *file, int line)
{
	buf_puts(b, text_some(file) ? file : "?");
	if (line > 0)
		buf_printf(b, ":%d", line);
}

void words_unoptimised(struct buf *b, const struct report *r)
{
	if (text_some(r->unoptimised))
		buf_printf(b,
			"compiled without optimisation (-O0): %s; with -O2 other things may take the time", r->unoptimised);
}

void words_children(struct buf *b, const struct report *r)
{
	char figure[PAGE_FIGURE];

	if (r->children_time > 0 && !(r->children_time < CHILDREN_PART * r->cpu_time))
		buf_printf(b,
			"processes that it started used %s of processor time, which is not recorded; to analyse one of them, make "
			"it the command", page_seconds(figure, r->children_time));
}

void words_at_most(struct buf *b, double share)
{
	char figure[PAGE_FIGURE];

	if (share < LEAST_SHARE)
		buf_puts(b, "less than 0.1%");
	else
		buf_printf(b, "at most %s", page_percent(figure, share));
}

/* Says what memory costs in the phase. */
static void head_memory(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;
	bool modelled = !isnan(r->modelled_time);
	double base = report_base_time(r);
	double share = r->est_stall / base, low = r->est_stall_low / base,
		high = r->est_stall_high / base;
	char figure[4][PAGE_FIGURE];

	buf_clear(b);
	if (isnan(share) || isnan(high))
		return;
	if (words_memory_is_little(r)) {
		buf_puts(b, "memory is not what this phase waits for: ");
		words_at_most(b, high);
		buf_puts(b, " of its processor time");
	} else if (page_not_known(low, high)) {
		buf_puts(b,
			"what memory costs is not known: next to nothing or nearly all of its processor time");
	} else if (words_uncertain(low, high)) {
		buf_printf(b,
			"what memory costs is uncertain: by the estimate %s of its processor time, %s %s, but %s to "
			"%s is possible", page_percent(figure[0], share),
			page_seconds(figure[1], r->est_stall), words_of_execution(r),
			page_percent(figure[2], low), page_percent(figure[3], high));
	} else if (share < LEAST_SHARE) {
		words_at_most(b, high);
		buf_puts(b, " of its processor time is lost to memory");
	} else {
		buf_printf(b, "about %s of its processor time is lost to memory (%s to %s): %s %s",
			page_percent(figure[0], share), page_percent(figure[2], low),
			page_percent(figure[3], high), page_seconds(figure[1], r->est_stall),
			words_of_execution(r));
	}
	if (modelled)
		buf_printf(b, " of %s, modelled for that machine", page_seconds(figure[0], base));
	if (words_unsure(r))
		buf_puts(b, "; unsure");
	put(h, "Memory", b);
}

static void put_text(const struct head *h, struct buf *b, const char *label, const char *text)
{
	buf_clear(b);
	add_part(b, text);
	put(h, label, b);
}

static void head_sources(const struct head *h, struct buf *b)
{
	const struct report *r = h->r;
	char figure[PAGE_FIGURE];

	buf_clear(b);
	if (text_some(r->machine))
		buf_puts(b, r->machine);
	if (text_some(r->machine) && text_some(r->machine_source))
		buf_printf(b, " (%s)", r->machine_source);
	put(h, "Machine", b);
	put_text(h, b, "Counts", r->counts_source);
	put_text(h, b, "Sampled", r->sampled);
	put_text(h, b, "Times", r->times_source);
	buf_clear(b);
	words_costs(b, r);
	put(h, "Costs", b);
	buf_clear(b);
	add_part(b, strategy_names[r->strategy]);
	for (int i = 0; i < r->nasked; i++)
		if (i)
			buf_printf(b, ", %s", r->asked[i].name);
		else
			add_part(b, r->asked[i].name);
	if (r->experiments > 0) {
		add_part(b, "");
		buf_printf(b, "%s%d experiment%s", b->len ? "; " : "", r->experiments,
			r->experiments == 1 ? "" : "s");
		if (!isnan(r->elapsed))
			buf_printf(b, " in %s", page_seconds(figure, r->elapsed));
	}
	put(h, "Search", b);
}

static void head_placed(const struct head *h, struct buf *b)
{
	for (int i = 0; i < h->r->nplaced; i++) {
		buf_clear(b);
		words_placed(b, &h->r->placed[i]);
		put(h, "Placed", b);
	}
}

void words_head(const struct report *r, bool unicode, words_put *put_line, void *arg)
{
	const struct head h = { r, unicode, put_line, arg };
	struct buf b = BUF_INIT;

	head_run(&h, &b);
	head_load(&h, &b);
	head_phase(&h, &b);
	head_unlike(&h, &b);
	head_time(&h, &b);
	head_memory(&h, &b);
	head_sources(&h, &b);
	head_placed(&h, &b);
	buf_free(&b);
}

void words_outside(struct buf *b, const struct report_verified *v)
{
	char figure[4][PAGE_FIGURE];

	if (v->reason || !(v->measured_low > v->estimated_high ||
	    v->measured_high < v->estimated_low))
		return;
	buf_printf(b, "The estimate for %s was wrong: measured %s to %s, estimated %s to %s.",
		v->structure, page_percent(figure[0], v->measured_low),
		page_percent(figure[1], v->measured_high),
		page_percent(figure[2], v->estimated_low),
		page_percent(figure[3], v->estimated_high));
}

/* "measured on vm, 2026-11-27 09:33" */
static void put_calibration(struct buf *b, const struct report *r)
{
	time_t when = (time_t)r->costs_when;
	char day[32];
	struct tm tm;

	buf_printf(b, "measured on %s", r->costs_host ? r->costs_host : "?");
	if (when > 0 && localtime_r(&when, &tm) && strftime(day, sizeof day, "%Y-%m-%d %H:%M", &tm))
		buf_printf(b, ", %s", day);
}

void words_costs(struct buf *b, const struct report *r)
{
	if (r->costs_source == COSTS_ASSUMED)
		buf_puts(b,
			"assumed from the model's latencies: psc_machine --calibrate measures them");
	else if (r->costs_source == COSTS_MODEL)
		buf_puts(b, "those of the machine model");
	if (r->costs_source != COSTS_MEASURED)
		return;
	put_calibration(b, r);
	buf_puts(b, r->costs_loaded ? ", while other programs ran" : "");
	buf_puts(b, r->costs_varied ? "; they varied" : "");
}

void words_costs_brief(struct buf *b, const struct report *r)
{
	if (r->costs_source == COSTS_ASSUMED)
		buf_puts(b,
			"assumed from the model's latencies (psc_machine --calibrate measures them)");
	else if (r->costs_source == COSTS_MODEL)
		buf_puts(b, "those of the machine model");
	if (r->costs_source != COSTS_MEASURED)
		return;
	put_calibration(b, r);
	buf_puts(b, r->costs_loaded ? " under load" : "");
	buf_puts(b, r->costs_varied ? ", and varied (wide ranges)" : "");
}

void words_shell(struct buf *out, const char *word)
{
	bool plain = *word != '\0';

	for (const char *s = word; *s && plain; s++)
		plain = isalnum((unsigned char)*s) || strchr("_-./:=,+@%", *s);
	if (plain) {
		buf_puts(out, word);
		return;
	}
	buf_puts(out, "'");
	for (const char *s = word; *s; s++)
		if (*s == '\'')
			buf_puts(out, "'\\''");
		else
			buf_add(out, s, 1);
	buf_puts(out, "'");
}

/* --- a finding ----------------------------------------------------------------------------- */

/* The process whose figures the text after it has. */
static void add_rank(struct buf *b, const struct report_finding *f)
{
	if (f->rank_figures)
		buf_printf(b, "in rank %d, ", f->figures_rank);
}

void words_why(struct buf *b, const struct report_finding *f)
{
	if (!text_some(f->why))
		return;
	add_rank(b, f);
	buf_puts(b, f->why);
	if (f->nuses > 0) {
		buf_puts(b, " (");
		words_line_uses(b, f);
		buf_puts(b, ")");
	}
}

void words_advice(struct buf *b, const struct report *r, const struct report_finding *f)
{
	(void)r;
	words_why(b, f);
	if (!text_some(f->advice))
		return;
	if (text_some(f->why))
		buf_puts(b, ": ");
	else
		add_rank(b, f);
	buf_puts(b, f->advice);
}

static void add_processes(struct buf *b, const struct report *r, const struct report_finding *f)
{
	char figure[PAGE_FIGURE];

	if (f->over_processes && f->nprocesses == r->nprocs) {
		buf_printf(b, "over all %d processes", r->nprocs);
		return;
	}
	buf_printf(b, "%s %d of %d processes (", f->over_processes ? "over" : "in", f->nprocesses,
		r->nprocs);
	ranks_text(b, f->processes, f->nruns, 8, ", ");
	buf_puts(b, ")");
	if (!isnan(f->severity_max_share) && !f->over_processes)
		buf_printf(b, ", at most %s in one", f->severity_is_index ?
			page_index(figure, f->severity_max_share) :
			page_percent(figure, f->severity_max_share));
}

static void add_error(struct buf *b, const char *name, const char *figure, const char *error)
{
	if (strcmp(figure, "-") == 0 || strcmp(error, "-") == 0)
		return;
	add_part(b, name);
	buf_printf(b, " %s +-%s", figure, error);
}

static void add_errors(struct buf *b, const struct report_finding *f)
{
	char figure[PAGE_FIGURE], error[PAGE_FIGURE];

	if (f->severity_is_index)
		add_error(b, "index", page_index(figure, f->severity_share),
			page_index(error, f->severity_error));
	else
		add_error(b, "severity", page_percent(figure, f->severity_share),
			page_percent(error, f->severity_error));
	add_error(b, "memory", page_percent(figure, f->est_stall_share),
		page_percent(error, f->est_stall_error));
}

static void add_place(struct buf *b, const struct report_finding *f)
{
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;
	char figure[PAGE_FIGURE];

	buf_printf(b, "%s%s of its misses are in line %d", b->len ? "; " : "",
		page_percent(figure, report_site_share(f->sites, f->nsites, 0)), f->place_line);
	if (slash)
		buf_printf(b, " of %s", slash + 1);
}

void words_remark(struct buf *b, const struct report *r, const struct report_finding *f)
{
	char figure[PAGE_FIGURE];

	if (r->nprocs > 1 && f->nprocesses > 0)
		add_processes(b, r, f);
	if (r->sampled)
		add_errors(b, f);
	if (f->confidence < 0.9995) {
		add_part(b, "confidence ");
		buf_printf(b, "%.2f", f->confidence);
	}
	if (f->coverage < 0.9995) {
		add_part(b, "counted: ");
		buf_printf(b, "%s of the accesses", page_percent(figure, f->coverage));
	}
	if (f->unwarmed)
		add_part(b, r->bursts ?
			"whether the caches held its lines before a burst is not known: the range "
			"has both cases" :
			"the caches did not hold the working set before: cold misses are included");
	if (f->all_callers)
		add_part(b, "all callers together");
	if (f->place_line > 0 && f->nsites)
		add_place(b, f);
	add_part(b, f->info);
}
