/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of misses by source line (struct report_site). */
#ifndef PSC_REPORT_SITES_H
#define PSC_REPORT_SITES_H

#include "report/words/page.h"

/* The index of a line; -1: none. */
int sites_find(const struct report_site *sites, int n, int line);
/* The level that report_site_share() is of: "last-level" or "first-level". */
const char *sites_level(const struct report_site *sites, int n);
/* Appends the member "lines" of an object in JSON, with the share of each line. */
void sites_json(struct buf *out, const struct report_site *sites, int n);
/* Appends "1.20 M first-level, 310 k last-level misses". */
void sites_figures(struct buf *b, const struct report_site *s);
/* Appends all lines: "52: 61% (1.20 M first-level, 310 k last-level misses); others: 5% (...)". */
void sites_words(struct buf *b, const struct report_site *sites, int n);

#endif
