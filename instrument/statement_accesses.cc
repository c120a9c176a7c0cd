/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the memory accesses of a statement as the machine will make them: for late passes, before
 * isel. */
#include "instrument/pscplugin.h"

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
	/* A parameter or result in memory: part of the caller's frame. */
	if (TREE_CODE(base) == PARM_DECL || (TREE_CODE(base) == RESULT_DECL &&
	    aggregate_value_p(base, cfun->decl)))
		return !is_gimple_reg(base) && !use_register_for_decl(base);
	if (!VAR_P(base) || DECL_HARD_REGISTER(base) || is_gimple_reg(base))
		return false;
	/* An aggregate that will be in a register is no memory; taking its address would change
	 * that. */
	return is_global_var(base) || TREE_ADDRESSABLE(base) || !use_register_for_decl(base);
}

tree psc_access_part(tree ref, unsigned HOST_WIDE_INT *offset, unsigned HOST_WIDE_INT *size)
{
	tree bytes = TYPE_SIZE_UNIT(TREE_TYPE(ref));
	HOST_WIDE_INT first = 0, bits = 0;

	*offset = 0;
	*size = bytes && tree_fits_uhwi_p(bytes) ? tree_to_uhwi(bytes) : 0;
	for (;;) {
		if (TREE_CODE(ref) == BIT_FIELD_REF) {
			first += bit_field_offset(ref).to_constant();
			bits = bits ? bits : bit_field_size(ref).to_constant();
		} else if (TREE_CODE(ref) == COMPONENT_REF &&
			   DECL_BIT_FIELD(TREE_OPERAND(ref, 1)) &&
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

/* The token for a construct's threads: added by the plugin, no variable of the program. */
static bool is_token(tree ref)
{
	tree decl = TREE_CODE(ref) == COMPONENT_REF ? TREE_OPERAND(ref, 1) : ref;

	return DECL_P(decl) && DECL_NAME(decl) && id_equal(DECL_NAME(decl), PSC_TOKEN);
}

/* gcov's counters, which are in the code before it is cloned, and variables of libpscmon, which a
 * native function tests that is inlined into a recording one. */
static bool is_added_by_compiler(tree base)
{
	const char *name = VAR_P(base) && DECL_ARTIFICIAL(base) && DECL_NAME(base) ?
		IDENTIFIER_POINTER(DECL_NAME(base)) : "";

	return startswith(name, "__gcov") || startswith(name, "__psc_");
}

static bool note(gimple *stmt, tree ref, void *data, bool store)
{
	psc_accesses *list = static_cast<psc_accesses *>(data);
	struct psc_access a = { stmt, ref, NULL_TREE, NULL_TREE, 0,
		unsigned(store ? PSC_STORE : PSC_LOAD) };
	unsigned HOST_WIDE_INT offset, size;

	if (store && gimple_clobber_p(stmt))
		return false;
	if (!base_recordable(get_base_address(ref)) || is_token(ref) ||
	    is_added_by_compiler(get_base_address(ref)))
		return false;
	psc_access_part(ref, &offset, &size);
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

static void note_pointer(psc_accesses *list, gimple *stmt, unsigned arg, unsigned kind, tree length,
	unsigned size)
{
	if (!length || !integer_zerop(length))
		list->push_back({ stmt, NULL_TREE, gimple_call_arg(stmt, arg), length, size,
			kind });
}

/* A copy from argument `from` to argument `to`. */
static void note_copy(psc_accesses *list, gimple *stmt, unsigned from, tree read, unsigned to,
	tree written)
{
	size_t first = list->size();

	note_pointer(list, stmt, from, PSC_LOAD_RANGE, read, 0);
	note_pointer(list, stmt, to, PSC_STORE_RANGE, written, 0);
	if (list->size() == first + 2)
		(*list)[first].copy = true;
}

/* __atomic_fetch_add_8, __sync_lock_test_and_set_4: the number at the end is the size in bytes. */
static bool note_atomic(psc_accesses *list, gimple *stmt, tree fndecl)
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

/* --- the C library -------------------------------------------------------------------------- */
static tree call_on(enum built_in_function function, tree string, tree limit)
{
	tree length = limit ? build_call_expr(builtin_decl_explicit(function), 2, string, limit)
		: build_call_expr(builtin_decl_explicit(function), 1, string);

	return fold_convert(uint64_type_node, length);
}

/* Bytes of a string, with its NUL: strlen() is called in front of the statement. */
static tree string_bytes(tree string)
{
	return fold_build2(PLUS_EXPR, uint64_type_node, call_on(BUILT_IN_STRLEN, string, NULL_TREE),
		build_one_cst(uint64_type_node));
}

/* Bytes that strncpy(…, string, limit) reads, with the NUL if it lies before the limit. */
static tree limited_bytes(tree string, tree limit)
{
	tree length = call_on(BUILT_IN_STRNLEN, string, limit);

	return fold_build2(MIN_EXPR, uint64_type_node, fold_convert(uint64_type_node, limit),
		fold_build2(PLUS_EXPR, uint64_type_node, length, build_one_cst(uint64_type_node)));
}

/* strcat(to, from) reads both and writes from the old end of `to`. */
static void note_strcat(psc_accesses *list, gimple *stmt)
{
	tree to = gimple_call_arg(stmt, 0), from = gimple_call_arg(stmt, 1);
	tree end = fold_build_pointer_plus(fold_convert(ptr_type_node, to),
		call_on(BUILT_IN_STRLEN, to, NULL_TREE));

	note_pointer(list, stmt, 0, PSC_LOAD_RANGE, string_bytes(to), 0);
	note_pointer(list, stmt, 1, PSC_LOAD_RANGE, string_bytes(from), 0);
	list->back().copy = true;
	list->push_back({ stmt, NULL_TREE, end, string_bytes(from), 0, PSC_STORE_RANGE });
}

/* False: no string function, or one whose accesses are unknown in advance (strcmp, memchr …). */
static bool note_string(psc_accesses *list, gimple *stmt, tree fndecl)
{
	if (!builtin_decl_explicit(BUILT_IN_STRLEN) || !builtin_decl_explicit(BUILT_IN_STRNLEN))
		return false;      /* not every front end has them */
	switch (DECL_FUNCTION_CODE(fndecl)) {
	case BUILT_IN_STRLEN:
		note_pointer(list, stmt, 0, PSC_LOAD_RANGE, string_bytes(gimple_call_arg(stmt, 0)),
			0);
		return true;
	case BUILT_IN_STRCPY:
	case BUILT_IN_STRCPY_CHK:
	case BUILT_IN_STPCPY:
	case BUILT_IN_STPCPY_CHK:
		note_copy(list, stmt, 1, string_bytes(gimple_call_arg(stmt, 1)), 0,
			string_bytes(gimple_call_arg(stmt, 1)));
		return true;
	case BUILT_IN_STRNCPY:
	case BUILT_IN_STRNCPY_CHK:
		note_copy(list, stmt, 1,
			limited_bytes(gimple_call_arg(stmt, 1), gimple_call_arg(stmt, 2)), 0,
			gimple_call_arg(stmt, 2));
		return true;
	case BUILT_IN_STRCAT:
	case BUILT_IN_STRCAT_CHK:
		note_strcat(list, stmt);
		return true;
	default:
		return false;
	}
}

/* --- atomics -------------------------------------------------------------------------------- */
/* libatomic's functions for any size.  The first argument is the size, the next n are objects in
 * memory: bit i of `loads` and `stores` is set if object i is read and written. */
static void note_general(psc_accesses *list, gimple *stmt, unsigned n, unsigned loads,
	unsigned stores)
{
	for (unsigned i = 0; i < n; i++) {
		if (loads >> i & 1)
			note_pointer(list, stmt, i + 1, PSC_LOAD_RANGE, gimple_call_arg(stmt, 0),
				0);
		if (stores >> i & 1)
			note_pointer(list, stmt, i + 1, PSC_STORE_RANGE, gimple_call_arg(stmt, 0),
				0);
	}
}

static void note_builtin(psc_accesses *list, gimple *stmt, tree fndecl)
{
	if (psc_copies_bytes(stmt)) {
		const unsigned to = psc_copies_to(stmt);

		note_copy(list, stmt, 1 - to, gimple_call_arg(stmt, 2), to,
			gimple_call_arg(stmt, 2));
		return;
	}
	switch (DECL_FUNCTION_CODE(fndecl)) {
	case BUILT_IN_MEMSET:
	case BUILT_IN_MEMSET_CHK:
		note_pointer(list, stmt, 0, PSC_STORE_RANGE, gimple_call_arg(stmt, 2), 0);
		break;
	case BUILT_IN_BZERO:
		note_pointer(list, stmt, 0, PSC_STORE_RANGE, gimple_call_arg(stmt, 1), 0);
		break;
	case BUILT_IN_MEMCMP:
	case BUILT_IN_MEMCMP_EQ:
		note_pointer(list, stmt, 0, PSC_LOAD_RANGE, gimple_call_arg(stmt, 2), 0);
		note_pointer(list, stmt, 1, PSC_LOAD_RANGE, gimple_call_arg(stmt, 2), 0);
		break;
	case BUILT_IN_ATOMIC_LOAD:
		note_general(list, stmt, 2, 1, 2);
		break;
	case BUILT_IN_ATOMIC_STORE:
		note_general(list, stmt, 2, 2, 1);
		break;
	case BUILT_IN_ATOMIC_EXCHANGE:
		note_general(list, stmt, 3, 3, 5);
		break;
	case BUILT_IN_ATOMIC_COMPARE_EXCHANGE:
		note_general(list, stmt, 3, 7, 1);
		break;
	case BUILT_IN_ATOMIC_TEST_AND_SET:
		note_pointer(list, stmt, 0, PSC_LOAD, NULL_TREE, 1);
		/* FALLTHRU */
	case BUILT_IN_ATOMIC_CLEAR:
		note_pointer(list, stmt, 0, PSC_STORE, NULL_TREE, 1);
		break;
	default:
		if (!note_string(list, stmt, fndecl))
			note_atomic(list, stmt, fndecl);
	}
}

/* How many bytes IFN_ATOMIC_… accesses: encoded in the flag argument, or the size of a type. */
static unsigned atomic_size(gcall *call)
{
	switch (gimple_call_internal_fn(call)) {
	case IFN_ATOMIC_COMPARE_EXCHANGE:
		return tree_to_uhwi(gimple_call_arg(call, 3)) & 255;
	case IFN_ATOMIC_BIT_TEST_AND_SET:
	case IFN_ATOMIC_BIT_TEST_AND_COMPLEMENT:
	case IFN_ATOMIC_BIT_TEST_AND_RESET:
		return tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(gimple_call_arg(call, 2))));
	default:
		return 0;
	}
}

static void note_internal(psc_accesses *list, gcall *call)
{
	const char *name = internal_fn_name(gimple_call_internal_fn(call));
	unsigned size = atomic_size(call), pointer = 0;

	if (psc_vector_internal(list, call))
		return;
	/* IFN_ATOMIC_ADD_FETCH_CMP_0 (comparison, pointer, operand) and its like: GCC 12. */
	if (startswith(name, "ATOMIC_") && strstr(name, "_FETCH_CMP_0")) {
		size = tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(gimple_call_arg(call, 0))));
		pointer = 1;
	}
	if (size == 0)
		return;
	note_pointer(list, call, pointer, PSC_LOAD, NULL_TREE, size);
	note_pointer(list, call, pointer, PSC_STORE, NULL_TREE, size);
}

