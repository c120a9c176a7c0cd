/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds reports of processes to a sum, and makes the report of all of them from it. */
#include "analysis/findings/report_sum.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/report_sum_rows.h"
#include "base/text_same.h"

struct report_sum *report_sum_new(void)
{
	struct report_sum *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->arena = arena_new();
	s->lists = report_new();
	s->host.elapsed = s->host.cpus = s->host.cpus_others = s->host.cpus_idle = s->host.others_share = NAN;
	if (!s->arena || !s->lists) {
		report_sum_free(s);
		return NULL;
	}
	return s;
}

void report_sum_free(struct report_sum *s)
{
	if (!s)
		return;
	sum_rows_free(s);
	report_free(s->only);
	report_free(s->none);
	report_free(s->head);
	arena_free(s->arena);
	free(s);
}

/* A report borrows the strings of others; encoding and decoding it copies them. */
static struct report *own_copy(const struct report *borrowed)
{
	struct buf b = BUF_INIT;
	struct report *own = NULL;

	report_encode(borrowed, &b);
	if (!b.failed)
		own = report_decode(b.data, b.len, NULL);
	buf_free(&b);
	return own;
}

/* --- the head --------------------------------------------------------------------------------- */

#define TIME(name) offsetof(struct report, name)
static const size_t times[HEAD_TIMES] = {
	TIME(cpu_time), TIME(wall_time), TIME(modelled_time), TIME(barrier_wait), TIME(mpi_wait),
	TIME(other_wait), TIME(away_time), TIME(est_stall), TIME(est_stall_low), TIME(est_stall_high),
	TIME(memory_time), TIME(core_time), TIME(branch_time), TIME(run_share),
	TIME(computing_time), TIME(computing_low), TIME(computing_high), TIME(kernel_time), TIME(fault_time),
	TIME(library_time), TIME(unexplained_time), TIME(faults), TIME(major_faults),
};
#undef TIME

static double *time_of(struct report *r, int i)
{
	return (double *)(void *)((char *)r + times[i]);
}

static const char *least_text(struct report_sum *s, const char *a, const char *b)
{
	if (!b || (a && strcmp(a, b) <= 0))
		return a;
	return sum_text(s, b);
}

static void take_least_sample(struct report_sum *s, struct report *into, const struct report *from)
{
	if (from->sampled && (!into->sampled || strcmp(from->sampled, into->sampled) < 0)) {
		into->sampled = sum_text(s, from->sampled);
		into->sample_share = from->sample_share;
	}
}

/* True: a text with the amount a goes before one with the amount b. */
static bool goes_before(double a, const char *text, double b, const char *other)
{
	if (!text || !other)
		return text && !other;
	return a > b || (a == b && strcmp(text, other) < 0);
}

