/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the accesses of vector instructions that touch more than one piece of memory (gathers,
 * scatters, masked loads and stores), and of x86 builtins that GCC does not describe as memory
 * references.  Each lane of a gather, scatter or masked access is an access of the element's size,
 * made if its mask is set: a masked tail accesses nothing behind the array.  Lanes that the
 * compiler knows to be active are unconditional. */
#include "instrument/pscplugin.h"

/* A vector access, lane by lane. */
struct lanes {
	tree base;           /* address of the first lane, or the base of the offsets */
	tree offsets;        /* vector; NULL_TREE: the lanes are contiguous */
	HOST_WIDE_INT scale; /* of offsets */
	tree mask;           /* vector (sign bits) or bits; NULL_TREE: all active */
	tree data;           /* type of the vector */
	unsigned size;       /* of an element in memory */
	unsigned kind;       /* PSC_LOAD, PSC_STORE */
};

static tree bits_of(tree vector, tree type, unsigned lane)
{
	unsigned HOST_WIDE_INT width = tree_to_uhwi(TYPE_SIZE(type));

	return fold_build3(BIT_FIELD_REF, type, vector, bitsize_int(width),
		bitsize_int(width * lane));
}

static unsigned lanes_in(tree type)
{
	return TYPE_VECTOR_SUBPARTS(type).to_constant();
}

static unsigned element_size(tree vector)
{
	return tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(vector)));
}

static tree active(tree mask, unsigned lane)
{
	tree type = TREE_TYPE(mask), integer, bit;

	if (VECTOR_TYPE_P(type) && VECTOR_MODE_P(TYPE_MODE(type))) {
		unsigned width = tree_to_uhwi(TYPE_SIZE(type)) / lanes_in(type);

		integer = build_nonstandard_integer_type(width, 0);
		return fold_build2(LT_EXPR, boolean_type_node, bits_of(mask, integer, lane),
			build_zero_cst(integer));
	}
	integer = build_nonstandard_integer_type(tree_to_uhwi(TYPE_SIZE(type)), 1);
	mask = VECTOR_TYPE_P(type) ? fold_build1(VIEW_CONVERT_EXPR, integer, mask)
		: fold_convert(integer, mask);
	bit = build_int_cstu(integer, HOST_WIDE_INT_1U << lane);
	return fold_build2(NE_EXPR, boolean_type_node, fold_build2(BIT_AND_EXPR, integer, mask,
		bit), build_zero_cst(integer));
}

static tree address_of(const struct lanes &v, unsigned lane)
{
	tree offset;

	if (!v.offsets)
		return fold_build_pointer_plus_hwi(v.base, (HOST_WIDE_INT)lane * v.size);
	offset = fold_convert(sizetype, bits_of(v.offsets, TREE_TYPE(TREE_TYPE(v.offsets)), lane));
	return fold_build_pointer_plus(v.base,
		fold_build2(MULT_EXPR, sizetype, offset, size_int(v.scale)));
}

static void note_lanes(psc_accesses *list, gimple *stmt, struct lanes v)
{
	unsigned n = lanes_in(v.data);

	if (v.offsets)
		n = MIN(n, lanes_in(TREE_TYPE(v.offsets)));
	v.base = fold_convert(ptr_type_node, v.base);
	for (unsigned lane = 0; lane < n; lane++) {
		tree when = v.mask ? active(v.mask, lane) : boolean_true_node;
		struct psc_access access = { stmt, NULL_TREE, address_of(v, lane), NULL_TREE,
			v.size, v.kind };

		if (integer_zerop(when))
			continue;
		if (!integer_onep(when))
			access.when = when;
		list->push_back(access);
	}
}

/* --- internal functions --------------------------------------------------------------------- */
static tree argument(gcall *call, int n)
{
	return n < 0 ? NULL_TREE : gimple_call_arg(call, n);
}

