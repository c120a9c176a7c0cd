/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortens the hooks' calls, as the last change of the code: a hook gets the address of its
 * region's struct psc_mark instead of unit and number, and neighbouring hooks at the begin or end
 * of subroutines and loops become one call. */
#include "instrument/pscplugin.h"

/* The region of a hook with a unit and a region; -1: another statement, or an unknown region. */
static int region_of(gimple *stmt, enum psc_function which)
{
	tree unit, region;

	if (which > FN_PHASE_END || stmt_ends_bb_p(stmt))
		return -1;
	unit = gimple_call_arg(stmt, 0);
	region = gimple_call_arg(stmt, 1);
	return TREE_CODE(unit) == ADDR_EXPR && VAR_P(TREE_OPERAND(unit, 0)) &&
		TREE_CODE(region) == INTEGER_CST ? (int)tree_to_uhwi(region) : -1;
}

bool psc_hook_checks_buffer(gimple *stmt)
{
	enum psc_function which = psc_runtime_which(stmt);

	return which != FN_PHASE_CALL && which != FN_BIND_ALL && region_of(stmt, which) >= 0;
}

static bool is_void_end(gimple *stmt)
{
	return !integer_zerop(gimple_call_arg(stmt, 2));
}

static enum psc_function mark_hook_of(gimple *stmt, enum psc_function which)
{
	switch (which) {
	case FN_ENTER: return FN_MARK_ENTER;
	case FN_EXIT: return FN_MARK_EXIT;
	case FN_FORK: return FN_MARK_FORK;
	case FN_TEAM_ENTER: return FN_MARK_TEAM;
	case FN_WAIT: return FN_MARK_WAIT;
	case FN_BARRIER: return FN_MARK_BARRIER;
	case FN_WAITED: return FN_MARK_WAITED;
	case FN_BIND_ALL: return FN_MARK_BIND;
	case FN_PHASE_BEGIN: return FN_MARK_BEGIN;
	case FN_PHASE_CALL: return FN_MARK_CALL;
	case FN_PHASE_NEXT: return FN_MARK_NEXT;
	case FN_PHASE_END: return is_void_end(stmt) ? FN_MARK_VOID : FN_MARK_END;
	default: return FN_COUNT;
	}
}

/* The call that replaces one or several consecutive hooks. */
struct merged_hook {
	enum psc_function which;
	int region;                 /* its mark is the argument */
	tree result;                /* left-hand side of the call, or NULL_TREE */
	auto_vec<tree> more;        /* arguments behind the mark */
};

/* One hook for hook a followed by hook b; apart: b's region minus a's.  FN_COUNT: there is none. */
static enum psc_function merged_kind(enum psc_function a, enum psc_function b, int apart)
{
	if (a == FN_MARK_EXIT && b == FN_MARK_ENTER && apart == 1)
		return FN_MARK_STEP;
	/* Exits are ordered from the innermost region outwards. */
	if ((a == FN_MARK_EXIT || a == FN_MARK_CLOSE) && b == FN_MARK_EXIT)
		return FN_MARK_CLOSE;
	if (apart != 0)
		return FN_COUNT;
	if (b == FN_MARK_BIND)
		return a == FN_MARK_ENTER ? FN_ENTER_BIND : a == FN_SUB_BEGIN ? FN_SUB_BIND :
			FN_COUNT;
	if (b == FN_MARK_END && (a == FN_MARK_EXIT || a == FN_MARK_CLOSE))
		return a == FN_MARK_EXIT ? FN_SUB_END : FN_SUB_CLOSE;
	if (a == FN_MARK_BEGIN && b == FN_MARK_ENTER)
		return FN_SUB_BEGIN;
	if (a == FN_MARK_BEGIN && b == FN_MARK_FORK)
		return FN_FORK_BEGIN;
	if (a == FN_MARK_ENTER && b == FN_MARK_BEGIN)
		return FN_LOOP_BEGIN;
	if (a == FN_MARK_END && b == FN_MARK_EXIT)
		return FN_LOOP_END;
	if (a == FN_MARK_VOID && b == FN_MARK_EXIT)
		return FN_LOOP_VOID;
	return FN_COUNT;
}

