/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates tail calls: one copy with markers, one that stays a jump.  Natively a chain of tail
 * calls needs no stack: each is a jump, or a loop where the function calls itself.  A call with an
 * exit marker behind it needs a frame; in return the call has inclusive times and counts.  Hence
 * both:
 *     if (!__psc_unit.phase bit || __psc_deep()) { exit; return g(args); }
 *     enter; v = g(args); exit; return v;
 * Recording versions run only while something is measured: they omit the test of the bit.
 * __psc_deep() is true when so much of the thread's stack is used that an unbounded chain of frames
 * could exhaust it.  The region is then left before the call, and g counts to the region around
 * it. */
#include "instrument/pscplugin.h"

static bool is_call(gimple *stmt)
{
	tree callee;

	if (!is_gimple_call(stmt) || gimple_call_internal_p(stmt) ||
	    psc_runtime_which(stmt) != FN_COUNT)
		return false;
	callee = gimple_call_fndecl(stmt);
	return !callee || !fndecl_built_in_p(callee);
}

/* Do only markers and the return follow the statement? */
static bool is_tail(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);
	basic_block bb = gimple_bb(stmt);
	edge e;
	edge_iterator ei;

	gsi_next_nondebug(&i);
	for (int n = 0; n < 20; n++) {
		for (; !gsi_end_p(i); gsi_next_nondebug(&i)) {
			gimple *s = gsi_stmt(i);

			if (gimple_code(s) == GIMPLE_RETURN)
				return true;
			if (gimple_code(s) != GIMPLE_LABEL && gimple_code(s) != GIMPLE_PREDICT &&
			    gimple_code(s) != GIMPLE_NOP && !gimple_clobber_p(s) &&
			    !psc_is_marker(s))
				return false;
		}
		basic_block next = NULL;

		FOR_EACH_EDGE(e, ei, bb->succs)
			if (!(e->flags & EDGE_EH)) {
				if (next || e->flags & EDGE_ABNORMAL)
					return false;
				next = e->dest;
			}
		if (!next || next == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return next != NULL;
		bb = next;
		i = gsi_start_bb(bb);
	}
	return false;
}

/* May a chain of tail calls that begins with the function continue in another unit, or in
 * itself? */
static bool chain_may_continue(cgraph_node *node)
{
	static std::map<cgraph_node *, bool> known;
	auto at = known.find(node);
	basic_block bb;

	if (at != known.end())
		return at->second;
	bool may_continue = false;

	known[node] = true;                      /* during the search: a cycle is open */
	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !may_continue && !gsi_end_p(i);
		     gsi_next(&i))
			may_continue = psc_tail_call_may_recur(gsi_stmt(i));
	pop_cfun();
	return known[node] = may_continue;
}

bool psc_tail_call_may_recur(gimple *stmt)
{
	tree callee;
	cgraph_node *node;

	if (!is_call(stmt) || gimple_call_from_thunk_p(as_a<gcall *>(stmt)) || !is_tail(stmt))
		return false;
	callee = gimple_call_fndecl(stmt);
	if (!callee)
		return true;
	if (psc_function_internal(callee) || in_system_header_at(DECL_SOURCE_LOCATION(callee)))
		return false;
	node = cgraph_node::get(callee);
	return !node || !node->has_gimple_body_p() || !DECL_STRUCT_FUNCTION(callee)->cfg ||
		chain_may_continue(node);
}

/* --- conditions ----------------------------------------------------------------------------- */
/* The region's bit of psc_unit.phase, set while its markers are called. */
static tree phase_bit(gimple_stmt_iterator *gsi, int region)
{
	tree byte = make_ssa_name(unsigned_char_type_node),
		bit = make_ssa_name(unsigned_char_type_node);

	gsi_insert_after(gsi, gimple_build_assign(byte, psc_phase_byte(
		build_fold_addr_expr(psc_runtime_unit()), region)), GSI_NEW_STMT);
	gsi_insert_after(gsi, gimple_build_assign(bit, BIT_AND_EXPR, byte,
		build_int_cst(unsigned_char_type_node, PSC_PHASE_BIT(region))), GSI_NEW_STMT);
	return bit;
}

static tree insert_deep_call(gimple_stmt_iterator *gsi)
{
	tree deep = make_ssa_name(uint32_type_node);
	gcall *call = gimple_build_call(psc_runtime_function(FN_DEEP), 0);

	gimple_call_set_lhs(call, deep);
	gsi_insert_after(gsi, call, GSI_NEW_STMT);
	return deep;
}

