/* SPDX-License-Identifier: BSD-3-Clause */
/* Pass A, before isel: in the recording clones, every memory access also stores its address into
 * the thread's buffer.  This late, the accesses are those that the machine will make: the
 * vectoriser, induction variables and store merging are through. */
#include "instrument/pscplugin.h"

/* Registers hold a segment's pointer: a short segment spills less. */
#define SEGMENT_WORDS 48
/* A block may write PSC_SLACK_WORDS without asking; a larger one is split. */
#define BLOCK_WORDS (PSC_SLACK_WORDS / 2)

struct touch {
	gimple *stmt;
	tree ref;        /* the accessed object, or NULL_TREE: pointer */
	tree pointer;
	tree length;     /* ranges; NULL_TREE otherwise */
	unsigned size;
	unsigned kind;   /* enum psc_access_kind */
};

typedef std::vector<touch> touches;

/* --- what a statement accesses -------------------------------------------------------------- */
static bool base_recordable(tree base)
{
	if (!base)
		return false;
	if (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF) {
		tree pointer = TREE_OPERAND(base, 0);

		return ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))) &&
			(TREE_CODE(pointer) != ADDR_EXPR || TREE_CODE(base) == TARGET_MEM_REF ||
			 base_recordable(get_base_address(TREE_OPERAND(pointer, 0))));
	}
	if (!VAR_P(base) || DECL_HARD_REGISTER(base) || is_gimple_reg(base))
		return false;
	/* An aggregate that will live in a register is no memory; asking for its address would
	 * change that. */
	return is_global_var(base) || TREE_ADDRESSABLE(base) || !use_register_for_decl(base);
}

/* The part of `ref` whose address can be taken, and how many bytes behind it the access begins. */
static tree addressable_part(tree ref, unsigned HOST_WIDE_INT *offset, unsigned HOST_WIDE_INT *size)
{
	tree bytes = TYPE_SIZE_UNIT(TREE_TYPE(ref));
	HOST_WIDE_INT first = 0, bits = 0;

	*offset = 0;
	*size = bytes && tree_fits_uhwi_p(bytes) ? tree_to_uhwi(bytes) : 0;
	for (;;) {
		if (TREE_CODE(ref) == BIT_FIELD_REF) {
			first += bit_field_offset(ref).to_constant();
			bits = bits ? bits : bit_field_size(ref).to_constant();
		} else if (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(ref, 1)) &&
			   tree_fits_shwi_p(DECL_FIELD_OFFSET(TREE_OPERAND(ref, 1)))) {
			tree field = TREE_OPERAND(ref, 1);

			first += tree_to_shwi(bit_position(field));
			bits = bits ? bits : tree_to_shwi(DECL_SIZE(field));
		} else if (TREE_CODE(ref) != VIEW_CONVERT_EXPR) {
			break;
		}
		ref = TREE_OPERAND(ref, 0);
	}
	if (bits) {
		*offset = first / 8;
		*size = (first % 8 + bits + 7) / 8;
	} else {
		*offset = first / 8;
	}
	return ref;
}

static bool note(gimple *stmt, tree ref, void *data, bool store)
{
	touches *list = static_cast<touches *>(data);
	struct touch a = { stmt, ref, NULL_TREE, NULL_TREE, 0, store ? PSC_STORE : PSC_LOAD };
	unsigned HOST_WIDE_INT offset, size;

	if (store && gimple_clobber_p(stmt))
		return false;
	if (!base_recordable(get_base_address(ref)))
		return false;
	addressable_part(ref, &offset, &size);
	if (size == 0)
		return false;
	a.size = size;
	if (size > 16 && AGGREGATE_TYPE_P(TREE_TYPE(ref))) {
		a.kind = store ? PSC_STORE_RANGE : PSC_LOAD_RANGE;
		a.length = build_int_cst(uint64_type_node, size);
		a.size = 0;
	}
	list->push_back(a);
	return false;
}

static bool note_load(gimple *stmt, tree, tree ref, void *data)
{
	return note(stmt, ref, data, false);
}

static bool note_store(gimple *stmt, tree, tree ref, void *data)
{
	return note(stmt, ref, data, true);
}

static void note_pointer(touches *list, gimple *stmt, unsigned arg, unsigned kind, tree length,
	unsigned size)
{
	if (!length || !integer_zerop(length))
		list->push_back({ stmt, NULL_TREE, gimple_call_arg(stmt, arg), length, size, kind });
}