/* A block that is passed by value is copied to the stack, where is not known. */
static void note_passed(psc_accesses *list, gcall *call, size_t before)
{
	tree length = list->size() == before + 1 ? list->back().length : NULL_TREE;

	if (!length || compare_tree_int(length, PSC_COPY_LEAST) < 0)
		return;
	list->back().copy = true;
	list->push_back({ call, NULL_TREE, null_pointer_node, length, 0, PSC_STORE_RANGE });
}

/* An aggregate that is passed by value is read. */
static void note_arguments(psc_accesses *list, gcall *call)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i);
		size_t before = list->size();

		if (TREE_CODE(arg) != SSA_NAME && !is_gimple_min_invariant(arg) &&
		    TREE_CODE(arg) != WITH_SIZE_EXPR) {
			note(call, arg, list, false);
			note_passed(list, call, before);
		}
	}
}

static void note_call(psc_accesses *list, gcall *call)
{
	tree lhs = gimple_call_lhs(call), fndecl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		note_internal(list, call);
	else if (psc_is_lock_call(fndecl))
		psc_lock_accesses(list, call);
	else if (gimple_call_builtin_p(call, BUILT_IN_NORMAL))
		note_builtin(list, call, fndecl);
	/* arguments may mismatch: GCC 14 */
	else if (fndecl && fndecl_built_in_p(fndecl, BUILT_IN_MD))
		psc_vector_builtin(list, call, IDENTIFIER_POINTER(DECL_NAME(fndecl)));
	note_arguments(list, call);
	/* With return slot optimisation the callee writes the result in place; else the caller
	 * copies it. */
	if (lhs && !is_gimple_reg(lhs) && !(gimple_call_return_slot_opt_p(call) &&
	    aggregate_value_p(lhs, gimple_call_fntype(call))))
		note(call, lhs, list, true);
}

