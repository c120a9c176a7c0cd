/* SPDX-License-Identifier: BSD-3-Clause */
/* Pass W, behind fnsummary: hooks, and calls of a function's other versions, weigh nothing where GCC decides
 * what to inline.  They stand unguarded in the code at that time (pass G comes late), each as a call that is
 * always made; idle, none of them is.  So what GCC would inline natively it inlines here. */
#include "instrument/pscplugin.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "sreal.h"
#if GCCPLUGIN_VERSION >= 14000
#include "ipa-cp.h"        /* what ipa-prop.h takes for known */
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"

static bool weighs_nothing(cgraph_edge *e)
{
	return psc_runtime_named(e->callee->decl) != FN_COUNT ||
		lookup_attribute(PSC_VERSION_ATTRIBUTE, DECL_ATTRIBUTES(e->callee->decl));
}

static bool lighten_calls(cgraph_node *node)
{
	bool changed = false;

	for (cgraph_edge *e = node->callees; e; e = e->next_callee) {
		ipa_call_summary *call = ipa_call_summaries->get(e);

		if (!call || !weighs_nothing(e))
			continue;
		call->call_stmt_size = call->call_stmt_time = 0;
		changed = true;
	}
	return changed;
}

static void lighten_all(void)
{
	cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node) {
		ipa_size_summary *size = ipa_size_summaries ? ipa_size_summaries->get(node) : NULL;

		if (!size || !ipa_fn_summaries->get(node) || node->inlined_to || !lighten_calls(node))
			continue;
		ipa_update_overall_fn_summary(node);
		size->self_size = size->size;
	}
}

namespace {
/* Of fnsummary's own kind, else it cannot stand behind it. */
const pass_data weights_data = {
	IPA_PASS, "psc_weights", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class weights_pass : public ipa_opt_pass_d {
public:
	weights_pass(gcc::context *ctx) : ipa_opt_pass_d(weights_data, ctx, NULL, NULL, NULL, NULL, NULL,
		NULL, 0, NULL, NULL) {}
	bool gate(function *) final override { return ipa_fn_summaries && ipa_call_summaries; }
	unsigned int execute(function *) final override
	{
		lighten_all();
		return 0;
	}
};
}

opt_pass *psc_pass_weights(gcc::context *ctx)
{
	return new weights_pass(ctx);
}