static bool merge(struct merged_hook *j, gimple *stmt, enum psc_function which, int region)
{
	enum psc_function both = merged_kind(j->which, mark_hook_of(stmt, which),
		region - j->region);

	if (both == FN_COUNT || (j->result && gimple_call_lhs(stmt)))
		return false;
	j->which = both;
	if (both == FN_MARK_CLOSE)
		j->region = region;
	if (!j->result)
		j->result = gimple_call_lhs(stmt);
	if (which == FN_BIND_ALL)
		for (unsigned i = 2; i < gimple_call_num_args(stmt); i++)
			j->more.safe_push(gimple_call_arg(stmt, i));
	return true;
}

/* The next statement; skips clobbers (ends of variables), which hooks do not read. */
static gimple *next_of(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);

	do
		gsi_next_nondebug(&i);
	while (!gsi_end_p(i) && gimple_clobber_p(gsi_stmt(i)));
	return gsi_end_p(i) ? NULL : gsi_stmt(i);
}

static tree mark_address(gimple *stmt, int region)
{
	HOST_WIDE_INT at = sizeof(struct psc_unit) + region * sizeof(struct psc_mark);

	return build1(ADDR_EXPR, ptr_type_node, build2(MEM_REF, unsigned_char_type_node,
		unshare_expr(gimple_call_arg(stmt, 0)), build_int_cst(ptr_type_node, at)));
}

static void replace(gimple *stmt, struct merged_hook *j)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
	gcall *call;

	j->more.safe_insert(0, mark_address(stmt, j->region));
	call = gimple_build_call_vec(psc_runtime_function(j->which), j->more);
	if (j->result) {
		gimple_call_set_lhs(call, j->result);
		if (TREE_CODE(j->result) == SSA_NAME)
			SSA_NAME_DEF_STMT(j->result) = call;
	}
	gimple_call_set_tail(call, gimple_call_tail_p(as_a<gcall *>(stmt)));
	gimple_set_location(call, gimple_location(stmt));
	gimple_move_vops(call, stmt);
	gsi_replace(&gsi, call, true);
}

static void drop(gimple *stmt)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

	gimple_call_set_lhs(stmt, NULL_TREE);   /* the merged call defines it */
	unlink_stmt_vdef(stmt);
	gsi_remove(&gsi, true);
	release_defs(stmt);
}

static void merge_from(gimple *stmt)
{
	struct merged_hook j = { FN_COUNT, 0, NULL_TREE, {} };
	enum psc_function which = psc_runtime_which(stmt);
	int region = region_of(stmt, which);
	gimple *next;

	if (region < 0)
		return;
	j.which = mark_hook_of(stmt, which);
	j.region = region;
	j.result = gimple_call_lhs(stmt);
	if (which == FN_BIND_ALL || which == FN_TEAM_ENTER)
		for (unsigned i = 2; i < gimple_call_num_args(stmt); i++)
			j.more.safe_push(gimple_call_arg(stmt, i));
	while ((next = next_of(stmt))) {
		which = psc_runtime_which(next);
		region = region_of(next, which);
		if (region < 0 || !operand_equal_p(gimple_call_arg(stmt, 0),
		    gimple_call_arg(next, 0)) || !merge(&j, next, which, region))
			break;
		drop(next);
	}
	replace(stmt, &j);
}

bool psc_hooks_merge(function *fun)
{
	std::vector<gimple *> hooks;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_which(gsi_stmt(i)) <= FN_PHASE_END)
				hooks.push_back(gsi_stmt(i));
	for (gimple *stmt : hooks)
		if (gimple_bb(stmt))    /* else it was merged with the hook before */
			merge_from(stmt);
	return !hooks.empty();
}
