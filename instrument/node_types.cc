/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells by a type whether memory consists of the nodes of a hash table, a tree or a list: a
 * container of C++'s library, or a struct with pointers to its own type.  Advice for such
 * nodes is not that for arrays. */
#include "instrument/pscplugin.h"

enum { DEEP = 8 };      /* structs in structs */

static const char *name_of(tree named)
{
	if (!named)
		return "";
	if (TREE_CODE(named) == IDENTIFIER_NODE)
		return IDENTIFIER_POINTER(named);
	return DECL_P(named) && DECL_NAME(named) ? IDENTIFIER_POINTER(DECL_NAME(named)) : "";
}

static const char *type_name(tree type)
{
	return name_of(TYPE_NAME(TYPE_MAIN_VARIANT(type)));
}

static bool of_library(tree type)
{
	tree decl = TYPE_STUB_DECL(TYPE_MAIN_VARIANT(type));

	return psc_is_cxx() && decl && DECL_P(decl) &&
		in_system_header_at(DECL_SOURCE_LOCATION(decl));
}

static tree target(tree type)
{
	return POINTER_TYPE_P(type) ? TREE_TYPE(type) : NULL_TREE;
}

/* --- containers of the library ---------------------------------------------------------------- */

static enum psc_nodes container(tree type)
{
	static const struct { const char *name; enum psc_nodes nodes; } containers[] = {
		{ "unordered_map", PSC_NODES_HASH }, { "unordered_set", PSC_NODES_HASH },
		{ "unordered_multimap", PSC_NODES_HASH }, { "unordered_multiset", PSC_NODES_HASH },
		{ "map", PSC_NODES_TREE }, { "set", PSC_NODES_TREE },
			{ "multimap", PSC_NODES_TREE },
		{ "multiset", PSC_NODES_TREE }, { "list", PSC_NODES_LIST },
			{ "forward_list", PSC_NODES_LIST },
	};

	if (of_library(type))
		for (auto &c : containers)
			if (strcmp(c.name, type_name(type)) == 0)
				return c.nodes;
	return PSC_NODES_NONE;
}

/* --- structs with pointers to their own type -------------------------------------------------- */

/* Is it the class, or one that the class is derived from? */
static bool is_base(tree type, tree record, int depth)
{
	if (TYPE_MAIN_VARIANT(type) == TYPE_MAIN_VARIANT(record))
		return true;
	for (tree f = TYPE_FIELDS(record); f && depth < DEEP; f = DECL_CHAIN(f))
		if (TREE_CODE(f) == FIELD_DECL && !DECL_NAME(f) &&
		    RECORD_OR_UNION_TYPE_P(TREE_TYPE(f)) && is_base(type, TREE_TYPE(f), depth + 1))
			return true;
	return false;
}

struct links {
	int n;                  /* pointers to the type; those of an array count as two */
	int along, up;          /* of these by their names: to a neighbour, to what is above */
};

static bool contains(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (strstr(name, *words))
			return true;
	return false;
}

static void add_link(struct links *links, const char *name, int n)
{
	static const char *const along[] = { "next", "prev", "succ", "pred", "link", NULL };
	static const char *const up[] = { "parent", "father", "owner", NULL };

	links->n += n;
	links->along += contains(name, along) ? n : 0;
	links->up += contains(name, up) ? n : 0;
}

/* name: of the member of the user's type around, "" none: members of the library's smart
 * pointers have their own. */
static void find_links(struct links *links, tree within, tree record, const char *name, int depth)
{
	for (tree f = TYPE_FIELDS(within); f && depth < DEEP; f = DECL_CHAIN(f)) {
		tree type, to;

		if (TREE_CODE(f) != FIELD_DECL)
			continue;
		type = strip_array_types(TREE_TYPE(f));
		to = target(type);
		const char *called = *name ? name : name_of(f);
		if (to && RECORD_OR_UNION_TYPE_P(to) && is_base(to, record, 0))
			add_link(links, called, type == TREE_TYPE(f) ? 1 : 2);
		else if (RECORD_OR_UNION_TYPE_P(type))
			find_links(links, type, record, of_library(type) ? called : "", depth + 1);
	}
}

static enum psc_nodes linked(tree record)
{
	struct links links = { 0, 0, 0 };

	if (of_library(record) || psc_is_descriptor(record))
		return PSC_NODES_NONE;
	find_links(&links, record, record, "", 0);
	if (links.n == 0)
		return PSC_NODES_NONE;
	return links.along == links.n || (links.n == 1 && !links.up) ? PSC_NODES_LIST :
		PSC_NODES_TREE;
}

/* --- a variable ------------------------------------------------------------------------------- */

/* The struct behind a smart pointer of the library; else NULL_TREE. */
static tree owned(tree type)
{
	const char *name = type_name(type);

	if (!of_library(type) || (strcmp(name, "unique_ptr") && strcmp(name, "shared_ptr")))
		return NULL_TREE;
	for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
		if (TREE_CODE(f) == TYPE_DECL && strcmp(name_of(f), "element_type") == 0)
			return TREE_TYPE(f);
	return NULL_TREE;
}

enum psc_nodes psc_nodes_of(tree type)
{
	enum { POINTERS = 2 };
	enum psc_nodes nodes;

	for (int i = 0; i < POINTERS && target(type); i++)
		type = target(type);
	type = strip_array_types(type);
	if (!RECORD_OR_UNION_TYPE_P(type))
		return PSC_NODES_NONE;
	if (tree behind = owned(type))
		type = behind;
	if (!RECORD_OR_UNION_TYPE_P(type))
		return PSC_NODES_NONE;
	for (tree base = type; base && RECORD_OR_UNION_TYPE_P(base);) {
		tree first = TYPE_FIELDS(base);

		nodes = container(base);
		if (nodes != PSC_NODES_NONE)
			return nodes;
		while (first && TREE_CODE(first) != FIELD_DECL)
			first = DECL_CHAIN(first);
		base = first && !DECL_NAME(first) ? TREE_TYPE(first) : NULL_TREE;
	}
	return linked(type);
}
