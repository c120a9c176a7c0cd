/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the report of one process. */
#include "agents/process_report.h"

#include <stdio.h>
#include <string.h>

#include "agents/asked_regions.h"
#include "agents/mpi_matching.h"
#include "agents/phase_search.h"
#include "agents/run_decision.h"
#include "analysis/findings/findings.h"
#include "analysis/findings/thread_rows.h"
#include "analysis/measure/counts_csv.h"
#include "base/clock.h"
#include "base/log.h"

uint32_t process_count_held(const struct search *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->ntests; i++)
		n += s->tests[i].outcome == OUT_HELD && !s->tests[i].way;
	return n;
}

int process_search(struct host_analysis *h, const struct measurements *measured, struct search *s)
{
	calls_match(h);
	return search_run(s, measured, h->program, h->attributes,
		strategy_find((enum strategy_kind)h->config->strategy), h->config->confidence);
}

/* Adds the results of --what-if to the report, or why a fix was not tried. */
static void add_gains(struct process *p, const struct search *s)
{
	const struct run_config *config = p->host->config;

	if ((!config->nwhat_if && !config->proposals) || !p->report)
		return;
	if (!p->now.collection.whatif)
		p->now.collection.whatif = whatif_new(s, config);
	if (!p->now.collection.whatif) {
		log_msg(0, "out of memory for --what-if");
		return;
	}
	whatif_give_up(p->now.collection.whatif, p->partial[0] ? p->partial :
		"it was not measured");
	if ((config->proposals && whatif_propose(p->now.collection.whatif, s, p->report)) ||
	    whatif_report(p->now.collection.whatif, s, p->report))
		log_msg(0, "out of memory for --what-if");
}

/* Puts lost accesses first among the reasons why the report is partial: they leave all verdicts on
 * counts undecided. */
static void describe_loss(struct process *p)
{
	char before[sizeof p->partial];

	snprintf(before, sizeof before, "%s", p->partial);
	snprintf(p->partial, sizeof p->partial,
		"%.3g %% of the accesses were lost, so no property of counts "
		"is decided%s%.150s", 100 * (1 - measured_coverage(p->now.measured)), before[0] ?
		"; " : "", before);
}

/* Says why there were too few spans of time: the program was short, or they could not end. */
static void advise_spans(const struct process *p, struct buf *out)
{
	enum { LATE = 4 };      /* slices and waiting for recording code take longer than a span,
				 * too */
	uint64_t ns = p->host->config->timed_ns;

	if (clock_ns() - p->connected > LATE * (p->now.executions + 2) * ns)
		buf_puts(out,
			"; spans could not end in time: for long, the main thread called no function with markers and "
			"began no iteration of an outer loop outside of parallel regions");
	else
		buf_printf(out, "; a shorter --experiment-time than %g s gives more of them",
			(double)ns * 1e-9);
}

static void no_execution(const struct process *p, struct buf *out)
{
	const uint32_t region = p->host->config->phase_region;
	struct phase_seen seen;

	if (mon_peer_begun(p->peer)) {
		buf_puts(out, "the application ended in its first phase execution");
		return;
	}
	if (region == SIR_NONE) {
		buf_puts(out, "the application ended before a phase was found");
		return;
	}
	if (!p->host->config->phase_by_time) {
		buf_puts(out, "the application ended before its first phase execution");
		return;
	}
	phase_search_seen(p, &seen);
	if (seen.executions) {
		buf_puts(out,
			"the application ended before an execution of the phase could be measured");
	} else {
		buf_puts(out, "the application never executed the phase that was tried, ");
		sir_describe(p->host->sir, region, out);
	}
}

void process_early_end(struct process *p, char *why, size_t size)
{
	struct buf others = BUF_INIT, none = BUF_INIT;

	if (p->now.executions == 0)
		no_execution(p, &none);
	if (p->now.collection.whatif || p->host->config->ntries)
		snprintf(why, size,
			"the application ended before all that was asked for was tried, after "
			"%llu phase executions", (unsigned long long)p->now.executions);
	else if (p->now.executions == 0)
		snprintf(why, size, "%s", buf_str(&none));
	else if (p->host->config->bursts)
		snprintf(why, size, "the program ended before enough of it was recorded");
	else
		snprintf(why, size, "the application ended before the search did, after %llu "
			"phase execution%s (%u experiment%s)",
			(unsigned long long)p->now.executions, p->now.executions == 1 ? "" : "s",
			p->now.experiments, p->now.experiments == 1 ? "" : "s");
	if (p->host->config->timed_ns) {
		advise_spans(p, &others);
	} else if (p->now.executions < phase_search_needed(p->host->config)) {
		phase_search_name(p, &others);
		runs_propose(p, &others);
	}
	buf_puts(&others, "");
	p->more = buf_take(&others);
	buf_free(&none);
}

static enum trial_reason place_reason(enum mon_trial_refusal refusal)
{
	switch (refusal) {
	case MON_TRIAL_DONE: return TRIAL_NO_REASON;
	case MON_TRIAL_FORBIDDEN: return TRIAL_SANDBOX;
	case MON_TRIAL_ONE_NODE: return TRIAL_ONE_MEMORY_NODE;
	case MON_TRIAL_NO_NODE: return TRIAL_NO_SUCH_NODE;
	default: return TRIAL_REFUSED_BY_KERNEL;
	}
}

