/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's allocator, for the recorder: without an event. */
#ifndef PSC_BURST_MEMORY_H
#define PSC_BURST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *burst_memory_allocate(size_t bytes);
void burst_memory_free(void *block);
/* Is it the C library's allocator? */
bool burst_memory_is_standard(void);

#endif
