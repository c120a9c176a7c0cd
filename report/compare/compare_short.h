/* SPDX-License-Identifier: BSD-3-Clause */
/* The short form of a comparison as text. */
#ifndef PSC_REPORT_COMPARE_SHORT_H
#define PSC_REPORT_COMPARE_SHORT_H

#include "report/compare/compare_rows.h"

/* Times of the phase, what became of each problem, and what the report before had promised; of
 * `style` as compare_text(). */
void compare_short(struct text_page *p, const struct compare *c, const struct report_style *style);

#endif
