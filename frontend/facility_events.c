/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries the kernel's events: page faults with addresses, breakpoints, counters of the processor,
 * samples of addresses. */
#include <config.h>

#include "frontend/facility.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "samples/ring.h"
#include "samples/unit.h"

enum { PAGES = 16, FIRES = 10, RING = 1 << 16, WALK = 8 << 20 };

static int open_event(struct perf_event_attr *a)
{
	a->size = sizeof *a;
	a->exclude_kernel = a->exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The event did not open. */
static void refuse(struct facility *f, int error)
{
	f->state = FACILITY_FAILS;
	snprintf(f->tested, sizeof f->tested, "not opened: %s", strerror(error));
	facility_refused(error, f->why, sizeof f->why);
}

/* --- page faults ------------------------------------------------------------------------------ */

struct expected {
	const char *begin;
	size_t bytes;
	unsigned right, all;
};

static void count_right(void *to, const struct memory_sample *s)
{
	struct expected *e = to;

	e->all++;
	e->right += s->address - (uint64_t)(uintptr_t)e->begin < e->bytes;
}

/* Touches new pages and reads which addresses came. */
static unsigned touch_pages(int fd, const struct perf_event_attr *a)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring =
		mmap(NULL, RING + page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *memory = mmap(
		NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct expected e = { memory, PAGES * page, 0, 0 };
	const struct sample_taker to = { count_right, &e };
	struct sample_ring r = {
		.page = ring, .period = 1, .form = { .sample_type = a->sample_type }
	};
	struct sample_ledger ledger = { 0 };

	if (ring == MAP_FAILED || memory == MAP_FAILED)
		return 0;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (size_t i = 0; i < PAGES; i++)
		((volatile char *)memory)[i * page] = 1;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	sample_ring_read(&r, &ledger, &to);
	munmap(memory, PAGES * page);
	munmap(ring, RING + page);
	return e.right;
}

void facility_page_faults(struct facility *f)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ADDR,
		.disabled = 1 };
	const int fd = open_event(&a);
	unsigned right;

	*f = (struct facility){ .name = "page faults with address" };
	f->knows = "which thread places a page, and uses it (--collector page)";
	if (fd < 0) {
		refuse(f, errno);
		f->knows = "nothing of first touches: local and remote stay undefined";
		return;
	}
	right = touch_pages(fd, &a);
	close(fd);
	snprintf(f->tested, sizeof f->tested, "%u of %u came, each address right", right,
		(unsigned)PAGES);
	/* Huge pages may serve many pages by one fault. */
	f->state = right == PAGES ? FACILITY_WORKS : right ? FACILITY_PARTLY : FACILITY_FAILS;
	if (f->state == FACILITY_PARTLY)
		snprintf(f->why, sizeof f->why,
			"one fault may fill several pages, where the kernel uses large ones");
}

/* --- breakpoints ------------------------------------------------------------------------------ */

void facility_breakpoints(struct facility *f)
{
	static volatile uint64_t watched;
	struct perf_event_attr a = { .type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uint64_t)(uintptr_t)&watched,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.sample_period = 1 };
	const int fd = open_event(&a);
	uint64_t fired = 0;

	*f = (struct facility){ .name = "hardware breakpoints", .knows = "nothing more" };
	if (fd < 0) {
		refuse(f, errno);
		return;
	}
	for (int i = 0; i < FIRES; i++)
		watched = (uint64_t)i;
	if (read(fd, &fired, sizeof fired) != sizeof fired)
		fired = 0;
	close(fd);
	snprintf(f->tested, sizeof f->tested, "opened, then fired %u of %u times", (unsigned)fired,
		(unsigned)FIRES);
	f->state = fired == FIRES ? FACILITY_WORKS : FACILITY_FAILS;
	if (f->state == FACILITY_WORKS)
		f->knows = "who writes to one variable (no analysis uses it so far)";
	else
		snprintf(f->why, sizeof f->why, "%sthat it opens proves nothing",
			facility_is_virtual() ? "virtual machine; " : "");
}

/* --- counters and samples of the processor ---------------------------------------------------- */

static uint64_t walk_memory(const char **begin, size_t *bytes)
{
	static char *memory;
	uint64_t sum = 0;

	if (!memory) {
		memory = malloc(WALK);
		if (!memory)
			return 0;
		memset(memory, 1, WALK);
	}
	*begin = memory;
	*bytes = WALK;
	for (int round = 0; round < 4; round++)
		for (size_t i = 0; i < WALK; i += 64)
			sum += (uint64_t)((volatile char *)memory)[i];
	return sum;
}

void facility_counters(struct facility *f)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES };
	const int fd = open_event(&a);
	uint64_t cycles = 0;
	const char *begin;
	size_t bytes;

	*f = (struct facility){ .name = "hardware counters",
		.knows = "no cycles, no misses of the processor" };
	if (fd < 0) {
		refuse(f, errno);
		return;
	}
	walk_memory(&begin, &bytes);
	if (read(fd, &cycles, sizeof cycles) != sizeof cycles)
		cycles = 0;
	close(fd);
	snprintf(f->tested, sizeof f->tested, "counted %.3g million cycles", (double)cycles / 1e6);
	f->state = cycles ? FACILITY_WORKS : FACILITY_FAILS;
	if (cycles)
		f->knows = "events that the processor counts, by region (--list-metrics)";
	else
		snprintf(f->why, sizeof f->why, "it opens, and does not count%s",
			facility_is_virtual() ? ": virtual machine" : "");
}

static void try_unit(struct facility *f, struct sample_unit *u)
{
	struct expected e = { NULL, 0, 0, 0 };
	const struct sample_taker to = { count_right, &e };

	for (uint32_t i = 0; i < u->nrings; i++)
		ioctl(u->ring[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	walk_memory(&e.begin, &e.bytes);
	for (uint32_t i = 0; i < u->nrings; i++)
		ioctl(u->ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	sample_unit_read(u, &to);
	snprintf(f->tested, sizeof f->tested,
		"%s: %u samples, %u of a buffer that was walked through", u->event[0].name, e.all,
		e.right);
	f->state = e.right ? FACILITY_WORKS : FACILITY_FAILS;
	if (e.right)
		f->knows = "where accesses find their data: --collector perf";
	else
		snprintf(f->why, sizeof f->why, "it opens, and no sample of the buffer came");
}

void facility_address_samples(struct facility *f)
{
	struct sample_unit u;
	struct err err;

	*f = (struct facility){ .name = "address samples",
		.knows = "no latency, no source of a line" };
	if (sample_unit_open(&u, 0, &err) == 0) {
		try_unit(f, &u);
		sample_unit_close(&u);
		return;
	}
	f->state = FACILITY_FAILS;
	snprintf(f->tested, sizeof f->tested, "no event of such a unit opens");
	snprintf(f->why, sizeof f->why, "%.*s", (int)sizeof f->why - 1, err.text);
}
