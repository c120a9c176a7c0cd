/* SPDX-License-Identifier: BSD-3-Clause */
/* Markers in a version of their own.  A function that calls itself or is small begins with
 *     if (__psc_analysed(&__psc_unit)) return f.psc_mark(args);
 * and has no markers behind that: recursion is a loop where GCC makes one of it, no value of ours lives
 * across a call, and GCC inlines what it would.  f.psc_mark has them all, and the dispatch to the clone
 * that records.
 *
 * The question is whether the process is analysed, not whether anything is measured now: a measurement may
 * begin inside a loop of the function, when its entry was passed long before.  The answer is the same from
 * the process's start, so it is asked by a function that GCC holds to be const: once for all that is inlined
 * into one, and before a loop.  It is no function in the end, but a load of unit.registered.
 *
 * Larger functions, and what has constructs, keep their markers, but those of calls in last place (last.cc). */
#include "instrument/pscplugin.h"
#include "tree-cfgcleanup.h"
#include <stddef.h>

/* Above so many statements a test at each call is cheap beside the function, a third body is not. */
#define SMALL 200

struct content {
	int region;              /* the subroutine's */
	bool construct;          /* hooks of constructs, or of setjmp: they stay */
	bool tail;               /* a call in last place, which may come back to the function */
	bool self;               /* a call of itself */
	unsigned statements;     /* without hooks */
	std::vector<gimple *> hooks;
	std::vector<gimple *> loops;    /* hooks that a measurement may begin at */
	bool is_small() const { return !construct && statements <= SMALL; }
};

/* Markers, and what tells of dummies. */
bool psc_marker(gimple *stmt)
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
	case FN_LANDING:
		return true;
	default:
		return false;
	}
}

static struct content look(cgraph_node *node, int region)
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
			else if (psc_marker(stmt))
				c.hooks.push_back(stmt);
			else if (!is_gimple_debug(stmt))
				c.statements++;
			c.self |= is_gimple_call(stmt) && gimple_call_fndecl(stmt) == node->decl;
			c.tail = c.tail || psc_last_may_come_back(stmt);
		}
	return c;
}

static bool is_recursive(cgraph_node *node, const struct content &c)
{
	return c.self || psc.recursive.count(DECL_UID(node->decl));
}

void psc_marker_drop(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);

	unlink_stmt_vdef(stmt);
	gsi_remove(&i, true);
	release_defs(stmt);
}

/* f's markers and hooks of loops, which f.psc_mark has.  Hooks of constructs stay: their tokens are data of f's. */
static void drop_hooks(const struct content &c)
{
	for (auto stmt : c.hooks)
		psc_marker_drop(stmt);
	for (auto stmt : c.loops)
		psc_marker_drop(stmt);
}

/* Landing pads that held nothing but markers go; what may throw ends no block then. */
static void clean_landing_pads(function *fun)
{
	static opt_pass *pass = make_pass_cleanup_eh(g);

	if (pass->gate(fun) && pass->execute(fun) & TODO_cleanup_cfg)
		cleanup_tree_cfg();
}

/* if (__psc_analysed(unit)) return marked(args); */
static void add_entry(cgraph_node *node, cgraph_node *marked)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	basic_block test = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));
	gimple_stmt_iterator gsi = gsi_last_bb(test);
	tree analysed = make_ssa_name(uint32_type_node);
	gcall *ask = gimple_build_call(psc_runtime_function(FN_ANALYSED), 1,
		build_fold_addr_expr(psc_runtime_unit()));

	gimple_call_set_lhs(ask, analysed);
	gsi_insert_after(&gsi, ask, GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, analysed, build_zero_cst(uint32_type_node),
		NULL_TREE, NULL_TREE), GSI_NEW_STMT);
	psc_call_version(test, node->decl, marked->decl, false);
}

void psc_analysed_loads(function *fun)
{
	bool changed = false;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gimple *ask = gsi_stmt(i);

			if (psc_runtime_which(ask) != FN_ANALYSED)
				continue;
			tree lhs = gimple_call_lhs(ask);

			gsi_replace(&i, lhs ? static_cast<gimple *>(gimple_build_assign(lhs, psc_unit_field(
				gimple_call_arg(ask, 0), uint32_type_node, offsetof(struct psc_unit, registered))))
				: gimple_build_nop(), false);
			changed = true;
		}
	if (!changed)
		return;
	mark_virtual_operands_for_renaming(fun);
	update_ssa(TODO_update_ssa_only_virtuals);
}

static cgraph_node *make_marked(cgraph_node *node, bool alone)
{
	cgraph_node *marked = node->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL,
		"psc_mark", NULL_TREE);

	psc_version_local(marked, tree_cons(get_identifier("no_icf"), NULL_TREE, NULL_TREE), alone);
	return marked;
}

/* --- the version ------------------------------------------------------------------------------------ */
/* The version with the markers, which the node's own body has lost; NULL: it keeps them, but for calls in
 * last place. */
cgraph_node *psc_marked_make(cgraph_node *node)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	auto sub = psc.subroutines.find(DECL_UID(node->decl));
	cgraph_node *marked = NULL;

	if (!opt_for_fn(node->decl, optimize) || sub == psc.subroutines.end() ||
	    !psc.regions[sub->second].marker || (flags_from_decl_or_type(node->decl) & ECF_NORETURN))
		return NULL;
	push_cfun(fun);
	struct content c = look(node, sub->second);
	if (!is_recursive(node, c) && !c.is_small()) {
		if (c.tail)
			psc_last_split(node, c.region, true);
	} else {
		marked = make_marked(node, true);
		if (c.tail)
			psc_last_split(marked, c.region, true);
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		drop_hooks(c);
		add_entry(node, marked);
		mark_virtual_operands_for_renaming(fun);
		update_ssa(TODO_update_ssa);
		clean_landing_pads(fun);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
	return marked;
}

/* A local function with one call, in what has a version with markers: that version gets a copy of its own, so
 * that each has one caller and GCC puts it there.  Who calls it has asked: no entry, and no markers natively. */
cgraph_node *psc_marked_follow(cgraph_node *node)
{
	cgraph_node *marked = make_marked(node, false);
	auto sub = psc.subroutines.find(DECL_UID(node->decl));

	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	struct content c = look(node, -1);
	if (c.tail && sub != psc.subroutines.end() && psc.regions[sub->second].marker)
		psc_last_split(marked, sub->second, true);
	if (!c.construct) {
		drop_hooks(c);
		mark_virtual_operands_for_renaming(cfun);
		update_ssa(TODO_update_ssa);
		clean_landing_pads(cfun);
		cgraph_edge::rebuild_edges();
	}
	pop_cfun();
	return marked;
}

/* --- jumps to versions ---------------------------------------------------------------------------- */
/* Leads what follows the call straight to the return of its value? */
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

/* GCC does not jump where the address of a local variable is known elsewhere, but at the entry none is yet:
 * the native frame goes before the version's comes, else large ones would be on the stack twice. */
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
