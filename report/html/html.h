/* SPDX-License-Identifier: BSD-3-Clause */
/* The state and the pieces that the parts of the HTML page share.  Identifiers of elements: p1
 * problems, f1 findings, o1 data structures, r1 regions, each counted from 1. */
#ifndef PSC_REPORT_HTML_H
#define PSC_REPORT_HTML_H

#include "report/model/timeline_facts.h"
#include "report/words/page.h"

/* A data structure of findings or costs; strings are borrowed from the report. */
struct html_structure {
	const char *name;               /* its own */
	const char *scope, *declared;   /* NULL none */
	/* in the whole phase; NULL: not in the table of costs */
	const struct report_cost *whole;
	const struct report_finding *first;     /* the worst finding about it; NULL none */
	/* estimate in the phase as share of its time; NAN: not known */
	double share;
};

/* A region of the table of costs, by calling context. */
struct html_region {
	const struct report_cost *cost;
	const struct report_cost *parts;        /* its rows of data structures, borrowed */
	int nparts;
	int parent;                     /* index; -1: the phase */
	int depth;
	int nchildren;
};

enum html_measure { HTML_TIME, HTML_ESTIMATE, HTML_MISSES, HTML_MEASURES };

struct html {
	struct buf out;
	const struct report *r;         /* ranked */
	bool source;                    /* source lines may be embedded */
	struct html_structure *structures;      /* owned; largest share first */
	int nstructures;
	int *structure_of;              /* owned; of each finding, -1 none */
	struct html_region *regions;            /* owned; each after the one around it */
	int nregions;
	/* indices of the first and the last cache level of the costs; -1 none */
	int nearest, level;
	struct time_facts **facts;      /* owned; of each timeline */
};

/* --- pieces (html_pieces.c) ------------------------------------------------------------------ */

/* Writes escaped text; unprintable characters become "?", as in the text report. */
void html_put(struct html *h, const char *s);
void html_put_buf(struct html *h, const struct buf *b);
/* The same for a line of source: tabs become spaces up to the next multiple of 8 columns. */
void html_put_code(struct html *h, const char *s);
/* A heading with its own link. */
void html_heading(struct html *h, const char *id, const char *text);
/* A table cell with a figure, its value (NAN: none) for sorting, and a bar if share > 0. */
void html_figure(struct html *h, const char *figure, double value, double share);
void html_number(struct html *h, const char *figure);
void html_bar(struct html *h, const char *figure, double share);
void html_label(struct html *h, const struct report_node *n);
/* "loop ssor.f:109", "jacld jacld.f:5": a region in plain words. */
void html_region(struct html *h, const struct report_node *n);
/* "<p>" and what the writer appends, if anything. */
typedef void html_writer(struct buf *b, const struct report *r, const struct report_finding *f);
void html_sentence(struct html *h, const struct report_finding *f, html_writer *writer);
/* A class for a share of the largest value: "h0" to "h5". */
const char *html_heat(double share);

/* --- the model of the page (html_model.c) ----------------------------------------------------- */

/* Collects structures and regions.  0 / -1 (memory). */
int html_collect(struct html *h);
void html_collect_free(struct html *h);
enum { HTML_DEEPEST = 12 };     /* steps of indentation, classes d1 to d12 */
enum { HTML_CARDS = 400 };      /* structures that have a card, to which links can lead */
/* Index of the structure of a finding of the report; -1: it is about none. */
int html_structure_of(const struct html *h, const struct report_finding *f);
/* By its name, its scope and where it is declared. */
int html_structure_named(const struct html *h, const char *name, const char *scope,
	const char *declared);
int html_structure_of_cost(const struct html *h, const struct report_cost *c);
/* A figure of a row of costs by measure; NAN: not known. */
double html_measure(const struct html *h, const struct report_cost *c, enum html_measure m);
/* Index of the region with that key; -1: none. */
int html_region_of_key(const struct html *h, const char *key);
/* "jacld.f:39" and before it the last name of the region's key. */
void html_region_name(struct html *h, const struct html_region *region);

/* --- the frame (html_views.c) ----------------------------------------------------------------- */

/* The links to the views that this report has; the views; the report as JSON, its timelines
 * apart. */
void html_contents(struct html *h);
void html_views(struct html *h);
void html_data(struct html *h);
void html_timelines(struct html *h);    /* html_packed.c */

/* --- tables of memory over time (html_facts.c) ------------------------------------------------ */

/* Derives the facts of the timelines.  0 / -1 (memory). */
int html_facts_collect(struct html *h);
void html_facts_free(struct html *h);
typedef void html_process_writer(struct html *h, struct time_facts *f);
/* Calls the writer for each timeline, below a heading where there are several. */
void html_by_process(struct html *h, html_process_writer *writer);
/* A table up to its head's first cell; its end.  `sorted`: by the page's script. */
void html_table_begin(struct html *h, const struct time_facts *f, const char *label, bool sorted);
void html_table_end(struct html *h);
/* Cells: a count with a bar if share > 0, a share, bytes; "-" for 0. */
void html_count(struct html *h, double n, double share);
void html_share(struct html *h, double share);
void html_bytes(struct html *h, double n);
/* The name, a link to its card if it has one. */
void html_structure_name(struct html *h, const struct time_facts *f, int structure);

/* --- views: what stands there without a script ------------------------------------------------ */

void html_verdict(struct html *h);      /* html_problems.c */
void html_problems(struct html *h);
void html_own(struct html *h);          /* html_own.c */
/* The source lines of a problem, marked, with figures (html_source.c). */
void html_source(struct html *h, const struct report_problem *p);
/* The bytes of shared lines that threads use, where a finding tells them (html_lines.c). */
void html_lines(struct html *h, const struct report_problem *p);
void html_findings(struct html *h);     /* html_findings.c */
void html_icicle(struct html *h);       /* html_regions.c */
void html_region_table(struct html *h);
void html_timeline(struct html *h);     /* html_timeline.c */
void html_cartography(struct html *h);  /* html_flows.c */
void html_gantt(struct html *h);
void html_flows(struct html *h);
void html_portals(struct html *h);      /* html_portals.c */
void html_modules(struct html *h);
void html_prediction(struct html *h);
bool html_has_matrix(const struct html *h);
void html_matrix(struct html *h);       /* html_matrix.c */
void html_structures(struct html *h);   /* html_structures.c */
bool html_has_threads(const struct html *h);
void html_threads(struct html *h);      /* html_threads.c */
void html_processes(struct html *h);    /* html_processes.c */
void html_gains(struct html *h);        /* html_measured.c */
void html_verified(struct html *h);
void html_trials(struct html *h);
void html_counted(struct html *h);      /* html_counted.c */
void html_sampled(struct html *h);      /* html_sampled.c */
void html_ledger(struct html *h);
void html_how(struct html *h);
void html_times(struct html *h);        /* what of it are times, to be opened */
void html_tested(struct html *h);

#endif
