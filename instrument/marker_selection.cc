/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which functions and calls get markers.  A marker costs nanoseconds and stops the
 * optimisers at
 * it: none may get into an innermost loop for a function that does next to nothing, else C++
 * accessors would lose inlining and vectorisation. */
#include "instrument/pscplugin.h"
#include <fnmatch.h>

static bool has_prefix(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (startswith(name, *prefixes))
			return true;
	return false;
}

/* Functions of the compiler's run-time libraries, builtins, operators new and delete, and ours. */
bool psc_function_internal(tree fndecl)
{
	static const char *const prefixes[] = {
		"_gfortran_", "__cxa_", "__gxx_", "GOMP_", "GOACC_", "omp_", "_Unwind_",
			"__builtin_",
		"__psc_", "psc_object_", "__ubsan_", "__asan_", "__tsan_", "__sanitizer_",
		"__gcov_", NULL
	};

	if (fndecl_built_in_p(fndecl))
		return true;
	if (DECL_IS_OPERATOR_NEW_P(fndecl) || DECL_IS_OPERATOR_DELETE_P(fndecl))
		return true;
	return DECL_NAME(fndecl) && (has_prefix(IDENTIFIER_POINTER(DECL_NAME(fndecl)), prefixes) ||
		(DECL_ASSEMBLER_NAME_SET_P(fndecl) &&
		 has_prefix(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fndecl)), prefixes)));
}

/* Does the pattern match the path, or the path from one of its components on? */
static bool matches_path(const char *pattern, const char *path)
{
	for (; path; path = strchr(path, '/'), path += path != NULL)
		if (fnmatch(pattern, path, 0) == 0)
			return true;
	return false;
}

static bool matches_function(const char *pattern, tree fndecl)
{
	return fnmatch(pattern, psc_function_name(fndecl).c_str(), 0) == 0 ||
		(DECL_NAME(fndecl) && fnmatch(pattern, IDENTIFIER_POINTER(DECL_NAME(fndecl)),
		0) == 0) || (DECL_ASSEMBLER_NAME_SET_P(fndecl) &&
		 fnmatch(pattern, IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fndecl)), 0) == 0);
}

bool psc_function_excluded(tree fndecl)
{
	const char *path = psc.excluded.empty() ? NULL :
		expand_location(DECL_SOURCE_LOCATION(fndecl)).file;
	tree name;

	for (auto &pattern : psc.excluded)
		if ((path && matches_path(pattern.c_str(), path)) ||
		    matches_function(pattern.c_str(), fndecl)) {
			name = get_identifier("no_instrument_function");
			if (!lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(fndecl)))
				DECL_ATTRIBUTES(fndecl) = tree_cons(name, NULL_TREE,
					DECL_ATTRIBUTES(fndecl));
			return true;
		}
	return false;
}

bool psc_function_wanted(tree fndecl)
{
	static const char *const hidden[] = { "__copy_", "__final_", "__deallocate_", "__def_",
		NULL };
	const char *name = DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	if (in_system_header_at(DECL_SOURCE_LOCATION(fndecl)) || psc_function_excluded(fndecl))
		return false;
	if (DECL_STATIC_CONSTRUCTOR(fndecl) && DECL_ARTIFICIAL(fndecl))
		return false;
	if (psc_is_fortran())   /* gfortran's main() only calls MAIN__ */
		return strcmp(name, "main") != 0 && !has_prefix(name, hidden);
	return !DECL_ARTIFICIAL(fndecl) &&
		!lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(fndecl)) &&
		!lookup_attribute("naked", DECL_ATTRIBUTES(fndecl));
}

/* --- trivial and light functions ---------------------------------------------------------------
 * Trivial: no loop, no construct, and no calls but of trivial functions.
 * Light: no loop, no construct, no call of MPI that may wait, no landing place (catch, setjmp), and
 * no driver.  A driver calls several functions that may be heavy, one after the other; a function
 * that calls itself is no driver. */
struct survey {
	std::set<tree> labels;   /* so far: a jump to one of them is a loop */
	std::set<tree> tail;     /* tail calls, as GENERIC trees */
	bool loop;
	bool construct;          /* or a call of MPI */
	bool lands;              /* control can land here from a callee: catch, setjmp */
	bool call;               /* of a function that is not trivial */
	unsigned heavy_calls;         /* calls of functions that may be heavy */
	unsigned heavy_inner_calls;   /* of these, no tail calls */
	unsigned heavy_void_calls;    /* of these, no tail calls and without a value */
};

/* The functions being surveyed, each called by the one before. */
static std::vector<unsigned> surveyed;

/* A call of a function being surveyed closes a cycle: all functions of the cycle are recursive. */
static bool note_circle(unsigned uid)
{
	auto at = std::find(surveyed.begin(), surveyed.end(), uid);

	psc.recursive.insert(at, surveyed.end());
	return at != surveyed.end();
}

