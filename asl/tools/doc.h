/* SPDX-License-Identifier: BSD-3-Clause */
/* Between doc_read.c (what sources say) and doc.c (the page).  Texts are in the arena of the last
 * source that was read. */
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
	struct compile *c;      /* of the last source; for memory */
	struct outline *outlines[64];
	size_t at;              /* sources that are read */
	struct item *items, **tail;
	struct buf text;        /* under construction */
	bool failed;            /* memory was short for an earlier text */
};

static inline void doc_clear(struct doc *d)
{
	d->failed = d->failed || d->text.failed;
	buf_clear(&d->text);
}

#define MAX_DOCS (sizeof ((struct doc *)0)->outlines / sizeof *((struct doc *)0)->outlines)

/* --- texts --- */
const char *doc_copy(struct doc *d, const char *s, size_t n);
/* What is in d->text, which is empty afterwards. */
const char *doc_taken(struct doc *d);
const char *doc_word(struct doc *d, const struct outline *o, size_t i);
/* Words [first, last) as fmt would write them. */
const char *doc_code(struct doc *d, const struct outline *o, enum stmt_kind kind, size_t first,
	size_t last);
/* `// --- title ---`: what it says, NULL when it is none. */
const char *doc_section(struct doc *d, const struct outline *o, const struct stmt *s);
/* Of the block of comments at the beginning: one past its last statement. */
size_t doc_header_end(const struct outline *o);
/* Statements [from, to), which are comments; not a licence. */
const char *doc_comments(struct doc *d, const struct outline *o, size_t from, size_t to);
/* The comment right above a statement; "" none.  That at the beginning is the file's. */
const char *doc_above(struct doc *d, const struct outline *o, size_t stmt);
/* What is said about a statement behind it, else above it, on one line. */
const char *doc_about(struct doc *d, const struct outline *o, size_t stmt);
/* What a list of the file's header says about a name: `Name   text`. */
const char *doc_in_header(struct doc *d, const struct outline *o, const char *name);

/* --- declarations --- */
void doc_gather(struct doc *d, const struct outline *o, bool wanted);
const struct item *doc_find(const struct doc *d, const char *name, size_t n);
const struct asl_property *doc_property(const struct doc *d, const char *name);
/* The word that a statement declares. */
size_t doc_name_of(const struct outline *o, const struct stmt *s);
/* Word `kind` of a statement, else its end. */
size_t doc_find_word(const struct outline *o, const struct stmt *s, int kind);
/* The statement that closes a declaration's body. */
size_t doc_body_end(const struct item *i);
const char *doc_unit_of(struct doc *d, const struct outline *o, const struct stmt *s);
/* A unit for people: [1] is a count. */
const char *doc_unit(const char *unit);

#endif
