/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates every function: a native version and a version that will record its accesses (pass
 * psc_versions, before targetclone), with
 *     if (__psc_recording) return clone(args);
 * at the native version's entry.  The pass comes after the early optimisations, so that what these
 * inline needs no dispatch, and before link-time optimisation writes the bodies out. */
#include "instrument/pscplugin.h"

static bool has_attribute(tree decl, const char *name)
{
	return lookup_attribute(name, DECL_ATTRIBUTES(decl)) != NULL_TREE;
}

static std::set<tree> unclonable;      /* functions that may exist only once */

static bool versionable(cgraph_node *node)
{
	tree decl = node->decl;
	function *fun = DECL_STRUCT_FUNCTION(decl);

	if (!node->has_gimple_body_p() || node->alias || node->thunk || node->inlined_to ||
	    !node->definition || DECL_EXTERNAL(decl) || !fun || !fun->cfg || unclonable.count(decl))
		return false;
	if (DECL_STATIC_CONSTRUCTOR(decl) || DECL_STATIC_DESTRUCTOR(decl) ||
	    node->calls_comdat_local || node->ifunc_resolver || DECL_FUNCTION_VERSIONED(decl))
		return false;
	for (const char *name : { "naked", "ifunc", "always_inline", "noclone", "target_clones",
			"returns_twice", "no_instrument_function", "omp declare simd", "simd",
			"omp declare target", "transaction_pure", PSC_CLONE_ATTRIBUTE })
		if (has_attribute(decl, name))
			return false;
	return !fun->stdarg && !fun->calls_setjmp && !fun->has_nonlocal_label &&
		!fun->has_forced_label_in_static && tree_versionable_function_p(decl);
}

/* main() is entered once, before anything is measured: only the recording bodies of its loops are
 * ever executed, so it needs no recording version. */
static bool is_program(cgraph_node *node)
{
	auto sub = psc.subroutines.find(DECL_UID(node->decl));

	if (sub != psc.subroutines.end() && psc.regions[sub->second].program)
		return true;
	return MAIN_NAME_P(DECL_NAME(node->decl)) && DECL_FILE_SCOPE_P(node->decl) &&
		!node->callers && !node->address_taken;
}

/* Does the function, while it records, call recording versions?  From its own recording version, or
 * from the recording bodies of its loops. */
static bool calls_clones(cgraph_node *node)
{
	static std::map<cgraph_node *, bool> known;

	if (!known.count(node))
		known[node] = versionable(node) &&
			!psc_loop_versions_refused(DECL_STRUCT_FUNCTION(node->decl));
	return known[node];
}

/* Is the name (the function's own or an alias) called by a function that does not call clones, or
 * is its address taken? */
static bool is_reached_otherwise(cgraph_node *name, void *)
{
	for (cgraph_edge *e = name->callers; e; e = e->next_caller)
		if (!calls_clones(e->caller))
			return true;
	return name->address_taken;
}

static bool is_called_by_clones(cgraph_node *node)
{
	return !node->call_for_symbol_and_aliases(is_reached_otherwise, NULL, true);
}

/* Resolves aliases: constructors are called by one. */
tree psc_called(gimple *call)
{
	tree callee = gimple_call_fndecl(call);
	cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

	return node && node->alias && node->get_availability() > AVAIL_INTERPOSABLE ?
		node->ultimate_alias_target()->decl : callee;
}

/* A light function, or one of a system header: never the phase, and no marked work of its own. */
static bool serves_its_caller(tree fndecl)
{
	return psc_function_light(fndecl) || !psc.subroutines.count(DECL_UID(fndecl));
}

/* main() has no clone.  A phase that is all of it has nothing recorded but what functions with a
 * dispatch do: main() itself, and what it calls outside of loops that can be the phase, directly or
 * through functions that serve their callers. */
static std::set<tree> outside_loops;

static void add_served(cgraph_node *node)
{
	if (!outside_loops.insert(node->decl).second || !serves_its_caller(node->decl))
		return;
	for (cgraph_edge *e = node->callees; e; e = e->next_callee)
		add_served(e->callee->ultimate_alias_target());
}

static void find_calls_outside_loops(cgraph_node *program)
{
	outside_loops.insert(program->decl);
	push_cfun(DECL_STRUCT_FUNCTION(program->decl));
	for (auto bb : psc_blocks_outside_phase_loops())
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(i));
			tree callee = call ? psc_called(call) : NULL_TREE;

			if (callee)
				add_served(cgraph_node::get_create(callee));
		}
	pop_cfun();
}

