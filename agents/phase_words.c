/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in the report what share of the time the phase has, and which
 * region would be a better one. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/phase_search.h"
#include "agents/phase_times.h"
#include "analysis/measure/quantiles.h"
#include "base/quantile.h"

enum { NAMED = 3, COUNTED = 1000 };
#define UNTYPICAL 2             /* times */
#define TIMED_LEAST 1000        /* ns; shorter times are those of the clock and the markers */
#define NAMED_SHARE 0.01        /* of the time, of loops that are named */

static void describe(const struct process *p, const struct phase_time *t, double share,
	struct buf *out)
{
	bool more = t->more && t->runs >= COUNTED;

	sir_describe(p->host->sir, t->region, out);
	buf_printf(out, " (%" PRIu64 " execution%s%s; %.0f %% of the time)",
		more ? (uint64_t)COUNTED : t->runs, t->runs == 1 ? "" : "s", more ? " or more" : "",
		100 * share);
}

static int by_time(const void *a, const void *b)
{
	const struct phase_time *x = a, *y = b;

	return x->ns != y->ns ? x->ns < y->ns ? 1 : -1 : x->region < y->region ? -1 : 1;
}

static bool inside(const struct sir *s, uint32_t region, uint32_t outer)
{
	while (region != SIR_NONE && region != outer)
		region = s->regions[region].parent;
	return region == outer;
}

/* Are they loops of one nest, or on one line, which --phase cannot tell apart? */
static bool one_place(const struct sir *s, uint32_t x, uint32_t y)
{
	return inside(s, x, y) || inside(s, y, x) || sir_one_line(s, x, y);
}

void phase_search_name(const struct process *p, struct buf *out)
{
	const struct host_analysis *h = p->host;
	uint64_t elapsed;
	struct phase_time *t = phase_times_of(h, p, 1, &elapsed);
	uint32_t named = 0, name[NAMED];
	bool again;

	if (!t)
		return;
	qsort(t, h->candidates.nregions, sizeof *t, by_time);
	for (uint32_t i = 0; i < h->candidates.nregions && named < NAMED; i++) {
		if (t[i].runs < phase_search_needed(h->config) ||
		    t[i].region == h->config->phase_region || t[i].shared ||
		    phase_is_brief(&t[i]) || (double)t[i].ns < NAMED_SHARE * (double)elapsed)
			continue;
		again = false;
		for (uint32_t k = 0; k < named; k++)
			again |= one_place(h->sir, t[i].region, name[k]);
		if (again)
			continue;
		buf_puts(out, named ? ", " : "; regions with enough executions for --phase: ");
		name[named++] = t[i].region;
		describe(p, &t[i], elapsed ? (double)t[i].ns / (double)elapsed : NAN, out);
	}
	free(t);
}

static bool never(const struct phase_time *t)
{
	return t && !t->entries && !t->runs && !t->ns;
}

/* Without a figure, where the head of the report has the mean over several processes. */
static void small_share(const struct process *p, const struct report *r, struct buf *out)
{
	const char *when = isnan(r->run_seen) ? "" : " so far";

	if (p->host->nprocesses > 1 || p->host->config->hosts > 1)
		buf_printf(out, "the phase has little of the program's time%s", when);
	else
		buf_printf(out, "the phase has only %.2g %% of the program's time%s",
			100 * r->run_share, when);
}

/* The wall times of the executions that were timed, and of as many others at least
 * that nothing made slower. */
struct typical {
	double timed, others;           /* ns; median, mean */
	uint64_t n;                     /* of the others */
};

/* Are the executions that were timed unlike the others: the first ones of a sweep that grows, say?
 * The others' mean is more than three quarters of the timed ones, and UNTYPICAL times their median;
 * or less, alike.  Of the last run alone. */
static bool untypical(const struct process *p, const struct phase_time *phase, struct typical *out)
{
	const uint64_t clean = p->now.measured->nclean, runs = phase->more &&
		p->now.executions > phase->runs ? p->now.executions : phase->runs;
	double *ns, sum = 0, low, high;
	struct mon_elapsed e;
	uint64_t slowed;

	mon_peer_elapsed(p->peer, &e);
	slowed = phase_search_recorded(p) + e.surveyed_runs;
	if (!clean || p->now.collection.timed_in != 1u << (p->host->run - 1) || phase->brief ||
	    runs < slowed + 2 * clean)
		return false;
	ns = malloc(clean * sizeof *ns);
	if (!ns)
		return false;
	memcpy(ns, p->now.measured->phase_ns, clean * sizeof *ns);
	for (uint64_t i = 0; i < clean; i++)
		sum += ns[i];
	quantile_sort(ns, clean);
	low = quantile_at(ns, clean, 0.25);
	high = quantile_at(ns, clean, 0.75);
	out->n = runs - slowed - clean;
	out->timed = quantile_at(ns, clean, 0.5);
	out->others = ((double)phase->ns - sum - (double)e.surveyed_ns) / (double)out->n;
	free(ns);
	if (out->timed < TIMED_LEAST)
		return false;
	return (out->others < low && out->timed > UNTYPICAL * out->others) ||
		(out->others > high && out->others > UNTYPICAL * out->timed);
}

