/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the unit's marker versions, and decides what they call.
 *
 * GCC inlines a function whose calls are few, because it can drop the function itself then.  A
 * marker version has all calls of its function once more.  So it calls copies of such functions,
 * tests included, and copies call copies: the native version's callees have as many callers as
 * natively, and the marker version, in which most clean executions run, has its own inlined in the
 * same way.  A copy of a function that has a marker version is native code, too: functions without
 * one, which are most of those called in loops, have a copy for native code and another for marker
 * versions. */
#include "instrument/pscplugin.h"

/* A function with several calls is inlined in all of them only if it is
 * hardly larger than a call. */
#define FEW_CALLS 3
#define FEW_STATEMENTS 40

/* --- who calls a function natively ---------------------------------------------------------- */
/* The caller of a local function that is called in exactly one place; else NULL. */
static cgraph_node *only_caller(cgraph_node *node)
{
	bool local = !TREE_PUBLIC(node->decl) && !node->address_taken && !node->force_output &&
		!node->has_aliases_p();

	return local && node->callers && !node->callers->next_caller ? node->callers->caller : NULL;
}

static bool add_callers(cgraph_node *name, void *callers)
{
	for (cgraph_edge *e = name->callers; e; e = e->next_caller)
		static_cast<std::vector<cgraph_node *> *>(callers)->push_back(e->caller);
	return false;
}

static bool has_few_statements(cgraph_node *node)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	unsigned statements = 0;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			statements += !is_gimple_debug(gsi_stmt(i)) &&
				psc_runtime_which(gsi_stmt(i)) == FN_COUNT;
	return statements <= FEW_STATEMENTS;
}

/* The callers of a function that GCC may inline because its calls are few: static, or comdat, which
 * GCC expects to be needed nowhere else.  Empty for other functions. */
static std::vector<cgraph_node *> few_callers(cgraph_node *node)
{
	std::vector<cgraph_node *> callers;

	if (!node->can_remove_if_no_direct_calls_p())
		return callers;
	node->call_for_symbol_and_aliases(add_callers, &callers, true);
	if (callers.size() > FEW_CALLS || (callers.size() > 1 && !has_few_statements(node)) ||
	    std::find(callers.begin(), callers.end(), node) != callers.end())
		callers.clear();
	return callers;
}

psc_marker_versions psc_marker_versions_survey(const std::vector<cgraph_node *> &all)
{
	psc_marker_versions m;

	m.all = all;
	for (auto n : all) {
		m.only_caller[n] = only_caller(n);
		m.few_callers[n] = few_callers(n);
	}
	return m;
}

/* --- versions and copies -------------------------------------------------------------------- */
static void make_versions(psc_marker_versions *m)
{
	bool changed = !profile_flag;

	for (auto n : m->all)
		if (cgraph_node *version = psc_marker_version_make(n))
			m->versions[n] = version;
	while (changed) {
		changed = false;
		for (auto n : m->all) {
			cgraph_node *caller = m->only_caller.at(n);

			if (m->versions.count(n) || !caller || !m->versions.count(caller))
				continue;
			m->versions[n] = psc_marker_version_of_callee(n);
			changed = true;
		}
	}
}

static bool begins_with_test(cgraph_node *node)
{
	return lookup_attribute(PSC_TESTED_ATTRIBUTE, DECL_ATTRIBUTES(node->decl));
}

/* Functions that have the code of one with a single caller and without a
 * test, which may be large. */
static std::set<cgraph_node *> functions_around_untested(const psc_marker_versions &m)
{
	std::set<cgraph_node *> around;

	for (auto n : m.all)
		if (m.only_caller.at(n) && !(m.versions.count(n) && begins_with_test(n)))
			for (auto f = m.only_caller.at(n); f && around.insert(f).second; )
				f = m.only_caller.count(f) ? m.only_caller.at(f) : NULL;
	return around;
}

typedef std::map<cgraph_node *, cgraph_node *> node_map;

static bool is_called_from(const psc_marker_versions &m, cgraph_node *node, const node_map &callers)
{
	for (auto caller : m.few_callers.at(node))
		if (callers.count(caller))
			return true;
	return false;
}

