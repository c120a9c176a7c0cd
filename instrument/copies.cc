/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what statements copy, and for which call: arguments by value, sections of arrays that
 * gfortran copies to a temporary and back, objects of C++, blocks.  The SIR lists it by region, so
 * that a report can say how not to copy. */
#include "instrument/pscplugin.h"

static void add(int region, gimple *stmt, const char *of, const std::string &callee)
{
	auto &copies = psc.regions[region].copies;
	int line = psc_place_of(gimple_location(stmt)).line;

	for (auto &c : copies)
		if (c.of == of && c.callee == callee && c.line == line)
			return;
	copies.push_back({ of, callee, line });
}

static unsigned HOST_WIDE_INT bytes_of(tree type)
{
	tree size = TYPE_SIZE_UNIT(type);

	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

static bool is_block(tree type)
{
	return AGGREGATE_TYPE_P(type) && !psc_is_descriptor(type) &&
		bytes_of(type) >= PSC_COPY_LEAST;
}

/* --- sections --------------------------------------------------------------------------------- */

/* Is it an element of a temporary that gfortran made for an argument?  These have
 * descriptors called atmp. */
static bool of_temporary(tree ref, const psc_defs &defs)
{
	struct psc_array a = { "", "", "unknown", "", 0, 0, 0, false };

	return psc_is_fortran() && psc_describe_access(ref, defs, &a) &&
		startswith(a.name.c_str(), "atmp.");
}

/* The statement that loads the value from memory; NULL: it is computed. */
static gimple *load_of(tree value, const psc_defs &defs)
{
	gimple *def = NULL;

	if (TREE_CODE(value) == SSA_NAME) {
		def = SSA_NAME_IS_DEFAULT_DEF(value) ? NULL : SSA_NAME_DEF_STMT(value);
	} else {
		auto found = defs.find(value);

		def = found == defs.end() ? NULL : found->second;
	}
	return def && is_gimple_assign(def) && gimple_assign_load_p(def) ? def : NULL;
}

/* The call that the section on this line is for.  Calls of gfortran's library are none. */
static std::string called_on(const std::string &file, int line)
{
	for (auto &r : psc.regions)
		if (r.type == REGION_CALL && r.line == line && r.file == file &&
		    !startswith(r.name.c_str(), "_gfortran_"))
			return r.name;
	return "";
}

static void note_section(gimple *stmt, int region)
{
	struct psc_place place = psc_place_of(gimple_location(stmt));

	if (!place.line)
		return;
	psc.sections.insert({ place.file, place.line });
	add(region, stmt, "section", called_on(place.file, place.line));
}

/* temporary[..] = x with x loaded from the array, or array[..] = x with x
 * loaded from such a temporary. */
static void note_store(gimple *stmt, int region, const psc_defs &defs)
{
	gimple *load = load_of(gimple_assign_rhs1(stmt), defs);

	if (load && (of_temporary(gimple_assign_lhs(stmt), defs) ||
	    of_temporary(gimple_assign_rhs1(load), defs)))
		note_section(stmt, region);
}

/* Computes nothing with what it loads: only addresses, counters, and vectors of what is loaded. */
static bool moves_only(gimple *stmt)
{
	tree type;

	if (!is_gimple_assign(stmt))
		return !is_gimple_call(stmt) || psc_runtime_which(stmt) != FN_COUNT;
	switch (gimple_assign_rhs_code(stmt)) {
	case CONSTRUCTOR:
	case VEC_PERM_EXPR:
	case BIT_FIELD_REF:
	case VIEW_CONVERT_EXPR:
		return true;
	default:
		break;
	}
	if (gimple_assign_single_p(stmt))
		return true;
	type = TREE_TYPE(gimple_assign_lhs(stmt));
	return !FLOAT_TYPE_P(type) && !(VECTOR_TYPE_P(type) && FLOAT_TYPE_P(TREE_TYPE(type)));
}

/* Vectorised statements have no place. */
static bool elsewhere(gimple *stmt)
{
	expanded_location where = expand_location(gimple_location(stmt));

	return where.file && !psc.sections.count({ where.file, where.line });
}

bool psc_copies_section(class loop *loop)
{
	basic_block *body;
	bool only = true, stores = false, placed = false;

	if (psc.sections.empty())
		return false;
	body = get_loop_body(loop);
	for (unsigned i = 0; only && i < loop->num_nodes; i++)
		for (auto gsi = gsi_start_bb(body[i]); only && !gsi_end_p(gsi); gsi_next(&gsi)) {
			gimple *stmt = gsi_stmt(gsi);

			if (is_gimple_debug(stmt))
				continue;
			only = moves_only(stmt) && !(gimple_vuse(stmt) && elsewhere(stmt));
			stores |= gimple_vdef(stmt) != NULL_TREE;
			placed |= LOCATION_LOCUS(gimple_location(stmt)) != UNKNOWN_LOCATION &&
				!elsewhere(stmt);
		}
	free(body);
	return only && stores && placed;
}

/* --- calls and blocks ------------------------------------------------------------------------- */

/* A constructor that copies: T::T(const T &), the object's address before it. */
static bool is_copy_constructor(tree fndecl)
{
	tree args = fndecl ? TYPE_ARG_TYPES(TREE_TYPE(fndecl)) : NULL_TREE, self, from;

	if (!fndecl || !psc_is_cxx() || !DECL_CXX_CONSTRUCTOR_P(fndecl) || !args ||
	    !TREE_CHAIN(args))
		return false;
	self = TREE_VALUE(args);
	from = TREE_VALUE(TREE_CHAIN(args));
	return POINTER_TYPE_P(self) && TREE_CODE(from) == REFERENCE_TYPE &&
		TYPE_READONLY(TREE_TYPE(from)) &&
		TYPE_MAIN_VARIANT(TREE_TYPE(self)) == TYPE_MAIN_VARIANT(TREE_TYPE(from));
}

bool psc_copies_bytes(gimple *stmt)
{
	if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
		return false;
	switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
	case BUILT_IN_BCOPY:
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMMOVE:
	case BUILT_IN_MEMPCPY:
	case BUILT_IN_MEMCPY_CHK:
	case BUILT_IN_MEMMOVE_CHK:
	case BUILT_IN_MEMPCPY_CHK:
		return true;
	default:
		return false;
	}
}

