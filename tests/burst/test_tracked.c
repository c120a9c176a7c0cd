/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracked memory: its blocks, what arming does to their pages, and what a child of fork() has of them. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "burst/tracked.h"

enum { PAGE = 4096, LEAST = 64 << 10, MB = 1 << 20 };
static struct burst_header *header;

/* The memory is mapped once in a process, as it is in a program. */
static int set_up(void **state)
{
	const int file = memfd_create("tracked", 0);

	(void)state;
	assert_int_equal(ftruncate(file, (off_t)(BURST_BYTES + BURST_TRACKED_BYTES)), 0);
	header = calloc(1, sizeof *header);
	header->tracked.least = LEAST;
	header->tracked.socket = -1;
	burst_tracked_start(file, header);
	close(file);
	assert_true(atomic_load(&header->tracked.low) != 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(header);
	return 0;
}

/* By the kernel: the sanitizers' mlock() does nothing. */
static long lock_memory(const void *at, size_t bytes)
{
	return syscall(SYS_mlock, at, bytes);
}

static char *new_block(size_t size)
{
	char *block = burst_tracked_allocate(size, 16, false);

	assert_non_null(block);
	assert_true(burst_tracked_has(block));
	assert_true(burst_tracked_size(block) >= size);
	return block;
}

static void arm(uint64_t offset, uint64_t bytes)
{
	header->tracked.windows = 1;
	header->tracked.window[0] = (struct burst_window){ offset, bytes };
	atomic_fetch_add(&header->tracked.arm_wanted, 1);
	burst_tracked_arm(header);
	assert_int_equal(atomic_load(&header->tracked.arm_done), atomic_load(&header->tracked.arm_wanted));
}

static void arm_all(void)
{
	arm(0, atomic_load(&header->tracked.top));
}

static long faults(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_minflt;
}

static uint64_t offset_of(const char *block)
{
	return (uint64_t)(uintptr_t)block - atomic_load(&header->tracked.low);
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static void small_blocks_are_not_tracked(void **state)
{
	char other[8];

	(void)state;
	assert_null(burst_tracked_allocate(LEAST - 1, 16, false));
	assert_false(burst_tracked_has(other));
	assert_false(burst_tracked_has(NULL));
}

static void blocks_have_room_and_do_not_overlap(void **state)
{
	enum { N = 300 };
	char *block[N];
	size_t size = LEAST;

	(void)state;
	for (int i = 0; i < N; i++, size = size * 9 / 8 + 1) {
		if (size > 3 * MB)
			size = LEAST;
		block[i] = new_block(size);
		block[i][0] = (char)i;
		block[i][burst_tracked_size(block[i]) - 1] = (char)i;
	}
	for (int i = 0; i < N; i++) {
		assert_int_equal(block[i][0], (char)i);
		assert_int_equal(block[i][burst_tracked_size(block[i]) - 1], (char)i);
		assert_int_equal(burst_tracked_free(block[i]), 0);
	}
}

static void a_released_block_serves_again_and_can_be_zero(void **state)
{
	char *a = new_block(MB), *b;

	(void)state;
	memset(a, 7, MB);
	assert_int_equal(burst_tracked_free(a), 0);
	b = burst_tracked_allocate(MB, 16, true);
	assert_ptr_equal(a, b);
	for (size_t i = 0; i < MB; i++)
		assert_int_equal(b[i], 0);
	burst_tracked_free(b);
}

static void a_large_block_gives_its_pages_back(void **state)
{
	enum { LARGE = 40 * MB };
	unsigned char here;
	char *a = new_block(LARGE), *page = a + LARGE / 2 - (uintptr_t)(a + LARGE / 2) % PAGE;

	(void)state;
	*page = 1;
	assert_int_equal(mincore(page, PAGE, &here), 0);
	assert_int_equal(here & 1, 1);
	burst_tracked_free(a);
	assert_int_equal(mincore(page, PAGE, &here), 0);
	assert_int_equal(here & 1, 0);
}

static void alignments_are_kept(void **state)
{
	(void)state;
	for (size_t alignment = 16; alignment <= LEAST; alignment *= 2) {
		char *block = burst_tracked_allocate(2 * LEAST, alignment, false);

		assert_int_equal((uintptr_t)block % alignment, 0);
		assert_int_equal(burst_tracked_free(block), 0);
	}
	assert_null(burst_tracked_allocate(4 * LEAST, 2 * LEAST, false));
}

static void no_block_begins_inside_of_another(void **state)
{
	char *a = new_block(MB);

	(void)state;
	assert_int_equal(burst_tracked_free(a + 100), -1);
	assert_int_equal(burst_tracked_free(a + LEAST), -1);
	assert_int_equal(burst_tracked_free(a), 0);
	assert_int_equal(burst_tracked_free(a), -1);
}

/* --- arming ----------------------------------------------------------------------------------------- */

static void armed_pages_fault_and_keep_their_contents(void **state)
{
	char *a = new_block(MB);
	long before;

	(void)state;
	for (int i = 0; i < MB; i++)
		a[i] = (char)(i * 7 + i / PAGE);
	arm_all();
	before = faults();
	for (int i = 0; i < MB; i++)
		assert_int_equal(a[i], (char)(i * 7 + i / PAGE));
	assert_true(faults() - before >= MB / PAGE / 16);
	burst_tracked_free(a);
}

static void a_page_that_is_not_armed_does_not_fault(void **state)
{
	char *a = new_block(MB);
	const uint64_t page = (offset_of(a) + PAGE) / PAGE * PAGE;
	long before, one, other;

	(void)state;
	memset(a, 1, MB);
	arm(page, PAGE);
	before = faults();
	((volatile char *)a)[page - offset_of(a) + 4 * PAGE] = 2;
	other = faults() - before;
	before = faults();
	((volatile char *)a)[page - offset_of(a)] = 2;
	one = faults() - before;
	assert_int_equal(other, 0);
	assert_int_equal(one, 1);
	burst_tracked_free(a);
}

static void windows_outside_are_left_alone(void **state)
{
	int *private = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *a = new_block(MB);

	(void)state;
	*private = 5;
	arm((uint64_t)(uintptr_t)private - atomic_load(&header->tracked.low), PAGE);
	arm(BURST_TRACKED_BYTES - PAGE, 2 * PAGE);
	arm(0, UINT64_MAX - PAGE + 1);
	assert_int_equal(*private, 5);
	munmap(private, PAGE);
	burst_tracked_free(a);
}

static void locked_pages_are_counted(void **state)
{
	char *a = new_block(MB);

	(void)state;
	memset(a, 1, MB);
	if (lock_memory(a, PAGE) == 0) {
		arm_all();
		assert_true(atomic_load(&header->tracked.arm_failed) > 0);
		syscall(SYS_munlock, a, PAGE);
	}
	assert_int_equal(a[5], 1);
	burst_tracked_free(a);
}

/* --- fork ------------------------------------------------------------------------------------------- */

/* What the child finds wrong; 0: nothing. */
static int child(char *a, const volatile char *told)
{
	for (int i = 0; i < 4 * MB; i++)
		if (a[i] != (char)(i / PAGE))
			return 1;
	memset(a, 99, 4 * MB);
	if (burst_tracked_allocate(MB, 16, false))
		return 2;
	while (!*told)
		usleep(1000);
	return a[MB] == 99 && burst_tracked_free(a) == 0 ? 0 : 3;
}

static void a_child_has_a_copy_of_its_own(void **state)
{
	volatile char *told = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *a = new_block(4 * MB);
	int status;
	pid_t pid;

	(void)state;
	for (int i = 0; i < 4 * MB; i++)
		a[i] = (char)(i / PAGE);
	pid = fork();
	if (pid == 0)
		_exit(child(a, told));
	for (int i = 0; i < 4 * MB; i++)
		assert_int_equal(a[i], (char)(i / PAGE));
	memset(a, 3, 4 * MB);
	arm_all();
	*told = 1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	for (int i = 0; i < 4 * MB; i++)
		assert_int_equal(a[i], 3);
	burst_tracked_free(a);
}

/* Stacks of coroutines have such pages. */
static void a_page_that_must_not_be_read_does_not_kill_a_child(void **state)
{
	char *a = new_block(4 * MB), *guard = (char *)(((uintptr_t)a + PAGE) / PAGE * PAGE);
	int status;
	pid_t pid;

	(void)state;
	memset(a, 5, 4 * MB);
	assert_int_equal(mprotect(guard, PAGE, PROT_NONE), 0);
	pid = fork();
	if (pid == 0)
		_exit(a[0] == 5 && guard[PAGE] == 5 && a[4 * MB - 1] == 5 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(mprotect(guard, PAGE, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(guard[0], 5);
	burst_tracked_free(a);
}

static void a_locked_block_that_was_released_is_not_taken_for_zero(void **state)
{
	enum { LARGE = 40 * MB };
	char *a = new_block(LARGE), *page = (char *)(((uintptr_t)a + PAGE) / PAGE * PAGE), *b;

	(void)state;
	memset(a, 5, LARGE);
	if (lock_memory(page, PAGE) != 0) {   /* not even a page may be locked here */
		burst_tracked_free(a);
		return;
	}
	burst_tracked_free(a);
	b = burst_tracked_allocate(LARGE, 16, true);
	assert_non_null(b);
	for (int i = 0; i < LARGE; i += PAGE / 4)
		assert_int_equal(b[i], 0);
	syscall(SYS_munlock, page, PAGE);
	burst_tracked_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_blocks_are_not_tracked),
		cmocka_unit_test(blocks_have_room_and_do_not_overlap),
		cmocka_unit_test(a_released_block_serves_again_and_can_be_zero),
		cmocka_unit_test(a_large_block_gives_its_pages_back),
		cmocka_unit_test(alignments_are_kept),
		cmocka_unit_test(no_block_begins_inside_of_another),
		cmocka_unit_test(armed_pages_fault_and_keep_their_contents),
		cmocka_unit_test(a_page_that_is_not_armed_does_not_fault),
		cmocka_unit_test(windows_outside_are_left_alone),
		cmocka_unit_test(locked_pages_are_counted),
		cmocka_unit_test(a_child_has_a_copy_of_its_own),
		cmocka_unit_test(a_page_that_must_not_be_read_does_not_kill_a_child),
		cmocka_unit_test(a_locked_block_that_was_released_is_not_taken_for_zero),
	};

	return cmocka_run_group_tests_name("tracked", tests, set_up, tear_down);
}
