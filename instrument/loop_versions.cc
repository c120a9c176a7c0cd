/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates the body of every loop that can be the phase, so that recording can begin and end
 * while the function runs.  A phase loop may be all of main, whose entry is executed before
 * anything is measured:
 *     for (…) { if (__psc_recording) recording body; else body; __psc_phase_next(…); }
 * This stays a natural loop for the optimisers, as do the loops in both bodies.  Fences tell pass
 * psc_access which blocks record: "on" where the recording body begins, "off" on every edge out of
 * it.  A fence is an empty asm: no optimiser moves memory accesses across it, it may be duplicated,
 * and it does nothing where pass psc_access does not run (a link without the plugin). */
#include "instrument/pscplugin.h"
#include "cfgloop.h"

#define FENCE_ON "# psc: on"
#define FENCE_OFF "# psc: off"

/* The recording body gets 1/SHARE of the profile: little enough that GCC lays it out apart from the
 * native body, enough that GCC optimises it for speed, too. */
#define SHARE 64

struct phase_body {
	class loop *loop;
	basic_block test;                  /* will test __psc_recording once an execution */
	basic_block first;                 /* its only successor */
	std::vector<basic_block> blocks;
};

static gimple *make_fence(const char *text)
{
	vec<tree, va_gc> *clobbers = NULL;

	vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(7, "memory")));
	gasm *fence = gimple_build_asm_vec(text, NULL, NULL, clobbers, NULL);
	gimple_asm_set_volatile(fence, true);
	return fence;
}

/* 1: on; 0: off; -1: no fence. */
static int fence_of(gimple *stmt)
{
	gasm *fence = dyn_cast<gasm *>(stmt);

	if (!fence || !startswith(gimple_asm_string(fence), "# psc: "))
		return -1;
	return strcmp(gimple_asm_string(fence), FENCE_ON) == 0;
}

/* --- pass psc_versions: which loops --------------------------------------------------------- */
bool psc_block_records(basic_block bb, const psc_clones &undispatched)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		psc_accesses list;

		if (is_gimple_call(gsi_stmt(i)) && undispatched.count(psc_called(gsi_stmt(i))))
			return true;
		psc_accesses_of(&list, gsi_stmt(i));
		if (!list.empty() || psc_library_reads(gsi_stmt(i)))
			return true;
	}
	return false;
}

/* The loops with phase boundaries, outer loops first, and the regions of each. */
static std::vector<std::pair<class loop *, std::set<int>>> phase_loops(void)
{
	std::map<class loop *, std::set<int>> found;
	std::vector<std::pair<class loop *, std::set<int>>> list;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_which(gsi_stmt(i)) == FN_PHASE_NEXT &&
			    loop_depth(bb->loop_father) > 0)
				found[bb->loop_father].insert(tree_to_uhwi(gimple_call_arg(gsi_stmt(i), 1)));
	for (auto &entry : found)
		list.push_back(entry);
	std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
		return loop_depth(a.first) != loop_depth(b.first) ?
			loop_depth(a.first) < loop_depth(b.first) : a.first->num < b.first->num;
	});
	return list;
}

std::vector<basic_block> psc_blocks_outside_phase_loops(void)
{
	std::set<class loop *> loops;
	std::vector<basic_block> blocks;
	basic_block bb;

	for (auto &entry : phase_loops())
		loops.insert(entry.first);
	FOR_EACH_BB_FN(bb, cfun) {
		class loop *loop = bb->loop_father;

		while (loop && !loops.count(loop))
			loop = loop_outer(loop);
		if (!loop)
			blocks.push_back(bb);
	}
	return blocks;
}

static bool has_address_label(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		glabel *label = dyn_cast<glabel *>(gsi_stmt(i));

		if (!label)
			return false;
		if (DECL_NONLOCAL(gimple_label_label(label)) ||
		    FORCED_LABEL(gimple_label_label(label)))
			return true;
	}
	return false;
}

static bool has_symbol_asm(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (psc_asm_defines_symbol(gsi_stmt(i)))
			return true;
	return false;
}

/* Can control enter or leave the block by edges that a copy cannot have, or may it not be
 * duplicated? */
static bool cannot_copy(basic_block bb)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & (EDGE_ABNORMAL | EDGE_EH))     /* a landing pad belongs to one EH
							       * region */
			return true;
	FOR_EACH_EDGE(e, ei, bb->succs)
		if (e->flags & EDGE_ABNORMAL)
			return true;
	return has_address_label(bb) || has_symbol_asm(bb) || !can_duplicate_block_p(bb);
}

