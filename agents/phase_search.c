/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the phase by time, for all processes of a host at once (of several hosts, one does it for all), and words for its
 * share. */
#include "agents/phase_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/host_load.h"
#include "analysis/measure/quantiles.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/quantile.h"

enum { LOOK_NS = 20000000, NAMED = 3, COUNTED = 1000 };
/* ns of the program's time: a phase is waited for if its executions take no longer than WAIT_NS in all; after CONFIRM_NS a
 * finished analysis is reported if the phase still runs, after GIVE_UP_NS in any case. */
#define WAIT_NS UINT64_C(10000000000)
#define CONFIRM_NS UINT64_C(5000000000)
#define GIVE_UP_NS UINT64_C(60000000000)
#define UNTYPICAL 2             /* times */
#define TIMED_LEAST 1000        /* ns; shorter times are those of the clock and the markers */
#define NAMED_SHARE 0.01        /* of the time, of loops that are named */

uint32_t phase_search_needed(const struct run_config *c)
{
	return 1 + c->delay + plan_surveys(c) + c->clean + c->warm + c->counted;
}

/* The times of some processes in a list that the caller frees; NULL: no memory. */
static struct phase_time *times_of(const struct host_analysis *h, const struct process *p, int n,
	uint64_t *elapsed)
{
	struct phase_time *t = calloc((size_t)h->candidates.nregions + 1, sizeof *t);
	struct mon_elapsed e;

	*elapsed = 0;
	for (int i = 0; i < n && t; i++) {
		if (!p[i].peer)
			continue;
		candidates_add(&h->candidates, p[i].peer, t);
		mon_peer_elapsed(p[i].peer, &e);
		*elapsed += e.ns;
	}
	return t;
}

static struct phase_time *find(const struct host_analysis *h, struct phase_time *t, uint32_t region)
{
	for (uint32_t i = 0; i < h->candidates.nregions; i++)
		if (t[i].region == region)
			return &t[i];
	return NULL;
}

/* Takes ownership of name->choice.  The phase before is remembered in the host. */
static void set_phase(struct host_analysis *h, const struct phase_name *name)
{
	const struct sir_region *r = &h->sir->regions[name->region];
	struct run_config *c = h->config;

	free(h->before.choice);
	h->before = (struct phase_name){ c->phase_region, c->phase_choice };
	c->phase_choice = name->choice;
	c->phase_region = name->region;
	c->nphase = 0;
	for (uint32_t i = 0; i < r->nat && c->nphase < MON_HOOKS; i++)
		c->phase[c->nphase++] = (struct mon_hook){ r->at[i].hash, r->at[i].index };
}

void phase_search_return(struct host_analysis *h, const struct phase_name *name, const char *why)
{
	struct buf b = BUF_INIT;

	if (name->region == h->config->phase_region) {
		free(name->choice);
		return;
	}
	sir_describe(h->sir, name->region, &b);
	log_msg(1, "the phase is %s again: %s", buf_str(&b), why);
	buf_free(&b);
	set_phase(h, name);
}

static int change(struct host_analysis *h, uint32_t region)
{
	struct buf b = BUF_INIT;
	char *choice;

	sir_describe(h->sir, region, &b);
	log_msg(1, "the phase is now %s", buf_str(&b));
	buf_puts(&b, " (chosen by its time)");
	choice = buf_take(&b);
	if (!choice)
		return -1;
	mpi_remotes_free(&h->remotes);  /* they are of the phase before */
	host_schedule_begin(h, 1);
	set_phase(h, &(struct phase_name){ region, choice });
	return 0;
}

static bool all_search(const struct process *p, int n)
{
	for (int i = 0; i < n; i++)
		if (process_reported(&p[i]) || process_exited(&p[i]))
			return false;
	return n > 0;
}

/* The host of rank 0 chooses for several hosts; the first host does, if the program has no ranks. */
static bool leads(const struct host_analysis *h, const struct process *p, int n)
{
	if (h->config->hosts <= 1)
		return true;
	for (int i = 0; i < n; i++) {
		int rank = p[i].peer ? mon_peer_rank(p[i].peer) : -1;

		if (rank == 0 || (rank < 0 && h->number == 1))
			return true;
	}
	return false;
}

static bool any_reported(const struct process *p, int n)
{
	for (int i = 0; i < n; i++)
		if (process_reported(&p[i]))
			return true;
	return false;
}