/* An assignment of aggregates is a copy; GCC visits the store before the load. */
static void note_assignment(psc_accesses *list, gimple *stmt)
{
	size_t first = list->size();

	walk_stmt_load_store_ops(stmt, list, note_load, note_store);
	if (list->size() != first + 2 || !gimple_assign_single_p(stmt))
		return;
	psc_access &a = (*list)[first], &b = (*list)[first + 1];
	if (a.kind != b.kind && (a.kind == PSC_STORE || a.kind == PSC_STORE_RANGE))
		std::swap(a, b);
	a.copy = a.kind == PSC_LOAD_RANGE && b.kind == PSC_STORE_RANGE;
}

void psc_accesses_of(psc_accesses *list, gimple *stmt)
{
	if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_RETURN)
		return;
	if (gcall *call = dyn_cast<gcall *>(stmt))
		note_call(list, call);
	else
		note_assignment(list, stmt);
}

/* A function of the compiler's libraries that calls no function of the program.  libgfortran calls
 * some for defined input/output of derived types, libgomp runs tasks where threads wait. */
static bool never_calls_back(tree fndecl)
{
	const char *name = fndecl && DECL_NAME(fndecl) && DECL_EXTERNAL(fndecl) ?
		IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	/* Another thread works while this one waits for a lock: such a call ends a segment. */
	return (startswith(name, "_gfortran_") && !strstr(name, "derived")) ||
		startswith(name, "omp_get_") || (startswith(name, "omp_set_") &&
		!psc_is_lock_call(fndecl));
}

