/* SPDX-License-Identifier: BSD-3-Clause */
/* Source lines for a report: a few lines of the file that a problem is in. */
#ifndef PSC_REPORT_QUOTE_H
#define PSC_REPORT_QUOTE_H

#include "report/model/report.h"

enum { QUOTE_LINES = 3 };
#define QUOTE_NEXT 0.25         /* share of the misses for which a line beside the first is
				 * quoted */

struct quote {
	struct { int number; char *text; } line[QUOTE_LINES];   /* text owned: no tabs, no line
								 * end */
	int n;
};

/* Reads, in the order of the file, the line with most misses; that of each structure where there
 * are several; and further lines with QUOTE_NEXT of the misses.  Where the lines that miss are not
 * known: the first line of the lead's range, which begins its loop, and the next that name its
 * structure, found in the text, not measured; the whole range where it is short.
 * The file is looked for where the compiler had it, then beside the program; it must be a regular
 * file that has not changed since the run.  0 lines where there is none.  0 / -1 (memory). */
int quote_read(const struct report *r, const struct report_problem *p, struct quote *out);
void quote_free(struct quote *q);

/* The file of a finding's lines, opened as quote_read() does; NULL: none.  The caller closes it. */
FILE *quote_open(const struct report *r, const struct report_finding *f);
/* Reads a line, at most size - 1 bytes of it; the rest of a longer line is
 * skipped.  False: the end. */
bool quote_next(FILE *in, char *line, int size) PSC_CHECKED;
/* True: the line is code that names the finding's structure. */
bool quote_names(const struct report_finding *f, const char *line);

#endif
