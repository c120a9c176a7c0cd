/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_FRONTEND_DOCTOR_H
#define PSC_FRONTEND_DOCTOR_H

/* Prints what can be measured on this host, and why the rest cannot.  Returns the exit code: 2 if
 * no agents can be started. */
int doctor(void);

#endif
