/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the monitor where the large local variables of a function lie (part of pass psc_memory):
 *     { double a[1000]; … }  ->  { double a[1000]; __psc_allocated(&site_a, &a, 1, 8000);
 *                                  try { … } finally { __psc_released(&a); } }
 * The hooks have no virtual operands: a variable does not escape by being passed to them. */
#include "instrument/pscplugin.h"

/* Bytes; smaller variables, and registers, are temporaries. */
#define LARGE 4096

struct locals {
	std::vector<gbind *> binds;
	std::set<tree> used;            /* mentioned outside of clobbers */
	std::set<tree> private_copies;  /* the variable itself may have no memory */
};

static bool is_private(tree clause)
{
	switch (OMP_CLAUSE_CODE(clause)) {
	case OMP_CLAUSE_PRIVATE:
	case OMP_CLAUSE_FIRSTPRIVATE:
	case OMP_CLAUSE_LASTPRIVATE:
	case OMP_CLAUSE_REDUCTION:
	case OMP_CLAUSE_LINEAR:
		return true;
	default:
		return false;
	}
}

static tree note_operand(tree *tp, int *subtrees, void *data)
{
	struct walk_stmt_info *wi = static_cast<struct walk_stmt_info *>(data);
	struct locals *l = static_cast<struct locals *>(wi->info);

	if (TREE_CODE(*tp) == OMP_CLAUSE && is_private(*tp))
		l->private_copies.insert(OMP_CLAUSE_DECL(*tp));
	else if (VAR_P(*tp))
		l->used.insert(*tp);
	if (TYPE_P(*tp))
		*subtrees = 0;
	return NULL_TREE;
}

static tree note_stmt(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	struct locals *l = static_cast<struct locals *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);
	gomp_for *loop = dyn_cast<gomp_for *>(stmt);

	/* No hooks in code for other devices, nor in simd loops. */
	*handled = gimple_clobber_p(stmt) || gimple_code(stmt) == GIMPLE_OMP_TARGET ||
		(loop && gimple_omp_for_kind(loop) == GF_OMP_FOR_KIND_SIMD);
	if (gbind *bind = dyn_cast<gbind *>(stmt))
		l->binds.push_back(bind);
	return NULL_TREE;
}

static bool is_large(const struct locals &l, tree var)
{
	tree size = VAR_P(var) ? DECL_SIZE_UNIT(var) : NULL_TREE;

	return size && tree_fits_uhwi_p(size) && tree_to_uhwi(size) >= LARGE &&
		!is_global_var(var) && !DECL_HARD_REGISTER(var) && !DECL_HAS_VALUE_EXPR_P(var) &&
		DECL_NAME(var) && !DECL_ARTIFICIAL(var) && AGGREGATE_TYPE_P(TREE_TYPE(var)) &&
		l.used.count(var) && !l.private_copies.count(var);
}

static gcall *hook(enum psc_function which, tree var, tree a, tree b = NULL_TREE)
{
	tree address = build_fold_addr_expr(var);
	gcall *call = which == FN_RELEASED ? gimple_build_call(psc_runtime_function(which), 1,
		address) :
		gimple_build_call(psc_runtime_function(which), 4, a, address,
			build_one_cst(uint64_type_node), b);

	gimple_set_location(call, DECL_SOURCE_LOCATION(var));
	return call;
}

static tree site_of(tree var, unsigned region)
{
	struct psc_place place = psc_place_of(DECL_SOURCE_LOCATION(var));
	tree one = TYPE_SIZE_UNIT(psc_element(TREE_TYPE(var)));
	struct psc_site_entry site = { IDENTIFIER_POINTER(DECL_NAME(var)),
		region == PSC_NO_REGION ? psc_function_name(current_function_decl) :
		psc.regions[region].name, place.file, NULL_TREE, region, place.line,
		one && tree_fits_uhwi_p(one) ? (unsigned)tree_to_uhwi(one) : 0, PSC_SITE_LOCAL };

	return psc_site_make(site);
}

/* The sequence inside of the markers and of the clobbers that end the variables: the innermost one
 * to which only hooks and the begin of a try lead. */
static gimple_seq *innermost(gimple_seq *seq)
{
	gimple_stmt_iterator i = gsi_start(*seq);

	while (!gsi_end_p(i) && is_gimple_call(gsi_stmt(i)) &&
			psc_runtime_which(gsi_stmt(i)) != FN_COUNT)
		gsi_next(&i);
	if (gsi_end_p(i) || !gsi_one_before_end_p(i) || gimple_code(gsi_stmt(i)) != GIMPLE_TRY ||
	    gimple_try_kind(gsi_stmt(i)) != GIMPLE_TRY_FINALLY)
		return seq;
	return innermost(gimple_try_eval_ptr(gsi_stmt(i)));
}

static void add_hooks(const struct locals &l, gbind *bind, unsigned region)
{
	gimple_seq begin = NULL, end = NULL, *seq;

	for (tree var = gimple_bind_vars(bind); var; var = DECL_CHAIN(var)) {
		if (!is_large(l, var))
			continue;
		TREE_ADDRESSABLE(var) = 1;
		gimple_seq_add_stmt(&begin, hook(FN_ALLOCATED, var, site_of(var, region),
			fold_convert(uint64_type_node, DECL_SIZE_UNIT(var))));
		gimple_seq_add_stmt(&end, hook(FN_RELEASED, var, NULL_TREE));
	}
	if (!begin)
		return;
	seq = innermost(gimple_bind_body_ptr(bind));
	gimple_seq_add_stmt(&begin, gimple_build_try(*seq, end, GIMPLE_TRY_FINALLY));
	*seq = begin;
}

/* Not in functions that call themselves: their tail calls could not be jumps any more. */
void psc_local_arrays(gimple_seq body, unsigned region)
{
	struct walk_stmt_info wi;
	struct locals l;

	if (psc.recursive.count(DECL_UID(current_function_decl)))
		return;
	memset(&wi, 0, sizeof wi);
	wi.info = &l;
	walk_gimple_seq(body, note_stmt, note_operand, &wi);
	for (gbind *bind : l.binds)
		add_hooks(l, bind, region);
}
