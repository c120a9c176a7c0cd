/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler's data, private to asl/: tokens, tree, symbols, and one function per pass.  All of
 * it is in the compile's scratch arena.  When an arena is exhausted, a jump leads back to
 * asl_compile(), which frees both arenas: no pass has an error path for memory. */
#ifndef PSC_ASL_AST_H
#define PSC_ASL_AST_H

#include <setjmp.h>
#include "asl/code.h"

struct pos {
	int file;               /* number of the source; -1: a setting */
	int line, col;          /* from 1 */
};

struct token {
	int kind;               /* of parse.h */
	struct pos pos;
	const char *text;       /* identifier, string content, or as written */
	double number;
	size_t at, end;         /* offsets in the source, with the quotes of a string */
};

struct type {
	enum kind kind;
	int ref;                /* class, enumeration; K_SET: class of the elements */
	bool array;
	const struct var *sig;  /* K_FUNC: the declaration with result and arguments */
};

enum node_kind {
	N_NUM, N_STRING, N_BOOL, N_NAME, N_ATTR, N_INDEX, N_CALL, N_NEG, N_NOT, N_BIN, N_COND,
	N_AGG, N_SET, N_ALT, N_ENTRY, N_PART,
	N_BAD                   /* after an error; causes no further one */
};

enum agg { AGG_SUM, AGG_MIN, AGG_MAX, AGG_AVG, AGG_COUNT, AGG_STDEV, AGG_UNIQUE, AGG_EXISTS,
	AGG_FORALL };

enum bin { B_ADD, B_SUB, B_MUL, B_DIV, B_LT, B_LE, B_GT, B_GE, B_EQ, B_NE, B_AND, B_OR };

/* Operands:            a           b       c         name
 *   N_ATTR, N_INDEX    object      index             attribute (N_ATTR)
 *   N_CALL             arguments                     function
 *   N_COND             condition   then    else
 *   N_AGG              value, or   set     predicate variable
 *                      arguments where b is NULL (scalar MIN and MAX)
 *   N_SET                          set     predicate variable
 *   N_ALT, N_ENTRY     expression                    guard
 *   N_PART             (made by expand.c) op: enum asl_aggregate, num: which part */
struct node {
	enum node_kind kind;
	int op;                 /* enum bin, enum agg; N_ATTR: attribute number */
	int depth;
	struct pos pos;
	struct node *a, *b, *c;
	struct node *next;      /* in a list */
	const char *name;
	struct sym *sym;        /* the symbol of name; the variable of N_AGG, N_SET */
	struct type type;
	double num;
	bool was_call;          /* the body of a function that replaces its call */
};
struct nodes { struct node *head, *tail; };

struct typeref {
	const char *name;
	struct pos pos;
	bool setof;
};

/* A parameter, attribute, LET definition, constant or function signature. */
struct var {
	struct typeref type;
	const char *name;       /* NULL in a signature's arguments */
	struct pos pos;
	bool array, is_const, is_func;
	struct node *unit;      /* list of names, op 1: in the denominator; NULL: none */
	struct node *init;
	struct var *args;       /* of a function parameter */
	struct var *next;
	struct sym *sym;
};
struct vars { struct var *head, *tail; };

struct piece {                  /* of a text: literal, or an expression */
	enum text_clause clause;
	const char *text;
	struct node *expr;
	const struct piece *written;    /* in a copy by expand.c: the original; else NULL */
	bool percent;
	struct piece *next;
};

static inline const char *asl_text_name(enum text_clause clause)
{
	return clause == TEXT_WHY ? "WHY" : clause == TEXT_DO ? "DO" : "ADVICE";
}

enum decl_kind { D_ENUM, D_CLASS, D_CONST, D_FUNC, D_PROP, D_INST };

struct decl {
	enum decl_kind kind;
	const char *name;
	struct pos pos;
	bool broken;            /* had a syntax error: declared, but causes no further error */
	struct node *names;     /* enumerators; D_INST: functions */
	struct node *base;      /* EXTENDS, or the template of D_INST */
	struct node *refines;
	struct var *vars;       /* attributes; parameters */
	struct var *fparams;    /* of a template */
	struct var *lets;
	struct var result;      /* D_CONST and D_FUNC: type, unit, initialiser or body */
	bool is_template;
	struct node *condition, *confidence, *severity;
	struct node *fix;       /* names */
	uint32_t fixes;         /* as in struct asl_property */
	struct node *alternatives;      /* the condition's, after the names pass */
	struct piece *texts;    /* of ADVICE, or of WHY and then of DO; an empty text has no
				 * piece */
	bool written[TEXT_COUNT];       /* the clauses that stand there */
	struct sym *sym;
	struct decl *tmpl;      /* D_INST */
	int number;             /* class, enumeration or property */
	struct unit severity_unit;
	struct decl *next;
};

