/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_frontend --stop PID. */
#ifndef PSC_FRONTEND_STOP_H
#define PSC_FRONTEND_STOP_H

#include "base/err.h"

/* Ends the analysis of that psc_frontend, or of the psc_frontend that started this process (its program, its
 * keeper, an agent).  Any other process is left alone.  0 / -1. */
int stop_analysis(long pid, struct err *err);

#endif
