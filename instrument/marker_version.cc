/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives recursive and small functions a separate version with their markers.  Such a function
 * begins with
 *     if (__psc_marked(&__psc_unit, region)) return f.psc_mark(args);
 * and has no markers behind that.  So GCC turns recursion into loops, keeps no value of ours live
 * across calls and inlines as natively.  f.psc_mark has all markers, and the dispatch to the
 * recording version.
 *
 * The test asks whether the marker version may be needed, not whether anything is measured now: a
 * measurement may begin inside a loop of the function, long after its entry.  version_tests.cc says
 * what becomes of __psc_marked().
 *
 * Larger functions and those with constructs keep their markers; their tail calls are duplicated
 * (tail_calls.cc). */
#include "instrument/pscplugin.h"
#include "tree-cfgcleanup.h"

/* For functions of more statements, a test at each marker costs little and a third body much. */
#define SMALL 200

struct content {
	int region;              /* the subroutine's */
	bool construct;          /* hooks of constructs or of setjmp, which stay in the native
				  * version */
	bool tail;               /* a tail call that may return to the function in a chain */
	bool self;               /* it calls itself */
	unsigned statements;     /* without hooks */
	std::vector<gimple *> hooks;
	std::vector<gimple *> loops;    /* boundaries of loops: a measurement may begin there */
	/* With psc.attach a loop's hooks stay, too: it may have been entered before
	 * the process is analysed. */
	bool is_small() const { return !construct && statements <= SMALL &&
		!(psc.attach && !loops.empty()); }
};

/* Region markers, hooks of dummy arguments, and subroutine boundaries. */
bool psc_is_marker(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_ENTER:
	case FN_EXIT:
	case FN_BIND:
	case FN_BIND_ALL:
	case FN_BIND_DESCRIPTOR:
	case FN_LANDED:
	case FN_PHASE_BEGIN:
	case FN_PHASE_END:
		return true;
	default:
		return false;
	}
}

static int region_of(gimple *hook)
{
	return tree_to_uhwi(gimple_call_arg(hook, 1));
}

static bool is_loop_hook(gimple *stmt, int sub)
{
	switch (psc_runtime_which(stmt)) {
	case FN_PHASE_NEXT:
		return true;
	case FN_PHASE_BEGIN:
	case FN_PHASE_END:
		return region_of(stmt) != sub;
	default:
		return false;
	}
}

static bool is_construct_hook(gimple *stmt)
{
	switch (psc_runtime_which(stmt)) {
	case FN_FORK:
	case FN_TEAM_ENTER:
	case FN_WAIT:
	case FN_BARRIER:
	case FN_WAITED:
	case FN_LANDING:
		return true;
	default:
		return false;
	}
}

static struct content survey_content(cgraph_node *node, int region)
{
	struct content c = { region, false, false, false, 0, {}, {} };
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gimple *stmt = gsi_stmt(i);

			if (is_construct_hook(stmt))
				c.construct = true;
			else if (is_loop_hook(stmt, region))
				c.loops.push_back(stmt);
			else if (psc_is_marker(stmt))
				c.hooks.push_back(stmt);
			else if (!is_gimple_debug(stmt))
				c.statements++;
			c.self |= is_gimple_call(stmt) && gimple_call_fndecl(stmt) == node->decl;
			c.tail = c.tail || psc_tail_call_may_recur(stmt);
		}
	return c;
}

static bool is_recursive(cgraph_node *node, const struct content &c)
{
	return c.self || psc.recursive.count(DECL_UID(node->decl));
}

void psc_marker_remove(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);

	unlink_stmt_vdef(stmt);
	gsi_remove(&i, true);
	release_defs(stmt);
}

/* Removes the native version's markers and loop hooks.  Hooks of constructs stay: their tokens are
 * the function's data. */
static void drop_hooks(const struct content &c)
{
	for (auto stmt : c.hooks)
		psc_marker_remove(stmt);
	for (auto stmt : c.loops)
		psc_marker_remove(stmt);
}

/* Removes landing pads that contained only markers; calls that may throw then end no block. */
static void clean_landing_pads(function *fun)
{
	static opt_pass *pass = make_pass_cleanup_eh(g);

	if (pass->gate(fun) && pass->execute(fun) & TODO_cleanup_cfg)
		cleanup_tree_cfg();
	if (need_ssa_update_p(fun))     /* the pass merges virtual operands and leaves their
					 * renaming to its caller */
		update_ssa(TODO_update_ssa_only_virtuals);
}

