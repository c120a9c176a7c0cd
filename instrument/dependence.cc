/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what the address of an access depends on inside its loops (enum psc_dependence).  An access
 * that waits for a load is expensive where that load waits for the one before it.
 *
 * The strongly connected components of the SSA graph are the recurrences of the function's loops:
 * each runs through the PHI of a loop's header.  A recurrence with a load is a chain of loads; an
 * address is chained if it is computed from one.  A second graph has edges for control as well: a
 * PHI that merges branches also uses their conditions, and who uses a value of an inner loop the
 * conditions of that loop's exits.  A load in a recurrence of that graph chooses its own next
 * address by a branch, as in a binary search.
 *
 * Parameters of a function that calls itself use the arguments of these calls: so the recursion
 * over a tree is a recurrence.  Nothing else is followed through calls, and nothing through memory.
 * Components are found by demand and once (Tarjan's algorithm): time is linear in the function. */
#include "instrument/pscplugin.h"
#include "tree-ssa-loop-ivopts.h"

/* A value is followed forward to a branch through so many statements. */
#define STEPS_TO_BRANCH 3
/* Bounds of searches that are not linear: beyond them a value counts as independent. */
#define MAX_USES 64
#define MAX_CONDITIONS 16
#define MAX_LOOP_BLOCKS 1000
#define NEVER INT_MAX

typedef std::vector<tree> names;

/* --- the SSA graph ---------------------------------------------------------------------------- */
static std::vector<gcall *> self_calls;      /* of the function by itself */

static void add_name(names *list, tree t)
{
	if (TREE_CODE(t) == SSA_NAME && !virtual_operand_p(t))
		list->push_back(t);
}

static bool accesses_load(gimple *stmt)
{
	psc_accesses list;

	psc_accesses_of(&list, stmt);
	return std::any_of(list.begin(), list.end(), [](auto &a) { return a.kind == PSC_LOAD; });
}

/* A call that the compiler expands, or a function of numbers only. */
static bool is_simple_call(gimple *stmt)
{
	tree lhs = gimple_call_lhs(stmt), fndecl = gimple_call_fndecl(stmt);

	return lhs && (gimple_call_internal_p(stmt) || (fndecl && fndecl_built_in_p(fndecl) &&
		((gimple_call_flags(stmt) & ECF_CONST) || FLOAT_TYPE_P(TREE_TYPE(lhs)) ||
		 accesses_load(stmt))));
}

static bool is_load(tree name)
{
	gimple *stmt = SSA_NAME_DEF_STMT(name);

	return gimple_assign_load_p(stmt) ||
		(is_gimple_call(stmt) && gimple_vuse(stmt) && is_simple_call(stmt) &&
		accesses_load(stmt));
}

static class loop *loop_of(tree name)
{
	basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));

	return bb ? bb->loop_father : get_loop(cfun, 0);
}

static int common_depth(class loop *a, class loop *b)
{
	return a == b ? (int)loop_depth(a) : (int)loop_depth(find_common_loop(a, b));
}

/* The loop that the PHI carries a value around, or NULL. */
static class loop *carried_by(tree name)
{
	gimple *stmt = SSA_NAME_DEF_STMT(name);
	basic_block bb = gimple_bb(stmt);

	return bb && gimple_code(stmt) == GIMPLE_PHI && bb->loop_father->header == bb &&
		loop_outer(bb->loop_father) ? bb->loop_father : NULL;
}

static void add_arguments(names *list, tree name)
{
	tree parm = SSA_NAME_VAR(name);
	unsigned n = 0;

	if (!parm || TREE_CODE(parm) != PARM_DECL || self_calls.empty())
		return;
	for (tree t = DECL_ARGUMENTS(cfun->decl); t && t != parm; t = DECL_CHAIN(t))
		n++;
	for (auto call : self_calls)
		if (n < gimple_call_num_args(call))
			add_name(list, gimple_call_arg(call, n));
}

static void add_condition(names *list, basic_block bb)
{
	gimple *last = last_stmt(bb);

	if (last && gimple_code(last) == GIMPLE_COND) {
		add_name(list, gimple_cond_lhs(last));
		add_name(list, gimple_cond_rhs(last));
	} else if (last && gimple_code(last) == GIMPLE_SWITCH) {
		add_name(list, gimple_switch_index(as_a<gswitch *>(last)));
	}
}

