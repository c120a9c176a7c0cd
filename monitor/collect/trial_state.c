/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials: executions of the program as it is (state A) and with an action (state B), in the order
 * of a schedule.  The agent makes the schedule and judges the times (analysis/trials/); here the
 * state is switched at boundaries, and each execution is timed.  Nothing is recorded, and
 * compiled code calls the hooks that it calls while nothing is measured.
 *
 * A switch that takes long, as of many pages, goes on at the following boundaries; executions
 * between its parts do not count.  Ranks of MPI switch at one boundary, so that all stay in step.
 *
 * B is in force inside the phase alone.  It ends with the request, when the phase is left, when
 * the agent is gone, when the process ends, and in a child of fork().  Pages are put back before a
 * fork(), since the kernel changes none that a child shares; that ends the trial. */
#include "monitor/collect/runtime_collector.h"
#include "monitor/connect.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"
#include "monitor/trial/action.h"
#include "base/clock.h"
#include <string.h>

/* A unit of work of a switch may take some ms more. */
#define PART_NS UINT64_C(15000000)

static struct {
	const struct trial_action *action;      /* NULL: no trial is under way */
	struct mon_trial_slot slot[MON_TRIAL_SLOTS];
	uint32_t nslots, at;            /* the slot of the next execution, */
	uint32_t done;                  /* and how many of it are over */
	bool keep, at_once;
	bool b;                         /* the state, or to which the switch leads */
	bool moving;                    /* that switch is not over */
	bool forks;                     /* the program has called fork() in B */
	uint64_t cpu_begin, cpu;        /* of the execution, which may have pauses: since the last,
					 * what it took */
	struct mon_trial_row discarded; /* the sum of the slot */
	struct mon_trial out;
} trial;

static bool wants(const struct mon_request *r)
{
	return r->kind == MON_TRIAL;
}

static enum pscm_calls calls(void)
{
	return PSCM_CALLS_NONE;
}

/* --- states ----------------------------------------------------------------------------------- */

static void verify(void)
{
	if (!trial.action->verify(&trial.out))
		trial.out.changed = 1;
}

/* Behind a switch to B. */
static enum mon_drop look_what_moved(void)
{
	int failed = 0;

	if (!trial.action->moved)
		return MON_DROP_NONE;
	trial.out.moved = trial.action->moved(&failed);
	if (trial.out.moved)
		return MON_DROP_NONE;
	trial.out.refusal = MON_TRIAL_NOT_MOVED;
	trial.out.detail = (uint32_t)failed;
	return MON_DROP_TRIAL;
}

/* Goes on with a switch, or begins it. */
static enum mon_drop switch_to(bool b, uint64_t most_ns)
{
	const uint64_t begin = clock_ns(), cpu = thread_cpu_ns();

	if (trial.b == b && !trial.moving)
		return MON_DROP_NONE;
	if (trial.b != b)
		trial.out.switches[b]++;
	trial.b = b;
	trial.moving = !(b ? trial.action->to_b : trial.action->to_a)(begin + most_ns);
	/* To look at each page takes long: that is done once, at the end. */
	if (!trial.moving && !b && !trial.action->moved)
		verify();
	trial.out.switch_ns[b] += clock_ns() - begin;
	trial.out.switch_cpu_ns[b] += thread_cpu_ns() - cpu;
	return !trial.moving && b ? look_what_moved() : MON_DROP_NONE;
}

static void put_back(void)
{
	if (!trial.action)
		return;
	trial.action->put_back();
	trial.b = trial.moving = false;
}

/* --- the schedule ----------------------------------------------------------------------------- */

/* Moves on to the next slot that has executions left. */
static void slot_next(void)
{
	while (trial.at < trial.nslots &&
	       trial.done >= (uint64_t)trial.slot[trial.at].discard + trial.slot[trial.at].keep) {
		trial.at++;
		trial.done = 0;
		trial.discarded = (struct mon_trial_row){ .slot = trial.at };
	}
}

/* Copied, since the program may overwrite the original.  false: it is malformed. */
static bool schedule_read(const struct mon_request *r, uint32_t count)
{
	uint64_t all = 0;

	trial.nslots = r->nschedule;
	if (trial.nslots > MON_TRIAL_SLOTS)
		return false;
	memcpy(trial.slot, r->schedule, trial.nslots * sizeof *trial.slot);
	for (uint32_t i = 0; i < trial.nslots; i++)
		all += (uint64_t)trial.slot[i].discard + trial.slot[i].keep;
	return all == count;
}

/* Looking for what the switches need takes locks that the code may hold which a signal handler
 * interrupts. */