/* no_icf: GCC makes one function of two that are equal. */
static void make_copy(node_map *copies, cgraph_node *node)
{
	cgraph_node *copy = psc_version_native(node, "psc_mark_native");

	psc_version_local(copy, tree_cons(get_identifier("no_icf"), NULL_TREE, NULL_TREE), false);
	(*copies)[node] = copy;
}

/* Makes the copies of the function whose callers are known by then; true: there is a new one. */
static bool add_copies(psc_marker_versions *m, cgraph_node *n)
{
	bool marked = m->versions.count(n), from_marked, from_copies;
	size_t before = m->copies.size() + m->marked_copies.size();

	if (marked && !begins_with_test(n))
		return false;
	from_marked = is_called_from(*m, n, m->versions) || is_called_from(*m, n, m->marked_copies);
	from_copies = is_called_from(*m, n, m->copies);
	if (!m->copies.count(n) && (from_copies || (marked && from_marked)))
		make_copy(&m->copies, n);
	if (!m->marked_copies.count(n) && !marked && from_marked) {
		make_copy(&m->marked_copies, n);
		/* A marker version is not inlined in its caller, which would tell
		 * GCC more of the arguments. */
		DECL_DECLARED_INLINE_P(m->marked_copies.at(n)->decl) = 1;
	}
	return m->copies.size() + m->marked_copies.size() > before;
}

static void add_names(psc_clones *names, const node_map &nodes)
{
	for (auto &node : nodes)
		(*names)[node.first->decl] = node.second->decl;
}

/* What native code of copies calls, and what marker versions call. */
static psc_clones names_for_copies(const psc_marker_versions &m)
{
	psc_clones names;

	add_names(&names, m.copies);
	return names;
}

static psc_clones names_for_versions(const psc_marker_versions &m)
{
	psc_clones names;

	for (auto &version : m.versions)
		if (m.only_caller.at(version.first))
			names[version.first->decl] = version.second->decl;
	for (auto n : m.all)
		if (m.versions.count(n) && m.copies.count(n))
			names[n->decl] = m.copies.at(n)->decl;
	add_names(&names, m.marked_copies);
	return names;
}

/* Not in the order of addresses, which differs from run to run. */
static void redirect(const psc_marker_versions &m, const node_map &nodes, const psc_clones &names)
{
	for (auto n : m.all)
		if (nodes.count(n))
			psc_redirect_native(nodes.at(n), names);
}

static void make_copies(psc_marker_versions *m)
{
	std::set<cgraph_node *> around = functions_around_untested(*m);
	bool changed = true;

	while (changed) {
		changed = false;
		for (auto n : m->all)
			changed |= !around.count(n) && add_copies(m, n);
	}
	redirect(*m, m->copies, names_for_copies(*m));
	redirect(*m, m->marked_copies, names_for_versions(*m));
}

void psc_marker_versions_make(psc_marker_versions *m)
{
	make_versions(m);
	if (!profile_flag)      /* gprof counts calls at the native version's entry: all calls must
				 * pass it */
		make_copies(m);
}

/* --- calls ---------------------------------------------------------------------------------- */
/* Where calls of the function are redirected to its clone, calls of its marker version
 * and of its copy are, too. */
void psc_marker_versions_add(const psc_marker_versions &m, psc_clones *clones)
{
	for (auto names : { &m.versions, &m.copies, &m.marked_copies })
		for (auto &name : *names)
			if (auto clone = clones->find(name.first->decl); clone != clones->end())
				(*clones)[name.second->decl] = clone->second;
}

/* Clones call marker versions.  A marker version calls functions by their own names, or their
 * copies: those that are too brief for markers then run natively.  It calls its own function's
 * version, and that of a function without a test. */
void psc_marker_versions_redirect(const psc_marker_versions &m,
	const std::vector<cgraph_node *> &clones)
{
	const psc_clones names = names_for_versions(m);
	psc_clones versions;

	add_names(&versions, m.versions);
	for (auto n : m.all)
		if (m.versions.count(n)) {
			psc_clones own = names;

			own[n->decl] = m.versions.at(n)->decl;
			psc_redirect_native(m.versions.at(n), own);
		}
	for (auto clone : clones)
		psc_redirect_all(clone, versions);
}
