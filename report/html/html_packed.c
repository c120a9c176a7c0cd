/* SPDX-License-Identifier: BSD-3-Clause */
/* Embeds the timelines: deflated, for their series would be most of the page, an element each, inert. */
#include "report/html/html.h"

#include <stdlib.h>
#include <zlib.h>

#include "report/files/json.h"

/* Characters of all timelines together, so that a page stays below 3 MB. */
enum { PACKED_MOST = 1700 * 1024 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base 64: three bytes are four characters. */
static void put_bytes(struct buf *out, const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)s[i] << 16 | (i + 1 < n ? (unsigned)s[i + 1] << 8 : 0) | (i + 2 < n ? s[i + 2] : 0);
		char four[4] = { digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ? digits[v >> 6 & 63] : '=',
			i + 2 < n ? digits[v & 63] : '=' };

		buf_add(out, four, sizeof four);
	}
}

static void pack(struct buf *out, const struct buf *text)
{
	uLongf n = compressBound((uLong)text->len);
	unsigned char *packed = malloc(n);

	if (!packed || text->failed ||
			compress2(packed, &n, (const Bytef *)text->data, (uLong)text->len, Z_BEST_COMPRESSION) != Z_OK)
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

/* Addresses are the most of a timeline: where all do not fit, those of later processes are left out. */
void html_timelines(struct html *h)
{
	size_t used = 0;

	for (int i = 0; i < h->r->ntimelines; i++) {
		struct report_timeline t = h->r->timelines[i];
		struct buf packed = BUF_INIT;
		const bool drawn = t.rows > 0;

		timeline(&packed, h, &t);
		if (used + packed.len > PACKED_MOST && drawn) {
			t.nmaps = 0;
			buf_clear(&packed);
			timeline(&packed, h, &t);
		}
		if (used + packed.len <= PACKED_MOST || packed.failed) {
			buf_printf(&h->out, "<script type='text/plain' class=timelines data-process=%d%s>", t.process,
				drawn && !t.nmaps ? " data-cut=1" : "");
			buf_add_buf(&h->out, &packed);
			buf_puts(&h->out, "</script>\n");
			used += packed.len;
		}
		buf_free(&packed);
	}
}
