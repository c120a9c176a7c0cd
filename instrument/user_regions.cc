/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that the program marks itself (monitor/psc_phase.h):
 *     psc_phase_begin("step"); ... psc_phase_end("step");
 * Both calls stand in one function, and both disappear: hooks take their places.  A region in
 * serial context can be the phase.  A call without its counterpart in the function, or whose name
 * is no literal, is removed with a warning. */
#include "instrument/pscplugin.h"

struct user_region {
	std::string name;
	int region;              /* -1: not begun yet */
	bool open;
};

/* Of the function being walked: the names that it ends. */
static std::vector<user_region> users;

enum { USER_NONE, USER_BEGIN, USER_END };

static int user_call(gimple *stmt)
{
	tree fn = is_gimple_call(stmt) && !gimple_call_internal_p(stmt) ? gimple_call_fndecl(stmt) :
		NULL_TREE;

	return fn ? psc_user_function(fn) : USER_NONE;
}

int psc_user_function(tree fndecl)
{
	const char *name = DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	return strcmp(name, "psc_phase_begin") == 0 ? USER_BEGIN :
		strcmp(name, "psc_phase_end") == 0 ? USER_END : USER_NONE;
}

/* The literal that is the call's first argument; a Fortran literal has no terminating NUL. */
static std::string name_of(gimple *call)
{
	tree t = gimple_call_num_args(call) ? gimple_call_arg(call, 0) : NULL_TREE;
	std::string name;

	while (t && (TREE_CODE(t) == ADDR_EXPR || TREE_CODE(t) == ARRAY_REF ||
	       TREE_CODE(t) == MEM_REF))
		t = TREE_OPERAND(t, 0);
	if (t && TREE_CODE(t) == STRING_CST)
		name.assign(TREE_STRING_POINTER(t), TREE_STRING_LENGTH(t));
	while (!name.empty() && (name.back() == '\0' || name.back() == ' '))
		name.pop_back();
	return name;
}

static user_region *find(const std::string &name)
{
	for (auto &u : users)
		if (u.name == name)
			return &u;
	return NULL;
}

static tree note_end(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
	gimple *stmt = gsi_stmt(*gsi);

	*handled = false;
	if (user_call(stmt) == USER_END && !name_of(stmt).empty() && !find(name_of(stmt)))
		users.push_back({ name_of(stmt), -1, false });
	return NULL_TREE;
}

void psc_user_regions_note(gimple_seq body)
{
	struct walk_stmt_info wi;

	users.clear();
	memset(&wi, 0, sizeof wi);
	walk_gimple_seq(body, note_end, NULL, &wi);
}

int psc_user_region_around(int region)
{
	for (size_t i = 0; i < users.size(); i++)
		if (users[i].region == region && !users[i].open)
			return psc_user_region_around(psc.regions[region].parent);
	return region;
}

static gcall *hook(enum psc_function which, int region, location_t where)
{
	gcall *call = psc_runtime_call(which, region);

	gimple_set_location(call, where);
	return call;
}

/* Replaces the statement by one or two hooks; FN_COUNT: none.  Leaves the iterator on the last. */
static void replace(gimple_stmt_iterator *gsi, int region, enum psc_function first,
	enum psc_function second)
{
	location_t where = gimple_location(gsi_stmt(*gsi));

	if (first == FN_COUNT) {
		gsi_replace(gsi, gimple_build_nop(), false);
		return;
	}
	gsi_replace(gsi, hook(first, region, where), false);
	if (second != FN_COUNT)
		gsi_insert_after(gsi, hook(second, region, where), GSI_NEW_STMT);
}

static int begin(user_region *u, gimple_stmt_iterator *gsi, int parent, bool serial, bool silent)
{
	struct psc_place place = psc_place_of(gimple_location(gsi_stmt(*gsi)));
	struct psc_region *r;

	u->open = true;
	if (u->region >= 0) {   /* begun on another way through the function, too: one region */
		replace(gsi, u->region, psc.regions[u->region].marker ? FN_ENTER : FN_COUNT,
			psc.regions[u->region].phase ? FN_PHASE_BEGIN : FN_COUNT);
		return u->region;
	}
	u->region = psc_region_add(REGION_USER, parent, place.file, place.line);
	r = &psc.regions[u->region];
	r->name = u->name;
	r->marker = !silent;
	r->phase = r->marker && serial;
	r->refuse = r->marker && !serial ? "parallel" : NULL;
	replace(gsi, u->region, r->marker ? FN_ENTER : FN_COUNT, r->phase ? FN_PHASE_BEGIN :
		FN_COUNT);
	return u->region;
}

static int end(user_region *u, gimple_stmt_iterator *gsi)
{
	struct psc_region *r = &psc.regions[u->region];

	u->open = false;
	r->end = MAX(r->end, psc_place_of(gimple_location(gsi_stmt(*gsi))).line);
	replace(gsi, u->region, r->phase ? FN_PHASE_END : r->marker ? FN_EXIT : FN_COUNT,
		r->phase ? FN_EXIT : FN_COUNT);
	return psc_user_region_around(r->parent);
}

bool psc_user_region(gimple_stmt_iterator *gsi, int *parent, bool serial, bool silent)
{
	gimple *stmt = gsi_stmt(*gsi);
	int kind = user_call(stmt);
	user_region *u = kind != USER_NONE ? find(name_of(stmt)) : NULL;

	if (kind == USER_NONE)
		return false;
	if (u && kind == USER_BEGIN) {
		*parent = begin(u, gsi, *parent, serial, silent);
	} else if (u && u->region >= 0) {
		*parent = end(u, gsi);
	} else {
		warning_at(gimple_location(stmt), 0,
			"no phase is marked here: %qs needs a literal name and its "
			"counterpart with the same name in this function", kind == USER_BEGIN ?
			"psc_phase_begin" : "psc_phase_end");
		replace(gsi, -1, FN_COUNT, FN_COUNT);
	}
	return true;
}