bool psc_vector_internal(psc_accesses *list, gcall *call)
{
	internal_fn fn = gimple_call_internal_fn(call);
	struct lanes v = { NULL_TREE, NULL_TREE, 1, NULL_TREE, NULL_TREE, 0, PSC_LOAD };
	tree stored = argument(call, internal_fn_stored_value_index(fn)),
		lhs = gimple_call_lhs(call);

	switch (fn) {
	case IFN_GATHER_LOAD:
	case IFN_MASK_GATHER_LOAD:
	case IFN_SCATTER_STORE:
	case IFN_MASK_SCATTER_STORE:
		v.offsets = gimple_call_arg(call, 1);
		v.scale = tree_to_shwi(gimple_call_arg(call, 2));
		break;
	case IFN_MASK_LOAD:
	case IFN_MASK_STORE:
		break;
	default:
		return false;
	}
	if (!stored && !lhs)
		return true;
	v.base = gimple_call_arg(call, 0);
	v.mask = argument(call, internal_fn_mask_index(fn));
	v.data = TREE_TYPE(stored ? stored : lhs);
	v.size = element_size(v.data);
	v.kind = stored ? PSC_STORE : PSC_LOAD;
	note_lanes(list, call, v);
	return true;
}

/* --- x86 builtins --------------------------------------------------------------------------- */
/* Positions of a masked builtin's arguments; -1: none.  data: the argument, or RESULT, of the
 * vector type. */
struct operands {
	const char *name;    /* prefix behind __builtin_ia32_ */
	const char *end;     /* suffix; "" any */
	int base, offsets, mask, data, scale;
	unsigned kind;
};
#define RESULT (-2)

static const struct operands builtins[] = {
	{ "gatherpf", "", -1, -1, -1, -1, -1, PSC_LOAD },        /* prefetches */
	{ "scatterpf", "", -1, -1, -1, -1, -1, PSC_LOAD },
	{ "gather", "", 1, 2, 3, 0, 4, PSC_LOAD },
	{ "scatter", "", 0, 2, 1, 3, 4, PSC_STORE },
	{ "maskload", "", 0, -1, 1, RESULT, -1, PSC_LOAD },
	{ "maskstore", "", 0, -1, 1, 2, -1, PSC_STORE },
	{ "maskmovdqu", "", 2, -1, 1, 0, -1, PSC_STORE },
	{ "load", "_mask", 0, -1, 2, RESULT, -1, PSC_LOAD },
	{ "load", "_maskz", 0, -1, 2, RESULT, -1, PSC_LOAD },
	{ "store", "_mask", 0, -1, 2, 1, -1, PSC_STORE },
	{ "movdqa32load", "", 0, -1, 2, RESULT, -1, PSC_LOAD },
	{ "movdqa64load", "", 0, -1, 2, RESULT, -1, PSC_LOAD },
	{ "movdqa32store", "", 0, -1, 2, 1, -1, PSC_STORE },
	{ "movdqa64store", "", 0, -1, 2, 1, -1, PSC_STORE },
	{ "pmov", "mem_mask", 0, -1, 2, 1, -1, PSC_STORE },      /* narrowed */
	{ "expandload", "", 0, -1, 2, RESULT, -1, PSC_LOAD_RANGE },
	{ "compressstore", "", 0, -1, 2, 1, -1, PSC_STORE_RANGE },
};

static const struct operands *operands_of(const char *name)
{
	const struct operands *found = NULL;

	for (auto &operands : builtins) {
		size_t n = strlen(name), end = strlen(operands.end);

		if (startswith(name, operands.name) && n >= end &&
		    !strcmp(name + n - end, operands.end) &&
		    (!found || strlen(operands.name) > strlen(found->name)))
			found = &operands;
	}
	return found;
}

static tree type_of(gcall *call, int n)
{
	tree lhs = gimple_call_lhs(call);

	if (n == RESULT)
		return lhs ? TREE_TYPE(lhs) : NULL_TREE;
	return n >= 0 && n < (int)gimple_call_num_args(call) ? TREE_TYPE(gimple_call_arg(call, n))
		: NULL_TREE;
}

/* Is argument n an address by the builtin's own type?  The argument itself may be an integer: GCC
 * 14's vectoriser passes the base of a gather as a sizetype, for which gimple_call_builtin_p()
 * fails, too. */
