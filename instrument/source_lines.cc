/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of accesses (base/abi.h).  A report shows a line of the file that the region is in whose context
 * an access counts to.  An access that was inlined from another file has the line of the call there.  A function
 * without a context that was not inlined does not know its caller: before such a call, recording code writes
 * the call's line to the record buffer. */
#include "instrument/pscplugin.h"

/* Functions that the program calls often and those of system headers have no context of their own. */
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

static bool same_file(location_t a, location_t b)
{
	const char *file = LOCATION_FILE(a), *other = LOCATION_FILE(b);

	return file && other && strcmp(file, other) == 0;
}

/* A statement's place, the calls through which it was inlined into a function with a context, and that function. */
struct origin {
	std::vector<location_t> places;
	tree function;
};

static struct origin origin_of(gimple *stmt)
{
	struct origin o = { { LOCATION_LOCUS(gimple_location(stmt)) }, cfun->decl };

	for (tree block = gimple_block(stmt); block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
		if (!inlined_function_outer_scope_p(block))
			continue;
		tree inlined = block_ultimate_origin(block);

		if (inlined && TREE_CODE(inlined) == FUNCTION_DECL && has_context(inlined)) {
			o.function = inlined;
			break;
		}
		o.places.push_back(LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block)));
	}
	return o;
}

static unsigned line_in_file(const struct origin &o)
{
	for (auto place : o.places)
		if (same_file(place, DECL_SOURCE_LOCATION(o.function)))
			return LOCATION_LINE(place);
	return 0;
}

unsigned psc_source_line(gimple *stmt)
{
	struct origin o = origin_of(stmt);

	return line_in_file(o) | (known_without_context(o.function) ? PSC_LINE_OF_CALLEE : 0);
}

/* May the callee be a function without a context whose lines are those of another file?  A library function
 * records only where it calls the program back. */
static bool call_hides_lines(tree callee, tree caller)
{
	cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;
	bool here = node && node->definition;

	if (!callee || has_context(callee) || known_without_context(caller))
		return false;
	return here ? !same_file(DECL_SOURCE_LOCATION(callee), DECL_SOURCE_LOCATION(caller)) :
		!in_system_header_at(DECL_SOURCE_LOCATION(callee));
}

/* The function's other calls get a word, too: else their accesses would have the line of the call before. */
std::map<gimple *, unsigned> psc_call_lines(const std::vector<bool> &recorded)
{
	std::map<gimple *, unsigned> lines;
	basic_block bb;
	bool any = false;

	FOR_EACH_BB_FN(bb, cfun) {
		if ((size_t)bb->index >= recorded.size() || !recorded[bb->index])
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gimple *stmt = gsi_stmt(i);

			if (!psc_may_record(stmt) || psc_runtime_which(stmt) != FN_COUNT)
				continue;
			struct origin o = origin_of(stmt);
			bool hides = call_hides_lines(gimple_call_fndecl(stmt), o.function);

			lines[stmt] = hides ? line_in_file(o) : 0;
			any |= lines[stmt] != 0;
		}
	}
	if (!any)
		lines.clear();
	return lines;
}
