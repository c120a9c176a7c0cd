/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the functions that must not be duplicated: their inline assembler defines a symbol, or they
 * look at their callers on the stack.  They get no versions, and loops with such assembler no
 * second body. */
#include "instrument/pscplugin.h"

/* --- assembler text ------------------------------------------------------------------------- */
/* Directives that may occur twice in one object: data, alignment, syntax, unwind tables. */
static bool is_repeatable(const std::string &directive)
{
	for (const char *known : { ".byte", ".word", ".value", ".short", ".hword", ".long", ".int",
			".quad", ".octa", ".2byte", ".4byte", ".8byte", ".float", ".double",
			".ascii",
			".asciz", ".string", ".align", ".balign", ".p2align", ".skip", ".space",
			".zero",
			".fill", ".nops", ".insn", ".inst", ".rept", ".irp", ".irpc", ".endr",
			".if",
			".ifdef", ".ifndef", ".else", ".elseif", ".endif", ".loc", ".file", ".line",
			".intel_syntax", ".att_syntax", ".code16", ".code32", ".code64", ".arch",
			".cpu",
			".option" })
		if (directive == known)
			return true;
	return startswith(directive.c_str(), ".cfi_");
}

/* The first word of a statement, up to a blank, `:`, `=` or `,`; "%=" belongs to the word. */
static std::string first_word(const std::string &s)
{
	size_t end = 0;

	if (s[0] == '"')
		return s.substr(0, s.find('"', 1) + 1);
	while (end < s.size() && !strchr(" \t:=,", s[end]))
		end += s.compare(end, 2, "%=") == 0 ? 2 : 1;
	return s.substr(0, end);
}

/* "12:" may be defined repeatedly; in "one%=:" GCC replaces %= by a number unique to each copy. */
static bool is_local_label(const std::string &word)
{
	return word.find_first_not_of("0123456789") == std::string::npos ||
		word.find("%=") != std::string::npos;
}

static bool statement_defines(std::string s)
{
	for (;;) {
		size_t begin = s.find_first_not_of(" \t\r\f\v"), next;
		std::string word;

		if (begin == std::string::npos || s[begin] == '#' || s.compare(begin, 2, "//") == 0)
			return false;
		s.erase(0, begin);
		word = first_word(s);
		next = s.find_first_not_of(" \t", word.size());
		if (next == std::string::npos || (s[next] != ':' && s[next] != '='))
			return word[0] == '.' && !is_repeatable(word);
		if (s[next] == '=' || word.empty() || !is_local_label(word))
			return true;
		s.erase(0, next + 1);
	}
}

/* Statements end at newlines, semicolons and, in text for two assembler dialects, at braces and
 * bars. */
bool psc_asm_defines_symbol(gimple *stmt)
{
	gasm *text = dyn_cast<gasm *>(stmt);
	std::string one;

	if (!text)
		return false;
	for (const char *s = gimple_asm_string(text); ; s++) {
		if (*s == '%' && s[1] && strchr("{|}%", s[1])) {
			one += *s++;
			one += *s;
		} else if (*s && !strchr("\n;{|}", *s)) {
			one += *s;
		} else {
			if (statement_defines(one))
				return true;
			one.clear();
			if (!*s)
				return false;
		}
	}
}

/* --- stack walks ---------------------------------------------------------------------------- */
static int level_of(gimple *stmt)
{
	tree level = gimple_call_num_args(stmt) ? gimple_call_arg(stmt, 0) : NULL_TREE;

	return level && tree_fits_uhwi_p(level) ? (int)MIN(tree_to_uhwi(level), 64u) : 0;
}

static bool walks_stack(tree fndecl)
{
	const char *name = fndecl && DECL_NAME(fndecl) && DECL_EXTERNAL(fndecl) &&
		TREE_PUBLIC(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	for (const char *known : { "backtrace", "_Unwind_Backtrace", "_Unwind_ForcedUnwind" })
		if (strcmp(name, known) == 0)
			return true;
	return false;
}

/* How many callers above its function the statement identifies; 0: its own function only; -1:
 * none. */
static int callers_seen(gimple *stmt)
{
	if (psc_asm_defines_symbol(stmt))
		return 0;
	if (!is_gimple_call(stmt))
		return -1;
	if (gimple_call_builtin_p(stmt, BUILT_IN_RETURN_ADDRESS))
		return level_of(stmt) + 1;
	if (gimple_call_builtin_p(stmt, BUILT_IN_FRAME_ADDRESS))
		return level_of(stmt);
	if (gimple_call_builtin_p(stmt, BUILT_IN_DWARF_CFA) ||
	    gimple_call_builtin_p(stmt, BUILT_IN_UNWIND_INIT) ||
	    walks_stack(gimple_call_fndecl(stmt)))
		return 0;
	return -1;
}

static int function_sees(cgraph_node *node)
{
	function *fun = DECL_STRUCT_FUNCTION(node->decl);
	basic_block bb;
	int most = -1;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			most = MAX(most, callers_seen(gsi_stmt(i)));
	return most;
}

/* Notes the function and as many levels of its callers in this unit as it identifies. */
static void note_unclonable(cgraph_node *node, int callers, std::map<tree, int> *seen)
{
	auto known = seen->find(node->decl);

	if (known != seen->end() && known->second >= callers)
		return;
	(*seen)[node->decl] = callers;
	if (callers > 0)
		for (cgraph_edge *e = node->callers; e; e = e->next_caller)
			note_unclonable(e->caller, callers - 1, seen);
}

std::set<tree> psc_unclonable_functions(void)
{
	std::map<tree, int> seen;
	std::set<tree> found;
	cgraph_node *node;

	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
		function *fun = DECL_STRUCT_FUNCTION(node->decl);
		int callers = node->has_gimple_body_p() && fun && fun->cfg ? function_sees(node) :
			-1;

		if (callers >= 0)
			note_unclonable(node, callers, &seen);
	}
	for (auto &one : seen)
		found.insert(one.first);
	return found;
}
