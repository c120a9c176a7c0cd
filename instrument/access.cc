/* SPDX-License-Identifier: BSD-3-Clause */
/* Pass A, before isel: in the recording clones, every memory access also stores its address into
 * the thread's buffer.  This late, the accesses are those that the machine will make: the
 * vectoriser, induction variables and store merging are through. */
#include "instrument/pscplugin.h"

/* Registers hold a segment's pointer: a short segment spills less. */
#define SEGMENT_WORDS 48
/* A block may write PSC_SLACK_WORDS without asking; a larger one is split. */
#define BLOCK_WORDS (PSC_SLACK_WORDS / 2)

/* --- descriptors ---------------------------------------------------------------------------------- */
struct descriptors {
	tree decl;
	std::vector<uint32_t> words;
};

static tree descriptor_address(struct descriptors *d, const psc_touch *list, size_t n)
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

static tree address_of(const psc_touch *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);
	unsigned HOST_WIDE_INT offset = 0, size;
	tree address;

	if (!a->ref) {
		address = fold_convert(ptr_type_node, a->pointer);
	} else {
		tree part = psc_touch_part(a->ref, &offset, &size);

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

static tree range_length(const psc_touch *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);

	return force_gimple_operand_gsi(&gsi, fold_convert(uint64_type_node, a->length), true,
		NULL_TREE, true, GSI_SAME_STMT);
}

/* One segment: the header, an address next to each access, and psc_cur once. */
static void emit_segment(struct descriptors *d, const psc_touch *list, size_t n, tree cur)
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
			psc_touches list;

			psc_touches_of(&list, gsi_stmt(i));
			words += 3 * list.size();
			if (!list.empty() && (call || (words > BLOCK_WORDS && previous))) {
				split_block(bb, call ? call : previous);
				break;      /* the rest is the next block of the walk */
			}
			if (psc_may_record(gsi_stmt(i)))
				call = gsi_stmt(i);
			previous = gsi_stmt(i);
		}
	}
}

static bool record_block(struct descriptors *d, basic_block bb)
{
	psc_touches all;
	std::vector<size_t> ends;    /* of segments */
	size_t from = 0, words = 0;
	tree cur;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		size_t old = all.size();

		psc_touches_of(&all, gsi_stmt(i));
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

static bool is_clone(function *fun)
{
	return lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl)) != NULL_TREE;
}

/* Of a native version, what lies between marks (switch.cc) records. */
struct recorded {
	bool all;
	std::vector<bool> blocks;
};

static struct recorded find_recorded(function *fun)
{
	struct recorded r = { is_clone(fun), {} };

	psc_switch_blocks(&r.blocks);
	return r;
}

static bool records(const struct recorded *r, basic_block bb)
{
	while ((size_t)bb->index >= r->blocks.size())    /* split off since */
		bb = single_pred(bb);
	return r->all || r->blocks[bb->index];
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
		return is_clone(fun) || psc_switch_has_marks(fun);
	}
	unsigned int execute(function *fun) final override
	{
		struct descriptors d = { NULL_TREE, {} };
		struct recorded recorded = find_recorded(fun);
		std::vector<basic_block> blocks;
		basic_block bb;

		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		split_blocks();
		FOR_EACH_BB_FN(bb, fun)
			if (records(&recorded, bb))
				blocks.push_back(bb);
		for (auto block : blocks)
			record_block(&d, block);
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
