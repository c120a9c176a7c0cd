/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds hooks that tell the monitor of the program's allocations and releases, and for which
 * variable they are (pass psc_memory, before omplower, behind psc_regions):
 *     p = malloc(n);    ->  p = malloc(n); __psc_allocated(&site_p, p, n, 1);
 *     free(p);          ->  __psc_released(p); free(p);
 *     q = xmalloc(n);   ->  s = __psc_scope_begin(&site_q); q = xmalloc(n); __psc_scope_end(s);
 * The third form (a scope) is for blocks that the callee allocates and only hands on.  The hooks
 * read no variable and no memory, and are declared so to the optimisers.  Pass psc_guard adds the
 * tests. */
#include "instrument/pscplugin.h"

/* Positions of arguments; -1: none. */
struct allocator {
	const char *name;
	signed char released;   /* the block that the call releases */
	signed char count, size;
	signed char out;        /* where it stores the new block's address, if its result is 0 */
	bool gives;             /* its result is a new block */

	bool grows() const { return gives && released >= 0; }
};

static const struct allocator allocators[] = {
	{ "malloc", -1, -1, 0, -1, true },
	{ "calloc", -1, 0, 1, -1, true },
	{ "realloc", 0, -1, 1, -1, true },
	{ "reallocarray", 0, 1, 2, -1, true },
	{ "aligned_alloc", -1, -1, 1, -1, true },
	{ "memalign", -1, -1, 1, -1, true },
	{ "valloc", -1, -1, 0, -1, true },
	{ "pvalloc", -1, -1, 0, -1, true },
	{ "posix_memalign", -1, -1, 2, 0, false },
	{ "free", 0, -1, -1, -1, false },
	{ "cfree", 0, -1, -1, -1, false },
	{ "mmap", -1, -1, 1, -1, true },       /* anonymous only: the monitor names mapped files
					        * itself */
	{ "munmap", 0, -1, -1, -1, false },
	/* of libraries that are not compiled with the plugin */
	{ "fftw_malloc", -1, -1, 0, -1, true },
	{ "fftwf_malloc", -1, -1, 0, -1, true },
	{ "fftw_free", 0, -1, -1, -1, false },
	{ "fftwf_free", 0, -1, -1, -1, false },
	{ "mkl_malloc", -1, -1, 0, -1, true },
	{ "mkl_calloc", -1, 0, 1, -1, true },
	{ "mkl_free", 0, -1, -1, -1, false },
	{ "hbw_malloc", -1, -1, 0, -1, true },
	{ "hbw_free", 0, -1, -1, -1, false },
	{ "numa_alloc_onnode", -1, -1, 0, -1, true },
	{ "numa_alloc_local", -1, -1, 0, -1, true },
	{ "numa_alloc_interleaved", -1, -1, 0, -1, true },
	{ "numa_alloc", -1, -1, 0, -1, true },
	{ "numa_free", 0, -1, -1, -1, false },
};
static const struct allocator operator_new = { "", -1, -1, 0, -1, true };
static const struct allocator operator_delete = { "", 0, -1, -1, -1, false };

static const struct allocator *allocator_of(tree fndecl)
{
	const char *name;

	if (!fndecl)
		return NULL;
	if (DECL_IS_OPERATOR_NEW_P(fndecl))
		return DECL_IS_REPLACEABLE_OPERATOR_NEW_P(fndecl) ? &operator_new : NULL;
	if (DECL_IS_OPERATOR_DELETE_P(fndecl))
		return DECL_IS_REPLACEABLE_OPERATOR(fndecl) ? &operator_delete : NULL;
	if (!DECL_NAME(fndecl) || !TREE_PUBLIC(fndecl))
		return NULL;
	name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fndecl));
	name += name[0] == '*';
	for (const struct allocator &a : allocators)
		if (strcmp(name, a.name) == 0)
			return &a;
	return NULL;
}