/* The conditions of the branches that lead to the block, from its immediate dominator on. */
static void add_conditions(names *list, basic_block bb)
{
	basic_block top = get_immediate_dominator(CDI_DOMINATORS, bb);
	class loop *loop = bb->loop_father;
	int left = MAX_CONDITIONS;
	edge e;
	edge_iterator i;

	if (!top || !flow_bb_inside_loop_p(loop, top))
		return;
	add_condition(list, top);
	FOR_EACH_EDGE(e, i, bb->preds)
		for (basic_block at = e->src; at && at != top && left-- > 0;
		     at = get_immediate_dominator(CDI_DOMINATORS, at))
			add_condition(list, at);
}

/* The value of a loop that is over depends on when it was left. */
static void add_exit_conditions(names *list, class loop *user, tree operand)
{
	class loop *left = loop_of(operand);
	int n = MAX_CONDITIONS;

	if (left == user || !flow_loop_nested_p(user, left))
		return;
	while (loop_outer(left) != user)
		left = loop_outer(left);
	for (auto e : get_loop_exit_edges(left))
		if (n-- > 0)
			add_condition(list, e->src);
}

static void add_uses(names *list, gimple *stmt)
{
	ssa_op_iter i;
	tree use;

	FOR_EACH_SSA_TREE_OPERAND(use, stmt, i, SSA_OP_USE)
		list->push_back(use);
}

static names operands_of(tree name, bool control)
{
	gimple *stmt = SSA_NAME_DEF_STMT(name);
	names list;

	if (SSA_NAME_IS_DEFAULT_DEF(name)) {
		add_arguments(&list, name);
	} else if (gphi *phi = dyn_cast<gphi *>(stmt)) {
		for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
			add_name(&list, gimple_phi_arg_def(phi, i));
		if (control && !carried_by(name))
			add_conditions(&list, gimple_bb(stmt));
	} else if (!is_gimple_call(stmt) || is_simple_call(stmt)) {
		add_uses(&list, stmt);
	}
	for (size_t i = 0, n = control ? list.size() : 0; i < n; i++)
		add_exit_conditions(&list, loop_of(name), list[i]);
	return list;
}

/* --- recurrences ------------------------------------------------------------------------------ */
/* What a value depends on.  Loops are named by their depth: only loops around the value matter. */
struct facts {
	unsigned component = 0;      /* 0: not visited */
	bool chain = false;          /* part of a recurrence with a load */
	bool recursive = false;      /* computed from a chain that runs through calls */
	int around = NEVER;          /* outermost loop around the value that a chain goes round */
	int chained = -1;            /* innermost loop in which it is computed from a chain */
	int loaded = -1;             /* innermost loop in which it is computed from a load */
};

namespace {
class recurrences {
public:
	recurrences(bool with_control)
		: control(with_control), all(num_ssa_names), order(num_ssa_names),
		  low(num_ssa_names), open(num_ssa_names) {}
	const facts &of(tree name)
	{
		static const facts none;

		if (SSA_NAME_VERSION(name) >= all.size())
			return none;
		if (!all[SSA_NAME_VERSION(name)].component)
			visit(name);
		return all[SSA_NAME_VERSION(name)];
	}
	/* Does a chain that the value is part of go round the loop? */
	bool goes_round(tree name, class loop *loop)
	{
		auto found = rounds.find(of(name).component);

		return found != rounds.end() && found->second.count(loop->num);
	}
	std::set<int> chain_loops;           /* numbers of loops that chains go round */
	bool recursive = false;              /* a chain runs through calls */
private:
	struct frame {
		tree name;
		names operands;
		size_t next;
	};
	void push(tree name);
	void visit(tree root);
	void close(tree name);
	void finish(const names &members);
	void mark_chain(const names &members, facts *common);
	void collect(const names &members, facts *common);

	bool control;
	std::vector<facts> all;              /* these four by version of the SSA name */
	std::vector<unsigned> order, low;
	std::vector<bool> open;              /* its component is not complete */
	std::vector<frame> frames;
	names stack;
	std::map<unsigned, std::set<int>> rounds;    /* component of a chain: its loops */
	unsigned norder = 0, ncomponents = 0;
};
}

void recurrences::push(tree name)
{
	unsigned v = SSA_NAME_VERSION(name);

	order[v] = low[v] = ++norder;
	open[v] = true;
	stack.push_back(name);
	frames.push_back({ name, operands_of(name, control), 0 });
}

