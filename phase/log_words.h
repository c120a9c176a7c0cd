/* SPDX-License-Identifier: BSD-3-Clause */
/* The words for the flags of a region's times and of a finished analysis in the log: one table
 * for writing and reading. */
#ifndef PSC_PHASE_LOG_WORDS_H
#define PSC_PHASE_LOG_WORDS_H

#include "phase/decide.h"

enum { PHASE_TIME_FLAGS = 5, PHASE_HELD_FLAGS = 11 };
const char *phase_time_flag_name(int i);
bool phase_time_flag(const struct phase_time *t, int i);
void phase_time_set_flag(struct phase_time *t, int i);
const char *phase_held_flag_name(int i);
bool phase_held_flag(const struct phase_held *f, int i);
void phase_held_set_flag(struct phase_held *f, int i);

#endif
