/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations and their comments, which doc_read.c reads and doc.c puts on the page.  Texts are in
 * the arena of the last source that was read. */
#ifndef PSC_ASLC_DOC_H
#define PSC_ASLC_DOC_H

#include "asl/tools/outline.h"
#include "asl/tools/markup.h"

struct item {                   /* a declaration */
	const struct outline *o;
	size_t stmt;
	enum stmt_kind kind;
	const char *name;
	bool wanted;            /* on this page */
	struct item *next;
};

struct doc {
	const struct asl_program *prog;
	const struct asl_source *sources;
	const bool *wanted;
	size_t nsources;
	asl_diag_fn report;
	void *arg;
	struct markup page;
	/* once read: */
	struct compile *c;      /* of the last source: its arena is used */
	struct outline *outlines[64];
	size_t at;              /* number of sources read */
	struct item *items, **tail;
	struct buf text;        /* under construction */
	bool failed;            /* an earlier text ran out of memory */
};

static inline void doc_clear(struct doc *d)
{
	d->failed = d->failed || d->text.failed;
	buf_clear(&d->text);
}

#define MAX_DOCS (sizeof ((struct doc *)0)->outlines / sizeof *((struct doc *)0)->outlines)

/* --- texts --- */
const char *doc_copy(struct doc *d, const char *s, size_t n);
/* The content of d->text, which is emptied. */
const char *doc_taken(struct doc *d);
const char *doc_word(struct doc *d, const struct outline *o, size_t i);
/* Words [first, last) in canonical layout. */
const char *doc_code(struct doc *d, const struct outline *o, enum stmt_kind kind, size_t first,
	size_t last);
/* The title of `// --- title ---`; NULL: no such comment. */
const char *doc_section(struct doc *d, const struct outline *o, const struct stmt *s);
/* One past the last statement of the comments at the beginning of the file. */
size_t doc_header_end(const struct outline *o);
/* The text of comments, statements [from, to), without a licence. */
const char *doc_comments(struct doc *d, const struct outline *o, size_t from, size_t to);
/* The comment directly above a statement; "": none, or the one at the beginning of the file. */
const char *doc_above(struct doc *d, const struct outline *o, size_t stmt);
/* The comment behind a statement, or else above it, on one line. */
const char *doc_about(struct doc *d, const struct outline *o, size_t stmt);
/* The text about a name in a list in the file's header: `Name   text`. */
const char *doc_in_header(struct doc *d, const struct outline *o, const char *name);

/* --- declarations --- */
void doc_gather(struct doc *d, const struct outline *o, bool wanted);
const struct item *doc_find(const struct doc *d, const char *name, size_t n);
const struct asl_property *doc_property(const struct doc *d, const char *name);
/* The number of the word that a statement declares. */
size_t doc_name_of(const struct outline *o, const struct stmt *s);
/* The first word of a kind in a statement; its end: none. */
size_t doc_find_word(const struct outline *o, const struct stmt *s, int kind);
/* One past the last statement of a declaration with a body. */
size_t doc_body_end(const struct item *i);
const char *doc_unit_of(struct doc *d, const struct outline *o, const struct stmt *s);
/* A unit in words: [1] is a count. */
const char *doc_unit(const char *unit);

#endif
