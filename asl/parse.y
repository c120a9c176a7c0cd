/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses tokens into a tree, one declaration at a time.  asl_parse() cuts the tokens into
 * declarations, so that a syntax error never affects the next one; inside of one, parsing resumes
 * after `;`. */
%code requires {
#include "asl/ast.h"
}
%code {
#include <string.h>
static int asl_yylex(union ASL_YYSTYPE *value, struct parser *p);
static void asl_yyerror(struct parser *p, const char *message);
static struct node *node(struct parser *p, enum node_kind kind, struct pos pos, struct node *a,
	struct node *b, struct node *c);
static struct node *named(struct parser *p, enum node_kind kind, const struct token *name,
	struct node *a, struct node *b, struct node *c);
static struct node *binary(struct parser *p, enum bin op, const struct token *at, struct node *a,
	struct node *b);
static struct nodes append(struct nodes list, struct node *n);
static struct vars append_var(struct vars list, struct var *v);
static struct var *variable(struct parser *p, struct typeref type, const struct token *name);
static struct decl *decl(struct parser *p, enum decl_kind kind, const struct token *name);
static void keep_params(struct parser *p, struct var *params);
static void keep_refines(struct parser *p, struct node *names);
static void clause(struct parser *p, struct node **where, const struct token *at, struct node *n);
static void text_clause(struct parser *p, enum text_clause clause, const struct token *at,
	const struct token *string);
/* The parser's stack is in the arena, so that a jump out of the parser leaks nothing. */
#define YYMALLOC(size) arena_alloc(p->c->scratch, size)
#define YYFREE(block) ((void)(block))
}
%define api.pure full
%define api.prefix {asl_yy}
%define parse.error custom
%define api.token.prefix {TOK_}
%parse-param { struct parser *p }
%lex-param { struct parser *p }
%expect 0

%union {
	struct token tok;
	struct node *node;
	struct nodes nodes;
	struct var *var;
	struct vars vars;
	struct typeref type;
	struct decl *decl;
}
/* No %destructor: every semantic value of every type lives in the arena. */

%token START_DECL START_EXPR DEEP
%token <tok> INCLUDE "include"
%token <tok> ID "name" NUMBER "number" STRING "string"
%token <tok> PROPERTY "PROPERTY" TEMPLATE "TEMPLATE" CLASS "class" ENUM "enum"
%token <tok> EXTENDS "extends" SETOF "setof" CONST "const" REFINES "REFINES" LET "LET" IN "IN"
%token <tok> WITH "WITH" WHERE "WHERE" AND "AND" OR "OR" NOT "NOT" TRUE "TRUE" FALSE "FALSE"
%token <tok> CONDITION "CONDITION" CONFIDENCE "CONFIDENCE" SEVERITY "SEVERITY" ADVICE "ADVICE"
%token <tok> WHY "WHY" DO "DO" FIX "FIX"
%token <tok> AGG "aggregate" UNIQUE "UNIQUE" QUANT "quantifier" GUARD "guard"
%token <tok> ARROW "->" LE "<=" GE ">=" EQ "==" NE "!="
%token <tok> '+' '-' '*' '/' '<' '>' '=' '?' ':' ';' ',' '.' '(' ')' '{' '}' '[' ']' '%'

%type <node> expr or_expr alternative and_expr not_expr comparison sum product unary postfix
%type <node> primary entry with ufactor
%type <nodes> entries names unit_list refines
%type <node> unit value
%type <type> type
%type <tok> name
%type <var> attr param fparam def arg
%type <vars> attrs params param_list fparams args arg_list defs
%type <decl> declaration property

%%
input
	: START_DECL declaration	{ p->decl = $2; }
	| START_EXPR expr		{ p->expr = $2; }
	| START_EXPR expr '%'		{ p->expr = $2; p->percent = true; }
	;

/* Clause words are names unless a ':' follows; the lexer decides. */
name	: ID ;