/* --- may a callee allocate a block that it hands on? ---------------------------------------- */
static bool found_allocation(tree fndecl)
{
	const struct allocator *a = allocator_of(fndecl);

	return a ? a->gives || a->out >= 0 : fndecl && psc_may_allocate(fndecl);
}

static tree look_tree(tree *tp, int *, void *)
{
	return TREE_CODE(*tp) == CALL_EXPR && found_allocation(get_callee_fndecl(*tp)) ?
		*tp : NULL_TREE;
}

static tree look_stmt(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
	gimple *stmt = gsi_stmt(*gsi);

	*handled = false;
	if (!is_gimple_call(stmt) || !found_allocation(gimple_call_fndecl(stmt)))
		return NULL_TREE;
	*handled = true;
	return gimple_call_fndecl(stmt);
}

/* The function that has the body: most constructors are aliases. */
static tree with_body(tree fndecl)
{
	cgraph_node *node = cgraph_node::get(fndecl);

	if (node && node->alias && node->analyzed)
		return node->ultimate_alias_target()->decl;
	if (node && node->alias && node->alias_target && DECL_P(node->alias_target))
		return node->alias_target;
	return fndecl;
}

/* A function without a body here is compiled elsewhere, with the plugin unless a system header
 * declares it. */
bool psc_may_allocate(tree fndecl)
{
	unsigned uid = DECL_UID(fndecl = with_body(fndecl));
	auto known = psc.allocates.find(uid);
	struct walk_stmt_info wi;

	if (known != psc.allocates.end())
		return known->second;
	if (psc_function_internal(fndecl) ||
	    (flags_from_decl_or_type(fndecl) & (ECF_CONST | ECF_PURE)))
		return false;
	psc.allocates[uid] = false;  /* during the search: ends recursion */
	if (gimple_body(fndecl)) {
		memset(&wi, 0, sizeof wi);
		return psc.allocates[uid] =
			walk_gimple_seq(gimple_body(fndecl), look_stmt, NULL, &wi) != NULL;
	}
	if (DECL_SAVED_TREE(fndecl))
		return psc.allocates[uid] =
			walk_tree_without_duplicates(&DECL_SAVED_TREE(fndecl), look_tree, NULL) !=
			NULL;
	psc.allocates.erase(uid);
	return !in_system_header_at(DECL_SOURCE_LOCATION(fndecl));
}

/* --- sites ---------------------------------------------------------------------------------- */
struct memory {
	struct psc_values values;
	unsigned region;        /* of the subroutine, or PSC_NO_REGION */
	bool library;           /* of a system header: no variable of the program */
};

/* flags: PSC_SITE_REALLOC, or 0. */
static tree site_address(const struct memory &m, location_t where,
	struct psc_destination destination, unsigned flags = 0)
{
	struct psc_place place = psc_place_of(where);
	struct psc_site_entry site = { destination.name, destination.scope, place.file,
		destination.descriptor, m.region, place.line, destination.elem,
			flags | destination.made | (destination.handed_on ? PSC_SITE_HANDED_ON :
			0) | (unsigned)destination.nodes << PSC_SITE_NODES_SHIFT };

	if (m.library) {
		site.name = site.scope = "";
		site.flags |= PSC_SITE_HANDED_ON;
	}
	if (destination.global)
		site.region = PSC_NO_REGION;
	return psc_site_make(site);
}

/* --- statements ----------------------------------------------------------------------------- */
/* A variable of the bind that replaces the statement: local also inside OpenMP constructs. */
static tree local(std::vector<tree> *vars, tree type)
{
	tree var = create_tmp_var_raw(type, "psc_block");

	DECL_CONTEXT(var) = current_function_decl;
	DECL_SEEN_IN_BIND_EXPR_P(var) = 1;
	vars->push_back(var);
	return var;
}

