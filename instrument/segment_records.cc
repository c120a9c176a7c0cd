/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes recording code write the address of each memory access to the thread's record buffer (pass
 * psc_access, before isel).  The pass is late, behind the vectoriser, induction variable
 * optimisation and store merging, so that the accesses are those that the machine will make. */
#include "instrument/pscplugin.h"

/* A register holds the buffer pointer throughout a segment: short segments cause fewer spills. */
#define SEGMENT_WORDS 48
/* A block may write PSC_SLACK_WORDS without a check; larger blocks are split. */
#define BLOCK_WORDS (PSC_SLACK_WORDS / 2)

/* --- the code ------------------------------------------------------------------------------- */
static void before(gimple *stmt, gimple *add)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

	gimple_set_location(add, gimple_location(stmt));
	gsi_insert_before(&gsi, add, GSI_SAME_STMT);
}

static void store_word(gimple *at, tree cur, unsigned word, tree value)
{
	tree target = build2(MEM_REF, TREE_TYPE(value), cur, build_int_cst(ptr_type_node,
		8 * word));

	before(at, gimple_build_assign(target, value));
}

static tree range_length(const psc_access *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);

	return force_gimple_operand_gsi(&gsi, fold_convert(uint64_type_node, a->length), true,
		NULL_TREE, true, GSI_SAME_STMT);
}

static tree group_word(const psc_group &group)
{
	const psc_member &first = group.members[0];
	gimple_stmt_iterator gsi = gsi_for_stmt(first.access.stmt);
	tree address = psc_access_address(&first.access);

	if (first.at != group.low)
		address = fold_build_pointer_plus_hwi(address, group.low - first.at);
	return force_gimple_operand_gsi(&gsi, address, true, NULL_TREE, true, GSI_SAME_STMT);
}

static tree load_cursor(gimple *at)
{
	tree cur = make_ssa_name(ptr_type_node);

	before(at, gimple_build_assign(cur, psc_runtime_cur()));
	return cur;
}

static void advance_cursor(gimple *at, tree cur, unsigned words)
{
	tree next = make_ssa_name(ptr_type_node);

	before(at, gimple_build_assign(next, POINTER_PLUS_EXPR, cur, size_int(8 * words)));
	before(at, gimple_build_assign(psc_runtime_cur(), next));
}

/* Emits a segment: stores the descriptor's address at the first access, each group's address at the
 * group's first access, and advances psc_cur before the last group's first access (a statement that
 * may end its block). */
static void emit_segment(const struct psc_groups &segment, tree cur)
{
	gimple *first = segment.list.front().members[0].access.stmt;
	gimple *last = segment.list.back().members[0].access.stmt;
	unsigned word = 1;

	if (!cur)
		cur = load_cursor(first);
	store_word(first, cur, 0, psc_descriptor(segment, PSC_REC_SEGMENT));
	for (auto &group : segment.list) {
		const psc_access &access = group.members[0].access;

		store_word(access.stmt, cur, word++, group_word(group));
		if (group.range_word())
			store_word(access.stmt, cur, word++, range_length(&access));
	}
	advance_cursor(last, cur, word);
}

/* Writes the word of a call in front of it, behind the segment that ends there. */
static void emit_call_line(gimple *call, unsigned line, tree cur)
{
	if (!cur)
		cur = load_cursor(call);
	store_word(call, cur, 0, build_int_cst(uint64_type_node, PSC_REC_CALL(line)));
	advance_cursor(call, cur, 1);
}

static bool is_clone(function *fun)
{
	return lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl)) != NULL_TREE;
}

/* Optimises the recording version for size from here on, that is in instruction selection and
 * layout: it runs only while something is recorded.  Not with -ffast-math and its like, where the
 * choice of instructions may change results. */
static void make_small(function *fun)
{
	if (optimize && !flag_unsafe_math_optimizations)
		cgraph_node::get(fun->decl)->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
}

/* Which blocks record, by index: all of a recording version; in others those between fences. */
static std::vector<bool> find_recorded(function *fun)
{
	std::vector<bool> blocks;

	psc_recorded_blocks(&blocks);
	if (is_clone(fun))
		blocks.assign(last_basic_block_for_fn(fun), true);
	return blocks;
}

static bool in_recording_code(const std::vector<bool> &recorded, basic_block bb)
{
	while ((size_t)bb->index >= recorded.size())    /* split off later */
		bb = single_pred(bb);
	return recorded[bb->index];
}

static bool records(const std::vector<bool> &recorded, basic_block bb)
{
	return in_recording_code(recorded, bb) && !psc_in_loop_record(bb);
}

/* May the statement call a function that writes records of its own? */
static bool may_append(gimple *stmt)
{
	return psc_may_record(stmt) || psc_may_be_own(stmt);
}

typedef std::map<gimple *, unsigned> call_lines;

/* Splits blocks that write words behind a call that may record or has a word, and blocks with too
 * many words. */
