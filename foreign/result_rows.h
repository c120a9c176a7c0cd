/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of results (monitor/shared/result_rows.def). */
#ifndef PSC_FOREIGN_RESULT_ROWS_H
#define PSC_FOREIGN_RESULT_ROWS_H

#include "foreign/answers.h"

/* Write a slot's rows, and what its request says of them: times by thread and context; counts,
 * misses by source line and contended lines.  pieces: with the samples of each context, and those
 * that bursts stand for. Return MON_DROP_NONE, or why not. */
uint32_t result_times(const struct measured_run *run, uint32_t slot, bool pieces);
uint32_t result_counts(const struct measured_run *run, uint32_t slot);

#endif
