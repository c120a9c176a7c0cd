/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which of the tests `if (__psc_marked(unit, region)) return f.psc_mark(args);` stay after
 * inlining (pass psc_tests, behind the inliner), and replaces them by loads of psc_mark.marked.
 *
 * In a function that begins with a test, the answer to its own holds for all functions that were
 * inlined into it: behind it the code is native throughout.  So the others are removed, and its own
 * is a const function until pass psc_guard: GCC keeps tail recursion a loop and asks once.
 *
 * In other code the answer may change while the function runs: a function that contains the phase,
 * or a marker version, runs during executions with markers and without.  Each test there is a load
 * at once, which the hooks of the boundaries keep GCC from moving across them. */
#include "instrument/pscplugin.h"
#include <stddef.h>

static std::vector<gimple *> tests_of(function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int n = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);
	std::vector<gimple *> tests;

	for (int k = 0; k < n; k++) {
		basic_block bb = BASIC_BLOCK_FOR_FN(fun, order[k]);

		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_which(gsi_stmt(i)) == FN_MARKED)
				tests.push_back(gsi_stmt(i));
	}
	XDELETEVEC(order);
	return tests;
}

static tree marked_field(gimple *test)
{
	unsigned region = tree_to_uhwi(gimple_call_arg(test, 1));

	return psc_unit_field(gimple_call_arg(test, 0), uint32_type_node, sizeof(struct psc_unit) +
		region * sizeof(struct psc_mark) + offsetof(struct psc_mark, marked));
}

static void replace(gimple *test, tree value)
{
	gimple_stmt_iterator i = gsi_for_stmt(test);
	tree lhs = gimple_call_lhs(test);

	gsi_replace(&i, lhs ? static_cast<gimple *>(gimple_build_assign(lhs, value)) :
		gimple_build_nop(), false);
}

void psc_marked_loads(function *fun)
{
	std::vector<gimple *> tests = tests_of(fun);

	if (tests.empty())
		return;
	for (auto test : tests)
		replace(test, marked_field(test));
	mark_virtual_operands_for_renaming(fun);
	update_ssa(TODO_update_ssa_only_virtuals);
}

namespace {
const pass_data tests_data = {
	GIMPLE_PASS, "psc_tests", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class tests_pass : public gimple_opt_pass {
public:
	tests_pass(gcc::context *ctx) : gimple_opt_pass(tests_data, ctx) {}
	unsigned int execute(function *fun) final override
	{
		std::vector<gimple *> tests = tests_of(fun);
		bool own = lookup_attribute(PSC_TESTED_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl));

		if (tests.size() <= own)
			return 0;
		for (size_t i = own; i < tests.size(); i++)
			replace(tests[i], own ? build_zero_cst(uint32_type_node) :
				marked_field(tests[i]));
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};
}

opt_pass *psc_pass_tests(gcc::context *ctx)
{
	return new tests_pass(ctx);
}
