/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrates this host by itself, before the program starts. */
#ifndef PSC_FRONTEND_FIRST_CALIBRATION_H
#define PSC_FRONTEND_FIRST_CALIBRATION_H

#include <stdbool.h>
#include "machine/machine.h"

/* Measures this host, whose model is m, if it was not measured yet, or on a busier machine: up to 6
 * s, in a process of its own.  Says so in one line unless quiet, and why it cannot.  Two that want
 * to measure at once do so once: the other waits.  True: there is a new calibration. */
bool first_calibration(const struct machine *m, bool quiet);

#endif