bool phase_search_news(struct phase_search *s, const struct host_analysis *h, struct phase_choice *out)
{
	bool news = s->news && h->config->hosts > 1;

	s->news = false;
	*out = (struct phase_choice){ h->config->phase_region, h->settled };
	return news;
}

bool phase_search_follow(struct host_analysis *h, const struct phase_choice *choice)
{
	if (!h->config->phase_by_time || h->leads || choice->region >= h->sir->nregions)
		return false;
	h->settled |= choice->settled;
	return choice->region != h->config->phase_region && change(h, choice->region) == 0;
}

/* If another phase is chosen, is what was measured of this one kept, for a program that ends before the other one
 * could be measured? */
static bool all_kept(const struct process *p, int n)
{
	return n == 1 && process_alone(p) && p->now.held;
}

bool phase_search_step(struct phase_search *s, struct host_analysis *h, struct process *process, int nprocesses)
{
	const struct run_config *config = h->config;
	uint64_t elapsed, n = (uint64_t)nprocesses, needed = phase_search_needed(config);
	const struct phase_time *now;
	struct phase_time *t;
	bool runs, changed = false;
	int best;

	if (!config->phase_by_time || clock_ns() - s->looked < LOOK_NS)
		return false;
	s->looked = clock_ns();
	h->leads = leads(h, process, nprocesses);
	if (h->leads && !h->settled && any_reported(process, nprocesses))
		h->settled = s->news = true;
	if (!all_search(process, nprocesses))
		return false;
	t = times_of(h, process, nprocesses, &elapsed);
	if (!t)
		return false;
	now = find(h, t, config->phase_region);
	runs = now && phase_runs(now, needed, WAIT_NS * n);
	for (int i = 0; i < nprocesses; i++)
		process[i].phase_runs = runs && phase_comes_again(now, needed);
	runs &= !now || elapsed > PHASE_LATE_NS * n || phase_comes_again(now, needed);
	best = phase_choose(t, h->candidates.nregions, elapsed, needed, WAIT_NS * n, true);
	if (now && best >= 0 &&
	    phase_gives_way(now, &t[best], elapsed, needed, all_kept(process, nprocesses)))
		runs = false;
	if (best >= 0 && t[best].team && now && phase_holds(now))
		best = -1;
	if (h->leads && best >= 0 && phase_is_clear(t, h->candidates.nregions, best, elapsed, n) && t[best].region != config->phase_region &&
	    !runs && change(h, t[best].region) == 0)
		s->news = changed = true;
	free(t);
	return changed;
}

/* Accesses of a counted execution; NAN: none was counted. */
static double accesses(const struct measurements *m)
{
	struct tally all;

	return m->counted && measured_tally(m, 0, MON_ANY, &all) ? all.loads + all.stores : NAN;
}

/* Has the program had as much of the processors, too?  Beside others, it gets no further in that time. */
static bool ran(const struct process *p, uint64_t ns)
{
	uint64_t ticks = load_process((pid_t)mon_peer_pid(p->peer));

	return ticks < p->ticks_before || (ticks - p->ticks_before) * (UINT64_C(1000000000) /
		(uint64_t)sysconf(_SC_CLK_TCK)) >= ns;
}

bool phase_search_short(const struct process *p)
{
	const struct measurements *m = p->now.measured;

	return !p->host->named && !p->host->config->timed_ns && median_of(m->phase_ns, m->nclean) < PHASE_BRIEF_NS;
}

static bool given_up(const struct process *p)
{
	struct mon_elapsed e;

	mon_peer_elapsed(p->peer, &e);
	return e.ns >= GIVE_UP_NS;
}

bool phase_search_confirmed(const struct process *p)
{
	struct mon_elapsed e;

	if (process_exited(p))
		return true;
	if (!p->host->config->phase_by_time)    /* one that tells nothing may be replaced by spans of time in the next run */
		return p->host->run >= p->host->config->max_runs || !phase_search_short(p) || given_up(p);
	mon_peer_elapsed(p->peer, &e);
	if (!p->host->leads)
		return p->host->settled || e.ns >= GIVE_UP_NS;
	if (e.ns >= GIVE_UP_NS && (p->host->run >= p->host->config->max_runs || p->host->config->unasked))
		return true;
	return e.ns >= CONFIRM_NS && p->phase_runs && !(accesses(p->now.measured) < PHASE_ACCESSES_LEAST) &&
		ran(p, CONFIRM_NS) && !p->outdone;
}