bool psc_may_record(gimple *stmt)
{
	gcall *call = dyn_cast<gcall *>(stmt);
	tree fndecl = call ? gimple_call_fndecl(call) : NULL_TREE;

	if (!call || gimple_call_internal_p(call))
		return false;
	switch (psc_runtime_which(stmt)) {
	case FN_BIND:
	case FN_BIND_ALL:
	case FN_BIND_DESCRIPTOR:
	case FN_MARKED:
	case FN_DEEP:
		return false;
	default:
		break;
	}
	if (never_calls_back(fndecl))
		return false;
	/* GCC declares libgomp's waits and barriers as leaf functions, but they execute tasks. */
	return !fndecl || !fndecl_built_in_p(fndecl) || !(gimple_call_flags(call) & ECF_LEAF) ||
		strstr(IDENTIFIER_POINTER(DECL_NAME(fndecl)), "GOMP_");
}

static const char *name_of(tree fndecl)
{
	return DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";
}

/* MPI's are often declared outside of system headers. */
static bool is_of_mpi(tree fndecl)
{
	const char *name = name_of(fndecl);

	return DECL_EXTERNAL(fndecl) && (startswith(name, "MPI_") || startswith(name, "mpi_"));
}

/* Library functions to which addresses are passed that they do not read from, often called. */
static bool never_reads(tree fndecl)
{
	const char *name = name_of(fndecl);

	return DECL_IS_OPERATOR_DELETE_P(fndecl) || fndecl_built_in_p(fndecl, BUILT_IN_FREE) ||
		psc_is_lock_call(fndecl) || startswith(name, "pthread_barrier_") ||
		startswith(name, "_gfortran_random_") || startswith(name, "_gfortran_st_");
}

