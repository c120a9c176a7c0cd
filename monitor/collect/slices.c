/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses where the slices of an execution begin and end.
 *
 * Only the thread that owns the phase switches recording on and off, outside of teams: a team's
 * threads then agree on it.  Everything but the decision to use slices, and the limit, is counted
 * in pieces and accesses, so that one thread's slices are the same in every run. */
#include "monitor/collect/slices.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/slice_budget.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include "base/clock.h"
#include <string.h>

/* TRIAL: an execution that warms the caches is recorded, as long as that is within the budget.
 * ONE: a piece is counted within the warm-up of a slice. */
enum state { NATIVE, TRIAL, GAP, WARM, ONE, COUNT, WHOLE };
/* What ended where the present piece begins.  The call that follows it may take as long. */
enum ended { NOTHING, SHORT, LONG };
/* Clock of the slices: one slice is due each time it has advanced by DUE. */
#define DUE (UINT64_C(1) << 40)
#define CLOCK_MOST (UINT64_C(1) << 62)
/* Where in the first interval the first slice begins; the same in every run. */
#define FIRST (DUE / 1000 * 618)
enum {
	LOOK_LEAST = 4,         /* pieces between two looks at the number of accesses: adapted to */
	LOOK_MOST = 1024,       /* what they hold */
	WARM_MOST = 8,          /* times the accesses that are counted */
	TIMED_PARTS = 32,       /* of a span of time: a call that takes longer is not recorded as a
				 * whole, */
	TIMED_FEW = 64,         /* unless it has so few pieces */
	TIMED_SLOW = 2,         /* slices of a span of time are planned to take so many times as
				 * long, at most */
	TRIAL_LOOK = 1 << 20,   /* accesses of a trial from one look at the clock to the next,
				 * about */
	RARE = 10               /* a context is rare with less than a tenth of the mean of pieces */
};

/* What a slice may use of the budget ahead of its time if its context was not counted yet. */
#define UNSEEN_EARLY 0.3

static struct {
	struct pscm_thread *owner;
	enum state state;
	uint64_t *step;         /* MON_CONTEXTS of them: advance of the clock by a piece */
	uint64_t other;         /* for contexts without one */
	uint64_t clock, next;
	uint64_t pieces, chances;       /* of the native execution; chances: recording can begin */
	double access_ns;       /* what an access in a slice takes */
	uint64_t accesses;      /* of half a slice */
	uint64_t budget, used;  /* accesses of all slices: planned, simulated */
	uint64_t first, since;  /* accesses simulated when the slice, when its present half began */
	uint64_t filled;        /* last-level misses when the slice began */
	uint64_t lines;         /* of the last level */
	uint32_t looks, between;        /* pieces since the last look at them; until the next one */
	uint64_t looked;        /* accesses simulated then */
	uint32_t wanted, done;  /* slices */
	uint32_t executions;    /* begun, of those counted in slices */
	uint32_t all;           /* pieces so far, wraps */
	enum ended ended;
	bool counts;            /* the present slice has counted */
	uint32_t flags;
	uint64_t began, spent, limit;   /* ns */
	uint64_t wall_began, wall;      /* wall time of the slices of this execution, ns */
	bool tries;             /* executions that warm the caches are trials, each of which may
				 * take */
	uint64_t share;         /* ns of processor time; what it has taken is `spent` */
	struct mon_request *request;
	uint32_t count;         /* executions that it counts */
} slices;

static uint32_t ncontexts(void)
{
	return atomic_load(&pscm_shm->ncontexts);
}

/* --- the plan ------------------------------------------------------------------------------- */

/* Spans of time are always counted in slices: code that is open when a span begins may be native
 * until it returns, and only slices know what was recorded of a context. */
static uint64_t timed_limit(uint64_t limit)
{
	uint64_t most = TIMED_SLOW * pscm_timed_ns;

	return limit && limit < most ? limit : most;
}

