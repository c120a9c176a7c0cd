/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how a structure is walked through, which part of it is used, whose it is and when. */
#include "report/words/timeline_words.h"

#include <math.h>
#include <string.h>

#define MOST 0.9                /* of a step's accesses: it only reads, or only writes */
#define LEAST_BRIEF 0.05        /* of a structure's accesses, for a step to be told in brief */
#define NARROW 0.3              /* of what a walk covers, used in one column */
#define UNTOUCHED 0.2           /* of a structure, to be said */
#define FAR 0.03                /* of the lines from memory, to be said */
#define TOUCHED 0.9             /* of the rows used: who touched them first is known */

/* --- walks ------------------------------------------------------------------------------------- */

enum doing { READ, WRITTEN, BOTH, DOINGS };
static const char *const doing_words[DOINGS] = { "read", "written", "read and written" };

static enum doing doing(int64_t reads, int64_t writes)
{
	const double all = (double)(reads + writes);

	return (double)reads >= MOST * all ? READ : (double)writes >= MOST * all ? WRITTEN : BOTH;
}

/* The word of the way; "" if nothing shows. */
static void put_way(struct buf *b, const struct time_step *step, bool brief)
{
	static const char *const kinds[TIMELINE_CLASSES] = {
		[TIMELINE_GATHER] = "at random", [TIMELINE_STREAM] = "in streams", [TIMELINE_STRIDED] = "at a constant step",
		[TIMELINE_BRANCH] = "as branches on data decide", [TIMELINE_CONTROL] = "as branches on data decide",
		[TIMELINE_CHAINED] = "along a chain",
	};
	static const char *const lines[] = {
		[LINE_WALK_BLOCK] = "in blocks", [LINE_WALK_UP] = "in streams", [LINE_WALK_DOWN] = "in streams",
		[LINE_WALK_STRIDED] = "at a constant step", [LINE_WALK_STILL] = "in one place",
		[LINE_WALK_IRREGULAR] = "at random",
	};
	static const char *const ways[] = {
		[WALK_UP] = "upwards", [WALK_DOWN] = "downwards", [WALK_UPS] = "upwards", [WALK_DOWNS] = "downwards",
		[WALK_ALL] = "all of it", [WALK_RANDOM] = "at random", [WALK_STAY] = "in one place",
		[WALK_MIXED] = "in no order that shows",
	};

	if (step->walk == WALK_UNKNOWN)
		buf_puts(b, step->kind >= 0 ? kinds[step->kind] : step->line_kind >= 0 ? lines[step->line_kind] : "");
	else
		buf_puts(b, ways[step->walk]);
	if (brief)
		buf_puts(b, step->passes ? " again and again" : "");
	else if (step->passes)
		buf_printf(b, step->walk == WALK_ALL ? ", about %d times," : " %d times", step->passes);
	if ((step->walk == WALK_UP || step->walk == WALK_DOWN) && step->again && step->window < NARROW * step->covered)
		buf_puts(b, " part by part");
}

/* True: both steps read the same. */
static bool same_step(const struct time_step *a, const struct time_step *b)
{
	return a->walk == b->walk && (a->walk != WALK_UNKNOWN || (a->kind == b->kind && a->line_kind == b->line_kind)) && doing(a->reads, a->writes) == doing(b->reads, b->writes);
}

static void put_in(struct buf *b, const struct time_facts *f, int run)
{
	struct buf label = BUF_INIT;

	timeline_run_said(&label, f, run);
	if (label.len)
		buf_printf(b, " in %s", buf_str(&label));
	b->failed |= label.failed;
	buf_free(&label);
}

static bool is_told(const struct time_structure *s, const struct time_step *step, bool brief)
{
	return !brief || (double)(step->reads + step->writes) >= LEAST_BRIEF * (double)time_accesses(&s->sums);
}

