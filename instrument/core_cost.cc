/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates what a core needs for the code around the recorded accesses, all data in the first
 * cache level (struct psc_work).  The monitor sees only records, so each block's cost is added to
 * one: that of its loop record, of its own segments, or of the nearest segment before it in its
 * loop, weighted by how often the profile expects the block for each execution of the segment.  A
 * loop without records counts in the segments of the loop around it.  Not seen: functions without
 * any access, which have no recording version.
 *
 * An iteration of a loop takes at least as long as its longest recurrence: the longest path through
 * a PHI of the header back to itself. */
#include "instrument/pscplugin.h"
#include "sreal.h"
#include <cmath>

/* Operations a cycle: instructions; loads, stores and floating-point operations of any width. */
#define ISSUE_WIDTH 6.0
#define LOADS_A_CYCLE 3.0
#define STORES_A_CYCLE 2.0
#define FLOATS_A_CYCLE 2.0
/* A branch on loaded data is right half the time if GCC knows no better; it knows from a profile,
 * or where a branch is said to be unlikely. */
#define UNKNOWN_BRANCH 0.5
#define UNLIKELY_BRANCH 0.15
/* A value is followed back to a load through so many operations; a test in front of a
 * loop, through so many blocks. */
#define STEPS_FROM_LOAD 8
#define COPIES_OF_TEST 3
/* Expected iterations without a profile.  Code around a loop counts in the loop's record if the
 * code has none: as if the loop were long, since the records of long loops matter. */
#define ITERATIONS 8.0
#define LONG_LOOP 32.0
#define MOST_WEIGHT 1000.0
/* A call of unknown time counts where it is made so often, for each
 * execution of what it counts with. */
#define CALLED_AT_ALL 0.01
/* Recurrences with more statements are cut off; segments further off are not looked for. */
#define MAX_RECURRENCE 4096
#define MAX_CARRIERS 64

struct cost {
	double statements = 0, loads = 0, stores = 0, floats = 0, divider = 0, called = 0;
	double carried = 0, chain = 0, mispredicts = 0;
	bool unknown = false;
};

/* A block with segments, or a loop with a record: in front of the others' cost. */
struct carrier {
	basic_block bb;                  /* a loop's header */
	class loop *record;              /* NULL: segments */
	std::vector<struct psc_groups *> parts;
	std::vector<struct cost> costs;
};

static std::vector<struct carrier> carriers;

void psc_core_cost_segment(basic_block bb, struct psc_groups *segment)
{
	if (carriers.empty() || carriers.back().bb != bb)
		carriers.push_back({ bb, NULL, {}, {} });
	carriers.back().parts.push_back(segment);
	carriers.back().costs.push_back(cost());
}

void psc_core_cost_loop(class loop *loop, struct psc_groups *record)
{
	carriers.push_back({ loop->header, loop, { record }, { cost() } });
}

/* --- sums ------------------------------------------------------------------------------------- */
static void add_operation(struct cost *sum, const struct psc_operation &op)
{
	sum->statements += op.statements;
	sum->loads += op.loads;
	sum->stores += op.stores;
	sum->floats += op.floats;
	sum->divider += op.divider;
	sum->called += op.called;
	sum->unknown = sum->unknown || op.unknown;
}

static void add_cost(struct cost *sum, const struct cost &add, double weight)
{
	sum->statements += weight * add.statements;
	sum->loads += weight * add.loads;
	sum->stores += weight * add.stores;
	sum->floats += weight * add.floats;
	sum->divider += weight * add.divider;
	sum->called += weight * add.called;
	sum->mispredicts += weight * add.mispredicts;
	sum->chain += std::min(weight, 1.0) * add.chain;
	sum->unknown = sum->unknown || (add.unknown && weight >= CALLED_AT_ALL);
}