/* The places of the process in which most time is spent there.  `into` has its amounts. */
static void take_largest_places(struct report_sum *s, struct report *into, const struct report *from)
{
	if (goes_before(from->library_time, from->library_calls, into->library_time, into->library_calls)) {
		into->library_calls = sum_text(s, from->library_calls);
		into->library_time = from->library_time;
	}
	if (goes_before(from->fault_time, from->fault_place, into->fault_time, into->fault_place)) {
		into->fault_place = sum_text(s, from->fault_place);
		into->fault_time = from->fault_time;
	}
	if (goes_before(from->fault_time, from->fault_blocks, into->kernel_time, into->fault_blocks)) {
		into->fault_blocks = sum_text(s, from->fault_blocks);
		into->kernel_time = from->fault_time;   /* of the blocks, which another process may have */
	}
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Largest and smallest figures and the least texts are kept in `lists`, which has no other head. */
static void join_head(struct report_sum *s, const struct report *from)
{
	struct report *l = s->lists;

	l->nthreads = larger(l->nthreads, from->nthreads);
	l->experiments = larger(l->experiments, from->experiments);
	l->runs = larger(l->runs, from->runs);
	if (from->phase_executions > l->phase_executions)
		l->phase_executions = from->phase_executions;
	if (from->executions_used > l->executions_used)
		l->executions_used = from->executions_used;
	l->elapsed = fmax(l->elapsed, from->elapsed);
	l->run_seen = fmax(l->run_seen, from->run_seen);
	l->time_spread = fmax(l->time_spread, from->time_spread);
	l->time_least = fmin(l->time_least, from->time_least);
	l->time_most = fmax(l->time_most, from->time_most);
	l->others_share = fmax(l->others_share, from->others_share);
	l->unseen_share = fmax(l->unseen_share, from->unseen_share);
	l->unlike = least_text(s, l->unlike, from->unlike);
	take_largest_places(s, l, from);
	l->partial = least_text(s, l->partial, from->partial);
	l->phase_warning = least_text(s, l->phase_warning, from->phase_warning);
	take_least_sample(s, l, from);
}

/* Takes away what is a sum, or joined. */
static void bare_head(struct report *r)
{
	r->nthreads = r->experiments = r->runs = r->nprocs = 0;
	r->phase_executions = r->executions_used = 0;
	r->elapsed = r->run_seen = r->time_spread = r->time_least = r->time_most = r->others_share = NAN;
	r->cpus = r->cpus_others = r->cpus_idle = NAN;
	r->unlike = r->partial = r->phase_warning = r->sampled = NULL;
	r->library_calls = r->fault_blocks = r->fault_place = NULL;
	r->sample_share = r->unseen_share = r->phase_time = r->stall_cycles = r->phase.time = r->phase.measure = NAN;
	for (int i = 0; i < HEAD_TIMES; i++)
		*time_of(r, i) = NAN;
	r->nfindings = r->ngains = r->nverified = r->nledger = r->ncosts = r->ntested = r->nnotes = 0;
	r->nthread_rows = r->thread_rows_left_out = 0;
	r->problems = (struct report_problems){ NULL, 0 };
}

void sum_head_add(struct report_sum *s, const struct report *head)
{
	struct report bare = *head;

	join_head(s, head);
	bare_head(&bare);
	if (s->head && report_head_compare(s->head, &bare) <= 0)
		return;
	report_free(s->head);
	s->head = own_copy(&bare);
	s->failed |= !s->head;
}

void report_sum_host(struct report_sum *s, const struct report *host)
{
	s->host.hosts += host->hosts;
	s->host.elapsed = fmax(s->host.elapsed, host->elapsed);
	s->host.cpus = fmax(s->host.cpus, host->cpus);
	s->host.cpus_others = fmax(s->host.cpus_others, host->cpus_others);
	s->host.cpus_idle = fmin(s->host.cpus_idle, host->cpus_idle);
	s->host.others_share = fmax(s->host.others_share, host->others_share);
}

static void set_host(const struct report_sum *s, struct report *r)
{
	r->hosts = s->host.hosts;
	if (!isnan(s->host.elapsed))
		r->elapsed = s->host.elapsed;
	if (isnan(s->host.cpus))
		return;
	r->cpus = s->host.cpus;
	r->cpus_others = s->host.cpus_others;
	r->cpus_idle = s->host.cpus_idle;
	r->others_share = s->host.others_share;
}

/* --- adding a report -------------------------------------------------------------------------- */

/* Returns what estimates are shares of; without it, shares of them are weighted as those of phase time. */
static double estimate_base(const struct report *r)
{
	double base = report_base_time(r);

	return base > 0 ? base : r->phase_time;
}

/* True: what the property compares is the finding's severity as share of the phase's time. */
static bool compares_share(const struct report_finding *f)
{
	return fabs(f->measure - f->severity_share) <= 1e-9 * fabs(f->severity_share);
}

/* True: the severity is in thread-seconds, a share of the same time as estimates. */
static bool of_base(const struct report_finding *f, double base)
{
	return f->severity_is_time && fabs(f->severity - f->severity_share * base) <= 1e-9 * f->severity;
}

static void add_sites(struct report_sum *s, struct sum_sites *to, const char *source, const struct report_site *sites,
	int n)
{
	const char *kept = sum_text(s, source);

	for (int i = 0; i < n; i++) {
		struct sum_site *site = sum_site_row(to, sites[i].line ? kept : NULL, sites[i].line);

		if (!site) {
			s->failed = true;
			return;
		}
		exact_sum_add(&site->first, sites[i].first_misses);
		exact_sum_add(&site->last, sites[i].last_misses);
	}
}

static void add_figures(struct sum_finding *to, const struct report_finding *f, const struct sum_weights *w)
{
	uint32_t n = (uint32_t)f->nprocesses;
	bool base = of_base(f, w->base);
	double time = base ? w->base : w->phase_time;

	exact_sum_add_times(&to->figure[F_MEASURE], f->measure, n);
	exact_sum_add_times(&to->figure[F_MEASURE_ERROR], f->measure_error, n);
	exact_sum_add_times(&to->figure[F_TIME_SHARE], f->time_share, n);
	exact_sum_add_times(&to->figure[F_SEVERITY], f->severity, w->procs);
	exact_sum_add_times(&to->figure[base ? F_SHARE_BASE : F_SHARE_PHASE], f->severity_share * time, w->procs);
	exact_sum_add_times(&to->figure[base ? F_ERROR_BASE : F_ERROR_PHASE], f->severity_error * time, w->procs);
	exact_sum_add_times(&to->figure[F_STALL], f->est_stall_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_STALL_LOW], f->est_stall_low_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_STALL_HIGH], f->est_stall_high_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_OWN], f->own_stall_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_OWN_LOW], f->own_stall_low_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_OWN_HIGH], f->own_stall_high_share * w->base, w->procs);
	exact_sum_add_times(&to->figure[F_STALL_ERROR], f->est_stall_error * w->base, w->procs);
	for (int i = 0; i < f->npath; i++) {
		exact_sum_add_times(&to->node[i].measure, f->path[i].measure, n);
		exact_sum_add_times(&to->node[i].measure_error, f->path[i].measure_error, n);
		exact_sum_add_times(&to->node[i].time, f->path[i].time, n);
	}
}

