/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries by effect: a page fault of this process has to count. */
#include "config.h"
#include "samples/page_host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "samples/page_scan.h"
#include "samples/soft_dirty.h"

/* The kernel's setting; -1: it cannot be read. */
static int paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int value = -1;

	if (f && fscanf(f, "%d", &value) != 1)
		value = -1;
	if (f)
		fclose(f);
	return value;
}

static int refused(int error, struct err *err)
{
	const int value = paranoid();

	if ((error == EACCES || error == EPERM) && value > 2)
		return err_set(err,
			"kernel.perf_event_paranoid is %d here; samples of page faults need 2 or "
			"less", value);
	if (error == EACCES || error == EPERM)
		return err_set(err,
			"perf_event_open is forbidden here, as in many containers (seccomp), "
			"although kernel.perf_event_paranoid is %d", value);
	errno = error;
	return err_sys(err, "perf_event_open for page faults");
}

/* Page faults that the event counts while a new page is written to. */
static uint64_t count_one(int event)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t n = 0;

	if ((void *)(uintptr_t)memory == MAP_FAILED)
		return 0;
	memory[0] = 1;
	if (read(event, &n, sizeof n) != sizeof n)
		n = 0;
	munmap((void *)(uintptr_t)memory, page);
	return n;
}

int page_host_check(struct err *err)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof a,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN, .sample_period = 1,
		.sample_type = PERF_SAMPLE_ADDR, .exclude_kernel = 1, .exclude_hv = 1 };
	const int event = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t n;

	if (event < 0)
		return refused(errno, err);
	n = count_one(event);
	close(event);
	return n ? 0 : err_set(err, "the kernel counts no page faults here");
}

/* --- writes ----------------------------------------------------------------------------------- */

/* Pages that were written since they were protected; they are protected now.  -1: not known. */
static int64_t written(int pagemap, uint64_t lo, uint64_t hi)
{
	const struct page_scan_region where = { lo, hi, 0 };
	struct page_scan_region found;
	uint64_t end;
	const int n = page_scan_protect(pagemap, &where, &found, 1, 0, &end);

	return n < 0 ? -1 : n ? (int64_t)(found.end - found.start) / sysconf(_SC_PAGESIZE) : 0;
}

/* Two pages, of which the second is written again. */
static bool writes_are_seen(int uffd, int pagemap, volatile char *memory, size_t page)
{
	const uint64_t lo = (uintptr_t)memory, hi = lo + 2 * page;
	bool good;

	memory[0] = memory[page] = 1;
	good = page_scan_register(uffd, lo, hi) == 0 && written(pagemap, lo, hi) == 2 &&
		written(pagemap, lo, hi) == 0;
	memory[page] = 2;
	return good && written(pagemap, lo, lo + page) == 0 && written(pagemap, lo, hi) == 1;
}

static bool are_scanned(int pagemap, volatile char *memory, size_t page)
{
	struct uffdio_api api = { .api = UFFD_API, .features = PAGE_SCAN_FEATURES };
	const int uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */);
	const bool good = uffd >= 0 && ioctl(uffd, UFFDIO_API, &api) == 0 &&
		writes_are_seen(uffd, pagemap, memory, page);

	if (uffd >= 0)
		close(uffd);
	return good;
}

/* Bits of the two pages; -1: not known. */
static int dirty(int pagemap, uint64_t lo, size_t page)
{
	const uint64_t soft_dirty = UINT64_C(1) << 55;
	uint64_t entry[2];

	if (pread(pagemap, entry, sizeof entry, (off_t)(lo / page * sizeof *entry)) !=
	    sizeof entry)
		return -1;
	return (entry[0] & soft_dirty ? 1 : 0) | (entry[1] & soft_dirty ? 2 : 0);
}

static bool are_soft_dirty(int pagemap, volatile char *memory, size_t page)
{
	const uint64_t lo = (uintptr_t)memory;

	memory[0] = memory[page] = 1;
	if (soft_dirty_clear(getpid()) || dirty(pagemap, lo, page) != 0)
		return false;
	memory[page] = 2;
	return dirty(pagemap, lo, page) == 2;
}

enum page_writes_by page_host_writes(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	void *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	enum page_writes_by by = PAGE_WRITES_NOT_TOLD;

	if (pagemap >= 0 && memory != MAP_FAILED)
		by = are_scanned(pagemap, memory, page) ? PAGE_WRITES_SCANNED :
			are_soft_dirty(pagemap, memory, page) ? PAGE_WRITES_SOFT_DIRTY : by;
	if (memory != MAP_FAILED)
		munmap(memory, 2 * page);
	if (pagemap >= 0)
		close(pagemap);
	return by;
}

int page_host_check_writes(struct err *err)
{
	return page_host_writes() ? 0 : err_set(err, "the kernel does not tell which pages were "
		"written (--page-writes needs Linux 6.7 with userfaultfd, or a kernel with "
		"CONFIG_MEM_SOFT_DIRTY)");
}
