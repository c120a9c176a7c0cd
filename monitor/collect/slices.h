/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices of an execution: where recording all of it would take too long, it alternates between
 * native code and recording.
 *
 * The markers, and the iterations of loops that can be the phase, cut a thread's work into
 * *pieces*.  A piece belongs to one context, and either native or recording code executes it.  The
 * last warm-up execution counts the pieces of each context.  It is native or, where recording in
 * full may fit the budget (slice_budget.h), a trial: it is recorded as long as it keeps its part of
 * the budget.  If all of it does, the counted executions are recorded in full.  Otherwise in the
 * counted execution slices begin at places that these counts choose; each simulates half of its
 * accesses to warm the caches and counts the other half.
 *
 * The estimate of a count c of a context of which n of N pieces were counted is c N / n.  Slices
 * belong in turn to MON_GROUPS groups, whose differences give the error (slice_rows.c). */
#ifndef PSC_MONITOR_SLICES_H
#define PSC_MONITOR_SLICES_H

#include "monitor/collect/armed.h"
#include "monitor/collect/clean_collectors.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

enum {
	SLICES = 40,            /* of an execution, at most */
	SLICES_LEAST = 8,       /* with room for fewer, it is recorded in full */
	SLICE_LEAST = 10000,    /* accesses of a slice */
	SLICE_SLOWDOWN = 20,    /* how many times as long recording takes; 7 to 34 are measured, */
	SLICE_SLOWEST = 500,    /* 450 in a short innermost loop without misses */
	SLICE_ACCESS_NS = 40    /* an access in a slice is assumed to take; docs/sampling.md */
};

/* The pieces of one context and thread. */
struct slice_pieces {
	uint64_t all;
	uint32_t counted[MON_GROUPS];
};

static inline uint64_t slice_counted(const struct slice_pieces *p)
{
	uint64_t n = 0;

	for (int g = 0; g < MON_GROUPS; g++)
		n += p->counted[g];
	return n;
}

static inline bool slices_wanted(void)
{
	return unlikely(atomic_load_explicit(&pscm_sliced, memory_order_relaxed));
}

/* Decides whether the request is counted in slices; clean: without them.
 * Follows pscm_record_arm(). */
void slices_arm(struct pscm_armed *a, struct clean_execution clean);
/* An execution begins or ends on this thread, which then owns the phase.  native: only count
 * pieces.  after_gap: as for pscm_record_begin(). */
void slices_begin(struct pscm_thread *t, bool native, bool after_gap);
void slices_end(struct pscm_thread *t);
/* The execution goes on behind a slices_end(). */
void slices_again(struct pscm_thread *t, bool after_gap);
/* After an execution.  true: no slice counted anything; the next execution is recorded in full, but
 * not a span of time: recording would not see what is open. */
bool slices_failed(void);
/* So many spans of time had too few places for slices that counting is given up. */
bool slices_given_up(const struct pscm_armed *a);
/* After pscm_record_finish(): writes what the request's rows stand for. */
void slices_finish(struct mon_request *r);
/* The analysis has ended meanwhile. */
void slices_stop(void);

/* Does recording code execute an open region of the thread, which writes in
 * vain unless a slice is open? */
bool slices_linger(const struct pscm_thread *t);
/* Is a slice open?  The wall time that slices of this execution have taken so far, ns. */
bool slices_open(void);
uint64_t slices_spent(void);

/* Hooks, all after slices_wanted() but for spans of time, where entry, pushed and iteration keep
 * what a slice has to know of each frame.  entry: a function is about to enter its region; clone:
 * its recording version.  pushed: a frame was pushed.  piece: another piece begins, in the
 * innermost context; popped: since frames were popped, the outermost of them the last. iteration:
 * the innermost region, a loop that can be the phase, begins an iteration; next: not the first. */
void slices_entry(struct pscm_thread *t, uint32_t region, bool clone);
void slices_pushed(struct pscm_thread *t);
void slices_piece(struct pscm_thread *t);
void slices_popped(struct pscm_thread *t);
void slices_iteration(struct pscm_thread *t, bool next);

/* --- slice_rows.c --------------------------------------------------------------------------- */
/* Before the rows of a result.  Scales a row to all pieces of its context, and fills in its groups;
 * if none of the pieces was counted, by the ratio of all the thread's.  pieces: the thread's; sums:
 * misses of the cell by group.  stray: more than one access in 100 is in such rows. */
void slice_rows_begin(void);
void slice_row(struct mon_count_row *r, const struct slice_pieces *pieces,
	const struct sample_sums *sums);
bool slice_rows_stray(void);
/* Fills in the pieces of a row of times. */
void slice_pieces_row(const struct slice_pieces *pieces, uint32_t context, struct mon_time_row *r);
/* The pieces of all contexts and threads: all, counted. */
void slice_pieces_all(uint64_t out[2]);
/* Adds to group g what the cells have more than all groups. */
void slice_group_close(struct sim_core *core, uint32_t g);
/* A core of a machine with write-backs and the like counts in its cells in the warm-up, too: keep
 * copies them, restore sets them back.  Other cores are left as they are. */
void slice_cells_keep(struct pscm_thread *t);
void slice_cells_restore(struct pscm_thread *t);
/* Misses of the last level, counted or not. */
uint64_t slice_last_misses(const struct sim_core *core);

#endif