static double throughput_of(const struct cost &c)
{
	double cycles = (c.statements - c.called * PSC_CALLED_STATEMENTS) / ISSUE_WIDTH;

	cycles = std::max(cycles, c.loads / LOADS_A_CYCLE);
	cycles = std::max(cycles, c.stores / STORES_A_CYCLE);
	cycles = std::max(cycles, c.floats / FLOATS_A_CYCLE);
	return std::max(cycles, c.divider) + c.called;
}

static uint16_t in_units(double value, double unit)
{
	return std::min(value * unit + 0.5, (double)UINT16_MAX);
}

static struct psc_work work_of(const struct cost &c, bool in_chain)
{
	struct psc_work work;

	work.statements = std::max(1, (int)in_units(c.statements, 1));
	work.throughput = in_units(throughput_of(c), PSC_WORK_UNIT);
	work.carried = in_units(c.carried, PSC_WORK_UNIT);
	work.chain = in_units(c.chain, PSC_WORK_UNIT);
	work.mispredicts = in_units(c.mispredicts, PSC_WORK_MISPREDICT_UNIT);
	work.flags = (in_chain ? PSC_WORK_IN_CHAIN : 0) | (c.unknown ? PSC_WORK_CALLS : 0);
	return work;
}

/* --- how often a block runs for each execution of another ------------------------------------- */
static double ratio(basic_block bb, basic_block to)
{
	double by;

	if (bb == to)
		return 1;
	if (!bb->count.initialized_p() || !to->count.initialized_p() || !to->count.nonzero_p())
		by = std::pow(ITERATIONS, (int)bb_loop_depth(bb) - (int)bb_loop_depth(to));
	else
		by = bb->count.to_sreal_scale(to->count).to_double();
	return std::min(by, MOST_WEIGHT);
}

/* The same for a block whose cost counts in a carrier. */
static double weight_in(const struct carrier &carrier, basic_block bb)
{
	double by = ratio(bb, carrier.bb);

	if (bb_loop_depth(carrier.bb) > bb_loop_depth(bb) && !bb->count.reliable_p())
		by = std::min(by, 1 / LONG_LOOP);
	return by;
}

/* --- the carrier of a block ------------------------------------------------------------------- */
namespace {
/* Looks for carriers.  Numbers are indices into `carriers`, or -1. */
class carrier_search {
public:
	carrier_search(const std::vector<int> &rpo);
	int of(basic_block bb) const;
	int first_in(class loop *loop) const { return first[loop->num]; }
	bool has_inside(class loop *loop) const { return inside[loop->num] >= 0; }
	/* One that is executed in each iteration, else the first. */
	int of_iteration(class loop *loop) const;
private:
	int before(basic_block bb, class loop *loop) const;

	std::vector<int> nearest;        /* by block: its own, or the nearest that dominates it */
	std::vector<int> first, inside;  /* by loop: its first; also in loops inside */
	std::vector<std::vector<int>> all;   /* by loop: its own */
};
}

/* Loop records count as inside of the loop that they describe. */
static class loop *loop_of(const struct carrier &c)
{
	return c.bb->loop_father;
}

carrier_search::carrier_search(const std::vector<int> &rpo)
	: nearest(last_basic_block_for_fn(cfun), -1), first(number_of_loops(cfun), -1),
	  inside(number_of_loops(cfun), -1), all(number_of_loops(cfun))
{
	std::vector<int> own(last_basic_block_for_fn(cfun), -1);

	for (size_t i = 0; i < carriers.size(); i++)
		own[carriers[i].bb->index] = i;
	for (int index : rpo) {
		basic_block bb = BASIC_BLOCK_FOR_FN(cfun, index);
		basic_block up = get_immediate_dominator(CDI_DOMINATORS, bb);
		class loop *loop = bb->loop_father;

		nearest[index] = own[index] >= 0 || !up ? own[index] : nearest[up->index];
		if (own[index] < 0)
			continue;
		all[loop->num].push_back(own[index]);
		if (first[loop->num] < 0)
			first[loop->num] = own[index];
		for (; loop; loop = loop_outer(loop))
			if (inside[loop->num] < 0)
				inside[loop->num] = own[index];
	}
}