static uint64_t limit_of(const struct mon_request *r, uint64_t clean_ns)
{
	if (r->slow_percent)
		return r->slow_percent > 100 ? clean_ns / 100 * (r->slow_percent - 100) : 1;
	return r->slow_ns;
}

static uint64_t last_level_lines(const struct machine_flat *m)
{
	const struct machine_level *l = &m->level[m->nlevels - 1];

	return m->nlevels ? l->size / l->line : 0;
}

/* How executions are recorded: in full, in slices, or as a trial tells. */
enum way { IN_FULL, IN_SLICES, TRY };

static enum way way_of(const struct pscm_armed *a, const struct mon_request *r,
	const struct clean_execution *clean)
{
	uint64_t limit = limit_of(r, clean->ns), n = a->warm + a->count;
	double left, all;

	if (a->sample > 1 || !a->warm)
		return IN_FULL;
	if (pscm_timed())
		return IN_SLICES;
	if (!r->slow_budget)
		return !limit || clean->ns < limit / (SLICE_SLOWDOWN - 1) ? IN_FULL : IN_SLICES;
	left = (double)slice_budget_left(r);
	all = (double)(clean->cpu_ns * n);
	if (all * (slice_budget_slowdown() - 1) > left)
		return IN_SLICES;
	return all > 0 && all * SLICE_SLOWEST <= left ? IN_FULL : TRY;
}

static uint64_t slices_limit(const struct pscm_armed *a, const struct mon_request *r,
	uint64_t clean_ns)
{
	if (pscm_timed())
		return timed_limit(r->slow_budget ? r->slow_ns : limit_of(r, clean_ns));
	return r->slow_budget ? slice_budget_left(r) / a->count : limit_of(r, clean_ns);
}

void slices_arm(struct pscm_armed *a, struct clean_execution clean)
{
	struct mon_request *r = &pscm_shm->request[a->slot];
	enum way way = way_of(a, r, &clean);

	atomic_store(&pscm_sliced, 0);
	if (way == IN_FULL)
		return;
	memset(&slices, 0, sizeof slices);
	slices.step = pscm_experiment_memory(MON_CONTEXTS * sizeof *slices.step);
	if (!slices.step)
		return;
	slice_rows_begin();
	slices.request = r;
	slices.count = a->count;
	slices.limit = slices_limit(a, r, clean.ns);
	slices.access_ns = SLICE_ACCESS_NS;
	slices.lines = last_level_lines(&pscm_shm->machine);
	slices.tries = way == TRY;
	if (slices.tries)
		slices.share = slice_budget_left(r) / (a->warm + a->count) + clean.cpu_ns;
	atomic_store(&pscm_sliced, 1);
}

static void pieces_forget(void)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		if (t->pieces)
			memset(t->pieces, 0, ncontexts() * sizeof *t->pieces);
	}
}

/* Half of the slices are spread over all pieces alike, half over the contexts alike, so that
 * contexts with few pieces are seen, too. */
static void plan_steps(const struct slice_pieces *native)
{
	double slice = (double)DUE * slices.wanted, used = 0;
	uint32_t n = ncontexts();

	for (uint32_t c = 0; c < n; c++)
		used += native[c].all > 0;
	slices.other = (uint64_t)(slice / 2 / (double)slices.pieces);
	for (uint32_t c = 0; c < n; c++)
		if (native[c].all)
			slices.step[c] = slices.other +
				(uint64_t)(slice / 2 / used / (double)native[c].all);
}

/* False: there are too few places where recording can begin. */
static bool plan(struct pscm_thread *t)
{
	uint64_t most;

	slices.accesses = (uint64_t)((double)slices.limit / slices.access_ns / 2);
	most = slices.accesses * 2 / SLICE_LEAST;
	slices.wanted = slices.chances / 2 < SLICES ? (uint32_t)(slices.chances / 2) : SLICES;
	if (slices.wanted < SLICES_LEAST || !t->pieces)
		return false;
	if (slices.wanted > most)
		slices.wanted = most > SLICES_LEAST ? (uint32_t)most : SLICES_LEAST;
	plan_steps(t->pieces);
	slices.budget = 2 * slices.accesses;
	slices.accesses /= slices.wanted;
	slices.between = LOOK_LEAST;
	slices.next = FIRST;
	return true;
}