static void add_finding(struct report_sum *s, const struct report_finding *f, const struct sum_weights *w)
{
	struct sum_finding *to = sum_finding_row(s, f);

	if (!to)
		return;
	sum_finding_describe(s, to, f, f->nprocesses == 1 && f->nruns == 1 ? (int)f->processes[0].first : -1);
	to->compares_share &= compares_share(f);
	to->nprocesses += (uint32_t)f->nprocesses;
	s->failed |= ranks_add(&to->ranks, f->processes, f->nruns) != 0;
	add_figures(to, f, w);
	add_sites(s, &to->sites, f->source, f->sites, f->nsites);
}

/* Times are means over the processes, the others sums. */
enum { COST_TIMES = 4 };
static void cost_figures(const struct report_cost *c, double figure[COST_FIGURES])
{
	const double plain[] = { c->time, c->est_stall, c->est_stall_low, c->est_stall_high, c->accesses, c->coherence };

	memcpy(figure, plain, sizeof plain);
	memcpy(figure + 6, c->misses, sizeof c->misses);
	memcpy(figure + 6 + REPORT_LEVELS, c->errors, sizeof c->errors);
}

static void add_cost(struct report_sum *s, const struct report_cost *c, const struct sum_weights *w)
{
	struct sum_cost *to = sum_cost_row(s, c);
	double figure[COST_FIGURES];

	if (!to)
		return;
	sum_cost_describe(s, to, c);
	cost_figures(c, figure);
	for (int i = 0; i < COST_FIGURES; i++)
		if (!isnan(figure[i]))
			exact_sum_add_times(&to->figure[i], figure[i], i < COST_TIMES ? w->procs : 1);
	add_sites(s, &to->sites, NULL, c->sites, c->nsites);
}

static void add_gain(struct report_sum *s, const struct report_gain *g, const struct sum_weights *w)
{
	struct sum_gain *to = sum_gain_row(s, g);

	if (!to)
		return;
	sum_gain_describe(s, to, g);
	exact_sum_add(&to->least, g->least);
	exact_sum_add(&to->most, g->most);
	exact_sum_add_times(&to->time_share, g->time_share * w->base, w->procs);
}

static void add_ledger(struct report_sum *s, const struct report_ledger *l)
{
	struct sum_ledger *to = sum_ledger_row(s, l);

	if (!to)
		return;
	exact_sum_add(&to->accesses, l->accesses);
	exact_sum_add(&to->misses, l->misses);
	exact_sum_add(&to->misses_error, l->misses_error);
}

