/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the ranks of an MPI program in step while an action is tried, and sums what they ran. */
#include "collect/rank_trials.h"

#include <math.h>
#include <string.h>

#define PATIENCE_NS UINT64_C(60000000000)       /* that ranks wait for each other */
#define AHEAD_S 0.1             /* until when each rank has asked, and its monitor has seen it */
enum { AHEAD_LEAST = 3, AHEAD_MOST = 1000, ATTEMPTS = 5 };

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A rank that has ended, or has left the phase, is not waited for without end. */
static enum rank_turn wait(struct rank_trials *all, uint64_t now)
{
	all->over |= now - all->since > PATIENCE_NS;
	return all->over ? RANK_ENDS : RANK_WAITS;
}

static void open_round(struct rank_trials *all, uint32_t ranks, uint64_t now)
{
	all->open = true;
	all->apart = false;
	all->ranks = ranks;
	all->answered = 0;
	all->round++;
	all->since = now;
}

enum rank_turn rank_trials_turn(struct rank_trials *all, struct rank_seat *seat, uint64_t begun,
	uint32_t ranks, uint64_t now)
{
	bool opens;

	all->begun = most(all->begun, begun);
	if (!seat->arrived) {
		seat->arrived = true;
		all->arrived++;
		all->since = now;
	}
	if (all->over)
		return RANK_ENDS;
	if (all->arrived < ranks || (all->open && seat->round == all->round))
		return wait(all, now);
	opens = !all->open;
	if (opens)
		open_round(all, ranks, now);
	seat->round = all->round;
	return opens ? RANK_OPENS : RANK_JOINS;
}

uint64_t rank_trials_first(const struct rank_trials *all, double seconds)
{
	const double ahead = AHEAD_LEAST + AHEAD_S / seconds * (1 + all->attempts);

	return all->begun + (ahead < AHEAD_MOST ? (uint64_t)ahead : AHEAD_MOST);
}

static void begin_sum(struct rank_trials *all, const struct mon_result *r)
{
	all->sum = *r;
	all->sum.trials = all->row;
	all->apart |= r->ntrials > MON_TRIAL_ROWS;
	if (!all->apart && r->ntrials)
		memcpy(all->row, r->trials, r->ntrials * sizeof *all->row);
}

static void add_rows(struct rank_trials *all, const struct mon_result *r)
{
	all->apart |= r->ran_first != all->sum.ran_first || r->ntrials != all->sum.ntrials;
	for (uint32_t i = 0; i < r->ntrials && !all->apart; i++) {
		struct mon_trial_row *to = &all->row[i];
		const struct mon_trial_row *from = &r->trials[i];

		all->apart |= to->slot != from->slot || to->discarded != from->discarded;
		to->wall_ns = most(to->wall_ns, from->wall_ns);
		to->cpu_ns = most(to->cpu_ns, from->cpu_ns);
		to->memory += from->memory;
	}
}

static void add_switches(struct mon_trial *to, const struct mon_trial *from)
{
	for (int b = 0; b < 2; b++) {
		to->switches[b] = (uint32_t)most(to->switches[b], from->switches[b]);
		to->switch_ns[b] = most(to->switch_ns[b], from->switch_ns[b]);
		to->switch_cpu_ns[b] = most(to->switch_cpu_ns[b], from->switch_cpu_ns[b]);
	}
	to->pages += from->pages;
	to->moved += from->moved;
	to->left += from->left;
	to->strayed += from->strayed;
	to->changed |= from->changed;
	to->kept &= from->kept;
}

static void close_round(struct rank_trials *all)
{
	struct action_trial *t = &all->trial[all->at];

	all->open = false;
	if (!all->apart) {
		all->attempts = 0;
		trial_take(t, &all->sum);
	} else if (++all->attempts == ATTEMPTS) {
		trial_refuse(t, TRIAL_RANKS);
	}
}

void rank_trials_take(struct rank_trials *all, const struct rank_seat *seat,
	const struct mon_result *r, uint64_t now)
{
	if (!all->open || seat->round != all->round)
		return;
	all->since = now;
	if (!all->answered) {
		begin_sum(all, r);
	} else {
		add_rows(all, r);
		add_switches(&all->sum.trial, &r->trial);
	}
	if (++all->answered == all->ranks)
		close_round(all);
}

void rank_trials_refused(struct rank_trials *all)
{
	all->open = false;
}