enum sym_kind { S_ENUM, S_ITEM, S_CLASS, S_CONST, S_FUNC, S_PROP, S_PARAM, S_LET, S_VAR, S_FPARAM,
	S_BUILTIN };

struct memo;

struct sym {
	enum sym_kind kind;
	const char *name;
	struct pos pos;
	struct type type;
	struct type fn_result;  /* of a function parameter */
	struct decl *decl;      /* of a global */
	struct var *var;        /* parameter, LET */
	int value;              /* S_ITEM: its number; S_BUILTIN: which */
	bool used;
	bool in_condition;      /* S_LET: the condition needs it */
	int asks;               /* S_FUNC: whether it calls samples() or coverage(); expand.c */
	int read_by;            /* S_FUNC, S_LET: the last property with it in its severity */
	int mark;               /* recursion: 0 new, 1 open, 2 done */
	struct node *folded;    /* S_CONST: its value */
	/* while a property is checked and emitted */
	struct unit unit;
	struct memo *memo;      /* S_FUNC: its units for the arguments seen so far */
	struct sym *fn;         /* S_FPARAM: the function it stands for */
	struct node *set;       /* S_PARAM, S_LET of set type: the set expression */
	int reg;                /* register */
	struct sym *next;       /* same hash */
	struct sym *outer;      /* next local outwards */
};

#define NSYMS 4096

/* Limits far above those of any honest file.  They bound the time of a compile, and its memory to a
 * small multiple of the file's size. */
#define MAX_SOURCE (64 << 20)   /* bytes of a file */
#define MAX_SOURCES 1000        /* files, with included ones */
#define MAX_INCLUDES 32         /* files in a chain of includes */
#define MAX_TOKENS 500000       /* of all files together */
#define MAX_NAME 255            /* characters */
#define MAX_STRING 4096         /* characters of a string */
#define MAX_WHOLE 9007199254740992.0    /* 2^53: above, not every whole number has a double */
#define MAX_NEST 200            /* brackets in brackets */
#define MAX_DEPTH 200           /* of an expression */
#define MAX_CALLS 40            /* functions inside functions */
#define MAX_ARGS 32             /* of a function, a property, a template */
#define MAX_LETS 200            /* of a property */
#define MAX_ATTRS 2000          /* of a class */
#define MAX_ALL_ATTRS 200000    /* of all classes, inherited ones counted again */
#define MAX_MEMOS 20000         /* combinations of functions and units of arguments */
#define MAX_FACTORS 16          /* of a unit */
#define MAX_ALL_CODE 1000000    /* instructions, expanded calls, copied nodes: all properties */
#define MAX_CHAIN 100           /* declarations in a chain of dependent ones */
#define MAX_ERRORS 200          /* errors shown; the same limit for warnings */
#define MAX_SUGGESTED 2000000   /* names compared for suggestions */
#define MAX_ALL_SETTINGS 4096
#define LINE_SHOWN 400          /* characters of a source line */

struct diag {
	struct asl_diag pub;
	struct pos pos;
	struct pos key;         /* sort key: a note has that of its error */
	int order;
	struct diag *next;
};

struct broken {                 /* a name that a declaration with a syntax error may declare */
	const char *name;
	struct broken *next;
};

/* More about sources[i]. */
struct origin {
	const char *id;         /* sources of one id are one file */
	enum { SOURCE_NEW, SOURCE_OPEN, SOURCE_DONE } state;
	const struct asl_setting *settings;     /* from its .conf */
	size_t nsettings;
};

enum pool { POOL_NUMBERS, POOL_TEXTS, POOL_READS, NPOOLS };

