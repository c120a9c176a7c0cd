/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts tests in front of the hooks of native code (pass psc_guard, before isel), so that a region
 * costs two loads while its hooks are not needed:
 *     if (unit->marks[…] & …) { __psc_bind(…); __psc_exit(…); }
 *     if (unit->phase[…] & …) { __psc_phase_begin(…); __psc_enter(…); }
 *     if (unit->iterates[…] & …) __psc_phase_next(…);
 *     if (__psc_live) __psc_landing();
 * Neighbouring hooks share one test.  The pass is late because a branch would hinder the vectoriser
 * and the other loop optimisers; a loop with a call of a hook in it they give up in any case.
 * Recording versions have no tests: they run only while something is measured. */
#include "instrument/pscplugin.h"
#include <stddef.h>

enum guard { GUARD_NONE, GUARD_LIVE, GUARD_HEAP, GUARD_PHASE };

/* How many statements between two hooks may be moved before the first: a Fortran procedure computes
 * the sizes of its arguments between the hooks that pass them. */
#define BETWEEN_MAX 64

static enum guard guard_of(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_ENTER:
	case FN_EXIT:
	case FN_FORK:
	case FN_TEAM_ENTER:
	case FN_BIND:
	case FN_BIND_ALL:
	case FN_BIND_DESCRIPTOR:
	case FN_WAIT:
	case FN_BARRIER:
	case FN_WAITED:
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

/* --- which hooks share a test --------------------------------------------------------------- */
struct run {
	std::vector<gimple *> calls;
	gimple *phase = NULL;           /* the first boundary hook */
	gimple *named = NULL;           /* the first hook of a region: names the unit and the
					 * byte */
	unsigned bits = 0;              /* of the regions, in that byte of psc_unit.phase or
					 * marks */
	bool others = false;            /* hooks of other bytes, or for all regions */
};

static unsigned region_of(gimple *stmt)
{
	return tree_to_uhwi(gimple_call_arg(stmt, 1));
}

/* Is the hook called for one region, whose bit tells whether it is needed? */
static bool names_region(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_ENTER:
	case FN_EXIT:
		return TREE_CODE(gimple_call_arg(stmt, 1)) == INTEGER_CST;
	default:
		return guard_of(stmt) == GUARD_PHASE;
	}
}

/* A dummy argument is bound only while anything is recorded; then the
 * bits of all regions are set. */
static bool any_bit_serves(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_BIND:
	case FN_BIND_ALL:
	case FN_BIND_DESCRIPTOR:
		return true;
	default:
		return false;
	}
}

static bool same_byte(gimple *a, gimple *b)
{
	return operand_equal_p(gimple_call_arg(a, 0), gimple_call_arg(b, 0)) &&
		PSC_PHASE_BYTE(region_of(a)) == PSC_PHASE_BYTE(region_of(b));
}

static bool is_next(gimple *stmt)
{
	return psc_runtime_which(stmt) == FN_PHASE_NEXT;
}

/* May the hook share the run's test?  A run with a boundary tests the bits of its regions, whose
 * hooks are called, too, when another region's bit is the reason: they do nothing then.  Regions of
 * another byte do not join a run that tests bits: it would test __psc_live instead, and call the
 * hooks of brief regions in every clean execution.  The boundary between iterations has a test of
 * its own: a loop of brief iterations keeps its begin and its end while it may be the phase, and
 * the hooks of the calls in it are not called for that. */
static bool joins(const run &r, gimple *stmt)
{
	enum guard guard = guard_of(stmt);

	if ((guard == GUARD_HEAP) != (guard_of(r.calls[0]) == GUARD_HEAP))
		return false;
	if (is_next(stmt) || is_next(r.calls[0]))
		return false;
	if (guard == GUARD_HEAP || any_bit_serves(stmt))
		return true;
	if (!names_region(stmt))
		return !r.phase;
	if (guard == GUARD_PHASE && r.others)
		return false;
	return (r.others && !r.phase && guard != GUARD_PHASE) || !r.named ||
		same_byte(r.named, stmt);
}