declaration
	: ENUM name '{' names opt_comma '}' opt_semicolon
		{ $$ = decl(p, D_ENUM, &$2); $$->names = $4.head; }
	| CLASS name '{' attrs '}' opt_semicolon
		{ $$ = decl(p, D_CLASS, &$2); $$->vars = $4.head; }
	| CLASS name EXTENDS name '{' attrs '}' opt_semicolon
		{
			$$ = decl(p, D_CLASS, &$2);
			$$->base = named(p, N_NAME, &$4, NULL, NULL, NULL);
			$$->vars = $6.head;
		}
	| type name unit value ';'
		{
			$$ = decl(p, D_CONST, &$2);
			$$->result = (struct var){ .type = $1, .name = $2.text, .pos = $2.pos,
				.unit = $3, .init = $4, .is_const = true };
		}
	| CONST type name unit value ';'
		{
			$$ = decl(p, D_CONST, &$3);
			$$->result = (struct var){ .type = $2, .name = $3.text, .pos = $3.pos,
				.unit = $4, .init = $5, .is_const = true };
		}
	| type name '(' params ')' '=' expr ';'
		{
			$$ = decl(p, D_FUNC, &$2);
			$$->vars = $4.head;
			$$->result = (struct var){ .type = $1, .name = $2.text, .pos = $2.pos,
				.init = $7 };
		}
	| PROPERTY name
		{ $<decl>$ = p->decl = decl(p, D_PROP, &$2); }
		'(' params ')' refines '{' let clauses '}' opt_semicolon
		{ $$ = $<decl>3; }
	| PROPERTY TEMPLATE name
		{ $<decl>$ = p->decl = decl(p, D_PROP, &$3); p->decl->is_template = true; }
		'<' fparams '>'
		{ p->decl->fparams = $6.head; }
		'(' params ')' refines '{' let clauses '}' opt_semicolon
		{ $$ = $<decl>4; }
	| property
	| INCLUDE STRING ';'		{ $$ = NULL; p->include = $2; }
	;

property
	: PROPERTY name '<' names '>' name refines ';'
		{
			$$ = decl(p, D_INST, &$6);
			$$->base = named(p, N_NAME, &$2, NULL, NULL, NULL);
			$$->names = $4.head;
			$$->refines = $7.head;
		}
	;

opt_semicolon : %empty | ';' ;
opt_comma : %empty | ',' ;

names	: name				{ $$ = append((struct nodes){ 0 },
						named(p, N_NAME, &$1, NULL, NULL, NULL)); }
	| names ',' name		{ $$ = append($1, named(p, N_NAME, &$3, NULL, NULL, NULL)); }
	;
refines	: %empty			{ $$ = (struct nodes){ 0 }; }
	| REFINES names			{ $$ = $2; keep_refines(p, $2.head); }
	;

type	: name				{ $$ = (struct typeref){ $1.text, $1.pos, false }; }
	| SETOF name			{ $$ = (struct typeref){ $2.text, $2.pos, true }; }
	;
unit	: %empty			{ $$ = NULL; }
	| '[' unit_list ']'		{ $$ = $2.head; }
	;
unit_list
	: ufactor			{ $$ = append((struct nodes){ 0 }, $1); }
	| unit_list '*' ufactor		{ $$ = append($1, $3); }
	| unit_list '/' ufactor		{ $3->op = 1; $$ = append($1, $3); }
	;
ufactor	: name				{ $$ = named(p, N_NAME, &$1, NULL, NULL, NULL); }
	| NUMBER			{ $$ = named(p, N_NAME, &$1, NULL, NULL, NULL); }
	;
value	: %empty			{ $$ = NULL; }
	| '=' expr			{ $$ = $2; }
	;

attrs	: %empty			{ $$ = (struct vars){ 0 }; }
	| attrs attr ';'		{ $$ = append_var($1, $2); }
	| attrs error ';'		{ $$ = $1; yyerrok; }
	;
attr	: type name unit		{ $$ = variable(p, $1, &$2); $$->unit = $3; }
	| type name '[' ']' unit	{ $$ = variable(p, $1, &$2); $$->array = true; $$->unit = $5; }
	;
params	: %empty			{ $$ = (struct vars){ 0 }; }
	| param_list			{ $$ = $1; keep_params(p, $1.head); }
	;
param_list
	: param				{ $$ = append_var((struct vars){ 0 }, $1); }
	| param_list ',' param		{ $$ = append_var($1, $3); }
	;
param	: type name			{ $$ = variable(p, $1, &$2); }
	| fparam
	;
fparams	: fparam			{ $$ = append_var((struct vars){ 0 }, $1); }
	| fparams ',' fparam		{ $$ = append_var($1, $3); }
	;
fparam	: type name '(' args ')'
		{ $$ = variable(p, $1, &$2); $$->is_func = true; $$->args = $4.head; }
	;
