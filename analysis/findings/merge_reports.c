/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the reports of several processes into one: equal findings become one finding.  Sums over
 * processes are kept as mean * number of processes, which makes merging associative. */
#include "base/text_same.h"
#include "analysis/findings/findings.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool same_node(const struct report_node *a, const struct report_node *b)
{
	return a->type == b->type && a->line == b->line && text_same(a->name, b->name) &&
		text_same(a->alias_of, b->alias_of) && text_same(a->file, b->file);
}

static bool same_finding(const struct report_finding *a, const struct report_finding *b)
{
	if (!text_same(a->property, b->property) || a->npath != b->npath)
		return false;
	for (int i = 0; i < a->npath; i++)
		if (!same_node(&a->path[i], &b->path[i]))
			return false;
	return true;
}

static int by_rank(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* True: what the property compares is the finding's severity as share of the phase's time. */
static bool compares_share(const struct report_finding *f)
{
	return fabs(f->measure - f->severity_share) <= 1e-9 * fabs(f->severity_share);
}

/* Rates of the steps: means over the processes, as the finding's own.  0 / -1 (memory). */
static int merge_path(struct report *r, struct report_finding *into, const struct report_finding *f, double w,
	double v)
{
	struct report_node *path = arena_array(r->arena, (size_t)into->npath, sizeof *path);

	if (!path)
		return -1;
	memcpy(path, into->path, (size_t)into->npath * sizeof *path);
	for (int i = 0; i < into->npath; i++) {
		path[i].measure = w * path[i].measure + v * f->path[i].measure;
		path[i].holds |= f->path[i].holds;
	}
	if (into->npath > 0)
		path[into->npath - 1].measure = into->measure;
	into->path = path;
	return 0;
}

/* Counts are sums over the processes.  Lines of another file than the finding's are other lines.  0 / -1 (memory). */
static int merge_sites(struct report *r, struct report_finding *into, const struct report_finding *f)
{
	struct report_site *sites = f->nsites ? arena_array(r->arena, (size_t)f->nsites, sizeof *sites) : NULL;

	if (!f->nsites)
		return 0;
	if (!sites)
		return -1;
	for (int i = 0; i < f->nsites; i++) {
		sites[i] = f->sites[i];
		if (!text_same(into->source, f->source))
			sites[i].line = 0;
	}
	if (report_sites_merge(r->arena, into->sites, into->nsites, sites, f->nsites, &into->sites, &into->nsites))
		return -1;
	into->place_line = report_sites_place(into->sites, into->nsites);
	return 0;
}

/* Kind and advice are those of the process with the highest severity, whose figures the advice has. */
static int merge_finding(struct report *r, struct report_finding *into,
	const struct report_finding *f)
{
	int n = into->nprocesses + f->nprocesses;
	int *ranks = arena_array(r->arena, (size_t)n, sizeof *ranks);
	double w = (double)into->nprocesses / n, v = (double)f->nprocesses / n;
	bool share = compares_share(into) && compares_share(f);

	if (!ranks)
		return -1;
	memcpy(ranks, into->processes, (size_t)into->nprocesses * sizeof *ranks);
	memcpy(ranks + into->nprocesses, f->processes, (size_t)f->nprocesses * sizeof *ranks);
	qsort(ranks, (size_t)n, sizeof *ranks, by_rank);
	into->processes = ranks;
	into->nprocesses = n;
	/* Sampling errors of processes of one program are not independent: add them. */
	into->measure_error = w * into->measure_error + v * f->measure_error;
	into->severity_error += f->severity_error;
	into->est_stall_error += f->est_stall_error;
	into->measure = w * into->measure + v * f->measure;
	/* The table has the share: the rate beside it is the same figure. */
	into->time_share = w * into->time_share + v * f->time_share;
	into->severity += f->severity;
	into->severity_share += f->severity_share;
	into->est_stall_share += f->est_stall_share;
	into->est_stall_low_share += f->est_stall_low_share;
	into->est_stall_high_share += f->est_stall_high_share;
	if (share)
		into->measure = into->severity_share;
	if (merge_path(r, into, f, w, v) || merge_sites(r, into, f))
		return -1;
	if (f->severity_max_share > into->severity_max_share) {
		into->severity_max_share = f->severity_max_share;
		into->kind = f->kind;
		into->advice = f->advice;
		into->info = f->info;
	}
	if (f->confidence < into->confidence)
		into->confidence = f->confidence;
	if (f->coverage < into->coverage)
		into->coverage = f->coverage;
	into->unwarmed |= f->unwarmed;
	return 0;
}

/* A report's share of all processes, of their phase time, and of the time that estimates are shares of. */
struct weights { double procs, time, cpu; };

static double estimate_base(const struct report *r)
{
	return isnan(r->modelled_time) ? r->cpu_time : r->modelled_time;
}

/* Severities in thread-seconds are shares of the same time as estimates. */
static double severity_weight(const struct report *part, const struct report_finding *f, const struct weights *w)
{
	bool threads = f->severity_is_time &&
		fabs(f->severity - f->severity_share * estimate_base(part)) <= 1e-9 * f->severity;

	return threads ? w->cpu : w->time;
}

static struct report_finding weighed(const struct report *part, const struct report_finding *f,
	const struct weights *w)
{
	double severity = severity_weight(part, f, w);
	struct report_finding out = *f;

	if (compares_share(f))
		out.measure *= severity;
	out.severity *= w->procs;
	out.severity_share *= severity;
	out.severity_error *= severity;
	out.est_stall_share *= w->cpu;
	out.est_stall_low_share *= w->cpu;
	out.est_stall_high_share *= w->cpu;
	out.est_stall_error *= w->cpu;
	return out;
}

static int merge_findings(struct report *r, const struct report *part, const struct weights *w)
{
	for (int i = 0; i < part->nfindings; i++) {
		struct report_finding f = weighed(part, &part->findings[i], w), *grown;
		int k = 0;

		while (k < r->nfindings && !same_finding(&r->findings[k], &f))
			k++;
		if (k < r->nfindings) {
			if (merge_finding(r, &r->findings[k], &f))
				return -1;
			continue;
		}
		grown = arena_grow(r->arena, r->findings, (size_t)r->nfindings * sizeof *grown,
			((size_t)r->nfindings + 1) * sizeof *grown);
		if (!grown)
			return -1;
		r->findings = grown;
		r->findings[r->nfindings++] = f;
	}
	return 0;
}

static bool same_gain(const struct report_gain *a, const struct report_gain *b)
{
	return text_same(a->structure, b->structure) && text_same(a->scope, b->scope) &&
		text_same(a->declared, b->declared) && text_same(a->fix, b->fix) &&
		text_same(a->change, b->change) && !a->reason == !b->reason;
}

static void add_known(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Cycles are summed over all processes; time shares are weighted by each report's share of the time. */
static int merge_gains(struct report *r, const struct report *part, double weight)
{
	struct report_gain *grown = arena_grow(r->arena, r->gains,
		(size_t)r->ngains * sizeof *grown,
		((size_t)r->ngains + (size_t)part->ngains) * sizeof *grown);

	if (!grown)
		return -1;
	r->gains = grown;
	for (int i = 0; i < part->ngains; i++) {
		struct report_gain g = part->gains[i];
		int k = 0;

		g.time_share *= weight;
		while (k < r->ngains && !same_gain(&r->gains[k], &g))
			k++;
		if (k == r->ngains) {
			r->gains[r->ngains++] = g;
			continue;
		}
		add_known(&r->gains[k].least, g.least);
		add_known(&r->gains[k].most, g.most);
		add_known(&r->gains[k].time_share, g.time_share);
	}
	add_known(&r->stall_cycles, part->stall_cycles);
	return 0;
}

/* Keeps one measurement of each structure: the first that has figures. */
static bool same_structure(const struct report_verified *a, const struct report_verified *b)
{
	return text_same(a->structure, b->structure) && text_same(a->scope, b->scope) &&
		text_same(a->declared, b->declared);
}

/* The process that loses most is kept: the order of arrival must not matter. */
static bool says_more(const struct report_verified *a, const struct report_verified *b)
{
	if (a->reason || b->reason)
		return !a->reason && b->reason;
	return a->measured > b->measured;
}

static int merge_verified(struct report *r, const struct report *part)
{
	struct report_verified *grown = arena_grow(r->arena, r->verified,
		(size_t)r->nverified * sizeof *grown,
		((size_t)r->nverified + (size_t)part->nverified) * sizeof *grown);

	if (!grown)
		return -1;
	r->verified = grown;
	for (int i = 0; i < part->nverified; i++) {
		const struct report_verified *v = &part->verified[i];
		int k = 0;

		while (k < r->nverified && !same_structure(&r->verified[k], v))
			k++;
		if (k == r->nverified)
			r->verified[r->nverified++] = *v;
		else if (says_more(v, &r->verified[k]))
			r->verified[k] = *v;
	}
	return 0;
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
			known |= *r->gains[k].fix && text_same(r->gains[k].structure,
				r->gains[i].structure);
		if (!known)
			r->gains[kept++] = r->gains[i];
	}
	r->ngains = kept;
}

/* Adds rows of equal cause; a row that only one of them has is kept.  0 / -1 (memory). */
static int merge_ledger(struct report *r, const struct report *part)
{
	struct report_ledger *rows = arena_grow(r->arena, r->ledger, (size_t)r->nledger * sizeof *rows,
		((size_t)r->nledger + (size_t)part->nledger) * sizeof *rows);

	if (!rows)
		return -1;
	r->ledger = rows;
	for (int i = 0; i < part->nledger; i++) {
		int k = 0;

		while (k < r->nledger && !text_same(rows[k].cause, part->ledger[i].cause))
			k++;
		if (k == r->nledger) {
			rows[r->nledger++] = part->ledger[i];
			continue;
		}
		rows[k].accesses += part->ledger[i].accesses;
		rows[k].misses += part->ledger[i].misses;
		rows[k].misses_error += part->ledger[i].misses_error;
	}
	return 0;
}

/* Appends the part's costs; the caller joins them.  0 / -1 (memory). */
static int merge_costs(struct report *r, const struct report *part, double procs)
{
	struct report_cost *costs = arena_grow(r->arena, r->costs, (size_t)r->ncosts * sizeof *costs,
		((size_t)r->ncosts + (size_t)part->ncosts) * sizeof *costs);

	if (!costs)
		return -1;
	r->costs = costs;
	for (int i = 0; i < part->ncosts; i++) {
		struct report_cost *c = &costs[r->ncosts++];

		*c = part->costs[i];
		c->time *= procs;
		c->est_stall *= procs;
		c->est_stall_low *= procs;
		c->est_stall_high *= procs;
	}
	r->ncosts = report_costs_join(r->arena, r->costs, r->ncosts);
	return r->ncosts < 0 ? -1 : 0;
}

/* Appends the part's rows of threads; which are kept does not depend on the order of the parts.  0 / -1 (memory). */
static int merge_thread_rows(struct report *r, const struct report *part)
{
	struct report_thread *rows = arena_grow(r->arena, r->thread_rows, (size_t)r->nthread_rows * sizeof *rows,
		((size_t)r->nthread_rows + (size_t)part->nthread_rows) * sizeof *rows);

	if (!rows)
		return -1;
	if (part->nthread_rows)
		memcpy(rows + r->nthread_rows, part->thread_rows, (size_t)part->nthread_rows * sizeof *rows);
	r->thread_rows = rows;
	r->nthread_rows += part->nthread_rows;
	r->thread_rows_left_out += part->thread_rows_left_out;
	report_thread_rows_keep(r);
	return 0;
}

static int merge_lists(struct report *r, const struct report *part)
{
	struct report_tested *tested = arena_grow(r->arena, r->tested,
		(size_t)r->ntested * sizeof *tested,
		((size_t)r->ntested + (size_t)part->ntested) * sizeof *tested);
	const char **notes = arena_grow(r->arena, r->notes, (size_t)r->nnotes * sizeof *notes,
		((size_t)r->nnotes + (size_t)part->nnotes) * sizeof *notes);

	if (!tested || !notes)
		return -1;
	if (part->ntested)
		memcpy(tested + r->ntested, part->tested, (size_t)part->ntested * sizeof *tested);
	r->tested = tested;
	r->ntested += part->ntested;
	r->notes = notes;
	for (int i = 0; i < part->nnotes; i++) {
		int k = 0;

		while (k < r->nnotes && strcmp(r->notes[k], part->notes[i]) != 0)
			k++;
		if (k == r->nnotes)
			r->notes[r->nnotes++] = part->notes[i];
	}
	return merge_ledger(r, part);
}

/* The mean over processes of a time that each part has as mean over its own; NAN: none has it. */
static double mean_time(struct report *const *parts, int n, size_t field)
{
	double sum = 0, procs = 0;

	for (int i = 0; i < n; i++) {
		double time = *(const double *)((const char *)parts[i] + field);

		if (isnan(time))
			continue;
		sum += time * parts[i]->nprocs;
		procs += parts[i]->nprocs;
	}
	return procs > 0 ? sum / procs : NAN;
}

static void merge_times(struct report *r, struct report *const *parts, int n)
{
#define TIME(name) offsetof(struct report, name)
	static const size_t times[] = {
		TIME(cpu_time), TIME(wall_time), TIME(modelled_time), TIME(barrier_wait), TIME(mpi_wait),
		TIME(other_wait), TIME(away_time), TIME(est_stall), TIME(est_stall_low),
		TIME(est_stall_high), TIME(memory_time), TIME(core_time), TIME(branch_time),
		TIME(run_share),
	};
#undef TIME

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		*(double *)((char *)r + times[i]) = mean_time(parts, n, times[i]);
}

static void merge_head(struct report *r, const struct report *part)
{
	if (part->nthreads > r->nthreads)
		r->nthreads = part->nthreads;
	if (part->phase_executions > r->phase_executions)
		r->phase_executions = part->phase_executions;
	if (part->executions_used > r->executions_used)
		r->executions_used = part->executions_used;
	if (part->experiments > r->experiments)
		r->experiments = part->experiments;
	if (part->runs > r->runs)
		r->runs = part->runs;
	if (part->elapsed > r->elapsed)
		r->elapsed = part->elapsed;
	r->time_spread = fmax(r->time_spread, part->time_spread);
	r->time_least = fmin(r->time_least, part->time_least);
	r->time_most = fmax(r->time_most, part->time_most);
	if (!r->unlike)
		r->unlike = part->unlike;
	r->others_share = fmax(r->others_share, part->others_share);
	if (!r->partial)
		r->partial = part->partial;
	if (!r->phase_warning)
		r->phase_warning = part->phase_warning;
	if (!r->sampled) {
		r->sampled = part->sampled;
		r->sample_share = part->sample_share;
	}
}

/* The merged report borrows the strings of its inputs; encoding and decoding it copies them. */
static struct report *own_copy(struct report *borrowed)
{
	struct buf b = BUF_INIT;
	struct report *own = NULL;

	report_encode(borrowed, &b);
	if (!b.failed)
		own = report_decode(b.data, b.len, NULL);
	buf_free(&b);
	report_free(borrowed);
	return own;
}

struct report *report_merge(struct report *const *parts, int n)
{
	struct report *r = report_new();
	struct arena *arena = r ? r->arena : NULL;
	double procs = 0, time = 0, cpu = 0;

	if (!r)
		return NULL;
	*r = *parts[0];
	r->arena = arena;
	r->findings = NULL;
	r->gains = NULL;
	r->verified = NULL;
	r->stall_cycles = NAN;
	r->nfindings = r->ntested = r->nnotes = r->ngains = r->nverified = r->ncosts = 0;
	r->costs = NULL;
	r->thread_rows = NULL;
	r->nthread_rows = r->thread_rows_left_out = 0;
	r->tested = NULL;
	r->notes = NULL;
	r->ledger = arena_array(arena, (size_t)parts[0]->nledger + 1, sizeof *r->ledger);
	for (int i = 0; i < n; i++) {
		procs += parts[i]->nprocs;
		if (!isnan(parts[i]->phase_time))
			time += parts[i]->phase_time * parts[i]->nprocs;
		cpu += estimate_base(parts[i]) * parts[i]->nprocs;
	}
	for (int i = 0; r->ledger && i < parts[0]->nledger; i++)
		r->ledger[i].cause = parts[0]->ledger[i].cause;
	for (int i = 0; i < n; i++) {
		struct weights w = { parts[i]->nprocs / procs, parts[i]->phase_time * parts[i]->nprocs / time, 0 };

		/* Without all processor times, shares of them are weighted as those of phase time. */
		w.cpu = cpu > 0 ? estimate_base(parts[i]) * parts[i]->nprocs / cpu : w.time;
		if (!r->ledger || merge_findings(r, parts[i], &w) || merge_gains(r, parts[i], w.cpu) ||
		    merge_verified(r, parts[i]) || merge_costs(r, parts[i], w.procs) ||
		    merge_thread_rows(r, parts[i]) ||
		    merge_lists(r, parts[i])) {
			report_free(r);
			return NULL;
		}
		merge_head(r, parts[i]);
	}
	drop_unknown(r);
	r->nprocs = (int)procs;
	r->phase_time = time > 0 ? time / procs : NAN;
	merge_times(r, parts, n);
	r = own_copy(r);
	if (r)
		report_rank(r);
	return r;
}