/* The nearest carrier of the loop itself that dominates the block. */
int carrier_search::before(basic_block bb, class loop *loop) const
{
	for (int n = 0; n < MAX_CARRIERS && nearest[bb->index] >= 0; n++) {
		const struct carrier &c = carriers[nearest[bb->index]];

		if (loop_of(c) == loop)
			return nearest[bb->index];
		bb = get_immediate_dominator(CDI_DOMINATORS, c.bb);
		if (!bb)
			break;
	}
	return -1;
}

int carrier_search::of(basic_block bb) const
{
	for (class loop *loop = bb->loop_father; loop; loop = loop_outer(loop)) {
		int found = before(bb, loop);

		if (found < 0)
			found = first[loop->num];
		if (found < 0)
			found = inside[loop->num];
		if (found >= 0)
			return found;
	}
	return -1;
}

int carrier_search::of_iteration(class loop *loop) const
{
	for (int i : all[loop->num])
		if (dominated_by_p(CDI_DOMINATORS, loop->latch, carriers[i].bb))
			return i;
	return first[loop->num];
}

/* --- paths of dependent operations ------------------------------------------------------------ */
namespace {
class paths {
public:
	paths() : depth(num_ssa_names), place(num_ssa_names), memo(num_ssa_names) {}
	/* The longest in a block.  Blocks with the same number of `unit` count as one. */
	double in_block(basic_block bb, int unit);
	double around(class loop *loop);
private:
	void follow(gimple *stmt, double latency, int unit, double *longest);
	double back_to(gphi *phi, tree value, class loop *loop, int *left);

	struct known {
		gphi *target = NULL;
		double length = 0;
	};
	std::vector<double> depth;       /* by SSA version: of the longest path to it */
	std::vector<int> place;          /* the unit that this is for, plus 1 */
	std::vector<known> memo;         /* lengths of paths back to a PHI */
};
}

void paths::follow(gimple *stmt, double latency, int unit, double *longest)
{
	ssa_op_iter i;
	double from = 0;
	tree name;

	FOR_EACH_SSA_TREE_OPERAND(name, stmt, i, SSA_OP_USE)
		if (SSA_NAME_VERSION(name) < place.size() && place[SSA_NAME_VERSION(name)] == unit +
		    1)
			from = std::max(from, depth[SSA_NAME_VERSION(name)]);
	*longest = std::max(*longest, from + latency);
	FOR_EACH_SSA_TREE_OPERAND(name, stmt, i, SSA_OP_DEF) {
		depth[SSA_NAME_VERSION(name)] = from + latency;
		place[SSA_NAME_VERSION(name)] = unit + 1;
	}
}

double paths::in_block(basic_block bb, int unit)
{
	double longest = 0;

	for (auto p = gsi_start_phis(bb); !gsi_end_p(p); gsi_next(&p)) {
		gphi *phi = p.phi();
		tree result = gimple_phi_result(phi);

		if (virtual_operand_p(result) || bb->loop_father->header == bb)
			continue;
		for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
			tree arg = gimple_phi_arg_def(phi, i);
			unsigned v = TREE_CODE(arg) == SSA_NAME ? SSA_NAME_VERSION(arg) : 0;
			double &to = depth[SSA_NAME_VERSION(result)];

			if (place[SSA_NAME_VERSION(result)] != unit + 1)
				to = 0;
			place[SSA_NAME_VERSION(result)] = unit + 1;
			if (v && place[v] == unit + 1)
				to = std::max(to, depth[v]);
		}
	}
	for (auto g = gsi_start_bb(bb); !gsi_end_p(g); gsi_next(&g))
		if (!is_gimple_debug(gsi_stmt(g)))
			follow(gsi_stmt(g), psc_operation_of(gsi_stmt(g)).latency, unit, &longest);
	return longest;
}

