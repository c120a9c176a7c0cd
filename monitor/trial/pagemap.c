/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc/self/pagemap. */
#include "config.h"
#include "monitor/trial/pagemap.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PER_LARGE = PAGEMAP_LARGE / PAGEMAP_PAGE };
#define EXCLUSIVE (UINT64_C(1) << 56)   /* mapped once */
#define OF_FILE (UINT64_C(1) << 61)     /* or shared memory */
#define SWAPPED (UINT64_C(1) << 62)
#define PRESENT (UINT64_C(1) << 63)

/* The argument of the ioctl PAGEMAP_SCAN, which Linux has since 6.7; older headers lack it. */
struct scan {
	uint64_t size, flags, start, end, walk_end, region, nregions, most;
	uint64_t inverted, mask, any, wanted;
};
struct scan_region {
	uint64_t start, end, categories;
};
#define SCAN _IOWR('f', 16, struct scan)
#define IS_LARGE (UINT64_C(1) << 6)
enum { REGIONS = 64 };

int pagemap_open(void)
{
	if (sysconf(_SC_PAGESIZE) != PAGEMAP_PAGE)
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
}

void pagemap_close(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

bool pagemap_private(int fd, uint64_t lo)
{
	uint64_t page[PER_LARGE];
	const off_t at = (off_t)(lo / PAGEMAP_PAGE * sizeof *page);

	if (syscall(SYS_pread64, fd, page, sizeof page, at) != (long)sizeof page)
		return false;
	for (int i = 0; i < PER_LARGE; i++)
		if ((page[i] & (PRESENT | EXCLUSIVE | OF_FILE | SWAPPED)) != (PRESENT | EXCLUSIVE))
			return false;
	return true;
}

int64_t pagemap_large(int fd, uint64_t lo, uint64_t hi)
{
	struct scan_region region[REGIONS];
	int64_t bytes = 0;

	while (lo < hi) {
		struct scan s = { .size = sizeof s, .start = lo, .end = hi,
			.region = (uintptr_t)region, .nregions = REGIONS, .mask = IS_LARGE,
			.wanted = IS_LARGE };
		const int n = ioctl(fd, SCAN, &s);

		if (n < 0)
			return -1;
		for (int i = 0; i < n; i++)
			bytes += (int64_t)(region[i].end - region[i].start);
		if (s.walk_end <= lo)
			break;
		lo = s.walk_end;
	}
	return bytes;
}
