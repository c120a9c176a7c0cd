/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how structures are walked through, and which part of them is used. */
#include "report/words/timeline_words.h"

#include <math.h>

enum { NAMED = 3 };             /* groups of structures in a claim */
#define MOST 0.9                /* of a step's accesses: it only reads, or only writes */
/* of a structure's accesses, for a step to be told in brief; or .. */
#define LEAST_BRIEF 0.05
#define LEAST_MISSES 0.1        /* .. of its misses */
#define LEAST 0.05              /* of all accesses, for a structure to be named */
#define NARROW 0.3              /* of what a walk covers, used in one column */
#define UNTOUCHED 0.2           /* of a structure, to be said */

/* --- walks ------------------------------------------------------------------------------------ */

enum doing { READ, WRITTEN, BOTH, DOINGS };
static const char *const doing_words[DOINGS] = { "read", "written", "read and written" };

static enum doing doing(int64_t reads, int64_t writes)
{
	const double all = (double)(reads + writes);

	return (double)reads >= MOST * all ? READ : (double)writes >= MOST * all ? WRITTEN : BOTH;
}

static void put_passes(struct buf *b, const struct time_step *step, bool brief)
{
	if (!step->passes)
		return;
	if (brief)
		buf_puts(b, " again and again");
	else
		buf_printf(b, step->walk == WALK_ALL ? ", each byte about %d times," :
			" %d times",
			step->passes);
}

/* "in steps of 4 KiB", "in 3 streams at once, 16 MiB apart": what hides in a walk that seems to use
 * all. */
static void put_stride(struct buf *b, const struct time_step *step)
{
	if (step->streams)
		buf_printf(b, "in %d streams at once, ", step->streams);
	else
		buf_puts(b, "in steps of ");
	timeline_bytes(b, (double)step->stride);
	buf_puts(b, step->streams ? " apart" : "");
}

/* Does the stride say all that is known of the way? */
static bool stride_alone(const struct time_step *step)
{
	return step->stride && (step->streams || step->walk == WALK_UNKNOWN ||
		step->walk == WALK_MIXED);
}

/* What source lines show of a walk whose rows show no order: each piece is walked through in one. */
static bool in_pieces(const struct time_step *step)
{
	return step->walk == WALK_MIXED &&
		(step->line_kind == LINE_WALK_UP || step->line_kind == LINE_WALK_DOWN);
}

/* The word of the way; "" if nothing shows. */
static void put_way(struct buf *b, const struct time_step *step, bool brief)
{
	static const char *const kinds[TIMELINE_CLASSES] = {
		[TIMELINE_GATHER] = "at random",
		[TIMELINE_STREAM] = "in streams",
		[TIMELINE_STRIDED] = "at a constant step",
		[TIMELINE_BRANCH] = "as branches on data decide",
		[TIMELINE_CONTROL] = "as branches on data decide",
		[TIMELINE_CHAINED] = "along a chain",
	};
	static const char *const lines[] = {
		[LINE_WALK_BLOCK] = "in blocks",
		[LINE_WALK_UP] = "in streams",
		[LINE_WALK_DOWN] = "in streams",
		[LINE_WALK_STRIDED] = "at a constant step",
		[LINE_WALK_STILL] = "in one place",
		[LINE_WALK_IRREGULAR] = "at random",
	};
	static const char *const ways[] = {
		[WALK_UP] = "forwards",
		[WALK_DOWN] = "backwards",
		[WALK_UPS] = "forwards",
		[WALK_DOWNS] = "backwards",
		[WALK_ALL] = "as a whole",
		[WALK_RANDOM] = "at random",
		[WALK_STAY] = "in one place",
		[WALK_MIXED] = "in no order that shows",
	};

	if (!step->stride && in_pieces(step))
		buf_printf(b, "%s in pieces, which come in no order",
			ways[step->line_kind == LINE_WALK_UP ? WALK_UP : WALK_DOWN]);
	else if (!stride_alone(step) && step->walk != WALK_UNKNOWN)
		buf_puts(b, ways[step->walk]);
	else if (!step->stride)
		buf_puts(b, step->kind >= 0 ? kinds[step->kind] : step->line_kind >= 0 ?
			lines[step->line_kind] : "");
	if (step->stride) {
		buf_puts(b, stride_alone(step) ? "" : " ");
		put_stride(b, step);
	}
	put_passes(b, step, brief);
	if (!brief && (step->walk == WALK_UP || step->walk == WALK_DOWN) && step->again &&
		step->window < NARROW * step->covered)
		buf_puts(b, ", each part several times,");
}

