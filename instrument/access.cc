/* SPDX-License-Identifier: BSD-3-Clause */
/* Pass A, before isel: in the recording clones, every memory access also stores its address into
 * the thread's buffer.  This late, the accesses are those that the machine will make: the
 * vectoriser, induction variables and store merging are through. */
#include "instrument/pscplugin.h"

/* Registers hold a segment's pointer: a short segment spills less. */
#define SEGMENT_WORDS 48
/* A block may write PSC_SLACK_WORDS without asking; a larger one is split. */
#define BLOCK_WORDS (PSC_SLACK_WORDS / 2)

/* --- the code ---------------------------------------------------------------------------------------- */
static void before(gimple *stmt, gimple *add)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);

	gimple_set_location(add, gimple_location(stmt));
	gsi_insert_before(&gsi, add, GSI_SAME_STMT);
}

static void store_word(gimple *at, tree cur, unsigned word, tree value)
{
	tree target = build2(MEM_REF, TREE_TYPE(value), cur, build_int_cst(ptr_type_node, 8 * word));

	before(at, gimple_build_assign(target, value));
}

static tree range_length(const psc_touch *a)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(a->stmt);

	return force_gimple_operand_gsi(&gsi, fold_convert(uint64_type_node, a->length), true,
		NULL_TREE, true, GSI_SAME_STMT);
}

static tree group_word(const psc_group &group)
{
	const psc_member &first = group.members[0];
	gimple_stmt_iterator gsi = gsi_for_stmt(first.touch.stmt);
	tree address = psc_touch_address(&first.touch);

	if (first.at != group.low)
		address = fold_build_pointer_plus_hwi(address, group.low - first.at);
	return force_gimple_operand_gsi(&gsi, address, true, NULL_TREE, true, GSI_SAME_STMT);
}

/* One segment: the header, each group's address next to its first access, and psc_cur once. */
static void emit_segment(const struct psc_groups &segment, tree cur)
{
	gimple *first = segment.list.front().members[0].touch.stmt;
	gimple *last = segment.list.back().members[0].touch.stmt;
	unsigned word = 1;

	if (!cur) {
		cur = make_ssa_name(ptr_type_node);
		before(first, gimple_build_assign(cur, psc_runtime_cur()));
	}
	store_word(first, cur, 0, psc_descriptor(segment, PSC_REC_SEGMENT));
	for (auto &group : segment.list) {
		const psc_touch &touch = group.members[0].touch;

		store_word(touch.stmt, cur, word++, group_word(group));
		if (group.range_word())
			store_word(touch.stmt, cur, word++, range_length(&touch));
	}
	tree next = make_ssa_name(ptr_type_node);
	before(last, gimple_build_assign(next, POINTER_PLUS_EXPR, cur, size_int(8 * word)));
	before(last, gimple_build_assign(psc_runtime_cur(), next));
}

static bool is_clone(function *fun)
{
	return lookup_attribute(PSC_CLONE_ATTRIBUTE, DECL_ATTRIBUTES(fun->decl)) != NULL_TREE;
}

/* A clone runs while something is recorded only: what is left to do to it, which is no more than
 * choosing instructions and placing them, is done for size.  Without -ffast-math and its like that
 * leaves every result as it is. */
static void make_small(function *fun)
{
	if (optimize && !flag_unsafe_math_optimizations)
		cgraph_node::get(fun->decl)->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
}

/* By index: all blocks of a clone; of a native version, what lies between marks (switch.cc). */
static std::vector<bool> find_recorded(function *fun)
{
	std::vector<bool> blocks;

	psc_switch_blocks(&blocks);
	if (is_clone(fun))
		blocks.assign(last_basic_block_for_fn(fun), true);
	return blocks;
}

static bool records(const std::vector<bool> &recorded, basic_block bb)
{
	while ((size_t)bb->index >= recorded.size())    /* split off since */
		bb = single_pred(bb);
	return recorded[bb->index] && !psc_stream_block(bb);
}

/* Words may be written there that are not this function's. */
static bool others_write(gimple *stmt)
{
	return psc_may_record(stmt) || psc_may_be_own(stmt);
}

/* A block that has accesses after a call that may record, or more than fit, becomes two. */
static void split_blocks(const std::vector<bool> &recorded)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun) {
		gimple *call = NULL, *previous = NULL;
		size_t words = 0;

		if (!records(recorded, bb))
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			psc_touches list;

			psc_touches_of(&list, gsi_stmt(i));
			words += 3 * list.size();
			if (!list.empty() && (call || (words > BLOCK_WORDS && previous))) {
				split_block(bb, call ? call : previous);
				break;      /* the rest is the next block of the walk */
			}
			if (others_write(gsi_stmt(i)))
				call = gsi_stmt(i);
			previous = gsi_stmt(i);
		}
	}
}

/* The block's segments: a call that may record, and a segment's size, end one. */
static std::vector<struct psc_groups> segments_of(basic_block bb)
{
	std::vector<struct psc_groups> done;
	struct psc_groups now;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		psc_touches touches;

		psc_touches_of(&touches, gsi_stmt(i));
		for (auto &touch : touches)
			now.add(touch);
		if (!now.list.empty() &&
		    (others_write(gsi_stmt(i)) || now.words > SEGMENT_WORDS)) {
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
};

/* What is to be written where, before anything is: our own stores are no accesses. */
static std::vector<struct block> blocks_of(const std::vector<bool> &recorded, psc_rooms *rooms)
{
	std::vector<struct block> blocks;
	basic_block bb;

	rooms->resize(last_basic_block_for_fn(cfun));
	FOR_EACH_BB_FN(bb, cfun) {
		struct psc_room &room = (*rooms)[bb->index];

		for (auto i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (others_write(gsi_stmt(i))) {
				room.calls = true;
				room.fresh = psc_mark_gives_room(gsi_stmt(i));
			}
		if (!records(recorded, bb))
			continue;
		blocks.push_back({ bb, segments_of(bb) });
		for (auto &segment : blocks.back().segments)
			room.words += 1 + segment.words;
		if (blocks.back().segments.empty())
			blocks.pop_back();
	}
	return blocks;
}

static void record_block(const struct block &block, bool check)
{
	tree cur = check ? psc_room_check(block.bb) : NULL_TREE;

	for (auto &segment : block.segments) {
		emit_segment(segment, cur);
		cur = NULL_TREE;
	}
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
		return is_clone(fun) || psc_switch_has_marks(fun);
	}
	unsigned int execute(function *fun) final override
	{
		std::vector<struct block> blocks;
		std::vector<bool> recorded;
		psc_rooms rooms;

		if (is_clone(fun))
			make_small(fun);
		psc_streams_begin();
		recorded = find_recorded(fun);
		psc_streams_find(recorded);
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		split_blocks(recorded);
		blocks = blocks_of(recorded, &rooms);
		psc_streams_room(&rooms);
		psc_rooms_plan(&rooms);
		psc_streams_emit(rooms);
		for (auto &block : blocks)
			record_block(block, rooms[block.bb->index].check);
		psc_forms_forget();
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