static tree as_u64(gimple_seq *seq, std::vector<tree> *vars, tree value)
{
	tree var;

	if (TREE_CODE(value) == INTEGER_CST)
		return fold_convert(uint64_type_node, value);
	var = local(vars, uint64_type_node);
	gimple_seq_add_stmt(seq, gimple_build_assign(var, NOP_EXPR, value));
	return var;
}

static void in_bind(gimple_stmt_iterator *gsi, const std::vector<tree> &vars, gimple_seq before,
	gimple_seq after)
{
	gimple *stmt = gsi_stmt(*gsi);
	tree chain = NULL_TREE;
	gimple_seq seq = NULL;

	for (tree var : vars) {
		DECL_CHAIN(var) = chain;
		chain = var;
	}
	gbind *bind = gimple_build_bind(chain, NULL, NULL);
	gsi_replace(gsi, bind, false);
	gimple_seq_add_seq(&seq, before);
	gimple_seq_add_stmt(&seq, stmt);
	gimple_seq_add_seq(&seq, after);
	gimple_bind_set_body(bind, seq);
}

static gcall *hook(enum psc_function which, location_t where, tree a, tree b = NULL_TREE,
	tree c = NULL_TREE, tree d = NULL_TREE)
{
	gcall *call = d ? gimple_build_call(psc_runtime_function(which), 4, a, b, c, d) :
		gimple_build_call(psc_runtime_function(which), 1, a);

	gimple_set_location(call, where);
	return call;
}

static bool has_args(gcall *call, const struct allocator *a)
{
	int last = MAX(MAX(a->released, a->count), MAX(a->size, a->out));
	auto integral = [call](int i) {
		return i < 0 || INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(call, i)));
	};
	auto pointer = [call](int i) {
		return i < 0 || POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i)));
	};

	if (strcmp(a->name, "mmap") == 0 && (gimple_call_num_args(call) != 6 ||
			!integer_minus_onep(gimple_call_arg(call, 4))))
		return false;
	return last < (int)gimple_call_num_args(call) && integral(a->count) && integral(a->size) &&
		pointer(a->released) && pointer(a->out);
}

/* The variable in which posix_memalign() has stored the block: its argument points there. */
static tree stored_at(tree pointer)
{
	if (TREE_CODE(pointer) == ADDR_EXPR && POINTER_TYPE_P(TREE_TYPE(TREE_OPERAND(pointer, 0))))
		return TREE_OPERAND(pointer, 0);
	return build2(MEM_REF, ptr_type_node, pointer,
		build_int_cst(build_pointer_type(ptr_type_node), 0));
}

/* A record of less than PSC_SMALL_BLOCK bytes is one of many: its type says more than the variable
 * that holds the address first. */
static bool is_record(const struct psc_destination &d, tree bytes)
{
	return !d.record.empty() && d.elem && d.elem < PSC_SMALL_BLOCK && bytes &&
		TREE_CODE(bytes) == INTEGER_CST && compare_tree_int(bytes, d.elem) == 0;
}

static struct psc_destination block_destination(const struct memory &m, tree t, tree count,
	tree size)
{
	struct psc_destination d = psc_destination_of(m.values, t);

	if (!m.library && integer_onep(count) && is_record(d, size))
		psc_destination_record(&d);
	return d;
}

