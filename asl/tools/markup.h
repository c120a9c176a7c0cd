/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of reference text, as Markdown or as HTML.  Texts are plain and are escaped here;
 * between backquotes they are code. */
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
	int columns;            /* of the table that is open */
	size_t paragraph;       /* where the open one begins */
};

void markup_begin(struct markup *p, const char *title);
void markup_end(struct markup *p);
/* Level 1 to 4; a name is what links lead to, NULL none. */
void markup_heading(struct markup *p, int level, const char *text, const char *name);
/* Lines of a comment, without its marks: paragraphs, `term   text` lists, and what is neither. */
void markup_prose(struct markup *p, const char *text);
/* The line `term   text` of prose: where its text begins; 0 when it is none. */
size_t markup_term(const char *line, size_t n);
/* One paragraph, put together from what follows. */
void markup_open_paragraph(struct markup *p);
void markup_text(struct markup *p, const char *text);
void markup_strong(struct markup *p, const char *text);
void markup_code(struct markup *p, const char *text);       /* linked where it is a known name */
void markup_close_paragraph(struct markup *p);
void markup_quote(struct markup *p, const char *label, const char *text);
void markup_listing(struct markup *p, const char *code);
/* Tables: as many cells a row as there are titles; the first ends with NULL. */
void markup_table(struct markup *p, const char *const *titles);
void markup_row(struct markup *p);
void markup_cell(struct markup *p, const char *text);
void markup_cell_code(struct markup *p, const char *text);
void markup_end_row(struct markup *p);
void markup_end_table(struct markup *p);
/* An entry of an outline, `depth` from 0, followed by text. */
void markup_open_list(struct markup *p);
void markup_entry(struct markup *p, int depth, const char *name, const char *text);
void markup_close_list(struct markup *p);

#endif
