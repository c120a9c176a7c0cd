/* SPDX-License-Identifier: BSD-3-Clause */
/* Names lost node agents, and completes the report by what they had found. */
#include <config.h>

#include "frontend/losses.h"

#include "base/log.h"

/* The hosts of some node agents: agent n is on the n-th host. */
static void name_hosts(const struct hosts *h, uint32_t first, uint32_t n, struct buf *out)
{
	enum { NAMED = 4 };

	for (uint32_t i = first; i < first + n && i <= (uint32_t)h->n; i++) {
		if (i - first == NAMED) {
			buf_puts(out, ", ...");
			return;
		}
		buf_printf(out, "%s%s", i > first ? ", " : " of ", h->list[i - 1].name);
	}
}

void losses_tell(const struct hosts *h, const struct buf *body)
{
	struct cursor c = { (const uint8_t *)body->data, body->len, 0, false };
	uint32_t first = cur_u32(&c), n = cur_u32(&c);
	struct buf names = BUF_INIT;
	const char *of;

	name_hosts(h, first, n, &names);
	of = names.len ? buf_str(&names) : "";
	if (n == 1)
		log_msg(1,
			"the node agent%s has ended, or does not answer: the analysis goes on without it", of);
	else
		log_msg(1,
			"%u node agents%s have ended, or do not answer: the analysis goes on without them", n, of);
	buf_free(&names);
}

/* Says which agents were lost, and what is known of their processes. */
static void lost_words(const struct hosts *h, const struct journal *j, struct buf *out)
{
	uint32_t first, n;

	buf_puts(out, "node agents");
	for (int i = 0; journal_loss(j, i, &first, &n); i++) {
		buf_puts(out, i ? "," : "");
		name_hosts(h, first, n, out);
	}
	buf_puts(out, journal_knows_lost(j) ?
		" were lost: of their processes this has what they had sent before" :
		" were lost: nothing is known of their processes");
	buf_puts(out, "; properties of all processes together are left out");
}

struct report *losses_complete(const struct hosts *h, const struct journal *j, struct report *r)
{
	struct report *all = NULL;
	struct buf why = BUF_INIT;

	if (!j->nlosses)
		return r;
	lost_words(h, j, &why);
	all = why.failed ? NULL : journal_complete(j, buf_str(&why));
	if (all)
		report_free(r);
	else
		r->partial = arena_strdup(r->arena, "node agents were lost");
	buf_free(&why);
	return all ? all : r;
}
