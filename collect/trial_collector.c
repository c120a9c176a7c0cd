/* SPDX-License-Identifier: BSD-3-Clause */
/* What an action changes (--try): executions of the program with and without it.  The engine of
 * trials (analysis/trials/) plans the executions and judges their times. */
#include "collect/collector.h"
#include "collect/rank_trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/structure_names.h"
#include "analysis/measure/quantiles.h"
#include "analysis/trials/actions.h"
#include "analysis/trials/cpu_order.h"
#include "analysis/trials/trial_plan.h"
#include "base/clock.h"

#define SHORTEST_S 2e-5         /* an execution of less is not timed by itself */
#define AHEAD_S 0.02            /* the monitor is to see the request before its first execution */
#define AHEAD_MOST 1000
#define LOOK_CONFIDENCE_LOST 0.02
enum { PROPOSED_MOST = 3 };

struct one_trial {
	enum tried_action action;
	uint32_t object;        /* MON_ANY: the whole program */
	uint32_t node;
	const char *unknown;    /* name of a structure that the phase does not access; borrowed from
				 * the configuration */
	struct action_trial *trial;     /* of this process, or of all ranks; borrowed */
};
struct trials {
	bool chosen;
	uint32_t n, at;         /* actions; the one that is being tried */
	struct one_trial one[TRIES_MOST];
	struct action_trial own[TRIES_MOST];
	struct rank_trials *ranks;      /* of an MPI program; borrowed */
	struct rank_seat seat;
	uint16_t cpu[MON_TRIAL_CPUS];   /* of the action that is being tried */
	uint32_t ncpus;
};

static int host_begin(const struct collect_host *h, void **state, struct err *err)
{
	if (h->config->ntries)
		*state = calloc(1, sizeof(struct rank_trials));
	return h->config->ntries && !*state ? err_nomem(err) : 0;
}

/* --- which ------------------------------------------------------------------------------------ */

static void add(struct trials *s, const struct one_trial *one)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!one->unknown && s->one[i].action == one->action &&
		    s->one[i].object == one->object && s->one[i].node == one->node)
			return;         /* asked for twice */
	if (s->n < TRIES_MOST)
		s->one[s->n++] = *one;
}

/* search: as it ended; NULL: it did not, and no property has named anything. */
static void add_proposed(struct trials *s, const struct measurements *p,
	const struct search *search)
{
	struct proposed_action proposed[2 * PROPOSED_MOST];
	uint32_t n = actions_proposed(p, proposed, PROPOSED_MOST);

	if (search)
		n += actions_named(search, proposed + n, PROPOSED_MOST);
	for (uint32_t i = 0; i < n; i++)
		add(s, &(struct one_trial){ .action = proposed[i].action,
			.object = proposed[i].object, .node = proposed[i].node });
}

/* Several objects may have the name: the one whose accesses cost most is tried. */
static void add_named(struct trials *s, const struct measurements *p, const struct tried_want *w)
{
	struct one_trial one = { .action = w->action, .object = MON_ANY, .node = w->node };

	if (tried_of_structure(w->action) && !structures_named(p, w->structure, &one.object, 1))
		one.unknown = w->structure;
	add(s, &one);
}

static void list(struct trials *s, const struct collection *c, const struct search *search)
{
	const struct run_config *config = c->host->config;

	/* What is proposed may differ between ranks. */
	for (uint32_t i = 0; i < config->ntries; i++)
		if (config->tries[i].action != TRIED_NOTHING)
			add_named(s, c->measured, &config->tries[i]);
		else if (!s->ranks)
			add_proposed(s, c->measured, search);
	for (uint32_t i = 0; i < s->n; i++)
		s->one[i].trial = s->ranks ? &s->ranks->trial[i] : &s->own[i];
}

static void order_cpus(struct trials *s, bool spread)
{
	struct cpu_place place[MON_TRIAL_CPUS];

	s->ncpus = cpu_places("/sys/devices/system/cpu", place, MON_TRIAL_CPUS);
	cpu_order(place, s->ncpus, spread);
	for (uint32_t i = 0; i < s->ncpus; i++)
		s->cpu[i] = (uint16_t)place[i].cpu;
}

static void begin(struct trials *s, struct one_trial *one, const struct collection *c)
{
	const struct trial_kind *kind = trial_kind_of(one->action);
	const struct measurements *p = c->measured;
	const struct trial_want want = { .action = kind->action, .how = kind->how,
		.object = one->object, .warms = kind->warms, .wall = p->threads > 1 ||
		s->ranks || action_has_cpus(one->action), .keep = c->host->config->keep_tried,
		.seconds = measured_phase_wall(p), .confidence = 1 - LOOK_CONFIDENCE_LOST / s->n,
		.seed = clock_ns() };

	trial_begin(one->trial, &want);
	if (one->unknown)
		trial_refuse(one->trial, TRIAL_UNKNOWN);
}

