/* SPDX-License-Identifier: BSD-3-Clause */
/* Pass G, before isel: the native code asks before it calls a hook, so that a region costs two
 * loads while nothing is measured:
 *     if (psc_live) { psc_bind(…); psc_enter(…); }
 *     if (unit->phase[…] & …) psc_phase_next(…);
 * Hooks that follow each other share one test.  This late, because a test is what the vectoriser
 * and the other loop optimisers would trip over; a call to a hook stopped them all the same.  The
 * recording clones ask nobody: they run while something is measured. */
#include "instrument/pscplugin.h"
#include <stddef.h>

enum guard { GUARD_NONE, GUARD_LIVE, GUARD_HEAP, GUARD_PHASE };

/* Statements that may stand between two hooks and are moved before them: a Fortran procedure
 * computes the sizes of its arguments between telling them. */
#define BETWEEN_MAX 64

static enum guard guard_of(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_ENTER:
	case FN_EXIT:
	case FN_FORK:
	case FN_TEAM_ENTER:
	case FN_BIND:
	case FN_BIND_DESCRIPTOR:
	case FN_BARRIER:
	case FN_LANDING:
	case FN_LANDED:
		return stmt_ends_bb_p(stmt) ? GUARD_NONE : GUARD_LIVE;
	case FN_ALLOCATED:
	case FN_RELEASED:
	case FN_SCOPE_BEGIN:
	case FN_SCOPE_END:
		return stmt_ends_bb_p(stmt) ? GUARD_NONE : GUARD_HEAP;
	case FN_PHASE_BEGIN:
	case FN_PHASE_CALL:
	case FN_PHASE_NEXT:
	case FN_PHASE_END:
		return stmt_ends_bb_p(stmt) || TREE_CODE(gimple_call_arg(stmt, 1)) != INTEGER_CST
			? GUARD_NONE : GUARD_PHASE;
	default:
		return GUARD_NONE;
	}
}

/* --- which calls go together ------------------------------------------------------------------ */
typedef std::vector<gimple *> run;

static bool same_guard(const run &calls, gimple *stmt)
{
	enum guard guard = guard_of(stmt);

	if (guard != guard_of(calls[0]))
		return false;
	return guard != GUARD_PHASE ||
		(operand_equal_p(gimple_call_arg(calls[0], 0), gimple_call_arg(stmt, 0)) &&
		 tree_int_cst_equal(gimple_call_arg(calls[0], 1), gimple_call_arg(stmt, 1)));
}

/* A computation in registers or a load: no hook writes what the program reads.  Hooks' results
 * are no operands of it. */
static bool movable(gimple *stmt, const run &calls)
{
	ssa_op_iter iter;
	tree use;

	if (!is_gimple_assign(stmt) || gimple_vdef(stmt) || gimple_has_volatile_ops(stmt) ||
	    stmt_ends_bb_p(stmt) || TREE_CODE(gimple_assign_lhs(stmt)) != SSA_NAME)
		return false;
	FOR_EACH_SSA_TREE_OPERAND(use, stmt, iter, SSA_OP_USE)
		for (gimple *call : calls)
			if (SSA_NAME_DEF_STMT(use) == call)
				return false;
	return true;
}

/* The run that begins with the call at `i`; what stood in between now stands before it. */
static run collect(gimple_stmt_iterator i)
{
	gimple_stmt_iterator first = i;
	run calls = { gsi_stmt(i) }, between;

	for (gsi_next_nondebug(&i); !gsi_end_p(i); gsi_next_nondebug(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (guard_of(stmt) == GUARD_NONE) {
			if (between.size() == BETWEEN_MAX || !movable(stmt, calls))
				break;
			between.push_back(stmt);
			continue;
		}
		if (!same_guard(calls, stmt))
			break;
		for (gimple *moved : between) {
			gimple_stmt_iterator from = gsi_for_stmt(moved);

			gsi_move_before(&from, &first);
		}
		between.clear();
		calls.push_back(stmt);
		i = gsi_for_stmt(stmt);
	}
	return calls;
}

/* --- the code ---------------------------------------------------------------------------------- */
/* The byte of unit->phase that has the region's bit. */
static tree phase_byte(tree unit, unsigned region)
{
	unsigned at = offsetof(struct psc_unit, phase) + PSC_PHASE_BYTE(region);

	/* As a part of the variable: through its address, that would stay in a register from here
	 * to all hooks. */
	if (TREE_CODE(unit) == ADDR_EXPR && VAR_P(TREE_OPERAND(unit, 0)))
		return build3(BIT_FIELD_REF, unsigned_char_type_node, TREE_OPERAND(unit, 0),
			bitsize_int(8), bitsize_int(8 * at));
	return build2(MEM_REF, unsigned_char_type_node, unit, build_int_cst(ptr_type_node, at));
}

/* Ends `bb` with the test; the value is not 0 when the hooks are to be called. */
static void emit_test(basic_block bb, gimple *call, enum guard guard)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	tree type = guard == GUARD_PHASE ? unsigned_char_type_node : integer_type_node;
	tree value = make_ssa_name(type);
	tree source = guard == GUARD_HEAP ? psc_runtime_heap() : psc_runtime_live();

	if (guard == GUARD_PHASE) {
		unsigned region = tree_to_uhwi(gimple_call_arg(call, 1));
		tree loaded = make_ssa_name(type);

		source = phase_byte(gimple_call_arg(call, 0), region);
		gsi_insert_after(&gsi, gimple_build_assign(loaded, source), GSI_NEW_STMT);
		gsi_insert_after(&gsi, gimple_build_assign(value, BIT_AND_EXPR, loaded,
			build_int_cst(type, PSC_PHASE_BIT(region))), GSI_NEW_STMT);
	} else {
		gsi_insert_after(&gsi, gimple_build_assign(value, source), GSI_NEW_STMT);
	}
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, value, build_zero_cst(type), NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
}