/* __atomic_fetch_add_8, __sync_lock_test_and_set_4: the size is the name's last number. */
static bool note_atomic(touches *list, gimple *stmt, tree fndecl)
{
	const char *name = IDENTIFIER_POINTER(DECL_NAME(fndecl)), *digits = strrchr(name, '_');
	unsigned size = digits ? atoi(digits + 1) : 0;

	if (startswith(name, "__builtin_"))
		name += strlen("__builtin_");
	if ((!startswith(name, "__atomic_") && !startswith(name, "__sync_")) || size == 0 ||
	    gimple_call_num_args(stmt) == 0 || !POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, 0))))
		return false;
	if (!startswith(name, "__atomic_store"))
		note_pointer(list, stmt, 0, PSC_LOAD, NULL_TREE, size);
	if (!startswith(name, "__atomic_load"))
		note_pointer(list, stmt, 0, PSC_STORE, NULL_TREE, size);
	return true;
}

static void note_builtin(touches *list, gimple *stmt, tree fndecl)
{
	switch (DECL_FUNCTION_CODE(fndecl)) {
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMMOVE:
	case BUILT_IN_MEMPCPY:
	case BUILT_IN_MEMCPY_CHK:
	case BUILT_IN_MEMMOVE_CHK:
	case BUILT_IN_MEMPCPY_CHK:
		note_pointer(list, stmt, 1, PSC_LOAD_RANGE, gimple_call_arg(stmt, 2), 0);
		/* FALLTHRU */
	case BUILT_IN_MEMSET:
	case BUILT_IN_MEMSET_CHK:
		note_pointer(list, stmt, 0, PSC_STORE_RANGE, gimple_call_arg(stmt, 2), 0);
		break;
	default:
		note_atomic(list, stmt, fndecl);
	}
}

/* Masked vectors count as whole ones: which lanes are active is known to the machine only. */
static void note_internal(touches *list, gcall *call)
{
	tree value = NULL_TREE;
	bool store = false;

	switch (gimple_call_internal_fn(call)) {
	case IFN_MASK_LOAD:
	case IFN_LEN_LOAD:
		value = gimple_call_lhs(call);
		break;
	case IFN_MASK_STORE:
	case IFN_LEN_STORE:
		value = gimple_call_arg(call, 3);
		store = true;
		break;
	case IFN_GATHER_LOAD:
	case IFN_MASK_GATHER_LOAD:
	case IFN_SCATTER_STORE:
	case IFN_MASK_SCATTER_STORE:
		if (psc.verbose)
			inform(gimple_location(call), "gathered accesses are not recorded");
		break;
	default:
		break;
	}
	if (value)
		note_pointer(list, call, 0, store ? PSC_STORE : PSC_LOAD, NULL_TREE,
			tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(value))));
}

static void note_call(touches *list, gcall *call)
{
	tree lhs = gimple_call_lhs(call), fndecl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		note_internal(list, call);
	else if (fndecl && fndecl_built_in_p(fndecl, BUILT_IN_NORMAL))
		note_builtin(list, call, fndecl);
	else if (fndecl && fndecl_built_in_p(fndecl) && psc.verbose &&
		 strstr(IDENTIFIER_POINTER(DECL_NAME(fndecl)), "gather"))
		inform(gimple_location(call), "gathered accesses are not recorded");
	if (lhs && !is_gimple_reg(lhs))
		note(call, lhs, list, true);
}

static void note_stmt(touches *list, gimple *stmt)
{
	if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_RETURN)
		return;
	if (gcall *call = dyn_cast<gcall *>(stmt))
		note_call(list, call);   /* arguments in memory are the ABI's affair */
	else
		walk_stmt_load_store_ops(stmt, list, note_load, note_store);
}

/* May the callee record too?  Then it moves psc_cur, and leaves less room. */
static bool may_record(gimple *stmt)
{
	gcall *call = dyn_cast<gcall *>(stmt);
	tree fndecl = call ? gimple_call_fndecl(call) : NULL_TREE;

	if (!call || gimple_call_internal_p(call))
		return false;
	return !fndecl || !fndecl_built_in_p(fndecl) || !(gimple_call_flags(call) & ECF_LEAF);
}

/* --- descriptors ---------------------------------------------------------------------------------- */
struct descriptors {
	tree decl;
	std::vector<uint32_t> words;
};