uint64_t phase_search_recorded(const struct process *p)
{
	struct mon_elapsed e;

	mon_peer_elapsed(p->peer, &e);
	return e.runs > p->recorded_from ? e.runs - p->recorded_from : 0;
}

static double share_of(const struct process *p, const struct phase_time *t, bool is_phase)
{
	struct mon_elapsed e;

	mon_peer_elapsed(p->peer, &e);
	return phase_share(t, e.ns, is_phase ? phase_search_recorded(p) : 0);
}

void phase_search_worth(const struct process *p, uint32_t region, const struct measurements *m, uint64_t recorded,
	struct phase_worth *out)
{
	uint64_t elapsed;
	struct phase_time *t = times_of(p->host, p, 1, &elapsed);
	const struct phase_time *of = t ? find(p->host, t, region) : NULL;

	*out = (struct phase_worth){ of ? phase_share(of, elapsed, recorded) : NAN, accesses(m) };
	free(t);
}

static void describe(const struct process *p, const struct phase_time *t, double share, struct buf *out)
{
	bool more = t->more && t->runs >= COUNTED;

	sir_describe(p->host->sir, t->region, out);
	buf_printf(out, " (%" PRIu64 " execution%s%s; %.0f %% of the time)", more ? (uint64_t)COUNTED : t->runs,
		t->runs == 1 ? "" : "s", more ? " or more" : "", 100 * share);
}

/* Spans of time that could be measured instead, as of a program that repeats nothing; 0: none. */
static uint64_t span_of(const struct process *p, const struct phase_time *t, uint64_t elapsed)
{
	const struct run_config *c = p->host->config;

	return c->sample > 1 || !c->warm || c->attached || c->nwhat_if || c->counters || !process_alone(p) ? 0 :
		phase_span(t, p->host->candidates.nregions, elapsed, phase_search_needed(c));
}

/* --- another run ----------------------------------------------------------------------------- */

/* Adds the time of the phase's executions that were recorded. */
static void add_recorded(const struct host_analysis *h, struct phase_time *t, const struct process *p, int n,
	uint64_t *elapsed)
{
	struct phase_time *now = find(h, t, h->config->phase_region);
	uint64_t recorded = 0;

	for (int i = 0; i < n; i++)
		recorded += p[i].peer ? phase_search_recorded(&p[i]) : 0;
	if (now)
		*elapsed += phase_add_recorded(now, recorded);
}

/* Executions that a small analysis needs. */
static uint64_t least_needed(const struct host_analysis *h)
{
	struct plan_sizes want, fit;

	plan_sizes(h->config, &want);
	plan_fit(&want, 0, true, true, &fit);
	return plan_executions(&fit) + PLAN_CLEAN;
}

/* The best phase for another run; -1: none. */
static int best_again(const struct host_analysis *h, const struct phase_time *t, uint64_t elapsed)
{
	return phase_choose_again(t, h->candidates.nregions, elapsed, phase_search_needed(h->config), least_needed(h));
}

bool phase_search_better(const struct process *p)
{
	const struct host_analysis *h = p->host;
	uint64_t elapsed;
	struct phase_time *t;
	const struct phase_time *now;
	int best;
	bool better;

	if (!h->config->phase_by_time || h->run > 1)
		return false;
	t = times_of(h, p, 1, &elapsed);
	if (!t)
		return false;
	add_recorded(h, t, p, 1, &elapsed);
	now = find(h, t, h->config->phase_region);
	best = best_again(h, t, elapsed);
	better = best >= 0 && t[best].region != h->config->phase_region &&
		!(now && !phase_is_brief(now) && (double)now->ns >= PHASE_SHARE * (double)elapsed &&
			!phase_is_wider(&t[best], now, elapsed));
	free(t);
	return better;
}

/* The subroutine around the candidate that has most of the time, if it can be the phase and is not brief; else the main
 * program; SIR_NONE. */
