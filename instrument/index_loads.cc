/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether an access's address is computed from an element of an array, as that of a in
 * a[idx[i]].  The SIR says so of the array: where its lines come in steps, no other order of the
 * loops makes these smaller.  Works on the statements before SSA. */
#include "instrument/pscplugin.h"

/* Statements from the address back to the load. */
enum { DEEP = 12 };

static bool from_element(tree value, const psc_defs &defs, int depth);

static gimple *definition(tree t, const psc_defs &defs)
{
	if (TREE_CODE(t) == SSA_NAME)
		return SSA_NAME_IS_DEFAULT_DEF(t) ? NULL : SSA_NAME_DEF_STMT(t);
	auto def = defs.find(t);
	return def == defs.end() ? NULL : def->second;
}

static bool is_assign(gimple *stmt)
{
	return stmt && is_gimple_assign(stmt);
}

/* Does the pointer go to an element at a variable index? */
static bool at_index(tree pointer, const psc_defs &defs)
{
	gimple *def = definition(pointer, defs);

	for (int i = 0; i < DEEP && is_assign(def); i++) {
		tree on = gimple_assign_rhs1(def);

		if (gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR &&
		    TREE_CODE(gimple_assign_rhs2(def)) != INTEGER_CST)
			return true;
		if (gimple_assign_rhs_code(def) != POINTER_PLUS_EXPR &&
		    !gimple_assign_cast_p(def) && TREE_CODE(on) != SSA_NAME && !VAR_P(on))
			return false;
		def = definition(on, defs);
	}
	return false;
}

/* Is it an element at a variable index?  The loaded bound of a loop or the
 * length of a row is none. */
static bool is_element(tree ref, const psc_defs &defs)
{
	for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
		if (TREE_CODE(ref) == ARRAY_REF && TREE_CODE(TREE_OPERAND(ref, 1)) != INTEGER_CST)
			return true;
	return TREE_CODE(ref) == MEM_REF && at_index(TREE_OPERAND(ref, 0), defs);
}

static bool stmt_from_element(gimple *def, const psc_defs &defs, int depth)
{
	if (gimple_assign_load_p(def))
		return INTEGRAL_TYPE_P(TREE_TYPE(gimple_assign_lhs(def))) &&
			is_element(gimple_assign_rhs1(def), defs);
	switch (gimple_assign_rhs_code(def)) {
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
	case LSHIFT_EXPR:
		return from_element(gimple_assign_rhs1(def), defs, depth + 1) ||
			from_element(gimple_assign_rhs2(def), defs, depth + 1);
	case NEGATE_EXPR:
	case SSA_NAME:
	case VAR_DECL:
	CASE_CONVERT:
		return from_element(gimple_assign_rhs1(def), defs, depth + 1);
	default:
		return false;
	}
}

static bool from_element(tree value, const psc_defs &defs, int depth)
{
	gimple *def = depth < DEEP && (TREE_CODE(value) == SSA_NAME || VAR_P(value)) ?
		definition(value, defs) : NULL;

	return is_assign(def) && stmt_from_element(def, defs, depth);
}

static bool pointer_from_element(tree pointer, const psc_defs &defs)
{
	for (int i = 0; i < DEEP; i++) {
		if (TREE_CODE(pointer) == ADDR_EXPR)
			return psc_indexed_by_load(TREE_OPERAND(pointer, 0), defs);
		gimple *def = definition(pointer, defs);
		if (!is_assign(def) || gimple_assign_load_p(def))
			return false;
		if (gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR &&
		    from_element(gimple_assign_rhs2(def), defs, 0))
			return true;
		pointer = gimple_assign_rhs1(def);
	}
	return false;
}

bool psc_indexed_by_load(tree ref, const psc_defs &defs)
{
	for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
		if (TREE_CODE(ref) == ARRAY_REF && from_element(TREE_OPERAND(ref, 1), defs, 0))
			return true;
	return TREE_CODE(ref) == MEM_REF && pointer_from_element(TREE_OPERAND(ref, 0), defs);
}
