/* SPDX-License-Identifier: BSD-3-Clause */
/* What text and HTML say in the same words. */
#ifndef PSC_REPORT_WORDS_H
#define PSC_REPORT_WORDS_H

#include "report/page.h"

/* A line of the head: "Machine", and what it is. */
typedef void words_put(void *arg, const char *key, const struct buf *value);
/* All lines of the head that have anything to say. */
void words_head(const struct report *r, bool unicode, words_put *put, void *arg);

/* A sentence about a finding, added to b; nothing where there is none. */
typedef void words_writer(struct buf *b, const struct report *r, const struct report_finding *f);
words_writer words_advice;
/* What the table has no column for and a reader must know to trust the figures. */
words_writer words_remark;

#endif