args	: %empty			{ $$ = (struct vars){ 0 }; }
	| arg_list			{ $$ = $1; }
	;
arg_list
	: arg				{ $$ = append_var((struct vars){ 0 }, $1); }
	| arg_list ',' arg		{ $$ = append_var($1, $3); }
	;
arg	: type				{ $$ = variable(p, $1, NULL); }
	| type name			{ $$ = variable(p, $1, &$2); }
	;

let	: %empty
	| LET defs IN			{ p->decl->lets = $2.head; }
	;
defs	: %empty			{ $$ = (struct vars){ 0 }; }
	| defs def ';'			{ $$ = append_var($1, $2); }
	| defs error ';'		{ $$ = $1; yyerrok; }
	;
def	: type name unit value
		{ $$ = variable(p, $1, &$2); $$->unit = $3; $$->init = $4; $$->is_const = !$4; }
	| CONST type name unit value
		{ $$ = variable(p, $2, &$3); $$->unit = $4; $$->init = $5; $$->is_const = true; }
	;

clauses	: %empty | clauses clause ;
clause	: CONDITION ':' expr ';'	{ clause(p, &p->decl->condition, &$1, $3); }
	| CONFIDENCE ':' entry ';'	{ clause(p, &p->decl->confidence, &$1, $3); }
	| SEVERITY ':' entry ';'	{ clause(p, &p->decl->severity, &$1, $3); }
	| ADVICE ':' STRING ';'		{ text_clause(p, TEXT_ADVICE, &$1, &$3); }
	| WHY ':' STRING ';'		{ text_clause(p, TEXT_WHY, &$1, &$3); }
	| DO ':' STRING ';'		{ text_clause(p, TEXT_DO, &$1, &$3); }
	| FIX ':' names ';'		{ clause(p, &p->decl->fix, &$1, $3.head); }
	| error ';'			{ yyerrok; }
	;

expr	: or_expr
	| or_expr '?' expr ':' expr	{ $$ = node(p, N_COND, $2.pos, $1, $3, $5); }
	;
or_expr	: alternative
	| or_expr OR alternative	{ $$ = binary(p, B_OR, &$2, $1, $3); }
	;
alternative
	: and_expr
	| GUARD and_expr		{ $$ = named(p, N_ALT, &$1, $2, NULL, NULL); }
	;
and_expr: not_expr
	| and_expr AND not_expr		{ $$ = binary(p, B_AND, &$2, $1, $3); }
	;
not_expr: comparison
	| NOT not_expr			{ $$ = node(p, N_NOT, $1.pos, $2, NULL, NULL); }
	;
comparison
	: sum
	| sum '<' sum			{ $$ = binary(p, B_LT, &$2, $1, $3); }
	| sum LE sum			{ $$ = binary(p, B_LE, &$2, $1, $3); }
	| sum '>' sum			{ $$ = binary(p, B_GT, &$2, $1, $3); }
	| sum GE sum			{ $$ = binary(p, B_GE, &$2, $1, $3); }
	| sum EQ sum			{ $$ = binary(p, B_EQ, &$2, $1, $3); }
	| sum NE sum			{ $$ = binary(p, B_NE, &$2, $1, $3); }
	;
sum	: product
	| sum '+' product		{ $$ = binary(p, B_ADD, &$2, $1, $3); }
	| sum '-' product		{ $$ = binary(p, B_SUB, &$2, $1, $3); }
	;
product	: unary
	| product '*' unary		{ $$ = binary(p, B_MUL, &$2, $1, $3); }
	| product '/' unary		{ $$ = binary(p, B_DIV, &$2, $1, $3); }
	;
unary	: postfix
	| '-' unary			{ $$ = node(p, N_NEG, $1.pos, $2, NULL, NULL); }
	| '+' unary			{ $$ = $2; }
	;
postfix	: primary
	| postfix '.' name		{ $$ = named(p, N_ATTR, &$3, $1, NULL, NULL); }
	| postfix '[' expr ']'		{ $$ = node(p, N_INDEX, $2.pos, $1, $3, NULL); }
	;
