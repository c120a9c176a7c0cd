/* SPDX-License-Identifier: BSD-3-Clause */
/* Why memory is new in each execution of the phase, so that its first touches are page faults. */
#ifndef PSC_BASE_FAULT_CAUSE_H
#define PSC_BASE_FAULT_CAUSE_H

enum fault_cause {
	FAULT_NONE,
	FAULT_FRESH,            /* no heap block is known for it */
	FAULT_ALLOCATED,        /* blocks that malloc gives back to the system when they are
				 * released */
	FAULT_MAPPED,           /* blocks for each of which malloc maps memory, and unmaps it */
	FAULT_GROWN,            /* a list that grows: a larger block, and a copy into it */
	FAULT_REALLOC,          /* a list that grows by realloc */
	FAULT_AUTOMATIC,        /* automatic arrays of Fortran, which the compiler allocates at each
				 * entry */
	FAULT_TEMPORARY,        /* temporary arrays of Fortran */
	FAULT_CAUSES
};

/* "" for FAULT_NONE; NULL at the end. */
extern const char *const fault_cause_names[FAULT_CAUSES + 1];

#endif