static void add(run *r, gimple *stmt)
{
	if (names_region(stmt)) {
		r->named = r->named ? r->named : stmt;
		r->others |= !same_byte(r->named, stmt);
		r->bits |= PSC_PHASE_BIT(region_of(stmt));
		if (guard_of(stmt) == GUARD_PHASE)
			r->phase = r->phase ? r->phase : stmt;
	} else if (!any_bit_serves(stmt)) {
		r->others = true;
	}
	r->calls.push_back(stmt);
}

/* May the statement move before the hooks?  A computation in registers or a load that uses no
 * result of
 * theirs: hooks write nothing that the program reads. */
static bool movable(gimple *stmt, const std::vector<gimple *> &calls)
{
	ssa_op_iter iter;
	tree use;

	if (gimple_clobber_p(stmt))     /* the end of a variable: hooks do not read it */
		return true;
	if (!is_gimple_assign(stmt) || gimple_vdef(stmt) || gimple_has_volatile_ops(stmt) ||
	    stmt_ends_bb_p(stmt) || TREE_CODE(gimple_assign_lhs(stmt)) != SSA_NAME)
		return false;
	FOR_EACH_SSA_TREE_OPERAND(use, stmt, iter, SSA_OP_USE)
		for (gimple *call : calls)
			if (SSA_NAME_DEF_STMT(use) == call)
				return false;
	return true;
}

/* The run of hooks that begins with the call at `i`; moves the statements between its hooks before
 * it. */
static run collect(gimple_stmt_iterator i)
{
	gimple_stmt_iterator first = i;
	std::vector<gimple *> between;
	run r;

	add(&r, gsi_stmt(i));
	for (gsi_next_nondebug(&i); !gsi_end_p(i); gsi_next_nondebug(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (guard_of(stmt) == GUARD_NONE) {
			if (between.size() == BETWEEN_MAX || !movable(stmt, r.calls))
				break;
			between.push_back(stmt);
			continue;
		}
		if (!joins(r, stmt))
			break;
		for (gimple *moved : between) {
			gimple_stmt_iterator from = gsi_for_stmt(moved);

			gsi_move_before(&from, &first);
		}
		between.clear();
		add(&r, stmt);
		i = gsi_for_stmt(stmt);
	}
	return r;
}

/* --- the code ------------------------------------------------------------------------------- */
/* A part of the variable, not a reference through its address: the address would stay in a register
 * from here to all hooks. */
tree psc_unit_field(tree unit, tree type, unsigned at)
{
	if (TREE_CODE(unit) == ADDR_EXPR && VAR_P(TREE_OPERAND(unit, 0)))
		return build3(BIT_FIELD_REF, type, TREE_OPERAND(unit, 0), TYPE_SIZE(type),
			bitsize_int(8 * at));
	return build2(MEM_REF, type, unit, build_int_cst(ptr_type_node, at));
}

tree psc_phase_byte(tree unit, unsigned region)
{
	return psc_unit_field(unit, unsigned_char_type_node, offsetof(struct psc_unit, phase) +
		PSC_PHASE_BYTE(region));
}

/* The run's byte of a field of psc_unit. */
static tree run_byte(const run &r, size_t field)
{
	return psc_unit_field(gimple_call_arg(r.named, 0), unsigned_char_type_node,
		field + PSC_PHASE_BYTE(region_of(r.named)));
}

/* Ends `bb` with the test for the hooks of the run. */
static void emit_test(basic_block bb, const run &r)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	bool heap = !r.calls.empty() && guard_of(r.calls[0]) == GUARD_HEAP;
	bool bits = r.phase || (r.named && !r.others);
	tree type = bits ? unsigned_char_type_node : integer_type_node;
	tree loaded = make_ssa_name(type), value = loaded, source;

	/* While others are measured it has nothing to do. */
	if (!r.calls.empty() && is_next(r.calls[0]))
		source = run_byte(r, offsetof(struct psc_unit, iterates));
	else if (r.phase)
		source = run_byte(r, offsetof(struct psc_unit, phase));
	else if (bits)
		source = run_byte(r, offsetof(struct psc_unit, marks));
	else
		source = heap ? psc_runtime_heap() : psc_runtime_live();
	gsi_insert_after(&gsi, gimple_build_assign(loaded, source), GSI_NEW_STMT);
	if (!heap) {    /* a bit test needs no register, a comparison of the value does */
		value = make_ssa_name(type);
		gsi_insert_after(&gsi, gimple_build_assign(value, BIT_AND_EXPR, loaded,
			build_int_cst(type, bits ? r.bits : 1)), GSI_NEW_STMT);
	}
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, value, build_zero_cst(type), NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
}