static bool in_handler(void)
{
	return pscm_self && pscm_self->signals;
}

static enum mon_drop arm(struct pscm_armed *a)
{
	struct mon_request *r = a->request;
	const struct trial_action *action = trial_action_of(r->action);

	trial.out = (struct mon_trial){ 0 };
	if (!action || !schedule_read(r, a->count))
		return MON_DROP_REQUEST;
	trial.out.refusal = in_handler() ? MON_TRIAL_HIDDEN : action->can(r, &trial.out);
	r->trial = trial.out;
	if (trial.out.refusal)
		return MON_DROP_TRIAL;
	trial.action = action;
	trial.keep = r->keep == 1;
	trial.at_once = r->at_once == 1;
	trial.at = trial.done = 0;
	trial.b = trial.moving = trial.forks = false;
	trial.discarded = (struct mon_trial_row){ 0 };
	slot_next();
	return MON_DROP_NONE;
}

static enum mon_drop open_trial(struct pscm_armed *a, struct pscm_thread *t,
	const struct collector_begin *b)
{
	const bool want = trial.slot[trial.at].b == 1;

	(void)a;
	(void)t;
	if (!b->again)
		trial.cpu = 0;
	if (trial.forks) {
		trial.out.refusal = MON_TRIAL_FORKED;
		return MON_DROP_TRIAL;
	}
	if ((want != trial.b || trial.moving) && pscm_agent_gone())
		return MON_DROP_REQUEST;
	return switch_to(want, trial.at_once ? UINT64_MAX / 2 : PART_NS);
}

static void start(struct pscm_armed *a)
{
	(void)a;
	trial.cpu_begin = thread_cpu_ns();
}

static void close_trial(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	(void)a;
	(void)t;
	(void)is_void;
	trial.cpu += thread_cpu_ns() - trial.cpu_begin;
}

static void add_row(struct pscm_armed *a, const struct mon_trial_row *what)
{
	struct mon_trial_row *row = pscm_row_trials(a);

	if (!row) {
		a->failed = MON_DROP_ROWS;
		return;
	}
	*row = *what;
	row->memory = trial.action->memory();
}

static void discard(const struct collector_execution *e)
{
	struct mon_trial_row *sum = &trial.discarded;

	sum->discarded++;
	sum->wall_ns += e->ns;
	sum->cpu_ns += trial.cpu;
}

/* The discarded executions of a slot are over: one row has their sum. */
static void discarded_row(struct pscm_armed *a)
{
	if (trial.discarded.discarded)
		add_row(a, &trial.discarded);
	trial.discarded.discarded = 0;
}

static void keep(struct pscm_armed *a, const struct collector_execution *e)
{
	const struct mon_trial_row row = { .slot = trial.at, .wall_ns = e->ns,
		.cpu_ns = trial.cpu };

	discarded_row(a);
	add_row(a, &row);
}

static bool take(struct pscm_armed *a, const struct collector_execution *e)
{
	if (e->is_void)
		return false;
	if (trial.moving) {
		discard(e);
		a->count++;             /* an execution more than the agent has asked for */
		return true;
	}
	if (trial.done < trial.slot[trial.at].discard)
		discard(e);
	else
		keep(a, e);
	trial.done++;
	if (trial.done == trial.slot[trial.at].discard)
		discarded_row(a);
	slot_next();
	return true;
}

/* Only a schedule that is over may leave B in force. */
static void finish(struct pscm_armed *a)
{
	const bool kept = trial.keep && trial.b && trial.at == trial.nslots && !a->failed;

	if (!trial.action)
		return;
	if (!kept) {
		put_back();
		verify();
	}
	trial.out.kept = kept;
	a->request->trial = trial.out;
	trial.action = NULL;
}

static void leave_phase(void)
{
	if (trial.action)
		switch_to(false, UINT64_MAX / 2);
}

static void forking(void)
{
	if (!trial.action || !trial.action->moved || !(trial.b || trial.moving))
		return;
	put_back();
	trial.forks = true;
}

static void forked(void)
{
	if (trial.action)
		trial.action->forked();
	trial.action = NULL;
}

static void stop(void)
{
	put_back();
	trial.action = NULL;
}

const struct pscm_collector collect_trial = {
	.most = MON_TRIAL_EXECUTIONS, .slower = true, .sums = true,
	.wants = wants, .arm = arm, .calls = calls, .open = open_trial, .start = start,
	.close = close_trial, .take = take, .finish = finish, .left = leave_phase, .stop = stop,
	.forking = forking, .forked = forked
};
