/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs over the reports of a directory: a line a report, in the order of the runs. */
#ifndef PSC_REPORT_HISTORY_H
#define PSC_REPORT_HISTORY_H

#include "report/compare/compare.h"

struct history {                        /* all owned */
	char **names;                   /* of the files, without directory and .psc */
	struct report **reports;        /* by start of the run, then name */
	struct compare *steps;          /* [i]: from report i - 1 to report i; [0] is empty */
	int n;
	char **unread;                  /* why a file was left out */
	int nunread;
};

/* Reads all files of the directory whose names end in .psc.  0 / -1 (err): the directory cannot be
 * read, or no file of it. */
int history_read(struct history *h, const char *dir, struct err *err);
void history_free(struct history *h);

/* Append a table of the whole phase, and one of each structure with that name (NULL: of the
 * style->top ones with most level-1 misses in the last report, 0 all, and of its first style->top
 * problems, which the other reports have where region and structures of the key are the same).  A
 * figure that differs from the line before (compare.h) is marked with "*". */
void history_text(const struct history *h, const struct report_style *style, const char *structure,
	struct buf *out);
/* The same as CSV, unmarked: a line a report and structure. */
void history_csv(const struct history *h, const struct report_style *style, const char *structure,
	struct buf *out);

#endif