static bool is_address(gcall *call, int n)
{
	tree types = TYPE_ARG_TYPES(gimple_call_fntype(call));

	if (n < 0 || n >= (int)gimple_call_num_args(call))
		return false;
	while (types && n--)
		types = TREE_CHAIN(types);
	return types && POINTER_TYPE_P(TREE_VALUE(types));
}

/* Builtins that access one piece of memory: non-temporal, unaligned, half a vector, broadcast. */
static const struct contiguous {
	const char *name;    /* prefix behind __builtin_ia32_ */
	int base, data;      /* as in struct operands */
	unsigned size;       /* bytes; 0: of data's type */
	unsigned kind;
} contiguous_builtins[] = {
	{ "movntdqa", 0, RESULT, 0, PSC_LOAD },
	{ "movnt", 0, 1, 0, PSC_STORE },
	{ "lddqu", 0, RESULT, 0, PSC_LOAD },
	{ "loadh", 1, RESULT, 8, PSC_LOAD },
	{ "loadl", 1, RESULT, 8, PSC_LOAD },
	{ "storeh", 0, 1, 8, PSC_STORE },
	{ "storel", 0, 1, 8, PSC_STORE },
	{ "vbroadcastss", 0, RESULT, 4, PSC_LOAD },
	{ "vbroadcastsd", 0, RESULT, 8, PSC_LOAD },
	{ "vbroadcastf128", 0, RESULT, 16, PSC_LOAD },
};

static void note_contiguous(psc_accesses *list, gcall *call, const char *name)
{
	for (auto &w : contiguous_builtins) {
		tree type = type_of(call, w.data);

		if (!startswith(name, w.name))
			continue;
		if (type && is_address(call, w.base) && tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)))
			list->push_back({ call, NULL_TREE, gimple_call_arg(call, w.base), NULL_TREE,
				w.size ? w.size : (unsigned)tree_to_uhwi(TYPE_SIZE_UNIT(type)),
				w.kind });
		return;
	}
}

/* Compressing and expanding accesses: a range of as many elements as the mask has bits set. */
static void note_compressed(psc_accesses *list, gimple *stmt, const struct lanes &v)
{
	tree popcount = builtin_decl_explicit(BUILT_IN_POPCOUNTLL), count;

	if (!popcount)
		return;
	count = build_call_expr(popcount, 1, fold_convert(long_long_unsigned_type_node, v.mask));
	list->push_back({ stmt, NULL_TREE, v.base, fold_build2(MULT_EXPR, uint64_type_node,
		fold_convert(uint64_type_node, count), build_int_cst(uint64_type_node, v.size)), 0,
		v.kind });
}

/* Element size in memory of a narrowing store, from the last letter before the width: pmovqb128… is
 * 1. */
static unsigned narrowed_size(const char *name)
{
	char letter = name[strcspn(name, "0123456789") - 1];

	return letter == 'b' ? 1 : letter == 'w' ? 2 : 4;
}

void psc_vector_builtin(psc_accesses *list, gcall *call, const char *name)
{
	struct lanes v = { NULL_TREE, NULL_TREE, 1, NULL_TREE, NULL_TREE, 0, PSC_LOAD };
	const struct operands *operands;

	if (!startswith(name, "__builtin_ia32_"))
		return;
	name += strlen("__builtin_ia32_");
	operands = operands_of(name);
	if (!operands)
		note_contiguous(list, call, name);
	if (!operands || operands->base < 0)
		return;
	v.data = type_of(call, operands->data);
	if (!v.data || !VECTOR_TYPE_P(v.data) || !type_of(call, operands->mask) ||
	    !is_address(call, operands->base))
		return;
	v.base = gimple_call_arg(call, operands->base);
	v.mask = gimple_call_arg(call, operands->mask);
	v.size = startswith(name, "pmov") ? narrowed_size(name) : element_size(v.data);
	v.kind = operands->kind;
	if (v.kind >= PSC_LOAD_RANGE) {
		note_compressed(list, call, v);
		return;
	}
	if (operands->offsets >= 0) {
		tree scale = gimple_call_arg(call, operands->scale);

		if (!tree_fits_shwi_p(scale))
			return;
		v.offsets = gimple_call_arg(call, operands->offsets);
		v.scale = tree_to_shwi(scale);
	}
	note_lanes(list, call, v);
}
