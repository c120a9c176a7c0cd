/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source lines where statements begin and end.  GCC's locations are where its parser
 * stood: gfortran gives the last continuation line of a CALL or directive, C++ the closing
 * parenthesis of a call, and neither locates the keyword of a loop.  Hence this file reads the
 * source text. */
#include "instrument/pscplugin.h"

bool psc_is_fortran(void)
{
	return startswith(lang_hooks.name, "GNU Fortran");
}

bool psc_is_cxx(void)
{
	return startswith(lang_hooks.name, "GNU C++");
}

/* The file's lines.  Not by location_get_source_line(): that of GCC 12 gave line 152 of a header of
 * 240 lines where line 143 was asked for, as it looks lines up by marks that it set
 * while the file was shorter. */
static const std::vector<std::string> &lines_of(const std::string &file)
{
	static std::map<std::string, std::vector<std::string>> files;
	auto known = files.find(file);
	char *line = NULL;
	size_t room = 0;

	if (known != files.end())
		return known->second;
	std::vector<std::string> &lines = files[file];
	FILE *in = fopen(file.c_str(), "r");

	while (in && getline(&line, &room, in) >= 0) {
		std::string s = line;

		lines.push_back(s.substr(0, s.find_last_not_of("\r\n") + 1));
	}
	if (in)
		fclose(in);
	free(line);
	return lines;
}

static std::string text_of(const std::string &file, int line)
{
	const std::vector<std::string> &lines = lines_of(file);

	return line > 0 && (size_t)line <= lines.size() ? lines[line - 1] : std::string();
}

static size_t first_nonblank(const std::string &s)
{
	size_t i = s.find_first_not_of(" \t\r\f");

	return i == std::string::npos ? s.size() : i;
}

static bool word_at(const std::string &s, size_t at, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(s.c_str() + at, word, n) == 0 &&
		!(ISALNUM(s.c_str()[at + n]) || s.c_str()[at + n] == '_');
}

static bool has_word(const std::string &s, const char *word)
{
	for (size_t i = 0; i < s.size(); i++) {
		bool begins = i == 0 || !(ISALNUM(s[i - 1]) || s[i - 1] == '_');

		if (begins && word_at(s, i, word))
			return true;
	}
	return false;
}

/* --- Fortran -------------------------------------------------------------------------------- */
static bool fixed_form(const std::string &file)
{
	static int option = -1;   /* 1 -ffixed-form, 0 -ffree-form, -1 neither: by suffix */
	static bool looked;
	size_t dot = file.rfind('.');

	for (unsigned i = 0; !looked && i < save_decoded_options_count; i++) {
		const char *s = save_decoded_options[i].orig_option_with_args_text;

		if (s && strcmp(s, "-ffixed-form") == 0)
			option = 1;
		else if (s && strcmp(s, "-ffree-form") == 0)
			option = 0;
	}
	looked = true;
	if (option >= 0)
		return option;
	if (dot == std::string::npos)
		return false;
	for (const char *suffix : { ".f", ".for", ".ftn", ".fpp" })
		if (strcasecmp(file.c_str() + dot, suffix) == 0)
			return true;
	return false;
}

static bool is_directive(const std::string &s, bool fixed)
{
	size_t i = fixed ? 0 : first_nonblank(s);

	return i < s.size() && strchr(fixed ? "!cC*" : "!", s[i]) &&
		strncasecmp(s.c_str() + i + 1, "$omp", 4) == 0;
}

static bool is_comment(const std::string &s, bool fixed)
{
	size_t i = first_nonblank(s);

	if (i == s.size() || s[i] == '!' || s[0] == '#')
		return true;
	return fixed && strchr("cC*dD", s[0]) != NULL;
}

static bool continues_fixed(const std::string &s, bool directive)
{
	if (!directive && !s.empty() && s[0] == '\t')
		return s.size() > 1 && s[1] >= '1' && s[1] <= '9';
	if (s.size() < 6 || s[5] == ' ' || s[5] == '0')
		return false;
	return directive || first_nonblank(s) == 5;
}

