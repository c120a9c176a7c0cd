/* SPDX-License-Identifier: BSD-3-Clause */
/* The signals of the program: its handlers see its own registers, and it does not see the
 * recorder's signal. */
#ifndef PSC_BURST_SIGNAL_CALLS_H
#define PSC_BURST_SIGNAL_CALLS_H

#include <signal.h>

/* Installs the recorder's handler.  0 / -1. */
int burst_signals_start(void);
/* The recorder's signal came, and not from its timers: it is the program's. */
void burst_forward_signal(int number, siginfo_t *info, void *context);

#endif