/* Functions that system headers declare are no parts of the program and not heavy, except MPI's. */
static bool may_be_heavy(tree fndecl)
{
	const char *name;

	if (!fndecl)
		return true;
	if (note_circle(DECL_UID(fndecl)) || psc_function_light(fndecl) ||
	    DECL_CXX_CONSTRUCTOR_P(fndecl) || DECL_CXX_DESTRUCTOR_P(fndecl))
		return false;
	name = DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";
	return !in_system_header_at(DECL_SOURCE_LOCATION(fndecl)) ||
		strncasecmp(name, "mpi_", 4) == 0;
}

/* Functions of MPI that may wait; their call is where a report shows the wait. */
static bool waits_in_mpi(tree fndecl)
{
	const char *name = fndecl && DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	return strncasecmp(name, "mpi_", 4) == 0 && strncasecmp(name + 4, "comm_rank", 9) != 0 &&
		strncasecmp(name + 4, "comm_size", 9) != 0 &&
		strncasecmp(name + 4, "wtime", 5) != 0;
}

/* Functions of libgomp in which a thread waits; CALL_NONE for others.  A
 * taskgroup's end is a call, too. */
static enum psc_call wait_class(tree fndecl)
{
	if (fndecl_built_in_p(fndecl, BUILT_IN_GOMP_BARRIER))
		return CALL_BARRIER;
	return fndecl_built_in_p(fndecl, BUILT_IN_GOMP_TASKWAIT) ||
		fndecl_built_in_p(fndecl, BUILT_IN_GOMP_TASKGROUP_END) ? CALL_TASKWAIT : CALL_NONE;
}

static void survey_call(struct survey *sv, tree fndecl, bool tail, bool value)
{
	if (fndecl && (flags_from_decl_or_type(fndecl) & ECF_RETURNS_TWICE))
		sv->lands = true;
	if (fndecl && (wait_class(fndecl) != CALL_NONE || psc_user_function(fndecl)))
		sv->construct = true;
	if (waits_in_mpi(fndecl))
		sv->construct = true;
	if (fndecl && psc_function_internal(fndecl))
		return;
	sv->call |= !fndecl || !psc_function_trivial(fndecl);
	if (!may_be_heavy(fndecl))
		return;
	sv->heavy_calls++;
	sv->heavy_inner_calls += !tail;
	sv->heavy_void_calls += !tail && !value;
}

static void survey_jump(struct survey *sv, tree label)
{
	if (label && sv->labels.count(label))
		sv->loop = true;
}

/* The call that the statement consists of, or whose value the expression is. */
static tree call_of(tree t)
{
	for (; t; t = TREE_OPERAND(t, TREE_CODE(t) == MODIFY_EXPR || TREE_CODE(t) == INIT_EXPR ||
			TREE_CODE(t) == TARGET_EXPR ? 1 : 0))
		switch (TREE_CODE(t)) {
		case CALL_EXPR:
			return t;
		case MODIFY_EXPR:
		case INIT_EXPR:
		case TARGET_EXPR:
		case CLEANUP_POINT_EXPR:
		CASE_CONVERT:
			break;
		default:
			return NULL_TREE;
		}
	return NULL_TREE;
}

static void note_tail_calls(struct survey *sv, tree list)
{
	for (tree_stmt_iterator i = tsi_start(list); !tsi_end_p(i); tsi_next(&i)) {
		tree call = call_of(tsi_stmt(i));
		tree_stmt_iterator next = i;

		tsi_next(&next);
		if (call && (tsi_end_p(next) || TREE_CODE(tsi_stmt(next)) == RETURN_EXPR))
			sv->tail.insert(call);
	}
}

static tree survey_tree(tree *tp, int *, void *data)
{
	struct survey *sv = static_cast<struct survey *>(data);
	enum tree_code code = TREE_CODE(*tp);
	const char *name = code >= LAST_AND_UNUSED_TREE_CODE ? get_tree_code_name(code) : "";

	sv->loop |= code == LOOP_EXPR || strstr(name, "for_stmt") || strstr(name, "while_stmt") ||
		strstr(name, "do_stmt");
	sv->lands |= code == CATCH_EXPR || strstr(name, "handler");
	if (code >= OMP_PARALLEL && code <= OMP_CRITICAL)
		sv->construct = true;
	else if (code == LABEL_EXPR)
		sv->labels.insert(LABEL_EXPR_LABEL(*tp));
	else if (code == GOTO_EXPR)
		survey_jump(sv, GOTO_DESTINATION(*tp));
	else if (code == RETURN_EXPR)
		sv->tail.insert(call_of(TREE_OPERAND(*tp, 0)));
	else if (code == STATEMENT_LIST)
		note_tail_calls(sv, *tp);
	else if (code == CALL_EXPR && CALL_EXPR_FN(*tp))    /* NULL: an internal function */
		survey_call(sv, get_callee_fndecl(*tp), sv->tail.count(*tp),
			!VOID_TYPE_P(TREE_TYPE(*tp)));
	return NULL_TREE;
}