/* Ends `bb` with the test that branches to the hooks; its only successor so far is the code behind
 * them.  Returns the edge around them. */
static edge branch(basic_block bb, basic_block hooks, const run &r)
{
	edge around = single_succ_edge(bb), called;

	emit_test(bb, r);
	around->flags = (around->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	around->probability = profile_probability::very_likely();
	called = make_edge(bb, hooks, EDGE_TRUE_VALUE | (around->flags & EDGE_IRREDUCIBLE_LOOP));
	called->probability = profile_probability::very_unlikely();
	hooks->count = bb->count.apply_probability(called->probability);
	return around;
}

/* The hook's result (__psc_fork's token) is 0 when the hook is not called. */
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

/* As a tail call the hook would need an epilogue and unwind entries of its own. */
static void no_jump(gimple *call)
{
	gimple_call_set_tail(as_a<gcall *>(call), false);
}

static void guard_run(const run &r)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(r.calls[0]);
	basic_block bb = gimple_bb(r.calls[0]), hooks;
	edge around, back;

	gsi_prev(&gsi);
	around = gsi_end_p(gsi) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(gsi));
	hooks = create_empty_bb(bb);
	hooks->flags |= bb->flags & BB_IRREDUCIBLE_LOOP;
	if (current_loops)
		add_bb_to_loop(hooks, bb->loop_father);
	around = branch(bb, hooks, r);
	back = make_single_succ_edge(hooks, around->dest,
		EDGE_FALLTHRU | (around->flags & EDGE_IRREDUCIBLE_LOOP));
	for (gimple *call : r.calls) {
		gimple_stmt_iterator from = gsi_for_stmt(call);

		gsi_move_to_bb_end(&from, hooks);
		no_jump(call);
		merge_result(call, around, back);
	}
}

/* Guards the block's first run; the code behind it becomes a new block.  False: there is no run. */
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

/* --- the dispatch --------------------------------------------------------------------------- */
/* The first run of the block.  all: only if every statement before it can be moved. */
static run first_run(basic_block bb, bool all)
{
	for (gimple_stmt_iterator i = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(i);
			gsi_next_nondebug(&i))
		if (guard_of(gsi_stmt(i)) != GUARD_NONE)
			return guard_of(gsi_stmt(i)) == GUARD_HEAP ? run() : collect(i);
		else if (all && !movable(gsi_stmt(i), {}))
			break;
	return run();
}

/* The load of __psc_recording that the block's last statement tests; NULL: the block is no
 * dispatch. */
static gimple *dispatch_of(basic_block bb)
{
	gcond *cond = safe_dyn_cast<gcond *>(last_stmt(bb));
	tree value = cond && gimple_cond_code(cond) == NE_EXPR ? gimple_cond_lhs(cond) : NULL_TREE;
	gimple *load = value && TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
	tree from = load && gimple_assign_load_p(load) ? gimple_assign_rhs1(load) : NULL_TREE;

	return from && VAR_P(from) && DECL_NAME(from) && gimple_bb(load) == bb &&
		integer_zerop(gimple_cond_rhs(cond)) && has_single_use(value) &&
		strcmp(IDENTIFIER_POINTER(DECL_NAME(from)), "__psc_recording") == 0 ? load : NULL;
}

/* Moves the statements from `first` to the end of its block before `first`, except the run, the
 * load and the last statement.  False: a statement cannot be moved, nothing was changed. */
