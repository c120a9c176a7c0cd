/* SPDX-License-Identifier: BSD-3-Clause */
/* Embeds the timelines: deflated, for their series would be most of the page, an element each,
 * inert. */
#include "report/html/html.h"

#include <stdlib.h>
#include <zlib.h>

#include "report/files/json.h"
#include "report/model/timeline_facts.h"
#include "report/words/timeline_words.h"

/* Characters of all timelines together, so that a page stays below 3 MB. */
enum { PACKED_MOST = 1700 * 1024 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base 64: three bytes are four characters. */
static void put_bytes(struct buf *out, const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)s[i] << 16 | (i + 1 < n ? (unsigned)s[i + 1] << 8 : 0) |
			(i + 2 < n ? s[i + 2] : 0);
		char four[4] = { digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ?
			digits[v >> 6 & 63] : '=', i + 2 < n ? digits[v & 63] : '=' };

		buf_add(out, four, sizeof four);
	}
}

static void pack(struct buf *out, const struct buf *text)
{
	uLongf n = compressBound((uLong)text->len);
	unsigned char *packed = malloc(n);

	if (!packed || text->failed ||
			compress2(packed, &n, (const Bytef *)text->data, (uLong)text->len,
			Z_BEST_COMPRESSION) != Z_OK)
		out->failed = true;
	else
		put_bytes(out, packed, n);
	free(packed);
}

static void timeline(struct buf *out, const struct html *h, const struct report_timeline *t)
{
	struct buf json = BUF_INIT;

	report_json_timeline(&json, h->r, t);
	pack(out, &json);
	buf_free(&json);
}

/* The index of the timeline that pictures begin with: the one with most accesses, as in a
 * terminal. */
static int busiest(const struct html *h)
{
	int best = 0;

	for (int i = 1; i < h->r->ntimelines; i++)
		if (time_accesses(&h->facts[i]->all) > time_accesses(&h->facts[best]->all))
			best = i;
	return best;
}

/* Packs a timeline, without its addresses if only so it fits.  False: it does not fit. */
static bool pack_timeline(const struct html *h, struct report_timeline *t, size_t room,
	struct buf *packed)
{
	timeline(packed, h, t);
	if (packed->len > room && t->rows > 0) {
		t->nmaps = 0;
		buf_clear(packed);
		timeline(packed, h, t);
	}
	return packed->len <= room || packed->failed;
}

/* Addresses are the most of a timeline: where all do not fit, those of later processes are left
 * out. */
static void pack_all(struct html *h, struct buf *without)
{
	const int first = busiest(h);
	size_t used = 0;

	for (int i = 0; i < h->r->ntimelines; i++) {
		struct report_timeline t = h->r->timelines[i];
		struct buf packed = BUF_INIT;

		if (!pack_timeline(h, &t, PACKED_MOST - used, &packed)) {
			buf_printf(without, "%s%d", without->len ? ", " : "", t.process);
		} else {
			buf_printf(&h->out,
				"<script type='text/plain' class=timelines data-process=%d%s%s>",
				t.process, t.rows > 0 && !t.nmaps ? " data-cut=1" : "", i == first ?
				" data-first=1" : "");
			buf_add_buf(&h->out, &packed);
			buf_puts(&h->out, "</script>\n");
			used += packed.len;
		}
		buf_free(&packed);
	}
}

void html_timelines(struct html *h)
{
	struct buf without = BUF_INIT, words = BUF_INIT;

	pack_all(h, &without);
	timeline_processes_without(&words, buf_str(&without), h->r->timelines_left_out);
	if (words.len) {
		buf_puts(&h->out, "<script type='text/plain' id=without-timelines>");
		html_put_buf(h, &words);
		buf_puts(&h->out, "</script>\n");
	}
	h->out.failed |= without.failed || words.failed;
	buf_free(&without);
	buf_free(&words);
}