/* True: nothing is known of the way, so that a step is told by its region alone. */
static bool wayless(const struct time_step *step)
{
	return step->walk == WALK_UNKNOWN && step->kind < 0 && step->line_kind < 0;
}

static void put_step(struct buf *b, const struct time_step *step, const struct time_step *last, bool brief)
{
	const enum doing what = doing(step->reads, step->writes);
	const bool again = last && doing(last->reads, last->writes) == what;
	const size_t at = b->len;

	if (!again)
		buf_printf(b, "%s ", doing_words[what]);
	put_way(b, step, brief);
	if (b->len > at && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
	else if (b->len == at && b->len && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
}

void timeline_walk(struct buf *b, const struct time_facts *f, int structure, bool brief)
{
	const struct time_structure *s = &f->structure[structure];
	const struct time_step *last = NULL;

	for (int i = 0; i < s->nsteps; i++) {
		const struct time_step *step = &s->step[i];

		if (!is_told(s, step, brief) || (last && brief && !wayless(step) && same_step(step, last)))
			continue;
		buf_puts(b, last ? ", then " : "");
		put_step(b, step, last, brief);
		if ((!brief || wayless(step)) && f->nruns > 1)
			put_in(b, f, step->run);
		last = step;
	}
	if (b->len && b->data[b->len - 1] == ',')
		b->data[--b->len] = '\0';
}

bool timeline_same_walk(const struct time_facts *f, int a, int b)
{
	const struct time_structure *x = &f->structure[a], *y = &f->structure[b];
	int i = 0, k = 0;

	for (;; i++, k++) {
		while (i < x->nsteps && !is_told(x, &x->step[i], true))
			i++;
		while (k < y->nsteps && !is_told(y, &y->step[k], true))
			k++;
		if (i == x->nsteps || k == y->nsteps)
			return i == x->nsteps && k == y->nsteps;
		if (x->step[i].run != y->step[k].run || !same_step(&x->step[i], &y->step[k]))
			return false;
	}
}

/* --- the part that is used --------------------------------------------------------------------- */

static double untouched(const struct time_structure *s)
{
	const double used = isnan(s->used) ? 1 : s->used, touched = isnan(s->touched) ? 1 : s->touched;

	return s->users && !s->thin ? 1 - fmin(used, touched) : 0;
}

static void put_untouched(struct buf *b, const struct time_structure *s)
{
	const double none = untouched(s);

	if (none >= 0.45 && none <= 0.55)
		buf_puts(b, "half of it is never touched");
	else if (none >= UNTOUCHED) {
		timeline_share(b, none);
		buf_puts(b, " of it is never touched");
	}
}

void timeline_structure_claim(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	if (!s->nsteps || s->s->joined)
		return;
	buf_printf(b, "%s: ", timeline_name(s));
	timeline_walk(b, f, structure, false);
	if (untouched(s) >= UNTOUCHED) {
		buf_puts(b, "; ");
		put_untouched(b, s);
	}
}

static void put_row(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	buf_puts(b, "Top: first byte");
	buf_puts(b, s->used < 0.995 ? " used; bottom: last. " : "; bottom: last. ");
	buf_puts(b, "A row is ");
	timeline_bytes(b, fmax(1, (double)s->s->bytes / f->t->rows));
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
	timeline_count(b, (double)s->sums.misses[0] / f->t->executions);
	buf_puts(b, " miss the first level, ");
	timeline_count(b, (double)s->sums.memory / f->t->executions);
	buf_puts(b, " come from memory.");
}

/* --- whose it is ------------------------------------------------------------------------------- */

static void put_threads(struct buf *b, const struct time_facts *f, int n)
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

static void put_class(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	switch (s->most) {
	case SHARING_PRIVATE:
		buf_puts(b, s->users == 1 ? "of one thread alone" : "private: each part of one thread alone");
		break;
	case SHARING_HANDED:
		timeline_share(b, s->sharing[SHARING_HANDED]);
		buf_puts(b, " handed over to others");
		break;
	case SHARING_READ:
		buf_puts(b, "read only, by ");
		put_threads(b, f, s->users);
		break;
	case SHARING_WRITTEN:
		timeline_share(b, s->sharing[SHARING_WRITTEN]);
		buf_puts(b, " used by several threads and written");
		break;
	default:
		buf_puts(b, "used by ");
		put_threads(b, f, s->users);
		if (s->sums.writes) {
			buf_puts(b, ", written by ");
			put_threads(b, f, s->writers);
		}
	}
}

/* Is it known of nearly all rows that are used who touched them first? */
static bool toucher_known(const struct time_facts *f, const struct time_structure *s)
{
	int used = 0, known = 0;

	for (int r = 0; s->row && r < f->t->rows; r++)
		if (s->row[r] != SHARING_NONE) {
			used++;
			known += s->first[r] >= 0;
		}
	return known && known >= TOUCHED * used;
}

void timeline_sharing(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	if (!s->users || s->s->joined)
		return;
	put_class(b, f, s);
	if (!toucher_known(f, s))
		return;
	if (s->toucher >= 0)
		buf_printf(b, "; first touched by thread %d", s->toucher);
	else
		buf_puts(b, "; first touched by several threads, a part each");
	if (s->s->touched != TOUCH_BEGIN && f->t->threads > 1)
		buf_puts(b, " in the executions counted");
}

/* --- when -------------------------------------------------------------------------------------- */

static void put_doing(struct buf *b, const struct time_structure *s)
{
	buf_puts(b, s->read_only_after ? "read" : !s->sums.reads ? "written" : "read and written");
}

static void put_pattern(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	switch (s->pattern) {
	case PATTERN_EXCLUSIVE:
		put_doing(b, s);
		buf_puts(b, " by one thread alone");
		break;
	case PATTERN_PARTS:
		put_doing(b, s);
		buf_puts(b, " by ");
		put_threads(b, f, s->users);
		buf_puts(b, ", each a part of its own");
		break;
	case PATTERN_TURNS:
		put_doing(b, s);
		buf_puts(b, " by ");
		put_threads(b, f, s->users);
		buf_puts(b, ", one at a time");
		break;
	default:
		put_doing(b, s);
		buf_puts(b, " by ");
		put_threads(b, f, s->users);
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
		put_threads(b, f, s->writers);
		buf_puts(b, ", then ");
	}
	put_pattern(b, f, s);
	if (s->far >= FAR) {
		buf_puts(b, ", ");
		timeline_share(b, s->far);
		buf_puts(b, " of its lines from another node");
	}
}

/* --- what to do -------------------------------------------------------------------------------- */

static void put_placement(struct buf *b, const struct time_structure *s)
{
	const bool by_one = s->filled_by >= 0 || (s->toucher >= 0 && s->s->touched == TOUCH_BEGIN);

	if (s->users < 2 || !(s->far >= FAR))
		return;
	if (s->read_only_after && s->pattern == PATTERN_CONCURRENT)
		buf_puts(b, "Make one copy on each node, or interleave its pages.");
	else if (by_one && s->pattern == PATTERN_PARTS)
		buf_puts(b, "Let each thread fill its own part: pages lie on the node of the thread that touches them first.");
	else if (s->pattern == PATTERN_TURNS)
		buf_puts(b, "Keep its work on one node, or move its pages with it.");
	else if (s->pattern == PATTERN_CONCURRENT)
		buf_puts(b, "Interleave its pages, or divide it so that each thread keeps to a part on its node.");
}

void timeline_advice(struct buf *b, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];

	put_placement(b, s);
	if (!s->thin && s->touched < (1 - UNTOUCHED) * s->used && s->share >= 0.01)
		buf_printf(b, "%sWhat is used of it lies apart: dimension it for what is used.", b->len ? " " : "");
}
