/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source line of an access (base/abi.h), and the calls whose lines recording code writes.
 *
 * A report shows a line of the file that the region is in whose context an access counts to.  Code
 * that was inlined from another file has the line of the call there.  A function without a context
 * that was not inlined does not know its caller: before such a call, recording code writes the
 * call's line to the record buffer. */
#include "instrument/pscplugin.h"

/* Functions that the program calls often and those of system headers have
 * no context of their own. */
static bool has_context(tree fndecl)
{
	tree origin = DECL_ORIGIN(fndecl);

	return psc.subroutines.count(DECL_UID(origin)) && !psc_function_light(origin);
}

static bool known_without_context(tree fndecl)
{
	tree origin = DECL_ORIGIN(fndecl);

	return in_system_header_at(DECL_SOURCE_LOCATION(origin)) || psc_function_light(origin);
}

static bool in_same_file(location_t a, location_t b)
{
	const char *file = LOCATION_FILE(a), *other = LOCATION_FILE(b);

	return file && other && strcmp(file, other) == 0;
}

/* --- statements without a place -------------------------------------------------------------- */
static bool has_place(gimple *stmt)
{
	return LOCATION_LOCUS(gimple_location(stmt)) != UNKNOWN_LOCATION && !is_gimple_debug(stmt);
}

static gimple *first_use(gimple *stmt)
{
	tree value = gimple_get_lhs(stmt);
	imm_use_iterator i;
	use_operand_p use;

	if (!value || TREE_CODE(value) != SSA_NAME)
		return NULL;
	FOR_EACH_IMM_USE_FAST(use, i, value)
		if (!is_gimple_debug(USE_STMT(use)))
			return USE_STMT(use);
	return NULL;
}

/* The statement itself; if the vectoriser made it, which gives no places, one that uses its value,
 * else one of its block; the statement where none of them has a place. */
static gimple *with_place(gimple *stmt)
{
	enum { FAR = 8 };
	gimple *use = stmt;

	for (int n = 0; use && n < FAR; n++, use = first_use(use))
		if (has_place(use))
			return use;
	for (gimple_stmt_iterator i = gsi_for_stmt(stmt); !gsi_end_p(i); gsi_next(&i))
		if (has_place(gsi_stmt(i)))
			return gsi_stmt(i);
	for (gimple_stmt_iterator i = gsi_for_stmt(stmt); !gsi_end_p(i); gsi_prev(&i))
		if (has_place(gsi_stmt(i)))
			return gsi_stmt(i);
	return stmt;
}

/* --- lines ------------------------------------------------------------------------------------ */
/* A statement's place, the calls through which it was inlined into a function with a
 * context, and that function. */
struct inlined_from {
	std::vector<location_t> places;
	tree function;
};

static struct inlined_from find_places(gimple *stmt)
{
	struct inlined_from from = { { LOCATION_LOCUS(gimple_location(stmt)) }, cfun->decl };

	for (tree block = gimple_block(stmt); block && TREE_CODE(block) == BLOCK;
	     block = BLOCK_SUPERCONTEXT(block)) {
		if (!inlined_function_outer_scope_p(block))
			continue;
		tree inlined = block_ultimate_origin(block);

		if (inlined && TREE_CODE(inlined) == FUNCTION_DECL && has_context(inlined)) {
			from.function = inlined;
			break;
		}
		from.places.push_back(LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block)));
	}
	return from;
}

static unsigned line_in_file(const struct inlined_from &from)
{
	for (auto place : from.places)
		if (in_same_file(place, DECL_SOURCE_LOCATION(from.function)))
			return psc_is_fortran() ? psc_place_of(place).line : LOCATION_LINE(place);
	return 0;
}

unsigned psc_source_line(gimple *stmt)
{
	struct inlined_from from = find_places(with_place(stmt));

	return line_in_file(from) | (known_without_context(from.function) ? PSC_LINE_OF_CALLEE : 0);
}

/* May the callee be a function without a context whose lines are those of another file?  Of a call
 * through a pointer nobody knows.  A library function records only where it calls the program
 * back. */
static bool call_hides_lines(tree callee, tree caller)
{
	cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;

	if (!callee)
		return true;
	if (DECL_SOURCE_LOCATION(callee) < RESERVED_LOCATION_COUNT || fndecl_built_in_p(callee))
		return false;
	return node && node->definition ? !in_same_file(DECL_SOURCE_LOCATION(callee),
		DECL_SOURCE_LOCATION(caller)) :
		!in_system_header_at(DECL_SOURCE_LOCATION(callee));
}

/* May functions without a context, which record, be called there? */
static bool needs_line(gimple *stmt, tree callee)
{
	return psc_may_record(stmt) && psc_runtime_which(stmt) == FN_COUNT &&
		!(callee && has_context(callee));
}

/* Other calls of functions without a context get a word, too: else their accesses would have the
 * line of the call before. */
std::map<gimple *, unsigned> psc_call_lines(const std::vector<bool> &recorded)
{
	std::map<gimple *, unsigned> lines;
	std::vector<gimple *> reading;
	basic_block bb;
	bool any = false;

	FOR_EACH_BB_FN(bb, cfun) {
		if ((size_t)bb->index >= recorded.size() || !recorded[bb->index])
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gimple *stmt = gsi_stmt(i);
			tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

			if (psc_library_reads(stmt))
				reading.push_back(stmt);
			if (!needs_line(stmt, callee))
				continue;
			struct inlined_from from = find_places(stmt);

			if (known_without_context(from.function))
				continue;
			lines[stmt] = call_hides_lines(callee, from.function) ? line_in_file(from) :
				0;
			any |= lines[stmt] != 0;
		}
	}
	if (!any)
		lines.clear();
	for (auto stmt : reading)
		lines[stmt] = (lines.count(stmt) ? lines[stmt] : PSC_CALL_SAME) | PSC_CALL_READS;
	return lines;
}