static tree descriptor_address(struct descriptors *d, const touch *list, size_t n)
{
	unsigned HOST_WIDE_INT at = d->words.size() * 4;
	unsigned nwords = 0;

	if (!d->decl) {
		char name[40];

		ASM_GENERATE_INTERNAL_LABEL(name, "LPSC", DECL_UID(cfun->decl));
		d->decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name + 1),
			build_array_type(uint32_type_node, NULL_TREE));
		SET_DECL_ASSEMBLER_NAME(d->decl, get_identifier(name));
		TREE_STATIC(d->decl) = TREE_READONLY(d->decl) = TREE_ADDRESSABLE(d->decl) = 1;
		TREE_USED(d->decl) = DECL_ARTIFICIAL(d->decl) = DECL_IGNORED_P(d->decl) = 1;
	}
	for (size_t i = 0; i < n; i++)
		nwords += list[i].length ? 2 : 1;
	d->words.push_back(nwords);
	d->words.push_back(n);
	for (size_t i = 0; i < n; i++) {
		location_t where = gimple_location(list[i].stmt);

		d->words.push_back(LOCATION_LOCUS(where) == UNKNOWN_LOCATION ? 0
			: expand_location(where).line);
		d->words.push_back(list[i].size << 2 | list[i].kind);
	}
	tree base = build1(ADDR_EXPR, ptr_type_node, d->decl);
	return at == 0 ? base : build1(ADDR_EXPR, ptr_type_node,
		build2(MEM_REF, uint32_type_node, base, build_int_cst(ptr_type_node, at)));
}

static void finish_descriptors(struct descriptors *d)
{
	vec<constructor_elt, va_gc> *elts = NULL;
	tree type;

	if (!d->decl)
		return;
	for (uint32_t word : d->words)
		CONSTRUCTOR_APPEND_ELT(elts, size_int(vec_safe_length(elts)),
			build_int_cst(uint32_type_node, word));
	type = build_qualified_type(build_array_type_nelts(uint32_type_node, d->words.size()),
		TYPE_QUAL_CONST);
	TREE_TYPE(d->decl) = type;
	DECL_INITIAL(d->decl) = build_constructor(type, elts);
	TREE_STATIC(DECL_INITIAL(d->decl)) = TREE_CONSTANT(DECL_INITIAL(d->decl)) = 1;
	SET_DECL_ALIGN(d->decl, 64);
	DECL_USER_ALIGN(d->decl) = 1;
	layout_decl(d->decl, 0);
	varpool_node::finalize_decl(d->decl);
}

/* --- the code ---------------------------------------------------------------------------------------- */
static void before(gimple *stmt, gimple *add)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

	gimple_set_location(add, gimple_location(stmt));
	gsi_insert_before(&gsi, add, GSI_SAME_STMT);
}

static void store_word(gimple *at, tree cur, unsigned word, tree value)
{
	tree target = build2(MEM_REF, TREE_TYPE(value), cur, build_int_cst(ptr_type_node, 8 * word));

	before(at, gimple_build_assign(target, value));
}

static void take_address(tree ref)
{
	tree base = get_base_address(ref);

	if (TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
		base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
	if (base && DECL_P(base) && !is_global_var(base))
		mark_addressable(base);
}

static tree address_of(const touch *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);
	unsigned HOST_WIDE_INT offset = 0, size;
	tree address;

	if (!a->ref) {
		address = fold_convert(ptr_type_node, a->pointer);
	} else {
		tree part = addressable_part(a->ref, &offset, &size);

		take_address(part);
		if (TREE_CODE(part) == TARGET_MEM_REF)
			address = tree_mem_ref_addr(ptr_type_node, part);
		else
			address = fold_convert(ptr_type_node, build_fold_addr_expr(unshare_expr(part)));
		if (offset)
			address = fold_build_pointer_plus_hwi(address, offset);
	}
	return force_gimple_operand_gsi(&gsi, address, true, NULL_TREE, true, GSI_SAME_STMT);
}

static tree range_length(const touch *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);

	return force_gimple_operand_gsi(&gsi, fold_convert(uint64_type_node, a->length), true,
		NULL_TREE, true, GSI_SAME_STMT);
}

