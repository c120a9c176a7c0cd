/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's allocator. */
#ifndef PSC_BURST_MEMORY_H
#define PSC_BURST_MEMORY_H

#include <stdbool.h>

/* Is it the C library's allocator? */
bool burst_memory_is_standard(void);
/* Is this the allocator's own code?  What it maps are not blocks of the program's. */
bool burst_memory_calls(const void *caller);

#endif