/* --- trials ---------------------------------------------------------------------------------- */

static void trial_open(struct pscm_thread *t, bool after_gap)
{
	slices.began = thread_cpu_ns();
	pscm_record_begin(t, false, after_gap);
	slices.looked = pscm_record_simulated(t, false);
}

static uint64_t trial_ns(void)
{
	return slices.spent + thread_cpu_ns() - slices.began;
}

static void trial_close(struct pscm_thread *t)
{
	pscm_record_simulated(t, true);
	slices.spent = trial_ns();
	slices.tries = slices.spent <= slices.share;
}

/* The rest of the execution runs natively.  What recording has cost so far tells how much
 * of it the budget allows. */
static void trial_stop(struct pscm_thread *t)
{
	double access;

	trial_close(t);
	pscm_record_pause(t);
	access = (double)slices.spent / (double)(pscm_record_simulated(t, false) + 1);
	if (access > slices.access_ns)
		slices.access_ns = access;
	slices.state = NATIVE;
}

/* The counted executions are recorded from their begin to their end. */
static void record_whole(struct pscm_thread *t, bool after_gap)
{
	slices.state = WHOLE;
	atomic_store(&pscm_sliced, 0);
	pscm_record_begin(t, true, after_gap);
}

/* --- executions ------------------------------------------------------------------------------ */

/* An execution that warms the caches. */
static void begin_warm(struct pscm_thread *t, bool after_gap)
{
	slices.state = slices.tries ? TRIAL : NATIVE;
	slices.owner = t;
	slices.spent = 0;
	slices.pieces = slices.chances = 0;
	slices.looks = 0;
	slices.between = LOOK_LEAST;
	pieces_forget();
	if (slices.state == TRIAL)
		trial_open(t, after_gap);
	else
		pscm_record_prepare(t);
	slices_piece(t);
}

/* What a trial has spent is no longer there for slices. */
static void budget_take(void)
{
	slices.spent = 0;
	if (slices.request->slow_budget && !pscm_timed())
		slices.limit = slice_budget_left(slices.request) / slices.count;
}

void slices_begin(struct pscm_thread *t, bool native, bool after_gap)
{
	bool first = !native && (slices.state == NATIVE || slices.state == TRIAL);

	t->entered = 0;
	if (native) {
		begin_warm(t, after_gap);
		return;
	}
	if (first && slices.tries) {
		record_whole(t, after_gap);
		return;
	}
	if (first)
		budget_take();
	if (first && (slices.owner != t || !plan(t))) {
		slices.flags |= MON_SLICE_NONE;
		native = pscm_timed();
		if (!native) {
			record_whole(t, true);
			return;
		}
	} else if (first) {
		pieces_forget();
	}
	slices.owner = t;
	slices.wall = 0;
	if (!native) {
		slices.state = GAP;
		slices.executions++;
	}
	pscm_record_prepare(t);
	slices_piece(t);
}

void slices_again(struct pscm_thread *t, bool after_gap)
{
	t->entered = 0;
	slices.owner = t;
	if (slices.state == TRIAL)
		trial_open(t, after_gap);
	else
		pscm_record_prepare(t);
	slices_piece(t);
}

/* Calls f for the cells of all threads that record. */
static void cells_all(void (*f)(struct pscm_thread *t))
{
	uint32_t experiment = atomic_load(&pscm_experiment);

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->experiment == experiment)
			f(t);
		pscm_unlock(&t->lock);
	}
}

static void group_close(struct pscm_thread *t)
{
	slice_group_close(&t->replay.sim.core, slices.done % MON_GROUPS);
}

static void wait_for_next(void)
{
	if (slices.next <= slices.clock)
		slices.next += ((slices.clock - slices.next) / DUE + 1) * DUE;
}

