/* SPDX-License-Identifier: BSD-3-Clause */
/* Can the processor's samples be had here, before anything is started? */
#ifndef PSC_FRONTEND_SAMPLES_CHECK_H
#define PSC_FRONTEND_SAMPLES_CHECK_H

#include "base/err.h"

/* Asks psc_foreign, which would take them. 0 / -1 (err: why not, and what would change that). */
int samples_possible(struct err *err);

#endif