/* True: a function of a system header that does much, as std::sort(): outside of
 * loops its dispatch is called. */
static bool is_served_outside(tree fndecl)
{
	return outside_loops.count(fndecl) && serves_its_caller(fndecl) &&
		!psc_function_light(fndecl);
}

void psc_redirect_native(cgraph_node *node, const psc_clones &names)
{
	psc_clones others;

	if (!outside_loops.count(DECL_ORIGIN(node->decl))) {
		psc_redirect_all(node, names);
		return;
	}
	for (auto &name : names)
		if (!is_served_outside(DECL_ORIGIN(name.first)))
			others.insert(name);
	psc_redirect_all(node, others);
}

/* False for a function that serves its caller if only this unit calls it, or if it is inline:
 * recording code calls its recording version directly, and the native version stays without a test,
 * which would prevent vectorisation and other optimisations where it is inlined, and without the
 * call of another version, which would keep it from getting by value what it is given by reference.
 * Without inlining (-O0) the test is cheaper than a third body. */
static bool needs_dispatch(cgraph_node *node)
{
	if (profile_flag)      /* gprof counts calls at the native version's entry: all calls must
			        * pass it */
		return true;
	bool local = !TREE_PUBLIC(node->decl) || (opt_for_fn(node->decl, optimize) &&
		(DECL_DECLARED_INLINE_P(node->decl) || DECL_COMDAT(node->decl)));

	/* A public one has both, with and without (psc_own). */
	if (is_served_outside(node->decl) && !TREE_PUBLIC(node->decl))
		return true;
	return !(serves_its_caller(node->decl) && local && is_called_by_clones(node));
}

/* Could it be a signal handler?  void (int), or void (int, siginfo_t *, void *). */
static bool is_handler(tree fndecl)
{
	tree parm = DECL_ARGUMENTS(fndecl);
	unsigned n = 0;

	if (!VOID_TYPE_P(TREE_TYPE(TREE_TYPE(fndecl))) || DECL_STATIC_CHAIN(fndecl))
		return false;
	for (; parm; parm = DECL_CHAIN(parm), n++)
		if (n == 0 ? TYPE_MAIN_VARIANT(TREE_TYPE(parm)) != integer_type_node
				: !POINTER_TYPE_P(TREE_TYPE(parm)))
			return false;
	return n == 1 || n == 3;
}

/* --- which functions need a recording version ----------------------------------------------- */
/* Does the call pass an address to a function that is compiled with this one?  The optimisers may
 * then move the callee's load into this function. */
static bool may_load_for(gimple *stmt)
{
	tree callee = gimple_call_fndecl(stmt);
	cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

	if (gimple_call_internal_p(stmt) || psc_runtime_which(stmt) != FN_COUNT || !callee ||
	    !(flag_generate_lto || (node && node->definition)))
		return false;
	for (unsigned i = 0; i < gimple_call_num_args(stmt); i++)
		if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, i))))
			return true;
	return false;
}

static bool has_accesses(cgraph_node *node, const psc_clones &undispatched)
{
	bool found = is_handler(node->decl);    /* must not write into the record that it
						 * interrupts */
	basic_block bb;

	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	FOR_EACH_BB_FN(bb, cfun) {
		found = found || psc_block_records(bb, undispatched);
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !found && !gsi_end_p(i);
		     gsi_next(&i))
			found = is_gimple_call(gsi_stmt(i)) && may_load_for(gsi_stmt(i));
	}
	pop_cfun();
	return found;
}

/* The functions that need a recording version.  One that only calls others needs none: their own
 * entries have the dispatch.  Repeats until no function is added, since a function without dispatch
 * makes its callers need one. */
static std::vector<cgraph_node *> recording_functions(std::vector<cgraph_node *> nodes)
{
	std::vector<cgraph_node *> chosen, left;
	psc_clones undispatched;      /* recording code calls these directly */

	do {
		left.clear();
		for (auto n : nodes)
			if (!has_accesses(n, undispatched)) {
				left.push_back(n);
			} else {
				chosen.push_back(n);
				if (!needs_dispatch(n))
					undispatched[n->decl] = n->decl;
			}
		std::swap(nodes, left);
	} while (nodes.size() < left.size());
	return chosen;
}