/* The longest path from the PHI to the value inside the loop's iteration; negative: none. */
double paths::back_to(gphi *phi, tree value, class loop *loop, int *left)
{
	const double none = -1e9;
	gimple *stmt;
	double longest = none;

	if (TREE_CODE(value) != SSA_NAME || !psc_same_recurrence(value, gimple_phi_result(phi)))
		return none;
	stmt = SSA_NAME_DEF_STMT(value);
	if (stmt == phi)
		return 0;
	if (!gimple_bb(stmt) || !flow_bb_inside_loop_p(loop, gimple_bb(stmt)) || --*left < 0 ||
	    (gimple_code(stmt) == GIMPLE_PHI && gimple_bb(stmt) == loop->header))
		return none;
	if (memo[SSA_NAME_VERSION(value)].target == phi)
		return memo[SSA_NAME_VERSION(value)].length;
	memo[SSA_NAME_VERSION(value)] = { phi, none };
	for (tree operand : psc_value_operands(value))
		longest = std::max(longest, back_to(phi, operand, loop, left));
	longest += psc_operation_of(stmt).latency;
	memo[SSA_NAME_VERSION(value)].length = longest;
	return longest;
}

double paths::around(class loop *loop)
{
	edge latch = loop_latch_edge(loop);
	double longest = 0;

	for (auto p = gsi_start_phis(loop->header); latch && !gsi_end_p(p); gsi_next(&p)) {
		int left = MAX_RECURRENCE;

		if (!virtual_operand_p(gimple_phi_result(p.phi())))
			longest = std::max(longest, back_to(p.phi(),
				PHI_ARG_DEF_FROM_EDGE(p.phi(), latch), loop, &left));
	}
	return longest;
}

/* --- branches --------------------------------------------------------------------------------- */
/* The value of a load in the loop that this one is computed from, or NULL_TREE. */
static tree loaded_for(tree value, class loop *loop, int steps)
{
	gimple *stmt = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
	tree use, loaded = NULL_TREE;
	ssa_op_iter i;

	if (!stmt || !gimple_bb(stmt) || !flow_bb_inside_loop_p(loop, gimple_bb(stmt)))
		return NULL_TREE;
	if (gimple_assign_load_p(stmt))
		return value;
	if (!steps || !is_gimple_assign(stmt))
		return NULL_TREE;
	FOR_EACH_SSA_TREE_OPERAND(use, stmt, i, SSA_OP_USE)
		if (!loaded)
			loaded = loaded_for(use, loop, steps - 1);
	return loaded;
}

/* What the loop loads and the block's last statement branches on, or NULL_TREE. */
static tree branch_on_load(basic_block bb, class loop *loop)
{
	gimple *last = last_stmt(bb);
	tree loaded;

	if (!last || !loop_outer(loop))
		return NULL_TREE;
	if (gimple_code(last) == GIMPLE_SWITCH)
		return loaded_for(gimple_switch_index(as_a<gswitch *>(last)), loop,
			STEPS_FROM_LOAD);
	if (gimple_code(last) != GIMPLE_COND)
		return NULL_TREE;
	loaded = loaded_for(gimple_cond_lhs(last), loop, STEPS_FROM_LOAD);
	return loaded ? loaded : loaded_for(gimple_cond_rhs(last), loop, STEPS_FROM_LOAD);
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

/* How often the branch at the block's end goes another way than predicted. */
static double mispredicts(basic_block bb)
{
	profile_probability p = EDGE_SUCC(bb, 0)->probability;
	double other;

	if (!p.initialized_p())
		return UNKNOWN_BRANCH;
	other = p.to_reg_br_prob_base() / (double)REG_BR_PROB_BASE;
	other = std::min(other, 1 - other);
	return p.reliable_p() || other < UNLIKELY_BRANCH ? other : UNKNOWN_BRANCH;
}

/* A block between a branch and where its ways meet, with one operation at most that may as
 * well be executed always. */
static bool is_arm(basic_block bb)
{
	int n = 0;

	if (!single_pred_p(bb) || !single_succ_p(bb))
		return false;
	for (auto g = gsi_start_bb(bb); !gsi_end_p(g); gsi_next(&g)) {
		gimple *stmt = gsi_stmt(g);

		if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_LABEL)
			continue;
		if (!is_gimple_assign(stmt) || gimple_vuse(stmt) || gimple_could_trap_p(stmt) ||
		    ++n > 1)
			return false;
	}
	return true;
}

