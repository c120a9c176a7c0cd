/* SPDX-License-Identifier: BSD-3-Clause */
/* What a statement costs a common out-of-order x86-64 core whose data is in the first cache level:
 * units and latency.  The figures are those of Intel's cores since 2021 and AMD's since Zen 3, as
 * their makers' optimisation guides give them, rounded; a GIMPLE statement
 * counts as an instruction. */
#include "instrument/pscplugin.h"
#include <cmath>

enum {
	LOAD_CYCLES = 4, FLOAT_CYCLES = 4, ADD_CYCLES = 3, MULTIPLY_CYCLES = 3, SHUFFLE_CYCLES = 3,
	DIVIDE_CYCLES = 14, INTEGER_DIVIDE_CYCLES = 15, ROOT_CYCLES = 18, CALL_CYCLES = 5,
	ATOMIC_CYCLES = 8,      /* Zen 3; cores of Intel take twice as long */
	/* How long a divider is busy: with a vector of 16 bytes; with integers. */
	DIVIDER_CYCLES = 4, INTEGER_DIVIDER_CYCLES = 6, ROOT_DIVIDER_CYCLES = 6,
	VECTOR_BYTES = 16,
	/* A block copy that the compiler expands; what the library's
	 * needs, and its bytes a cycle. */
	SMALL_COPY = 128, COPY_CYCLES = 12, COPY_BYTES = 32
};

/* --- library functions ------------------------------------------------------------------------ */
/* Cycles of glibc 2.36 on a core of 2023 at about 3.2 GHz: of dependent calls, and of independent
 * ones, with arguments between 0.1 and 10.  Functions not listed have a cost that is not known. */
static const struct library_function {
	const char *name;
	unsigned latency, throughput;
} library_functions[] = {
	{ "acos", 52, 25 }, { "asin", 50, 27 }, { "atan", 52, 29 }, { "atan2", 76, 58 },
	{ "cbrt", 88, 45 }, { "ceil", 8, 7 }, { "cos", 40, 30 }, { "cosh", 50, 24 },
	{ "erf", 40, 40 }, { "exp", 32, 20 }, { "exp2", 30, 16 }, { "expm1", 66, 28 },
	{ "floor", 8, 7 }, { "hypot", 62, 21 }, { "lgamma", 68, 33 }, { "log", 44, 15 },
	{ "log10", 64, 25 }, { "log1p", 76, 24 }, { "log2", 42, 16 }, { "nearbyint", 8, 5 },
	{ "pow", 88, 40 }, { "rint", 8, 5 }, { "round", 14, 14 }, { "sin", 42, 30 },
	{ "sincos", 55, 43 }, { "sinh", 90, 50 }, { "tan", 57, 38 }, { "tanh", 120, 50 },
	{ "tgamma", 150, 150 }, { "trunc", 8, 6 },
	{ "cosf", 30, 13 }, { "expf", 30, 12 }, { "logf", 30, 12 }, { "powf", 64, 20 },
	{ "sinf", 30, 16 },
};

static const char *plain_name(tree fndecl)
{
	const char *name = DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	return startswith(name, "__builtin_") ? name + strlen("__builtin_") : name;
}

static bool is_named(const struct library_function &f, const char *name)
{
	size_t n = strlen(f.name);

	/* The single-precision form costs as much at most. */
	return strncmp(f.name, name, n) == 0 && (!name[n] || strcmp(name + n, "f") == 0);
}

static const struct library_function *library_function_of(tree fndecl)
{
	const char *name = plain_name(fndecl);
	const struct library_function *found = NULL;

	if (!fndecl_built_in_p(fndecl, BUILT_IN_NORMAL))
		return NULL;
	for (auto &f : library_functions)
		if (is_named(f, name) && (!found || strlen(f.name) > strlen(found->name)))
			found = &f;
	return found;
}

const char *psc_math_function(tree fndecl)
{
	enum { LONG = 20 };     /* cycles: shorter ones round */
	const struct library_function *f = library_function_of(fndecl);

	return f && f->latency >= LONG ? plain_name(fndecl) : NULL;
}

/* A function of a library, which is not instrumented: its time is not in the records.  One that is
 * declared outside of system headers may be in another unit of the program.  Functions that wait,
 * or call functions of the program, are those of OpenMP's library. */
bool psc_is_library_function(tree fndecl)
{
	cgraph_node *node = cgraph_node::get(fndecl);
	const char *name = plain_name(fndecl);

	if ((node && node->definition) || startswith(name, "GOMP_") || startswith(name, "omp_"))
		return false;
	return fndecl_built_in_p(fndecl) || startswith(name, "_gfortran_") ||
		in_system_header_at(DECL_SOURCE_LOCATION(fndecl));
}

/* --- calls ------------------------------------------------------------------------------------ */
static bool is_float(tree type)
{
	return FLOAT_TYPE_P(type) || (VECTOR_TYPE_P(type) && FLOAT_TYPE_P(TREE_TYPE(type)));
}