static void add_allocation_hooks(const struct memory &m, gimple_stmt_iterator *gsi,
	const struct allocator *a)
{
	gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
	location_t where = gimple_location(call);
	gimple_seq before = NULL, after = NULL;
	std::vector<tree> vars;
	tree block = gimple_call_lhs(call), count = build_one_cst(uint64_type_node),
		destination = block;

	if (!has_args(call, a))
		return;
	if (a->released >= 0)
		gimple_seq_add_stmt(&before, hook(FN_RELEASED, where,
			gimple_call_arg(call, a->released)));
	if (a->gives ? block && is_gimple_val(block) : a->out >= 0) {
		if (a->count >= 0)
			count = as_u64(&before, &vars, gimple_call_arg(call, a->count));
		tree size = as_u64(&before, &vars, gimple_call_arg(call, a->size));

		if (a->out >= 0) {
			tree failed = block;

			if (!failed) {
				failed = local(&vars, integer_type_node);
				gimple_call_set_lhs(call, failed);
			}
			destination = stored_at(gimple_call_arg(call, a->out));
			block = local(&vars, ptr_type_node);
			gimple_seq_add_stmt(&after, gimple_build_assign(block,
				unshare_expr(destination)));
			tree good = local(&vars, boolean_type_node);
			gimple_seq_add_stmt(&after, gimple_build_assign(good, EQ_EXPR, failed,
				build_zero_cst(TREE_TYPE(failed))));
			count = as_u64(&after, &vars, good);
		}
		gimple_seq_add_stmt(&after, hook(FN_ALLOCATED, where,
			site_address(m, where, block_destination(m, destination, count, size),
				a->grows() ? PSC_SITE_REALLOC : 0), block, count, size));
	}
	if (before || after)
		in_bind(gsi, vars, before, after);
}

/* The only argument through which the callee can set a pointer of the caller: &p, or rows for
 * **rows.
 * NULL_TREE: none, or several. */
static tree sole_out_argument(gcall *call)
{
	tree found = NULL_TREE;

	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i), type = TREE_TYPE(arg);
		bool address = POINTER_TYPE_P(type) && POINTER_TYPE_P(TREE_TYPE(type)) &&
			TREE_CODE(TREE_TYPE(TREE_TYPE(type))) != FUNCTION_TYPE;
		bool descriptor = POINTER_TYPE_P(type) && psc_is_descriptor(TREE_TYPE(type)) &&
			(TREE_CODE(arg) == ADDR_EXPR || TREE_CODE(arg) == PARM_DECL);

		if (!address && !descriptor)
			continue;
		if (found)
			return NULL_TREE;
		found = arg;
	}
	return found;
}

/* Does the method's result refer to an element of its object, which then holds the block?  So do
 * references, as of operator[], and in the library what a method returns that changes its object,
 * unless it owns something itself: an iterator, as of insert(). */
static bool refers_to_element(tree fndecl)
{
	tree type = TREE_TYPE(fndecl), result = TREE_TYPE(type),
		object = TREE_TYPE(TREE_VALUE(TYPE_ARG_TYPES(type)));

	return TREE_CODE(result) == REFERENCE_TYPE || (AGGREGATE_TYPE_P(result) &&
		!TREE_ADDRESSABLE(result) && !TYPE_READONLY(object) &&
		in_system_header_at(DECL_SOURCE_LOCATION(fndecl)));
}

/* The variable that gets the callee's block.  false: unknown. */
static bool destination_of_call(const struct memory &m, gcall *call, struct psc_destination *out)
{
	tree lhs = gimple_call_lhs(call), fndecl = gimple_call_fndecl(call), arg;
	bool method = fndecl && psc_is_cxx() && TREE_CODE(TREE_TYPE(fndecl)) == METHOD_TYPE &&
		gimple_call_num_args(call);

	if (method && refers_to_element(fndecl) &&
	    !psc_destination_of(m.values, gimple_call_arg(call, 0)).name.empty())
		arg = gimple_call_arg(call, 0);
	else if (lhs && (POINTER_TYPE_P(TREE_TYPE(lhs)) || AGGREGATE_TYPE_P(TREE_TYPE(lhs))))
		arg = lhs;
	else if (method && (in_system_header_at(DECL_SOURCE_LOCATION(fndecl)) ||
		 psc_is_template(DECL_CONTEXT(fndecl))))
		arg = gimple_call_arg(call, 0);
	else
		arg = sole_out_argument(call);
	if (!arg)
		return false;
	*out = psc_destination_of(m.values, arg);
	/* An argument is the address of the variable: of a pointer, or of an
	 * object that holds the block. */
	if (arg != lhs && POINTER_TYPE_P(TREE_TYPE(arg)))
		out->elem = psc_element_size(TREE_TYPE(TREE_TYPE(arg)));
	/* An unnamed result that stays in this function is named by the call's line. */
	return !out->name.empty() || (arg == lhs && !out->handed_on);
}

