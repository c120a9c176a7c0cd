/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that the text report and the HTML report share. */
#ifndef PSC_REPORT_WORDS_H
#define PSC_REPORT_WORDS_H

#include "report/page.h"

/* Writes a line of the head: key "Machine", value its description. */
typedef void words_put(void *arg, const char *key, const struct buf *value);
/* Writes all lines of the head that have a value. */
void words_head(const struct report *r, bool unicode, words_put *put, void *arg);

/* Appends a sentence about a finding to b, or nothing. */
typedef void words_writer(struct buf *b, const struct report *r, const struct report_finding *f);
words_writer words_advice;
/* The writer of what the table has no column for, but the reader needs to judge the figures. */
words_writer words_remark;

#endif
