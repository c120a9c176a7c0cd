/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the hooks' source locations so that gcov's line counts are those of the program without
 * hooks (pass psc_gcov_lines, before profile).  gcov ends a block at each call, notes the lines of
 * every piece, and counts a line's entries where it is the last line of a piece.  A hook is a call,
 * too, and adds pieces. */
#include "instrument/pscplugin.h"

/* Is it an assignment of the token that a construct's threads get? */
static bool is_token(gimple *stmt)
{
	tree lhs = is_gimple_assign(stmt) ? gimple_assign_lhs(stmt) : NULL_TREE;

	if (lhs && TREE_CODE(lhs) == COMPONENT_REF)
		lhs = TREE_OPERAND(lhs, 1);
	return lhs && DECL_P(lhs) && DECL_NAME(lhs) && id_equal(DECL_NAME(lhs), PSC_TOKEN);
}

static location_t line_of(location_t where)
{
	return LOCATION_LOCUS(where) > BUILTINS_LOCATION ? where : UNKNOWN_LOCATION;
}

static bool is_hook(gimple *stmt)
{
	return psc_runtime_which(stmt) != FN_COUNT;
}

/* The blocks whose jump gcov counts as a line: no statement of this or an earlier block has its
 * location. */
static std::set<int> jumps;

static void find_jumps(void)
{
	std::set<location_t> seen;
	basic_block bb;

	jumps.clear();
	FOR_EACH_BB_FN(bb, cfun) {
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (!is_hook(gsi_stmt(i)))
				seen.insert(gimple_location(gsi_stmt(i)));
		if (single_succ_p(bb) && line_of(single_succ_edge(bb)->goto_locus) &&
		    !seen.count(single_succ_edge(bb)->goto_locus))
			jumps.insert(bb->index);
	}
}

/* A part of a block that gcov would count as one piece if there were no hooks. */
struct piece {
	std::vector<gimple *> stmts;     /* including hooks */
	bool hooks = false, others = false;
	bool ends = false;               /* the block's last piece */
	location_t last = UNKNOWN_LOCATION;
};

static struct piece piece_at(gimple_stmt_iterator *i, basic_block bb)
{
	struct piece p;

	for (; !gsi_end_p(*i); gsi_next(i)) {
		gimple *stmt = gsi_stmt(*i);

		if (is_gimple_debug(stmt))
			continue;
		if (is_token(stmt))
			gimple_set_location(stmt, UNKNOWN_LOCATION);
		p.stmts.push_back(stmt);
		if (is_hook(stmt)) {
			p.hooks = true;
			continue;
		}
		p.others |= gimple_code(stmt) != GIMPLE_LABEL;
		if (line_of(gimple_location(stmt)))
			p.last = gimple_location(stmt);
		if (stmt_can_terminate_bb_p(stmt)) {
			gsi_next(i);
			return p;
		}
	}
	p.ends = true;
	if (jumps.count(bb->index))
		p.last = single_succ_edge(bb)->goto_locus;
	return p;
}

static location_t first_line(basic_block bb)
{
	for (int steps = 0; steps < 20 && bb != EXIT_BLOCK_PTR_FOR_FN(cfun); steps++) {
		gimple_stmt_iterator i = gsi_start_bb(bb);
		struct piece p = piece_at(&i, bb);

		if (p.last || !p.ends || !single_succ_p(bb))
			return p.last;
		bb = single_succ(bb);
	}
	return UNKNOWN_LOCATION;
}

static location_t last_line(basic_block bb)
{
	location_t last = UNKNOWN_LOCATION;

	if (bb != ENTRY_BLOCK_PTR_FOR_FN(cfun))
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);)
			last = piece_at(&i, bb).last;
	return last;
}

static bool same_line(location_t a, location_t b)
{
	return a && b && expand_location(a).line == expand_location(b).line;
}

/* The line for a block that contains only hooks: that of both neighbours if it is the same, else
 * none. */
static location_t line_between(basic_block bb)
{
	location_t to = single_succ_p(bb) ? first_line(single_succ(bb)) : UNKNOWN_LOCATION;

	if (single_pred_p(bb) && !same_line(last_line(single_pred(bb)), to))
		return UNKNOWN_LOCATION;
	return to;
}

/* Moves the piece's hooks to its last line.  A statement behind a hook loses its location where the
 * line is that of the statement before the hook: gcov would count the line's entries twice. */
static void place(const struct piece &p, location_t last, location_t before)
{
	bool cut = false;

	for (gimple *stmt : p.stmts) {
		location_t where = line_of(gimple_location(stmt));

		if (is_hook(stmt)) {
			gimple_set_location(stmt, last);
			cut = true;
		} else if (where && cut && same_line(where, before) && !same_line(where, last)) {
			gimple_set_location(stmt, UNKNOWN_LOCATION);
		} else if (where) {
			before = where;
			cut = false;
		}
	}
}

/* Is it the piece at the function's last block, which gcov does not count for lines? */
static bool is_last(const struct piece &p, basic_block bb)
{
	return p.ends && bb->next_bb == EXIT_BLOCK_PTR_FOR_FN(cfun);
}

static void place_hooks(void)
{
	/* gcov counts the first block there, too */
	location_t before = DECL_SOURCE_LOCATION(cfun->decl);
	basic_block bb;

	find_jumps();
	FOR_EACH_BB_FN(bb, cfun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			struct piece p = piece_at(&i, bb);

			if (p.hooks)
				place(p, is_last(p, bb) ? UNKNOWN_LOCATION :
					p.last || p.others ? p.last : line_between(bb), before);
			before = UNKNOWN_LOCATION;
		}
}

namespace {
const pass_data gcov_lines_data = {
	SIMPLE_IPA_PASS, "psc_gcov_lines", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class gcov_lines_pass : public simple_ipa_opt_pass {
public:
	gcov_lines_pass(gcc::context *ctx) : simple_ipa_opt_pass(gcov_lines_data, ctx) {}
	bool gate(function *) final override { return flag_test_coverage && !in_lto_p &&
		!seen_error(); }
	unsigned int execute(function *) final override
	{
		cgraph_node *node;

		FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
			function *fun = DECL_STRUCT_FUNCTION(node->decl);

			if (!fun || !fun->cfg)
				continue;
			push_cfun(fun);
			place_hooks();
			pop_cfun();
		}
		return 0;
	}
};
}

opt_pass *psc_pass_gcov_lines(gcc::context *ctx)
{
	return new gcov_lines_pass(ctx);
}
