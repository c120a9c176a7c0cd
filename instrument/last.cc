/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in last place.  Natively a chain of them needs no stack: each is a jump, or a loop where the function
 * calls itself.  With the markers behind it, it takes a frame, and gets an inclusive time and counts.  So it
 * stands twice:
 *     if (!__psc_unit.phase bit || __psc_deep()) { exit; return g(args); }
 *     enter; v = g(args); exit; return v;
 * Clones, which run only while something is measured, do not ask for the bit.  Deep is where the thread's
 * stack is used so far that frames without end would leave too little of it: then the region is left
 * before the call, and what g does counts to the region around. */
#include "instrument/pscplugin.h"

static bool is_call(gimple *stmt)
{
	tree callee;

	if (!is_gimple_call(stmt) || gimple_call_internal_p(stmt) || psc_runtime_which(stmt) != FN_COUNT)
		return false;
	callee = gimple_call_fndecl(stmt);
	return !callee || !fndecl_built_in_p(callee);
}

/* Nothing behind it but markers and the return? */
static bool is_last(gimple *stmt)
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
			    gimple_code(s) != GIMPLE_NOP && !gimple_clobber_p(s) && !psc_marker(s))
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

/* May a chain of calls in last place that begins with the function go on in another unit, or in itself? */
static bool is_open(cgraph_node *node)
{
	static std::map<cgraph_node *, bool> known;
	auto at = known.find(node);
	basic_block bb;

	if (at != known.end())
		return at->second;
	bool open = false;

	known[node] = true;                      /* while we look: a circle is open */
	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !open && !gsi_end_p(i); gsi_next(&i))
			open = psc_last_may_come_back(gsi_stmt(i));
	pop_cfun();
	return known[node] = open;
}

/* A call in last place, to what is not known to end. */
bool psc_last_may_come_back(gimple *stmt)
{
	tree callee;
	cgraph_node *node;

	if (!is_call(stmt) || gimple_call_from_thunk_p(as_a<gcall *>(stmt)) || !is_last(stmt))
		return false;
	callee = gimple_call_fndecl(stmt);
	if (!callee)
		return true;
	if (psc_function_internal(callee) || in_system_header_at(DECL_SOURCE_LOCATION(callee)))
		return false;
	node = cgraph_node::get(callee);
	return !node || !node->has_gimple_body_p() || !DECL_STRUCT_FUNCTION(callee)->cfg || is_open(node);
}

/* --- which way -------------------------------------------------------------------------------------- */
/* Set while anything is measured. */
static tree phase_bit(gimple_stmt_iterator *gsi, int region)
{
	tree byte = make_ssa_name(unsigned_char_type_node), bit = make_ssa_name(unsigned_char_type_node);

	gsi_insert_after(gsi, gimple_build_assign(byte, psc_phase_byte(
		build_fold_addr_expr(psc_runtime_unit()), region)), GSI_NEW_STMT);
	gsi_insert_after(gsi, gimple_build_assign(bit, BIT_AND_EXPR, byte,
		build_int_cst(unsigned_char_type_node, PSC_PHASE_BIT(region))), GSI_NEW_STMT);
	return bit;
}

static tree ask_deep(gimple_stmt_iterator *gsi)
{
	tree deep = make_ssa_name(uint32_type_node);
	gcall *call = gimple_build_call(psc_runtime_function(FN_DEEP), 0);

	gimple_call_set_lhs(call, deep);
	gsi_insert_after(gsi, call, GSI_NEW_STMT);
	return deep;
}

/* The block branches to `to` where `value` compared with 0 says so, else goes on as it did. */
static void branch(basic_block bb, enum tree_code code, tree value, basic_block to, profile_probability p)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	edge on = single_succ_edge(bb), off = make_edge(bb, to, EDGE_TRUE_VALUE);

	gsi_insert_after(&gsi, gimple_build_cond(code, value, build_zero_cst(TREE_TYPE(value)), NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
	on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	off->probability = p;
	on->probability = p.invert();
	off->dest->count += off->count();
	on->dest->count = on->count();
}

/* --- the calls ------------------------------------------------------------------------------------- */
/* From the call, or its own marker, to the return, in one line; empty: it is not so. */
static std::vector<basic_block> way_out(gimple *call)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);
	std::vector<basic_block> way;
	basic_block bb = gimple_bb(call);

	for (bb = single_succ_p(bb) ? bb : NULL; bb && bb != EXIT_BLOCK_PTR_FOR_FN(cfun); bb = single_succ(bb)) {
		way.push_back(bb);
		if (!single_succ_p(bb) || way.size() > 20)
			return {};
	}
	if (way.empty())
		return way;
	gsi_prev_nondebug(&i);
	if (!gsi_end_p(i) && psc_runtime_which(gsi_stmt(i)) == FN_ENTER)
		gsi_prev_nondebug(&i);
	way[0] = (gsi_end_p(i) ? split_block_after_labels(way[0]) : split_block(way[0], gsi_stmt(i)))->dest;
	return way;
}

static std::vector<basic_block> copy_way(std::vector<basic_block> &way)
{
	std::vector<basic_block> copies(way.size());

	initialize_original_copy_tables();
	copy_bbs(way.data(), way.size(), copies.data(), NULL, 0, NULL, way[0]->loop_father,
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

/* The exits come before the call, whose own two markers go. */
static void exits_first(const std::vector<basic_block> &blocks)
{
	gimple *call = NULL;
	tree own = NULL_TREE;

	for (auto stmt : statements(blocks)) {
		enum psc_function which = psc_runtime_which(stmt);

		if (which == FN_ENTER) {
			own = gimple_call_arg(stmt, 1);
			psc_marker_drop(stmt);
		} else if (which == FN_EXIT && own && tree_int_cst_equal(own, gimple_call_arg(stmt, 1))) {
			psc_marker_drop(stmt);
		} else if (psc_marker(stmt) && call) {
			gimple_stmt_iterator from = gsi_for_stmt(stmt), to = gsi_for_stmt(call);

			gsi_move_before(&from, &to);
		} else if (is_call(stmt)) {
			call = stmt;
		}
	}
}

static bool split(gimple *call, int region, bool natively)
{
	std::vector<basic_block> way = way_out(call), jump;

	if (way.empty())
		return false;
	basic_block test = single_pred(way[0]);
	gimple_stmt_iterator gsi = gsi_last_bb(test);

	jump = copy_way(way);
	exits_first(jump);
	jump[0]->count = profile_count::zero();
	if (natively) {
		tree bit = phase_bit(&gsi, region);

		branch(test, EQ_EXPR, bit, jump[0], profile_probability::very_likely());
		test = split_edge(single_pred_edge(way[0]));
		gsi = gsi_last_bb(test);
	}
	branch(test, NE_EXPR, ask_deep(&gsi), jump[0], profile_probability::very_unlikely());
	return true;
}

void psc_last_split(cgraph_node *node, int region, bool natively)
{
	std::vector<gimple *> calls;
	basic_block bb;
	bool changed = false;

	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_last_may_come_back(gsi_stmt(i)))
				calls.push_back(gsi_stmt(i));
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	for (auto call : calls)
		changed |= split(call, region, natively);
	if (changed) {
		mark_virtual_operands_for_renaming(cfun);
		update_ssa(TODO_update_ssa);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
}
