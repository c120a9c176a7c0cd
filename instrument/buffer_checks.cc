/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides where recording code checks that the thread's record buffer has space, and emits the
 * checks.  PSC_SLACK_WORDS words behind the buffer's end may still be written, so one check serves
 * several blocks.  A check is expensive in code: live registers are saved around its call of
 * __psc_flush(). */
#include "instrument/pscplugin.h"

/* Words that a path through the function may write without a check. */
#define PATH_WORDS (PSC_SLACK_WORDS / 2)
#define UNKNOWN ((uint64_t)1 << 40)

tree psc_buffer_check_insert(basic_block bb)
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

/* Maximum over all forward paths of the words written since the last check, at the block's
 * begin. */
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

static uint64_t add_words(uint64_t used, unsigned words, bool *check)
{
	*check = words > 0 && used + words > PATH_WORDS;
	return *check ? words : used + words;
}

/* Does a back edge bring more words than the block was assumed to begin with? */
static bool grows(basic_block bb, uint64_t before, const std::vector<uint64_t> &after)
{
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, bb->preds)
		if ((e->flags & EDGE_DFS_BACK) && after[e->src->index] > before)
			return true;
	return false;
}

/* Data-flow iteration.  A loop header whose back edges bring more words than its entry counts as
 * unknown, so a loop that writes checks in every iteration; a loop that does not write adds
 * nothing. */
void psc_buffer_checks_plan(psc_buffer_uses *uses)
{
	std::vector<uint64_t> before(uses->size()), after(uses->size());
	std::vector<bool> unknown(uses->size());
	std::vector<int> order(n_basic_blocks_for_fn(cfun));
	int n = pre_and_rev_post_order_compute(NULL, order.data(), false);
	bool again;

	mark_dfs_back_edges();
	do {
		again = false;
		for (int i = 0; i < n; i++) {
			basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
			struct psc_buffer_use &block = (*uses)[bb->index];
			uint64_t used = unknown[bb->index] || block.entered ? UNKNOWN :
				used_before(bb, after);

			before[bb->index] = used;
			used = add_words(used, block.words, &block.check);
			if (block.calls)
				used = block.last_checks ? 0 : UNKNOWN;
			used = add_words(used, block.words_at_end, &block.check_at_end);
			after[bb->index] = used;
		}
		for (int i = 0; i < n; i++) {
			basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);

			if (!unknown[bb->index] && grows(bb, before[bb->index], after))
				unknown[bb->index] = again = true;
		}
	} while (again);
}