primary	: NUMBER
		{
			$$ = named(p, N_NUM, &$1, NULL, NULL, NULL);
			$$->num = $1.number;
			$$->op = strpbrk($1.text, ".eE") == NULL;       /* an integer */
		}
	| STRING
		{
			$$ = named(p, N_STRING, &$1, NULL, NULL, NULL);
			$$->name = asl_unescape(p->c, $1.text, strlen($1.text));
		}
	| TRUE				{ $$ = named(p, N_BOOL, &$1, NULL, NULL, NULL); $$->num = 1; }
	| FALSE				{ $$ = named(p, N_BOOL, &$1, NULL, NULL, NULL); }
	| name				{ $$ = named(p, N_NAME, &$1, NULL, NULL, NULL); }
	| name '(' ')'			{ $$ = named(p, N_CALL, &$1, NULL, NULL, NULL); }
	| name '(' entries ')'		{ $$ = named(p, N_CALL, &$1, $3.head, NULL, NULL); }
	| AGG '(' entries ')'
		{ $$ = node(p, N_AGG, $1.pos, $3.head, NULL, NULL); $$->op = (int)$1.number; }
	| AGG '(' expr WHERE name IN sum with ')'
		{
			$$ = named(p, N_AGG, &$5, $3, $7, $8);
			$$->op = (int)$1.number;
			$$->pos = $1.pos;
		}
	| AGG '(' expr WHERE name IN sum AND expr ')'
		{
			$$ = named(p, N_AGG, &$5, $3, $7, $9);
			$$->op = (int)$1.number;
			$$->pos = $1.pos;
		}
	| UNIQUE '(' expr ')'
		{ $$ = node(p, N_AGG, $1.pos, NULL, $3, NULL); $$->op = AGG_UNIQUE; }
	| QUANT '(' name IN sum WITH expr ')'
		{
			$$ = named(p, N_AGG, &$3, $7, $5, NULL);
			$$->op = (int)$1.number;
			$$->pos = $1.pos;
		}
	| '{' name IN sum with '}'	{ $$ = named(p, N_SET, &$2, NULL, $4, $5); }
	| '(' expr ')'			{ $$ = $2; }
	;
with	: %empty			{ $$ = NULL; }
	| WITH expr			{ $$ = $2; }
	;
entries	: entry				{ $$ = append((struct nodes){ 0 }, $1); }
	| entries ',' entry		{ $$ = append($1, $3); }
	;
entry	: expr
	| GUARD ARROW expr		{ $$ = named(p, N_ENTRY, &$1, $3, NULL, NULL); }
	;
%%

/* --- the tree --- */
static struct node *node(struct parser *p, enum node_kind kind, struct pos pos, struct node *a,
	struct node *b, struct node *c)
{
	struct node *n = asl_new(p->c, sizeof *n);
	struct node *kids[] = { a, b, c };

	n->kind = kind;
	n->pos = pos;
	n->a = a;
	n->b = b;
	n->c = c;
	for (int i = 0; i < 3; i++)
		for (const struct node *k = kids[i]; k; k = k->next)
			n->depth = k->depth >= n->depth ? k->depth + 1 : n->depth;
	if (n->depth > MAX_DEPTH) {
		if (!p->failed)
			asl_error(p->c, pos, "expression is nested more than %d deep", MAX_DEPTH);
		p->failed = true;
		*n = (struct node){ .kind = N_BAD, .pos = pos };
	}
	return n;
}

static struct node *named(struct parser *p, enum node_kind kind, const struct token *name,
	struct node *a, struct node *b, struct node *c)
{
	struct node *n = node(p, kind, name->pos, a, b, c);

	n->name = name->text;
	return n;
}

static struct node *binary(struct parser *p, enum bin op, const struct token *at, struct node *a,
	struct node *b)
{
	struct node *n = node(p, N_BIN, at->pos, a, b, NULL);

	n->op = op;
	return n;
}

static struct nodes append(struct nodes list, struct node *n)
{
	if (list.tail)
		list.tail->next = n;
	else
		list.head = n;
	list.tail = n;
	return list;
}

static struct vars append_var(struct vars list, struct var *v)
{
	if (list.tail)
		list.tail->next = v;
	else
		list.head = v;
	list.tail = v;
	return list;
}

static struct var *variable(struct parser *p, struct typeref type, const struct token *name)
{
	struct var *v = asl_new(p->c, sizeof *v);

	v->type = type;
	v->pos = name ? name->pos : type.pos;
	v->name = name ? name->text : NULL;
	return v;
}

