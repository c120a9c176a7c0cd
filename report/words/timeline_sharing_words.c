/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which thread's the parts of structures are. */
#include "report/words/timeline_words.h"

#define LEAST_PART 0.05         /* of what is touched, for its class to be told beside others */
#define CLEARLY (1 - LEAST_PART)        /* of what is touched: its class is the structure's */
#define TROUBLE 0.3             /* of the rows touched are written and used by several threads: that
				 * is told of the structure */
#define TOUCHED 0.9             /* of the rows used: who touched them first is known */
#define LEAST 0.01              /* of all accesses, for a structure to be named */
enum { NAMED = 3 };             /* threads that touched something first */

/* --- of a structure --------------------------------------------------------------------------- */

/* "52% shared and read only, 46% shared and written": where no class is that of nearly all rows. */
static void put_parts(struct buf *b, const struct time_structure *s)
{
	static const char *const words[SHARINGS] = {
		[SHARING_PRIVATE] = " private", [SHARING_HANDED] = " handed over",
		[SHARING_READ] = " shared and read only",
		[SHARING_WRITTEN] = " shared and written",
	};
	int said = 0;

	for (int k = SHARINGS - 1; k > SHARING_NONE; k--) {
		if (s->sharing[k] < LEAST_PART)
			continue;
		buf_puts(b, said++ ? ", " : "");
		timeline_share(b, s->sharing[k]);
		buf_puts(b, words[k]);
	}
}

static void put_class(struct buf *b, const struct time_facts *f, const struct time_structure *s)
{
	switch (s->most) {
	case SHARING_PRIVATE:
		if (s->row && s->sharing[SHARING_PRIVATE] < CLEARLY) {
			put_parts(b, s);
			break;
		}
		if (s->users == 1 && s->nearly_alone)
			buf_printf(b, "almost only of thread %d", s->alone);
		else
			buf_puts(b, s->users == 1 ? "of one thread alone" :
				"private: each part of one thread alone");
		break;
	case SHARING_HANDED:
		timeline_share(b, s->sharing[SHARING_HANDED]);
		buf_puts(b, " handed over to others");
		break;
	case SHARING_READ:
		if (s->row && s->sharing[SHARING_READ] < CLEARLY) {
			put_parts(b, s);
			break;
		}
		buf_puts(b, s->sums.writes ? "written by its first toucher alone, read by " :
			"read only, by ");
		timeline_threads(b, f, s->users);
		break;
	case SHARING_WRITTEN:
		timeline_share(b, s->sharing[SHARING_WRITTEN]);
		buf_puts(b, " used by several threads and written");
		break;
	default:
		buf_puts(b, "used by ");
		timeline_threads(b, f, s->users);
		if (s->sums.writes) {
			buf_puts(b, ", written by ");
			timeline_threads(b, f, s->writers);
		}
	}
}

/* "jacu and buts give the parts of a and b to other threads than jacld and blts" */
static void put_change(struct buf *b, const struct time_facts *f, const struct time_hands *h,
	const struct timeline_names *of)
{
	const bool several = f->run[h->to].named[1];

	buf_puts(b, "; ");
	timeline_run_said(b, f, h->to);
	buf_puts(b, several ? " give " : " gives ");
	buf_puts(b, of ? "the parts of " : "its parts");
	if (of)
		timeline_names_put(b, f, of);
	buf_puts(b, " to other threads than ");
	timeline_run_said(b, f, h->from);
	if (!of && h->share < CLEARLY) {
		buf_puts(b, " (");
		timeline_share(b, h->share);
		buf_puts(b, " of the rows)");
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
	if (s->hands.share > 0)
		put_change(b, f, &s->hands, NULL);
	if (toucher_known(f, s) && s->toucher >= 0)
		buf_printf(b, "; first touched by thread %d", s->toucher);
	else if (toucher_known(f, s))
		buf_puts(b, "; first touched by several threads");
}

/* --- of all ----------------------------------------------------------------------------------- */

/* Structures that one thread touched first and others use. */
static int lived_on(const struct time_facts *f, int thread, struct timeline_names *names)
{
	names->n = 0;
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[f->order[i]];

		if (s->row && s->share >= LEAST && s->toucher == thread && s->users > 1)
			timeline_names_add(names, f->order[i]);
	}
	return names->n;
}

