/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences about where the phase's time goes: its parts, and the one that takes most. */
#ifndef PSC_REPORT_TIME_WORDS_H
#define PSC_REPORT_TIME_WORDS_H

#include "report/model/report.h"

/* What the threads' time is divided into, for lines of text and for the bar of the page. */
struct time_share {
	const char *what;       /* "computing", "page faults", … */
	const char *class;      /* of the bar: memory, waits, away, kernel, rest */
	double seconds;         /* thread-seconds of an execution; > 0 */
	bool away;              /* without a processor, or asleep: spent on nothing */
};
enum { TIME_SHARES = 12 };
/* Fills in the parts that are known and not 0; *all: their sum.  Returns their number; 0:
 * nothing is known. */
int time_shares(const struct report *r, struct time_share out[TIME_SHARES], double *all);

/* Appends "12 345": in groups of three digits, from five digits on. */
void words_number(struct buf *b, double n);
/* Appends "80.2% computing, 15.8% memory, ...", or nothing; words_time() also the time without a
 * processor. */
void words_time_shares(struct buf *b, const struct report *r);
void words_time(struct buf *b, const struct report *r);
/* Appends a sentence about what takes a third of the processor time or more and is neither
 * memory nor computing, with its place and what to do or ask next; or about waits, if these are
 * most of the time.  True: it did. */
bool time_verdict(struct buf *b, const struct report *r);
/* True: so much of the processor time is neither memory nor computing that its parts are worth a
 * line. */
bool time_is_mixed(const struct report *r);
/* The share of the processor time that computing takes as far as it is modelled, 0..1; NAN: not
 * known. */
double time_computing(const struct report *r);
/* The lower end of its range. */
double time_computing_least(const struct report *r);

#endif