static struct decl *decl(struct parser *p, enum decl_kind kind, const struct token *name)
{
	struct decl *d = asl_new(p->c, sizeof *d);

	d->kind = kind;
	d->name = name->text;
	d->pos = name->pos;
	return d;
}

/* Keeps a property's head even when its body has a syntax error. */
static void keep_params(struct parser *p, struct var *params)
{
	if (p->decl)
		p->decl->vars = params;
}

static void keep_refines(struct parser *p, struct node *names)
{
	if (p->decl)
		p->decl->refines = names;
}

static void clause(struct parser *p, struct node **where, const struct token *at, struct node *n)
{
	if (*where)
		asl_error(p->c, at->pos, "second %s of '%s'", at->text, p->decl->name);
	*where = n;
}

const char *asl_unescape(struct compile *c, const char *s, size_t n)
{
	char *out = asl_new(c, n + 1), *o = out;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\\' && i + 1 < n)
			*o++ = s[++i] == 'n' ? '\n' : s[i];
		else
			*o++ = s[i];
	}
	return out;
}

/* --- tokens --- */

/* `(id)` before an operand or an arrow is a guard: the name of an alternative of CONDITION. */
static bool is_guard(const struct parser *p)
{
	static const char *const casts[] = { "float", "int", "bool", "string" };
	const struct token *t = p->tok;
	int before;

	if (t == p->first || p->end - t < 4 || t[0].kind != '(' || t[1].kind != TOK_ID || t[2].kind != ')')
		return false;
	for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
		if (!strcmp(t[1].text, casts[i]))
			return false;
	before = t[-1].kind;
	if (before != ':' && before != TOK_OR && before != '(' && before != ',')
		return false;
	switch (t[3].kind) {
	case TOK_ARROW: case TOK_ID: case TOK_NUMBER: case TOK_STRING: case TOK_AGG:
	case TOK_UNIQUE: case TOK_QUANT: case TOK_NOT: case TOK_TRUE: case TOK_FALSE:
	case '(': case '{':
		return true;
	default:
		return false;
	}
}

static int asl_yylex(union ASL_YYSTYPE *value, struct parser *p)
{
	if (p->start) {
		int start = p->start;

		p->start = 0;
		return start;
	}
	value->tok = *p->tok;
	if (p->tok == p->end)
		return 0;
	p->last = p->tok;
	if (!p->inner && p->tok[0].kind == '(' && is_guard(p)) {
		value->tok.text = p->tok[1].text;
		value->tok.pos = p->tok[1].pos;
		p->tok += 3;
		return TOK_GUARD;
	}
	return (p->tok++)->kind;
}

/* --- errors --- */

/* Drops operators from the expected tokens unless nothing else is expected: one could follow almost
 * everywhere. */
static int leave_out_operators(yysymbol_kind_t *want, int n)
{
	int left = 0;

	for (int i = 0; i < n; i++)
		if (!strchr("+-*/.[?", yysymbol_name(want[i])[1]) || yysymbol_name(want[i])[0] != '\'')
			want[left++] = want[i];
	return left ? left : n;
}

