/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variable in which a value is finally stored, and its name in the source: "p",
 * "g->edges", "rows[]", "a%b", "Grid::u".  Works on the statements as they are before omplower. */
#include "instrument/pscplugin.h"

static std::string identifier(tree decl)
{
	return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/* Temporaries, and the variables by which GCC reaches those of a host procedure. */
static bool is_nameless(tree t)
{
	std::string name;

	if (TREE_CODE(t) == SSA_NAME)
		return !SSA_NAME_VAR(t) || is_nameless(SSA_NAME_VAR(t));
	name = identifier(t);
	if (name.empty() || name == "this" || startswith(name.c_str(), "FRAME.") ||
	    startswith(name.c_str(), "CHAIN"))
		return true;
	return DECL_ARTIFICIAL(t) && !(psc_is_fortran() && TREE_CODE(t) == PARM_DECL);
}

static bool is_temporary(tree t)
{
	return TREE_CODE(t) == SSA_NAME || (DECL_P(t) && is_nameless(t));
}

/* --- a function's assignments --------------------------------------------------------------- */
static tree note_stmt(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	struct psc_values *v = static_cast<struct psc_values *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);
	tree lhs = gimple_get_lhs(stmt);

	*handled = false;
	if (greturn *ret = dyn_cast<greturn *>(stmt)) {
		if (gimple_return_retval(ret))
			v->returned.insert(gimple_return_retval(ret));
		return NULL_TREE;
	}
	if (!lhs)
		return NULL_TREE;
	if (DECL_P(lhs))
		v->defs[lhs] = v->defs.count(lhs) ? NULL : stmt;
	if (is_gimple_assign(stmt) && (gimple_assign_single_p(stmt) ||
	    gimple_assign_cast_p(stmt))) {
		tree rhs = gimple_assign_rhs1(stmt);

		v->copies.push_back({ lhs, rhs });
		if (is_temporary(rhs))
			v->stored.insert({ rhs, lhs });
	} else if (is_gimple_assign(stmt) && gimple_assign_rhs_code(stmt) == POINTER_PLUS_EXPR &&
		   TREE_CODE(gimple_assign_rhs2(stmt)) == INTEGER_CST) {
		tree rhs = gimple_assign_rhs1(stmt);

		if (lhs != rhs && is_temporary(rhs))
			v->offset.insert({ rhs, lhs });
	}
	return NULL_TREE;
}

/* The variable that `ref` is a part of; NULL_TREE: it is reached through a pointer. */
static tree holder(tree ref)
{
	while (handled_component_p(ref))
		ref = TREE_OPERAND(ref, 0);
	return DECL_P(ref) || TREE_CODE(ref) == SSA_NAME ? ref : NULL_TREE;
}

void psc_values_find(struct psc_values *v, gimple_seq body, tree fndecl)
{
	struct walk_stmt_info wi;
	bool more = true;

	memset(&wi, 0, sizeof wi);
	wi.info = v;
	walk_gimple_seq(body, note_stmt, NULL, &wi);
	if (DECL_RESULT(fndecl))
		v->returned.insert(DECL_RESULT(fndecl));
	while (more) {
		more = false;
		for (auto &copy : v->copies) {
			tree to = holder(copy.first), from = holder(copy.second);

			if (to && from && v->returned.count(to) && !is_global_var(from))
				more |= v->returned.insert(from).second;
		}
	}
}

static gimple *definition(const struct psc_values &v, tree t)
{
	if (TREE_CODE(t) == SSA_NAME)
		return SSA_NAME_IS_DEFAULT_DEF(t) ? NULL : SSA_NAME_DEF_STMT(t);
	auto def = v.defs.find(t);
	return def == v.defs.end() ? NULL : def->second;
}

/* --- names ---------------------------------------------------------------------------------- */
struct spelling {
	const struct psc_values *values;
	tree base;      /* the variable at the name's begin */
	int fields;     /* components in the name */
	int depth;
};

static std::string spell(struct spelling *s, tree t);

/* The container of which a library's method returns an element: v[i], v.at(i), v.back().
 * NULL_TREE: it is no such call. */
static tree container_of(gimple *def)
{
	tree fndecl = gimple_call_fndecl(def);

	if (!fndecl || !psc_is_cxx() || !DECL_NAME(fndecl) ||
	    TREE_CODE(TREE_TYPE(fndecl)) != METHOD_TYPE ||
	    TREE_CODE(TREE_TYPE(TREE_TYPE(fndecl))) != REFERENCE_TYPE ||
	    !gimple_call_num_args(def) || !in_system_header_at(DECL_SOURCE_LOCATION(fndecl)))
		return NULL_TREE;
	for (const char *name : { "operator[]", "at", "front", "back", "top" })
		if (identifier(fndecl) == name)
			return gimple_call_arg(def, 0);
	return NULL_TREE;
}

