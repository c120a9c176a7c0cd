/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the code asks whether there is room in the thread's buffer: behind the buffer's end lie
 * PSC_SLACK_WORDS words, so not every block need ask.  Each question costs its code twice, since
 * all that lives in registers is saved around the call that empties the buffer. */
#include "instrument/pscplugin.h"

/* What a way through the function may write without asking. */
#define WAY_WORDS (PSC_SLACK_WORDS / 2)
#define UNKNOWN ((uint64_t)1 << 40)

/* if (psc_cur >= psc_end) __psc_flush(); at the block's beginning.  Returns psc_cur, for the
 * block's first segment. */
tree psc_room_check(basic_block bb)
{
	edge on = split_block_after_labels(bb), full, back;
	basic_block body = on->dest, flush = create_empty_bb(bb);
	tree cur = make_ssa_name(ptr_type_node), end = make_ssa_name(ptr_type_node);
	tree again = make_ssa_name(ptr_type_node), merged = make_ssa_name(ptr_type_node);
	gimple_stmt_iterator gsi = gsi_last_bb(bb);

	gsi_insert_after(&gsi, gimple_build_assign(cur, psc_runtime_cur()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_assign(end, psc_runtime_end()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(GE_EXPR, cur, end, NULL_TREE, NULL_TREE),
		GSI_NEW_STMT);
	if (current_loops)
		add_bb_to_loop(flush, bb->loop_father);
	on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	on->probability = profile_probability::very_likely();
	full = make_edge(bb, flush, EDGE_TRUE_VALUE);
	full->probability = profile_probability::very_unlikely();
	flush->count = bb->count.apply_probability(full->probability);
	back = make_single_succ_edge(flush, body, EDGE_FALLTHRU);
	gsi = gsi_last_bb(flush);
	gsi_insert_after(&gsi, gimple_build_call(psc_runtime_function(FN_FLUSH), 0), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_assign(again, psc_runtime_cur()), GSI_NEW_STMT);
	gphi *phi = create_phi_node(merged, body);
	add_phi_arg(phi, cur, on, UNKNOWN_LOCATION);
	add_phi_arg(phi, again, back, UNKNOWN_LOCATION);
	return merged;
}

/* Words written since the last question, when the block begins: the most of all ways to it. */
static uint64_t used_before(basic_block bb, const std::vector<uint64_t> &after)
{
	uint64_t most = 0;
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, bb->preds)
		if (e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) || (e->flags & EDGE_COMPLEX))
			return UNKNOWN;
		else if (!(e->flags & EDGE_DFS_BACK))
			most = std::max(most, after[e->src->index]);
	return most;
}

static uint64_t use(uint64_t used, unsigned words, bool *check)
{
	*check = words > 0 && used + words > WAY_WORDS;
	return *check ? words : used + words;
}

/* Is the most that back edges bring more than what the block began with? */
static bool grows(basic_block bb, uint64_t before, const std::vector<uint64_t> &after)
{
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, bb->preds)
		if ((e->flags & EDGE_DFS_BACK) && after[e->src->index] > before)
			return true;
	return false;
}

/* A loop that writes asks in each iteration; one that does not is as if it were not there. */
void psc_rooms_plan(psc_rooms *rooms)
{
	std::vector<uint64_t> before(rooms->size()), after(rooms->size());
	std::vector<bool> unknown(rooms->size());
	std::vector<int> order(n_basic_blocks_for_fn(cfun));
	int n = pre_and_rev_post_order_compute(NULL, order.data(), false);
	bool again;

	mark_dfs_back_edges();
	do {
		again = false;
		for (int i = 0; i < n; i++) {
			basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
			struct psc_room &room = (*rooms)[bb->index];
			uint64_t used = unknown[bb->index] ? UNKNOWN : used_before(bb, after);

			before[bb->index] = used;
			used = use(used, room.words, &room.check);
			if (room.calls)
				used = room.fresh ? 0 : UNKNOWN;
			used = use(used, room.later, &room.check_later);
			after[bb->index] = used;
		}
		for (int i = 0; i < n; i++) {
			basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);

			if (!unknown[bb->index] && grows(bb, before[bb->index], after))
				unknown[bb->index] = again = true;
		}
	} while (again);
}
