/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts accesses at constant distances from one address into one group, which takes one word of the
 * record (base/abi.h), and encodes the records' descriptors.  GCC's affine combinations find the
 * distances: they look through SSA names, so the distances hold where all accesses of the group are
 * executed together. */
#include "instrument/pscplugin.h"

/* Of the current function: GCC's cache of expanded SSA names, and the descriptors. */
static hash_map<tree, name_expansion *> *expansions;
static tree table;
static std::string table_bytes;
static std::map<std::string, unsigned> table_index;

void psc_affine_forget(void)
{
	free_affine_expand_cache(&expansions);
}

/* --- affine addresses ----------------------------------------------------------------------- */
bool psc_affine_stable(tree value)
{
	if (TREE_CODE(value) == SSA_NAME || is_gimple_min_invariant(value))
		return true;
	if (UNARY_CLASS_P(value) || TREE_CODE(value) == BIT_FIELD_REF)
		return psc_affine_stable(TREE_OPERAND(value, 0));
	return BINARY_CLASS_P(value) && psc_affine_stable(TREE_OPERAND(value, 0)) &&
		psc_affine_stable(TREE_OPERAND(value, 1));
}

void psc_affine_of(struct psc_affine *affine, aff_tree *sum)
{
	HOST_WIDE_INT offset;

	*affine = psc_affine();
	aff_combination_expand(sum, &expansions);
	if (sum->rest || !sum->offset.is_constant() ||
	    !wi::fits_shwi_p(sum->offset.to_constant()))
		return;
	offset = sum->offset.to_constant().to_shwi();
	for (unsigned i = 0; i < sum->n; i++) {
		if (!wi::fits_shwi_p(sum->elts[i].coef) || !psc_affine_stable(sum->elts[i].val))
			return;
		affine->terms.push_back({ sum->elts[i].val, sum->elts[i].coef.to_shwi() });
	}
	affine->offset = offset;
	affine->known = true;
}

bool psc_affine_same(const psc_affine &a, const psc_affine &b)
{
	if (!a.known || !b.known || a.terms.size() != b.terms.size())
		return false;
	for (auto &x : a.terms)
		if (std::none_of(b.terms.begin(), b.terms.end(), [&](auto &y) {
			return x.second == y.second && operand_equal_p(x.first, y.first, 0);
		}))
			return false;
	return true;
}