bool phase_search_untypical(const struct process *p, uint64_t after_ns)
{
	uint64_t elapsed;
	const struct phase_time *now;
	struct phase_time *t;
	struct mon_elapsed e;
	struct typical typical;
	bool is;

	mon_peer_elapsed(p->peer, &e);
	if (e.ns < after_ns)
		return false;
	t = phase_times_of(p->host, p, 1, &elapsed);
	now = t ? phase_times_find(p->host, t, p->host->config->phase_region) : NULL;
	is = now && untypical(p, now, &typical);
	free(t);
	return is;
}

/* Says why the phase is not a good one.  best: what would be better; NULL: nothing. */
static void phase_is_poor(const struct process *p, const struct report *r,
	const struct phase_time *now, const struct phase_time *best, uint64_t elapsed,
	struct buf *out)
{
	const double each = phase_times_accesses(p->now.measured);
	const uint64_t recorded = phase_search_recorded(p);

	if (r->run_share < PHASE_SHARE_LEAST)
		small_share(p, r, out);
	if (each < PHASE_ACCESSES_LEAST)
		buf_printf(out, "%s execution has only %.0f accesses", out->len ? ", and an" : "an",
			each);
	else if (phase_search_short(p))
		buf_printf(out, "%s execution takes less than 10 us", out->len ? ", and an" : "an");
	if (out->len || !best || !p->host->config->phase_by_time || p->host->run > 1)
		return;
	if (never(now))
		buf_printf(out, "the phase was not executed%s", isnan(r->run_seen) ? "" :
			" so far");
	else if (now && phase_outweighed(now, best, elapsed, now->runs > recorded ? recorded : 0,
	    phase_times_least_needed(p->host)))
		small_share(p, r, out);
}

/* best: NULL, or a phase that is better.  Of few executions, nobody knows whether the
 * first ones are the long ones. */
static void propose(const struct process *p, const struct phase_time *best, uint64_t span_ns,
	struct buf *out)
{
	const struct host_analysis *h = p->host;

	if (!best || best->runs < PHASE_FEW) {
		if (span_ns && !h->named)
			buf_printf(out, "; better: --experiment-time %g", (double)span_ns * 1e-9);
		return;
	}
	buf_printf(out, "; better: --phase %s:%d, ", h->sir->regions[best->region].file,
		h->sir->regions[best->region].line);
	describe(p, best, phase_times_share(p, best, false), out);
	if (best->runs < phase_search_needed(h->config))
		buf_puts(out, ", with --max-runs 3");
}

static void say_untypical(const struct typical *typical, struct buf *out)
{
	char figure[2][REPORT_SECONDS];

	buf_printf(out,
		"%stimed executions took %s, the %" PRIu64 " others %s on the average: they may not be typical "
		"(--delay N takes later ones)", out->len ? "; " : "",
		report_seconds(figure[0], typical->timed * 1e-9), typical->n,
		report_seconds(figure[1], typical->others * 1e-9));
}

int phase_search_report(const struct process *p, struct report *r)
{
	const struct host_analysis *h = p->host;
	const struct phase_time *now, *best;
	struct buf b = BUF_INIT;
	struct typical typical;
	struct phase_time *t;
	uint64_t elapsed;
	int at;

	if (h->config->timed_ns)
		return 0;       /* nothing else was timed */
	t = phase_times_of(h, p, 1, &elapsed);
	if (!t)
		return -1;
	now = phase_times_find(h, t, h->config->phase_region);
	r->run_share = !isnan(p->run_share) ? p->run_share : now &&
		!never(now) ? phase_times_share(p, now, true) : NAN;
	if (!process_exited(p) && isnan(p->run_share))
		r->run_seen = (double)elapsed * 1e-9;
	at = phase_choose_again(t, h->candidates.nregions, elapsed, phase_search_needed(h->config),
		phase_times_least_needed(h));
	best = at < 0 || t[at].region == h->config->phase_region ||
		(now && sir_one_line(h->sir, t[at].region, now->region)) ? NULL : &t[at];
	phase_is_poor(p, r, now, best, elapsed, &b);
	if (b.len)
		propose(p, best, phase_times_span(p, t, elapsed), &b);
	if (now && untypical(p, now, &typical))
		say_untypical(&typical, &b);
	if (b.len && !b.failed)
		r->phase_warning = arena_strdup(r->arena, buf_str(&b));
	free(t);
	elapsed = b.failed || (b.len && !r->phase_warning);
	buf_free(&b);
	return elapsed ? -1 : 0;
}
