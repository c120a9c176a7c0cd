/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's table of pages that were written since they were protected: asynchronous write
 * protection by userfaultfd, and the ioctl PAGEMAP_SCAN.  Linux has both since 6.7; older headers
 * lack them. */
#ifndef PSC_SAMPLES_PAGE_SCAN_H
#define PSC_SAMPLES_PAGE_SCAN_H

#include <linux/userfaultfd.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* Write protection, which the kernel itself lifts at the next write. */
#define PAGE_SCAN_FEATURES (UINT64_C(1) << 0 | UINT64_C(1) << 15)

struct page_scan_region {
	uint64_t start, end, categories;
};
struct page_scan {
	uint64_t size, flags, start, end, walk_end, region, nregions, most;
	uint64_t inverted, mask, any, wanted;
};

/* Finds pages of [lo, hi) that were written, and protects them: up to `most`.  Returns the
 * number of regions, -1 with errno; *end: where it stopped. */
static inline int page_scan_protect(int pagemap, const struct page_scan_region *where,
	struct page_scan_region *out, uint32_t n, uint64_t most, uint64_t *end)
{
	/* Some kernels tell that memory without pages was written. */
	enum { WRITTEN = 1 << 1 | 1 << 3 /* and present */, PROTECT = 1 };
	struct page_scan s = { .size = sizeof s, .flags = PROTECT, .start = where->start,
		.end = where->end, .region = (uintptr_t)out, .nregions = n, .most = most,
		.mask = WRITTEN, .wanted = WRITTEN };
	const int found = ioctl(pagemap, _IOWR('f', 16, struct page_scan), &s);

	*end = s.walk_end;
	return found;
}

/* 0 / -1. */
static inline int page_scan_register(int uffd, uint64_t lo, uint64_t hi)
{
	struct uffdio_register r = { .range = { lo, hi - lo },
		.mode = UFFDIO_REGISTER_MODE_WP };

	return ioctl(uffd, UFFDIO_REGISTER, &r);
}

#endif
