/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes where structures should lie: as rules, as a command line and environment, and as a list of
 * allocations. */
#include "report/files/placement_forms.h"

#include <math.h>
#include <string.h>

#include "base/malloc_settings.h"
#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/page.h"

#define LEAST_SHARE 0.001       /* that is printed */

const char *const placement_form_names[PLACEMENT_FORMS + 1] = {
	[PLACEMENT_RULES] = "rules",
	[PLACEMENT_CODE] = "code",
	[PLACEMENT_ENVIRONMENT] = "environment",
	[PLACEMENT_SITES] = "sites",
};

void placement_why(const struct place_choice *c, struct buf *out)
{
	char figure[PAGE_FIGURE];
	const char *between = "";

	if (c->finding && report_finding_names(c->finding, c->fix)) {
		buf_puts(out, c->finding->property);
		between = "; ";
	}
	if (c->gain && c->gain->time_share >= LEAST_SHARE) {
		buf_printf(out, "%sestimated to save %s of the phase's time", between,
			page_percent(figure, c->gain->time_share));
		between = "; ";
	}
	if (c->trial && !isnan(c->trial->gain))
		buf_printf(out, "%stried in the program: %s", between,
			page_percent(figure, c->trial->gain));
}

const char *placement_by_hand(const struct place_choice *c)
{
	if (c->refuted)
		return "nothing: the trial found no gain";
	if (c->action)
		return NULL;
	switch (c->fix) {
	case TRIED_REPLICATE: return "a copy on each memory node, made by the program";
	case TRIED_THREADS: return "the threads that share it on one memory node";
	default: return "each thread allocates, or first writes, the part that it uses";
	}
}

static void put_comment(const struct place_choice *c, struct buf *out)
{
	buf_printf(out, "# %s%s%s", c->structure, c->declared ? ", " : "",
		c->declared ? c->declared : "");
	buf_puts(out, ": ");
	placement_why(c, out);
	buf_puts(out, "\n");
}

/* --- rules ------------------------------------------------------------------------------------ */

static void put_rule(const struct place_choice *c, struct buf *out)
{
	const char *by_hand = placement_by_hand(c);
	struct place_rule rule;

	put_comment(c, out);
	if (place_choice_rule(c, &rule))
		placement_rule(out, &rule);
	else
		buf_printf(out, "#   no rule does it: %s\n", by_hand);
}

static void put_source(const struct report *r, struct buf *out)
{
	buf_printf(out, "# of %s", r->command);
	if (r->machine && *r->machine)
		buf_printf(out, "; memory nodes are those of %.*s", (int)strcspn(r->machine, ":"),
			r->machine);
	buf_puts(out, "\n");
}

static void put_rules(const struct report *r, const struct place_choices *all, struct buf *out)
{
	placement_head(out);
	put_source(r, out);
	for (int i = 0; i < all->n; i++)
		put_rule(&all->choice[i], out);
	if (!all->n)
		buf_puts(out, "# the report speaks for no placement\n");
}

/* --- environment ------------------------------------------------------------------------------ */

/* How many rules have the action; *node: that of all of them, -1: they have several. */
static int rules_with(const struct place_choices *all, enum tried_action action, int *node)
{
	int n = 0;

	*node = -1;
	for (int i = 0; i < all->n; i++) {
		const struct place_choice *c = &all->choice[i];

		if (c->refuted || c->action != action)
			continue;
		*node = n && *node != c->node ? -1 : c->node;
		n++;
	}
	return n;
}

static bool is_heap(const struct place_choice *c)
{
	return c->scope && strncmp(c->scope, "heap", 4) == 0;
}

