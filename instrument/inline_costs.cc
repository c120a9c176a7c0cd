/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the inliner's cost of hooks and of calls of function versions to zero (pass
 * psc_inline_costs, behind fnsummary).  At that time they are calls without a guard (pass psc_guard
 * comes late), which the inliner takes to be always executed; in an idle program none is.  Without
 * this pass GCC would inline less than natively.
 *
 * In marker versions public functions with a test are not inlined: they would be compiled once
 * more, for callers whose own regions are not brief.  Others GCC may need for themselves only if
 * they are called there. */
#include "instrument/pscplugin.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "sreal.h"
#if GCCPLUGIN_VERSION >= 14000
#include "ipa-cp.h"        /* ipa-prop.h needs it */
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"

static bool has_attribute(cgraph_node *node, const char *name)
{
	return lookup_attribute(name, DECL_ATTRIBUTES(node->decl));
}

static bool is_cold_call(cgraph_edge *e)
{
	return psc_runtime_named(e->callee->decl) != FN_COUNT ||
		has_attribute(e->callee, PSC_VERSION_ATTRIBUTE);
}

/* Is it compiled by itself, whoever inlines it, and begins with a test? */
static bool stands_by_itself(cgraph_node *node)
{
	return TREE_PUBLIC(node->decl) && !DECL_COMDAT(node->decl) &&
		has_attribute(node, PSC_TESTED_ATTRIBUTE);
}

static void forbid_inlining(cgraph_node *node)
{
	if (!has_attribute(node, PSC_VERSION_ATTRIBUTE) || has_attribute(node, PSC_CLONE_ATTRIBUTE))
		return;
	for (cgraph_edge *e = node->callees; e; e = e->next_callee)
		if (stands_by_itself(e->callee->ultimate_alias_target()))
			e->inline_failed = CIF_FUNCTION_NOT_INLINABLE;
}

static bool clear_call_costs(cgraph_node *node)
{
	bool changed = false;

	for (cgraph_edge *e = node->callees; e; e = e->next_callee) {
		ipa_call_summary *call = ipa_call_summaries->get(e);

		if (!call || !is_cold_call(e))
			continue;
		call->call_stmt_size = call->call_stmt_time = 0;
		changed = true;
	}
	return changed;
}

static void clear_all_costs(void)
{
	cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node) {
		ipa_size_summary *size = ipa_size_summaries ? ipa_size_summaries->get(node) : NULL;

		forbid_inlining(node);
		if (!size || !ipa_fn_summaries->get(node) || node->inlined_to ||
		    !clear_call_costs(node))
			continue;
		ipa_update_overall_fn_summary(node);
		size->self_size = size->size;
	}
}

namespace {
/* The type of fnsummary: only a pass of the same type can be inserted behind it. */
const pass_data inline_costs_data = {
	IPA_PASS, "psc_inline_costs", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class inline_costs_pass : public ipa_opt_pass_d {
public:
	inline_costs_pass(gcc::context *ctx) : ipa_opt_pass_d(inline_costs_data, ctx, NULL, NULL,
		NULL, NULL, NULL, NULL, 0, NULL, NULL) {}
	bool gate(function *) final override { return ipa_fn_summaries && ipa_call_summaries; }
	unsigned int execute(function *) final override
	{
		clear_all_costs();
		return 0;
	}
};
}

opt_pass *psc_pass_inline_costs(gcc::context *ctx)
{
	return new inline_costs_pass(ctx);
}
