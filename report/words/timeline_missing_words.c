/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is missing from the pictures of a timeline. */
#include "report/words/timeline_words.h"

#include <math.h>

#define LEAST_IDLE 0.05         /* of the time, to be said */
#define LEAST_UNDRAWN 0.01      /* of the accesses, to be said where all records had room */

static void put_undrawn(struct buf *b, const struct time_facts *f)
{
	const struct time_undrawn u = time_undrawn(f);
	struct timeline_names names = { .n = 0 };

	for (int i = 0; i < u.structures && i < TIME_UNDRAWN; i++)
		timeline_names_add(&names, u.structure[i]);
	if (u.structures && (u.records > 0 || u.share >= LEAST_UNDRAWN)) {
		buf_puts(b, "Not drawn by address: ");
		if (u.structures > names.n)
			buf_printf(b, "%d structures, most of all ", u.structures);
		timeline_names_put(b, f, &names);
		buf_puts(b, ", with ");
		timeline_share(b, u.share);
		buf_puts(b, " of the accesses. ");
	}
	if (u.records > 0) {
		timeline_count(b, (double)u.records);
		buf_puts(b,
			" records, misses and lines of the sample by address found no room: the "
			"pictures lack what they stand for. ");
	}
}

void timeline_untimed(struct buf *b, const struct time_facts *f)
{
	if (!f->pace.known || f->pace.idle < LEAST_IDLE)
		return;
	timeline_share(b, f->pace.idle);
	buf_puts(b,
		" of the time is in regions with hardly any accesses, as where threads wait, or "
		"other programs have the processor. The axis of time lacks it.");
}

void timeline_missing(struct buf *b, const struct time_facts *f)
{
	if (f->t->left_out > 0) {
		timeline_count(b, (double)f->t->left_out);
		buf_puts(b, " accesses are not in it: their columns did not fit into the log. ");
	}
	put_undrawn(b, f);
	if (!isnan(f->t->sample_share)) {
		buf_puts(b, "Misses are estimated from ");
		timeline_share(b, f->t->sample_share);
		buf_puts(b, " of the cache sets. ");
	}
	while (b->len && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
}
