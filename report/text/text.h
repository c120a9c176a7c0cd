/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that the sections of the text report share. */
#ifndef PSC_REPORT_TEXT_H
#define PSC_REPORT_TEXT_H

#include "report/words/page.h"

struct text_report {
	struct text_page page;
	const struct report *r;         /* ranked */
	int shown;                      /* number of findings printed, from the first */
	bool narrow;            /* estimates are printed without their range */
	bool dash;                      /* a "-" was printed: the legend explains it */
	bool parentheses;               /* a rate in parentheses was printed: likewise */
};

/* Formats as page_rate() does; sets t->dash for NAN. */
const char *text_rate(struct text_report *t, char figure[PAGE_FIGURE], double v);

/* A paragraph in bold: "what: why"; nothing if there is no `why`. */
void text_warning(struct text_report *t, const char *what, const char *why);
/* What limits the whole report. */
void text_warnings(struct text_report *t);
/* The report of one screen: short.c, its last part sure.c. */
void text_short(struct text_report *t, const struct report_style *style);
void text_sure(struct text_report *t, const struct report_style *style);
/* Says why there are no findings. */
void text_nothing(struct text_report *t);
void text_paths(struct text_report *t);        /* paths.c */
/* The lines of source that quote_read() chooses, numbered. */
void text_quote(struct text_report *t, const struct report_problem *p);
/* What the user's own properties found, worst first, on at most so many lines (0: no limit), but
 * the first in any case;
 * nothing if there is none.  own.c */
void text_own(struct text_report *t, int lines);
void text_gains(struct text_report *t);        /* gains.c */
/* Processes that behave alike, where there are several classes of them. */
void text_classes(struct text_report *t);
void text_verified(struct text_report *t);      /* verified.c */
void text_trials(struct text_report *t);        /* tried.c */
void text_counted(struct text_report *t);       /* counted.c */
void text_sampled(struct text_report *t);       /* unit_samples.c */
/* The regions by time, where nothing was counted.  times_alone.c */
void text_region_times(struct text_report *t);
void text_placed(struct text_report *t);        /* tried.c */
/* The threads of the phase, where there are several; everywhere: of all regions that
 * the report has threads of. */
void text_threads(struct text_report *t, bool everywhere);      /* text_threads.c */
void text_why_not(struct text_report *t);      /* whynot.c */
/* Number of tests by property and outcome. */
void text_tested(struct text_report *t);

#endif
