/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells when a span of time is over, and which hooks clean spans need for that. */
#include "monitor/phase/timed_spans.h"
#include "monitor/collect/slices.h"
#include "monitor/host/mem.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/state.h"
#include "base/clock.h"

enum {
	PARTS = 8,              /* of a span, in which a hook should come */
	REST_MOST = 16,         /* hooks between two readings of the clock */
	PRECISE = 100           /* readings in a span that are enough */
};

/* What the last clean span saw of a region's hooks of one kind. */
struct seen {
	uint64_t calls;
	uint32_t parts;         /* a bit for each part of the span */
	bool kept, known;       /* known: an earlier one saw them, too */
};

static struct {
	uint64_t begin, read;   /* ns: of the span; when the clock was read last */
	uint32_t rest, left;    /* hooks from one reading to the next; until the next one */
	uint32_t part;          /* bit of the part of the span */
	bool clean, chosen;
	uint32_t nseen;         /* entries of `seen` up to the last that is not empty */
	struct seen *seen;      /* two for each region; NULL: no memory, or no clean span yet */
} span;

enum { SEEN = 2 * BRIEF_REGIONS };

static struct seen *seen_of(uint32_t region, enum timed_kind kind)
{
	return span.seen && region < BRIEF_REGIONS ? &span.seen[2 * region + kind] : NULL;
}

void timed_begin(bool clean)
{
	if (clean && !span.seen)
		span.seen = pscm_map(SEEN * sizeof *span.seen);
	for (uint32_t i = 0; i < span.nseen && clean; i++) {
		span.seen[i].calls = 0;
		span.seen[i].parts = 0;
	}
	span.clean = clean;
	span.begin = span.read = clock_ns();
	span.rest = span.left = 1;
	span.part = 1;
}

/* Reads the clock less often where hooks come often.  After a pause each hook reads it again. */
static void adapt(uint64_t now)
{
	uint64_t passed = now - span.read;

	if (passed > pscm_timed_ns / PRECISE)
		span.rest = 1;
	else if (passed < pscm_timed_ns / PRECISE / 2 && span.rest < REST_MOST)
		span.rest *= 2;
	span.read = now;
	span.left = span.rest;
}

static void note(uint32_t region, enum timed_kind kind)
{
	struct seen *s = seen_of(region, kind);

	if (s) {
		s->calls++;
		s->known = true;
		s->parts |= span.part;
		if (2 * region + 2 > span.nseen)
			span.nseen = 2 * region + 2;
	}
}

bool timed_over(uint32_t region, enum timed_kind kind, bool idle)
{
	uint64_t now, spent;

	if (unlikely(span.clean))
		note(region, kind);
	if (likely(--span.left))
		return false;
	now = clock_ns();
	adapt(now);
	if (idle && atomic_load_explicit(&pscm_shm->doorbell,
	    memory_order_relaxed) & MON_BELL_DETACHED)
		return true;
	spent = slices_wanted() ? slices_spent() : 0;
	if (slices_wanted() && slices_open())
		return false;
	if (now - span.begin < pscm_timed_ns + spent) {
		span.part = 1u << (now - span.begin) / (pscm_timed_ns / PARTS + 1) % PARTS;
		return false;
	}
	span.left = 1;          /* until a hook comes that may end it */
	return true;
}

void timed_wait(void)
{
	span.left = span.rest;
}

/* The hooks with fewest calls of those that come in other parts than the given
 * ones; NULL: there are none. */
static struct seen *rarest(uint32_t parts)
{
	struct seen *best = NULL;

	for (uint32_t i = 0; i < span.nseen; i++) {
		struct seen *s = &span.seen[i];

		if (s->parts & ~parts && (!best || s->calls < best->calls))
			best = s;
	}
	return best;
}

bool timed_choose(void)
{
	uint32_t parts = 0;
	struct seen *s;

	if (!span.seen)
		return false;
	span.chosen = true;
	for (uint32_t r = 0; r < span.nseen / 2; r++) {
		for (uint32_t i = 2 * r; i < 2 * r + 2; i++)
			/* others are kept for times like those before */
			span.seen[i].kept &= !span.seen[i].calls;
		if (!brief_region(r))
			parts |= span.seen[2 * r + TIMED_ENTRY].parts;
	}
	while ((s = rarest(parts)) != NULL) {
		s->kept = true;
		parts |= s->parts;
	}
	return true;
}

bool timed_keeps(uint32_t region, enum timed_kind kind)
{
	const struct seen *s = seen_of(region, kind);

	if (!span.chosen || !s)
		return kind == TIMED_ITERATION;
	return s->kept || (kind == TIMED_ITERATION && !s->known);
}

bool timed_kept(uint32_t region)
{
	const struct seen *s = seen_of(region, TIMED_ENTRY),
		*next = seen_of(region, TIMED_ITERATION);

	return span.chosen && s && (s->kept || next->kept);
}