/* One segment: the header, an address next to each access, and psc_cur once. */
static void emit_segment(struct descriptors *d, const touch *list, size_t n, tree cur)
{
	gimple *first = list[0].stmt, *last = list[n - 1].stmt;
	unsigned word = 1;

	if (!cur) {
		cur = make_ssa_name(ptr_type_node);
		before(first, gimple_build_assign(cur, psc_runtime_cur()));
	}
	store_word(first, cur, 0, descriptor_address(d, list, n));
	for (size_t i = 0; i < n; i++) {
		store_word(list[i].stmt, cur, word++, address_of(&list[i]));
		if (list[i].length)
			store_word(list[i].stmt, cur, word++, range_length(&list[i]));
	}
	tree next = make_ssa_name(ptr_type_node);
	before(last, gimple_build_assign(next, POINTER_PLUS_EXPR, cur, size_int(8 * word)));
	before(last, gimple_build_assign(psc_runtime_cur(), next));
}

/* if (psc_cur >= psc_end) psc_flush(); at the block's beginning.  Returns psc_cur, for the
 * block's first segment. */
static tree emit_check(basic_block bb)
{
	edge on = split_block_after_labels(bb), full, back;
	basic_block body = on->dest, flush = create_empty_bb(bb);
	tree cur = make_ssa_name(ptr_type_node), end = make_ssa_name(ptr_type_node);
	tree again = make_ssa_name(ptr_type_node), merged = make_ssa_name(ptr_type_node);
	gimple_stmt_iterator gsi = gsi_last_bb(bb);

	gsi_insert_after(&gsi, gimple_build_assign(cur, psc_runtime_cur()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_assign(end, psc_runtime_end()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(GE_EXPR, cur, end, NULL_TREE, NULL_TREE),
		GSI_NEW_STMT);
	if (current_loops)
		add_bb_to_loop(flush, bb->loop_father);
	on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	on->probability = profile_probability::very_likely();
	full = make_edge(bb, flush, EDGE_TRUE_VALUE);
	full->probability = profile_probability::very_unlikely();
	flush->count = bb->count.apply_probability(full->probability);
	back = make_single_succ_edge(flush, body, EDGE_FALLTHRU);
	gsi = gsi_last_bb(flush);
	gsi_insert_after(&gsi, gimple_build_call(psc_runtime_function(FN_FLUSH), 0), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_assign(again, psc_runtime_cur()), GSI_NEW_STMT);
	gphi *phi = create_phi_node(merged, body);
	add_phi_arg(phi, cur, on, UNKNOWN_LOCATION);
	add_phi_arg(phi, again, back, UNKNOWN_LOCATION);
	return merged;
}

/* A block that has accesses after a call that may record, or more than fit, becomes two. */
static void split_blocks(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun) {
		gimple *call = NULL, *previous = NULL;
		size_t words = 0;

		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			touches list;

			note_stmt(&list, gsi_stmt(i));
			words += 3 * list.size();
			if (!list.empty() && (call || (words > BLOCK_WORDS && previous))) {
				split_block(bb, call ? call : previous);
				break;      /* the rest is the next block of the walk */
			}
			if (may_record(gsi_stmt(i)))
				call = gsi_stmt(i);
			previous = gsi_stmt(i);
		}
	}
}

static bool record_block(struct descriptors *d, basic_block bb)
{
	touches all;
	std::vector<size_t> ends;    /* of segments */
	size_t from = 0, words = 0;
	tree cur;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		size_t old = all.size();

		note_stmt(&all, gsi_stmt(i));
		words += 2 * (all.size() - old);
		if (all.size() > from && (is_gimple_call(gsi_stmt(i)) || words > SEGMENT_WORDS)) {
			ends.push_back(from = all.size());
			words = 0;
		}
	}
	if (all.empty())
		return false;
	if (ends.empty() || ends.back() < all.size())
		ends.push_back(all.size());
	cur = emit_check(bb);
	from = 0;
	for (size_t end : ends) {
		emit_segment(d, &all[from], end - from, cur);
		cur = NULL_TREE;
		from = end;
	}
	return true;
}

namespace {
const pass_data access_data = {
	GIMPLE_PASS, "psc_access", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class access_pass : public gimple_opt_pass {
public:
	access_pass(gcc::context *ctx) : gimple_opt_pass(access_data, ctx) {}
	bool gate(function *fun) final override
	{
		return lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl)) != NULL_TREE;
	}
	unsigned int execute(function *fun) final override
	{
		struct descriptors d = { NULL_TREE, {} };
		std::vector<basic_block> blocks;
		basic_block bb;

		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		split_blocks();
		FOR_EACH_BB_FN(bb, fun)
			blocks.push_back(bb);
		for (auto block : blocks)
			record_block(&d, block);
		if (!d.decl)
			return 0;
		finish_descriptors(&d);
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};
}

opt_pass *psc_pass_access(gcc::context *ctx)
{
	return new access_pass(ctx);
}