static void open_scope(const struct memory &m, gimple_stmt_iterator *gsi)
{
	gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
	location_t where = gimple_location(call);
	tree fndecl = gimple_call_fndecl(call);
	gimple_seq before = NULL, after = NULL;
	std::vector<tree> vars;
	struct psc_destination destination;

	if (m.library || in_system_header_at(where) || gimple_call_internal_p(call) ||
	    (gimple_call_flags(call) & (ECF_RETURNS_TWICE | ECF_NORETURN)) ||
	    (fndecl ? !psc_may_allocate(fndecl) : !gimple_call_lhs(call)))
		return;
	/* A scope would end tail recursion; the outermost call has one. */
	if (fndecl && psc.recursive.count(DECL_UID(fndecl)) &&
	    psc.recursive.count(DECL_UID(current_function_decl)) && psc_call_is_tail(*gsi))
		return;
	if (!destination_of_call(m, call, &destination))
		return;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (is_record(destination, gimple_call_arg(call, i))) {
			psc_destination_record(&destination);
			break;
		}
	tree outer = local(&vars, uint64_type_node);
	gcall *begin = hook(FN_SCOPE_BEGIN, where, site_address(m, where, destination));
	gimple_call_set_lhs(begin, outer);
	gimple_seq_add_stmt(&before, begin);
	gimple_seq_add_stmt(&after, hook(FN_SCOPE_END, where, outer));
	in_bind(gsi, vars, before, after);
}

static tree visit(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	const struct memory &m = *static_cast<struct memory *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);
	gomp_for *loop = dyn_cast<gomp_for *>(stmt);

	/* No hooks in code for other devices, nor in simd loops. */
	*handled = gimple_code(stmt) == GIMPLE_OMP_TARGET ||
		(loop && gimple_omp_for_kind(loop) == GF_OMP_FOR_KIND_SIMD);
	if (is_gimple_call(stmt)) {
		const struct allocator *a = allocator_of(gimple_call_fndecl(stmt));

		*handled = true;
		if (a)
			add_allocation_hooks(m, gsi, a);
		else
			open_scope(m, gsi);
	}
	return NULL_TREE;
}

namespace {
const pass_data memory_data = {
	GIMPLE_PASS, "psc_memory", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0
};

class memory_pass : public gimple_opt_pass {
public:
	memory_pass(gcc::context *ctx) : gimple_opt_pass(memory_data, ctx) {}
	bool gate(function *fun) final override
	{
		for (const char *name : { "naked", "no_instrument_function", "omp declare simd",
		     "simd",
				"omp declare target" })
			if (lookup_attribute(name, DECL_ATTRIBUTES(fun->decl)))
				return false;
		return gimple_body(fun->decl) != NULL;
	}
	unsigned int execute(function *fun) final override
	{
		auto sub = psc.subroutines.find(DECL_UID(fun->decl));
		gimple_seq body = gimple_body(fun->decl);
		struct walk_stmt_info wi;
		struct memory m;

		psc_may_allocate(fun->decl);  /* cached now: later passes lower the body */
		m.region = sub == psc.subroutines.end() ? PSC_NO_REGION : sub->second;
		m.library = in_system_header_at(DECL_SOURCE_LOCATION(fun->decl));
		psc_values_find(&m.values, body, fun->decl);
		memset(&wi, 0, sizeof wi);
		wi.info = &m;
		walk_gimple_seq_mod(&body, visit, NULL, &wi);
		psc_local_arrays(body, m.region);
		gimple_set_body(fun->decl, body);
		return 0;
	}
};
}

opt_pass *psc_pass_memory(gcc::context *ctx)
{
	return new memory_pass(ctx);
}