static void refuse_all(struct trials *s, enum trial_reason why)
{
	for (s->at = 0; s->at < s->n; s->at++)
		trial_refuse(s->one[s->at].trial, why);
}

static void choose(struct trials *s, const struct collection *c, const struct collect_moment *now)
{
	s->chosen = true;
	s->ranks = now->rank ? collect_host_state(c->host, &collector_trial) : NULL;
	list(s, c, now->search);
	if (now->rank && c->host->config->hosts > 1)
		refuse_all(s, TRIAL_RANKS);
	else if (!(measured_phase_wall(c->measured) >= SHORTEST_S))
		refuse_all(s, TRIAL_SHORT);
}

/* The trial that has executions to run; the next one begins where one is over. */
static struct action_trial *present(struct trials *s, const struct collection *c)
{
	for (; s->at < s->n; s->at++) {
		struct one_trial *one = &s->one[s->at];

		if (one->trial->stage == TRIAL_NEW)
			begin(s, one, c);
		if (trial_next(one->trial))
			return one->trial;
	}
	return NULL;
}

/* The trial that all ranks run now; NULL: there is none, or *wait, not yet. */
static struct action_trial *in_ranks(struct trials *s, const struct collection *c,
	const struct collect_moment *now, bool *wait)
{
	struct rank_trials *all = s->ranks;
	struct action_trial *t;

	all->over |= now->exited || s->at == s->n;
	switch (rank_trials_turn(all, &s->seat, now->begun, now->processes, clock_ns())) {
	case RANK_WAITS:
		*wait = true;
		return NULL;
	case RANK_OPENS:
		s->at = all->at;
		t = present(s, c);
		all->at = s->at;
		all->over |= !t;
		if (t)
			all->first = rank_trials_first(all, t->state[0].wall);
		return t;
	case RANK_JOINS:
		s->at = all->at;
		return s->one[s->at].trial;
	default:
		return NULL;
	}
}

/* --- requests --------------------------------------------------------------------------------- */

static uint32_t executions_of(const struct action_trial *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nschedule; i++)
		n += t->schedule[i].discard + t->schedule[i].keep;
	return n;
}

static void request(struct trials *s, const struct action_trial *t, struct plan *out)
{
	if (action_has_cpus(t->want.action))
		order_cpus(s, t->want.action == TRIED_SPREAD);
	out->want.action = t->want.how;
	out->want.object = s->one[s->at].object;
	out->want.node = s->one[s->at].node;
	out->want.cpu = s->cpu;
	out->want.ncpus = action_has_cpus(t->want.action) ? s->ncpus : 0;
	out->want.keep = t->stage == TRIAL_KEEPS;
	out->want.at_once = s->ranks != NULL;
	memcpy(out->schedule, t->schedule, t->nschedule * sizeof *t->schedule);
	out->want.schedule = out->schedule;
	out->want.nschedule = t->nschedule;
	out->want.count = executions_of(t);
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct trials *s = collection_state(c, &collector_trial);
	struct action_trial *t;
	uint64_t ahead;

	(void)needs;
	if (now->exited && !s->ranks)
		return false;
	if (!s->chosen)
		choose(s, c, now);
	out->wait = false;
	t = s->ranks ? in_ranks(s, c, now, &out->wait) : present(s, c);
	if (!t)
		return out->wait;
	ahead = (uint64_t)fmin(AHEAD_MOST, 1 + AHEAD_S / t->state[0].wall);
	plan_execution(MON_TRIAL, now->begun, ahead, out);
	out->ahead = ahead;
	if (s->ranks)
		out->want.first = s->ranks->first;
	request(s, t, out);
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan_,
	const struct mon_result *r, struct err *err)
{
	struct trials *s = collection_state(c, &collector_trial);

	(void)now;
	(void)plan_;
	(void)err;
	if (s->ranks)
		rank_trials_take(s->ranks, &s->seat, r, clock_ns());
	else if (s->at < s->n)
		trial_take(s->one[s->at].trial, r);
	return 0;
}

static enum trial_reason reason_of(const struct mon_result *r)
{
	static const enum trial_reason reasons[MON_TRIAL_REFUSALS] = {
		[MON_TRIAL_STATIC] = TRIAL_STATIC,
		[MON_TRIAL_OTHER_MALLOC] = TRIAL_OTHER_MALLOC,
		[MON_TRIAL_OTHER_LIBRARY] = TRIAL_OTHER_LIBRARY,
		[MON_TRIAL_HIDDEN] = TRIAL_SETTINGS_HIDDEN,
		[MON_TRIAL_NO_PAGES] = TRIAL_NO_PAGES,
		[MON_TRIAL_LARGE_ALREADY] = TRIAL_LARGE_ALREADY,
		[MON_TRIAL_NOT_MOVED] = TRIAL_NOT_MOVED,
		[MON_TRIAL_FORKED] = TRIAL_FORKED,
		[MON_TRIAL_FORBIDDEN] = TRIAL_FORBIDDEN,
		[MON_TRIAL_ONE_NODE] = TRIAL_ONE_MEMORY_NODE,
		[MON_TRIAL_NO_NODE] = TRIAL_NO_SUCH_NODE,
		[MON_TRIAL_PLACED] = TRIAL_PLACED_ALREADY,
		[MON_TRIAL_NO_CPUS] = TRIAL_NO_CPUS,
		[MON_TRIAL_PINNED] = TRIAL_PINNED_ALREADY,
	};

