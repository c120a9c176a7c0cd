/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements psc_frontend --stop PID. */
#ifndef PSC_FRONTEND_STOP_H
#define PSC_FRONTEND_STOP_H

#include "base/err.h"

/* Ends the analysis of psc_frontend `pid`, or of the psc_frontend that started process `pid` (its
 * program, its keeper, an agent).  Signals no other process.  0 / -1. */
int stop_analysis(long pid, struct err *err);

#endif