static double bytes_of(tree type)
{
	tree size = TYPE_SIZE_UNIT(type);

	return size && tree_fits_uhwi_p(size) ? (double)tree_to_uhwi(size) : (double)VECTOR_BYTES;
}

static double vectors_of(tree type)
{
	return std::max(1.0, std::ceil(bytes_of(type) / VECTOR_BYTES));
}

/* What copies of blocks of PSC_COPY_LEAST bytes or more move is counted when they are made. */
static void copy_inline(struct psc_operation *op, double bytes, bool loads, bool stores)
{
	bool block = loads && stores && bytes >= PSC_COPY_LEAST;
	double moves = block ? 1 : std::max(1.0, std::ceil(bytes / VECTOR_BYTES));

	op->loads = loads ? moves : 0;
	op->stores = stores ? moves : 0;
	op->statements = op->loads + op->stores;
	op->latency = loads ? (unsigned)LOAD_CYCLES : 1;
}

static void call_library(struct psc_operation *op, unsigned latency, double cycles)
{
	op->called = cycles;
	op->statements = PSC_CALLED_STATEMENTS * cycles;
	op->latency = latency;
}

/* A call of memcpy() and the like; of an unknown length only what does not depend on it. */
static void cost_of_copy(struct psc_operation *op, tree length, bool loads)
{
	double bytes = tree_fits_uhwi_p(length) ? tree_to_uhwi(length) : 0;

	if (tree_fits_uhwi_p(length) && bytes <= SMALL_COPY)
		copy_inline(op, bytes, loads, true);
	else
		call_library(op, COPY_CYCLES, COPY_CYCLES + (loads ? 0 : bytes / COPY_BYTES));
}

static bool is_copy(gcall *call, tree *length, bool *loads)
{
	if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL) || gimple_call_num_args(call) < 3)
		return false;
	*length = gimple_call_arg(call, 2);
	*loads = psc_copies_bytes(call);
	return *loads || psc_sets_bytes(call);
}

static bool is_root(gcall *call)
{
	if (gimple_call_internal_p(call))
		return gimple_call_internal_fn(call) == IFN_SQRT;
	return gimple_call_builtin_p(call, BUILT_IN_NORMAL) &&
		startswith(plain_name(gimple_call_fndecl(call)), "sqrt");
}

/* A function that the compiler expands: an instruction, or one for each lane that it accesses. */
static void cost_of_expanded(struct psc_operation *op, gcall *call)
{
	tree lhs = gimple_call_lhs(call);
	psc_accesses list;

	psc_accesses_of(&list, call);
	for (auto &access : list)
		++*(access.kind & 1 ? &op->stores : &op->loads);
	if (!lhs && list.empty())
		return;                /* a note for the compiler */
	op->statements = std::max(1.0, (double)list.size());
	op->latency = op->loads ? (unsigned)LOAD_CYCLES : 1;
	if (!op->loads && lhs && is_float(TREE_TYPE(lhs))) {
		op->floats = 1;
		op->latency = FLOAT_CYCLES;
	}
}

static bool is_expanded(gcall *call)
{
	tree fndecl = gimple_call_fndecl(call);

	return gimple_call_internal_p(call) || (fndecl && fndecl_built_in_p(fndecl, BUILT_IN_MD)) ||
		(fndecl && fndecl_built_in_p(fndecl, BUILT_IN_NORMAL) &&
		 (gimple_inexpensive_call_p(call) || replacement_internal_fn(call) != IFN_LAST));
}

/* An instruction with a lock prefix: nothing behind it begins before it ends. */
static bool is_locked(tree fndecl)
{
	const char *name = plain_name(fndecl);

	return fndecl_built_in_p(fndecl, BUILT_IN_NORMAL) &&
		(startswith(name, "__sync_") || startswith(name, "__atomic_")) &&
		!startswith(name, "__atomic_load") && !startswith(name, "__atomic_store") &&
		!startswith(name, "__atomic_is_lock") && !startswith(name, "__atomic_always_lock");
}

static void cost_of_call(struct psc_operation *op, gcall *call)
{
	tree fndecl = gimple_call_fndecl(call), length;
	const struct library_function *library;
	bool loads;

	if (psc_runtime_which(call) != FN_COUNT)
		return;
	library = fndecl ? library_function_of(fndecl) : NULL;
	if (is_root(call)) {
		double vectors = gimple_call_lhs(call) ?
			vectors_of(TREE_TYPE(gimple_call_lhs(call))) : 1;

		op->statements = op->floats = 1;
		op->divider = ROOT_DIVIDER_CYCLES * vectors;
		op->latency = ROOT_CYCLES;
	} else if (is_copy(call, &length, &loads)) {
		cost_of_copy(op, length, loads);
	} else if (fndecl && is_locked(fndecl)) {
		call_library(op, ATOMIC_CYCLES, ATOMIC_CYCLES);
	} else if (psc_is_lock_call(fndecl)) {
		call_library(op, psc_lock_cycles(fndecl), psc_lock_cycles(fndecl));
	} else if (library && !is_expanded(call)) {
		call_library(op, library->latency, library->throughput);
	} else if (is_expanded(call)) {
		cost_of_expanded(op, call);
	} else {
		op->statements = 1 + gimple_call_num_args(call);
		op->latency = CALL_CYCLES;
		op->unknown = fndecl && psc_is_library_function(fndecl) &&
			!(gimple_call_flags(call) & ECF_NORETURN);
	}
}