	return reasons[r->trial.refusal];
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	struct trials *s = collection_state(c, &collector_trial);
	struct action_trial *t;

	if (r->reason != MON_DROP_TRIAL || s->at >= s->n)
		return false;
	t = s->one[s->at].trial;
	trial_refuse(t, reason_of(r));
	if (s->ranks)
		rank_trials_refused(s->ranks);
	memcpy(t->library, r->trial.library, sizeof t->library);
	return true;
}

/* --- report ----------------------------------------------------------------------------------- */

static void fill_figures(const struct action_trial *t, struct report_trial *out)
{
	const struct trial_state *a = &t->state[0], *b = &t->state[1];

	out->gain = -expm1(t->centre.value);
	out->low = -expm1(t->centre.high);
	out->high = -expm1(t->centre.low);
	out->time_before = t->time_before;
	out->time = median_of(a->slot, a->nslots);
	out->time_with = median_of(b->slot, b->nslots);
	out->memory = fmax(0, median_of(b->memory, b->nslots) - median_of(a->memory, a->nslots));
	out->cost = t->cost;
}

static void fill_pages(const struct action_trial *t, struct report_trial *out)
{
	out->pages = t->pages;
	out->moved_pages = t->moved;
	out->left_pages = t->left;
	out->cost_there = t->switches[1] ? t->switched[1] / t->switches[1] : NAN;
	out->cost_back = t->switches[0] ? t->switched[0] / t->switches[0] : NAN;
}

/* NULL: there is no memory. */
static const char *structure_of(const struct one_trial *one, const struct measurements *p,
	struct arena *a)
{
	const char *name = one->unknown ? one->unknown : one->object != MON_ANY ?
		p->objects[one->object].name : NULL;

	return name ? arena_strdup(a, name) : "";
}

static bool fill(const struct one_trial *one, const struct measurements *p, struct arena *a,
	struct report_trial *out)
{
	const struct action_trial *t = one->trial;

	*out = (struct report_trial){ .action = one->action, .verdict = t->verdict,
		.reason = t->reason, .gain = NAN, .low = NAN, .high = NAN, .cost = NAN, .time = NAN,
		.time_with = NAN, .time_before = NAN, .memory = NAN, .pages = NAN,
		.moved_pages = NAN, .left_pages = NAN, .cost_there = NAN, .cost_back = NAN,
		.wall = t->want.wall, .kept = t->kept, .changed = t->changed,
		.node = one->action == TRIED_ONE_NODE ? (int)one->node : -1,
		.pairs = (int)t->npairs, .executions = (int)t->executions,
		.seed = (int64_t)(t->want.seed >> 1) };
	out->structure = structure_of(one, p, a);
	if (t->library[0])
		out->library = arena_strdup(a, t->library);
	if (t->npairs && t->verdict != TRIAL_REFUSED)
		fill_figures(t, out);
	if (tried_of_structure(one->action) && t->executions)
		fill_pages(t, out);
	return out->structure && (!t->library[0] || out->library);
}

static int report(const struct collection *c, struct report *r)
{
	struct trials *s = collection_state(c, &collector_trial);
	uint32_t n;

	if (!c->host->config->ntries)
		return 0;
	if (!s->chosen)
		list(s, c, NULL);
	for (uint32_t i = 0; i < s->n; i++)
		trial_end(s->one[i].trial);
	if (!s->n) {
		s->one[0].trial = &s->own[0];
		trial_refuse(&s->own[0], s->ranks ? TRIAL_RANKS : TRIAL_NOT_PROPOSED);
	}
	n = s->n ? s->n : 1;
	r->trials = arena_array(r->arena, n, sizeof *r->trials);
	if (!r->trials)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (!fill(&s->one[i], c->measured, r->arena, &r->trials[r->ntrials++]))
			return -1;
	return 0;
}

const struct collector collector_trial = {
	.name = "trial",
	.what = "what an action changes (--try): executions of the program with and without it",
	.progress = "trial",
	.metrics = { METRIC_TRIAL },
	.state = sizeof(struct trials), .host_begin = host_begin,
	.plan = plan, .take = take, .refused = refused, .report = report,
};