struct compile {
	struct arena *scratch;
	struct arena *keep;
	jmp_buf nomem;
	const struct asl_includer *includer;    /* NULL: nothing can be included */
	bool alone;                     /* includes are skipped (aslc_parse_source) */
	struct asl_source *sources;     /* the given ones, then the included ones */
	struct origin *origins;
	size_t nsources, source_cap;
	int open[MAX_INCLUDES];         /* open sources, each included by the one before */
	int nopen;
	size_t ntokens;
	struct asl_setting *included_settings;
	size_t nincluded_settings;
	const struct asl_setting *settings;
	bool *setting_used;
	size_t nsettings;
	struct diag *diags;     /* latest first */
	int ndiags, nerrors, nwarnings;
	bool said;              /* the latest message was kept */
	uint64_t *unshown;      /* hashes of errors beyond the limit, to count each once */
	long suggested;         /* names compared for suggestions */
	const char *suggestion; /* of the next message */
	struct decl *decls, **decls_tail;
	struct broken *broken[NSYMS];
	bool missing;           /* a source was not read: do not report unknown names */
	bool any_broken;
	struct sym *globals[NSYMS];
	struct sym *locals;
	int chain;              /* depth in a chain of dependent declarations */
	const struct var *pending;      /* LET definitions not yet declared */
	int nattrs;             /* of all classes */
	long work;              /* counted against MAX_ALL_CODE */
	struct pool_index *pools[NPOOLS];
	struct emit *emit;      /* of the previous property: its memory is reused */
	/* By attribute reference: the last property that reads it; whose severity depends on it. */
	int *seen_reads;
	int *severity_reads;
	int nseen;
	int nmemos;
	int nunits;
	const char *units[MAX_UNITS];
	struct asl_program *prog;
};

/* --- compile_memory.c: never NULL; each jumps to c->nomem instead --- */
void *asl_new(struct compile *c, size_t size);          /* scratch, zeroed */
void *asl_keep(struct compile *c, size_t n, size_t size); /* for the program */
const char *asl_keep_text(struct compile *c, const char *s);

/* --- diag.c --- */
void asl_error(struct compile *c, struct pos pos, const char *fmt, ...) PSC_PRINTF(3, 4);
void asl_warn(struct compile *c, struct pos pos, const char *fmt, ...) PSC_PRINTF(3, 4);
/* A note explains the message before it, and is dropped along with it. */
void asl_note(struct compile *c, struct pos pos, const char *fmt, ...) PSC_PRINTF(3, 4);
/* An error about setting number n. */
void asl_setting_error(struct compile *c, size_t n, const char *fmt, ...) PSC_PRINTF(3, 4);
const char *asl_pos_text(struct compile *c, struct pos pos);    /* "file:line" */
/* Reports all messages in source order. */
void asl_give_diags(struct compile *c, asl_diag_fn report, void *arg);
void asl_out_of_memory(asl_diag_fn report, void *arg);

/* --- compile.c --- */
/* A compile in `scratch`, without sources.  NULL: scratch is NULL or exhausted. */
struct compile *asl_open_compile(struct arena *scratch);

/* --- suggest.c: offer candidates to asl_suggest(), then take the best --- */
struct suggest {
	struct compile *c;      /* NULL: without the limits of a compile */
	const char *word, *best;
	int distance;
};
void asl_suggest(struct suggest *s, const char *candidate);
/* False: the error would not be shown, or the file has used up MAX_SUGGESTED. */
static inline bool asl_may_suggest(const struct compile *c)
{
	return !c || (c->nerrors < MAX_ERRORS && c->suggested < MAX_SUGGESTED);
}
/* "; did you mean 'x'?" or "", to append to the next message. */
const char *asl_suggestion(struct compile *c, const struct suggest *s);
/* Text to append to the message about a word of another language; NULL: it is none. */
const char *asl_foreign(struct compile *c, const char *word, bool type);

/* --- the passes --- */
/* Tokens of text, which begins at position pos; the last has kind 0. */
struct token *asl_lex(struct compile *c, const char *text, size_t length, struct pos pos,
	size_t *ntokens);
