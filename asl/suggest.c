/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggests words for a misspelt or foreign one. */
#include "asl/ast.h"
#include "base/word_distance.h"

#include <stdlib.h>
#include <string.h>

void asl_suggest(struct suggest *s, const char *candidate)
{
	int n = (int)strlen(s->word), limit = n / 3, d;

	if (!asl_may_suggest(s->c) || abs((int)strlen(candidate) - n) > limit)
		return;
	if (s->c)
		s->c->suggested++;
	d = word_distance(s->word, candidate, limit);
	if (d <= limit && (!s->best || d < s->distance)) {
		s->best = candidate;
		s->distance = d;
	}
}

const char *asl_suggestion(struct compile *c, const struct suggest *s)
{
	const char *text;

	if (!s->best)
		return "";
	text = arena_printf(c->scratch, "; did you mean '%s'?", s->best);
	if (!text)
		longjmp(c->nomem, 1);
	c->suggestion = s->best;
	return text;
}

/* Words of other languages and their equivalents. */
const char *asl_foreign(struct compile *c, const char *word, bool type)
{
	static const struct { const char *theirs, *ours, *text; bool type; } words[] = {
		{ "double", "float", "; did you mean 'float'?", true },
		{ "real", "float", "; did you mean 'float'?", true },
		{ "REAL", "float", "; did you mean 'float'?", true },
		{ "integer", "int", "; did you mean 'int'?", true },
		{ "INTEGER", "int", "; did you mean 'int'?", true },
		{ "long", "int", "; did you mean 'int'?", true },
		{ "unsigned", "int", "; did you mean 'int'?", true },
		{ "size_t", "int", "; did you mean 'int'?", true },
		{ "logical", "bool", "; did you mean 'bool'?", true },
		{ "boolean", "bool", "; did you mean 'bool'?", true },
		{ "char", "string", "; did you mean 'string'?", true },
		{ "str", "string", "; did you mean 'string'?", true },
		{ "abs", NULL, "; write MAX(x, -x)", false },
		{ "fabs", NULL, "; write MAX(x, -x)", false },
		{ "pow", NULL, "; there is no power: write x * x", false },
		{ "sqrt", NULL, "; there is no root: compare squares", false },
		{ "len", "COUNT", "; did you mean 'COUNT'?", false },
		{ "any", "EXISTS", "; did you mean 'EXISTS'?", false },
		{ "all", "FORALL", "; did you mean 'FORALL'?", false },
		{ "mean", "AVG", "; did you mean 'AVG'?", false },
		{ "average", "AVG", "; did you mean 'AVG'?", false },
		{ "AVERAGE", "AVG", "; did you mean 'AVG'?", false },
		{ "std", "STDEV", "; did you mean 'STDEV'?", false },
		{ "stddev", "STDEV", "; did you mean 'STDEV'?", false },
		{ "NULL", NULL,
			"; what was not measured is undefined, and so is a comparison with it",
			false },
		{ "None", NULL,
			"; what was not measured is undefined, and so is a comparison with it",
			false },
		{ "nan", NULL,
			"; what was not measured is undefined, and so is a comparison with it",
			false },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].type == type && !strcmp(word, words[i].theirs)) {
			c->suggestion = words[i].ours;
			return words[i].text;
		}
	return NULL;
}
