/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trial (--try) found, in words. */
#ifndef PSC_REPORT_TRIAL_WORDS_H
#define PSC_REPORT_TRIAL_WORDS_H

#include "report/words/page.h"

/* "malloc keeps its memory: saves 96.4% (96.3% to 96.5%) of an execution: 27.3 ms -> 1.01 ms of
 * processor time, for 11.6 MiB more memory. All was put back. ..". */
void words_trial(struct buf *b, const struct report *r, const struct report_trial *t);
/* How the program gets for good what gained; nothing where it did not. */
void words_trial_advice(struct buf *b, const struct report_trial *t);

/* Why an action was not possible. */
const char *words_trial_reason(enum trial_reason reason);

#endif