/* The edge by which the way through e reaches the block `to`, or NULL. */
static edge way_to(edge e, basic_block to)
{
	if (e->dest == to)
		return e;
	return is_arm(e->dest) && single_succ(e->dest) == to ? single_succ_edge(e->dest) : NULL;
}

/* Of the values that depend on the way by which the block is reached, is there one alone, that fits
 * a conditional move? */
static bool chooses_one(basic_block bb, edge a, edge b)
{
	int n = 0;

	for (auto p = gsi_start_phis(bb); !gsi_end_p(p); gsi_next(&p)) {
		tree result = gimple_phi_result(p.phi());

		if (operand_equal_p(PHI_ARG_DEF_FROM_EDGE(p.phi(), a),
		    PHI_ARG_DEF_FROM_EDGE(p.phi(), b), 0))
			continue;
		if (virtual_operand_p(result) || ++n > 1 ||
		    !(INTEGRAL_TYPE_P(TREE_TYPE(result)) || POINTER_TYPE_P(TREE_TYPE(result))))
			return false;
	}
	return n == 1;
}

/* Will GCC make conditional moves of the branch?  It does so later, where a
 * branch chooses one value. */
static bool becomes_move(basic_block bb)
{
	basic_block to;
	edge a, b;

	if (EDGE_COUNT(bb->succs) != 2 || gimple_code(last_stmt(bb)) != GIMPLE_COND)
		return false;
	a = EDGE_SUCC(bb, 0);
	b = EDGE_SUCC(bb, 1);
	to = is_arm(a->dest) ? single_succ(a->dest) : a->dest;
	a = way_to(a, to);
	b = way_to(b, to);
	return a && b && a != b && chooses_one(to, a, b);
}

/* Does the branch end the loop?  Not if it chooses the next address of what it looks at: GCC may
 * take one of the ways of a binary search for a loop inside the other. */
static bool ends(basic_block bb, tree loaded, class loop *loop)
{
	return leaves(bb, loop) && !psc_chooses_address(loaded, loop);
}

namespace {
/* Which blocks mispredict how often, when they are executed once. */
class branch_costs {
public:
	branch_costs();
	double of(basic_block bb) const { return at[bb->index]; }
private:
	void enter(class loop *loop);

	std::vector<double> at;
};
}

/* The end of a loop by what it loads comes as a surprise once for each time that it is entered.
 * Copies of the test in front of the loop are part of that. */
void branch_costs::enter(class loop *loop)
{
	basic_block bb = loop_preheader_edge(loop)->src;

	for (int n = 0; n < COPIES_OF_TEST && single_pred_p(bb); n++) {
		basic_block up = single_pred(bb);

		if (up->loop_father != loop_outer(loop) || EDGE_COUNT(up->succs) != 2 ||
		    !branch_on_load(up, loop_outer(loop)))
			break;
		bb = up;
		at[bb->index] = 0;
	}
	at[bb->index] += 1;
}

branch_costs::branch_costs() : at(last_basic_block_for_fn(cfun))
{
	std::set<class loop *> ended;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun) {
		class loop *loop = bb->loop_father;
		tree loaded = branch_on_load(bb, loop);

		if (loaded && ends(bb, loaded, loop))
			ended.insert(loop);
		else if (loaded && !becomes_move(bb))
			at[bb->index] = leaves(bb, loop) ? UNKNOWN_BRANCH : mispredicts(bb);
	}
	for (auto loop : loops_list(cfun, 0))
		if (ended.count(loop))
			enter(loop);
}

/* --- blocks and loops ------------------------------------------------------------------------- */
static void add_statements(struct cost *sum, basic_block bb)
{
	for (auto g = gsi_start_bb(bb); !gsi_end_p(g); gsi_next(&g))
		if (!is_gimple_debug(gsi_stmt(g)))
			add_operation(sum, psc_operation_of(gsi_stmt(g)));
}