static std::string spell_value(struct spelling *s, tree t)
{
	gimple *def = definition(*s->values, t);
	enum tree_code code;
	std::string inner;

	if (def && is_gimple_call(def)) {
		inner = spell(s, container_of(def));
		return inner.empty() ? inner : inner + "[]";
	}
	if (!def || !is_gimple_assign(def))
		return "";
	code = gimple_assign_rhs_code(def);
	if (code == POINTER_PLUS_EXPR) {
		inner = spell(s, gimple_assign_rhs1(def));
		return inner.empty() || psc_is_fortran() ? inner : inner + "[]";
	}
	return gimple_assign_single_p(def) || CONVERT_EXPR_CODE_P(code) ?
		spell(s, gimple_assign_rhs1(def)) : "";
}

static std::string spell_component(struct spelling *s, tree t)
{
	tree on = TREE_OPERAND(t, 0), field = TREE_OPERAND(t, 1);
	std::string inner = spell(s, on), name = identifier(field);

	if (psc_is_descriptor(TREE_TYPE(on)) || name.empty() || name == "_data")
		return inner;
	s->fields++;
	if (inner.empty())
		return name;
	if (psc_is_fortran())
		return inner + "%" + name;
	bool pointer = TREE_CODE(on) == MEM_REF || INDIRECT_REF_P(on);
	if (pointer && TREE_CODE(TREE_OPERAND(on, 0)) == RESULT_DECL &&
	    DECL_BY_REFERENCE(TREE_OPERAND(on, 0)))
		pointer = false;
	return inner + (pointer ? "->" : ".") + name;
}

static std::string spell(struct spelling *s, tree t)
{
	std::string inner;

	if (!t || ++s->depth > 24)
		return "";
	switch (TREE_CODE(t)) {
	case COMPONENT_REF:
		return spell_component(s, t);
	case ARRAY_REF:
		inner = spell(s, TREE_OPERAND(t, 0));
		return inner.empty() || psc_is_fortran() ? inner : inner + "[]";
	case MEM_REF:
	case INDIRECT_REF:
	case ADDR_EXPR:
	case REALPART_EXPR:
	case IMAGPART_EXPR:
	case VIEW_CONVERT_EXPR:
	CASE_CONVERT:
		return spell(s, TREE_OPERAND(t, 0));
	case RESULT_DECL:       /* in C++ the variable that is returned, under its name */
		s->base = t;
		return identifier(t);
	case SSA_NAME:
	case VAR_DECL:
	case PARM_DECL:
		if (DECL_P(t))
			s->base = t;
		return is_nameless(t) ? spell_value(s, t) :
			identifier(TREE_CODE(t) == SSA_NAME ? SSA_NAME_VAR(t) : t);
	default:
		return "";
	}
}

bool psc_is_template(tree type)
{
	tree name = TYPE_P(type) ? TYPE_NAME(TYPE_MAIN_VARIANT(type)) : NULL_TREE;

	const char *text = psc_is_cxx() && name && TREE_CODE(name) == TYPE_DECL && DECL_NAME(name) ?
		lang_hooks.dwarf_name(name, 2) : NULL;          /* 2: with the template's
								 * arguments */

	return text && strchr(text, '<');
}

static std::string subroutine_name(void)
{
	auto sub = psc.subroutines.find(DECL_UID(current_function_decl));

	return sub == psc.subroutines.end() ? psc_function_name(current_function_decl) :
		psc.regions[sub->second].name;
}

/* The scope of a name: the class for members of "this", else the scope of its base. */
static std::string scope_of(tree base)
{
	tree type = base ? TREE_TYPE(base) : NULL_TREE;

	if (base && identifier(base) == "this" && POINTER_TYPE_P(type)) {
		tree name = TYPE_NAME(TYPE_MAIN_VARIANT(TREE_TYPE(type)));

		if (name && TREE_CODE(name) == TYPE_DECL && DECL_NAME(name))
			return IDENTIFIER_POINTER(DECL_NAME(name));
	}
	return base && is_global_var(base) ? psc_scope_of(base) :
		subroutine_name();
}

/* A struct with several pointers: its members' blocks are told apart by the members' names. */
static bool holds_several(tree var)
{
	tree type = TREE_TYPE(var);
	int pointers = 0;

	if (TREE_CODE(type) != RECORD_TYPE || psc_is_fortran() || psc_is_template(type) ||
	    is_nameless(var))
		return false;
	for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
		pointers += TREE_CODE(f) == FIELD_DECL && DECL_NAME(f) &&
			POINTER_TYPE_P(TREE_TYPE(f));
	return pointers > 1;
}

/* Does the function pass the value on to its caller?  As its result, or through a dummy argument:
 * *out, out->data, rows[i]. */
