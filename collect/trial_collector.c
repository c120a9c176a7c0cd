/* SPDX-License-Identifier: BSD-3-Clause */
/* What an action changes (--try): executions of the program with and without it.  The engine of
 * trials (analysis/trials/) plans the executions and judges their times. */
#include "collect/collector.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/quantiles.h"
#include "analysis/trials/actions.h"
#include "analysis/trials/trial.h"
#include "base/clock.h"

#define SHORTEST_S 2e-5         /* an execution of less is not timed by itself */
#define AHEAD_S 0.02            /* the monitor is to see the request before its first execution */
#define AHEAD_MOST 1000
#define LOOK_CONFIDENCE_LOST 0.02

struct trials {
	bool chosen;
	uint32_t n, at;         /* actions; the one that is being tried */
	enum tried_action action[TRIED_ACTIONS];
	struct action_trial trial[TRIED_ACTIONS];
};

/* --- which ------------------------------------------------------------------------------------ */

static void begin(struct trials *s, const struct collection *c, double seconds)
{
	const struct trial_kind *kind = trial_kind_of(s->action[s->at]);
	const struct measurements *p = c->measured;
	const struct trial_want want = { .action = kind->action, .how = kind->how, .warms = kind->warms,
		.wall = p->threads > 1, .keep = c->host->config->keep_tried, .seconds = seconds,
		.confidence = 1 - LOOK_CONFIDENCE_LOST / s->n, .seed = clock_ns() };

	trial_begin(&s->trial[s->at], &want);
}

static void refuse_all(struct trials *s, enum trial_reason why)
{
	for (s->at = 0; s->at < s->n; s->at++)
		trial_refuse(&s->trial[s->at], why);
}

static void choose(struct trials *s, const struct collection *c, const struct collect_moment *now)
{
	const double seconds = measured_phase_wall(c->measured);

	s->chosen = true;
	s->n = actions_chosen(c->host->config->tries, c->measured, s->action);
	if (now->rank)
		refuse_all(s, TRIAL_RANKS);
	else if (!(seconds >= SHORTEST_S))
		refuse_all(s, TRIAL_SHORT);
	else if (s->n)
		begin(s, c, seconds);
}

/* The trial that has executions to run; the next one begins where one is over. */
static struct action_trial *present(struct trials *s, const struct collection *c)
{
	for (; s->at < s->n; begin(s, c, measured_phase_wall(c->measured))) {
		if (trial_next(&s->trial[s->at]))
			return &s->trial[s->at];
		if (++s->at == s->n)
			break;
	}
	return NULL;
}

/* --- requests --------------------------------------------------------------------------------- */

static uint32_t executions_of(const struct action_trial *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nschedule; i++)
		n += t->schedule[i].discard + t->schedule[i].keep;
	return n;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct trials *s = collection_state(c, &collector_trial);
	struct action_trial *t;
	uint64_t ahead;

	(void)needs;
	if (now->exited)
		return false;
	if (!s->chosen)
		choose(s, c, now);
	t = present(s, c);
	if (!t)
		return false;
	ahead = (uint64_t)fmin(AHEAD_MOST, 1 + AHEAD_S / t->state[0].wall);
	plan_execution(MON_TRIAL, now->begun, ahead, out);
	out->ahead = ahead;
	out->want.action = t->want.how;
	out->want.keep = t->stage == TRIAL_KEEPS;
	memcpy(out->schedule, t->schedule, t->nschedule * sizeof *t->schedule);
	out->want.schedule = out->schedule;
	out->want.nschedule = t->nschedule;
	out->want.count = executions_of(t);
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan_,
	const struct mon_result *r, struct err *err)
{
	struct trials *s = collection_state(c, &collector_trial);

	(void)now;
	(void)plan_;
	(void)err;
	if (s->at < s->n)
		trial_take(&s->trial[s->at], r);
	return 0;
}

static enum trial_reason reason_of(const struct mon_result *r)
{
	static const enum trial_reason reasons[MON_TRIAL_REFUSALS] = {
		[MON_TRIAL_STATIC] = TRIAL_STATIC,
		[MON_TRIAL_OTHER_MALLOC] = TRIAL_OTHER_MALLOC,
		[MON_TRIAL_OTHER_LIBRARY] = TRIAL_OTHER_LIBRARY,
		[MON_TRIAL_HIDDEN] = TRIAL_SETTINGS_HIDDEN,
	};

	return reasons[r->trial.refusal];
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	struct trials *s = collection_state(c, &collector_trial);
	struct action_trial *t = &s->trial[s->at];

	if (r->reason != MON_DROP_TRIAL || s->at >= s->n)
		return false;
	trial_refuse(t, reason_of(r));
	memcpy(t->library, r->trial.library, sizeof t->library);
	return true;
}

/* --- report ------------------------------------------------------------------------------------ */

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

static bool fill(const struct action_trial *t, struct arena *a, struct report_trial *out)
{
	*out = (struct report_trial){ .action = t->want.action, .structure = "", .verdict = t->verdict,
		.reason = t->reason, .gain = NAN, .low = NAN, .high = NAN, .cost = NAN, .time = NAN,
		.time_with = NAN, .time_before = NAN, .memory = NAN, .wall = t->want.wall,
		.kept = t->kept, .changed = t->changed, .pairs = (int)t->npairs,
		.executions = (int)t->executions, .seed = (int64_t)(t->want.seed >> 1) };
	if (t->library[0])
		out->library = arena_strdup(a, t->library);
	if (t->npairs && t->verdict != TRIAL_REFUSED)
		fill_figures(t, out);
	return !t->library[0] || out->library;
}

/* The actions that were asked for and not begun, when the analysis ended. */
static void end_all(struct trials *s, const struct collection *c)
{
	if (!s->chosen)
		s->n = actions_chosen(c->host->config->tries, c->measured, s->action);
	for (uint32_t i = 0; i < s->n; i++) {
		s->trial[i].want.action = s->action[i];
		trial_end(&s->trial[i]);
	}
}

static int report(const struct collection *c, struct report *r)
{
	struct trials *s = collection_state(c, &collector_trial);
	uint32_t n;

	if (!c->host->config->tries)
		return 0;
	end_all(s, c);
	n = s->n ? s->n : 1;
	r->trials = arena_array(r->arena, n, sizeof *r->trials);
	if (!r->trials)
		return -1;
	if (!s->n) {
		trial_refuse(&s->trial[0], TRIAL_NOT_PROPOSED);
		s->trial[0].want.action = TRIED_NOTHING;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!fill(&s->trial[i], r->arena, &r->trials[r->ntrials++]))
			return -1;
	return 0;
}

const struct collector collector_trial = {
	.name = "trial",
	.what = "what an action changes (--try): executions of the program with and without it",
	.progress = "trial",
	.metrics = { METRIC_TRIAL },
	.state = sizeof(struct trials),
	.plan = plan, .take = take, .refused = refused, .report = report,
};