/* A result (psc_fork's token) is 0 when the call is not made. */
static void merge_result(gimple *call, edge around, edge made)
{
	tree lhs = gimple_call_lhs(call), value, merged;
	bool memory;

	if (!lhs)
		return;
	memory = TREE_CODE(lhs) != SSA_NAME;
	value = make_ssa_name(TREE_TYPE(lhs));
	merged = memory ? make_ssa_name(TREE_TYPE(lhs)) : lhs;
	gimple_call_set_lhs(call, value);
	update_stmt(call);
	gphi *phi = create_phi_node(merged, around->dest);
	add_phi_arg(phi, build_zero_cst(TREE_TYPE(lhs)), around, UNKNOWN_LOCATION);
	add_phi_arg(phi, value, made, UNKNOWN_LOCATION);
	if (memory) {
		gimple_stmt_iterator gsi = gsi_after_labels(around->dest);

		gsi_insert_before(&gsi, gimple_build_assign(lhs, merged), GSI_SAME_STMT);
	}
}

static void guard_run(const run &calls)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(calls[0]);
	basic_block bb = gimple_bb(calls[0]), hooks;
	edge around, called, back;

	gsi_prev(&gsi);
	around = gsi_end_p(gsi) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(gsi));
	hooks = create_empty_bb(bb);
	hooks->flags |= bb->flags & BB_IRREDUCIBLE_LOOP;
	if (current_loops)
		add_bb_to_loop(hooks, bb->loop_father);
	emit_test(bb, calls[0], guard_of(calls[0]));
	around->flags = (around->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	around->probability = profile_probability::very_likely();
	called = make_edge(bb, hooks, EDGE_TRUE_VALUE | (around->flags & EDGE_IRREDUCIBLE_LOOP));
	called->probability = profile_probability::very_unlikely();
	hooks->count = bb->count.apply_probability(called->probability);
	back = make_single_succ_edge(hooks, around->dest,
		EDGE_FALLTHRU | (around->flags & EDGE_IRREDUCIBLE_LOOP));
	for (gimple *call : calls) {
		gimple_stmt_iterator from = gsi_for_stmt(call);

		gsi_move_to_bb_end(&from, hooks);
		merge_result(call, around, back);
	}
}

/* Returns whether there was a run; the rest of its block is the next block of the walk. */
static bool guard_first(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(i);
			gsi_next_nondebug(&i))
		if (guard_of(gsi_stmt(i)) != GUARD_NONE) {
			guard_run(collect(i));
			return true;
		}
	return false;
}

namespace {
const pass_data guard_data = {
	GIMPLE_PASS, "psc_guard", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class guard_pass : public gimple_opt_pass {
public:
	guard_pass(gcc::context *ctx) : gimple_opt_pass(guard_data, ctx) {}
	bool gate(function *fun) final override
	{
		return !lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl));
	}
	unsigned int execute(function *fun) final override
	{
		std::vector<basic_block> blocks;
		basic_block bb;
		bool changed = false;

		FOR_EACH_BB_FN(bb, fun)
			blocks.push_back(bb);
		for (auto block : blocks)
			for (bb = block; guard_first(bb); changed = true)
				bb = EDGE_SUCC(bb, 0)->dest;
		if (!changed)
			return 0;
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};
}

opt_pass *psc_pass_guard(gcc::context *ctx)
{
	return new guard_pass(ctx);
}