static bool any_rows(const struct time_facts *f)
{
	for (int i = 0; i < f->t->nstructures; i++)
		if (f->structure[i].row)
			return true;
	return false;
}

static enum time_sharing class_of(const struct time_structure *s)
{
	return s->sharing[SHARING_WRITTEN] >= TROUBLE ? SHARING_WRITTEN : s->most;
}

/* Structures of several threads of which most rows are of one class, and that no single thread
 * touched first. */
static int of_class(const struct time_facts *f, enum time_sharing class,
	struct timeline_names *names)
{
	names->n = 0;
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[f->order[i]];

		if (s->row && s->share >= LEAST && s->users > 1 && class_of(s) == class &&
		    s->toucher < 0)
			timeline_names_add(names, f->order[i]);
	}
	timeline_names_sort(names, f);
	return names->n;
}

/* "thread 0 touched table first, others use it, too; ": returns the number of what is said. */
static int put_first_touchers(struct buf *b, const struct time_facts *f)
{
	struct timeline_names names;
	int said = 0;

	for (int k = 0; k < f->t->threads && said < NAMED; k++)
		if (lived_on(f, k, &names)) {
			buf_printf(b, "%sthread %d touched ", said++ ? "; " : "", k);
			timeline_names_put(b, f, &names);
			buf_puts(b, names.n == 1 ? " first, others use it, too" :
				" first, others use them, too");
		}
	return said;
}

static int put_classes(struct buf *b, const struct time_facts *f, int said)
{
	static const struct { enum time_sharing class; const char *before, *behind; } classes[] = {
		{ SHARING_WRITTEN, "", ": several threads write and use the same parts" },
		{ SHARING_HANDED, "", ": one thread fills a part, another one uses it" },
		{ SHARING_READ, "",
			": several threads read the same parts, one at most writes them" },
		{ SHARING_PRIVATE, "of ", ", each thread has a part of its own" },
	};
	struct timeline_names names;

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		if (!of_class(f, classes[i].class, &names))
			continue;
		buf_printf(b, "%s%s", said++ ? "; " : "", classes[i].before);
		timeline_names_put(b, f, &names);
		buf_puts(b, classes[i].behind);
	}
	return said;
}

/* Names the structures whose parts change threads between the same two runs as those of the first
 * structure that has a change. */
static void put_changes(struct buf *b, const struct time_facts *f)
{
	const struct time_hands *first = NULL;
	struct timeline_names names = { .n = 0 };

	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_hands *h = &f->structure[f->order[i]].hands;

		if (!(h->share > 0) || (first && (h->from != first->from || h->to != first->to)))
			continue;
		first = first ? first : h;
		timeline_names_add(&names, f->order[i]);
	}
	if (!first)
		return;
	timeline_names_sort(&names, f);
	put_change(b, f, first, &names);
}

void timeline_cartography_claim(struct buf *b, const struct time_facts *f)
{
	if (f->t->threads == 1)
		buf_puts(b, "one thread: all rows are its own");
	else if (!put_classes(b, f, put_first_touchers(b, f)))
		buf_puts(b, any_rows(f) ? "each thread uses structures of its own" :
			"addresses were not drawn: whose a row is, is not known");
	put_changes(b, f);
}

void timeline_cartography_reading(struct buf *b, const struct time_facts *f)
{
	bool begin = false;

	for (int i = 0; i < f->t->nstructures; i++)
		begin |= f->t->structures[i].touched == TOUCH_BEGIN;
	if (!f->t->rows) {
		buf_puts(b, "The picture needs addresses: psc_frontend --timeline draws them.");
		return;
	}
	buf_puts(b,
		"A lane is a thread, from the first byte used to the last; it tells the thread that touched the place first");
	buf_puts(b, begin ? ", since the program began where that is known. " :
		", in the executions counted. ");
	buf_puts(b,
		"Above: private, handed over (written by the first, then used by one other alone), read only since its first "
		"toucher wrote it, shared and written.");
}