void psc_version_local(cgraph_node *clone, tree attributes, bool alone)
{
	tree decl = clone->decl;

	if (alone) {
		attributes = tree_cons(get_identifier("noinline"), NULL_TREE, attributes);
		DECL_UNINLINABLE(decl) = 1;
	}
	if (profile_flag)
		DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(decl) = 1;
	attributes = tree_cons(get_identifier(PSC_VERSION_ATTRIBUTE), NULL_TREE, attributes);
	DECL_ATTRIBUTES(decl) = chainon(attributes, copy_list(DECL_ATTRIBUTES(decl)));
	TREE_PUBLIC(decl) = 0;
	DECL_COMDAT(decl) = 0;
	/* A memcpy() of the program's own: as a builtin, its version would be called by the name
	 * memcpy. */
	set_decl_built_in_function(decl, NOT_BUILT_IN, 0);
	DECL_WEAK(decl) = 0;
	DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
	DECL_VISIBILITY_SPECIFIED(decl) = 0;
	clone->externally_visible = 0;
	clone->forced_by_abi = 0;
	clone->force_output = 0;
	clone->set_comdat_group(NULL);
	if (clone->get_section())
		clone->set_section((const char *)NULL);
}

/* A tail call makes the frame larger if arguments are passed on the stack.  Fortran procedures
 * rarely recur through other units: only those that recur in this unit are treated. */
static void duplicate_tail_calls(cgraph_node *node, cgraph_node *clone)
{
	auto sub = psc.subroutines.find(DECL_UID(node->decl));

	if (!opt_for_fn(node->decl, optimize) || sub == psc.subroutines.end() ||
	    !psc.regions[sub->second].marker ||
	    (psc_is_fortran() && !psc.recursive.count(DECL_UID(node->decl))))
		return;
	psc_tail_calls_duplicate(clone, sub->second, false);
}

static cgraph_node *make_clone(cgraph_node *node, bool dispatch)
{
	cgraph_node *clone = node->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL,
		"psc_inst", NULL_TREE);
	tree attributes = tree_cons(get_identifier(PSC_CLONE_ATTRIBUTE), NULL_TREE, NULL_TREE);

	/* dispatch: inlined into the native version it would not record. */
	psc_version_local(clone, tree_cons(get_identifier("no_icf"), NULL_TREE, attributes),
		dispatch);
	duplicate_tail_calls(node, clone);
	return clone;
}

/* --- the dispatch --------------------------------------------------------------------------- */
static tree argument(gimple_stmt_iterator *gsi, tree parm)
{
	tree tmp;

	if (is_gimple_reg(parm))
		return get_or_create_ssa_default_def(cfun, parm);
	if (!is_gimple_reg_type(TREE_TYPE(parm)))
		return parm;
	tmp = make_ssa_name(TREE_TYPE(parm));
	gsi_insert_after(gsi, gimple_build_assign(tmp, parm), GSI_NEW_STMT);
	return tmp;
}

/* The left-hand side for the version's call; *value: the operand of the return statement. */
static tree result_target(tree fndecl, tree *value)
{
	tree result = DECL_RESULT(fndecl), type = TREE_TYPE(TREE_TYPE(fndecl));

	*value = NULL_TREE;
	if (VOID_TYPE_P(type))
		return NULL_TREE;
	if (DECL_BY_REFERENCE(result)) {
		tree pointer = get_or_create_ssa_default_def(cfun, result);

		*value = pointer;
		return build2(MEM_REF, type, pointer, build_int_cst(TREE_TYPE(result), 0));
	}
	if (is_gimple_reg_type(type))
		return *value = make_ssa_name(type);
	if (aggregate_value_p(result, fndecl))
		return *value = result;
	return *value = create_tmp_var(type, "psc_result");
}

static bool never_returns(tree fndecl)
{
	return flags_from_decl_or_type(fndecl) & ECF_NORETURN;
}

/* A call that never returns has no left-hand side, unless the result must be in the caller's
 * memory. */
static bool drops_result(tree fndecl)
{
	return never_returns(fndecl) && !TREE_ADDRESSABLE(TREE_TYPE(TREE_TYPE(fndecl)));
}

