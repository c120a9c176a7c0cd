/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the symbols of libpscmon (base/abi.h) as GCC trees. */
#include "instrument/pscplugin.h"
#include <stddef.h>

enum { ROOT_UNIT = FN_COUNT, ROOT_RECORDING, ROOT_LIVE, ROOT_HEAP, ROOT_CRITICAL, ROOT_ATOMIC,
	ROOT_SCALARS, ROOT_RECORDS, ROOT_COUNT };

/* Roots for GCC's garbage collector, registered by psc_runtime_init(). */
static tree roots[ROOT_COUNT];

static const struct ggc_root_tab root_table[] = {
	{ roots, ROOT_COUNT, sizeof roots[0], &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

void psc_runtime_init(const char *plugin_name)
{
	register_callback(plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
		const_cast<ggc_root_tab *>(root_table));
}

static tree function_type(enum psc_function which)
{
	tree p = ptr_type_node, u32 = uint32_type_node, u64 = uint64_type_node;

	switch (which) {
	case FN_FORK:
		return build_function_type_list(u64, p, u32, NULL_TREE);
	case FN_TEAM_ENTER:
		return build_function_type_list(void_type_node, p, u32, u64, NULL_TREE);
	case FN_PHASE_END:
		return build_function_type_list(void_type_node, p, u32, u32, NULL_TREE);
	case FN_BIND_ALL:
		return build_varargs_function_type_list(void_type_node, p, u32, NULL_TREE);
	case FN_MARK_BIND:
	case FN_ENTER_BIND:
	case FN_SUB_BIND:
		return build_varargs_function_type_list(void_type_node, p, NULL_TREE);
	case FN_BIND:
		return build_function_type_list(void_type_node, p, u32, p, u64, NULL_TREE);
	case FN_BIND_DESCRIPTOR:
		return build_function_type_list(void_type_node, p, u32, p, NULL_TREE);
	case FN_MARKED:
		return build_function_type_list(u32, p, u32, NULL_TREE);
	case FN_DEEP:
		return build_function_type_list(u32, NULL_TREE);
	case FN_LANDING:
		return build_function_type_list(u64, NULL_TREE);
	case FN_LANDED:
		return build_function_type_list(void_type_node, p, u32, u64, NULL_TREE);
	case FN_FLUSH:
		return build_function_type_list(void_type_node, NULL_TREE);
	case FN_ALLOCATED:
		return build_function_type_list(void_type_node, p, p, u64, u64, NULL_TREE);
	case FN_SCOPE_BEGIN:
	case FN_SIGNAL_BEGIN:
		return build_function_type_list(u64, p, NULL_TREE);
	case FN_SCOPE_END:
	case FN_SIGNAL_END:
		return build_function_type_list(void_type_node, u64, NULL_TREE);
	case FN_MARK_FORK:
	case FN_FORK_BEGIN:
		return build_function_type_list(u64, p, NULL_TREE);
	case FN_MARK_TEAM:
		return build_function_type_list(void_type_node, p, u64, NULL_TREE);
	case FN_START:
		return build_function_type_list(void_type_node, p, p, NULL_TREE);
	case FN_RELEASED:
	case FN_UNREGISTER:
	case FN_MARK_ENTER:
	case FN_MARK_EXIT:
	case FN_MARK_STEP:
	case FN_MARK_BEGIN:
	case FN_MARK_CALL:
	case FN_MARK_NEXT:
	case FN_MARK_END:
	case FN_MARK_VOID:
	case FN_SUB_BEGIN:
	case FN_SUB_END:
	case FN_LOOP_BEGIN:
	case FN_LOOP_END:
	case FN_LOOP_VOID:
	case FN_MARK_WAIT:
	case FN_MARK_BARRIER:
	case FN_MARK_WAITED:
	case FN_MARK_CLOSE:
	case FN_SUB_CLOSE:
		return build_function_type_list(void_type_node, p, NULL_TREE);
	default:
		return build_function_type_list(void_type_node, p, u32, NULL_TREE);
	}
}

static const char *const names[FN_COUNT] = {
	"__psc_enter", "__psc_exit", "__psc_fork", "__psc_team_enter", "__psc_wait",
		"__psc_barrier",
	"__psc_waited", "__psc_bind_all", "__psc_phase_begin", "__psc_phase_call",
	"__psc_phase_next", "__psc_phase_end", "__psc_bind",
	"__psc_bind_descriptor", "__psc_landing", "__psc_landed",
	"__psc_flush", "__psc_signal_begin", "__psc_signal_end", "__psc_unit_start",
	"__psc_unit_unregister", "__psc_mark_enter", "__psc_mark_exit", "__psc_mark_step",
	"__psc_mark_fork",
	"__psc_fork_begin", "__psc_mark_team", "__psc_mark_wait", "__psc_mark_barrier",
	"__psc_mark_waited",
	"__psc_mark_begin", "__psc_mark_call", "__psc_mark_next", "__psc_mark_end",
	"__psc_mark_void",
	"__psc_sub_begin", "__psc_sub_end", "__psc_loop_begin", "__psc_loop_end", "__psc_loop_void",
	"__psc_mark_close", "__psc_sub_close", "__psc_mark_bind", "__psc_enter_bind",
	"__psc_sub_bind",
	"__psc_allocated", "__psc_released", "__psc_scope_begin", "__psc_scope_end", "__psc_deep",
	"__psc_marked"
};

tree psc_runtime_function(enum psc_function which)
{
	tree decl = roots[which];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, FUNCTION_DECL, get_identifier(names[which]),
		function_type(which));
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier(names[which]));
	TREE_PUBLIC(decl) = 1;
	DECL_EXTERNAL(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	TREE_NOTHROW(decl) = 1;
	TREE_USED(decl) = 1;
	/* Leaf: none calls back into the unit. */
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
	/* These access no memory of the program: a block does not escape by being passed to
	 * them. */
	DECL_IS_NOVOPS(decl) = which >= FN_ALLOCATED && which != FN_MARKED;
	TREE_READONLY(decl) = which == FN_MARKED;     /* const */
	roots[which] = decl;
	return decl;
}

static tree variable(int root, const char *name, tree type, bool tls)
{
	tree decl = roots[root];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
	TREE_PUBLIC(decl) = 1;
	DECL_EXTERNAL(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	TREE_USED(decl) = 1;
	TREE_STATIC(decl) = 0;
	if (tls) {
		/* Volatile: a callee that GCC takes for const may advance psc_cur. */
		TREE_THIS_VOLATILE(decl) = 1;
		set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
	}
	varpool_node::get_create(decl);
	roots[root] = decl;
	return decl;
}

tree psc_runtime_recording(void)
{
	return variable(ROOT_RECORDING, "__psc_recording", integer_type_node, false);
}

tree psc_runtime_live(void)
{
	return variable(ROOT_LIVE, "__psc_live", integer_type_node, false);
}

tree psc_runtime_heap(void)
{
	return variable(ROOT_HEAP, "__psc_heap", integer_type_node, false);
}

/* One of the variables that stand for locks of the OpenMP library. */
static tree lock_variable(int root, const char *name)
{
	return variable(root, name, build_array_type_nelts(char_type_node,
		sizeof __psc_critical_lock), false);
}

tree psc_runtime_critical_lock(void)
{
	return lock_variable(ROOT_CRITICAL, "__psc_critical_lock");
}

tree psc_runtime_atomic_lock(void)
{
	return lock_variable(ROOT_ATOMIC, "__psc_atomic_lock");
}

tree psc_runtime_lock_used(bool atomic)
{
	return roots[atomic ? ROOT_ATOMIC : ROOT_CRITICAL];
}

/* A struct type with these fields; their names serve debugging only.  TYPE_NAME is a declaration
 * because g++ expects one when it prints the type in dumps. */
tree psc_runtime_record(const char *name, const char *const *fields, const tree *types, int n)
{
	tree record = make_node(RECORD_TYPE), chain = NULL_TREE;
	tree decl = build_decl(UNKNOWN_LOCATION, TYPE_DECL, get_identifier(name), record);

	for (int i = n - 1; i >= 0; i--) {
		tree field = build_decl(UNKNOWN_LOCATION, FIELD_DECL, get_identifier(fields[i]),
			types[i]);

		DECL_CONTEXT(field) = record;
		DECL_CHAIN(field) = chain;
		chain = field;
	}
	TYPE_FIELDS(record) = chain;
	DECL_IGNORED_P(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	TYPE_NAME(record) = TYPE_STUB_DECL(record) = decl;
	TYPE_ARTIFICIAL(record) = 1;
	layout_type(record);
	return record;
}

/* A field of __psc_records. */
static tree records_part(const char *name)
{
	static const char *const fields[] = { "cur", "end" };
	const tree types[] = { ptr_type_node, ptr_type_node };
	tree decl = roots[ROOT_RECORDS], field, part;

	if (!decl)
		decl = variable(ROOT_RECORDS, "__psc_records", build_qualified_type(
			psc_runtime_record("__psc_records", fields, types, 2), TYPE_QUAL_VOLATILE),
			true);
	field = TYPE_FIELDS(TREE_TYPE(decl));
	if (strcmp(name, "cur") != 0)
		field = DECL_CHAIN(field);
	part = build3(COMPONENT_REF, ptr_type_node, decl, field, NULL_TREE);
	TREE_THIS_VOLATILE(part) = TREE_SIDE_EFFECTS(part) = 1;
	return part;
}

tree psc_runtime_cur(void)
{
	return records_part("cur");
}

tree psc_runtime_end(void)
{
	return records_part("end");
}

/* struct psc_unit as far as emitted code accesses its fields, and the marks of nregions regions. */
static tree unit_type(unsigned nregions)
{
	static const char *const fields[] = { "unit", "phase", "rest", "region" };
	tree byte = unsigned_char_type_node;
	const unsigned at = offsetof(struct psc_unit, phase), size = sizeof(struct psc_unit);
	const tree types[] = { build_array_type_nelts(uint64_type_node, at / 8),
		build_array_type_nelts(byte, 8), build_array_type_nelts(byte, size - at - 8),
		build_array_type_nelts(byte, MAX(nregions, 1) * sizeof(struct psc_mark)) };

	return psc_runtime_record("psc_unit", fields, types, 4);
}

tree psc_runtime_unit(void)
{
	tree decl = roots[ROOT_UNIT];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__psc_unit"), unit_type(0));
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier("__psc_unit"));
	TREE_STATIC(decl) = 1;
	TREE_USED(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	DECL_PRESERVE_P(decl) = 1;
	roots[ROOT_UNIT] = decl;
	varpool_node::finalize_decl(decl);
	return decl;
}

tree psc_runtime_scalars(void)
{
	tree decl = roots[ROOT_SCALARS];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__psc_scalars"),
		build_array_type(char_type_node, NULL_TREE));
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier("__psc_scalars"));
	TREE_STATIC(decl) = TREE_USED(decl) = TREE_READONLY(decl) = TREE_ADDRESSABLE(decl) = 1;
	DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = DECL_PRESERVE_P(decl) = 1;
	SET_DECL_ALIGN(decl, 64);
	DECL_USER_ALIGN(decl) = 1;
	roots[ROOT_SCALARS] = decl;
	return decl;
}

tree psc_runtime_scalars_wanted(void)
{
	return roots[ROOT_SCALARS];
}

tree psc_runtime_unit_finish(unsigned nregions)
{
	tree decl = psc_runtime_unit();

	TREE_TYPE(decl) = unit_type(nregions);
	relayout_decl(decl);
	return decl;
}

gcall *psc_phase_end_call(int region, bool from_header)
{
	return gimple_build_call(psc_runtime_function(FN_PHASE_END), 3,
		build_fold_addr_expr(psc_runtime_unit()), build_int_cst(uint32_type_node, region),
		build_int_cst(uint32_type_node, from_header));
}

gcall *psc_runtime_call(enum psc_function which, int region)
{
	if (which == FN_PHASE_END)
		return psc_phase_end_call(region, false);
	return gimple_build_call(psc_runtime_function(which), 2,
		build_fold_addr_expr(psc_runtime_unit()),
		build_int_cst(uint32_type_node, region));
}

bool psc_runtime_is(gimple *stmt, enum psc_function which)
{
	return is_gimple_call(stmt) && roots[which] && gimple_call_fndecl(stmt) == roots[which];
}

/* By name: under link-time optimisation the declarations come from objects. */
enum psc_function psc_runtime_named(tree fndecl)
{
	const char *name = fndecl && DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";
	int which = 0;

	if (!startswith(name, "__psc_") || !DECL_EXTERNAL(fndecl))
		return FN_COUNT;
	while (which < FN_COUNT && strcmp(name, names[which]) != 0)
		which++;
	return static_cast<enum psc_function>(which);
}

enum psc_function psc_runtime_which(gimple *stmt)
{
	return psc_runtime_named(is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE);
}
