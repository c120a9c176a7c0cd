/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which executions the times of a report are taken from, where executions differ. */
#include "analysis/findings/findings.h"

#include <math.h>

/* Writes "execution 6" or "executions 2, 4 and 6": those with a weight, by number. */
static void list_used(const struct measurements *p, struct buf *out)
{
	uint32_t left = 0;

	for (uint32_t e = 0; e < p->nclean; e++)
		left += p->like.weight[e] != 0;
	buf_puts(out, left == 1 ? "execution " : "executions ");
	for (uint32_t e = 0; e < p->nclean; e++)
		if (p->like.weight[e] != 0) {
			left--;
			buf_printf(out, "%llu%s", (unsigned long long)p->clean_at[e],
				left > 1 ? ", " : left ? " and " : "");
		}
}

static uint32_t used(const struct measurements *p)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < p->nclean; e++)
		n += p->like.how == LIKE_ALL || p->like.weight[e] != 0;
	return n;
}

static void describe_choice(const struct measurements *p, struct buf *out)
{
	unsigned long long counted = p->counted_first;

	if (p->like.how == LIKE_ALL) {
		buf_puts(out, "counts and times are of different executions");
		return;
	}
	buf_printf(out, "shares are of execution %llu; ", counted);
	if (p->like.how == LIKE_SOME)
		buf_puts(out, "its times are those of ");
	else
		buf_puts(out, used(p) > 1 ? "its times lie between those of " :
			"its times are those of ");
	list_used(p, out);
	if (p->like.how == LIKE_LINE && used(p) == 1)
		buf_puts(out, ", the nearest that was timed");
	else if (p->like.how == LIKE_SOME)
		buf_puts(out, p->like.by_calls ? used(p) > 1 ? ", which call the same" :
			", which calls the same" : ", of its kind");
}

static const char *describe_times(const struct measurements *p, bool bursts, struct arena *arena)
{
	if (bursts)
		return "processor time: where each thread is, sampled by timers of its own processor time, on this host; what bursts "
			"took is left out";
	if (p->like.how == LIKE_LINE)
		return arena_printf(arena,
			"processor time and waits: by the executions around the counted one, in "
			"which nothing was recorded, on this host");
	return arena_printf(arena,
		"processor time and waits: median of %u execution%s in which nothing was recorded, "
		"on this host", used(p), used(p) == 1 ? "" : "s");
}

int findings_executions(const struct measurements *p, struct report *r)
{
	struct buf text = BUF_INIT;

	r->time_least = r->time_most = NAN;
	for (uint32_t e = 0; p->ncontexts && e < p->nclean; e++) {
		r->time_least = fmin(r->time_least, p->contexts[0].cpu[e] * 1e-9);
		r->time_most = fmax(r->time_most, p->contexts[0].cpu[e] * 1e-9);
	}
	r->times_source = describe_times(p, r->bursts, r->arena);
	if (p->like.differ && p->counted) {
		describe_choice(p, &text);
		r->unlike = arena_strdup(r->arena, buf_str(&text));
		if (text.failed || !r->unlike)
			r->times_source = NULL;
	}
	buf_free(&text);
	return r->times_source ? 0 : -1;
}