void recurrences::visit(tree root)
{
	push(root);
	while (!frames.empty()) {
		frame &f = frames.back();
		unsigned v = SSA_NAME_VERSION(f.name);

		if (f.next == f.operands.size()) {
			tree name = f.name;

			frames.pop_back();
			if (!frames.empty()) {
				unsigned &up = low[SSA_NAME_VERSION(frames.back().name)];

				up = std::min(up, low[v]);
			}
			close(name);
			continue;
		}
		tree operand = f.operands[f.next++];
		unsigned o = SSA_NAME_VERSION(operand);

		if (o >= all.size())
			continue;
		if (!order[o])
			push(operand);
		else if (open[o])
			low[v] = std::min(low[v], order[o]);
	}
}

/* All operands of the value are visited: is it the first of its component? */
void recurrences::close(tree name)
{
	names members;
	tree last;

	if (low[SSA_NAME_VERSION(name)] != order[SSA_NAME_VERSION(name)])
		return;
	do {
		last = stack.back();
		stack.pop_back();
		open[SSA_NAME_VERSION(last)] = false;
		members.push_back(last);
	} while (last != name);
	finish(members);
}

void recurrences::mark_chain(const names &members, facts *common)
{
	std::set<int> &loops = rounds[common->component];

	common->chain = true;
	for (tree m : members) {
		class loop *loop = carried_by(m);

		if (loop) {
			loops.insert(loop->num);
			common->around = std::min(common->around, (int)loop_depth(loop));
		}
		common->recursive = common->recursive || SSA_NAME_IS_DEFAULT_DEF(m);
	}
	chain_loops.insert(loops.begin(), loops.end());
	recursive = recursive || common->recursive;
}

/* What the component depends on through operands from outside of it. */
void recurrences::collect(const names &members, facts *common)
{
	for (tree m : members)
		for (tree operand : operands_of(m, control)) {
			const facts &o = of(operand);
			int depth;

			if (o.component == 0 || o.component == common->component)
				continue;
			depth = common_depth(loop_of(m), loop_of(operand));
			if (o.around <= depth)
				common->around = std::min(common->around, o.around);
			common->chained = std::max(common->chained, std::min(o.chained, depth));
			common->loaded = std::max(common->loaded, std::min(o.loaded, depth));
			common->recursive = common->recursive || o.recursive;
		}
}

void recurrences::finish(const names &members)
{
	bool loads = std::any_of(members.begin(), members.end(), is_load);
	facts common;

	common.component = ++ncomponents;
	for (tree m : members)
		all[SSA_NAME_VERSION(m)].component = common.component;
	if (loads && members.size() > 1)
		mark_chain(members, &common);
	collect(members, &common);
	for (tree m : members) {
		facts &f = all[SSA_NAME_VERSION(m)];
		int depth = loop_depth(loop_of(m));

		f = common;
		f.chained = common.chain ? depth : std::min(common.chained, depth);
		f.loaded = is_load(m) || (loads && members.size() > 1) ? depth :
			std::min(common.loaded, depth);
	}
}

/* --- branches on loaded values ---------------------------------------------------------------- */
static bool is_branch(gimple *stmt)
{
	return gimple_code(stmt) == GIMPLE_COND || gimple_code(stmt) == GIMPLE_SWITCH;
}

static bool leaves(basic_block bb, class loop *loop)
{
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, bb->succs)
		if (!flow_bb_inside_loop_p(loop, e->dest))
			return true;
	return false;
}

/* Does the value decide a branch of the loop?  inside: one that does not leave it. */
static bool decides(tree value, class loop *loop, int steps, bool inside, int *uses)
{
	imm_use_iterator i;
	use_operand_p use;

	FOR_EACH_IMM_USE_FAST(use, i, value) {
		gimple *stmt = USE_STMT(use);
		basic_block bb = gimple_bb(stmt);
		tree lhs;

		if (is_gimple_debug(stmt) || !bb || !flow_bb_inside_loop_p(loop, bb))
			continue;
		if (--*uses < 0)
			return false;
		if (is_branch(stmt)) {
			if (!inside || !leaves(bb, loop))
				return true;
			continue;
		}
		lhs = is_gimple_assign(stmt) ? gimple_assign_lhs(stmt) : NULL_TREE;
		if (steps && lhs && TREE_CODE(lhs) == SSA_NAME && !gimple_vuse(stmt) &&
		    decides(lhs, loop, steps - 1, inside, uses))
			return true;
	}
	return false;
}

static bool decides_branch(gimple *load, class loop *loop, bool inside)
{
	tree value = gimple_get_lhs(load);
	int uses = MAX_USES;

	return value && TREE_CODE(value) == SSA_NAME &&
		decides(value, loop, STEPS_TO_BRANCH, inside, &uses);
}

