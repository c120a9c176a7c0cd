/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what the picture of a structure shows, which threads use it when, and what to do about
 * it. */
#include "report/words/timeline_words.h"

#include <math.h>
#include <string.h>

#define UNTOUCHED 0.2           /* of a structure, to be said */
#define FAR 0.03                /* of the lines from memory, to be said */

/* --- what its picture shows ------------------------------------------------------------------- */

static void put_row(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	buf_puts(b, "Top: first byte");
	buf_puts(b, s->used < 0.995 ? " used; bottom: last. " : "; bottom: last. ");
	if (s->s->pieces)
		buf_puts(b,
			"It is several blocks: rows are the pieces of memory that these touch, without what lies between. ");
	buf_puts(b, "A row is ");
	timeline_bytes(b, fmax(1, time_row_bytes(f->t, s->s)));
	buf_puts(b, ". ");
}

void timeline_structure_reading(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	if (!s->users)
		return;
	if (s->row)
		put_row(b, f, s);
	else
		buf_puts(b, "Addresses were not drawn: the picture has when, not where. ");
	timeline_count(b, (double)time_accesses(&s->sums) / f->t->executions);
	buf_puts(b, " accesses an execution, ");
	timeline_share(b, s->share);
	buf_puts(b, " of all; ");
	timeline_count(b, (double)s->sums.misses[f->nearest] / f->t->executions);
	buf_printf(b, " miss level %d, ", f->nearest + 1);
	timeline_count(b, (double)s->sums.memory / f->t->executions);
	buf_puts(b, " come from memory.");
}

void timeline_threads(struct buf *b, const struct time_facts *f, int n)
{
	if (n == 1)
		buf_puts(b, "one thread");
	else if (n == f->t->threads && n == 2)
		buf_puts(b, "both threads");
	else if (n == f->t->threads)
		buf_printf(b, "all %d threads", n);
	else
		buf_printf(b, "%d threads", n);
}

void timeline_allocation(struct buf *b, const struct time_facts *f, int structure)
{
	const struct report_time_structure *s = f->structure[structure].s;
	const double times = round(s->allocations);

	if (!s->allocated_at)
		return;
	buf_printf(b, "Allocated at %s", s->allocated_at);
	if (f->t->threads > 1 && s->allocated_by >= 0)
		buf_printf(b, " by thread %d", s->allocated_by);
	if (times > 0 && times < 2)
		buf_puts(b, ", once an execution");
	else if (times > 0)
		buf_printf(b, ", %.0f times an execution", times);
	if (round(s->releases) >= 1)
		buf_puts(b, ", and released within it");
	buf_puts(b, ".");
}

/* --- when ------------------------------------------------------------------------------------- */

static void put_doing(struct buf *b, const struct time_structure *s)
{
	buf_puts(b, s->read_only_after ? "read" : !s->sums.reads ? "written" : "read and written");
}

static void put_pattern(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	switch (s->pattern) {
	case PATTERN_EXCLUSIVE:
		put_doing(b, s);
		if (s->nearly_alone)
			buf_printf(b, " almost only by thread %d", s->alone);
		else if (f->t->threads > 1)
			buf_printf(b, " by thread %d alone", s->alone);
		else
			buf_puts(b, " by one thread alone");
		break;
	case PATTERN_PARTS:
		put_doing(b, s);
		buf_puts(b, " by ");
		timeline_threads(b, f, s->users);
		buf_puts(b, ", each a part of its own");
		break;
	case PATTERN_TURNS:
		put_doing(b, s);
		buf_puts(b, " by ");
		timeline_threads(b, f, s->users);
		buf_puts(b, ", one at a time");
		break;
	default:
		put_doing(b, s);
		buf_puts(b, " by ");
		timeline_threads(b, f, s->users);
		buf_puts(b, s->pattern == PATTERN_CONCURRENT ? " at once" : "");
	}
}

void timeline_pattern(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	if (!s->users || s->s->joined)
		return;
	buf_printf(b, "%s: ", timeline_name(s));
	if (s->filled_by >= 0)
		buf_printf(b, "filled by thread %d, then ", s->filled_by);
	else if (s->filled) {
		buf_puts(b, "filled by ");
		timeline_threads(b, f, s->writers);
		buf_puts(b, ", then ");
	}
	put_pattern(b, f, s);
	if (s->far >= FAR) {
		buf_puts(b, ", ");
		timeline_share(b, s->far);
		buf_puts(b, " of its lines from another node");
	}
}

/* --- what to do ------------------------------------------------------------------------------- */

static void put_placement(struct buf *b, const struct time_structure *s)
{
	const bool by_one = s->filled_by >= 0 || (s->toucher >= 0 && s->s->touched == TOUCH_BEGIN);

	if (s->users < 2 || !(s->far >= FAR))
		return;
	if (s->read_only_after && s->pattern == PATTERN_CONCURRENT)
		buf_puts(b, "Make one copy on each node, or interleave its pages.");
	else if (by_one && s->pattern == PATTERN_PARTS)
		buf_puts(b,
			"Let each thread fill its own part: pages lie on the node of the thread that touches them first.");
	else if (s->pattern == PATTERN_TURNS || s->pattern == PATTERN_EXCLUSIVE)
		buf_puts(b, "Keep its work on one node, or move its pages with it.");
	else if (s->pattern == PATTERN_CONCURRENT)
		buf_puts(b,
			"Interleave its pages, or divide it so that each thread keeps to a part on its node.");
}

void timeline_advice(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	put_placement(b, s);
	if (s->hands.share > 0)
		buf_printf(b, "%sDivide both loops alike: "
			"each thread then finds its part in its own cache.", b->len ? " " : "");
	if (!s->thin && s->touched < (1 - UNTOUCHED) * s->used && s->share >= 0.01)
		buf_printf(b, "%sWhat is used of it lies apart: dimension it for what is used.",
			b->len ? " " : "");
}
