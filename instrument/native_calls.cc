/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the functions whose native version has lost hooks, and which of them may be inlined into
 * which: the monitor decides by it which may run natively while a phase is searched for
 * (monitor/regions/native_subroutines.h).
 *
 * Pass psc_versions writes the list before GCC inlines.  So it has what GCC can inline at most:
 * callees of this unit, directly or through other functions; through an indirect call every
 * function whose address is taken; with link-time optimisation functions of other units, which are
 * not listed: such a caller is marked as open. */
#include "instrument/pscplugin.h"

struct callees {
	std::set<cgraph_node *> direct;
	bool indirect = false;          /* calls through a pointer or a virtual table */
	bool open = false;              /* calls functions that link-time optimisation may inline */
};

struct lost {                           /* a function that has lost hooks */
	int region;                     /* the subroutine's; -1: none */
	std::set<int> loops;            /* loops and constructs whose hooks it has lost */
	std::set<cgraph_node *> nodes;  /* whose code it is */
	std::set<int> inlined;          /* places in the list */
	bool open = false;
};

static std::map<cgraph_node *, callees> graph;
static std::set<cgraph_node *> reached_indirectly;
static std::vector<lost> list;
static std::map<int, int> place_of_region;
static std::map<cgraph_node *, int> place_of_node;
static int everything_indirect;         /* the place of what indirect calls reach; -1: there is
					 * none */

static struct callees callees_of(cgraph_node *node)
{
	struct callees c;

	c.indirect = node->indirect_calls != NULL;
	for (cgraph_edge *e = node->callees; e; e = e->next_callee) {
		cgraph_node *callee = e->callee->ultimate_alias_target();

		if (callee->definition)
			c.direct.insert(callee);
		else if (flag_generate_lto && psc_runtime_named(callee->decl) == FN_COUNT &&
				!fndecl_built_in_p(callee->decl))
			c.open = true;
	}
	return c;
}

void psc_native_calls_survey(void)
{
	cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node) {
		cgraph_node *target = node->ultimate_alias_target();

		if (node->address_taken || DECL_VIRTUAL_P(node->decl))
			reached_indirectly.insert(target);
		if (target == node)
			graph[node] = callees_of(node);
	}
}

/* The place of the subroutine in the list; region -1: of a function without region. */
static int place(int region)
{
	if (region < 0 || !place_of_region.count(region)) {
		list.push_back({ region, {}, {}, {}, false });
		if (region < 0)
			return list.size() - 1;
		place_of_region[region] = list.size() - 1;
	}
	return place_of_region[region];
}

void psc_native_calls_lost(cgraph_node *node, int region, const std::vector<gimple *> &hooks)
{
	int at = place(region);

	place_of_node[node] = at;
	list[at].nodes.insert(node);
	for (auto hook : hooks) {
		int r = tree_to_uhwi(gimple_call_arg(hook, 1));

		if (r == region)
			continue;
		if (psc.regions[r].type != REGION_SUB)
			list[at].loops.insert(r);
		else if (int early = place(r); early != at)    /* GCC has inlined it already */
			list[at].inlined.insert(early);
	}
}

static void reach(struct lost *from, std::vector<cgraph_node *> todo)
{
	std::set<cgraph_node *> seen;

	while (!todo.empty()) {
		cgraph_node *node = todo.back();
		const struct callees &c = graph[node];

		todo.pop_back();
		if (!seen.insert(node).second)
			continue;
		if (place_of_node.count(node) && !from->nodes.count(node)) {
			from->inlined.insert(place_of_node[node]);
			continue;
		}
		from->open |= c.open;
		if (c.indirect && everything_indirect >= 0)
			from->inlined.insert(everything_indirect);
		todo.insert(todo.end(), c.direct.begin(), c.direct.end());
	}
}

static void reach_all(void)
{
	int n = list.size();

	everything_indirect = n && !reached_indirectly.empty() ? place(-1) : -1;
	for (int i = 0; i < n; i++)
		reach(&list[i], { list[i].nodes.begin(), list[i].nodes.end() });
	if (everything_indirect >= 0)
		reach(&list[everything_indirect], { reached_indirectly.begin(),
			reached_indirectly.end() });
}

std::string psc_native_calls_text(void)
{
	std::string text;

	reach_all();
	psc_put_number(&text, list.size());
	for (size_t i = 0; i < list.size(); i++) {
		const struct lost &f = list[i];

		psc_put_number(&text, (unsigned HOST_WIDE_INT)(f.region + 1) << 1 | f.open);
		psc_put_number(&text, f.loops.size());
		for (int r : f.loops)
			psc_put_difference(&text, r - f.region);
		psc_put_number(&text, f.inlined.size());
		for (int in : f.inlined)
			psc_put_difference(&text, in - (int)i);
	}
	return text;
}
