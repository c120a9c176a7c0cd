/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides between two runs of the program: another one or none, of what phase, times or counts. */
#include "agents/run_decision.h"

#include <math.h>
#include <string.h>

#include "agents/phase_search.h"
#include "analysis/findings/findings.h"
#include "analysis/measure/frequent_calls.h"

enum { PROPOSED = 3 };          /* one to find the phase, one for times, one for counts */

bool runs_complete(const struct process *p)
{
	return p->now.measured->nclean && p->now.measured->complete;
}

/* Facts about a process whose run has ended, and about the phase that another run would measure. */
static void gather_facts(const struct process *p, const struct phase_next *next,
	struct plan_facts *out)
{
	const struct host_analysis *h = p->host;
	const bool anew = next->region != h->config->phase_region;

	*out = (struct plan_facts){ .complete = runs_complete(p), .brief = phase_search_short(p),
		.better = phase_search_better(p), .unasked = h->config->unasked, .nclean = anew ?
		0 : p->now.measured->nclean, .counted = !anew && p->now.measured->complete,
		.have = next->timed ? next->executions : 0, .span_ns = next->span_ns };
	plan_sizes(h->config, &out->want);
}

static enum plan_next what_next(const struct process *p, const struct phase_next *next)
{
	struct plan_facts facts;

	gather_facts(p, next, &facts);
	return facts.unasked && !process_alone(p) ? PLAN_NO_RUN : plan_next(&facts);
}

bool runs_again(const struct process *p)
{
	const struct host_analysis *h = p->host;
	struct phase_next next;

	if (h->run >= h->config->max_runs)
		return false;
	phase_search_next(h, p, 1, &next);
	/* a phase that is named and never reached is not reached in another run */
	if (!h->config->phase_by_time && !mon_peer_begun(p->peer) &&
	    next.region == h->config->phase_region)
		return false;
	return what_next(p, &next) != PLAN_NO_RUN;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The next run measures spans of time.  It may be faster than the one before: not
 * quite from its middle on. */
static bool prepare_spans(struct host_analysis *h, struct process *process, int n,
	const struct phase_next *next)
{
	if (phase_search_spans(h, next->span_ns))
		return false;
	for (int i = 0; i < n; i++)
		process[i].execution_ns = 0;    /* not known */
	plan_sizes(h->config, &h->sizes);
	plan_middle(&h->sizes, next->spans * 2 / 3);
	return true;
}

/* The next run measures executions of a phase.  true: another one than before. */
static bool prepare_phase(struct host_analysis *h, struct process *process, int n,
	const struct phase_next *next)
{
	struct run_config *config = h->config;
	uint64_t have = UINT64_MAX, nclean = UINT64_MAX;
	struct plan_sizes want;
	struct phase_seen seen;
	bool counted = true, changed;

	changed = phase_search_choose(h, next->region);
	for (int i = 0; i < n; i++) {
		struct process *p = &process[i];

		if (!process_between(p))
			continue;
		phase_search_seen(p, &seen);
		have = least(have, seen.executions);
		if (h->run == 1) {
			p->execution_ns = seen.each_ns;
			p->run_share = seen.share;
		}
		nclean = least(nclean, p->now.measured->nclean);
		counted &= p->now.measured->complete;
	}
	/* its executions were not counted: it is no candidate */
	if (!have)
		have = next->executions;
	plan_sizes(config, &want);
	plan_run(&want, have, config->max_runs - h->run, changed ? 0 : (uint32_t)nclean, !changed &&
		counted, &h->sizes);
	h->middle |= changed || (!nclean && !counted);
	if (h->middle)
		plan_middle(&h->sizes, have);
	return changed;
}

bool runs_prepare(struct host_analysis *h, struct process *process, int n)
{
	struct phase_next next;
	bool changed;

	phase_search_next(h, process, n, &next);
	changed = process_alone(process) && what_next(process, &next) == PLAN_SPANS ?
		prepare_spans(h, process, n, &next) :
		prepare_phase(h, process, n, &next);
	h->run++;
	host_schedule_begin(h, 0);
	h->config->phase_by_time = false;
	return changed;
}

/* Nothing repeats: is there time for spans of it? */
static bool propose_spans(const struct process *p, struct buf *out)
{
	struct phase_next next;

	phase_search_next(p->host, p, 1, &next);
	if (!next.span_ns || (next.timed && next.executions >= PHASE_FEW))
		return false;
	buf_printf(out, "; nothing repeats often enough: run again with --experiment-time %g",
		(double)next.span_ns * 1e-9);
	return true;
}

void runs_propose(const struct process *p, struct buf *out)
{
	const struct run_config *c = p->host->config;
	/* s */
	unsigned long long more = c->slow_ns * (c->slow_budget ? 1 : c->warm + c->counted) /
		1000000000;

	if (c->bursts) {
		buf_puts(out,
			"; give it more to do: some tenths of a second of processor time are needed");
		return;
	}
	if (!propose_spans(p, out)) {
		buf_printf(out, "; run again with --max-runs %u", c->max_runs < PROPOSED ?
			(unsigned)PROPOSED : (unsigned)c->max_runs + 2);
		if (!c->slow_percent && more)
			buf_printf(out, "; recording may then take up to %llu s (--max-slowdown)",
				more);
	}
	if (p->only_run && *p->only_run)
		buf_printf(out, "; it is not run again by itself: %s", p->only_run);
}

/* "run 2", "runs 2 and 3" */
static void name_runs(uint32_t set, struct buf *out)
{
	int n = __builtin_popcount(set), k = 0;

	buf_puts(out, n == 1 ? "run " : "runs ");
	for (uint32_t i = 0; i < 32; i++)
		if (set & 1u << i)
			buf_printf(out, "%s%u", k++ == 0 ? "" : k == n ? " and " : ", ",
				(unsigned)i + 1);
}

/* Says whose times were divided (frequent_calls.h).  0 / -1 (memory). */
static int note_frequent(const struct measurements *m, struct report *r)
{
	uint32_t n = m->nclean ? frequent_calls_regions(m) : 0;
	bool one = n == 1;

	return !n ? 0 :
		findings_note(r,
		arena_printf(r->arena, "%u region%s called too often to be timed by %s: of "
		"the time of the region around %s, %s what %s accesses and work take by the model",
		(unsigned)n, one ? " was" : "s were", one ? "itself" : "themselves", one ? "it" :
		"them", one ? "it has" : "they have", one ? "its" : "their"));
}

int runs_report(const struct process *p, struct report *r)
{
	const struct measurements *m = p->now.measured;
	struct buf b = BUF_INIT;
	char *text;
	int rc;

	r->runs = (int)p->host->run;
	if (r->runs == 1)
		return 0;
	buf_printf(&b, "the program was run %d times: ", r->runs);
	if (p->now.collection.timed_in) {
		buf_printf(&b, "%u execution%s timed in ", (unsigned)m->nclean, m->nclean == 1 ?
			"" : "s");
		name_runs(p->now.collection.timed_in, &b);
	} else {
		buf_puts(&b, "no execution was timed");
	}
	if (p->now.collection.counted_in) {
		buf_printf(&b, ", %u counted in ", (unsigned)m->counted);
		name_runs(p->now.collection.counted_in, &b);
	}
	text = b.failed ? NULL : arena_strdup(r->arena, buf_str(&b));
	rc = text ? findings_note(r, text) : -1;
	if (!rc)
		rc = note_frequent(m, r);
	buf_free(&b);
	return rc;
}