/* --- addresses ------------------------------------------------------------------------------ */
static void take_address(tree ref)
{
	tree base = get_base_address(ref);

	if (TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
		base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
	if (base && DECL_P(base) && !is_global_var(base))
		mark_addressable(base);
}

tree psc_access_address(const psc_access *access)
{
	unsigned HOST_WIDE_INT offset = 0, size;
	tree address, part;

	if (access->when)
		return fold_build3(COND_EXPR, ptr_type_node, unshare_expr(access->when),
			fold_convert(ptr_type_node, unshare_expr(access->pointer)),
			null_pointer_node);
	if (!access->ref)
		return fold_convert(ptr_type_node, unshare_expr(access->pointer));
	part = psc_access_part(access->ref, &offset, &size);
	take_address(part);
	if (TREE_CODE(part) == TARGET_MEM_REF)
		address = tree_mem_ref_addr(ptr_type_node, part);
	else
		address = fold_convert(ptr_type_node, build_fold_addr_expr(unshare_expr(part)));
	return offset ? fold_build_pointer_plus_hwi(address, offset) : address;
}

/* --- groups --------------------------------------------------------------------------------- */
static bool is_range(const psc_access &access)
{
	return access.kind >= PSC_LOAD_RANGE;
}

static unsigned range_size(const psc_access &access)
{
	return access.length && tree_fits_uhwi_p(access.length) &&
		tree_to_uhwi(access.length) < PSC_SIZE_END ? tree_to_uhwi(access.length) : 0;
}

bool psc_group::range_word() const
{
	return is_range(members[0].access) && range_size(members[0].access) == 0;
}

bool psc_group::step_word() const
{
	return step && !(tree_fits_shwi_p(step) && tree_to_shwi(step) > INT32_MIN &&
		tree_to_shwi(step) <= INT32_MAX);
}

static bool may_join(const psc_group &group)
{
	return !psc.plain && group.affine.known && !is_range(group.members[0].access) &&
		!group.members[0].access.when && !(group.flags & PSC_GROUP_SPIN) &&
		group.high - group.low <= PSC_GROUP_SPAN;
}

static bool step_same(const psc_group &a, const psc_group &b)
{
	return (!a.step && !b.step) || (psc_affine_same(a.step_affine, b.step_affine) &&
		a.step_affine.offset == b.step_affine.offset);
}

static bool joins(const psc_group &to, const psc_group &one)
{
	return may_join(to) && to.members.size() < PSC_GROUP_MAX && to.flags == one.flags &&
		std::max(to.high, one.high) - std::min(to.low, one.low) <= PSC_GROUP_SPAN &&
		psc_affine_same(to.affine, one.affine) && step_same(to, one);
}

void psc_groups::add(const psc_group &one)
{
	naccess++;
	if (may_join(one))
		for (auto &to : list)
			if (joins(to, one)) {
				to.members.push_back(one.members[0]);
				to.low = std::min(to.low, one.low);
				to.high = std::max(to.high, one.high);
				return;
			}
	words += one.words();
	list.push_back(one);
}

void psc_groups::add(const psc_access &access)
{
	psc_group one;

	if (!psc.plain && !is_range(access) && !access.when) {
		tree address = psc_access_address(&access);
		aff_tree sum;

		tree_to_aff_combination(address, TREE_TYPE(address), &sum);
		psc_affine_of(&one.affine, &sum);
	}
	one.low = one.affine.offset;
	one.high = one.low + access.size;
	one.flags = (access.copy ? PSC_GROUP_COPY : 0) | (access.lock ? PSC_GROUP_LOCK : 0);
	one.flags |= psc_dependence_of(access) << PSC_GROUP_DEPENDENCE_SHIFT;
	one.members.push_back({ access, one.low });
	add(one);
}

/* --- descriptors ---------------------------------------------------------------------------- */
void psc_put_number(std::string *out, unsigned HOST_WIDE_INT n)
{
	for (; n > 0x7f; n >>= 7)
		*out += (char)(n | 0x80);
	*out += (char)n;
}

void psc_put_difference(std::string *out, HOST_WIDE_INT by)
{
	psc_put_number(out, by < 0 ? ~((unsigned HOST_WIDE_INT)by << 1) :
		(unsigned HOST_WIDE_INT)by << 1);
}

/* How many members from `first` on have its size and kind and a constant stride. */
static size_t run_length(const std::vector<psc_member> &m, size_t first)
{
	size_t n = first + 1;

	while (n < m.size() && m[n].access.size == m[first].access.size &&
	       m[n].access.kind == m[first].access.kind &&
	       m[n].at - m[n - 1].at == m[first + 1].at - m[first].at)
		n++;
	return n - first;
}

static void encode_members(std::string *out, const psc_group &group)
{
	const std::vector<psc_member> &m = group.members;
	HOST_WIDE_INT expected = group.low;
	unsigned size = 8;

	for (size_t i = 0, n; i < m.size(); i += n) {
		bool other = m[i].access.size != size;

		n = run_length(m, i);
		size = m[i].access.size;
		psc_put_number(out, (n - 1) << 2 | (other ? PSC_RUN_SIZE : 0) | m[i].access.kind);
		if (other)
			psc_put_number(out, size);
		psc_put_difference(out, m[i].at - expected);
		if (n > 1)
			psc_put_difference(out, m[i + 1].at - m[i].at - size);
		expected = m[i + n - 1].at + size;
	}
}

static void encode_group(std::string *out, const psc_group &group, bool loop)
{
	const psc_access &first = group.members[0].access;
	bool many = group.members.size() > 1;

	psc_put_number(out, (many ? PSC_PACKED_MANY : first.kind << 1) |
		(group.flags & PSC_GROUP_TAIL ? PSC_PACKED_TAIL : 0) |
		(group.flags & PSC_GROUP_SPIN ? PSC_PACKED_SPIN : 0) |
		(group.flags & PSC_GROUP_COPY ? PSC_PACKED_COPY : 0) |
		(group.flags & PSC_GROUP_LOCK ? PSC_PACKED_LOCK : 0) |
		PSC_GROUP_DEPENDENCE(group.flags) << PSC_PACKED_DEPENDENCE_SHIFT |
		(loop && group.step_word() ? PSC_PACKED_STEP : 0));
	if (loop && !group.step_word())
		psc_put_difference(out, tree_to_shwi(group.step));
	if (many) {
		psc_put_number(out, group.members.size());
		encode_members(out, group);
	} else {
		psc_put_number(out, is_range(first) ? range_size(first) : first.size);
	}
}

/* The line of the group's first access that has a place in the source. */
static unsigned line_of(const psc_group &group)
{
	for (auto &member : group.members)
		if (LOCATION_LOCUS(gimple_location(member.access.stmt)) != UNKNOWN_LOCATION)
			return psc_source_line(member.access.stmt);
	return psc_source_line(group.members[0].access.stmt);
}

static void encode_work(std::string *out, const struct psc_work &work)
{
	unsigned head = work.statements << 2 | work.flags;

	psc_put_number(out, head);
	if (!head)
		return;
	psc_put_number(out, work.throughput);
	psc_put_number(out, work.carried);
	psc_put_number(out, work.chain);
	psc_put_number(out, work.mispredicts);
}

static std::string encode(const struct psc_groups &groups)
{
	HOST_WIDE_INT before = line_of(groups.list[0]);
	std::string out;

	psc_put_number(&out, before);
	psc_put_number(&out, groups.list.size());
	encode_work(&out, groups.work);
	for (auto &group : groups.list) {
		HOST_WIDE_INT line = line_of(group);

		psc_put_difference(&out, line - before);
		encode_group(&out, group, groups.loop);
		before = line;
	}
	return out.append(-out.size() % 8, '\0');     /* keeps the next descriptor aligned */
}

static void make_table(void)
{
	char name[40];

	ASM_GENERATE_INTERNAL_LABEL(name, "LPSC", DECL_UID(cfun->decl));
	table = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name + 1),
		build_array_type(char_type_node, NULL_TREE));
	SET_DECL_ASSEMBLER_NAME(table, get_identifier(name));
	TREE_STATIC(table) = TREE_READONLY(table) = TREE_ADDRESSABLE(table) = 1;
	TREE_USED(table) = DECL_ARTIFICIAL(table) = DECL_IGNORED_P(table) = 1;
}