static uint32_t around_longest(const struct host_analysis *h, const struct phase_time *t, uint64_t *entries)
{
	uint32_t region = SIR_NONE, most = 0;
	struct buf b = BUF_INIT;
	struct err err;

	for (uint32_t i = 1; i < h->candidates.nregions; i++)
		if (t[i].ns > t[most].ns)
			most = i;
	*entries = 1;
	if (h->candidates.nregions && t[most].ns) {
		region = sir_unit_of(h->sir, t[most].region);
		if (region != SIR_NONE && h->sir->regions[region].hooks & SIR_HOOK_PHASE &&
		    h->sir->regions[t[most].region].parent == region)
			*entries = t[most].entries;
		if (*entries && t[most].ns / *entries < PHASE_BRIEF_NS)
			region = SIR_NONE;
	}
	if ((region == SIR_NONE || !(h->sir->regions[region].hooks & SIR_HOOK_PHASE)) &&
	    sir_find_phase(h->sir, "main", &region, &b, &err))
		region = SIR_NONE;
	buf_free(&b);
	return region;
}

void phase_search_next(const struct host_analysis *h, const struct process *process, int nprocesses, struct phase_next *out)
{
	const struct run_config *c = h->config;
	uint64_t elapsed;
	struct phase_time *t = times_of(h, process, nprocesses, &elapsed);
	const struct phase_time *at;
	int best;

	*out = (struct phase_next){ .region = c->phase_region };
	if (!t)
		return;
	add_recorded(h, t, process, nprocesses, &elapsed);
	if (c->phase_by_time) {
		best = best_again(h, t, elapsed);
		out->region = best >= 0 ? t[best].region : around_longest(h, t, &out->executions);
	}
	at = find(h, t, out->region);
	out->timed = at && at->runs;
	if (out->timed)
		out->executions = at->runs;
	if (!h->named)
		out->span_ns = span_of(process, t, elapsed);
	if (out->span_ns)
		out->spans = elapsed / out->span_ns;
	free(t);
}

int phase_search_spans(struct host_analysis *h, uint64_t span_ns)
{
	struct buf b = BUF_INIT;
	struct err err;
	uint32_t region;
	char *choice;

	if (sir_whole_program(h->sir, &region, &b, &err)) {
		buf_free(&b);
		log_msg(1, "%s", err.text);
		return -1;
	}
	buf_clear(&b);
	h->config->timed_ns = span_ns;
	run_config_spans(h->config, &b);
	choice = buf_take(&b);
	if (!choice) {
		h->config->timed_ns = 0;
		return -1;
	}
	log_msg(1, "nothing that repeats can be measured: spans of %g s are", (double)span_ns * 1e-9);
	set_phase(h, &(struct phase_name){ region, choice });
	return 0;
}

bool phase_search_choose(struct host_analysis *h, uint32_t region)
{
	return region != SIR_NONE && region != h->config->phase_region && change(h, region) == 0;
}

void phase_search_seen(const struct process *p, struct phase_seen *out)
{
	uint64_t elapsed;
	struct phase_time *t = times_of(p->host, p, 1, &elapsed);
	const struct phase_time *now = t ? find(p->host, t, p->host->config->phase_region) : NULL;

	*out = (struct phase_seen){ 0, (double)elapsed, NAN };
	if (now) {
		out->executions = now->runs;
		if (now->runs && now->ns)
			out->each_ns = (double)now->ns / (double)now->runs;
		out->share = share_of(p, now, now->runs > phase_search_recorded(p));
	}
	free(t);
}

/* --- words ----------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct phase_time *x = a, *y = b;

	return x->ns != y->ns ? x->ns < y->ns ? 1 : -1 : x->region < y->region ? -1 : 1;
}

static bool one_line(const struct sir *s, uint32_t x, uint32_t y)
{
	const struct sir_region *a = &s->regions[x], *b = &s->regions[y];

	return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
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
	return inside(s, x, y) || inside(s, y, x) || one_line(s, x, y);
}

void phase_search_name(const struct process *p, struct buf *out)
{
	const struct host_analysis *h = p->host;
	uint64_t elapsed;
	struct phase_time *t = times_of(h, p, 1, &elapsed);
	uint32_t named = 0, name[NAMED];
	bool again;

	if (!t)
		return;
	qsort(t, h->candidates.nregions, sizeof *t, by_time);
	for (uint32_t i = 0; i < h->candidates.nregions && named < NAMED; i++) {
		if (t[i].runs < phase_search_needed(h->config) || t[i].region == h->config->phase_region || t[i].shared ||
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
		buf_printf(out, "the phase has only %.2g %% of the program's time%s", 100 * r->run_share, when);
}

/* The wall times of the executions that were timed, and of as many others at least that nothing made slower. */
struct typical {
	double timed, others;           /* ns; median, mean */
	uint64_t n;                     /* of the others */
};

