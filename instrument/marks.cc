/* SPDX-License-Identifier: BSD-3-Clause */
/* The last that is done to hooks: those of a region are called by the address of its struct psc_mark,
 * one argument instead of two, and the two that stand together at the begin and at the end of a
 * subroutine and of a loop become one. */
#include "instrument/pscplugin.h"

/* The region of a hook that names one; -1: another statement, or not known here. */
static int region_of(gimple *stmt, enum psc_function which)
{
	tree unit, region;

	if (which > FN_PHASE_END)
		return -1;
	unit = gimple_call_arg(stmt, 0);
	region = gimple_call_arg(stmt, 1);
	return TREE_CODE(unit) == ADDR_EXPR && VAR_P(TREE_OPERAND(unit, 0)) &&
		TREE_CODE(region) == INTEGER_CST ? (int)tree_to_uhwi(region) : -1;
}

bool psc_mark_gives_room(gimple *stmt)
{
	enum psc_function which = psc_runtime_which(stmt);

	return which != FN_PHASE_CALL && region_of(stmt, which) >= 0 && !stmt_ends_bb_p(stmt);
}

static bool is_void_end(gimple *stmt)
{
	return !integer_zerop(gimple_call_arg(stmt, 2));
}

static enum psc_function alone(gimple *stmt, enum psc_function which)
{
	switch (which) {
	case FN_ENTER: return FN_MARK_ENTER;
	case FN_EXIT: return FN_MARK_EXIT;
	case FN_FORK: return FN_MARK_FORK;
	case FN_TEAM_ENTER: return FN_MARK_TEAM;
	case FN_PHASE_BEGIN: return FN_MARK_BEGIN;
	case FN_PHASE_CALL: return FN_MARK_CALL;
	case FN_PHASE_NEXT: return FN_MARK_NEXT;
	case FN_PHASE_END: return is_void_end(stmt) ? FN_MARK_VOID : FN_MARK_END;
	default: return FN_COUNT;
	}
}

/* Two that follow each other, the second of the region that is `apart` behind the first's; FN_COUNT:
 * they stay two. */
static enum psc_function together(gimple *first, enum psc_function a, gimple *second,
	enum psc_function b, int apart)
{
	if (a == FN_EXIT && b == FN_ENTER && apart == 1)
		return FN_MARK_STEP;
	if (apart != 0)
		return FN_COUNT;
	if (a == FN_EXIT && b == FN_PHASE_END && !is_void_end(second))
		return FN_SUB_END;
	if (a == FN_PHASE_BEGIN && b == FN_ENTER)
		return FN_SUB_BEGIN;
	if (a == FN_PHASE_BEGIN && b == FN_FORK)
		return FN_FORK_BEGIN;
	if (a == FN_ENTER && b == FN_PHASE_BEGIN)
		return FN_LOOP_BEGIN;
	if (a == FN_PHASE_END && b == FN_EXIT)
		return is_void_end(first) ? FN_LOOP_VOID : FN_LOOP_END;
	return FN_COUNT;
}

static gimple *next_of(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);

	gsi_next_nondebug(&i);
	return gsi_end_p(i) ? NULL : gsi_stmt(i);
}

static tree mark_address(gimple *stmt, int region)
{
	HOST_WIDE_INT at = sizeof(struct psc_unit) + region * sizeof(struct psc_mark);

	return build1(ADDR_EXPR, ptr_type_node, build2(MEM_REF, unsigned_char_type_node,
		unshare_expr(gimple_call_arg(stmt, 0)), build_int_cst(ptr_type_node, at)));
}

/* `result` is where that of the new call goes, or NULL_TREE. */
static void replace(gimple *stmt, enum psc_function which, int region, tree result)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
	gcall *call = gimple_build_call(psc_runtime_function(which), which == FN_MARK_TEAM ? 2 : 1,
		mark_address(stmt, region));

	if (which == FN_MARK_TEAM)
		gimple_call_set_arg(call, 1, gimple_call_arg(stmt, 2));
	if (result) {
		gimple_call_set_lhs(call, result);
		if (TREE_CODE(result) == SSA_NAME)
			SSA_NAME_DEF_STMT(result) = call;
	}
	gimple_call_set_tail(call, gimple_call_tail_p(as_a<gcall *>(stmt)));
	gimple_set_location(call, gimple_location(stmt));
	gimple_move_vops(call, stmt);
	gsi_replace(&gsi, call, true);
}

static void drop(gimple *stmt)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

	gimple_call_set_lhs(stmt, NULL_TREE);   /* another's now */
	unlink_stmt_vdef(stmt);
	gsi_remove(&gsi, true);
	release_defs(stmt);
}

static void shorten(gimple *stmt)
{
	enum psc_function which = psc_runtime_which(stmt), pair = FN_COUNT, other;
	int region = region_of(stmt, which);
	gimple *next = region >= 0 ? next_of(stmt) : NULL;

	if (region < 0 || stmt_ends_bb_p(stmt))
		return;
	other = next ? psc_runtime_which(next) : FN_COUNT;
	if (other <= FN_PHASE_END && !stmt_ends_bb_p(next) &&
	    operand_equal_p(gimple_call_arg(stmt, 0), gimple_call_arg(next, 0)))
		pair = together(stmt, which, next, other, region_of(next, other) - region);
	tree result = gimple_call_lhs(pair != FN_COUNT ? next : stmt);
	if (pair != FN_COUNT)
		drop(next);
	replace(stmt, pair != FN_COUNT ? pair : alone(stmt, which), region, result);
}

bool psc_marks_shorten(function *fun)
{
	std::vector<gimple *> hooks;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_which(gsi_stmt(i)) <= FN_PHASE_END)
				hooks.push_back(gsi_stmt(i));
	for (gimple *stmt : hooks)
		if (gimple_bb(stmt))    /* else it was joined with the one before */
			shorten(stmt);
	return !hooks.empty();
}
