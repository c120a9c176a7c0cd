/* SPDX-License-Identifier: BSD-3-Clause */
/* A source as words, the comments between them, and statements.  fmt.c lays it out.  Everything is
 * in the compile's scratch arena; texts are offsets into the source. */
#ifndef PSC_ASLC_OUTLINE_H
#define PSC_ASLC_OUTLINE_H

#include "asl/ast.h"
#include "base/buf.h"

#define FMT_WIDTH 100
#define FMT_TAB 8

struct comment {
	size_t at, end;         /* with its marks, without trailing white space */
	int lines;              /* line ends before it, since the previous word or comment */
	int column;             /* from 0, tabs widened */
	bool line;              /* begins with two slashes */
	bool tall;              /* has several lines */
};

struct word {
	int kind;               /* of parse.h; 0 at the end */
	size_t at, end;
	int lines;              /* line ends since its last comment or the previous word */
	const struct comment *comments; /* before it */
	int ncomments;
	int taken;              /* number of these, from the first, that belong to a statement */
};

enum stmt_kind {
	ST_COMMENT,             /* on lines of its own */
	ST_MORE,                /* continues the comment behind the previous line */
	ST_VERBATIM,            /* between `fmt: off` and `fmt: on` */
	ST_CONST, ST_FUNC, ST_INCLUDE, ST_INST, ST_EMPTY,
	ST_ENUM, ST_CLASS, ST_PROP,     /* up to '{' */
	ST_ITEM,                /* enumerators */
	ST_ATTR, ST_LET, ST_DEF, ST_IN, ST_CLAUSE,
	ST_CLOSE                /* '}' */
};

struct stmt {
	enum stmt_kind kind;
	int indent;
	bool blank;             /* an empty line is before it */
	size_t first, last;     /* words [first, last) */
	size_t at, end;         /* offsets, of comments and of verbatim text */
	const struct comment *behind;   /* comments at the end of its last line */
	int nbehind;
	int column;             /* of a comment */
};

struct outline {
	struct compile *c;
	const char *text;
	size_t length;
	struct word *words;     /* the last has kind 0 */
	size_t nwords;
	struct stmt *stmts;
	size_t nstmts, cap;
	size_t seen;            /* private: offset up to which columns were counted */
	int column;             /* private: the column there */
};

/* Parses one source alone: its includes are skipped.  Without a syntax error, calls `then`, and
 * frees the compile with its memory when that returns.  0; -1: an error was reported. */
int aslc_parse_source(const struct asl_source *source, asl_diag_fn report, void *arg,
	void (*then)(struct compile *c, void *user), void *user);

/* Makes the outline of a source without syntax errors.  */
void aslc_outline(struct compile *c, const struct asl_source *source, struct outline *o);

/* Appends words [first, last) as canonical text.  Its first line begins at `column`; further lines
 * are indented by more than `indent` tabs.  Returns the column after it. */
int aslc_layout(const struct outline *o, enum stmt_kind kind, size_t first, size_t last, int indent,
	int column, struct buf *out);
/* Appends text without trailing white space and carriage returns on its lines. */
void aslc_put_text(struct buf *out, const char *s, size_t n);
/* Width of n bytes of UTF-8 at s; a tab counts as one column. */
int aslc_width(const char *s, size_t n);

#endif