/* --- assignments ------------------------------------------------------------------------------ */
static bool is_division(enum tree_code code)
{
	switch (code) {
	case TRUNC_DIV_EXPR:
	case CEIL_DIV_EXPR:
	case FLOOR_DIV_EXPR:
	case ROUND_DIV_EXPR:
	case EXACT_DIV_EXPR:
	case TRUNC_MOD_EXPR:
	case CEIL_MOD_EXPR:
	case FLOOR_MOD_EXPR:
	case ROUND_MOD_EXPR:
		return true;
	default:
		return false;
	}
}

/* Conversions that are no instruction: between integers and pointers, or of the same bits. */
static bool is_free(gimple *stmt)
{
	enum tree_code code = gimple_assign_rhs_code(stmt);
	tree to = TREE_TYPE(gimple_assign_lhs(stmt));

	if (code == SSA_NAME || code == PAREN_EXPR || code == VIEW_CONVERT_EXPR)
		return true;
	return CONVERT_EXPR_CODE_P(code) && !is_float(to) &&
		!is_float(TREE_TYPE(gimple_assign_rhs1(stmt)));
}

/* A division by a constant is a multiplication and shifts. */
static void cost_of_division(struct psc_operation *op, gimple *stmt)
{
	if (is_gimple_min_invariant(gimple_assign_rhs2(stmt))) {
		op->statements = integer_pow2p(gimple_assign_rhs2(stmt)) ? 1 : 3;
		op->latency = op->statements == 1 ? 1u : MULTIPLY_CYCLES + 2u;
		return;
	}
	op->latency = INTEGER_DIVIDE_CYCLES;
	op->divider = INTEGER_DIVIDER_CYCLES;
}

static void cost_of_float(struct psc_operation *op, gimple *stmt, tree type)
{
	switch (gimple_assign_rhs_code(stmt)) {
	case RDIV_EXPR:
		op->latency = DIVIDE_CYCLES;
		op->divider = DIVIDER_CYCLES * vectors_of(type);
		break;
	case NEGATE_EXPR:
	case ABS_EXPR:
	case COND_EXPR:
	case VEC_COND_EXPR:
		op->latency = 1;
		break;
	case CONSTRUCTOR:
	case VEC_PERM_EXPR:
	case BIT_FIELD_REF:
	case BIT_INSERT_EXPR:
		op->latency = SHUFFLE_CYCLES;
		break;
	case PLUS_EXPR:
	case MINUS_EXPR:
		op->floats = 1;
		op->latency = ADD_CYCLES;
		break;
	default:
		op->floats = 1;
		op->latency = FLOAT_CYCLES;
	}
}

static void cost_of_operation(struct psc_operation *op, gimple *stmt)
{
	enum tree_code code = gimple_assign_rhs_code(stmt);
	tree type = TREE_TYPE(gimple_assign_lhs(stmt));

	if (is_free(stmt))
		return;
	op->statements = op->latency = 1;
	if (is_division(code))
		cost_of_division(op, stmt);
	else if (is_float(type) || is_float(TREE_TYPE(gimple_assign_rhs1(stmt))))
		cost_of_float(op, stmt, type);
	else if (code == MULT_EXPR || code == MULT_HIGHPART_EXPR || code == WIDEN_MULT_EXPR)
		op->latency = MULTIPLY_CYCLES;
}

static void cost_of_assignment(struct psc_operation *op, gimple *stmt)
{
	bool loads = gimple_assign_load_p(stmt), stores = gimple_store_p(stmt);
	tree type = TREE_TYPE(gimple_assign_lhs(stmt));

	if (gimple_clobber_p(stmt))
		return;
	if (loads || stores)
		copy_inline(op, is_gimple_reg_type(type) ? 0 : bytes_of(type), loads, stores);
	else
		cost_of_operation(op, stmt);
}

struct psc_operation psc_operation_of(gimple *stmt)
{
	struct psc_operation op;

	switch (gimple_code(stmt)) {
	case GIMPLE_ASSIGN:
		cost_of_assignment(&op, stmt);
		break;
	case GIMPLE_CALL:
		cost_of_call(&op, as_a<gcall *>(stmt));
		break;
	case GIMPLE_COND:
	case GIMPLE_SWITCH:
	case GIMPLE_RETURN:
	case GIMPLE_ASM:
		op.statements = op.latency = 1;
		break;
	default:
		break;             /* labels, debug statements, predictions */
	}
	return op;
}