static bool cannot_copy(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	bool odd = loop->latch == NULL;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		odd |= cannot_copy(body[i]);
	free(body);
	return odd;
}

bool psc_loop_versions_refused(function *fun)
{
	bool refuses = false;

	push_cfun(fun);
	calculate_dominance_info(CDI_DOMINATORS);
	loop_optimizer_init(LOOPS_NORMAL);
	for (auto &entry : phase_loops())
		refuses |= cannot_copy(entry.first);
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
	pop_cfun();
	return refuses;
}

/* 1: copy it; 0: it has no accesses to record; -1: it cannot be copied. */
static int survey(class loop *loop, const psc_clones &undispatched)
{
	basic_block *body = get_loop_body(loop);
	bool accesses = false;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		accesses |= psc_block_records(body[i], undispatched);
	free(body);
	return !accesses ? 0 : cannot_copy(loop) ? -1 : 1;
}

/* --- pass psc_versions: the copy ------------------------------------------------------------ */
/* The edge on which to test __psc_recording: behind the exit test of a loop that is tested at its
 * top, so that pass ch can still rotate the loop.  NULL, the header itself: the exit test makes
 * accesses. */
static edge deciding_edge(class loop *loop, const psc_clones &undispatched)
{
	basic_block header = loop->header;
	edge stay = NULL, e;
	edge_iterator ei;
	int inside = 0;

	FOR_EACH_EDGE(e, ei, header->succs)
		if (flow_bb_inside_loop_p(loop, e->dest)) {
			stay = e;
			inside++;
		}
	if (EDGE_COUNT(header->succs) == 2 && inside == 1 && stay->dest != header &&
	    !(stay->flags & (EDGE_ABNORMAL | EDGE_EH)) &&
	    gsi_one_before_end_p(gsi_last_bb(header)) &&
	    gimple_code(last_stmt(header)) == GIMPLE_COND &&
	    !psc_block_records(header, undispatched))
		return stay;
	return NULL;
}

static struct phase_body split_body(class loop *loop, const psc_clones &undispatched)
{
	struct phase_body b = { loop, NULL, NULL, {} };
	basic_block latch = split_edge(loop_latch_edge(loop)), *body;
	edge decide = deciding_edge(loop, undispatched);

	if (decide) {
		b.test = split_edge(decide);
		b.first = split_edge(single_succ_edge(b.test));
	} else {
		decide = split_block_after_labels(loop->header);
		b.test = decide->src;
		b.first = decide->dest;
	}
	body = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes; i++)
		if (body[i] != loop->header && body[i] != b.test && body[i] != latch)
			b.blocks.push_back(body[i]);
	free(body);
	return b;
}

static void copy_subloops(class loop *loop)
{
	std::vector<class loop *> inner;

	for (class loop *l = loop->inner; l; l = l->next)
		inner.push_back(l);
	for (auto l : inner)
		duplicate_subloops(l, duplicate_loop(l, loop, NULL));
}

