/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes syntax of other languages, so that a message can say what to write instead. */
#include "asl/ast.h"

#include <string.h>
#include "asl/parse.h"

bool asl_is_clause(int kind)
{
	return kind == TOK_CONDITION || kind == TOK_CONFIDENCE || kind == TOK_SEVERITY
		|| kind == TOK_ADVICE || kind == TOK_WHY || kind == TOK_DO || kind == TOK_FIX;
}

static const char *clause_meant(struct parser *p, const char *word)
{
	struct suggest s = { .c = p->c, .word = word };

	asl_suggest(&s, "CONDITION");
	asl_suggest(&s, "CONFIDENCE");
	asl_suggest(&s, "SEVERITY");
	asl_suggest(&s, "ADVICE");
	asl_suggest(&s, "WHY");
	return asl_suggestion(p->c, &s);
}

static const struct token *clause_of(const struct parser *p, const struct token *t)
{
	while (t > p->first && !asl_is_clause(t->kind))
		t--;
	return t;
}

bool asl_is_keyword(const struct token *t)
{
	return t->kind != 0 && t->kind != TOK_ID && t->kind != TOK_STRING && t->kind != TOK_CONST
		&& (t->text[0] | 32) >= 'a' && (t->text[0] | 32) <= 'z';
}

static bool is_word(const struct token *t, const char *const *words)
{
	while (t->kind == TOK_ID && *words && strcmp(t->text, *words) != 0)
		words++;
	return t->kind == TOK_ID && *words;
}

static bool is_comparison(int kind)
{
	return kind == '<' || kind == '>' || kind == TOK_LE || kind == TOK_GE || kind == TOK_EQ
		|| kind == TOK_NE;
}

bool asl_is_chained(const struct parser *p, const struct token *t)
{
	int depth = 0;

	if (!is_comparison(t->kind))
		return false;
	while (t-- > p->first && depth <= 0) {
		depth += (t->kind == '(' || t->kind == '[') - (t->kind == ')' || t->kind == ']');
		if (depth == 0 && is_comparison(t->kind))
			return true;
		if (depth == 0 && (t->kind == TOK_AND || t->kind == TOK_OR || t->kind == ':'))
			return false;
	}
	return false;
}

/* The token before the parentheses that end just before t; t itself: there are none. */
static const struct token *called(const struct parser *p, const struct token *t)
{
	const struct token *s = t;
	int depth = 0;

	do {
		if (s-- == p->first)
			return t;
		depth += (s->kind == ')') - (s->kind == '(');
	} while (depth > 0);
	return s->kind == '(' && s > p->first ? s - 1 : t;
}

static const char *habit(const struct parser *p, const struct token *t)
{
	static const char *const choices[] = { "if", "else", "then", NULL };
	static const char *const loops[] = { "for", "while", "do", "return", NULL };
	static const char *const files[] = { "include", "import", "use", "INCLUDE", NULL };
	static const char *const types[] = { "float", "int", "bool", "string", NULL };
	const struct token *before = t > p->first ? t - 1 : t;
	bool guard = t - p->first > 2 && before->kind == ')' && t[-2].kind == TOK_ID &&
		t[-3].kind == '(';

	if (is_word(t, choices) || is_word(before, choices) || is_word(called(p, t), choices))
		return "; there is no 'if': write condition ? a : b";
	if (is_word(t, loops) || is_word(before, loops))
		return "; there are no statements: sets are folded by SUM, MAX, COUNT and others";
	if (is_word(p->first, files))
		return "; is include \"file.asl\"; meant?";
	if ((t->kind == TOK_ARROW || t->kind == '%') && !p->inner && before->kind == TOK_ID
			&& t + 1 < p->end && t[1].kind == TOK_ID)
		return "; is '.' meant?";
	if (guard && is_word(t - 2, types))
		return "; nothing is cast: an int fits where a float is wanted";
	if (guard && (t->kind == TOK_ID || t->kind == TOK_NUMBER) &&
	    clause_of(p, t)->kind == TOK_CONDITION)
		return "; an alternative's name stands at its beginning, which is after ':' or OR";
	return NULL;
}

static const char *clause_habit(struct parser *p, const struct token *t)
{
	static const char *const words[] = { "CONDITION", "CONFIDENCE", "SEVERITY", "ADVICE", "WHY",
		"DO", "FIX", NULL };
	int clause = clause_of(p, t)->kind;
	const char *text;

	if (is_word(t, words))
		return "; is ':' missing behind it?";
	if (t->kind == ',' && clause == TOK_CONDITION)
		return "; alternatives are joined by OR";
	if (t->kind == ',' && (clause == TOK_CONFIDENCE || clause == TOK_SEVERITY))
		return "; several entries stand in MAX(...)";
	if (t->kind != TOK_ID || t + 1 >= p->end || t[1].kind != ':')
		return NULL;
	text = clause_meant(p, t->text);
	return *text ? text :
		"; a property has CONDITION, CONFIDENCE, SEVERITY, WHY and DO (or ADVICE), FIX";
}

const char *asl_habit(struct parser *p, const struct token *t)
{
	const char *text = habit(p, t);

	return text ? text : clause_habit(p, t);
}
