/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to pages of this process itself, as the kernel tells them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "samples/page_host.h"
#include "samples/page_scan.h"
#include "foreign/page_writes.h"

enum { PAGE = 4096, PAGES = 64 };
static struct page_writes writes;
static volatile char *memory;
static struct image list[2];
static const struct images images = { .list = list, .n = 2, .generation = 1 };
static int uffd = -1;

/* Two pieces of memory with a gap. */
static int set_up(void **state)
{
	struct uffdio_api api = { .api = UFFD_API, .features = PAGE_SCAN_FEATURES };

	(void)state;
	if (page_host_writes() != PAGE_WRITES_SCANNED)
		return 0;
	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1);
	assert_int_equal(ioctl(uffd, UFFDIO_API, &api), 0);
	memory = mmap(NULL, 2 * PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	for (int k = 0; k < 2; k++) {
		const uint64_t lo = (uintptr_t)memory + (uint64_t)k * (PAGES + 1) * PAGE;

		list[k] = (struct image){ .lo = lo, .hi = lo + (PAGES - 1) * PAGE,
			.kind = IMAGE_ANONYMOUS, .writable = true };
	}
	assert_int_equal(page_writes_open(&writes, getpid(), page_host_writes()), 0);
	page_writes_register(&writes, uffd, &images);
	assert_int_equal(writes.nspans, 2);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (uffd < 0)
		return 0;
	page_writes_close(&writes);
	munmap((void *)(uintptr_t)memory, 2 * PAGES * PAGE);
	close(uffd);
	uffd = -1;
	return 0;
}

static uint64_t page_at(int k)
{
	return (uintptr_t)memory + (uint64_t)k * PAGE;
}

static void written_pages_are_protected_once(void **state)
{
	(void)state;
	if (uffd < 0)
		skip();
	assert_int_equal(page_writes_protect(&writes, 1000), 0);
	memory[3 * PAGE] = memory[70 * PAGE] = 1;
	assert_false(page_writes_take(&writes, page_at(3)));
	assert_int_equal(page_writes_protect(&writes, 1000), 2);
	assert_true(writes.part > 0.99);
	assert_int_equal(page_writes_protect(&writes, 1000), 0);
	memory[3 * PAGE]++;
	assert_true(page_writes_take(&writes, page_at(3)));
	assert_false(page_writes_take(&writes, page_at(3)));
	assert_int_equal(page_writes_protect(&writes, 1000), 1);
	assert_int_equal(memory[3 * PAGE] + memory[70 * PAGE], 3);
}

static void a_small_budget_goes_round(void **state)
{
	uint64_t pages = 0;

	(void)state;
	if (uffd < 0)
		skip();
	for (int k = 0; k < PAGES - 1; k++)
		memory[k * PAGE] = memory[(k + PAGES + 1) * PAGE] = 1;
	for (int turn = 0; turn < 20; turn++) {
		const uint64_t n = page_writes_protect(&writes, 10);

		assert_true(n <= 10);
		pages += n;
	}
	assert_int_equal(pages, 2 * (PAGES - 1));
	for (int k = 0; k < PAGES - 1; k++)
		assert_true(page_writes_take(&writes, page_at(k)));
}

/* Where all is protected at once, a page is known from its first write on; a turn is made if all
 * known pages are afforded. */
static void soft_dirty_pages_are_protected_together(void **state)
{
	struct page_writes w;

	(void)state;
	assert_int_equal(page_writes_open(&w, getpid(), PAGE_WRITES_SOFT_DIRTY), 0);
	assert_false(page_writes_take(&w, 7 * PAGE));
	assert_false(page_writes_take(&w, 9 * PAGE));
	assert_int_equal(page_writes_protect(&w, 1), 0);
	assert_false(page_writes_take(&w, 7 * PAGE));
	for (int turn = 0; turn < PAGE + 100; turn++) {
		if (page_writes_protect(&w, 2) == 0)
			break;          /* no file clear_refs */
		assert_true(page_writes_take(&w, 7 * PAGE));
		assert_false(page_writes_take(&w, 7 * PAGE));
	}
	assert_int_equal(w.npages, 2);
	page_writes_close(&w);
}

static void only_wanted_memory_counts(void **state)
{
	(void)state;
	if (uffd < 0)
		skip();
	assert_true(page_writes_wants(&images, page_at(0)));
	assert_true(page_writes_wants(&images, page_at(PAGES + 1) + 5));
	assert_false(page_writes_wants(&images, page_at(PAGES)));
	assert_false(page_writes_wants(&images, page_at(0) - 1));
	memory[PAGES * PAGE] = 1;
	assert_int_equal(page_writes_protect(&writes, 1000), 0);
	list[1].executable = true;
	assert_false(page_writes_wants(&images, page_at(PAGES + 1) + 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_pages_are_protected_once, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_small_budget_goes_round, set_up, tear_down),
		cmocka_unit_test(soft_dirty_pages_are_protected_together),
		cmocka_unit_test_setup_teardown(only_wanted_memory_counts, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("page writes", tests, NULL, NULL);
}
