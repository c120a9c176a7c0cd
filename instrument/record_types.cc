/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which members of an array of structs (of a derived type) an access uses.  The SIR lists
 * them by region, so that a report can name the members that share cache lines with unused ones. */
#include "instrument/pscplugin.h"

/* A single variable is no array of records; records beyond a page are arrays of something else. */
enum { SMALLEST = 16, LARGEST = 4096, MOST_MEMBERS = 256 };

static HOST_WIDE_INT bits(tree size)
{
	return size && tree_fits_shwi_p(size) ? tree_to_shwi(size) : -1;
}

static std::string name_of(tree decl)
{
	return decl && DECL_P(decl) && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

static std::string type_name(tree type)
{
	tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));

	if (!name)
		name = TYPE_NAME(type);
	if (name && TREE_CODE(name) == IDENTIFIER_NODE)
		return IDENTIFIER_POINTER(name);
	return name_of(name);
}

static bool is_of_library(tree type)
{
	tree decl = TYPE_STUB_DECL(TYPE_MAIN_VARIANT(type));

	return decl && DECL_P(decl) && in_system_header_at(DECL_SOURCE_LOCATION(decl));
}

/* Not the compiler's own structures, and not those of libraries. */
static bool is_users(tree type)
{
	std::string name = type_name(type);

	return !psc_is_descriptor(type) && !name.empty() && name[0] != '.' &&
		!startswith(name.c_str(), "__") && name != "descriptor_dimension" &&
		!is_of_library(type);
}

static bool is_record(tree type)
{
	HOST_WIDE_INT size = TREE_CODE(type) == RECORD_TYPE ? bits(TYPE_SIZE_UNIT(type)) : -1;

	return size >= SMALLEST && size <= LARGEST && is_users(type);
}

/* --- the members of a type ------------------------------------------------------------------- */
static bool has_members(tree type)
{
	return RECORD_OR_UNION_TYPE_P(type) && !psc_is_descriptor(type) && TYPE_FIELDS(type) &&
		!is_of_library(type);
}

/* Adds the members of `type`, which begins at bit `at` of the record; a member that is a struct
 * counts as its members, an array as one. */
static void add_members(std::vector<psc_record_member> *out, tree type, const std::string &prefix,
	HOST_WIDE_INT at)
{
	for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
		HOST_WIDE_INT size, begin;
		std::string name;

		if (TREE_CODE(field) != FIELD_DECL || out->size() >= MOST_MEMBERS ||
		    !tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
			continue;
		size = bits(DECL_SIZE(field));
		begin = at + int_bit_position(field);
		if (size <= 0)
			continue;
		name = name_of(field);
		if (has_members(TREE_TYPE(field))) {
			/* A base class, an anonymous struct or union adds no name. */
			add_members(out, TREE_TYPE(field), name.empty() ? prefix :
				prefix + name + ".", begin);
			continue;
		}
		if (!name.empty())
			out->push_back({ prefix + name, (unsigned)begin, (unsigned)size });
	}
}

/* --- the record and the part of it that an access names --------------------------------------- */
/* `ref` and what it selects from, the outermost object last. */
static std::vector<tree> path_of(tree ref)
{
	std::vector<tree> path;

	for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
		path.push_back(ref);
	path.push_back(ref);
	return path;
}

static bool may_be_element(tree node)
{
	enum tree_code code = TREE_CODE(node);

	return (code == MEM_REF || code == ARRAY_REF) && is_record(TREE_TYPE(node)) &&
		(code != MEM_REF || integer_zerop(TREE_OPERAND(node, 1)));
}

struct part {
	HOST_WIDE_INT at, size;         /* bits of the record */
	bool fixed;                     /* of an element at a variable index: not narrowed
					 * further */
};

