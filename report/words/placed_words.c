/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what a rule of a placement file has done. */
#include "report/words/placed_words.h"

#include "report/words/trial_words.h"

#define MIB 1048576.0

static void put_where(struct buf *b, const struct report_placed *p)
{
	static const char *const where[TRIED_ACTIONS] = {
		[TRIED_LARGE_PAGES] = "pages of 2 MiB are asked for",
		[TRIED_ALL_NODES] = "on all memory nodes in turn",
		[TRIED_LOCAL_NODE] = "on the node of the thread that touches it first",
	};

	if (p->action == TRIED_ONE_NODE)
		buf_printf(b, "on memory node %d while that has room", p->node);
	else
		buf_puts(b, where[p->action] ? where[p->action] : "nothing");
}

static const char *plural(double n)
{
	return n == 1 ? "" : "s";
}

static void put_left(struct buf *b, const struct report_placed *p)
{
	if (!(p->left > 0))
		return;
	buf_printf(b, "; %.0f block%s left as allocated", p->left, plural(p->left));
	buf_printf(b, " (%s)", p->reason ? words_trial_reason(p->reason) :
		"too small to have a whole page, or one of more than 4096 that are smaller than "
			"1 MiB");
	if (p->reason == TRIAL_ONE_MEMORY_NODE || p->reason == TRIAL_NO_SUCH_NODE)
		buf_puts(b, "; on the machine model they lie there");
}

void words_placed(struct buf *b, const struct report_placed *p)
{
	buf_puts(b, p->structure);
	if (p->place)
		buf_printf(b, " (%s)", p->place);
	if (!(p->objects > 0)) {
		buf_printf(b, ": the rule %s matches nothing that the program allocated or "
			"declares",
			tried_action_names[p->action]);
		return;
	}
	buf_puts(b, ": ");
	put_where(b, p);
	if (p->blocks > 0)
		buf_printf(b, ", %.0f block%s, %.4g MiB", p->blocks, plural(p->blocks),
			p->bytes / MIB);
	else if (!(p->left > 0))
		buf_puts(b, ", but the program allocated no memory for it");
	else
		buf_puts(b, ": nothing");
	put_left(b, p);
}