/* A statement counts in the first segment that does not end before it, else in the last one. */
static void add_to_segments(struct carrier *c)
{
	size_t part = 0;

	for (auto g = gsi_start_bb(c->bb); !gsi_end_p(g); gsi_next(&g)) {
		gimple *stmt = gsi_stmt(g);

		if (is_gimple_debug(stmt))
			continue;
		add_operation(&c->costs[part], psc_operation_of(stmt));
		if (part + 1 < c->parts.size() &&
		    stmt == c->parts[part]->list.back().members[0].access.stmt)
			part++;
	}
}

static void add_block(basic_block bb, int number, const struct cost &cost)
{
	struct carrier &c = carriers[number];

	if (c.bb == bb && !c.record) {
		add_to_segments(&c);
		c.costs.back().chain += cost.chain;
		c.costs.back().mispredicts += cost.mispredicts;
		return;
	}
	add_cost(&c.costs.back(), cost, weight_in(c, bb));
}

static bool is_recorded(basic_block bb, const std::vector<bool> &recorded)
{
	return (size_t)bb->index >= recorded.size() || recorded[bb->index];
}

/* The longest path of a loop with a record is one over all its blocks. */
static void add_blocks(const std::vector<int> &rpo, const std::vector<bool> &recorded,
	const carrier_search &search, paths *paths)
{
	branch_costs branches;

	for (int index : rpo) {
		basic_block bb = BASIC_BLOCK_FOR_FN(cfun, index);
		int number = search.of(bb);
		bool whole = number >= 0 && carriers[number].record == bb->loop_father;
		int unit = whole ? carriers[number].bb->index : index;
		struct cost cost;

		if (number < 0 || !is_recorded(bb, recorded))
			continue;
		cost.chain = paths->in_block(bb, unit);
		cost.mispredicts = branches.of(bb);
		add_statements(&cost, bb);
		if (whole) {
			struct ::cost &sum = carriers[number].costs[0];
			double longest = std::max(sum.chain, cost.chain);

			add_block(bb, number, cost);
			sum.chain = longest;
		} else {
			add_block(bb, number, cost);
		}
	}
}

/* A loop that can be the phase has a recording body beside the native one: its header is not
 * recorded, but an iteration. */
static void add_recurrence(class loop *loop, bool header_recorded, const carrier_search &search,
	paths *paths)
{
	int number = search.of_iteration(loop);
	double cycles;

	if (number < 0 && (search.has_inside(loop) || !header_recorded))
		return;                /* the recurrences of the loops inside take longer */
	cycles = paths->around(loop);
	if (number >= 0) {
		double &carried = carriers[number].costs[0].carried;
		double times = header_recorded ? ratio(loop->header, carriers[number].bb) : 1;

		carried = std::max(carried, cycles * times);
		return;
	}
	number = search.of(loop->header);
	if (number >= 0)
		carriers[number].costs.back().chain += cycles *
			weight_in(carriers[number], loop->header);
}

static std::vector<int> blocks_in_order(void)
{
	std::vector<int> order(n_basic_blocks_for_fn(cfun));

	order.resize(pre_and_rev_post_order_compute(NULL, order.data(), false));
	return order;
}

void psc_core_cost_find(const std::vector<bool> &recorded)
{
	if (!carriers.empty()) {
		std::vector<int> rpo = blocks_in_order();
		carrier_search search(rpo);
		paths paths;

		add_blocks(rpo, recorded, search, &paths);
		for (auto loop : loops_list(cfun, 0))
			add_recurrence(loop, is_recorded(loop->header, recorded), search, &paths);
	}
	for (auto &c : carriers)
		for (size_t i = 0; i < c.parts.size(); i++)
			c.parts[i]->work = work_of(c.costs[i], psc_in_chain(loop_of(c)));
	carriers.clear();
}