/* Parses the declarations of source number `file` and of its includes. */
void asl_parse(struct compile *c, int file);
/* Adds a source; returns its number. */
int asl_add_source(struct compile *c, const struct asl_source *source, const char *id);
/* Parses a source unless that was done before. */
void asl_read_source(struct compile *c, int file);
/* Handles `include "name"` in source `by`. */
void asl_include(struct compile *c, int by, const struct token *name);
/* Joins the settings of included files and `settings`, which override them. */
void asl_join_settings(struct compile *c, const struct asl_setting *settings, size_t n);
/* The content of a string, with its escapes resolved. */
const char *asl_unescape(struct compile *c, const char *s, size_t n);
void asl_names(struct compile *c);
void asl_types(struct compile *c);
void asl_fold(struct compile *c);
void asl_units(struct compile *c);
void asl_emit(struct compile *c);
/* insn.c: counts one instruction, or work of the same cost.  -1 after the error that all properties
 * together need too many. */
int asl_work(struct compile *c, const struct decl *prop);

/* --- aggregates over processes (expand.c) --- */
/* One aggregate over processes: `value` (NULL: count only) of the elements of set attribute `attr`
 * that fulfil `with` (NULL: all).  Both expressions are without calls and use only the variable
 * `element`. */
struct aggregate {
	int attr;
	struct sym *element;
	struct node *with, *value;
	struct pos pos;
};
struct aggregates {
	struct aggregate of[ASL_MAX_PARTS];
	int n;
};
/* True for AppPerf and what extends it. */
bool asl_is_whole(const struct compile *c, int cls);
/* The body of a property of AppPerf, with its aggregates over processes replaced by N_PART and its
 * template bound.  NULL after an error. */
struct decl *asl_expand(struct compile *c, struct decl *prop, struct aggregates *out);
/* The body of a property, in which the arguments of samples() and coverage() have their calls and
 * LET definitions expanded.  NULL after an error. */
struct decl *asl_expand_quality(struct compile *c, struct decl *prop);

/* --- symbols.c --- */
struct sym *asl_global(const struct compile *c, const char *name);      /* NULL: none */
void asl_add_global(struct compile *c, struct sym *s);
/* A name in a declaring position of a declaration with a syntax error. */
void asl_add_broken(struct compile *c, const char *name);
bool asl_maybe_broken(const struct compile *c, const char *name);

/* --- shared by passes --- */
const char *asl_type_text(struct compile *c, struct type t);
/* The value of a constant from a setting or its declaration; NULL: none.  owner: property or
 * NULL. */
struct node *asl_constant(struct compile *c, const struct decl *owner, struct var *var,
	struct type type, struct node *init);
struct unit asl_unit_of(struct compile *c, const struct node *list);
const char *asl_unit_text(struct compile *c, struct unit u);
/* Checks the units of a property and sets its severity_unit; binds its template. */
void asl_prop_units(struct compile *c, struct decl *prop);
/* The declaration with the text: of an instance, its template. */
static inline struct decl *asl_body(struct decl *d)
{
	return d->kind == D_INST ? d->tmpl : d;
}
struct unit asl_expr_unit(struct compile *c, struct node *n);

/* --- between lex.l, parse.y and the driver --- */
struct lexer {
	struct compile *c;
	const char *text;
	size_t size;
	struct token *tok;
	size_t ntok, cap;
	struct pos pos, start;  /* end and beginning of the present match */
	struct pos end;         /* of the last token */
	struct pos opened;      /* beginning of the comment or string */
	size_t opened_at;
	size_t from, at;        /* start and pos as offsets */
	int nest;               /* open brackets */
	bool said_deep, long_string;
	bool full;              /* too many tokens: drop the rest */
	struct buf_text { char *s; size_t n, cap; } string;
};

struct parser {
	struct compile *c;
	const struct token *tok, *end, *first, *last;
	int start;              /* start token not yet given to the parser; 0: none */
	bool failed, inner;     /* inner: a field of a text */
	bool silent;            /* further errors only follow from an earlier one */
	const struct token *word;       /* a keyword in place of a name */
	struct decl *decl;      /* result */
	struct token include;   /* result: the included file; kind 0: none */
	struct node *expr;
	bool percent;
};
int asl_yyparse(struct parser *p);

/* --- habits.c: mistakes at token t --- */
bool asl_is_clause(int kind);           /* CONDITION, CONFIDENCE, SEVERITY, ADVICE, WHY, DO,
					 * FIX */
bool asl_is_keyword(const struct token *t);
/* A comparison whose left side is a comparison in the same brackets. */
bool asl_is_chained(const struct parser *p, const struct token *t);
/* "; what to write instead", or NULL: not a habit from another language. */
const char *asl_habit(struct parser *p, const struct token *t);

#endif