/* if (__psc_marked(unit, region)) return version(args); */
static void add_entry(cgraph_node *node, cgraph_node *version, int region)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	basic_block test = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
	gimple_stmt_iterator gsi = gsi_last_bb(test);
	tree marked = make_ssa_name(uint32_type_node);
	gcall *ask = psc_runtime_call(FN_MARKED, region);

	gimple_call_set_lhs(ask, marked);
	gsi_insert_after(&gsi, ask, GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, marked, build_zero_cst(uint32_type_node),
		NULL_TREE, NULL_TREE), GSI_NEW_STMT);
	psc_call_version(test, node->decl, version->decl, false);
	DECL_ATTRIBUTES(node->decl) = tree_cons(get_identifier(PSC_TESTED_ATTRIBUTE), NULL_TREE,
		DECL_ATTRIBUTES(node->decl));
}

static cgraph_node *make_version(cgraph_node *node, bool alone)
{
	cgraph_node *version = node->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL,
		"psc_mark", NULL_TREE);

	psc_version_local(version, tree_cons(get_identifier("no_icf"), NULL_TREE, NULL_TREE),
		alone);
	return version;
}

/* --- the version ---------------------------------------------------------------------------- */
cgraph_node *psc_marker_version_make(cgraph_node *node)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	auto sub = psc.subroutines.find(DECL_UID(node->decl));
	cgraph_node *version = NULL;

	if (!opt_for_fn(node->decl, optimize) || sub == psc.subroutines.end() ||
	    !psc.regions[sub->second].marker ||
	    (flags_from_decl_or_type(node->decl) & ECF_NORETURN))
		return NULL;
	push_cfun(fun);
	struct content c = survey_content(node, sub->second);
	if (!is_recursive(node, c) && !c.is_small()) {
		if (c.tail)
			psc_tail_calls_duplicate(node, c.region, true);
	} else {
		version = make_version(node, true);
		if (c.tail)
			psc_tail_calls_duplicate(version, c.region, true);
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		psc_native_calls_lost(node, c.region, c.loops);
		drop_hooks(c);
		add_entry(node, version, c.region);
		mark_virtual_operands_for_renaming(fun);
		update_ssa(TODO_update_ssa);
		clean_landing_pads(fun);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
	return version;
}

/* node: a local function with one caller, which has a marker version.  That version gets a copy of
 * its own: both bodies then have one caller, and GCC inlines them.  The caller has made the test,
 * so the function needs none, and the native body no markers. */
cgraph_node *psc_marker_version_of_callee(cgraph_node *node)
{
	cgraph_node *version = make_version(node, false);
	auto sub = psc.subroutines.find(DECL_UID(node->decl));

	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	struct content c = survey_content(node, -1);
	if (c.tail && sub != psc.subroutines.end() && psc.regions[sub->second].marker)
		psc_tail_calls_duplicate(version, sub->second, true);
	if (!c.construct) {
		psc_native_calls_lost(node, sub != psc.subroutines.end() ? (int)sub->second : -1,
			c.loops);
		drop_hooks(c);
		mark_virtual_operands_for_renaming(cfun);
		update_ssa(TODO_update_ssa);
		clean_landing_pads(cfun);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
	return version;
}

/* --- jumps to versions ---------------------------------------------------------------------- */
/* Does nothing but the return of its value follow the call? */
static bool returns_value(gcall *call)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);
	basic_block bb = gimple_bb(call);
	tree value = gimple_call_lhs(call);

	gsi_next_nondebug(&i);
	if (gsi_end_p(i)) {
		if (!single_succ_p(bb) || single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return false;
		edge e = single_succ_edge(bb);

		for (gphi_iterator p = gsi_start_phis(e->dest); !gsi_end_p(p); gsi_next(&p))
			if (!virtual_operand_p(gimple_phi_result(p.phi()))) {
				if (PHI_ARG_DEF_FROM_EDGE(p.phi(), e) != value)
					return false;
				value = gimple_phi_result(p.phi());
			}
		i = gsi_start_nondebug_after_labels_bb(e->dest);
	}
	return !gsi_end_p(i) && gimple_code(gsi_stmt(i)) == GIMPLE_RETURN &&
		(!value || gimple_return_retval(as_a<greturn *>(gsi_stmt(i))) == value);
}

/* GCC makes no tail call where the address of a local variable has escaped; at the entry none has
 * yet.  As a jump, the call frees the native frame first: else large frames would be on the stack
 * twice. */
void psc_version_jumps(function *fun)
{
	basic_block bb;

	if (flag_sanitize || fun->calls_alloca || fun->calls_setjmp)
		return;
	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(i));
			tree lhs = call ? gimple_call_lhs(call) : NULL_TREE;

			if (!call || !gimple_call_from_thunk_p(call) || !gimple_call_fndecl(call) ||
			    gimple_call_noreturn_p(call) || (lhs && TREE_CODE(lhs) != SSA_NAME) ||
			    !returns_value(call))
				continue;
			gimple_call_set_tail(call, true);
			fun->tail_call_marked = true;
		}
}