/* Does the line end in '&', not counting a comment? */
static bool ends_in_ampersand(const std::string &s, bool directive)
{
	char quote = 0, last = 0;

	for (size_t i = directive ? first_nonblank(s) + 5 : 0; i < s.size(); i++) {
		if (quote)
			quote = s[i] == quote ? 0 : quote;
		else if (s[i] == '\'' || s[i] == '"')
			quote = s[i];
		else if (s[i] == '!')
			break;
		if (!ISSPACE(s[i]))
			last = s[i];
	}
	return last == '&';
}

/* The nearest line before (step -1) or after (step 1) `line` that is a directive, or else no
 * comment. */
static int neighbour(const std::string &file, int line, int step, bool directive, bool fixed)
{
	for (int i = 1; i <= 200 && line + i * step > 0; i++) {
		std::string s = text_of(file, line + i * step);

		if (directive ? is_directive(s, fixed) : !is_comment(s, fixed))
			return line + i * step;
	}
	return 0;
}

static int first_of_statement(const std::string &file, int line)
{
	bool fixed = fixed_form(file);

	for (int guard = 0; guard < 1000; guard++) {
		std::string s = text_of(file, line);
		bool directive = is_directive(s, fixed);
		int before = neighbour(file, line, -1, directive, fixed);

		if (before == 0)
			break;
		if (fixed ? !continues_fixed(s, directive)
			: !ends_in_ampersand(text_of(file, before), directive))
			break;
		line = before;
	}
	return line;
}

/* The word behind END in the directive that ends a construct. */
static const char *end_word(int type)
{
	switch (type) {
	case REGION_PARALLEL: return "parallel";
	case REGION_WORKSHARE_DO: return "do";
	case REGION_WORKSHARE_SECTIONS: return "sections";
	case REGION_SINGLE: return "single";
	case REGION_MASTER: return "master";
	case REGION_CRITICAL: return "critical";
	case REGION_ORDERED: return "ordered";
	case REGION_TASK: return "task";
	default: return NULL;
	}
}

static int directive_end(const std::string &file, int type, int last, bool fixed)
{
	const char *word = end_word(type);
	int next = word ? neighbour(file, last, 1, true, fixed) : 0;
	std::string s = next ? text_of(file, next) : "";
	size_t i = first_nonblank(s) + 5;

	i = i < s.size() ? s.find_first_not_of(" \t&", i) : std::string::npos;
	if (i == std::string::npos || strncasecmp(s.c_str() + i, "end", 3) != 0)
		return last;
	s = s.substr(i);
	return has_word(s, word) || strcasecmp(s.c_str() + 3, word) == 0 ? next : last;
}

/* Statements without code that may come between a loop's last statement and its END DO. */
static bool closes_a_block(const std::string &s, size_t i)
{
	static const char *const words[] = { "else", "endif", "endselect", "endwhere", "endblock",
		"endassociate", "endforall" };

	for (const char *word : words)
		if (word_at(s, i, word))
			return true;
	return word_at(s, i, "end") && (has_word(s, "if") || has_word(s, "select") ||
		has_word(s, "where") || has_word(s, "block") || has_word(s, "associate"));
}

/* "end do" and "!$omp end" generate no code and so have no location: looks for them in the text. */
static int fortran_end(const std::string &file, int type, int line, int last)
{
	bool fixed = fixed_form(file);

	if (type != REGION_LOOP)
		return directive_end(file, type, last, fixed);
	if (!has_word(text_of(file, line), "do"))    /* an array expression */
		return last;
	for (int next = neighbour(file, last, 1, false, fixed); next;
	     next = neighbour(file, next, 1, false, fixed)) {
		std::string s = text_of(file, next);
		size_t i = first_nonblank(s);

		while (i < s.size() && (ISDIGIT(s[i]) || s[i] == ' '))
			i++;
		if (word_at(s, i, "enddo") || (word_at(s, i, "end") && has_word(s, "do")) ||
		    word_at(s, i, "continue"))
			return next;
		if (!closes_a_block(s, i))
			break;
	}
	return last;
}

/* --- C and C++ ------------------------------------------------------------------------------ */
struct scanner {
	int depth;      /* of braces */
	int parens;
	bool comment;
	bool opened;
};

