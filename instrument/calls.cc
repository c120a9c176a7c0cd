/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions and calls deserve markers.  A marker costs nanoseconds and stops the
 * optimisers at it: nothing may be put into an innermost loop for a function that does next to
 * nothing, else C++ accessors would lose inlining and vectorisation. */
#include "instrument/pscplugin.h"

static bool has_prefix(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (startswith(name, *prefixes))
			return true;
	return false;
}

/* Run-time internals: what the compiler itself calls. */
bool psc_function_internal(tree fndecl)
{
	static const char *const prefixes[] = {
		"_gfortran_", "__cxa_", "__gxx_", "GOMP_", "GOACC_", "omp_", "_Unwind_", "__builtin_",
		"__psc_", "psc_object_", "__ubsan_", "__asan_", "__tsan_", "__sanitizer_", "__gcov_", NULL
	};

	if (fndecl_built_in_p(fndecl))
		return true;
	if (DECL_IS_OPERATOR_NEW_P(fndecl) || DECL_IS_OPERATOR_DELETE_P(fndecl))
		return true;
	return DECL_NAME(fndecl) && (has_prefix(IDENTIFIER_POINTER(DECL_NAME(fndecl)), prefixes) ||
		(DECL_ASSEMBLER_NAME_SET_P(fndecl) &&
		 has_prefix(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fndecl)), prefixes)));
}

bool psc_function_wanted(tree fndecl)
{
	static const char *const hidden[] = { "__copy_", "__final_", "__deallocate_", "__def_", NULL };
	const char *name = DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	if (in_system_header_at(DECL_SOURCE_LOCATION(fndecl)))
		return false;
	if (DECL_STATIC_CONSTRUCTOR(fndecl) && DECL_ARTIFICIAL(fndecl))
		return false;
	if (psc_is_fortran())   /* its main() only calls MAIN__ */
		return strcmp(name, "main") != 0 && !has_prefix(name, hidden);
	return !DECL_ARTIFICIAL(fndecl) &&
		!lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(fndecl)) &&
		!lookup_attribute("naked", DECL_ATTRIBUTES(fndecl));
}

/* --- triviality: no loop, no construct, no call that is not trivial itself ------------------ */
struct survey {
	std::set<tree> labels;   /* met so far: a jump to one of them is a loop */
	bool loop;
	bool construct;
	bool call;
};

static void survey_call(struct survey *sv, tree fndecl)
{
	if (!fndecl)
		sv->call = true;
	else if (!psc_function_internal(fndecl) && !psc_function_trivial(fndecl))
		sv->call = true;
}

static void survey_jump(struct survey *sv, tree label)
{
	if (label && sv->labels.count(label))
		sv->loop = true;
}

static tree survey_tree(tree *tp, int *, void *data)
{
	struct survey *sv = static_cast<struct survey *>(data);
	enum tree_code code = TREE_CODE(*tp);

	if (code == LOOP_EXPR || code >= LAST_AND_UNUSED_TREE_CODE)
		sv->loop |= code == LOOP_EXPR || strstr(get_tree_code_name(code), "for_stmt") ||
			strstr(get_tree_code_name(code), "while_stmt") ||
			strstr(get_tree_code_name(code), "do_stmt");
	else if (code >= OMP_PARALLEL && code <= OMP_CRITICAL)
		sv->construct = true;
	else if (code == LABEL_EXPR)
		sv->labels.insert(LABEL_EXPR_LABEL(*tp));
	else if (code == GOTO_EXPR)
		survey_jump(sv, GOTO_DESTINATION(*tp));
	else if (code == CALL_EXPR && CALL_EXPR_FN(*tp))    /* NULL: an internal function */
		survey_call(sv, get_callee_fndecl(*tp));
	return NULL_TREE;
}

static tree survey_stmt(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	struct survey *sv = static_cast<struct survey *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);

	*handled = false;
	if (is_gimple_omp(stmt))
		sv->construct = true;
	else if (glabel *label = dyn_cast<glabel *>(stmt))
		sv->labels.insert(gimple_label_label(label));
	else if (ggoto *jump = dyn_cast<ggoto *>(stmt))
		survey_jump(sv, gimple_goto_dest(jump));
	else if (gcond *cond = dyn_cast<gcond *>(stmt)) {
		survey_jump(sv, gimple_cond_true_label(cond));
		survey_jump(sv, gimple_cond_false_label(cond));
	} else if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt)) {
		survey_call(sv, gimple_call_fndecl(stmt));
	}
	return NULL_TREE;
}

bool psc_function_trivial(tree fndecl)
{
	struct survey sv = { {}, false, false, false };
	unsigned uid = DECL_UID(fndecl);
	struct walk_stmt_info wi;
	bool trivial, library;

	/* A container's inline member without a loop is taken for cheap, whatever it calls. */
	library = in_system_header_at(DECL_SOURCE_LOCATION(fndecl)) &&
		(DECL_DECLARED_INLINE_P(fndecl) || DECL_ARTIFICIAL(fndecl));
	auto known = psc.trivial.find(uid);
	if (known != psc.trivial.end())
		return known->second;
	if (lookup_attribute("omp declare simd", DECL_ATTRIBUTES(fndecl)) ||
	    lookup_attribute("simd", DECL_ATTRIBUTES(fndecl)))
		return psc.trivial[uid] = true;
	psc.trivial[uid] = false;    /* while we look: recursion is not trivial */
	if (gimple_body(fndecl)) {
		memset(&wi, 0, sizeof wi);
		wi.info = &sv;
		gimple_seq body = gimple_body(fndecl);
		walk_gimple_seq(body, survey_stmt, NULL, &wi);
	} else if (DECL_SAVED_TREE(fndecl)) {
		walk_tree_without_duplicates(&DECL_SAVED_TREE(fndecl), survey_tree, &sv);
	} else {
		psc.trivial.erase(uid);      /* a body may come yet */
		return library;
	}
	trivial = !sv.loop && !sv.construct && (!sv.call || library);
	return psc.trivial[uid] = trivial;
}

bool psc_function_waits(tree fndecl)
{
	const char *name = fndecl && DECL_NAME(fndecl) && TREE_PUBLIC(fndecl) &&
		DECL_EXTERNAL(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	for (const char *known : { "sched_yield", "pthread_yield", "thrd_yield", "usleep" })
		if (strcmp(name, known) == 0)
			return true;
	return false;
}

enum psc_call psc_call_class(gcall *call)
{
	tree fndecl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return CALL_NONE;
	if (!fndecl)
		return CALL_MARKED;
	if (fndecl_built_in_p(fndecl, BUILT_IN_GOMP_BARRIER))
		return CALL_BARRIER;
	if (psc_function_internal(fndecl) || (gimple_call_flags(call) & ECF_RETURNS_TWICE))
		return CALL_NONE;
	if (!psc_function_trivial(fndecl) && !psc_function_waits(fndecl))
		return CALL_MARKED;
	return psc_function_wanted(fndecl) ? CALL_PLAIN : CALL_NONE;
}