static bool clear_way(gimple *first, const run &r, gimple *load)
{
	gimple *last = last_stmt(gimple_bb(first));
	gimple_stmt_iterator i = gsi_for_stmt(first), to = i;
	std::vector<gimple *> moved;

	for (; !gsi_end_p(i); gsi_next_nondebug(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (stmt == load || stmt == last ||
		    std::find(r.calls.begin(), r.calls.end(), stmt) != r.calls.end())
			continue;
		if (!movable(stmt, r.calls))
			return false;
		moved.push_back(stmt);
	}
	for (gimple *stmt : moved) {
		i = gsi_for_stmt(stmt);
		gsi_move_before(&i, &to);
	}
	return true;
}

/* Moves the statements before `until` in its block to before `to`. */
static void move_up(gimple *until, gimple *to)
{
	basic_block bb = gimple_bb(until);
	gimple_stmt_iterator target = gsi_for_stmt(to);

	for (gimple_stmt_iterator i = gsi_start_nondebug_after_labels_bb(bb); gsi_stmt(i) != until;
			i = gsi_start_nondebug_after_labels_bb(bb))
		gsi_move_before(&i, &target);
}

static edge split_before(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);
	basic_block bb = gimple_bb(stmt);

	gsi_prev(&i);
	return gsi_end_p(i) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(i));
}

static bool has_results(const run &r)
{
	return std::any_of(r.calls.begin(), r.calls.end(), [](gimple *call) {
		return gimple_call_lhs(call) != NULL_TREE;
	});
}

/* The begin of a function has three tests: is this call the phase, is anything recorded, is
 * anything measured?  Each of the first two implies the third, so one test can precede all:
 *     if (phase bit) { __psc_phase_call(); if (__psc_recording) return clone(); __psc_enter(); … }
 * Returns the blocks that need no further guards. */
static std::set<basic_block> guard_dispatch(basic_block bb)
{
	gimple *load = dispatch_of(bb), *first;
	run before, after, all;
	basic_block ask, begin, rest;
	edge native;

	if (!load)
		return {};
	native = EDGE_SUCC(bb, EDGE_SUCC(bb, 0)->flags & EDGE_FALSE_VALUE ? 0 : 1);
	begin = native->dest;
	before = first_run(bb, false);
	first = before.calls.empty() ? load : before.calls[0];
	if (!single_pred_p(begin) || has_results(before) || !clear_way(first, before, load))
		return {};
	all = before;
	after = first_run(begin, true);
	if (has_results(after))
		after = run();
	for (gimple *call : after.calls)
		if (all.calls.empty() || joins(all, call)) {
			add(&all, call);
		} else {
			all = before;
			after = run();
			break;
		}
	if (all.calls.empty())
		return {};
	if (!after.calls.empty())
		move_up(after.calls[0], first);
	ask = split_before(first)->dest;
	rest = after.calls.empty() ? split_block_after_labels(begin)->dest :
		split_block(begin, after.calls.back())->dest;
	redirect_edge_succ(single_succ_edge(bb), rest);
	branch(bb, ask, all);
	begin->count = ask->count;
	for (gimple *call : all.calls)
		no_jump(call);
	return { ask, begin };
}

static bool guard_all(function *fun)
{
	std::set<basic_block> done = guard_dispatch(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)));
	std::vector<basic_block> blocks;
	bool changed = !done.empty();
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		if (!done.count(bb))
			blocks.push_back(bb);
	for (auto block : blocks)
		for (bb = block; guard_first(bb); changed = true)
			bb = EDGE_SUCC(bb, 0)->dest;
	return changed;
}

namespace {
const pass_data guard_data = {
	GIMPLE_PASS, "psc_guard", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class guard_pass : public gimple_opt_pass {
public:
	guard_pass(gcc::context *ctx) : gimple_opt_pass(guard_data, ctx) {}
	unsigned int execute(function *fun) final override
	{
		bool changed = false;

		psc_marked_loads(fun);
		if (!lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl)))
			changed = guard_all(fun);
		psc_version_jumps(fun);
		if (!psc_hooks_merge(fun) && !changed)
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