static bool find_branch_on_load(class loop *loop)
{
	basic_block *body;
	bool found = false;

	if (loop->num_nodes > MAX_LOOP_BLOCKS)
		return false;
	body = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes && !found; i++)
		for (auto g = gsi_start_bb(body[i]); !gsi_end_p(g) && !found; gsi_next(&g))
			found = gimple_assign_load_p(gsi_stmt(g)) &&
				decides_branch(gsi_stmt(g), loop, true);
	free(body);
	return found;
}

/* --- the dependence of an access -------------------------------------------------------------- */
namespace {
struct analysis {
	recurrences data, control;
	std::map<int, bool> branches;        /* number of a loop: does it branch on a load? */
	analysis() : data(false), control(true) {}
};
}
static struct analysis *current;

static bool branches_on_load(class loop *loop)
{
	auto known = current->branches.find(loop->num);

	if (known == current->branches.end())
		known = current->branches.emplace(loop->num, find_branch_on_load(loop)).first;
	return known->second;
}

static tree collect_name(tree *t, int *, void *list)
{
	if (TREE_CODE(*t) == SSA_NAME)
		add_name(static_cast<names *>(list), *t);
	return NULL_TREE;
}

static names address_of(const psc_access &access)
{
	tree address = access.ref ? access.ref : access.pointer;
	names list;

	walk_tree(&address, collect_name, &list, NULL);
	return list;
}

static bool is_chained(tree name, class loop *loop)
{
	const facts &f = current->data.of(name);
	int depth = common_depth(loop, loop_of(name));

	return f.recursive || f.around <= depth ||
		std::min(f.chained, depth) >= (int)loop_depth(loop);
}

static bool is_loaded(tree name, class loop *loop)
{
	return std::min(current->data.of(name).loaded, common_depth(loop, loop_of(name))) >=
		(int)loop_depth(loop);
}

/* Does a branch on an earlier value choose the address?  Either the recurrence of the address and
 * its branches has a load; or the address is no plain induction variable, and the loop goes one way
 * or another by what it loads. */
static bool is_controlled(gimple *stmt, const names &address, class loop *loop)
{
	tree value = gimple_get_lhs(stmt);
	bool regular = true;
	affine_iv iv;

	if (value && TREE_CODE(value) == SSA_NAME && current->control.goes_round(value, loop))
		return true;
	for (tree name : address) {
		if (current->control.goes_round(name, loop))
			return true;
		if (is_loaded(name, loop))
			return false;
		regular = regular && (!flow_bb_inside_loop_p(loop, loop_of(name)->header) ||
			simple_iv(loop, loop, name, &iv, true));
	}
	return !regular && branches_on_load(loop);
}

void psc_dependence_begin(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (auto g = gsi_start_bb(bb); !gsi_end_p(g); gsi_next(&g)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(g));

			if (call && gimple_call_fndecl(call) == cfun->decl)
				self_calls.push_back(call);
		}
	if (number_of_loops(cfun) > 1 || !self_calls.empty())
		current = new analysis;
}

void psc_dependence_end(void)
{
	delete current;
	current = NULL;
	self_calls.clear();
}

unsigned psc_dependence_of(const psc_access &access)
{
	class loop *loop = gimple_bb(access.stmt)->loop_father;
	names address;

	if (!current)
		return PSC_DEP_NONE;
	address = address_of(access);
	for (tree name : address)
		if (is_chained(name, loop))
			return PSC_DEP_CHAINED;
	if (!loop_outer(loop))
		return PSC_DEP_NONE;
	if (is_controlled(access.stmt, address, loop))
		return PSC_DEP_CONTROL;
	return access.kind == PSC_LOAD && decides_branch(access.stmt, loop, false) ?
		PSC_DEP_BRANCH :
		PSC_DEP_NONE;
}

bool psc_in_chain(class loop *loop)
{
	if (!current)
		return false;
	if (current->data.recursive)
		return true;
	for (; loop && loop_outer(loop); loop = loop_outer(loop))
		if (current->data.chain_loops.count(loop->num))
			return true;
	return false;
}

bool psc_chooses_address(tree loaded, class loop *loop)
{
	return current && current->control.goes_round(loaded, loop) &&
		!current->data.goes_round(loaded, loop);
}

bool psc_same_recurrence(tree a, tree b)
{
	return current && current->data.of(a).component == current->data.of(b).component;
}

std::vector<tree> psc_value_operands(tree name)
{
	return operands_of(name, false);
}