/* token = __psc_signal_begin(return address); moves the iterator to this call. */
static tree begin_signal(gimple_stmt_iterator *gsi)
{
	tree from = make_ssa_name(ptr_type_node), token = make_ssa_name(uint64_type_node);
	gcall *address = gimple_build_call(builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS), 1,
		integer_zero_node);
	gcall *begin = gimple_build_call(psc_runtime_function(FN_SIGNAL_BEGIN), 1, from);

	gimple_call_set_lhs(address, from);
	gimple_call_set_lhs(begin, token);
	gsi_insert_after(gsi, address, GSI_NEW_STMT);
	gsi_insert_after(gsi, begin, GSI_NEW_STMT);
	return token;
}

/* return version(args); in a block without successors. */
static void call_clone(basic_block bb, tree fndecl, tree clone, bool signals)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	auto_vec<tree> args;
	tree value = NULL_TREE, token = NULL_TREE, target;
	gcall *call;

	for (tree parm = DECL_ARGUMENTS(fndecl); parm; parm = DECL_CHAIN(parm))
		args.safe_push(argument(&gsi, parm));
	call = gimple_build_call_vec(clone, args);
	target = drops_result(fndecl) ? NULL_TREE : result_target(fndecl, &value);
	if (target) {
		gimple_call_set_lhs(call, target);
		if (!is_gimple_reg_type(TREE_TYPE(target)))
			gimple_call_set_return_slot_opt(call, true);
	}
	if (DECL_STATIC_CHAIN(fndecl))
		gimple_call_set_chain(call,
			get_or_create_ssa_default_def(cfun, cfun->static_chain_decl));
	gimple_call_set_from_thunk(call, true);
	gimple_set_location(call, DECL_SOURCE_LOCATION(fndecl));
	if (signals && is_handler(fndecl) && builtin_decl_explicit(BUILT_IN_RETURN_ADDRESS))
		token = begin_signal(&gsi);
	gsi_insert_after(&gsi, call, GSI_NEW_STMT);
	if (token && !never_returns(fndecl))
		gsi_insert_after(&gsi, gimple_build_call(psc_runtime_function(FN_SIGNAL_END), 1,
			token), GSI_NEW_STMT);
	if (never_returns(fndecl))
		gimple_call_set_ctrl_altering(call, true);
	else
		gsi_insert_after(&gsi, gimple_build_return(value), GSI_NEW_STMT);
}

void psc_call_version(basic_block test, tree fndecl, tree version, bool signals)
{
	basic_block other = create_empty_bb(test);
	edge native = single_succ_edge(test), e;

	if (current_loops)
		add_bb_to_loop(other, ENTRY_BLOCK_PTR_FOR_FN(cfun)->loop_father);
	native->flags = (native->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	native->probability = profile_probability::very_likely();
	e = make_edge(test, other, EDGE_TRUE_VALUE);
	e->probability = profile_probability::very_unlikely();
	other->count = test->count.apply_probability(e->probability);
	if (!never_returns(fndecl))
		make_edge(other, EXIT_BLOCK_PTR_FOR_FN(cfun), 0)->probability =
			profile_probability::always();
	call_clone(other, fndecl, version, signals);
}

/* The subroutine's own __psc_phase_begin() if it comes before any store; else NULL. */
static gcall *first_begin(basic_block bb)
{
	while (bb != EXIT_BLOCK_PTR_FOR_FN(cfun)) {
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gimple *stmt = gsi_stmt(i);

			if (psc_runtime_which(stmt) == FN_PHASE_BEGIN &&
			    psc.regions[tree_to_uhwi(gimple_call_arg(stmt, 1))].type == REGION_SUB)
				return as_a<gcall *>(stmt);
			if (gimple_vdef(stmt))
				return NULL;
		}
		if (!single_succ_p(bb) || !single_pred_p(single_succ(bb)))
			return NULL;
		bb = single_succ(bb);           /* a copied version begins with an empty block */
	}
	return NULL;
}

/* Moves the boundary before the test of __psc_recording: recording may begin with this call. */
static void move_boundary_before_test(basic_block body, basic_block test)
{
	gcall *begin = first_begin(body);
	gimple_stmt_iterator from, to = gsi_last_bb(test);

	if (!begin)
		return;
	from = gsi_for_stmt(begin);
	gimple_call_set_fndecl(begin, psc_runtime_function(FN_PHASE_CALL));
	gsi_move_after(&from, &to);
	update_stmt(begin);
}

