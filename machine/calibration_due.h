/* SPDX-License-Identifier: BSD-3-Clause */
/* When a host is measured before an analysis, and which of two calibrations is kept. */
#ifndef PSC_MACHINE_CALIBRATION_DUE_H
#define PSC_MACHINE_CALIBRATION_DUE_H

#include "machine/calibration.h"

enum calibration_due {
	CALIBRATION_KEPT,               /* there is one, and nothing better is to be expected */
	CALIBRATION_MISSING,            /* there is none that fits */
	CALIBRATION_QUIETER             /* it is marked or lacks a cost, and the machine is quieter
					 * now */
};

/* kept: NULL, there is none that fits.  tried: when it was measured, or measured again in vain.
 * load: share of the CPUs that was busy in the last minute, 0..1. */
enum calibration_due calibration_due(const struct calibration *kept, time_t tried, double load,
	time_t now);
/* True: of two calibrations of this host the fresh one is to be kept. */
bool calibration_better(const struct calibration *fresh, const struct calibration *kept);
/* That share, by the number of runnable threads. */
double calibration_load(void);

#endif