static void add_rows(struct report_sum *s, const struct report *part)
{
	struct sum_weights w = { (uint32_t)larger(part->nprocs, 0), part->phase_time, estimate_base(part) };

	s->parts++;
	s->nprocs += w.procs;
	exact_sum_add_times(&s->phase_time, w.phase_time, w.procs);
	exact_sum_add_times(&s->base, w.base, w.procs);
	for (int i = 0; i < HEAD_TIMES; i++)
		exact_sum_add_times(&s->times[i], *(const double *)(const void *)((const char *)part + times[i]), w.procs);
	exact_sum_add(&s->stall_cycles, part->stall_cycles);
	sum_head_add(s, part);
	for (int i = 0; i < part->nfindings; i++)
		add_finding(s, &part->findings[i], &w);
	for (int i = 0; i < part->ngains; i++)
		add_gain(s, &part->gains[i], &w);
	for (int i = 0; i < part->nverified; i++)
		sum_verified_add(s, &part->verified[i]);
	for (int i = 0; i < part->nledger; i++)
		add_ledger(s, &part->ledger[i]);
	for (int i = 0; i < part->ncosts; i++)
		add_cost(s, &part->costs[i], &w);
	sum_lists_add(s, part);
}

void sum_spread_only(struct report_sum *s)
{
	struct report *only = s->only;

	s->only = NULL;
	if (only)
		add_rows(s, only);
	report_free(only);
}

/* The only report is kept as it is, so that figures of one process are never rounded. */
int report_sum_add(struct report_sum *s, const struct report *part)
{
	if (!s->parts && !s->only) {
		s->only = own_copy(part);
		s->failed |= !s->only;
	} else {
		sum_spread_only(s);
		add_rows(s, part);
	}
	return s->failed ? -1 : 0;
}

int report_sum_add_none(struct report_sum *s, const struct report *none)
{
	if (s->none && report_head_compare(s->none, none) <= 0)
		return 0;
	report_free(s->none);
	s->none = own_copy(none);
	s->failed |= !s->none;
	return s->failed ? -1 : 0;
}

/* --- the report of all ------------------------------------------------------------------------ */

static double share(const struct exact_sum *part, const struct exact_sum *whole)
{
	double all = exact_sum_known(whole);

	return !part->known && !part->unknown ? 0 : all > 0 ? exact_sum_all(part) / all : NAN;
}

static double mean(const struct exact_sum *s, double n)
{
	return exact_sum_all(s) / n;
}

static void finish_sites(struct report *r, const struct sum_sites *from, const char *source, const struct report_site **out,
	int *n)
{
	struct report_site *sites = arena_array(r->arena, (size_t)from->n, sizeof *sites);

	*out = sites;
	*n = 0;
	if (!sites)
		return;
	for (int i = 0; i < from->n; i++) {
		const struct sum_site *s = &from->site[i];

		sites[i] = (struct report_site){ text_same(s->source, source) ? s->line : 0, exact_sum_known(&s->first),
			exact_sum_known(&s->last) };
	}
	*n = report_sites_join(sites, from->n);
}

/* Figures of WHY are those of one process, all others of the finding are means or sums: the report names the
 * process, unless all have the same. */
static void finish_why(const struct report_sum *s, const struct sum_finding *from, struct report_finding *f)
{
	if (from->described < 0)
		return;                 /* a report of several processes was added, which has named its own */
	f->rank_figures = f->rank_figures && !f->over_processes && s->nprocs > 1 &&
		(from->texts_differ || from->nprocesses != s->nprocs);
	f->figures_rank = from->described;
}

static int finish_finding(const struct report_sum *s, const struct sum_finding *from, struct report *r,
	struct report_finding *f)
{
	const struct exact_sum *v = from->figure;
	double n = from->nprocesses, procs = (double)s->nprocs;
	struct report_node *path = arena_array(r->arena, (size_t)from->of.npath, sizeof *path);

