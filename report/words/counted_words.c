/* SPDX-License-Identifier: BSD-3-Clause */
/* Words on what two collectors counted. */
#include <math.h>

#include "report/words/words.h"

struct tally {
	int both, differ;               /* structures that both know; those with a difference */
	bool one, other;                /* has counted anything */
};

static struct tally tally_of(const struct report *r)
{
	struct tally t = { 0 };

	for (int i = 0; i < r->ncounted; i++) {
		const struct report_counted *c = &r->counted[i];
		const bool one = !isnan(c->one.access_share),
			other = !isnan(c->other.access_share);

		t.one |= one;
		t.other |= other;
		if (!c->structure || !one || !other)
			continue;
		t.both++;
		t.differ += c->rates_differ || c->stalls_differ;
	}
	return t;
}

void words_counted(struct buf *b, const struct report *r)
{
	const struct tally t = tally_of(r);

	if (t.one && t.other)
		buf_printf(b, "%s and %s agree on %d of %d structures that both know and that have "
			"%.0f %% of the accesses or of the time. ", r->collector,
			r->other_collector, t.both - t.differ, t.both, 100 * REPORT_COUNTED_LEAST);
	else
		buf_printf(b, "%s counted nothing. ", t.one ? r->other_collector : r->collector);
	buf_printf(b, "Misses are shares of the accesses; differences are in points, %s minus %s. "
		"*: misses differ by more than %.0f points and both errors, or the cost does, and "
		"each is outside of the other's range. Each had a run of the program. %s.",
		r->other_collector, r->collector, 100 * REPORT_ALIKE, r->other_source);
}

const char *words_stall_points(char text[PAGE_FIGURE], const struct report_counted *c)
{
	const bool known = !page_not_known(c->one.low, c->one.high) &&
		!page_not_known(c->other.low, c->other.high);

	return page_points(text, known ? c->one.stall : NAN, c->other.stall);
}