static bool same_way(const struct time_step *a, const struct time_step *b)
{
	return a->walk == b->walk && a->stride == b->stride && a->streams == b->streams &&
		(!in_pieces(a) || a->line_kind == b->line_kind) && in_pieces(a) == in_pieces(b) &&
		(a->walk != WALK_UNKNOWN || (a->kind == b->kind && a->line_kind == b->line_kind));
}

static bool same_doing(const struct time_step *a, const struct time_step *b)
{
	return doing(a->reads, a->writes) == doing(b->reads, b->writes);
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

static void put_step(struct buf *b, const struct time_step *step, bool verb, bool brief)
{
	const size_t at = b->len;

	if (verb)
		buf_printf(b, "%s ", doing_words[doing(step->reads, step->writes)]);
	put_way(b, step, brief);
	if (b->len > at && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
}

/* True: nothing is known of the way, so that a step is told by its region alone. */
static bool wayless(const struct time_step *step)
{
	return step->walk == WALK_UNKNOWN && step->kind < 0 && step->line_kind < 0 && !step->stride;
}

static void put_all_steps(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	for (int i = 0; i < s->nsteps; i++) {
		buf_puts(b, i ? ", then " : "");
		put_step(b, &s->step[i],
			!i || wayless(&s->step[i]) || !same_doing(&s->step[i], &s->step[i - 1]),
			false);
		if (f->nruns > 1)
			put_in(b, f, s->step[i].run);
	}
	if (b->len && b->data[b->len - 1] == ',')
		b->data[--b->len] = '\0';
}

/* --- in brief --------------------------------------------------------------------------------- */

/* The steps of a structure that matter, those that are alike as one.  Where they are more than
 * two, it is not said which of them read and which write, so that the way of the walk is seen at
 * a glance. */
struct brief {
	const struct time_step *step[TIME_RUNS];
	int n;
	bool verbs;                     /* each step has its own; else: one for all, or none */
	bool one_verb;
};

/* Of the nearest level that the machine has. */
static double nearest_misses(const struct time_structure *s)
{
	int level = 0;

	while (level < TIMELINE_LEVELS - 1 && !s->sums.misses[level])
		level++;
	return (double)s->sums.misses[level];
}

/* A step of few accesses is told where the structure misses there, as where one loop gathers
 * from it. */
static bool matters(const struct time_structure *s, const struct time_step *step)
{
	return (double)(step->reads + step->writes) >=
		LEAST_BRIEF * (double)time_accesses(&s->sums) ||
		(step->misses > 0 &&
			(double)step->misses >= LEAST_MISSES * nearest_misses(s));
}

static bool shows_order(const struct time_step *step)
{
	return step->walk != WALK_MIXED || step->stride;
}

/* Steps in no order that shows are told if there are no others. */
static bool is_told(const struct time_structure *s, const struct time_step *step)
{
	bool known = false;

	for (int i = 0; i < s->nsteps; i++)
		known |= matters(s, &s->step[i]) && shows_order(&s->step[i]);
	return matters(s, step) && (shows_order(step) || !known);
}

static void join(struct brief *b, const struct time_structure *s)
{
	b->n = 0;
	b->one_verb = true;
	for (int i = 0; i < s->nsteps; i++) {
		const struct time_step *step = &s->step[i], *last = b->n ? b->step[b->n - 1] : NULL;

		if (!is_told(s, step))
			continue;
		b->one_verb &= !last || same_doing(b->step[0], step);
		if (!last || !same_way(last, step) || (b->verbs && !same_doing(last, step)))
			b->step[b->n++] = step;
	}
}

static struct brief brief_of(const struct time_structure *s)
{
	enum { FEW = 2 };
	struct brief b = { .verbs = true };

	join(&b, s);
	if (b.n > FEW) {
		b.verbs = false;
		join(&b, s);
	}
	return b;
}

static bool same_brief(const struct time_structure *s, const struct time_structure *other)
{
	const struct brief a = brief_of(s), b = brief_of(other);

	if (a.n != b.n || a.verbs != b.verbs || a.one_verb != b.one_verb)
		return false;
	for (int i = 0; i < a.n; i++)
		if (!same_way(a.step[i], b.step[i]) ||
			((a.verbs || a.one_verb) && !same_doing(a.step[i], b.step[i])))
			return false;
	return true;
}

static void put_brief(struct buf *b, const struct time_structure *s)
{
	const struct brief brief = brief_of(s);

	for (int i = 0; i < brief.n; i++) {
		buf_puts(b, i ? ", then " : "");
		put_step(b, brief.step[i],
			i ? brief.verbs && !same_doing(brief.step[i], brief.step[i - 1]) :
				brief.verbs || brief.one_verb,
			true);
	}
}

void timeline_walk(struct buf *b, const struct time_facts *f, int structure, bool brief)
{
	if (brief)
		put_brief(b, &f->structure[structure]);
	else
		put_all_steps(b, f, &f->structure[structure]);
}

bool timeline_same_walk(const struct time_facts *f, int a, int b)
{
	const struct time_structure *x = &f->structure[a], *y = &f->structure[b];
	int i = 0, k = 0;

	for (;; i++, k++) {
		while (i < x->nsteps && !is_told(x, &x->step[i]))
			i++;
		while (k < y->nsteps && !is_told(y, &y->step[k]))
			k++;
		if (i == x->nsteps || k == y->nsteps)
			return i == x->nsteps && k == y->nsteps;
		if (x->step[i].run != y->step[k].run || !same_way(&x->step[i], &y->step[k]) ||
				!same_doing(&x->step[i], &y->step[k]))
			return false;
	}
}

/* --- the part that is used -------------------------------------------------------------------- */

static double untouched(const struct time_structure *s)
{
	const double used = isnan(s->used) ? 1 : s->used,
		touched = isnan(s->touched) ? 1 : s->touched;

	return s->users && !s->thin ? 1 - fmin(used, touched) : 0;
}

static void put_share(struct buf *b, double share)
{
	if (share >= 0.45 && share <= 0.55)
		buf_puts(b, "half");
	else
		timeline_share(b, share);
}

static void put_untouched(struct buf *b, const struct time_structure *s)
{
	put_share(b, untouched(s));
	buf_puts(b, " of it shows no access");
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

/* "a and b: read forwards (half of each shows no access)": of structures that are walked through
 * alike. */
static void put_walked(struct buf *b, const struct time_facts *f,
	const struct timeline_names *names)
{
	double none = 1;

	timeline_names_put(b, f, names);
	buf_puts(b, ": ");
	put_brief(b, &f->structure[names->at[0]]);
	for (int i = 0; i < names->n; i++)
		none = fmin(none, untouched(&f->structure[names->at[i]]));
	if (none < UNTOUCHED)
		return;
	buf_puts(b, " (");
	put_share(b, none);
	buf_puts(b, names->n == 1 ? " of it shows no access)" : " of each shows no access)");
}

void timeline_walks_claim(struct buf *b, const struct time_facts *f)
{
	const int n = f->t->nstructures;
	bool *done = n ? arena_array(f->arena, (size_t)n, sizeof *done) : NULL;
	int said = 0;

	for (int i = 0; done && i < n && said < NAMED; i++) {
		struct timeline_names names = { .n = 0 };
		const int first = f->shown[i];

		if (done[first] || f->structure[first].share < LEAST || !f->structure[first].nsteps)
			continue;
		for (int k = i; k < n; k++) {
			const int other = f->shown[k];

			if (done[other] ||
				(other != first &&
					(f->structure[other].share < LEAST / 2 ||
						!same_brief(&f->structure[first],
							&f->structure[other]))))
				continue;
			timeline_names_add(&names, other);
			done[other] = true;
		}
		buf_puts(b, said++ ? "; " : "");
		timeline_names_sort(&names, f);
		put_walked(b, f, &names);
	}
}
