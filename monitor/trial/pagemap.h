/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel tells about pages of this process. */
#ifndef PSC_MONITOR_PAGEMAP_H
#define PSC_MONITOR_PAGEMAP_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

enum { PAGEMAP_PAGE = 4096, PAGEMAP_LARGE = 2 << 20 };

/* Returns a descriptor to close with pagemap_close(); -1: this process may not see its pages, or
 * they are not of 4 KiB. */
int pagemap_open(void);
void pagemap_close(int fd);
/* Is each small page of the large page at `lo` in memory, anonymous, and this process's alone?
 * Only then can it become large and small again without a trace. */
bool pagemap_private(int fd, uint64_t lo);
/* Bytes of [lo, hi) that large pages map; -1: the kernel does not tell. */
int64_t pagemap_large(int fd, uint64_t lo, uint64_t hi);

#pragma GCC visibility pop
#endif
