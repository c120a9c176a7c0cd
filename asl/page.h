/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of reference text, as Markdown or as HTML.  Texts are plain and are escaped here;
 * between backquotes they are code. */
#ifndef PSC_ASL_PAGE_H
#define PSC_ASL_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/buf.h"

struct page {
	struct buf *out;
	bool html;
	/* Whether a name has a heading on this page, for links from code. */
	bool (*known)(void *arg, const char *name, size_t n);
	void *arg;
	int columns;            /* of the table that is open */
	size_t paragraph;       /* where the open one begins */
};

void page_begin(struct page *p, const char *title);
void page_end(struct page *p);
/* Level 1 to 4; a name is what links lead to, NULL none. */
void page_heading(struct page *p, int level, const char *text, const char *name);
/* Lines of a comment, without its marks: paragraphs, `term   text` lists, and what is neither. */
void page_prose(struct page *p, const char *text);
/* The line `term   text` of prose: where its text begins; 0 when it is none. */
size_t page_term(const char *line, size_t n);
/* One paragraph, put together from what follows. */
void page_open_paragraph(struct page *p);
void page_text(struct page *p, const char *text);
void page_strong(struct page *p, const char *text);
void page_code(struct page *p, const char *text);       /* linked where it is a known name */
void page_close_paragraph(struct page *p);
void page_quote(struct page *p, const char *label, const char *text);
void page_listing(struct page *p, const char *code);
/* Tables: as many cells a row as there are titles; the first ends with NULL. */
void page_table(struct page *p, const char *const *titles);
void page_row(struct page *p);
void page_cell(struct page *p, const char *text);
void page_cell_code(struct page *p, const char *text);
void page_end_row(struct page *p);
void page_end_table(struct page *p);
/* An entry of an outline, `depth` from 0, followed by text. */
void page_open_list(struct page *p);
void page_entry(struct page *p, int depth, const char *name, const char *text);
void page_close_list(struct page *p);

#endif
