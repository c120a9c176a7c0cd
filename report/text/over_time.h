/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory over time in a terminal: pictures of characters that are read without colour, and the
 * tables behind them. */
#ifndef PSC_REPORT_OVER_TIME_H
#define PSC_REPORT_OVER_TIME_H

#include "report/model/report.h"
#include "report/words/page.h"
#include "report/words/timeline_words.h"

enum over_time_view { OVER_TIMELINE, OVER_CARTOGRAPHY, OVER_PORTAL, OVER_FLOWS, OVER_PREDICTION };
enum portal { PORTAL_VARIABLES, PORTAL_THREADS, PORTAL_MODULES, PORTALS };
extern const char *const portal_names[PORTALS + 1];             /* NULL at the end, as the next */
enum portal_count {
	PORTAL_ACCESSES,
	PORTAL_READS,
	PORTAL_WRITES,
	PORTAL_BYTES,
	PORTAL_MISSES,
	PORTAL_MEMORY,
	PORTAL_COUNTS
};
extern const char *const portal_count_names[PORTAL_COUNTS + 1];

struct over_time_style {
	enum over_time_view view;
	/* TIMELINE: a structure, or NULL; FLOWS: a structure or "thread:N" */
	const char *of;
	enum portal portal;
	enum portal_count count;
	int threads;                    /* PREDICTION */
	const char *sort;               /* the head of a column; NULL: by the sum of all */
	/* -1: where a view is of one process, the one with most accesses */
	int process;
	int top;                        /* structures, rows: at most so many; 0: all */
	int width;                      /* 0: 80 */
	bool unicode, color;
};
/* Appends the view.  -1: the report has no timelines, no such structure, thread, process or column;
 * or no memory. */
int over_time_text(const struct report *r, const struct over_time_style *style, struct buf *out,
	struct err *err);

/* --- what the views share --------------------------------------------------------------------- */

struct over_time {
	struct text_page page;
	const struct report *r;
	const struct over_time_style *style;
	struct time_facts *f;
	/* columns of the label, with the space behind it, and of the picture */
	int label, chars;
	struct err *err;
};
/* A paragraph: in bold, or what says how to read the picture. */
void over_time_claim(struct over_time *o, const struct buf *b);
void over_time_reading(struct over_time *o, const struct buf *b);
/* A label, right-aligned; behind it the picture begins. */
void over_time_label(struct over_time *o, const char *label);
void over_time_label_buf(struct over_time *o, struct buf *b);   /* frees it */
/* The lines above and below a picture: the strip of regions; 0, the middle and the length of the
 * axis. */
void over_time_strip(struct over_time *o);
void over_time_axis(struct over_time *o);
/* A lane of heights: of `value` by character; those of `most` are full. */
void over_time_heights(struct over_time *o, const double *value, double most);
/* A lane of the misses for each access of a structure, or of all (-1), of a level from 0; lanes of
 * all levels that miss.  -1: no memory. */
int over_time_miss_lane(struct over_time *o, int structure, int level);
int over_time_misses(struct over_time *o, int structure);
/* A lane of the misses of a structure by address, of the rows from..from + rows - 1.  -1: no
 * memory. */
int over_time_miss_rows(struct over_time *o, int structure, int from, int rows);
/* The source lines that miss most, and what they do with structures; of one structure, or of all
 * (-1).  -1: no memory. */
int over_time_lines(struct over_time *o, int structure);
/* Memory by character of the picture, zeroed; NULL: none. */
double *over_time_lane(struct over_time *o);
/* 0: none is more. */
double over_time_largest(const double *v, int n);
/* Says that there is no structure o->style->of, and which there are.  Returns -1. */
int over_time_unknown(struct over_time *o);

/* The views.  Each -1: *o->err says why. */
int over_time_timeline(struct over_time *o);
int over_time_cartography(struct over_time *o);
int over_time_portal(struct over_time *o);
/* A part of the portal of modules; behind: of its other table, which has the claim. */
int over_time_channels(struct over_time *o, bool behind);
int over_time_flows(struct over_time *o);
int over_time_prediction(struct over_time *o);

#endif
