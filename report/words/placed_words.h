/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rule of a placement file (--placement) has done, in words. */
#ifndef PSC_REPORT_PLACED_WORDS_H
#define PSC_REPORT_PLACED_WORDS_H

#include "report/words/page.h"

/* "data (points.c:20): on all memory nodes in turn, 1 block, 32 MiB". */
void words_placed(struct buf *b, const struct report_placed *p);

#endif