static void split_blocks(const std::vector<bool> &recorded, const call_lines &lines)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun) {
		gimple *call = NULL, *previous = NULL;
		size_t words = 0;

		if (!records(recorded, bb))
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			psc_accesses list;

			psc_accesses_of(&list, gsi_stmt(i));
			bool writes = !list.empty() || lines.count(gsi_stmt(i));
			words += 3 * list.size() + lines.count(gsi_stmt(i));
			if (writes && (call || (words > BLOCK_WORDS && previous))) {
				split_block(bb, call ? call : previous);
				break;      /* the walk goes on with the new block */
			}
			if (may_append(gsi_stmt(i)) || lines.count(gsi_stmt(i)))
				call = gsi_stmt(i);
			previous = gsi_stmt(i);
		}
	}
}

/* The block's segments.  A segment ends at a call that may record or has a word, or at
 * SEGMENT_WORDS. */
static std::vector<struct psc_groups> segments_of(basic_block bb, const call_lines &lines)
{
	std::vector<struct psc_groups> done;
	struct psc_groups now;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		psc_accesses accesses;

		psc_accesses_of(&accesses, gsi_stmt(i));
		for (auto &access : accesses)
			now.add(access);
		if (!now.list.empty() &&
		    (may_append(gsi_stmt(i)) || lines.count(gsi_stmt(i)) ||
		     now.words > SEGMENT_WORDS)) {
			done.push_back(now);
			now = psc_groups();
		}
	}
	if (!now.list.empty())
		done.push_back(now);
	return done;
}

struct block {
	basic_block bb;
	std::vector<struct psc_groups> segments;
	gimple *call;           /* behind the segments, whose line is written; NULL: none */
};

/* Does native code lead to the block? */
static bool from_native(const std::vector<bool> &recorded, basic_block bb)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (!in_recording_code(recorded, e->src))
			return true;
	return false;
}

/* Collects all segments before any is emitted: the stores that record them are no accesses. */
static std::vector<struct block> blocks_of(const std::vector<bool> &recorded,
	const call_lines &lines, psc_buffer_uses *uses)
{
	std::vector<struct block> blocks;
	basic_block bb;

	uses->resize(last_basic_block_for_fn(cfun));
	FOR_EACH_BB_FN(bb, cfun) {
		struct psc_buffer_use &use = (*uses)[bb->index];

		for (auto i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (may_append(gsi_stmt(i))) {
				use.calls = true;
				use.last_checks = psc_hook_checks_buffer(gsi_stmt(i));
			}
		if (!records(recorded, bb))
			continue;
		use.entered = from_native(recorded, bb);
		struct block block = { bb, segments_of(bb, lines), NULL };

		for (auto i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (lines.count(gsi_stmt(i)))
				block.call = gsi_stmt(i);
		for (auto &segment : block.segments)
			use.words += 1 + segment.words;
		use.words += block.call != NULL;
		if (use.words)
			blocks.push_back(block);
	}
	return blocks;
}

/* Before anything is emitted: our own statements cost the program nothing. */
static void find_costs(const std::vector<bool> &recorded, std::vector<struct block> *blocks)
{
	for (auto &block : *blocks)
		for (auto &segment : block.segments)
			psc_core_cost_segment(block.bb, &segment);
	psc_loop_records_add_costs();
	psc_core_cost_find(recorded);
}

static void loops_begin(void)
{
	loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
	calculate_dominance_info(CDI_DOMINATORS);
	scev_initialize();
}

static void loops_end(void)
{
	scev_finalize();
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
}

static void record_block(const struct block &block, const call_lines &lines, bool check)
{
	tree cur = check ? psc_buffer_check_insert(block.bb) : NULL_TREE;

	for (auto &segment : block.segments) {
		emit_segment(segment, cur);
		cur = NULL_TREE;
	}
	if (block.call)
		emit_call_line(block.call, lines.at(block.call), cur);
}

namespace {
const pass_data access_data = {
	GIMPLE_PASS, "psc_access", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class access_pass : public gimple_opt_pass {
public:
	access_pass(gcc::context *ctx) : gimple_opt_pass(access_data, ctx) {}
	bool gate(function *fun) final override
	{
		return is_clone(fun) || psc_has_fences(fun);
	}
	unsigned int execute(function *fun) final override
	{
		std::vector<struct block> blocks;
		std::vector<bool> recorded;
		psc_buffer_uses uses;
		call_lines lines;

		if (is_clone(fun))
			make_small(fun);
		loops_begin();
		recorded = find_recorded(fun);
		psc_dependence_begin();
		psc_loop_records_find(recorded);
		lines = psc_call_lines(recorded);
		split_blocks(recorded, lines);
		blocks = blocks_of(recorded, lines, &uses);
		find_costs(recorded, &blocks);
		psc_dependence_end();
		loops_end();
		psc_loop_records_buffer_use(&uses);
		psc_buffer_checks_plan(&uses);
		psc_loop_records_emit(uses);
		for (auto &block : blocks)
			record_block(block, lines, uses[block.bb->index].check);
		psc_affine_forget();
		psc_descriptors_finish();
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};
}

opt_pass *psc_pass_access(gcc::context *ctx)
{
	return new access_pass(ctx);
}