	*f = from->of;
	f->path = path;
	f->processes = from->ranks.run;
	f->nruns = from->ranks.n;
	f->nprocesses = (int)from->nprocesses;
	f->measure = mean(&v[F_MEASURE], n);
	f->measure_error = mean(&v[F_MEASURE_ERROR], n);
	f->time_share = mean(&v[F_TIME_SHARE], n);
	f->severity = mean(&v[F_SEVERITY], procs);
	f->severity_share = share(&v[F_SHARE_PHASE], &s->phase_time) + share(&v[F_SHARE_BASE], &s->base);
	f->severity_error = share(&v[F_ERROR_PHASE], &s->phase_time) + share(&v[F_ERROR_BASE], &s->base);
	f->est_stall_share = share(&v[F_STALL], &s->base);
	f->est_stall_low_share = share(&v[F_STALL_LOW], &s->base);
	f->est_stall_high_share = share(&v[F_STALL_HIGH], &s->base);
	f->own_stall_share = share(&v[F_OWN], &s->base);
	f->own_stall_low_share = share(&v[F_OWN_LOW], &s->base);
	f->own_stall_high_share = share(&v[F_OWN_HIGH], &s->base);
	f->est_stall_error = share(&v[F_STALL_ERROR], &s->base);
	if (from->compares_share)
		f->measure = f->severity_share;
	finish_why(s, from, f);
	if (!path)
		return -1;
	for (int i = 0; i < f->npath; i++) {
		path[i] = from->of.path[i];
		path[i].measure = i + 1 == f->npath ? f->measure : mean(&from->node[i].measure, n);
		path[i].measure_error = mean(&from->node[i].measure_error, n);
		path[i].time = mean(&from->node[i].time, n);
	}
	finish_sites(r, &from->sites, f->source, &f->sites, &f->nsites);
	if (f->nsites)
		f->place_line = report_sites_place(f->sites, f->nsites);
	if (f->place_line != from->of.place_line)
		f->place_routine = NULL;
	return 0;
}

static void finish_cost(const struct report_sum *s, const struct sum_cost *from, struct report *r, struct report_cost *c)
{
	double figure[COST_FIGURES];

	*c = from->of;
	for (int i = 0; i < COST_FIGURES; i++)
		figure[i] = exact_sum_known(&from->figure[i]) / (i < COST_TIMES ? (double)s->nprocs : 1);
	c->time = figure[0];
	c->est_stall = figure[1];
	c->est_stall_low = figure[2];
	c->est_stall_high = figure[3];
	c->accesses = figure[4];
	c->coherence = figure[5];
	memcpy(c->misses, figure + 6, sizeof c->misses);
	memcpy(c->errors, figure + 6 + REPORT_LEVELS, sizeof c->errors);
	finish_sites(r, &from->sites, NULL, &c->sites, &c->nsites);
}

