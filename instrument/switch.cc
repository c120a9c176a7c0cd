/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording that begins and ends while a function runs.  A phase loop may be all of main: the
 * dispatch at its entry was passed long before anything is measured.  So the body of every loop
 * that can be the phase exists twice in the native version,
 *     for (…) { if (__psc_recording) body that records; else body; __psc_phase_next(…); }
 * which stays a natural loop for the optimisers, as do the loops in both bodies.  What records is
 * told to pass A by marks that control passes: "on" where the second body begins, "off" on every
 * edge out of it.  A mark is an empty asm: no optimiser moves memory accesses across it, it may
 * be duplicated, and without pass A (a link without the plugin) it is nothing. */
#include "instrument/pscplugin.h"
#include "cfgloop.h"

#define MARK_ON "# psc: on"
#define MARK_OFF "# psc: off"

/* The second body's share of the profile: small enough to stay out of the first one's way, large
 * enough to be optimised for speed like it. */
#define SHARE 64

struct phase_body {
	class loop *loop;
	basic_block test;                  /* where an execution decides */
	basic_block first;                 /* its only successor */
	std::vector<basic_block> blocks;
};

static gimple *make_mark(const char *text)
{
	vec<tree, va_gc> *clobbers = NULL;

	vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(7, "memory")));
	gasm *mark = gimple_build_asm_vec(text, NULL, NULL, clobbers, NULL);
	gimple_asm_set_volatile(mark, true);
	return mark;
}

/* 1: on; 0: off; -1: no mark. */
static int mark_of(gimple *stmt)
{
	gasm *mark = dyn_cast<gasm *>(stmt);

	if (!mark || !startswith(gimple_asm_string(mark), "# psc: "))
		return -1;
	return strcmp(gimple_asm_string(mark), MARK_ON) == 0;
}

/* --- pass V: which loops ------------------------------------------------------------------------- */
bool psc_switch_accesses(basic_block bb, const psc_clones &undispatched)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		psc_touches list;

		if (is_gimple_call(gsi_stmt(i)) && undispatched.count(psc_called(gsi_stmt(i))))
			return true;
		psc_touches_of(&list, gsi_stmt(i));
		if (!list.empty())
			return true;
	}
	return false;
}

/* The loops with phase boundaries, outer ones first, and the regions of each. */
static std::vector<std::pair<class loop *, std::set<int>>> phase_loops(void)
{
	std::map<class loop *, std::set<int>> found;
	std::vector<std::pair<class loop *, std::set<int>>> list;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_which(gsi_stmt(i)) == FN_PHASE_NEXT && loop_depth(bb->loop_father) > 0)
				found[bb->loop_father].insert(tree_to_uhwi(gimple_call_arg(gsi_stmt(i), 1)));
	for (auto &entry : found)
		list.push_back(entry);
	std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
		return loop_depth(a.first) != loop_depth(b.first) ?
			loop_depth(a.first) < loop_depth(b.first) : a.first->num < b.first->num;
	});
	return list;
}

static bool has_odd_label(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		glabel *label = dyn_cast<glabel *>(gsi_stmt(i));

		if (!label)
			return false;
		if (DECL_NONLOCAL(gimple_label_label(label)) || FORCED_LABEL(gimple_label_label(label)))
			return true;
	}
	return false;
}

static bool has_once(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (psc_once_defines(gsi_stmt(i)))
			return true;
	return false;
}

/* Can control reach or leave the block in ways that a copy of it could not? */
static bool is_odd(basic_block bb)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & (EDGE_ABNORMAL | EDGE_EH))     /* a landing pad has one region */
			return true;
	FOR_EACH_EDGE(e, ei, bb->succs)
		if (e->flags & EDGE_ABNORMAL)
			return true;
	return has_odd_label(bb) || has_once(bb) || !can_duplicate_block_p(bb);
}

static bool is_odd(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	bool odd = loop->latch == NULL;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		odd |= is_odd(body[i]);
	free(body);
	return odd;
}

bool psc_switch_refuses(function *fun)
{
	bool refuses = false;

	push_cfun(fun);
	calculate_dominance_info(CDI_DOMINATORS);
	loop_optimizer_init(LOOPS_NORMAL);
	for (auto &entry : phase_loops())
		refuses |= is_odd(entry.first);
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
	pop_cfun();
	return refuses;
}