static bool handed_on(const struct psc_values &v, tree t, const struct spelling &s)
{
	tree base = holder(TREE_CODE(t) == ADDR_EXPR ? TREE_OPERAND(t, 0) : t);

	if (base && v.returned.count(base))
		return !(s.fields && DECL_P(base) && holds_several(base));
	/* A member of a class template: a container, which the caller's variable names. */
	if (s.base && identifier(s.base) == "this" && POINTER_TYPE_P(TREE_TYPE(s.base)) &&
	    psc_is_template(TREE_TYPE(TREE_TYPE(s.base))))
		return true;
	if (s.fields || !s.base || identifier(s.base) == "this")
		return false;
	if (v.returned.count(s.base))
		return true;
	return TREE_CODE(s.base) == PARM_DECL && (t != s.base || psc_is_fortran());
}

/* The registered array descriptor to whose data `t` points; else NULL_TREE. */
static tree static_descriptor(tree t)
{
	if (TREE_CODE(t) == ADDR_EXPR)
		t = TREE_OPERAND(t, 0);
	else if (TREE_CODE(t) == COMPONENT_REF)
		t = TREE_OPERAND(t, 0);
	return VAR_P(t) && is_global_var(t) && psc_is_descriptor(TREE_TYPE(t)) ? t : NULL_TREE;
}

unsigned psc_element_size(tree type)
{
	tree size;

	if (!POINTER_TYPE_P(type) || VOID_TYPE_P(TREE_TYPE(type)))
		return 0;
	size = TYPE_SIZE_UNIT(psc_element(TREE_TYPE(type)));
	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

/* Follows copies from temporary to temporary up to a named variable; else to the last one.  A copy
 * may point behind what the block begins with: new[] of a type with a destructor stores the
 * number of elements there. */
static tree follow(const struct psc_values &v, tree t, int depth)
{
	tree last = t;

	if (depth > 8 || !(TREE_CODE(t) == SSA_NAME || DECL_P(t)) || !is_nameless(t))
		return t;
	for (const auto *copies : { &v.stored, &v.offset })
		for (auto range = copies->equal_range(t); range.first != range.second;
		     ++range.first) {
			tree to = follow(v, range.first->second, depth + 1);
			struct spelling s = { &v, NULL_TREE, 0, 0 };

			if (!spell(&s, to).empty())
				return to;
			if (copies == &v.stored || v.returned.count(to))
				last = to;
		}
	return last;
}

/* The source's name of the struct behind a pointer of that type: "struct node", "Node<int>",
 * "type(node)".  "": no struct, or one without a name, of the compiler or of a library. */
static std::string record_name(tree type)
{
	tree record = POINTER_TYPE_P(type) ? TYPE_MAIN_VARIANT(TREE_TYPE(type)) : NULL_TREE;
	tree name = record ? TYPE_NAME(record) : NULL_TREE;
	tree decl = record ? TYPE_STUB_DECL(record) : NULL_TREE;

	if (!name || !RECORD_OR_UNION_TYPE_P(record) || psc_is_descriptor(record) ||
	    (decl && DECL_P(decl) && in_system_header_at(DECL_SOURCE_LOCATION(decl))))
		return "";
	if (TREE_CODE(name) == IDENTIFIER_NODE && psc_is_fortran())
		return std::string("type(") + IDENTIFIER_POINTER(name) + ")";
	if (TREE_CODE(name) == IDENTIFIER_NODE)
		return std::string(TREE_CODE(record) == UNION_TYPE ? "union " : "struct ") +
			IDENTIFIER_POINTER(name);
	if (TREE_CODE(name) != TYPE_DECL || !DECL_NAME(name))
		return "";
	return psc_is_cxx() ? lang_hooks.dwarf_name(name, 0) : identifier(name);
}

void psc_destination_record(struct psc_destination *d)
{
	d->name = d->record;
	d->scope = subroutine_name();
	d->descriptor = NULL_TREE;
	d->handed_on = d->global = false;
}

/* A variable that points to a whole array is no pointer of the source: these are descriptors. */
static unsigned made_by_compiler(tree t, const std::string &name)
{
	if (!psc_is_fortran())
		return 0;
	if (name.empty())
		return PSC_SITE_TEMPORARY;
	return VAR_P(t) && POINTER_TYPE_P(TREE_TYPE(t)) &&
		TREE_CODE(TREE_TYPE(TREE_TYPE(t))) == ARRAY_TYPE ?
		PSC_SITE_AUTOMATIC : 0;
}

struct psc_destination psc_destination_of(const struct psc_values &v, tree t)
{
	struct psc_destination out = { "", "", NULL_TREE, 0, false, false, "", PSC_NODES_NONE, 0 };
	struct spelling s = { &v, NULL_TREE, 0, 0 };

	t = follow(v, t, 0);
	out.name = spell(&s, t);
	out.made = made_by_compiler(t, out.name);
	out.handed_on = handed_on(v, t, s);
	out.record = record_name(TREE_TYPE(t));
	out.nodes = psc_nodes_of(TREE_TYPE(t));
	out.elem = psc_element_size(TREE_TYPE(t));
	if (out.name.empty())
		return out;
	out.scope = scope_of(s.base);
	out.global = s.base && is_global_var(s.base);
	out.descriptor = static_descriptor(t);
	return out;
}