static void add_dispatch(cgraph_node *node, cgraph_node *clone, bool signals)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	tree active;

	push_cfun(fun);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	basic_block test = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)));

	move_boundary_before_test(single_succ(test), test);
	gimple_stmt_iterator gsi = gsi_last_bb(test);
	active = make_ssa_name(integer_type_node);
	gsi_insert_after(&gsi, gimple_build_assign(active, psc_runtime_recording()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, active, integer_zero_node, NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
	psc_call_version(test, node->decl, clone->decl, signals);
	mark_virtual_operands_for_renaming(fun);
	update_ssa(TODO_update_ssa);
	cgraph_edge::rebuild_edges();
	pop_cfun();
}

/* Direct calls need no second test, and GCC can inline them. */
void psc_redirect_calls(const std::vector<basic_block> &blocks, const psc_clones &clones)
{
	for (auto bb : blocks)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(i));
			tree callee = call ? psc_called(call) : NULL_TREE;
			auto to = callee ? clones.find(callee) : clones.end();

			if (to == clones.end() ||
			    cgraph_node::get(callee)->get_availability() <= AVAIL_INTERPOSABLE)
				continue;
			gimple_call_set_fndecl(call, to->second);
			update_stmt(call);
		}
}

void psc_redirect_all(cgraph_node *clone, const psc_clones &clones)
{
	std::vector<basic_block> blocks;
	basic_block bb;

	push_cfun(DECL_STRUCT_FUNCTION(clone->decl));
	FOR_EACH_BB_FN(bb, cfun)
		blocks.push_back(bb);
	psc_redirect_calls(blocks, clones);
	cgraph_edge::rebuild_edges();
	pop_cfun();
}

/* May the function's loops have recording bodies?  Also where the function itself has no
 * versions. */
static bool may_version_loops(cgraph_node *node)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);

	if (!node->has_gimple_body_p() || node->alias || node->thunk || node->inlined_to ||
	    !node->definition || DECL_EXTERNAL(node->decl) || !fun || !fun->cfg ||
	    fun->calls_setjmp)
		return false;
	for (const char *name : { "naked", "target_clones", "no_instrument_function",
			"omp declare simd", "simd", "omp declare target", PSC_CLONE_ATTRIBUTE })
		if (has_attribute(node->decl, name))
			return false;
	return true;
}

static void add_loop_versions(cgraph_node *node, const psc_clones &undispatched,
	const psc_clones &clones)
{
	push_cfun(DECL_STRUCT_FUNCTION(node->decl));
	if (psc_loop_versions_make(undispatched, clones))
		cgraph_edge::rebuild_edges();
	pop_cfun();
}

static std::vector<cgraph_node *> nodes_that(bool (*wanted)(cgraph_node *))
{
	std::vector<cgraph_node *> nodes;
	cgraph_node *node;

	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
		if (wanted(node))
			nodes.push_back(node);
	return nodes;
}

static bool add_caller(cgraph_node *name, void *callers)
{
	for (cgraph_edge *e = name->callers; e; e = e->next_caller)
		static_cast<std::set<cgraph_node *> *>(callers)->insert(e->caller);
	return false;
}

cgraph_node *psc_version_native(cgraph_node *node, const char *suffix)
{
	cgraph_node *copy = node->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL,
		suffix, NULL_TREE);

	/* a property of the body, found early */
	copy->can_change_signature = node->can_change_signature;
	return copy;
}

/* A copy of the native function, comdat like it (the linker keeps one), named NAME.psc_own: GCC
 * inlines it as natively. */
static cgraph_node *make_own(cgraph_node *node)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(node->decl));
	cgraph_node *own = psc_version_native(node, "psc_own");
	tree own_name = get_identifier(ACONCAT((name + (*name == '*'), ".psc_own", NULL)));

	set_decl_built_in_function(own->decl, NOT_BUILT_IN, 0);
	own->set_comdat_group(NULL);
	if (own->get_section())
		own->set_section((const char *)NULL);
	symtab->change_decl_assembler_name(own->decl, own_name);
	make_decl_one_only(own->decl, own_name);
	DECL_COMDAT(own->decl) = 1;
	DECL_VISIBILITY(own->decl) = VISIBILITY_HIDDEN;
	DECL_VISIBILITY_SPECIFIED(own->decl) = 1;
	own->externally_visible = 1;
	own->local = 0;
	return own;
}

/* Another unit may call an inline function through a pointer or a virtual table, and the linker may
 * keep this unit's copy for it: the function itself gets a dispatch, and this unit's calls by name
 * go to a copy without. */