static bool is_literal(tree pointer)
{
	tree base = TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0)) :
		NULL_TREE;

	return base && TREE_CODE(base) == STRING_CST;
}

bool psc_library_reads(gimple *stmt)
{
	gcall *call = dyn_cast<gcall *>(stmt);
	tree fndecl = call && !gimple_call_internal_p(call) ? gimple_call_fndecl(call) : NULL_TREE;

	if (!fndecl || psc_runtime_which(stmt) != FN_COUNT || never_reads(fndecl) ||
	    !(is_of_mpi(fndecl) || psc_operation_of(stmt).unknown))
		return false;
	/* Other ranks read windows until they are synchronised: handles are often numbers. */
	if (is_of_mpi(fndecl) && strncasecmp(name_of(fndecl), "MPI_Win_", 8) == 0)
		return true;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i);

		if (POINTER_TYPE_P(TREE_TYPE(arg)) && !integer_zerop(arg) && !is_literal(arg))
			return true;
	}
	return false;
}

bool psc_may_be_own(gimple *stmt)
{
	tree fndecl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	if (!fndecl || !fndecl_built_in_p(fndecl, BUILT_IN_NORMAL))
		return false;
	if (psc_copies_bytes(stmt) || psc_sets_bytes(stmt))
		return true;
	switch (DECL_FUNCTION_CODE(fndecl)) {
	case BUILT_IN_BCMP:
	case BUILT_IN_BZERO:
	case BUILT_IN_MEMCHR:
	case BUILT_IN_MEMCMP:
	case BUILT_IN_MEMCMP_EQ:
	case BUILT_IN_STPCPY:
	case BUILT_IN_STPCPY_CHK:
	case BUILT_IN_STPNCPY:
	case BUILT_IN_STPNCPY_CHK:
	case BUILT_IN_STRCAT:
	case BUILT_IN_STRCAT_CHK:
	case BUILT_IN_STRCHR:
	case BUILT_IN_STRCMP:
	case BUILT_IN_STRCPY:
	case BUILT_IN_STRCPY_CHK:
	case BUILT_IN_STRLEN:
	case BUILT_IN_STRNCAT:
	case BUILT_IN_STRNCAT_CHK:
	case BUILT_IN_STRNCMP:
	case BUILT_IN_STRNCPY:
	case BUILT_IN_STRNCPY_CHK:
	case BUILT_IN_STRNLEN:
	case BUILT_IN_STRRCHR:
	case BUILT_IN_STRSTR:
	case BUILT_IN_ALIGNED_ALLOC:
	case BUILT_IN_CALLOC:
	case BUILT_IN_FREE:
	case BUILT_IN_MALLOC:
	case BUILT_IN_REALLOC:
		return true;
	default:
		return false;
	}
}
