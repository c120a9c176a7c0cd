/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in columns: cells of fixed width, wrapped prose, figures. */
#ifndef PSC_REPORT_PAGE_H
#define PSC_REPORT_PAGE_H

#include "report/model/report.h"

struct text_page {
	struct buf out;
	int width;
	bool color, unicode;
};

enum page_align { PAGE_LEFT, PAGE_RIGHT, PAGE_FREE };   /* FREE: left, not padded */

/* True for control characters and invisible marks that reorder or hide text; printed as "?". */
bool page_unprintable(uint32_t code);
/* Number of columns that s takes when printed. */
int page_columns(const char *s);
/* Prints s in exactly `width` columns (FREE: at most), shortened in the middle if too long;
 * unprintable characters become "?". */
void page_cell(struct text_page *p, const char *s, int width, enum page_align align);
void page_spaces(struct text_page *p, int n);
void page_end_line(struct text_page *p);     /* removes trailing spaces */
/* The lines printed since the page had `from` bytes; the other takes off
 * what was printed since then. */
int page_lines_from(const struct text_page *p, size_t from);
void page_cut(struct text_page *p, size_t from);
/* Prints the words of s, wrapped at the page's width; further lines begin at column `indent`.  The
 * cursor is at column `at`.  Ends the line. */
void page_wrap(struct text_page *p, int at, int indent, const char *s);
/* The same for a buffer; if it has failed, so does the page. */
void page_wrap_buf(struct text_page *p, int at, int indent, const struct buf *b);
void page_heading(struct text_page *p, const char *text);    /* after an empty line */
void page_bold(struct text_page *p, bool on);
void page_dim(struct text_page *p, bool on);

/* "name( KIND, file, line )" in at most `width` columns (0: no limit).  A longer label is
 * shortened: first the alias is left out, then name and file are shortened, at last it becomes
 * "name file:line".  The name of a phase is "Application Phase". */
void page_label(struct buf *out, const struct report_node *n, int width, bool unicode);

/* Figures in at most seven columns; "-" means not measured.  Each function
 * fills `text` and returns it. */
#define PAGE_FIGURE 16
const char *page_rate(char text[PAGE_FIGURE], double v);
const char *page_percent(char text[PAGE_FIGURE], double share);
/* True: a share between low and high may be next to nothing or nearly all: it is not known, and no
 * figure of it is printed.  Reports for programs have both ends. */
bool page_not_known(double low, double high);
#define PAGE_NOT_KNOWN "not known"
/* "11% (5-20)": a share and its bounds; without them "11.2%"; PAGE_NOT_KNOWN. */
const char *page_range(char text[PAGE_FIGURE], double share, double low, double high);
const char *page_index(char text[PAGE_FIGURE], double share);   /* hundredths, no sign */
/* "+2.1": the percentage points from one share to another. */
const char *page_points(char text[PAGE_FIGURE], double from, double to);
const char *page_count(char text[PAGE_FIGURE], double n);       /* "26.7 M" */
const char *page_seconds(char text[PAGE_FIGURE], double s);     /* "412 ms" */
/* "the run"; where that is not all of it, "5.2 s of the run". */
#define PAGE_RUN (PAGE_FIGURE + 16)
const char *page_run(char text[PAGE_RUN], const struct report *r);

#endif
