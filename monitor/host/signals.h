/* SPDX-License-Identifier: BSD-3-Clause */
/* Record buffers of signal handlers. */
#ifndef PSC_MONITOR_SIGNALS_H
#define PSC_MONITOR_SIGNALS_H

#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

/* Handlers above this depth have ended. */
void pscm_signal_leave(struct pscm_thread *t, uint32_t depth);
bool pscm_signals_wait(const struct pscm_thread *t);    /* true: handlers' words wait */
void pscm_signals_drop(struct pscm_thread *t);
void pscm_signals_free(struct pscm_thread *t);

#pragma GCC visibility pop
#endif