/* ", expected a, b or c", or a hint; many expected tokens are summarized. */
static const char *expected(const yypcontext_t *ctx, struct parser *p, const struct token *t)
{
	enum { SHOWN = 4, MANY = 64 };
	yysymbol_kind_t want[MANY];
	int n = yypcontext_expected_tokens(ctx, want, MANY);
	bool operand = false, brace = false, word = false;
	const char *text;

	n = leave_out_operators(want, n);
	for (int i = 0; i < n; i++) {
		word = word || want[i] == YYSYMBOL_ID;
		operand = operand || want[i] == YYSYMBOL_NUMBER;
		brace = brace || !strcmp(yysymbol_name(want[i]), "'}'");
	}
	for (int i = 0; i < n; i++)
		if (want[i] == YYSYMBOL_IN && asl_is_clause(t->kind)) {
			p->silent = true;
			return "; is IN missing behind the LET definitions?";
		}
	if (word && n <= 2 && asl_is_keyword(t)) {
		p->word = t;
		return ", expected name; it is a word of the language";
	}
	text = asl_habit(p, t);
	if (text)
		return text;
	if (t->kind == TOK_WHERE && !(n == 1 && want[0] == YYSYMBOL_WITH))
		return "; WHERE stands in SUM, MIN, MAX, AVG, COUNT and STDEV";
	if (t->kind == '{' && n == 1 && !strcmp(yysymbol_name(want[0]), "'='"))
		return ", expected '='; a function is one expression: float f(Type x) = ...;";
	if (!word && !operand && asl_is_chained(p, t))
		return "; comparisons are not chained: write a < b AND b < c";
	if (t->kind == '=' && !word && (n > 1 || (n == 1 && !strcmp(yysymbol_name(want[0]), "';'"))))
		return "; is '==' meant?";
	if (operand)
		return ", expected an expression";
	text = "";
	if (n > SHOWN)
		return brace && t == p->end ? "; is a '}' missing?" : "";
	for (int i = 0; i < n && text; i++)
		text = arena_printf(p->c->scratch, "%s%s%s", text,
			i == 0 ? ", expected " : i == n - 1 ? " or " : ", ", yysymbol_name(want[i]));
	return text ? text : "";
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct parser *p)
{
	bool ended = yypcontext_token(ctx) == YYSYMBOL_YYEOF;
	const struct token *t = ended ? p->end : p->last;
	const char *what;

	p->failed = true;
	if (p->silent)
		return 0;
	what = expected(ctx, p, t);
	if (t->kind == TOK_DEEP)        /* the lexer has reported it */
		return 0;
	if (ended && p->inner)
		asl_error(p->c, t->pos, "field ends too early%s", what);
	else if (t->kind == TOK_STRING)
		asl_error(p->c, t->pos, "unexpected string%s", what);
	else if (t->kind == 0)
		asl_error(p->c, t->pos, "unexpected end of file%s", what);
	else
		asl_error(p->c, t->pos, "unexpected '%s'%s", t->text, what);
	return 0;
}

static void asl_yyerror(struct parser *p, const char *message)
{
	(void)message;          /* only ever "memory exhausted": YYMAXDEPTH */
	p->failed = true;
	asl_error(p->c, p->last->pos, "nested too deeply");
}

/* --- declarations --- */
static bool has_braces(int kind)
{
	return kind == TOK_PROPERTY || kind == TOK_CLASS || kind == TOK_ENUM;
}

/* One past the last token of the declaration that begins at t. */
static const struct token *declaration_end(const struct token *t, const struct token *end)
{
	bool braces = has_braces(t->kind);
	int depth = 0;

	for (const struct token *s = t; s < end; s++) {
		if (s > t && (has_braces(s->kind) || (s->kind == TOK_INCLUDE && depth <= 0)))
			return s;       /* the declaration before it is incomplete */
		if (s->kind == '{')
			depth++;
		else if (s->kind == '}' && --depth <= 0 && braces)
			return s + 1 < end && s[1].kind == ';' ? s + 2 : s + 1;
		else if (s->kind == ';' && depth <= 0)
			return s + 1;
	}
	return end;
}

/* Records the names that a declaration with a syntax error may declare, so that their uses are not
 * reported as unknown. */
static void keep_broken(struct compile *c, const struct token *from, const struct token *to)
{
	c->any_broken = true;
	for (const struct token *t = from; t < to; t++)
		c->missing |= t->kind == TOK_INCLUDE;
	for (const struct token *t = from + 1; t < to; t++) {
		int before = t[-1].kind;

		if (t->kind == TOK_ID && (from->kind == TOK_ENUM || before == TOK_ID
				|| before == TOK_PROPERTY || before == '>' || before == TOK_TEMPLATE
				|| before == TOK_CLASS))
			asl_add_broken(c, t->text);
	}
}

static void add_decl(struct compile *c, struct parser *p, const struct token *from)
{
	if (p->failed)
		keep_broken(c, from, p->end);
	if (!p->decl)
		return;
	p->decl->broken = p->failed;
	*c->decls_tail = p->decl;
	c->decls_tail = &p->decl->next;
}

/* Reports a source that is too large or no text.  The caller skips it, so that any name may be
 * unknown. */
static bool is_text(struct compile *c, int file)
{
	const struct asl_source *src = &c->sources[file];
	const char *nul = src->length ? memchr(src->text, '\0', src->length) : NULL;
	struct pos pos = { file, 1, 1 };

	for (const char *s = src->text; nul && s < nul; s++) {
		pos.line += *s == '\n';
		pos.col = *s == '\n' ? 1 : pos.col + 1;
	}
	if (src->length > MAX_SOURCE)
		asl_error(c, (struct pos){ file, 0, 0 }, "file is larger than %d MiB", MAX_SOURCE >> 20);
	else if (nul)
		asl_error(c, pos, "a NUL byte: this is not text");
	return src->length <= MAX_SOURCE && !nul;
}

