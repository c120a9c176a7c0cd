/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides between two runs of the program: another one or none, of what phase, times or counts. */
#include "agents/runs.h"

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

bool runs_again(const struct process *p)
{
	const struct host_analysis *h = p->host;

	/* a phase that is named and never reached is not reached in another run */
	if (h->run >= h->config->max_runs || (!h->config->phase_by_time && !mon_peer_begun(p->peer)))
		return false;
	return !runs_complete(p) || phase_search_better(p);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool runs_prepare(struct host_analysis *h, struct process *process, int n)
{
	struct run_config *config = h->config;
	uint64_t have = UINT64_MAX, nclean = UINT64_MAX, entries = 1;
	struct plan_sizes want;
	struct phase_seen seen;
	bool counted = true, changed;

	changed = config->phase_by_time && phase_search_again(h, process, n, &entries);
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
		have = entries;
	plan_sizes(config, &want);
	plan_run(&want, have, config->max_runs - h->run, changed ? 0 : (uint32_t)nclean, !changed && counted, &h->sizes);
	h->run++;
	host_schedule_begin(h, 0);
	config->phase_by_time = false;
	return changed;
}

void runs_propose(const struct process *p, struct buf *out)
{
	const struct run_config *c = p->host->config;
	unsigned long long more = c->slow_ns * (c->warm + c->counted) / 1000000000;     /* s */

	buf_printf(out, "; run again with --max-runs %u", c->max_runs < PROPOSED ? (unsigned)PROPOSED :
		(unsigned)c->max_runs + 2);
	if (!c->slow_percent && more)
		buf_printf(out, "; recording may then take up to %llu s (--max-slowdown)", more);
}

/* "run 2", "runs 2 and 3" */
static void name_runs(uint32_t set, struct buf *out)
{
	int n = __builtin_popcount(set), k = 0;

	buf_puts(out, n == 1 ? "run " : "runs ");
	for (uint32_t i = 0; i < 32; i++)
		if (set & 1u << i)
			buf_printf(out, "%s%u", k++ == 0 ? "" : k == n ? " and " : ", ", (unsigned)i + 1);
}

/* Says whose times were divided (frequent_calls.h).  0 / -1 (memory). */
static int note_frequent(const struct measurements *m, struct report *r)
{
	uint32_t n = m->nclean ? frequent_calls_regions(m) : 0;
	bool one = n == 1;

	return !n ? 0 : findings_note(r, arena_printf(r->arena, "%u region%s called too often to be timed by %s: of "
		"the time of the region around %s, %s what %s accesses and work take by the model", (unsigned)n,
		one ? " was" : "s were", one ? "itself" : "themselves", one ? "it" : "them", one ? "it has" : "they have",
		one ? "its" : "their"));
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
	if (p->now.timed_in) {
		buf_printf(&b, "%u execution%s timed in ", (unsigned)m->nclean, m->nclean == 1 ? "" : "s");
		name_runs(p->now.timed_in, &b);
	} else {
		buf_puts(&b, "no execution was timed");
	}
	if (p->now.counted_in) {
		buf_printf(&b, ", %u counted in ", (unsigned)m->counted);
		name_runs(p->now.counted_in, &b);
	}
	text = b.failed ? NULL : arena_strdup(r->arena, buf_str(&b));
	rc = text ? findings_note(r, text) : -1;
	if (!rc)
		rc = note_frequent(m, r);
	buf_free(&b);
	return rc;
}