/* Reports what the rules of --placement have done.  0 / -1 (memory). */
static int add_placed(const struct process *p)
{
	const struct placement *rules = p->host->config->placement;
	struct report *r = p->report;

	if (!rules)
		return 0;
	r->placed = arena_array(r->arena, rules->n + 1, sizeof *r->placed);
	if (!r->placed)
		return -1;
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct place_rule *rule = &rules->rule[i];
		struct report_placed *row = &r->placed[r->nplaced++];
		struct mon_placed did;

		mon_peer_placed(p->peer, i, &did);
		*row = (struct report_placed){ .action = rule->action,
			.structure = arena_strdup(r->arena, rule->structure),
			.node = rule->action == TRIED_ONE_NODE ? (int)rule->node : -1,
			.objects = did.objects, .blocks = (double)did.blocks,
			.bytes = (double)did.bytes, .left = (double)did.left,
			.reason = place_reason(did.refusal) };
		if (rule->file[0])
			row->place = arena_printf(r->arena, rule->line ? "%s:%u" : "%s", rule->file,
				(unsigned)rule->line);
		if (!row->structure || (rule->file[0] && !row->place))
			return -1;
	}
	return 0;
}

/* Notes how often the monitor's tables were full, and executions that it did not count.  0 / -1
 * (memory). */
static int add_monitor_notes(struct process *p)
{
	unsigned long long lost = mon_peer_overflow(p->peer), foreign = mon_peer_foreign(p->peer);
	struct report *r = p->report;

	if (lost &&
	    findings_note(r,
	    arena_printf(r->arena, "the monitor's tables were full (%llu times): some "
			"calling contexts, data structures or compile units are not told apart",
			lost)))
		return -1;
	return foreign ? findings_note(r,
		arena_printf(r->arena, "threads reached the phase %llu times while another "
		"thread was in it: these are not counted as executions", foreign)) : 0;
}

/* 0 / -1 (memory). */
static int note_later(const struct process *p)
{
	const struct measurements *m = p->now.measured;

	return !p->later || !m->counted ? 0 : findings_note(p->report,
		arena_printf(p->report->arena,
		"the first executions were not typical: later ones were measured (counts are of execution %llu)",
		(unsigned long long)m->counted_first));
}

static void count_experiments(const struct process *p, struct report *r)
{
	r->experiments = (int)p->now.experiments;
	r->phase_executions = (int64_t)(p->now.earlier + p->now.executions);
}

void process_compare_executions(const struct process *p)
{
	struct host_analysis *h = p->host;

	if (h->unequal.any)
		return;
	for (int i = 0; i < h->nprocesses; i++)
		if (h->process[i].peer &&
		    (&h->process[i] == p || !process_reported(&h->process[i])))
			unequal_add(&h->unequal, mon_peer_rank(h->process[i].peer),
				mon_peer_finished(h->process[i].peer));
}

static int note_unequal(const struct process *p)
{
	const char *text = p->host->unequal.are ? unequal_text(&p->host->unequal,
		p->report->arena) : NULL;

	return text ? findings_note(p->report, text) : 0;
}

/* How many threads the program has is known from executions alone. */
static void leave_out_threads(const struct measurements *m, struct report *r)
{
	if (r && !m->nclean && !m->counted)
		r->nthreads = 0;
}

void process_report(struct process *p, const struct search *s)
{
	const struct run_config *config = p->host->config;
	struct err err;

	p->now.found = process_count_held(s);
	p->report = findings_report(s, config);
	leave_out_threads(p->now.measured, p->report);
	if (p->report && findings_thread_rows(p->now.measured, p->report)) {
		report_free(p->report);
		p->report = NULL;
	}
	add_gains(p, s);
	if (p->report && add_placed(p))
		log_msg(0, "process %s: out of memory for --placement", p->name);
	if (p->report && phase_search_report(p, p->report))
		log_msg(0, "process %s: out of memory for the share of the phase", p->name);
	if (p->report && runs_report(p, p->report))
		log_msg(0, "process %s: out of memory for the runs of the program", p->name);
	if (p->report && (add_monitor_notes(p) || note_later(p) || calls_note(p, p->report) ||
	    note_unequal(p) || asked_note(p->host, p->report)))
		log_msg(0, "process %s: out of memory for notes", p->name);
	if (p->report && collect_report(&p->now.collection, p->report))
		log_msg(0, "process %s: out of memory for how it was measured", p->name);
	if (config->check && p->report && invariants_notes(&p->now.collection.invariants,
	    p->now.measured, p->peer, p->report))
		log_msg(0, "out of memory for what was checked");
	if (!p->host->unequal.are && app_parts_take(p->host->app_parts, s))
		log_msg(0, "process %s: out of memory for properties of all processes", p->name);
	if (measured_lossy(p->now.measured))
		describe_loss(p);
	if (p->report) {
		count_experiments(p, p->report);
		p->report->partial = p->partial[0] ? arena_printf(p->report->arena, "%s%s",
			p->partial, p->more ? p->more : "") : NULL;
	}
	if (config->export_counts && export_counts(p->now.measured, &config->machine,
	    config->export_counts, &err))
		log_msg(0, "%s", err.text);
}

void process_so_far(struct process *p)
{
	struct report *r;
	struct search s;

	if (!p->news || process_reported(p) || process_search(p->host, p->now.measured, &s))
		return;
	p->news = false;
	r = findings_report(&s, p->host->config);
	search_free(&s);
	if (!r)
		return;
	count_experiments(p, r);
	report_free(p->so_far);
	p->so_far = r;
}

struct report *process_none(struct host_analysis *h, const char *why)
{
	struct measurements *none = measured_new(h->sir, &h->config->machine, -1);
	struct collection collection;
	struct report *r = NULL;
	struct search s;

	if (none && collection_begin(&collection, &h->collect, none) == 0) {
		if (process_search(h, none, &s) == 0) {
			r = findings_report(&s, h->config);
			search_free(&s);
		}
		collection_end(&collection);
	}
	if (r) {
		r->partial = arena_strdup(r->arena, why);
		r->nprocs = r->nthreads = 0;
	}
	measured_free(none);
	return r;
}