void asl_parse(struct compile *c, int file)
{
	size_t n;
	const struct token *t, *end;
	bool cut = false;       /* a keyword was used as a name: do not report what follows it */

	if (!is_text(c, file)) {
		c->missing = true;
		return;
	}
	t = asl_lex(c, c->sources[file].text, c->sources[file].length, (struct pos){ file, 1, 1 }, &n);
	end = t + n;
	while (t < end) {
		struct parser p = { .c = c, .tok = t, .first = t, .last = t,
			.start = TOK_START_DECL, .silent = cut };

		if (t->kind == ';') {   /* an empty declaration */
			t++;
			continue;
		}
		p.end = declaration_end(t, end);
		if (asl_yyparse(&p) != 0)
			p.failed = true;
		cut = p.failed && p.end < end && p.word == p.end;
		add_decl(c, &p, t);
		if (p.include.kind && !p.failed)
			asl_include(c, file, &p.include);
		t = p.end;
	}
}

static struct piece *add_piece(struct compile *c, struct piece ***tail, const char *s, size_t n)
{
	struct piece *piece = asl_new(c, sizeof *piece);

	piece->text = asl_unescape(c, s, n);
	**tail = piece;
	*tail = &piece->next;
	return piece;
}

static struct piece *parse_text(struct compile *c, const struct token *string)
{
	const char *s = string->text;
	struct piece *head = NULL, **tail = &head;
	size_t n, i = 0;

	while (s[i]) {
		struct pos pos = string->pos;
		struct parser p = { .c = c, .start = TOK_START_EXPR, .inner = true };

		for (n = 0; s[i + n] && s[i + n] != '{' && s[i + n] != '}'; n++)
			n += s[i + n] == '\\';
		if (n)
			add_piece(c, &tail, s + i, n);
		i += n;
		if (!s[i])
			break;
		pos.col += 1 + (int)i;
		n = strcspn(s + i, "}");
		if (s[i] == '}' || !s[i + n]) {
			asl_error(c, pos, "'%c' without its partner; for the character itself write '\\%c'",
				s[i], s[i]);
			return head;
		}
		pos.col++;
		p.tok = asl_lex(c, s + i + 1, n - 1, pos, &(size_t){ 0 });
		p.first = p.last = p.tok;
		for (p.end = p.tok; p.end->kind; p.end++)
			;
		if (asl_yyparse(&p) == 0 && p.expr && !p.failed) {
			struct piece *field = add_piece(c, &tail, "", 0);

			field->expr = p.expr;
			field->percent = p.percent;
		}
		i += n + 1;
	}
	return head;
}

/* May the property have this clause beside those before it?  ADVICE has the reason and what to do in one
 * sentence, so it stands alone. */
static bool clause_allowed(struct parser *p, enum text_clause clause, const struct token *at)
{
	const struct decl *d = p->decl;

	if (d->written[clause]) {
		asl_error(p->c, at->pos, "second %s of '%s'", asl_text_name(clause), d->name);
		return false;
	}
	for (enum text_clause other = 0; other < TEXT_COUNT; other++)
		if (d->written[other] && (other == TEXT_ADVICE) != (clause == TEXT_ADVICE)) {
			asl_error(p->c, at->pos, "'%s' has ADVICE and %s: write WHY and DO, or ADVICE alone",
				d->name, asl_text_name(clause == TEXT_ADVICE ? other : clause));
			return false;
		}
	return true;
}

/* Adds the pieces of a text to the property, in the order of the clauses. */
static void text_clause(struct parser *p, enum text_clause clause, const struct token *at,
	const struct token *string)
{
	struct piece *new = parse_text(p->c, string), **to = &p->decl->texts;

	if (!clause_allowed(p, clause, at))
		return;
	p->decl->written[clause] = true;
	for (struct piece *t = new; t; t = t->next)
		t->clause = clause;
	while (*to && clause == TEXT_DO)
		to = &(*to)->next;
	for (struct piece **end = &new; clause == TEXT_WHY; end = &(*end)->next)
		if (!*end) {
			*end = *to;
			break;
		}
	*to = new;
}