/* Was no piece of the thread's innermost context counted yet? */
static bool unseen(const struct pscm_thread *t)
{
	return !slice_counted(&t->pieces[pscm_region_stack_context(t)]);
}

/* Would another slice exceed what is allowed up to here?  Slices overshoot where pieces are long.
 * Leaving some out keeps the others spread over the whole execution.  Where few are left, a context
 * that none of them saw would be missing altogether: its first one may come early. */
static bool exceeds(const struct pscm_thread *t)
{
	double part = (double)slices.clock / (double)DUE / slices.wanted + (unseen(t) ?
		UNSEEN_EARLY : 0);

	if (part > slices.executions)   /* all that is allowed; an execution may have more pieces
					 * than the native one had */
		part = slices.executions;
	if ((double)slices.used > (part + 0.05) * (double)slices.budget)
		return true;
	if ((double)slices.spent <= (part + 0.2) * (double)slices.limit)
		return false;
	slices.flags |= MON_SLICE_CUT;
	return true;
}

static void slice_begin(struct pscm_thread *t)
{
	if (exceeds(t)) {
		wait_for_next();
		return;
	}
	slices.state = WARM;
	slices.counts = false;
	slices.looks = 0;
	slices.began = thread_cpu_ns();
	slices.wall_began = clock_ns();
	pscm_record_resume(t);
	cells_all(slice_cells_keep);
	slices.filled = slice_last_misses(&t->replay.sim.core);
	slices.first = slices.since = slices.looked = pscm_record_simulated(t, false);
}

static void slice_end(struct pscm_thread *t)
{
	uint64_t simulated;

	pscm_record_pause(t);
	simulated = pscm_record_simulated(t, false) - slices.since;
	if (simulated > 2 * WARM_MOST * slices.accesses)
		slices.flags |= MON_SLICE_LONG;
	if (slices.state == WARM)
		cells_all(slice_cells_restore);
	cells_all(group_close);
	slices.done += slices.counts;
	slices.state = GAP;
	slices.spent += thread_cpu_ns() - slices.began;
	slices.wall += clock_ns() - slices.wall_began;
	slices.used += pscm_record_simulated(t, false) - slices.first;
	wait_for_next();
}

void slices_end(struct pscm_thread *t)
{
	if (slices_open())
		slice_end(t);
	else if (slices.state == TRIAL)
		trial_close(t);
}

static bool recorded(const struct pscm_thread *t)
{
	return t->depth && t->frame[t->depth - 1].recorded;
}

/* May the thread switch recording?  Threads of one team must agree on it. */
static bool alone(const struct pscm_thread *t)
{
	return !t->signals && !(t->team && t->teamed);
}

bool slices_open(void)
{
	return slices.state == WARM || slices.state == ONE || slices.state == COUNT;
}

uint64_t slices_spent(void)
{
	return slices.wall;
}

/* Is the warm-up of the slice long enough?  In the end the last level has only lines that the
 * slice itself brought; where it needs few, those that it kept from earlier slices serve. */
static bool warm(struct pscm_thread *t, uint64_t simulated)
{
	return simulated >= WARM_MOST * slices.accesses || (simulated >= slices.accesses &&
		slice_last_misses(&t->replay.sim.core) - slices.filled >= slices.lines);
}

/* Does a piece of a context begin that has few, of which none was counted?  It may not come again
 * in a slice, so it is counted although the warm-up is shorter. */
static bool rare(const struct pscm_thread *t)
{
	return unseen(t) && slices.done && recorded(t) &&
		slices.step[pscm_region_stack_context(t)] > RARE * slices.other;
}

/* A look simulates what was recorded, which is worth its cost for many accesses only: some of the
 * half of a slice, or of a trial from one look at the clock to the next. */
static void adapt_looks(uint64_t simulated, uint64_t half)
{
	uint64_t more = simulated - slices.looked;

	if (more < half / 16 && slices.between < LOOK_MOST)
		slices.between *= 2;
	else if (more > half / 4 && slices.between > LOOK_LEAST)
		slices.between /= 2;
	slices.looked = simulated;
	slices.looks = 0;
}

