/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the records of an innermost loop by one loop record in front of it, where each access is
 * made once an iteration and moves by a constant step.  The loop's body stays native.
 *
 * GCC's scalar evolution computes the addresses.  Its results are exact in 64 bits: it rejects a
 * narrow index that may wrap.  The iteration count is known in front of the loop, or counted and
 * stored at its exits; a loop that is left in another way (longjmp, exit) leaves the count 0, a
 * record of nothing. */
#include "instrument/pscplugin.h"
#include "tree-ssa-loop-ivopts.h"

/* Most words of a loop record. */
#define LOOP_WORDS 2048

struct record_exit {
	edge out;
	bool fewer;          /* the last iteration makes no access before this exit */
};

struct loop_record {
	class loop *loop;
	edge entry, latch;
	std::vector<record_exit> exits;
	struct psc_groups groups;
	tree count;          /* how often the body begins; NULL_TREE: counted at run time */
};

static std::vector<struct loop_record> loop_records;
static std::set<basic_block> recorded;

bool psc_in_loop_record(basic_block bb)
{
	return recorded.count(bb) != 0;
}

/* --- are its accesses regular? -------------------------------------------------------------- */
static bool harmless(gimple *stmt)
{
	gasm *text = dyn_cast<gasm *>(stmt);

	if (is_gimple_debug(stmt))
		return true;
	if (stmt_could_throw_p(cfun, stmt) || psc_library_reads(stmt) ||
	    (text && gimple_asm_nlabels(text) > 0))
		return false;
	return !is_gimple_call(stmt) ||
		((!psc_may_record(stmt) || psc_function_waits(gimple_call_fndecl(stmt))) &&
		 !(gimple_call_flags(stmt) & (ECF_NORETURN | ECF_RETURNS_TWICE)));
}

/* Lists the accesses of the loop's body in program order.  False: not each is made once an
 * iteration. */
static bool accesses_of_loop(class loop *loop, const std::vector<bool> &records,
	psc_accesses *accesses)
{
	basic_block *body = get_loop_body_in_dom_order(loop);
	bool good = true;

	for (unsigned i = 0; good && i < loop->num_nodes; i++) {
		size_t before = accesses->size();

		good = records[body[i]->index] && !(body[i]->flags & BB_IRREDUCIBLE_LOOP);
		for (auto gsi = gsi_start_bb(body[i]); good && !gsi_end_p(gsi); gsi_next(&gsi)) {
			good = harmless(gsi_stmt(gsi));
			psc_accesses_of(accesses, gsi_stmt(gsi));
		}
		if (accesses->size() > before)
			good = good && dominated_by_p(CDI_DOMINATORS, loop->latch, body[i]);
	}
	free(body);
	return good && !accesses->empty();
}

/* --- addresses: base and step --------------------------------------------------------------- */
static bool add_scaled(aff_tree *sum, tree part, const widest_int &factor)
{
	aff_tree add;

	if (contains_abnormal_ssa_name_p(part))
		return false;
	tree_to_aff_combination(part, sizetype, &add);
	aff_combination_convert(&add, sizetype);
	aff_combination_scale(&add, factor);
	aff_combination_add(sum, &add);
	return !sum->rest;
}

/* The pointer behind `p = &MEM[pointer + bytes]`, as the vectoriser leaves
 * it; else the part itself. */
static tree behind_address(tree part, HOST_WIDE_INT *bytes)
{
	gimple *def = TREE_CODE(part) == SSA_NAME ? SSA_NAME_DEF_STMT(part) : NULL;
	tree ref = def && gimple_assign_single_p(def) &&
		TREE_CODE(gimple_assign_rhs1(def)) == ADDR_EXPR ?
		TREE_OPERAND(gimple_assign_rhs1(def), 0) : NULL_TREE;

	bool plain = ref && (TREE_CODE(ref) == MEM_REF || (TREE_CODE(ref) == TARGET_MEM_REF &&
		!TMR_INDEX(ref) && !TMR_INDEX2(ref)));

	*bytes = 0;
	if (!plain || TREE_CODE(TREE_OPERAND(ref, 0)) != SSA_NAME ||
	    !tree_fits_shwi_p(TREE_OPERAND(ref, 1)))
		return part;
	*bytes = tree_to_shwi(TREE_OPERAND(ref, 1));    /* of both, the pointer and the bytes from
							 * it come first */
	return TREE_OPERAND(ref, 0);
}

