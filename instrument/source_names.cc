/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source names of functions, declarations and accesses.  The names serve the program
 * structure (SIR); measurement goes by run-time address range. */
#include "instrument/pscplugin.h"

static std::string identifier(tree decl)
{
	return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/* --- functions ------------------------------------------------------------------------------ */
/* "double ns::f<T>(int) [with T = int]" without its parameters: "ns::f<T>". */
static std::string without_parameters(const char *printed)
{
	std::string out;
	int depth = 0;

	for (const char *p = printed; *p; p++) {
		if (depth == 0 && startswith(p, "operator()")) {
			out += "operator()";
			p += 9;
			continue;
		}
		if (depth == 0 && startswith(p, " [with "))
			break;
		if (*p == '(')
			depth++;
		if (depth == 0)
			out += *p;
		if (*p == ')')
			depth--;
	}
	if (out.size() > 6 && out.compare(out.size() - 6, 6, " const") == 0)
		out.resize(out.size() - 6);
	return out;
}

std::string psc_function_name(tree fndecl)
{
	if (psc_is_cxx())
		return without_parameters(lang_hooks.decl_printable_name(fndecl, 1));
	return identifier(fndecl);
}

/* --- types ---------------------------------------------------------------------------------- */
tree psc_element(tree type)
{
	while (type && TREE_CODE(type) == ARRAY_TYPE)
		type = TREE_TYPE(type);
	return type;
}

const char *psc_element_type(tree type)
{
	type = psc_element(type);
	switch (TREE_CODE(type)) {
	case REAL_TYPE:
		return TYPE_PRECISION(type) <= 32 ? "REAL" : "DOUBLE";
	case COMPLEX_TYPE:
		return "COMPLEX";
	case BOOLEAN_TYPE:
		return "LOGICAL";
	case INTEGER_TYPE:
		return TYPE_PRECISION(type) == 8 && (TYPE_STRING_FLAG(type) || !psc_is_fortran()) ?
			"CHARACTER" : "INTEGER";
	case ENUMERAL_TYPE:
		return "INTEGER";
	default:
		return "DERIVED";
	}
}

long psc_element_count(tree type)
{
	tree size = TYPE_SIZE_UNIT(type), one = TYPE_SIZE_UNIT(psc_element(type));

	if (!size || !one || !tree_fits_shwi_p(size) || !tree_fits_shwi_p(one) ||
	    integer_zerop(one))
		return 0;
	return tree_to_shwi(size) / tree_to_shwi(one);
}

static const char *type_name(tree type)
{
	tree name = TYPE_NAME(type);

	if (name && TREE_CODE(name) == TYPE_DECL)
		name = DECL_NAME(name);
	return name ? IDENTIFIER_POINTER(name) : "";
}

/* gfortran's array descriptor: struct array<rank>_<type>. */
bool psc_is_descriptor(tree type)
{
	const char *name;

	if (!psc_is_fortran() || TREE_CODE(type) != RECORD_TYPE)
		return false;
	name = type_name(TYPE_MAIN_VARIANT(type));
	return startswith(name, "array") && ISDIGIT(name[5]) && ISDIGIT(name[6]);
}

/* --- declarations --------------------------------------------------------------------------- */
bool psc_is_common(tree var)
{
	enum tree_code code = TREE_CODE(TREE_TYPE(var));

	/* gfortran makes one public variable a block, of a nameless record or union whose fields
	 * are the members. */
	return psc_is_fortran() && VAR_P(var) && TREE_PUBLIC(var) &&
		(code == UNION_TYPE || code == RECORD_TYPE) && !psc_is_descriptor(TREE_TYPE(var)) &&
		(!DECL_CONTEXT(var) || TREE_CODE(DECL_CONTEXT(var)) == TRANSLATION_UNIT_DECL) &&
		psc_module_name(var).empty() && DECL_IGNORED_P(var);
}

std::string psc_common_name(tree var)
{
	std::string name = identifier(var);

	if (name == "__BLNK__" || name == "_BLNK__")
		return "";
	while (!name.empty() && name[name.size() - 1] == '_')
		name.resize(name.size() - 1);
	return name;
}

/* "grid" for the symbol __grid_MOD_u. */
std::string psc_module_name(tree decl)
{
	std::string symbol;
	size_t end;

	if (!psc_is_fortran() || !DECL_ASSEMBLER_NAME_SET_P(decl))
		return "";
	symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
	end = symbol.find("_MOD_");
	return startswith(symbol.c_str(), "__") && end != std::string::npos ?
		symbol.substr(2, end - 2) : "";
}

static const char *class_of(tree decl)
{
	if (TREE_CODE(decl) == PARM_DECL)
		return "dummy";
	if (!is_global_var(decl))
		return "local";
	return psc_module_name(decl).empty() ? "static" : "module";
}

static void set_type(struct psc_array *out, tree type)
{
	if (POINTER_TYPE_P(type))
		type = TREE_TYPE(type);
	out->scalar = TREE_CODE(type) != ARRAY_TYPE && !RECORD_OR_UNION_TYPE_P(type);
	out->type = psc_element_type(type);
	out->nelts = TREE_CODE(type) == ARRAY_TYPE ? psc_element_count(type) : 0;
}

bool psc_describe_decl(tree decl, struct psc_array *out)
{
	decl = DECL_ORIGIN(decl);
	if (!DECL_NAME(decl))
		return false;
	out->name = identifier(decl);
	out->scope = psc_module_name(decl);
	out->klass = class_of(decl);
	out->line = DECL_SOURCE_LINE(decl);
	if (psc_is_descriptor(TREE_TYPE(decl)) && strcmp(out->klass, "local") == 0)
		out->klass = "heap";
	set_type(out, TREE_TYPE(decl));
	return true;
}

static bool is_compiler_frame(const std::string &name)
{
	return startswith(name.c_str(), ".omp_data") || startswith(name.c_str(), "FRAME.") ||
		startswith(name.c_str(), "CHAIN");
}

static bool chase(tree pointer, const psc_defs &defs, struct psc_array *out, int depth);

/* The component of `ref` that is selected directly from its base: b in a%b%c. */
static tree component_on(tree ref)
{
	tree found = NULL_TREE;

	for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
		if (TREE_CODE(ref) == COMPONENT_REF)
			found = ref;
	return found;
}

static bool has_index(tree ref)
{
	for (; handled_component_p(ref); ref = TREE_OPERAND(ref, 0))
		if (TREE_CODE(ref) == ARRAY_REF || TREE_CODE(ref) == ARRAY_RANGE_REF)
			return true;
	return false;
}

/* "c = .omp_data_i->c": a thread's private copy of a captured pointer. */
static bool is_captured_copy(gimple *def)
{
	tree rhs = gimple_assign_single_p(def) ? gimple_assign_rhs1(def) : NULL_TREE;
	tree base = rhs && TREE_CODE(rhs) == COMPONENT_REF ? get_base_address(rhs) : NULL_TREE;

	if (base && TREE_CODE(base) == MEM_REF)
		base = TREE_OPERAND(base, 0);
	if (base && TREE_CODE(base) == SSA_NAME)
		base = SSA_NAME_VAR(base);
	return base && DECL_P(base) && is_compiler_frame(identifier(base));
}

/* The variable that a captured field stands for, found by its name: GCC has dropped the link by
 * now. */
static tree captured_variable(tree field, const psc_defs &defs)
{
	unsigned i;
	tree var;

	for (var = DECL_ARGUMENTS(current_function_decl); var; var = DECL_CHAIN(var))
		if (DECL_NAME(var) == DECL_NAME(field))
			return var;
	FOR_EACH_LOCAL_DECL(cfun, i, var) {
		auto def = defs.find(var);

		if (DECL_NAME(var) == DECL_NAME(field) && TREE_CODE(var) == VAR_DECL &&
		    DECL_SOURCE_LOCATION(var) == DECL_SOURCE_LOCATION(field) &&
		    (def == defs.end() || !is_captured_copy(def->second)))
			return var;
	}
	return NULL_TREE;
}

static bool chase(tree pointer, const psc_defs &defs, struct psc_array *out, int depth);

/* Describes the variable behind a field of the structure by which GCC passes variables to a
 * construct's or nested function's body. */
static bool describe_captured(tree field, const psc_defs &defs, struct psc_array *out, int depth)
{
	tree var;

	if (!DECL_NAME(field))
		return false;
	var = captured_variable(field, defs);
	if (var)
		return POINTER_TYPE_P(TREE_TYPE(var)) ? chase(var, defs, out, depth + 1)
			: psc_describe_decl(var, out);
	out->name = identifier(field);
	out->klass = "local";        /* of the host procedure */
	out->line = DECL_SOURCE_LINE(field);
	set_type(out, TREE_TYPE(field));
	return true;
}

static bool describe_base_decl(tree base, tree ref, const psc_defs &defs, struct psc_array *out)
{
	std::string name = identifier(base);
	tree component = component_on(ref);

	if (component && is_compiler_frame(name))
		return has_index(ref) &&
			describe_captured(TREE_OPERAND(component, 1), defs, out, 0);
	if (component && (psc_is_common(base) || startswith(name.c_str(), "equiv."))) {
		tree field = TREE_OPERAND(component, 1);

		if (!psc_describe_decl(field, out) || TREE_CODE(TREE_TYPE(field)) != ARRAY_TYPE)
			return false;
		out->klass = psc_is_common(base) ? "common" : class_of(base);
		out->scope = psc_is_common(base) ? psc_common_name(base) : "";
		return true;
	}
	if (TREE_CODE(base) == RESULT_DECL || !DECL_NAME(DECL_ORIGIN(base)))
		return false;
	if (TREE_CODE(TREE_TYPE(base)) != ARRAY_TYPE && !has_index(ref))
		return false;
	return !psc_is_descriptor(TREE_TYPE(base)) && psc_describe_decl(base, out);
}

/* --- pointers ------------------------------------------------------------------------------- */
static bool describe_loaded(tree ref, const psc_defs &defs, struct psc_array *out, int depth)
{
	tree base = get_base_address(ref), component = component_on(ref);
	struct psc_array holder;

	if (!base)
		return false;
	if (component && TREE_CODE(base) == MEM_REF) {
		tree pointer = TREE_OPERAND(base, 0);
		tree var = TREE_CODE(pointer) == SSA_NAME ? SSA_NAME_VAR(pointer) : pointer;

		if (var && DECL_P(var) && is_compiler_frame(identifier(var)))
			return describe_captured(TREE_OPERAND(component, 1), defs, out, depth);
	}
	if (component && psc_is_descriptor(TREE_TYPE(TREE_OPERAND(ref, 0)))) {
		if (DECL_P(base))
			return psc_describe_decl(base, out);
		return TREE_CODE(base) == MEM_REF && chase(TREE_OPERAND(base, 0), defs, out,
			depth + 1);
	}
	if (DECL_P(base) && !component) {
		if (!psc_describe_decl(base, out))
			return false;
		if (POINTER_TYPE_P(TREE_TYPE(base)) && TREE_CODE(base) != PARM_DECL)
			out->klass = "heap";
		return true;
	}
	if (!component)   /* an element of an array of pointers: a[i][j] */
		return TREE_CODE(base) == MEM_REF && chase(TREE_OPERAND(base, 0), defs, out,
			depth + 1);
	holder = *out;
	if (!(DECL_P(base) ? psc_describe_decl(base, &holder)
	      : chase(TREE_OPERAND(base, 0), defs, &holder, depth + 1)))
		holder.name = "?";
	if (!DECL_NAME(TREE_OPERAND(component, 1)) ||
	    startswith(identifier(TREE_OPERAND(component, 1)).c_str(), "_vptr"))
		return false;
	tree field = TREE_CODE(ref) == COMPONENT_REF ? TREE_OPERAND(ref, 1) :
		TREE_OPERAND(component, 1);
	out->name = holder.name + "." + identifier(field);
	out->klass = "heap";
	out->line = 0;
	set_type(out, TREE_TYPE(field));
	return true;
}

static bool chase_stmt(gimple *def, const psc_defs &defs, struct psc_array *out, int depth)
{
	if (!is_gimple_assign(def))
		return false;
	tree rhs = gimple_assign_rhs1(def);

	switch (gimple_assign_rhs_code(def)) {
	case POINTER_PLUS_EXPR:
	CASE_CONVERT:
	case SSA_NAME:
	case ADDR_EXPR:
		return chase(rhs, defs, out, depth + 1);
	case VAR_DECL:
	case PARM_DECL:
	case COMPONENT_REF:
	case ARRAY_REF:
	case MEM_REF:
		return POINTER_TYPE_P(TREE_TYPE(rhs)) && describe_loaded(rhs, defs, out, depth);
	default:
		return false;
	}
}

static bool chase(tree pointer, const psc_defs &defs, struct psc_array *out, int depth)
{
	if (depth > 12)
		return false;
	if (TREE_CODE(pointer) == ADDR_EXPR) {
		tree base = get_base_address(TREE_OPERAND(pointer, 0));

		if (base && TREE_CODE(base) == MEM_REF)
			return chase(TREE_OPERAND(base, 0), defs, out, depth + 1);
		return base && DECL_P(base) &&
			(psc_is_common(base) || startswith(identifier(base).c_str(), "equiv.") ?
			 describe_base_decl(base, TREE_OPERAND(pointer, 0), defs, out) :
			 psc_describe_decl(base, out));
	}
	if (TREE_CODE(pointer) == SSA_NAME) {
		if (!SSA_NAME_IS_DEFAULT_DEF(pointer))
			return SSA_NAME_DEF_STMT(pointer) &&
				chase_stmt(SSA_NAME_DEF_STMT(pointer), defs, out, depth);
		pointer = SSA_NAME_VAR(pointer);
	}
	if (!pointer || !DECL_P(pointer))
		return false;
	auto def = defs.find(pointer);
	if (def != defs.end() && (DECL_ARTIFICIAL(pointer) || !DECL_NAME(pointer) ||
			is_captured_copy(def->second)))
		return chase_stmt(def->second, defs, out, depth);
	if (!DECL_NAME(pointer) || !POINTER_TYPE_P(TREE_TYPE(pointer)))
		return false;
	/* Skip C++'s this.  gfortran's descriptors are artificial, too, but stand for the source's
	 * dummies. */
	if (DECL_ARTIFICIAL(pointer) && !(psc_is_fortran() && TREE_CODE(pointer) == PARM_DECL))
		return false;
	if (!psc_describe_decl(pointer, out))
		return false;
	if (TREE_CODE(DECL_ORIGIN(pointer)) != PARM_DECL)
		out->klass = "heap";
	return true;
}

bool psc_describe_pointer(tree pointer, const psc_defs &defs, struct psc_array *out)
{
	return chase(pointer, defs, out, 0);
}

static bool is_scalar_reference(tree base, tree ref)
{
	return !has_index(ref) && TREE_CODE(TREE_TYPE(base)) != ARRAY_TYPE &&
		!psc_is_fortran() && TREE_CODE(TREE_TYPE(TREE_OPERAND(base, 0))) == REFERENCE_TYPE;
}

bool psc_describe_access(tree ref, const psc_defs &defs, struct psc_array *out)
{
	tree base = get_base_address(ref);

	if (!base)
		return false;
	if (DECL_P(base))
		return TREE_CODE(base) != CONST_DECL && describe_base_decl(base, ref, defs, out);
	if (TREE_CODE(base) != MEM_REF || is_scalar_reference(base, ref) ||
	    psc_is_descriptor(TREE_TYPE(base)))
		return false;
	tree pointer = TREE_OPERAND(base, 0);
	tree var = TREE_CODE(pointer) == SSA_NAME ? SSA_NAME_VAR(pointer) : pointer;
	if (var && DECL_P(var) && is_compiler_frame(identifier(var))) {
		/* a captured variable by value, or an aggregate in the frame */
		tree component = component_on(ref);

		return component && has_index(ref) &&
			describe_captured(TREE_OPERAND(component, 1), defs, out, 0);
	}
	/* Fortran passes scalars by reference: a scalar dummy is no array. */
	return chase(pointer, defs, out, 0) && !(psc_is_fortran() && out->scalar);
}
