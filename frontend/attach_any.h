/* SPDX-License-Identifier: BSD-3-Clause */
/* --attach to a process that our wrappers have not compiled: nothing can be loaded into it, so the
 * kernel samples its time. */
#ifndef PSC_FRONTEND_ATTACH_ANY_H
#define PSC_FRONTEND_ATTACH_ANY_H

#include "frontend/options.h"

/* If --attach names one such process, makes options of it that run psc_foreign beside it
 * (o->watched), which any_program.h goes on with.  0; -1: it does not, err is as it was, or says
 * what failed. */
int attach_any(struct frontend_options *o, struct err *err);

#endif