/* Ends the present half of a slice if it has simulated its accesses. */
static void look(struct pscm_thread *t)
{
	uint64_t simulated;

	if (++slices.looks < slices.between && !(slices.state == WARM && rare(t)) &&
	    pscm_record_simulated(t, false) - slices.since < slices.accesses)
		return;
	adapt_looks(pscm_record_simulated(t, true), slices.accesses);
	simulated = pscm_record_simulated(t, false) - slices.since;
	if (slices.state == COUNT && simulated < slices.accesses)
		return;
	if (slices.state == COUNT) {
		slice_end(t);
		return;
	}
	if (!warm(t, simulated) && !rare(t))
		return;
	slices.state = warm(t, simulated) ? COUNT : ONE;
	if (simulated > 2 * WARM_MOST * slices.accesses)
		slices.flags |= MON_SLICE_LONG;
	slices.counts = true;
	pscm_record_count(t);
	cells_all(slice_cells_restore);
	if (slices.state == COUNT)
		slices.since += simulated;
}

/* Goes on with the warm-up behind a piece that was counted in it. */
static void warm_on(struct pscm_thread *t)
{
	pscm_record_warm(t);
	cells_all(slice_cells_keep);
	slices.state = WARM;
}

/* Ends a trial that has spent its share. */
static void trial_look(struct pscm_thread *t)
{
	if (!alone(t) || ++slices.looks < slices.between)
		return;
	adapt_looks(pscm_record_simulated(t, true), TRIAL_LOOK);
	if (trial_ns() > slices.share)
		trial_stop(t);
}

/* A piece begins where recording may be switched. */
static void advance(struct pscm_thread *t, uint32_t context)
{
	if (slices.state == NATIVE || slices.state == TRIAL) {
		slices.pieces++;
		if (slices.state == TRIAL)
			trial_look(t);
		return;
	}
	if (slices.clock < CLOCK_MOST)
		slices.clock += slices.step[context] ? slices.step[context] : slices.other;
	if (!alone(t))
		return;
	if (slices.state == ONE)
		warm_on(t);
	if (pscm_timed() && (slices.state == GAP ? slices.ended != SHORT : slices.ended == LONG)) {
		slices_end(t);
		return;
	}
	if (slices.state != GAP)
		look(t);
	else if (slices.clock >= slices.next)
		slice_begin(t);
}

/* --- hooks ----------------------------------------------------------------------------------- */

static struct slice_pieces *pieces_of(struct pscm_thread *t, uint32_t context)
{
	if (unlikely(!t->pieces))
		t->pieces = pscm_map(MON_CONTEXTS * sizeof *t->pieces);
	return t->pieces ? &t->pieces[context] : NULL;
}

static void count_recorded(struct slice_pieces *p)
{
	if (slices.state == COUNT || slices.state == ONE)
		p->counted[slices.done % MON_GROUPS]++;
}

void slices_piece(struct pscm_thread *t)
{
	uint32_t context = pscm_region_stack_context(t);
	struct slice_pieces *p = pieces_of(t, context);

	if (!p)
		return;
	p->all++;
	slices.all += t == slices.owner;
	if (t == slices.owner)
		advance(t, context);
	if (recorded(t))
		count_recorded(p);
}

/* A clone calls clones.  If recording begins or goes on before a call that takes long, all of the
 * call runs as recording code, also when the slice is over: spans of time would not be clean for
 * long.  The call may be like the one before: of a recursion, the other half. */
static enum ended ended_since(uint32_t began)
{
	uint64_t most = slices.pieces / TIMED_PARTS;

	return slices.all - began <= (most > TIMED_FEW ? most : TIMED_FEW) ? SHORT : LONG;
}

void slices_popped(struct pscm_thread *t)
{
	if (t == slices.owner)
		slices.ended = ended_since(t->frame[t->depth].began);
	slices_piece(t);
	slices.ended = NOTHING;
}

