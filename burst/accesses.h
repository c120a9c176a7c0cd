/* SPDX-License-Identifier: BSD-3-Clause */
/* What an instruction accesses. */
#ifndef PSC_BURST_ACCESSES_H
#define PSC_BURST_ACCESSES_H

#include "burst/decode.h"

enum { ACCESSES_EACH = 8 };

/* Appends the accesses of the instruction to the plan, or counts them (`stack`); sets its first,
 * accesses and relative.  -1: it is not translated, because of an operand. */
int burst_accesses(struct block_plan *p, struct plan_instruction *i, bool stack);

#endif
