/* SPDX-License-Identifier: BSD-3-Clause */
/* The requests of a process that are under way: places them between those of other ranks, sends
 * them, and knows which are waited for.  Whose they are and what they measure is the collectors'
 * matter. */
#include "agents/requests.h"

#include <math.h>

#include "base/clock.h"
#include "base/log.h"

static bool is_rank(const struct process *p)
{
	return mon_peer_rank(p->peer) >= 0;
}

struct collect_moment process_moment(const struct process *p, const struct search *s)
{
	return (struct collect_moment){ .sizes = &p->host->sizes, .search = s, .peer = p->peer,
		.begun = mon_peer_begun(p->peer),
		.run = p->host->run, .processes = (uint32_t)p->host->nprocesses,
		.rank = is_rank(p), .exited = process_exited(p) };
}

static bool over_limit(const struct process *p, const struct plan *plan)
{
	uint64_t last = plan->want.first + plan->want.warm + plan->want.count - 1;
	uint64_t limit = p->host->config->limit_executions;

	return limit && last > limit;
}

static enum schedule_class class_of(const struct collector *by)
{
	return by->distorts ? SCHEDULE_DISTORTED : SCHEDULE_CLEAN;
}

/* A rank's executions are later than planned if others are of the other class then. */
static void place(const struct process *p, const struct collector *by, const struct plan *plan,
	struct plan *out)
{
	plan_copy(out, plan);
	if (is_rank(p))
		out->want.first = schedule_place(&p->host->schedule, class_of(by), plan->want.first,
			plan->want.warm + plan->want.count);
}

static enum request_sent send_placed(struct process *p, const struct collector *by,
	struct plan *plan, bool optional, int tries)
{
	const struct mon_want *w = &plan->want;
	struct err err;
	int slot;

	plan->want.slow_spent = p->earlier_ns;
	slot = mon_peer_request(p->peer, w, &err);
	if (slot < 0) {
		log_msg(2, "request refused: %s", err.text);
		return REQUEST_REFUSED;
	}
	if (is_rank(p))
		schedule_add(&p->host->schedule, (struct schedule_window){ class_of(by), w->first,
			w->first + w->warm + w->count - 1 });
	p->slot[slot].active = true;
	p->slot[slot].optional = optional;
	p->slot[slot].tries = tries;
	p->slot[slot].by = by;
	plan_copy(&p->slot[slot].plan, plan);
	return REQUEST_SENT;
}

enum request_sent request_send(struct process *p, const struct collector *by,
	const struct plan *plan, bool optional, int tries)
{
	struct plan placed;

	place(p, by, plan, &placed);
	return over_limit(p, &placed) ? REQUEST_OVER_LIMIT :
		send_placed(p, by, &placed, optional, tries);
}

/* An optional result is not waited for in a process that has ended and answers no more, nor for
 * long: the program may have left the phase. */
static bool waited_for(const struct process *p, const struct experiment *e)
{
	const double wall = measured_phase_wall(p->now.measured);
	const uint64_t all = isnan(wall) ? 0 : (uint64_t)(e->by->patience.executions * wall * 1e9);
	const uint64_t most = e->by->patience.ns + all;

	if (!e->optional)
		return true;
	return !process_exited(p) && clock_ns() - p->answered_at < most;
}

bool requests_awaited(const struct process *p)
{
	for (int i = 0; i < MON_SLOTS; i++)
		if (p->slot[i].active && waited_for(p, &p->slot[i]))
			return true;
	return false;
}

bool requests_pending(const struct process *p)
{
	for (int i = 0; i < MON_SLOTS; i++)
		if (p->slot[i].active && mon_peer_state(p->peer, i) < MON_DONE)
			return true;
	return false;
}

void request_after(struct process *p, const struct collector *by)
{
	const struct collect_moment now = process_moment(p, NULL);
	struct plan plan;

	for (int i = 0; i < MON_SLOTS && by->after; i++)
		if (p->slot[i].active &&
		    by->after(&p->now.collection, &now, &p->slot[i].plan, &plan)) {
			request_send(p, by, &plan, true, 0);
			return;
		}
}

bool request_rest(struct process *p, const struct search *s)
{
	const struct collect_moment now = process_moment(p, s);
	const struct collector *by;
	struct plan plan;

	by = collect_plan(&p->now.collection, &now, NEED_REST, &plan);
	if (!by)
		return false;
	p->answered_at = clock_ns();
	request_send(p, by, &plan, true, 0);
	return requests_awaited(p);
}

const char *request_drop_reason(uint32_t reason)
{
	switch (reason) {
	case MON_DROP_ROWS: return "an experiment had more results than its buffer holds";
	case MON_DROP_MEMORY: return "the monitor had no memory for an experiment";
	case MON_DROP_PLACES:
		return "in a span of the program are too few calls of functions and iterations of "
			"outer loops where recording can begin; a longer --experiment-time may have more";
	case MON_DROP_SAMPLE:
		return "the machine model does not allow so small a sample of its sets";
	default: return "the monitor dropped an experiment";
	}
}