/* Are the executions that were timed unlike the others: the first ones of a sweep that grows, say?  The others' mean is more
 * than three quarters of the timed ones, and UNTYPICAL times their median; or less, alike.  Of the last run alone. */
static bool untypical(const struct process *p, const struct phase_time *phase, struct typical *out)
{
	const uint64_t clean = p->now.measured->nclean, runs = phase->more && p->now.executions > phase->runs ? p->now.executions : phase->runs;
	double *ns, sum = 0, low, high;
	struct mon_elapsed e;
	uint64_t slowed;

	mon_peer_elapsed(p->peer, &e);
	slowed = phase_search_recorded(p) + e.surveyed_runs;
	if (!clean || p->now.collection.timed_in != 1u << (p->host->run - 1) || phase->brief || runs < slowed + 2 * clean)
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
	t = times_of(p->host, p, 1, &elapsed);
	now = t ? find(p->host, t, p->host->config->phase_region) : NULL;
	is = now && untypical(p, now, &typical);
	free(t);
	return is;
}

/* Says why the phase is not a good one.  best: what would be better; NULL: nothing. */
static void phase_is_poor(const struct process *p, const struct report *r, const struct phase_time *now,
	const struct phase_time *best, uint64_t elapsed, struct buf *out)
{
	const double each = accesses(p->now.measured);
	const uint64_t recorded = phase_search_recorded(p);

	if (r->run_share < PHASE_SHARE_LEAST)
		small_share(p, r, out);
	if (each < PHASE_ACCESSES_LEAST)
		buf_printf(out, "%s execution has only %.0f accesses", out->len ? ", and an" : "an", each);
	else if (phase_search_short(p))
		buf_printf(out, "%s execution takes less than 10 us", out->len ? ", and an" : "an");
	if (out->len || !best || !p->host->config->phase_by_time || p->host->run > 1)
		return;
	if (never(now))
		buf_printf(out, "the phase was not executed%s", isnan(r->run_seen) ? "" : " so far");
	else if (now && phase_outweighed(now, best, elapsed, now->runs > recorded ? recorded : 0, least_needed(p->host)))
		small_share(p, r, out);
}

/* best: NULL, or a phase that is better.  Of few executions, nobody knows whether the first ones are the long ones. */
static void propose(const struct process *p, const struct phase_time *best, uint64_t span_ns, struct buf *out)
{
	const struct host_analysis *h = p->host;

	if (!best || best->runs < PHASE_FEW) {
		if (span_ns && !h->named)
			buf_printf(out, "; better: --experiment-time %g", (double)span_ns * 1e-9);
		return;
	}
	buf_printf(out, "; better: --phase %s:%d, ", h->sir->regions[best->region].file, h->sir->regions[best->region].line);
	describe(p, best, share_of(p, best, false), out);
	if (best->runs < phase_search_needed(h->config))
		buf_puts(out, ", with --max-runs 3");
}

static void say_untypical(const struct typical *typical, struct buf *out)
{
	char figure[2][REPORT_SECONDS];

	buf_printf(out, "%stimed executions took %s, the %" PRIu64 " others %s on the average: they may not be typical "
		"(--delay N takes later ones)", out->len ? "; " : "", report_seconds(figure[0], typical->timed * 1e-9),
		typical->n, report_seconds(figure[1], typical->others * 1e-9));
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
	t = times_of(h, p, 1, &elapsed);
	if (!t)
		return -1;
	now = find(h, t, h->config->phase_region);
	r->run_share = !isnan(p->run_share) ? p->run_share : now && !never(now) ? share_of(p, now, true) : NAN;
	if (!process_exited(p) && isnan(p->run_share))
		r->run_seen = (double)elapsed * 1e-9;
	at = best_again(h, t, elapsed);
	best = at < 0 || t[at].region == h->config->phase_region || (now && one_line(h->sir, t[at].region, now->region)) ?
		NULL : &t[at];
	phase_is_poor(p, r, now, best, elapsed, &b);
	if (b.len)
		propose(p, best, span_of(p, t, elapsed), &b);
	if (now && untypical(p, now, &typical))
		say_untypical(&typical, &b);
	if (b.len && !b.failed)
		r->phase_warning = arena_strdup(r->arena, buf_str(&b));
	free(t);
	elapsed = b.failed || (b.len && !r->phase_warning);
	buf_free(&b);
	return elapsed ? -1 : 0;
}