static void put_nodes_line(const struct place_choices *all, struct buf *out)
{
	int node, all_nodes = rules_with(all, TRIED_ALL_NODES, &node);
	const int one = rules_with(all, TRIED_ONE_NODE, &node);

	if (all_nodes && !one)
		buf_puts(out, "# all memory of the program, not these structures alone\n"
			"numactl --interleave=all PROGRAM\n");
	else if (one && !all_nodes && node >= 0)
		buf_printf(out, "# all memory of the program, not these structures alone\n"
			"numactl --preferred=%d PROGRAM\n", node);
	else if (one)
		buf_puts(out, "# structures belong on different memory nodes: numactl has one "
			"policy for all\n");
}

static void put_threads_line(const struct place_choices *all, struct buf *out)
{
	for (int i = 0; i < all->n; i++) {
		const struct place_choice *c = &all->choice[i];

		if (c->fix != TRIED_THREADS || c->action || c->node < 0)
			continue;
		buf_printf(out, "# %s: all threads of the program, and its memory, on one memory "
			"node\n"
			"numactl --cpunodebind=%d --preferred=%d PROGRAM\n", c->structure, c->node,
			c->node);
		return;
	}
}

static void put_pages_line(const struct place_choices *all, struct buf *out)
{
	for (int i = 0; i < all->n; i++)
		if (!all->choice[i].refuted && all->choice[i].action == TRIED_LARGE_PAGES &&
		    is_heap(&all->choice[i])) {
			buf_puts(out, "# all large blocks of malloc (glibc 2.35 or later)\n"
				"GLIBC_TUNABLES=glibc.malloc.hugetlb=1 PROGRAM\n");
			return;
		}
}

static void put_environment(const struct report *r, const struct place_choices *all,
	struct buf *out)
{
	const size_t before = out->len;

	put_nodes_line(all, out);
	put_threads_line(all, out);
	put_pages_line(all, out);
	if (place_choices_malloc(r))
		buf_puts(out, "# malloc keeps its memory: a trial found a gain\n"
			MALLOC_KEEPS " PROGRAM\n");
	if (out->len == before)
		buf_puts(out, "# the report speaks for nothing that numactl or the environment "
			"does\n");
}

/* --- allocations ------------------------------------------------------------------------------ */

static void put_allocator(const struct place_rule *rule, struct buf *out)
{
	switch (rule->action) {
	case TRIED_ALL_NODES: buf_puts(out, "interleave"); break;
	case TRIED_ONE_NODE: buf_printf(out, "node%u", (unsigned)rule->node); break;
	case TRIED_LARGE_PAGES: buf_puts(out, "hugepage"); break;
	default: buf_puts(out, "local"); break;
	}
}

/* "xmalloc.c:9 > grid.c:20 (make) @ interleave": innermost call first. */
static void put_site(const struct place_choice *c, struct buf *out)
{
	const char *of = c->scope ? strstr(c->scope, " of ") : NULL;
	struct place_rule rule;

	if (!is_heap(c) || !place_choice_rule(c, &rule))
		return;
	put_comment(c, out);
	if (c->allocated && !text_same(c->allocated, c->declared))
		buf_printf(out, "%s > ", c->allocated);
	buf_puts(out, c->declared ? c->declared : "?");
	if (of)
		buf_printf(out, " (%.*s)", (int)strcspn(of + 4, ","), of + 4);
	buf_puts(out, " @ ");
	put_allocator(&rule, out);
	buf_puts(out, "\n");
}

static void put_sites(const struct place_choices *all, struct buf *out)
{
	const size_t before = out->len;

	for (int i = 0; i < all->n; i++)
		put_site(&all->choice[i], out);
	if (out->len == before)
		buf_puts(out, "# the report speaks for no placement of heap blocks\n");
}

void placement_form(const struct report *r, enum placement_form form, struct buf *out)
{
	struct place_choices all;

	place_choices_find(r, &all);
	switch (form) {
	case PLACEMENT_CODE: placement_calls(r, &all, out); break;
	case PLACEMENT_ENVIRONMENT: put_environment(r, &all, out); break;
	case PLACEMENT_SITES: put_sites(&all, out); break;
	default: put_rules(r, &all, out); break;
	}
}