bool slices_linger(const struct pscm_thread *t)
{
	for (uint32_t i = 0; i < t->depth; i++)
		if (t->frame[i].recorded)
			return true;
	return false;
}

/* Does a call or an iteration begin that a slice could begin with?  recording:
 * recording code begins it. */
static bool chance(const struct pscm_thread *t, bool recording)
{
	return (slices.state == TRIAL ? recording : slices.state == NATIVE && !recording) &&
		t == slices.owner && alone(t);
}

void slices_entry(struct pscm_thread *t, uint32_t region, bool clone)
{
	t->entered = region + 1;
	t->entered_clone = clone;
	if (chance(t, clone))
		slices.chances++;
}

void slices_pushed(struct pscm_thread *t)
{
	struct pscm_frame *f = &t->frame[t->depth - 1];
	bool around = t->depth > 1 && t->frame[t->depth - 2].recorded;
	bool recording = pscm_flag_is(&__psc_recording);

	if (f->team)
		t->teamed = pscm_record_in_team();
	if (f->team)
		f->recorded = recording;
	else if (t->entered == f->region + 1)
		f->recorded = t->entered_clone && (recording || around);
	else
		f->recorded = around;
	t->entered = 0;
	f->began = f->iterated = slices.all;
	if (slices_wanted())
		slices_piece(t);
}

/* The next test of __psc_recording decides for this iteration, unless recording code is around the
 * loop. */
void slices_iteration(struct pscm_thread *t, bool next)
{
	struct pscm_frame *f;
	bool around, was;

	if (!t->depth)
		return;
	f = &t->frame[t->depth - 1];
	around = t->depth > 1 && t->frame[t->depth - 2].recorded;
	was = f->recorded;
	if (!slices_wanted()) {
		f->recorded = around || pscm_flag_is(&__psc_recording);
		return;
	}
	if (chance(t, slices.state == TRIAL))
		slices.chances++;
	if (!next) {
		struct slice_pieces *p = pieces_of(t, f->context);

		f->recorded = around || pscm_flag_is(&__psc_recording);
		if (p && !was && f->recorded)
			count_recorded(p);
		return;
	}
	/* The piece that begins may begin or end a slice. */
	f->recorded = false;
	if (t == slices.owner) {
		slices.ended = ended_since(f->iterated);
		f->iterated = slices.all;
	}
	slices_piece(t);
	slices.ended = NOTHING;
	f->recorded = around || pscm_flag_is(&__psc_recording);
	if (f->recorded) {
		struct slice_pieces *p = pieces_of(t, f->context);

		if (p)
			count_recorded(p);
	}
}

/* --- results --------------------------------------------------------------------------------- */

bool slices_failed(void)
{
	uint64_t n[2];

	if (!slices_wanted())
		return false;
	slice_pieces_all(n);
	if (slices.done && n[1])
		return false;
	if (pscm_timed())
		return true;
	slices.state = WHOLE;
	slices.flags |= MON_SLICE_NONE;
	atomic_store(&pscm_sliced, 0);
	return true;
}

bool slices_given_up(const struct pscm_armed *a)
{
	enum { SPANS_TRIED = 8 };

	return pscm_timed() && a->warm >= a->request->warm + SPANS_TRIED;
}

void slices_stop(void)
{
	atomic_store(&pscm_sliced, 0);
}

void slices_finish(struct mon_request *r)
{
	uint64_t n[2];

	if (!atomic_load(&pscm_sliced) && slices.state != WHOLE)
		return;
	if (slice_rows_stray())
		slices.flags |= MON_SLICE_STRAY;
	r->slice_flags = slices.flags;
	if (slices.state != WHOLE) {
		slice_pieces_all(n);
		while (n[0] >> 31) {
			n[0] /= 2;
			n[1] /= 2;
		}
		r->classes = (uint32_t)n[0];
		r->sampled = (uint32_t)n[1];
		r->groups = MON_GROUPS;
		r->slices = slices.done;
	}
	slices.state = NATIVE;
	atomic_store(&pscm_sliced, 0);
}