unsigned psc_copies_to(gimple *stmt)
{
	return gimple_call_builtin_p(stmt, BUILT_IN_BCOPY) ? 1 : 0;
}

bool psc_sets_bytes(gimple *stmt)
{
	return gimple_call_builtin_p(stmt, BUILT_IN_MEMSET) ||
		gimple_call_builtin_p(stmt, BUILT_IN_MEMSET_CHK);
}

static void note_call(gcall *call, int region)
{
	tree fndecl = gimple_call_fndecl(call);

	if (psc_packs_section(call)) {
		struct psc_place place = psc_place_of(gimple_location(call));

		add(region, call, "section", called_on(place.file, place.line));
		return;
	}
	if (psc_copies_bytes(call))
		add(region, call, "block", "");
	else if (is_copy_constructor(fndecl))
		add(region, call, "object", "");
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i);

		if (TREE_CODE(arg) != SSA_NAME && !is_gimple_min_invariant(arg) &&
		    is_block(TREE_TYPE(arg)))
			add(region, call, "argument", fndecl ? psc_function_name(fndecl) : "");
	}
}

void psc_copies_note(gimple *stmt, int region, const psc_defs &defs)
{
	if (gcall *call = dyn_cast<gcall *>(stmt)) {
		if (psc_runtime_which(stmt) == FN_COUNT)
			note_call(call, region);
	} else if (gimple_assign_single_p(stmt) && !gimple_clobber_p(stmt)) {
		if (gimple_assign_load_p(stmt) && gimple_store_p(stmt) &&
		    is_block(TREE_TYPE(gimple_assign_lhs(stmt))))
			add(region, stmt, "block", "");
		else if (gimple_store_p(stmt))
			note_store(stmt, region, defs);
	}
}