/* Ends `bb` with `if (value CODE 0) goto to;`, else it continues as before.  p: probability of
 * `to`. */
static void branch(basic_block bb, enum tree_code code, tree value, basic_block to,
	profile_probability p)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	edge on = single_succ_edge(bb), off = make_edge(bb, to, EDGE_TRUE_VALUE);

	gsi_insert_after(&gsi, gimple_build_cond(code, value, build_zero_cst(TREE_TYPE(value)),
		NULL_TREE, NULL_TREE), GSI_NEW_STMT);
	on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	off->probability = p;
	on->probability = p.invert();
	off->dest->count += off->count();
	on->dest->count = on->count();
}

/* --- the calls ------------------------------------------------------------------------------ */
/* The blocks from the call, or its enter marker, to the return.  Empty: control may branch
 * there. */
static std::vector<basic_block> path_to_return(gimple *call)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);
	std::vector<basic_block> path;
	basic_block bb = gimple_bb(call);

	for (bb = single_succ_p(bb) ? bb : NULL; bb && bb != EXIT_BLOCK_PTR_FOR_FN(cfun);
	     bb = single_succ(bb)) {
		path.push_back(bb);
		if (!single_succ_p(bb) || path.size() > 20)
			return {};
	}
	if (path.empty())
		return path;
	gsi_prev_nondebug(&i);
	if (!gsi_end_p(i) && psc_runtime_which(gsi_stmt(i)) == FN_ENTER)
		gsi_prev_nondebug(&i);
	path[0] = (gsi_end_p(i) ? split_block_after_labels(path[0]) :
		split_block(path[0], gsi_stmt(i)))->dest;
	return path;
}

static std::vector<basic_block> copy_path(std::vector<basic_block> &path)
{
	std::vector<basic_block> copies(path.size());

	initialize_original_copy_tables();
	copy_bbs(path.data(), path.size(), copies.data(), NULL, 0, NULL, path[0]->loop_father,
		EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb, false);
	add_phi_args_after_copy(copies.data(), copies.size(), NULL);
	free_original_copy_tables();
	return copies;
}

static std::vector<gimple *> statements(const std::vector<basic_block> &blocks)
{
	std::vector<gimple *> list;

	for (auto bb : blocks)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			list.push_back(gsi_stmt(i));
	return list;
}

/* Removes the call's own enter and exit markers, and moves the other exits before the call. */
static void move_exits_before_call(const std::vector<basic_block> &blocks)
{
	gimple *call = NULL;
	tree own = NULL_TREE;

	for (auto stmt : statements(blocks)) {
		enum psc_function which = psc_runtime_which(stmt);

		if (which == FN_ENTER) {
			own = gimple_call_arg(stmt, 1);
			psc_marker_remove(stmt);
		} else if (which == FN_EXIT && own &&
		    tree_int_cst_equal(own, gimple_call_arg(stmt, 1))) {
			psc_marker_remove(stmt);
		} else if (psc_is_marker(stmt) && call) {
			gimple_stmt_iterator from = gsi_for_stmt(stmt), to = gsi_for_stmt(call);

			gsi_move_before(&from, &to);
		} else if (is_call(stmt)) {
			call = stmt;
		}
	}
}

static bool duplicate(gimple *call, int region, bool natively)
{
	std::vector<basic_block> path = path_to_return(call), jump;

	if (path.empty())
		return false;
	basic_block test = single_pred(path[0]);
	gimple_stmt_iterator gsi = gsi_last_bb(test);

	jump = copy_path(path);
	move_exits_before_call(jump);
	jump[0]->count = profile_count::zero();
	if (natively) {
		tree bit = phase_bit(&gsi, region);

		branch(test, EQ_EXPR, bit, jump[0], profile_probability::very_likely());
		test = split_edge(single_pred_edge(path[0]));
		gsi = gsi_last_bb(test);
	}
	branch(test, NE_EXPR, insert_deep_call(&gsi), jump[0],
		profile_probability::very_unlikely());
	return true;
}

void psc_tail_calls_duplicate(cgraph_node *node, int region, bool natively)
{
	std::vector<gimple *> calls;
	basic_block bb;
	bool changed = false;

	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_tail_call_may_recur(gsi_stmt(i)))
				calls.push_back(gsi_stmt(i));
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	for (auto call : calls)
		changed |= duplicate(call, region, natively);
	if (changed) {
		mark_virtual_operands_for_renaming(cfun);
		update_ssa(TODO_update_ssa);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
}