/* The address in iteration i = base + i * step. */
static bool evolution(class loop *loop, tree address, aff_tree *base, aff_tree *step)
{
	aff_tree sum;

	tree_to_aff_combination(address, TREE_TYPE(address), &sum);
	if (sum.rest)
		return false;
	aff_combination_const(base, sizetype, sum.offset);
	aff_combination_const(step, sizetype, 0);
	for (unsigned i = 0; i < sum.n; i++) {
		HOST_WIDE_INT bytes;
		tree part = behind_address(sum.elts[i].val, &bytes);
		affine_iv iv;

		if (bytes && !add_scaled(base, size_int(bytes), sum.elts[i].coef))
			return false;
		if (is_gimple_min_invariant(part)) {
			if (!add_scaled(base, part, sum.elts[i].coef))
				return false;
			continue;
		}
		if (!psc_affine_stable(part) || !simple_iv(loop, loop, part, &iv, true) ||
		    !add_scaled(base, iv.base, sum.elts[i].coef) ||
		    !add_scaled(step, iv.step, sum.elts[i].coef))
			return false;
	}
	return true;
}

static tree value_of(aff_tree *sum)
{
	if (aff_combination_const_p(sum) && sum->offset.is_constant() &&
	    wi::fits_shwi_p(sum->offset.to_constant()))
		return build_int_cst(ssizetype, sum->offset.to_constant().to_shwi());
	return aff_combination_to_tree(sum);
}

static bool made_before(const psc_access &access, edge exit)
{
	return dominated_by_p(CDI_DOMINATORS, exit->src, gimple_bb(access.stmt));
}

/* Can one record describe the last iteration, whichever exit it takes?  Either it makes, up to each
 * exit, all accesses or none; or it makes the same accesses up to every exit, and the others are
 * made once less (PSC_GROUP_TAIL). */
static bool same_accesses_at_exits(struct loop_record *s, const psc_accesses &accesses)
{
	const edge first = s->exits[0].out;
	bool whole = true;

	for (auto &exit : s->exits) {
		auto made = std::count_if(accesses.begin(), accesses.end(), [&](auto &access) {
			return made_before(access, exit.out);
		});

		exit.fewer = made == 0;
		whole = whole && (made == 0 || (size_t)made == accesses.size());
	}
	if (whole)
		return true;
	for (auto &exit : s->exits) {
		exit.fewer = false;
		for (auto &access : accesses)
			if (made_before(access, exit.out) != made_before(access, first))
				return false;
	}
	return true;
}

static bool group_of(class loop *loop, const psc_access &access, psc_group *group)
{
	aff_tree base, step;

	if (access.when || !evolution(loop, psc_access_address(&access), &base, &step))
		return false;
	group->base = value_of(&base);
	group->step = value_of(&step);
	psc_affine_of(&group->affine, &base);
	psc_affine_of(&group->step_affine, &step);
	group->low = group->affine.offset;
	group->high = group->low + access.size;
	group->flags = access.copy ? PSC_GROUP_COPY : 0;
	group->members.push_back({ access, group->low });
	return !group->range_word();
}

static bool waits(const struct loop_record &s, const psc_accesses &accesses)
{
	gimple *stmt = accesses[0].stmt;

	return !s.count && accesses.size() == 1 && accesses[0].kind == PSC_LOAD &&
		(gimple_has_volatile_ops(stmt) || is_gimple_call(stmt)) &&
		integer_zerop(s.groups.list[0].step);
}