/* Scans a line; true: the statement ends on it. */
static bool statement_ends(struct scanner *sc, const std::string &s, size_t i)
{
	for (; i < s.size(); i++) {
		if (sc->comment) {
			if (s[i] == '*' && s[i + 1] == '/')
				sc->comment = false;
			continue;
		}
		if (s[i] == '/' && s[i + 1] == '/')
			return false;
		if (s[i] == '/' && s[i + 1] == '*')
			sc->comment = true;
		if (s[i] == '"' || s[i] == '\'') {
			char quote = s[i];

			for (i++; i < s.size() && s[i] != quote; i++)
				i += s[i] == '\\';
			continue;
		}
		sc->parens += (s[i] == '(') - (s[i] == ')');
		sc->depth += (s[i] == '{') - (s[i] == '}');
		sc->opened |= s[i] == '{';
		if (sc->parens <= 0 && sc->depth <= 0 &&
		    (s[i] == ';' || (s[i] == '}' && sc->opened)))
			return true;
	}
	return false;
}

static int c_statement_end(const std::string &file, int line, int last)
{
	struct scanner sc = { 0, 0, false, false };
	bool pragma = false;
	int missing = 0;

	for (int n = line; n < line + 100000 && missing < 50; n++) {
		std::string s = text_of(file, n);
		size_t i = first_nonblank(s);

		missing = s.empty() ? missing + 1 : 0;
		if (pragma || (i < s.size() && s[i] == '#')) {
			pragma = !s.empty() && s[s.size() - 1] == '\\';
			continue;
		}
		if (n == line)
			while (i < s.size() && !word_at(s, i, "for") && !word_at(s, i, "while") &&
			       !word_at(s, i, "do") && s[i] != '{')
				i++;
		if (statement_ends(&sc, s, i))
			return MAX(n, last);
	}
	return last;
}

/* --- both ----------------------------------------------------------------------------------- */
struct psc_place psc_place_of(location_t where)
{
	struct psc_place place = { "", 0, 0 };
	expanded_location at, start, finish;

	where = LOCATION_LOCUS(where);
	if (where == UNKNOWN_LOCATION || where == BUILTINS_LOCATION)
		return place;
	at = expand_location(where);
	if (!at.file || at.line <= 0)
		return place;
	place.file = at.file;
	place.line = place.end = at.line;
	start = expand_location(get_start(where));
	finish = expand_location(get_finish(where));
	if (start.file && place.file == start.file && start.line > 0)
		place.line = MIN(place.line, start.line);
	if (finish.file && place.file == finish.file)
		place.end = MAX(place.end, finish.line);
	if (psc_is_fortran())
		place.line = first_of_statement(place.file, place.line);
	return place;
}

static bool has_loop_word(const std::string &s)
{
	if (psc_is_fortran())
		return has_word(s, "do");
	return has_word(s, "for") || has_word(s, "while") || has_word(s, "do");
}

/* Blank, comment or braces only: may come between "do" and the first statement. */
static bool is_filler(const std::string &s)
{
	size_t i = first_nonblank(s);

	if (psc_is_fortran())
		return i == s.size() || s[i] == '!' || strchr("cC*", s[0]);
	return i == s.size() || s.find_first_not_of(" \t{}") == std::string::npos ||
		s.compare(i, 2, "//") == 0 || s.compare(i, 2, "/*") == 0 || s[i] == '*';
}

int psc_loop_line(const std::string &file, int test, int body)
{
	int line = test && (!body || test <= body) ? test : body;

	if (line <= 0 || has_loop_word(text_of(file, line)))
		return line;
	for (int n = line - 1; n > 0 && n >= line - 12; n--) {
		std::string s = text_of(file, n);

		if (has_loop_word(s) && !is_filler(s))
			return n;
		if (!is_filler(s))
			break;
	}
	return line;
}

int psc_pragma_line(const std::string &file, int line)
{
	if (psc_is_fortran())
		return line;
	for (int n = line - 1; n > 0 && n >= line - 20; n--) {
		std::string s = text_of(file, n);
		size_t i = first_nonblank(s);

		if (s.compare(i, 7, "#pragma") == 0 && has_word(s, "omp"))
			return n;
		if (s.empty() || s[s.size() - 1] != '\\')
			break;
	}
	return line;
}

int psc_block_end(const std::string &file, int type, int line, int last)
{
	last = MAX(line, last);
	return psc_is_fortran() ? fortran_end(file, type, line, last)
		: c_statement_end(file, line, last);
}