static void add_own_copies(const std::vector<cgraph_node *> &nodes, const psc_clones &undispatched)
{
	std::vector<cgraph_node *> inlines;
	std::set<cgraph_node *> callers;
	psc_clones owns;

	for (auto node : nodes)
		if (TREE_PUBLIC(node->decl) && undispatched.count(node->decl))
			inlines.push_back(node);
	for (auto node : inlines)
		owns[node->decl] = make_own(node)->decl;
	for (auto node : inlines)        /* behind the loop above: the copies are callers, too */
		node->call_for_symbol_and_aliases(add_caller, &callers, true);
	for (auto caller : callers)
		psc_redirect_native(caller, owns);
	for (auto node : inlines)
		add_dispatch(node, cgraph_node::get(undispatched.at(node->decl)), true);
}

/* The marker version has the dispatch.  A signal handler's is at its own entry, too:
 * __psc_signal_begin() looks at the return address. */
static void dispatch(const psc_marker_versions &m, cgraph_node *node, cgraph_node *clone)
{
	bool marked = m.versions.count(node);

	if (marked)
		add_dispatch(m.versions.at(node), clone, false);
	if (!marked || is_handler(node->decl))
		add_dispatch(node, clone, true);
	if (marked)
		return;
	for (auto copies : { &m.copies, &m.marked_copies })
		if (copies->count(node))
			add_dispatch(copies->at(node), clone, true);
}

/* And finds what programs call. */
static std::vector<cgraph_node *> without_programs(const std::vector<cgraph_node *> &all)
{
	std::vector<cgraph_node *> nodes;

	for (auto n : all)
		if (!is_program(n))
			nodes.push_back(n);
		else
			find_calls_outside_loops(n);
	return nodes;
}

struct recording_versions {
	std::vector<cgraph_node *> made;
	psc_clones clones, undispatched;
	std::map<cgraph_node *, cgraph_node *> dispatched;
};

static recording_versions make_recording_versions(const std::vector<cgraph_node *> &nodes)
{
	recording_versions r;
	std::vector<std::pair<cgraph_node *, bool>> asked;

	/* needs_dispatch() looks at callers, and clones are callers: ask for all before making
	 * any. */
	for (auto n : recording_functions(nodes))
		asked.push_back({ n, needs_dispatch(n) });
	for (auto &entry : asked) {
		cgraph_node *n = entry.first, *clone = make_clone(n, entry.second ||
			is_served_outside(n->decl));

		r.clones[n->decl] = clone->decl;
		r.made.push_back(clone);
		if (entry.second)
			r.dispatched[n] = clone;
		else
			r.undispatched[n->decl] = clone->decl;
	}
	if (!profile_flag)
		for (auto clone : r.made)
			psc_redirect_all(clone, r.clones);
	return r;
}

void psc_versions_make(void)
{
	unclonable = psc_unclonable_functions();
	psc_native_calls_survey();

	std::vector<cgraph_node *> all = nodes_that(versionable), nodes = without_programs(all);
	/* before versions are callers */
	psc_marker_versions marked = psc_marker_versions_survey(all);
	recording_versions recording = make_recording_versions(nodes);

	psc_marker_versions_make(&marked);
	psc_marker_versions_add(marked, &recording.clones);
	psc_marker_versions_add(marked, &recording.undispatched);
	if (!profile_flag)
		psc_marker_versions_redirect(marked, recording.made);
	for (auto n : nodes_that(may_version_loops))
		add_loop_versions(n, recording.undispatched,
			profile_flag ? recording.undispatched : recording.clones);
	for (auto n : nodes)
		if (recording.dispatched.count(n))
			dispatch(marked, n, recording.dispatched.at(n));
	add_own_copies(nodes, recording.undispatched);
}

namespace {
const pass_data versions_data = {
	SIMPLE_IPA_PASS, "psc_versions", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class versions_pass : public simple_ipa_opt_pass {
public:
	versions_pass(gcc::context *ctx) : simple_ipa_opt_pass(versions_data, ctx) {}
	bool gate(function *) final override { return !in_lto_p && !seen_error(); }
	unsigned int execute(function *) final override
	{
		psc_versions_make();
		psc_unit_emit();
		return 0;
	}
};
}

opt_pass *psc_pass_versions(gcc::context *ctx)
{
	return new versions_pass(ctx);
}
