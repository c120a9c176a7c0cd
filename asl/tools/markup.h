/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a reference page as Markdown or HTML.  Texts are plain and are escaped here; text between
 * backquotes is code. */
#ifndef PSC_ASLC_MARKUP_H
#define PSC_ASLC_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include "base/buf.h"

struct markup {
	struct buf *out;
	bool html;
	/* Whether a name has a heading on this page, for links from code. */
	bool (*known)(void *arg, const char *name, size_t n);
	void *arg;
	int columns;            /* of the open table */
	size_t paragraph;       /* offset in `out` where the open paragraph begins */
};

void markup_begin(struct markup *p, const char *title);
void markup_end(struct markup *p);
/* Level 1 to 4.  `name` is the target of links; NULL: none. */
void markup_heading(struct markup *p, int level, const char *text, const char *name);
/* The lines of a comment, without its marks: paragraphs, `term   text` lists, and drawings. */
void markup_prose(struct markup *p, const char *text);
/* The offset of the text in a line `term   text`; 0: no such line. */
size_t markup_term(const char *line, size_t n);
/* One paragraph, made of the texts up to markup_close_paragraph(). */
void markup_open_paragraph(struct markup *p);
void markup_text(struct markup *p, const char *text);
void markup_strong(struct markup *p, const char *text);
void markup_code(struct markup *p, const char *text);       /* linked where it is a known name */
void markup_close_paragraph(struct markup *p);
void markup_quote(struct markup *p, const char *label, const char *text);
void markup_listing(struct markup *p, const char *code);
/* A table: titles, which end with NULL, and one cell per title in each row. */
void markup_table(struct markup *p, const char *const *titles);
void markup_row(struct markup *p);
void markup_cell(struct markup *p, const char *text);
void markup_cell_code(struct markup *p, const char *text);
void markup_end_row(struct markup *p);
void markup_end_table(struct markup *p);
/* A list; an entry has a depth, from 0, and text after its name. */
void markup_open_list(struct markup *p);
void markup_entry(struct markup *p, int depth, const char *name, const char *text);
void markup_close_list(struct markup *p);

#endif