static bool find_groups(class loop *loop, struct loop_record *s, const psc_accesses &accesses)
{
	const unsigned copied = psc_copies_section(loop) ? PSC_GROUP_COPY : 0;

	s->groups.loop = true;
	for (auto &access : accesses) {
		psc_group group;

		if (!group_of(loop, access, &group))
			return false;
		group.flags |= access.kind < PSC_LOAD_RANGE ? copied : 0;
		group.flags |= psc_dependence_of(access) == PSC_DEP_CHAINED ?
			PSC_DEP_CHAINED << PSC_GROUP_DEPENDENCE_SHIFT : 0;
		if (!s->exits[0].fewer && !made_before(access, s->exits[0].out))
			group.flags |= PSC_GROUP_TAIL;
		s->groups.add(group);
	}
	if (waits(*s, accesses))
		s->groups.list[0].flags |= PSC_GROUP_SPIN;
	return s->groups.words <= LOOP_WORDS;
}

/* How often the body begins, if that can be computed exactly and cheaply in front of the loop. */
static tree known_count(class loop *loop, edge exit)
{
	class tree_niter_desc desc;
	tree count;

	if (!number_of_iterations_exit(loop, exit, &desc, false) ||
	    !integer_nonzerop(desc.assumptions) ||
	    expression_expensive_p(desc.niter) || expression_expensive_p(desc.may_be_zero) ||
	    contains_abnormal_ssa_name_p(desc.niter) ||
	    contains_abnormal_ssa_name_p(desc.may_be_zero))
		return NULL_TREE;
	count = fold_build2(PLUS_EXPR, uint64_type_node,
		fold_convert(uint64_type_node, desc.niter), build_one_cst(uint64_type_node));
	return integer_zerop(desc.may_be_zero) ? count : fold_build3(COND_EXPR, uint64_type_node,
		desc.may_be_zero, build_one_cst(uint64_type_node), count);
}

static bool find_exits(class loop *loop, struct loop_record *s)
{
	basic_block *body = get_loop_body(loop);
	bool good = true;
	edge e;
	edge_iterator at;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		FOR_EACH_EDGE(e, at, body[i]->succs) {
			good = good && !(e->flags & EDGE_COMPLEX);
			if (!flow_bb_inside_loop_p(loop, e->dest))
				s->exits.push_back({ e, false });
		}
	free(body);
	return good && !s->exits.empty();
}

/* Does the loop call functions that the program may define itself (psc_may_be_own())?  They may
 * record and flush the buffer, so the loop's record must be complete in front of the loop. */
static bool calls_own(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	bool found = false;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		for (auto gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
			found = found || psc_may_be_own(gsi_stmt(gsi));
	free(body);
	return found;
}

static bool analyse(class loop *loop, const std::vector<bool> &records, struct loop_record *s)
{
	psc_accesses accesses;

	if (EDGE_COUNT(loop->header->preds) != 2 || !find_exits(loop, s))
		return false;
	s->entry = loop_preheader_edge(loop);
	s->latch = loop_latch_edge(loop);
	if (s->entry->flags & EDGE_COMPLEX)
		return false;
	if (!accesses_of_loop(loop, records, &accesses) || !same_accesses_at_exits(s, accesses))
		return false;
	if (s->exits.size() == 1)
		s->count = known_count(loop, s->exits[0].out);
	if (!s->count && calls_own(loop))
		return false;
	if (s->count && s->exits[0].fewer)
		s->count = fold_build2(MINUS_EXPR, uint64_type_node, s->count,
			build_one_cst(uint64_type_node));
	return !(s->count && tree_fits_uhwi_p(s->count) && tree_to_uhwi(s->count) <= 1) &&
		find_groups(loop, s, accesses);
}

/* --- the record ----------------------------------------------------------------------------- */
static void append(basic_block bb, gimple *stmt)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);

	gsi_insert_after(&gsi, stmt, GSI_NEW_STMT);
}

