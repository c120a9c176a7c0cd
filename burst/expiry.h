/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens when the timer of a thread expires. */
#ifndef PSC_BURST_EXPIRY_H
#define PSC_BURST_EXPIRY_H

#include <signal.h>

/* The handler of BURST_SIGNAL. */
void burst_expiry(int number, siginfo_t *info, void *context);

#endif