tree psc_descriptor(const struct psc_groups &groups, unsigned tag)
{
	std::string bytes = encode(groups);
	auto known = table_index.emplace(bytes, table_bytes.size());
	unsigned at = known.first->second + (tag | PSC_REC_PACKED | PSC_REC_LINES);

	if (!table)
		make_table();
	if (known.second)
		table_bytes += bytes;
	tree base = build1(ADDR_EXPR, ptr_type_node, table);
	return build1(ADDR_EXPR, ptr_type_node,
		build2(MEM_REF, char_type_node, base, build_int_cst(ptr_type_node, at)));
}

void psc_descriptors_finish(void)
{
	if (!table)
		return;
	tree type = build_qualified_type(build_array_type_nelts(char_type_node, table_bytes.size()),
		TYPE_QUAL_CONST);
	tree value = build_string(table_bytes.size(), table_bytes.data());
	TREE_TYPE(value) = TREE_TYPE(table) = type;
	TREE_READONLY(value) = TREE_STATIC(value) = TREE_CONSTANT(value) = 1;
	DECL_INITIAL(table) = value;
	SET_DECL_ALIGN(table, 64);
	DECL_USER_ALIGN(table) = 1;
	layout_decl(table, 0);
	varpool_node::finalize_decl(table);
	table = NULL_TREE;
	table_bytes.clear();
	table_index.clear();
}