/* 1: to be copied; 0: nothing to record; -1: cannot be. */
static int survey(class loop *loop, const psc_clones &undispatched)
{
	basic_block *body = get_loop_body(loop);
	bool accesses = false;

	for (unsigned i = 0; i < loop->num_nodes; i++)
		accesses |= psc_switch_accesses(body[i], undispatched);
	free(body);
	return !accesses ? 0 : is_odd(loop) ? -1 : 1;
}

/* --- pass V: the copy ------------------------------------------------------------------------------ */
/* An execution decides behind the header's test of a loop tested at its top, so that pass ch can
 * still turn it around; in the header when the test itself makes accesses. */
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
	    !(stay->flags & (EDGE_ABNORMAL | EDGE_EH)) && gsi_one_before_end_p(gsi_last_bb(header)) &&
	    gimple_code(last_stmt(header)) == GIMPLE_COND && !psc_switch_accesses(header, undispatched))
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

/* if (__psc_recording) goto copy; at the end of the deciding block. */
static void decide(struct phase_body *b, basic_block copy)
{
	gimple_stmt_iterator gsi = gsi_last_bb(b->test);
	tree recording = make_ssa_name(integer_type_node);
	edge native = single_succ_edge(b->test), record = make_edge(b->test, copy, EDGE_TRUE_VALUE);

	native->flags = (native->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	record->probability = profile_probability::always().apply_scale(1, SHARE);
	native->probability = record->probability.invert();
	gsi_insert_after(&gsi, gimple_build_assign(recording, psc_runtime_recording()), GSI_NEW_STMT);
	gsi_insert_after(&gsi, gimple_build_cond(NE_EXPR, recording, integer_zero_node, NULL_TREE,
		NULL_TREE), GSI_NEW_STMT);
}

/* The marks; an exception takes none with it: pass A lets what both bodies reach be native. */
static void mark(const std::vector<basic_block> &copies, basic_block first)
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
	gsi_insert_before(&gsi, make_mark(MARK_ON), GSI_NEW_STMT);
	for (auto exit : leaving) {
		gsi = gsi_start_bb(split_edge(exit));
		gsi_insert_after(&gsi, make_mark(MARK_OFF), GSI_NEW_STMT);
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
	mark(copies, first);
	psc_redirect_calls(copies, clones);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	mark_virtual_operands_for_renaming(cfun);
	update_ssa(TODO_update_ssa);
}

/* Returns whether anything was copied: the call graph's edges are to be made again then. */
bool psc_switch_make(const psc_clones &undispatched, const psc_clones &clones)
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

/* --- pass A: which blocks ---------------------------------------------------------------------------- */
enum { STATE_NATIVE, STATE_RECORDS, STATE_UNKNOWN };

/* What passes through the block's end, when `state` is what it begins with. */
static int state_after(basic_block bb, int state)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (mark_of(gsi_stmt(i)) >= 0)
			state = mark_of(gsi_stmt(i)) ? STATE_RECORDS : STATE_NATIVE;
	return state;
}

bool psc_switch_has_marks(function *fun)
{
	basic_block bb;

	if (!fun->cfg)     /* -fdump-passes asks the gate about a function without a body */
		return false;
	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (mark_of(gsi_stmt(i)) >= 0)
				return true;
	return false;
}

/* A mark ends its block: what a block begins with is true for all of it. */
static void split_at_marks(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (mark_of(gsi_stmt(i)) >= 0 && !gsi_one_before_end_p(i)) {
				split_block(bb, gsi_stmt(i));
				break;
			}
}

static void remove_marks(void)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			gimple *stmt = gsi_stmt(i);

			if (mark_of(stmt) < 0) {
				gsi_next(&i);
				continue;
			}
			unlink_stmt_vdef(stmt);
			gsi_remove(&i, true);
			release_defs(stmt);
		}
}

/* What all ways to the block agree on; where they do not, it is native. */
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

/* Ends all marks of the function; the blocks between them are what *records holds, by index. */
void psc_switch_blocks(std::vector<bool> *records)
{
	std::vector<int> state;
	bool changed = true;
	basic_block bb;

	split_at_marks();
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
	remove_marks();
	records->assign(state.size(), false);
	for (size_t i = 0; i < state.size(); i++)
		(*records)[i] = state[i] == STATE_RECORDS;
}
