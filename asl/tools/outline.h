/* SPDX-License-Identifier: BSD-3-Clause */
/* A source as its reader sees it: words with the comments between them, cut into lines' worth of
 * statements.  What fmt.c lays out again and doc.c reads.  Everything is in the compile's
 * scratch arena; texts are offsets into the source. */
#ifndef PSC_ASLC_OUTLINE_H
#define PSC_ASLC_OUTLINE_H

#include "asl/ast.h"
#include "base/buf.h"

#define FMT_WIDTH 100
#define FMT_TAB 8

struct comment {
	size_t at, end;         /* with its marks, without white space behind it */
	int lines;              /* line ends between it and what is before it */
	int column;             /* from 0, tabs widened */
	bool line;              /* begins with two slashes */
	bool tall;              /* stands on several lines */
};

struct word {
	int kind;               /* of parse.h; 0 at the end */
	size_t at, end;
	int lines;              /* line ends between it and its last comment or the word before */
	const struct comment *comments; /* before it */
	int ncomments;
	int taken;              /* of those, the first are part of a statement */
};

enum stmt_kind {
	ST_COMMENT,             /* on lines of its own */
	ST_MORE,                /* the comment behind the line before goes on */
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
	size_t at, end;         /* bytes, of comments and of what is verbatim */
	const struct comment *behind;   /* comments at the end of its last line */
	int nbehind;
	int column;             /* of a comment */
};

struct outline {
	struct compile *c;
	const char *text;
	size_t length;
	bool all;               /* nothing is verbatim */
	struct word *words;     /* ended by one of kind 0 */
	size_t nwords;
	struct stmt *stmts;
	size_t nstmts, cap;
	size_t seen;            /* private: how far columns were counted, and to which */
	int column;
};

/* Parses one source alone: its includes are skipped.  Without a syntax error, calls `then`, and frees
 * the compile and its memory when that returns.  0 / -1 when an error was reported. */
int aslc_parse_source(const struct asl_source *source, asl_diag_fn report, void *arg,
	void (*then)(struct compile *c, void *user), void *user);

/* The source, which has no syntax error.  `all`: also what stands between `fmt: off` and `fmt: on`
 * is cut into statements, and those two are no comments. */
void aslc_outline(struct compile *c, const struct asl_source *source, bool all, struct outline *o);

/* Words [first, last) as canonical text, whose first line begins at `column` and whose further
 * lines are indented by more than `indent` tabs.  Returns the column behind it. */
int aslc_layout(const struct outline *o, enum stmt_kind kind, size_t first, size_t last, int indent,
	int column, struct buf *out);
/* Text without white space at the ends of its lines, nor carriage returns. */
void aslc_put_text(struct buf *out, const char *s, size_t n);
/* Columns of n bytes from s on, a tab as one. */
int aslc_width(const char *s, size_t n);

#endif
