/* SPDX-License-Identifier: BSD-3-Clause */
/* How glibc's malloc keeps what is released: what texts advise, and what --try malloc sets. */
#ifndef PSC_MALLOC_SETTINGS_H
#define PSC_MALLOC_SETTINGS_H

/* Both: a trim threshold alone leaves large blocks to be mapped each time.
 * properties/faults.asl has the same text. */
#define MALLOC_KEEPS "MALLOC_TRIM_THRESHOLD_=2000000000 MALLOC_MMAP_MAX_=0"

#endif