static void narrow(struct part *p, tree node)
{
	tree field = TREE_CODE(node) == COMPONENT_REF ? TREE_OPERAND(node, 1) : NULL_TREE;

	if (TREE_CODE(node) == ARRAY_REF || TREE_CODE(node) == ARRAY_RANGE_REF)
		p->fixed = true;
	if (p->fixed)
		return;
	if (field && tree_fits_shwi_p(DECL_FIELD_OFFSET(field)) && bits(DECL_SIZE(field)) > 0) {
		p->at += int_bit_position(field);
		p->size = bits(DECL_SIZE(field));
	} else if (TREE_CODE(node) == BIT_FIELD_REF && bits(TREE_OPERAND(node, 1)) > 0 &&
		   bits(TREE_OPERAND(node, 2)) >= 0) {
		p->at += bits(TREE_OPERAND(node, 2));
		p->size = bits(TREE_OPERAND(node, 1));
	}
}

static bool overlaps(const struct psc_record_member &m, const struct part &p)
{
	return m.at < p.at + p.size && p.at < (HOST_WIDE_INT)m.at + m.size;
}

/* Fills `out` with the members that the part of a record of this type holds.
 * False: not all are known. */
static bool describe_part(tree type, const struct part &part, struct psc_record *out)
{
	std::vector<psc_record_member> all;

	add_members(&all, type, "", 0);
	if (all.size() >= MOST_MEMBERS)
		return false;
	out->type = type_name(type);
	out->size = bits(TYPE_SIZE_UNIT(type));
	out->members = all.size();
	for (auto &m : all)
		if (overlaps(m, part))
			out->used.push_back(m);
	return out->members > 1 && !out->used.empty();
}

bool psc_describe_record(tree ref, struct psc_record *out)
{
	std::vector<tree> path = path_of(ref);
	size_t root = path.size();
	tree type;

	/* No array of a function's own frame is large. */
	if (DECL_P(path.back()) && !is_global_var(path.back()))
		return false;
	while (root > 0 && !may_be_element(path[root - 1]))
		root--;
	if (root == 0)
		return false;
	type = TREE_TYPE(path[--root]);
	struct part part = { 0, bits(TYPE_SIZE(type)), false };
	while (root > 0)
		narrow(&part, path[--root]);
	return describe_part(type, part, out);
}

/* The pointer that this one was made of by a conversion or an offset; NULL_TREE: none is known. */
static tree made_of(tree pointer, const psc_defs &defs)
{
	auto def = defs.find(pointer);

	if (def == defs.end() || !is_gimple_assign(def->second))
		return NULL_TREE;
	switch (gimple_assign_rhs_code(def->second)) {
	CASE_CONVERT:
	case VAR_DECL:
	case PARM_DECL:
	case ADDR_EXPR:
	case POINTER_PLUS_EXPR:
		return gimple_assign_rhs1(def->second);
	default:
		return NULL_TREE;
	}
}

bool psc_describe_records_at(tree pointer, const psc_defs &defs, struct psc_record *out)
{
	enum { STEPS = 8 };

	for (int i = 0; pointer && i < STEPS; i++) {
		tree type = TREE_TYPE(pointer);

		if (TREE_CODE(pointer) == ADDR_EXPR)
			return psc_describe_record(TREE_OPERAND(pointer, 0), out);
		if (POINTER_TYPE_P(type) && is_record(TREE_TYPE(type)))
			return describe_part(TREE_TYPE(type), { 0, bits(TYPE_SIZE(TREE_TYPE(type))),
				false }, out);
		pointer = made_of(pointer, defs);
	}
	return false;
}

void psc_record_add(std::vector<psc_record> *records, const struct psc_record &r)
{
	for (auto &old : *records) {
		if (old.type != r.type || old.array != r.array || old.size != r.size)
			continue;
		for (auto &m : r.used)
			if (std::none_of(old.used.begin(), old.used.end(),
			    [&m](const psc_record_member &k) {
				return k.at == m.at && k.name == m.name;
			}))
				old.used.push_back(m);
		return;
	}
	records->push_back(r);
}
