/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sections of the text report share. */
#ifndef PSC_REPORT_TEXT_H
#define PSC_REPORT_TEXT_H

#include "report/page.h"

struct text {
	struct page page;
	const struct report *r;         /* ranked */
	int shown;                      /* findings printed: the first of r's */
	bool dash;                      /* a "-" was printed */
	bool parentheses;               /* a rate where the property does not hold was printed */
};

/* "-" for NAN is remembered for the legend. */
const char *text_rate(struct text *t, char figure[PAGE_FIGURE], double v);

void text_paths(struct text *t);        /* paths.c */
void text_gains(struct text *t);        /* gains.c */
void text_why_not(struct text *t);      /* whynot.c */
/* "LC2DMissRate at 24 places, …", and what remained open. */
void text_tested(struct text *t);

#endif
