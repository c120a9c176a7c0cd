/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures before and after as cells, for the text and the Markdown of a comparison. */
#ifndef PSC_REPORT_COMPARE_ROWS_H
#define PSC_REPORT_COMPARE_ROWS_H

#include "report/compare/compare.h"
#include "report/words/page.h"

enum { COMPARE_CELL = 40 };
struct compare_cells {
	const char *name;
	char before[COMPARE_CELL], after[COMPARE_CELL];
	char change[COMPARE_CELL];      /* "7.8x faster", "-88%", "same" */
};

/* Writes the processor time of the phase; false: neither report has it. */
bool compare_time_cells(const struct compare *c, struct compare_cells *out);
/* Writes a figure; false: neither has it, or both are 0 (accesses apart). */
bool compare_figure_cells(const struct compare *c, const struct compare_costs *costs, int figure,
	struct compare_cells *out);
/* The costs of the whole phase; NULL: not known. */
const struct compare_costs *compare_whole(const struct compare *c);
/* "38 ms -> 0.1 ms; level-1 misses 4.5 M -> 0.5 M (-88%)": the estimate and the figures that
 * differ by COMPARE_LITTLE or more. */
void compare_sentence(const struct compare *c, const struct compare_costs *costs, struct buf *out);

#endif
