/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_FRONTEND_DOCTOR_H
#define PSC_FRONTEND_DOCTOR_H

/* Prints what can be measured here and why the rest cannot.  Exit code. */
int doctor(void);

#endif