static void append_word(basic_block bb, tree cur, unsigned word, tree value)
{
	gimple_seq before = NULL;
	gimple_stmt_iterator gsi;

	value = force_gimple_operand(unshare_expr(value), &before, true, NULL_TREE);
	gsi = gsi_last_bb(bb);
	gsi_insert_seq_after(&gsi, before, GSI_NEW_STMT);
	append(bb, gimple_build_assign(build2(MEM_REF, TREE_TYPE(value), cur,
		build_int_cst(ptr_type_node, 8 * word)), value));
}

static tree group_word(const psc_group &group)
{
	return fold_build2(PLUS_EXPR, sizetype, fold_convert(sizetype, group.base),
		size_int(group.low - group.members[0].at));
}

/* Adds a counter that the header advances; every exit stores it into the record. */
static void count_iterations(const struct loop_record &s, edge entry, tree record)
{
	tree now = make_ssa_name(uint64_type_node), next = make_ssa_name(uint64_type_node);
	gphi *phi = create_phi_node(now, entry->dest);
	gimple_stmt_iterator gsi = gsi_after_labels(entry->dest);

	add_phi_arg(phi, build_zero_cst(uint64_type_node), entry, UNKNOWN_LOCATION);
	add_phi_arg(phi, next, s.latch, UNKNOWN_LOCATION);
	gsi_insert_before(&gsi, gimple_build_assign(next, PLUS_EXPR, now,
		build_one_cst(uint64_type_node)), GSI_SAME_STMT);
	for (auto &exit : s.exits)
		append_word(split_edge(exit.out), record, 1, exit.fewer ? now : next);
}

static tree begin_record(basic_block bb, bool check)
{
	tree cur;

	if (check)
		return psc_buffer_check_insert(bb);
	cur = make_ssa_name(ptr_type_node);
	append(bb, gimple_build_assign(cur, psc_runtime_cur()));
	return cur;
}

static void emit(const struct loop_record &s, bool check)
{
	basic_block header = s.entry->dest;
	tree cur = begin_record(split_edge(s.entry), check), next = make_ssa_name(ptr_type_node);
	edge entry = EDGE_PRED(header, EDGE_PRED(header, 0) == s.latch);
	basic_block bb = entry->src;
	unsigned word = 2;

	append_word(bb, cur, 0, psc_descriptor(s.groups, PSC_REC_LOOP));
	append_word(bb, cur, 1, s.count ? s.count : build_zero_cst(uint64_type_node));
	for (auto &group : s.groups.list) {
		append_word(bb, cur, word++, group_word(group));
		if (group.step_word())
			append_word(bb, cur, word++, group.step);
	}
	append(bb, gimple_build_assign(next, POINTER_PLUS_EXPR, cur, size_int(8 * word)));
	append(bb, gimple_build_assign(psc_runtime_cur(), next));
	if (!s.count)
		count_iterations(s, entry, cur);
}

void psc_loop_records_find(const std::vector<bool> &records)
{
	if (psc.plain || flag_trapv)
		return;
	for (auto loop : loops_list(cfun, LI_ONLY_INNERMOST)) {
		struct loop_record s = { loop, NULL, NULL, {}, {}, NULL_TREE };
		basic_block *body;

		if (!analyse(loop, records, &s))
			continue;
		loop_records.push_back(s);
		body = get_loop_body(loop);
		recorded.insert(body, body + loop->num_nodes);
		free(body);
	}
}

void psc_loop_records_add_costs(void)
{
	for (auto &s : loop_records)
		psc_core_cost_loop(s.loop, &s.groups);
}

void psc_loop_records_buffer_use(psc_buffer_uses *uses)
{
	for (auto &s : loop_records)
		(*uses)[s.entry->src->index].words_at_end = 2 + s.groups.words;
}

void psc_loop_records_emit(const psc_buffer_uses &uses)
{
	for (auto &s : loop_records)
		emit(s, uses[s.entry->src->index].check_at_end);
	loop_records.clear();
	recorded.clear();
}
