/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include "report/model/report.h"

/* A report modelled on LU as the paper describes it: nine findings, in no order. */
struct report *sample_lu(void);
/* Nothing found; with tests where `tested`. */
struct report *sample_empty(bool tested);
/* A name with all that must be escaped: markup, quotes, controls, no UTF-8, and more. */
#define SAMPLE_NASTY "a<b>&\"c'\\d,\x01\x1b[31m\xff\xc3\xa4\n\te]]>--"
struct report *sample_nasty(void);
/* A copy with problems, as report_finish() makes it; caller frees. */
struct report *sample_complete(const struct report *r);
/* The text of the report once it is complete; caller frees. */
char *sample_text(const struct report *r, const struct report_style *style);
/* Reverses or shuffles what agents may deliver in any order. */
void sample_shuffle(struct report *r, unsigned seed);

/* Two processes with two threads each, a loop that streams over an array and one that gathers from another; addresses are drawn. */
void sample_timelines(struct report *r);

/* Property files that were asked, the first `usual` of them by default. */
void sample_asked(struct report *r, const char *const *names, int n, int usual);

#endif