bool psc_call_is_tail(gimple_stmt_iterator i)
{
	for (gsi_next(&i); !gsi_end_p(i); gsi_next(&i))
		if (gimple_code(gsi_stmt(i)) == GIMPLE_RETURN)
			return true;
		else if (gimple_code(gsi_stmt(i)) != GIMPLE_LABEL &&
			 !gimple_clobber_p(gsi_stmt(i)) && !gimple_assign_copy_p(gsi_stmt(i)))
			return false;
	return true;
}

static tree survey_stmt(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	struct survey *sv = static_cast<struct survey *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);

	*handled = false;
	if (is_gimple_omp(stmt))
		sv->construct = true;
	else if (gimple_code(stmt) == GIMPLE_CATCH)
		sv->lands = true;
	else if (glabel *label = dyn_cast<glabel *>(stmt))
		sv->labels.insert(gimple_label_label(label));
	else if (ggoto *jump = dyn_cast<ggoto *>(stmt))
		survey_jump(sv, gimple_goto_dest(jump));
	else if (gcond *cond = dyn_cast<gcond *>(stmt)) {
		survey_jump(sv, gimple_cond_true_label(cond));
		survey_jump(sv, gimple_cond_false_label(cond));
	} else if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt)) {
		survey_call(sv, gimple_call_fndecl(stmt), psc_call_is_tail(*gsi),
			!VOID_TYPE_P(gimple_call_return_type(as_a<gcall *>(stmt))));
	}
	return NULL_TREE;
}

/* In inline functions only calls without a value count, so that expression templates are light. */
static bool is_driver(tree fndecl, const struct survey *sv)
{
	if (DECL_DECLARED_INLINE_P(fndecl) || DECL_COMDAT(fndecl))
		return sv->heavy_void_calls >= 2;
	return sv->heavy_calls >= 2 && sv->heavy_inner_calls >= 1;
}

static void survey_body(tree fndecl, struct survey *sv)
{
	struct walk_stmt_info wi;

	surveyed.push_back(DECL_UID(fndecl));
	if (gimple_body(fndecl)) {
		gimple_seq body = gimple_body(fndecl);

		memset(&wi, 0, sizeof wi);
		wi.info = sv;
		walk_gimple_seq(body, survey_stmt, NULL, &wi);
	} else {
		walk_tree_without_duplicates(&DECL_SAVED_TREE(fndecl), survey_tree, sv);
	}
	surveyed.pop_back();
}

bool psc_function_simd(tree fndecl)
{
	return lookup_attribute("omp declare simd", DECL_ATTRIBUTES(fndecl)) ||
		lookup_attribute("simd", DECL_ATTRIBUTES(fndecl));
}

bool psc_function_trivial(tree fndecl)
{
	struct survey sv = {};
	unsigned uid = DECL_UID(fndecl);
	bool library;

	/* An inline function of a system header (a container's member) counts as trivial whatever
	 * it calls, if it has no loop. */
	library = in_system_header_at(DECL_SOURCE_LOCATION(fndecl)) &&
		(DECL_DECLARED_INLINE_P(fndecl) || DECL_ARTIFICIAL(fndecl));
	auto known = psc.trivial.find(uid);
	if (known != psc.trivial.end())
		return known->second;
	if (psc_function_simd(fndecl) || psc_function_excluded(fndecl))
		return psc.light[uid] = psc.trivial[uid] = true;
	if (!gimple_body(fndecl) && !DECL_SAVED_TREE(fndecl))
		return library;              /* not cached: the body may come later */
	psc.trivial[uid] = false;    /* during the survey: recursion is not trivial */
	survey_body(fndecl, &sv);
	psc.light[uid] = !sv.loop && !sv.construct && !sv.lands &&
		!MAIN_NAME_P(DECL_NAME(fndecl)) && (psc.recursive.count(uid) ||
		!is_driver(fndecl, &sv));
	return psc.trivial[uid] = !sv.loop && !sv.construct && (!sv.call || library);
}

bool psc_function_light(tree fndecl)
{
	bool trivial = psc_function_trivial(fndecl);
	auto known = psc.light.find(DECL_UID(fndecl));

	return known != psc.light.end() ? known->second : trivial;
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

bool psc_packs_section(gimple *stmt)
{
	tree fndecl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	return fndecl && DECL_NAME(fndecl) &&
		(id_equal(DECL_NAME(fndecl), "_gfortran_internal_pack") ||
		id_equal(DECL_NAME(fndecl), "_gfortran_internal_unpack"));
}

enum psc_call psc_call_class(gcall *call)
{
	tree fndecl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return CALL_NONE;
	if (!fndecl)
		return CALL_MARKED;
	if (wait_class(fndecl) != CALL_NONE)
		return wait_class(fndecl);
	if (psc_packs_section(call))
		return CALL_MARKED;
	if (psc_function_internal(fndecl) || (gimple_call_flags(call) & ECF_RETURNS_TWICE))
		return CALL_NONE;
	if (!psc_function_trivial(fndecl) && !psc_function_waits(fndecl))
		return CALL_MARKED;
	return psc_function_wanted(fndecl) ? CALL_PLAIN : CALL_NONE;
}
