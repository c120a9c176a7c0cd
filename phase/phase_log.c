/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the log of the phase. */
#include "phase/phase_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "phase/log_words.h"

void phase_log_begin(struct buf *out, const char *command)
{
	buf_printf(out, "phase-log 1\ncommand %s\n", command);
}

void phase_log_region(struct buf *out, uint32_t region, const char *name)
{
	buf_printf(out, "region %" PRIu32 " %s\n", region, name);
}

static void put_flag(struct buf *out, bool is, const char *name)
{
	if (is)
		buf_printf(out, " %s", name);
}

void phase_log_decision(struct buf *out, const struct phase_decision *d)
{
	buf_printf(out, "decided %s %s", phase_verdict_name(d->verdict),
		phase_reason_name(d->reason));
	if (d->region != PHASE_NONE)
		buf_printf(out, " region %" PRIu32, d->region);
	put_flag(out, d->runs, "runs");
	buf_puts(out, "\n");
}

static void put_time(struct buf *out, const struct phase_time *t)
{
	buf_printf(out,
		"time %" PRIu32 " %" PRIu64 " runs %" PRIu64 " entries %" PRIu64 " since %" PRIu64,
		t->region, t->ns, t->runs, t->entries, t->since_first);
	for (int i = 0; i < PHASE_TIME_FLAGS; i++)
		put_flag(out, phase_time_flag(t, i), phase_time_flag_name(i));
	buf_puts(out, "\n");
}

static bool same_time(const struct phase_time *a, const struct phase_time *b)
{
	return a->region == b->region && a->ns == b->ns && a->runs == b->runs &&
		a->entries == b->entries && a->since_first == b->since_first &&
		a->open == b->open && a->more == b->more && a->brief == b->brief &&
		a->shared == b->shared && a->team == b->team;
}

static bool same_decision(const struct phase_decision *a, const struct phase_decision *b)
{
	return a->verdict == b->verdict && a->reason == b->reason && a->region == b->region &&
		a->runs == b->runs;
}

/* Room for the times of as many regions.  0 / -1 (memory). */
static int make_room(struct phase_log_writer *w, uint32_t n)
{
	struct phase_time *more;

	if (n <= w->n)
		return 0;
	more = realloc(w->last, n * sizeof *more);
	if (!more)
		return -1;
	w->last = more;
	for (; w->n < n; w->n++)
		w->last[w->n] = (struct phase_time){ .region = PHASE_NONE };
	return 0;
}

static void put_times(struct phase_log_writer *w, struct buf *out, const struct phase_look *look)
{
	for (uint32_t i = 0; i < look->n; i++) {
		const struct phase_time *t = &look->t[i];
		const struct phase_time none = { .region = t->region, .team = t->team };
		const bool wanted = w->last[i].region != t->region ? !same_time(t, &none) ||
			t->region == look->phase :
			!same_time(t, &w->last[i]);

		if (!wanted)
			continue;
		put_time(out, t);
		w->last[i] = *t;
	}
}

bool phase_log_look(struct phase_log_writer *w, struct buf *out, const struct phase_look *look,
	const struct phase_decision *d)
{
	if (w->begun && same_decision(d, &w->decided) && !look->ended &&
	    look->elapsed_ns >= w->looked_ns && look->elapsed_ns - w->looked_ns < PHASE_LOG_NS +
	    w->looked_ns / 4)
		return false;
	if (make_room(w, look->n))
		return false;
	buf_printf(out, "look %" PRIu64 " processes %" PRIu64 " needed %" PRIu64 " least %" PRIu64,
		look->elapsed_ns, look->processes, look->needed, look->least);
	if (look->phase != PHASE_NONE)
		buf_printf(out, " phase %" PRIu32, look->phase);
	put_flag(out, look->kept, "kept");
	put_flag(out, look->ended, "ended");
	buf_puts(out, "\n");
	put_times(w, out, look);
	phase_log_decision(out, d);
	w->looked_ns = look->elapsed_ns;
	w->decided = *d;
	w->begun = true;
	return true;
}

void phase_log_held(struct buf *out, const struct phase_held *f, const struct phase_decision *d)
{
	buf_printf(out, "held %" PRIu64, f->elapsed_ns);
	if (!isnan(f->accesses))
		buf_printf(out, " accesses %.0f", f->accesses);
	for (int i = 0; i < PHASE_HELD_FLAGS; i++)
		put_flag(out, phase_held_flag(f, i), phase_held_flag_name(i));
	buf_puts(out, "\n");
	phase_log_decision(out, d);
}

void phase_log_end(struct phase_log_writer *w)
{
	free(w->last);
	*w = (struct phase_log_writer){ 0 };
}
