/* SPDX-License-Identifier: BSD-3-Clause */
/* The journal: what was found so far, kept while an analysis runs.  The file is an ordinary .psc
 * file, marked as partial, and is there only as long as there is no report: after an analysis whose
 * front end was killed, psc_report reads it. */
#ifndef PSC_FRONTEND_JOURNAL_H
#define PSC_FRONTEND_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "report/model/report.h"

struct journal_node;
struct journal_loss;
struct journal {
	char path[4200];        /* "": no file */
	struct journal_node *nodes;     /* owned */
	int n;
	struct journal_loss *losses;    /* owned: ranges of node agents that were lost */
	int nlosses;
	bool stale;             /* something was taken since the file was written */
	uint64_t written;       /* when that was */
};

/* psc: where the report will be written; "" or no regular file: the journal has no file. */
void journal_begin(struct journal *j, const char *psc);
/* Takes the body of a MSG_SO_FAR.  0 / -1: err. */
int journal_take(struct journal *j, const struct buf *body, struct err *err);
/* Replaces the file if something was taken since, at most every 0.3 s (now:
 * clock_ns()).  0 / -1: err. */
int journal_write(struct journal *j, uint64_t now, int64_t when, struct err *err);
/* Takes the body of a MSG_LOST: of these node agents only what they had found
 * so far is known.  0 / -1. */
int journal_lose(struct journal *j, const struct buf *body, struct err *err);
/* The i-th loss: its first rank and their number.  false: there are no more. */
bool journal_loss(const struct journal *j, int i, uint32_t *first, uint32_t *n);
bool journal_knows_lost(const struct journal *j);       /* has any of the lost sent something? */
/* After losses: the sum of the reports that came (from rank 0) and of what the lost had
 * found; as journal_report(). */
struct report *journal_complete(const struct journal *j, const char *why);
/* The report of what was found so far, partial for the reason given; the caller frees.  NULL:
 * nothing was found, or no memory. */
struct report *journal_report(const struct journal *j, const char *why);
/* Removes the file. */
void journal_end(struct journal *j);

#endif