/* if (__psc_recording) goto copy; at the end of the test block. */
static void decide(struct phase_body *b, basic_block copy)
{
	gimple_stmt_iterator gsi = gsi_last_bb(b->test);
	tree recording = make_ssa_name(integer_type_node);
	edge native = single_succ_edge(b->test), record = make_edge(b->test, copy, EDGE_TRUE_VALUE);

	native->flags = (native->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	record->probability = profile_probability::always().apply_scale(1, SHARE);
	native->probability = record->probability.invert();
	gsi_insert_after(&gsi, gimple_build_assign(recording, psc_runtime_recording()),
		GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, recording, integer_zero_node, NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
}

/* Exception edges get no fence: pass psc_access takes blocks that both bodies reach for native. */
static void insert_fences(const std::vector<basic_block> &copies, basic_block first)
{
	std::set<basic_block> inside(copies.begin(), copies.end());
	gimple_stmt_iterator gsi = gsi_after_labels(first);
	std::vector<edge> leaving;
	edge e;
	edge_iterator ei;

	for (auto bb : copies)
		FOR_EACH_EDGE(e, ei, bb->succs)
			if (!inside.count(e->dest) && !(e->flags & (EDGE_EH | EDGE_ABNORMAL)) &&
			    e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
				leaving.push_back(e);
	gsi_insert_before(&gsi, make_fence(FENCE_ON), GSI_NEW_STMT);
	for (auto exit : leaving) {
		gsi = gsi_start_bb(split_edge(exit));
		gsi_insert_after(&gsi, make_fence(FENCE_OFF), GSI_NEW_STMT);
	}
}

static void copy_body(class loop *loop, const psc_clones &undispatched, const psc_clones &clones)
{
	struct phase_body b = split_body(loop, undispatched);
	std::vector<basic_block> copies(b.blocks.size());
	basic_block first;

	initialize_original_copy_tables();
	set_loop_copy(loop, loop);
	copy_subloops(loop);
	copy_bbs(b.blocks.data(), b.blocks.size(), copies.data(), NULL, 0, NULL, loop,
		EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb, false);
	add_phi_args_after_copy(copies.data(), copies.size(), NULL);
	first = get_bb_copy(b.first);
	for (auto bb : copies)
		bb->count = bb->count.apply_scale(1, SHARE);
	free_original_copy_tables();
	decide(&b, first);
	insert_fences(copies, first);
	psc_redirect_calls(copies, clones);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	mark_virtual_operands_for_renaming(cfun);
	update_ssa(TODO_update_ssa);
}

bool psc_loop_versions_make(const psc_clones &undispatched, const psc_clones &clones)
{
	bool changed = false;

	calculate_dominance_info(CDI_DOMINATORS);
	loop_optimizer_init(LOOPS_NORMAL);
	for (auto &entry : phase_loops()) {
		int what = survey(entry.first, undispatched);

		if (what > 0) {
			copy_body(entry.first, undispatched, clones);
			calculate_dominance_info(CDI_DOMINATORS);
			changed = true;
		}
		for (int region : entry.second)
			psc.regions[region].unrecorded |= what < 0;
	}
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	return changed;
}

/* --- pass psc_access: which blocks ---------------------------------------------------------- */
enum { STATE_NATIVE, STATE_RECORDS, STATE_UNKNOWN };

/* The state at the block's end if it begins with `state`. */
static int state_after(basic_block bb, int state)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (fence_of(gsi_stmt(i)) >= 0)
			state = fence_of(gsi_stmt(i)) ? STATE_RECORDS : STATE_NATIVE;
	return state;
}

bool psc_has_fences(function *fun)
{
	basic_block bb;

	if (!fun->cfg)     /* -fdump-passes asks the gate about a function without a body */
		return false;
	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (fence_of(gsi_stmt(i)) >= 0)
				return true;
	return false;
}

/* Splits blocks behind fences, so that a block's state at its begin holds for all of it. */
static void split_at_fences(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (fence_of(gsi_stmt(i)) >= 0 && !gsi_one_before_end_p(i)) {
				split_block(bb, gsi_stmt(i));
				break;
			}
}

static void remove_fences(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			gimple *stmt = gsi_stmt(i);

			if (fence_of(stmt) < 0) {
				gsi_next(&i);
				continue;
			}
			unlink_stmt_vdef(stmt);
			gsi_remove(&i, true);
			release_defs(stmt);
		}
}

/* The state that all known predecessors agree on; native where they differ. */
static int state_before(basic_block bb, const std::vector<int> &state)
{
	int all = STATE_UNKNOWN;
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, bb->preds) {
		int one = state[e->src->index];

		one = one == STATE_UNKNOWN ? one : state_after(e->src, one);
		all = all == STATE_UNKNOWN ? one : one == STATE_UNKNOWN ? all : MIN(all, one);
	}
	return all;
}

void psc_recorded_blocks(std::vector<bool> *records)
{
	std::vector<int> state;
	bool changed = true;
	basic_block bb;

	split_at_fences();
	state.assign(last_basic_block_for_fn(cfun), STATE_UNKNOWN);
	state[ENTRY_BLOCK] = STATE_NATIVE;
	while (changed) {
		changed = false;
		FOR_EACH_BB_FN(bb, cfun) {
			int now = state_before(bb, state);

			changed |= now != state[bb->index];
			state[bb->index] = now;
		}
	}
	remove_fences();
	records->assign(state.size(), false);
	for (size_t i = 0; i < state.size(); i++)
		(*records)[i] = state[i] == STATE_RECORDS;
}