static int by_cost(const void *a, const void *b)
{
	return report_cost_compare(a, b);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int finish_costs(const struct report_sum *s, struct report *r)
{
	r->costs = arena_array(r->arena, s->ncosts, sizeof *r->costs);
	r->notes = arena_array(r->arena, s->nnotes, sizeof *r->notes);
	if (!r->costs || !r->notes)
		return -1;
	for (uint32_t i = 0; i < s->ncosts; i++)
		finish_cost(s, &s->costs[i], r, &r->costs[i]);
	r->ncosts = (int)s->ncosts;
	if (r->ncosts > 1)
		qsort(r->costs, s->ncosts, sizeof *r->costs, by_cost);
	if (s->nnotes)
		memcpy(r->notes, s->notes, s->nnotes * sizeof *r->notes);
	r->nnotes = (int)s->nnotes;
	if (r->nnotes > 1)
		qsort(r->notes, s->nnotes, sizeof *r->notes, by_text);
	return 0;
}

static int finish_rows(const struct report_sum *s, struct report *r)
{
	r->findings = arena_array(r->arena, s->nfindings, sizeof *r->findings);
	r->gains = arena_array(r->arena, s->ngains, sizeof *r->gains);
	r->verified = arena_array(r->arena, s->nverified, sizeof *r->verified);
	r->ledger = arena_array(r->arena, s->nledger, sizeof *r->ledger);
	if (!r->findings || !r->gains || !r->verified || !r->ledger)
		return -1;
	for (uint32_t i = 0; i < s->nfindings; i++)
		if (finish_finding(s, &s->findings[i], r, &r->findings[i]))
			return -1;
	for (uint32_t i = 0; i < s->ngains; i++) {
		r->gains[i] = s->gains[i].of;
		r->gains[i].least = exact_sum_known(&s->gains[i].least);
		r->gains[i].most = exact_sum_known(&s->gains[i].most);
		r->gains[i].time_share = exact_sum_known(&s->gains[i].time_share) / exact_sum_known(&s->base);
	}
	if (s->nverified)
		memcpy(r->verified, s->verified, s->nverified * sizeof *r->verified);
	for (uint32_t i = 0; i < s->nledger; i++)
		r->ledger[i] = (struct report_ledger){ s->ledger[i].of.cause, exact_sum_all(&s->ledger[i].accesses),
			exact_sum_all(&s->ledger[i].misses), exact_sum_all(&s->ledger[i].misses_error) };
	r->nfindings = (int)s->nfindings;
	r->ngains = (int)s->ngains;
	r->nverified = (int)s->nverified;
	r->nledger = (int)s->nledger;
	return 0;
}

void sum_finish_head(const struct report_sum *s, struct report *r)
{
	const struct report *l = s->lists;
	struct arena *arena = r->arena;

	*r = *s->head;
	r->arena = arena;
	r->nthreads = l->nthreads;
	r->experiments = l->experiments;
	r->runs = l->runs;
	r->phase_executions = l->phase_executions;
	r->executions_used = l->executions_used;
	r->elapsed = l->elapsed;
	r->run_seen = l->run_seen;
	r->time_spread = l->time_spread;
	r->time_least = l->time_least;
	r->time_most = l->time_most;
	r->others_share = l->others_share;
	r->unlike = l->unlike;
	r->library_calls = l->library_calls;
	r->fault_blocks = l->fault_blocks;
	r->fault_place = l->fault_place;
	r->partial = l->partial;
	r->phase_warning = l->phase_warning;
	r->sampled = l->sampled;
	r->sample_share = l->sample_share;
	r->unseen_share = l->unseen_share;
	r->nprocs = (int)s->nprocs;
	r->phase_time = r->phase.time = exact_sum_known(&s->phase_time) / (double)s->nprocs;
	for (int i = 0; i < HEAD_TIMES; i++)
		*time_of(r, i) = exact_sum_known(&s->times[i]) / s->times[i].known;
	r->stall_cycles = exact_sum_known(&s->stall_cycles);
	r->thread_rows = l->thread_rows;
	r->nthread_rows = l->nthread_rows;
	r->thread_rows_left_out = l->thread_rows_left_out;
	r->tested = l->tested;
	r->ntested = l->ntested;
	set_host(s, r);
}

/* Drops "no such structure" for a name that another process knows, of --what-if and of --verify (which has no
 * declaration then). */
static void drop_unknown(struct report *r)
{
	int kept = 0, measured = 0;

	for (int i = 0; i < r->nverified; i++) {
		const struct report_verified *v = &r->verified[i];
		bool known = false;

		for (int k = 0; k < r->nverified && v->unknown; k++)
			known |= !r->verified[k].unknown && text_same(r->verified[k].structure, v->structure);
		if (!known)
			r->verified[measured++] = *v;
	}
	r->nverified = measured;

	for (int i = 0; i < r->ngains; i++) {
		bool known = false;

		for (int k = 0; k < r->ngains && !*r->gains[i].fix; k++)
			known |= *r->gains[k].fix && text_same(r->gains[k].structure, r->gains[i].structure);
		if (!known)
			r->gains[kept++] = r->gains[i];
	}
	r->ngains = kept;
}

static struct report *finish_one(const struct report_sum *s)
{
	const struct report *one = s->only ? s->only : s->none;
	struct report *r = one ? own_copy(one) : NULL;

	if (!r)
		return NULL;
	set_host(s, r);
	report_thread_rows_keep(r);
	r->ncosts = report_costs_join(r->arena, r->costs, r->ncosts);
	drop_unknown(r);
	report_rank(r);
	return r;
}

struct report *report_sum_finish(struct report_sum *s)
{
	struct report *r, *own = NULL;

	if (s->failed || !s->parts)
		return s->failed ? NULL : finish_one(s);
	r = report_new();
	if (!r)
		return NULL;
	report_thread_rows_keep(s->lists);
	sum_finish_head(s, r);
	if (!finish_rows(s, r) && !finish_costs(s, r)) {
		drop_unknown(r);
		own = own_copy(r);
	}
	report_free(r);
	if (own)
		report_rank(own);
	return own;
}

struct report *report_merge(struct report *const *parts, int n)
{
	struct report_sum *s = report_sum_new();
	struct report *r = NULL;
	int rc = s ? 0 : -1;

	for (int i = 0; i < n && !rc; i++)
		rc = report_sum_add(s, parts[i]);
	if (!rc)
		r = report_sum_finish(s);
	report_sum_free(s);
	return r;
}
