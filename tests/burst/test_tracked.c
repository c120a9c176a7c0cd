/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracked memory: its blocks, what arming does to their pages, and what a child of fork() has of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "burst/arm_pages.h"
#include "burst/forked.h"
#include "burst/statics.h"
#include "burst/tracked.h"

enum { PAGE = 4096, LEAST = 64 << 10, MB = 1 << 20 };
static struct burst_header *header;

/* Static variables of this program are tracked, too. */
static _Alignas(4096) char statics[8 * MB];

/* What a library does with pthread_atfork(): it is loaded before the recorder begins. */
static struct {
	sem_t begin, done;
	bool on, could_allocate;
	char *block;            /* its child's handler writes there */
} library;

static void before_of_library(void)
{
	struct timespec until;

	if (!library.on)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	sem_post(&library.begin);
	library.could_allocate = sem_timedwait(&library.done, &until) == 0;
}

static void in_child_of_library(void)
{
	if (library.block)
		library.block[MB] = 99;
}

__attribute__((constructor)) static void library_begins(void)
{
	pthread_atfork(before_of_library, NULL, in_child_of_library);
}

/* The memory is mapped once in a process, as it is in a program. */
static int set_up(void **state)
{
	const int file = memfd_create("tracked", 0);

	(void)state;
	assert_int_equal(ftruncate(file, (off_t)(BURST_BYTES + BURST_TRACKED_BYTES)), 0);
	header = calloc(1, sizeof *header);
	header->tracked.least = LEAST;
	header->tracked.socket = -1;
	burst_tracked_start(file, header, true);
	assert_true(atomic_load(&header->tracked.low) != 0);
	memset(statics, 5, sizeof statics / 2);
	burst_statics_move(file, header, &(struct burst_data){ (uintptr_t)statics,
		(uintptr_t)statics + MB, (uintptr_t)statics + sizeof statics });
	close(file);
	assert_int_equal(statics[MB - 1] + statics[4 * MB - 1] + statics[4 * MB], 10);
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
	burst_arm(header);
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

static void *allocate_once(void *argument)
{
	(void)argument;
	sem_wait(&library.begin);
	burst_tracked_free(new_block(MB));
	sem_post(&library.done);
	return NULL;
}

/* Such a handler may take a lock that another thread holds while it allocates. */
static void other_threads_allocate_while_handlers_of_fork_run(void **state)
{
	pthread_t thread;
	pid_t pid;

	(void)state;
	sem_init(&library.begin, 0, 0);
	sem_init(&library.done, 0, 0);
	pthread_create(&thread, NULL, allocate_once, NULL);
	library.on = true;
	pid = fork();
	if (pid == 0)
		_exit(0);
	library.on = false;
	waitpid(pid, NULL, 0);
	pthread_join(thread, NULL);
	assert_true(library.could_allocate);
}

static void handlers_in_the_child_find_its_own_memory(void **state)
{
	char *a = new_block(4 * MB);
	int status;
	pid_t pid;

	(void)state;
	memset(a, 5, 4 * MB);
	library.block = a;
	pid = fork();
	if (pid == 0)
		_exit(a[MB] == 99 ? 0 : 1);
	library.block = NULL;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(a[MB], 5);
	burst_tracked_free(a);
}

static void a_child_of__Fork_has_a_copy(void **state)
{
	char *a = new_block(MB);
	int status;
	pid_t pid;

	(void)state;
	memset(a, 5, MB);
	pid = _Fork();
	if (pid == 0) {
		a[7] = 6;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(a[7], 5);
	burst_tracked_free(a);
}

static void what_is_released_while_a_child_copies_keeps_its_contents(void **state)
{
	enum { LARGE = 40 * MB };
	char *a = new_block(LARGE), *b;

	(void)state;
	memset(a, 5, LARGE);
	burst_forked_before();
	assert_true(burst_forked_copying());
	assert_int_equal(burst_tracked_free(a), 0);
	assert_int_equal(burst_tracked_free(a), -1);
	b = new_block(LARGE);
	assert_ptr_not_equal(a, b);
	for (int i = 0; i < LARGE; i += PAGE / 4)
		assert_int_equal(a[i], 5);
	errno = EAGAIN;         /* there is no child that would end it */
	burst_forked_in_parent();
	assert_false(burst_forked_copying());
	burst_tracked_free(b);
	b = burst_tracked_allocate(LARGE, 16, true);
	assert_int_equal(b[LARGE / 2], 0);
	burst_tracked_free(b);
}

static volatile sig_atomic_t waits;

static void count_wait(int signal)
{
	(void)signal;
	waits = 1;
}

#define REFUSE(number, how) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, how)

/* In a thread of its own: no thread gets rid of its filter.  Returns errno of fork(). */
static void *fork_fails(void *argument)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_clone, SECCOMP_RET_ERRNO | EAGAIN),
		REFUSE(SYS_nanosleep, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

	(void)argument;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		return (void *)(intptr_t)-1;
	errno = 0;
	return (void *)(intptr_t)(fork() < 0 ? errno : 0);
}

static void nobody_waits_for_a_child_that_could_not_be_made(void **state)
{
	char *a = new_block(MB);
	pthread_t thread;
	void *error;

	(void)state;
	signal(SIGSYS, count_wait);
	pthread_create(&thread, NULL, fork_fails, NULL);
	pthread_join(thread, &error);
	signal(SIGSYS, SIG_DFL);
	burst_tracked_free(a);
	if ((intptr_t)error == -1)
		skip();
	assert_int_equal((intptr_t)error, EAGAIN);
	assert_int_equal(waits, 0);
}

/* --- mappings --------------------------------------------------------------------------- */

static void a_mapping_is_zero_and_goes_by_parts(void **state)
{
	char *a = burst_tracked_map(4 * MB), *b;

	(void)state;
	assert_non_null(a);
	assert_int_equal((uintptr_t)a % PAGE, 0);
	for (int i = 0; i < 4 * MB; i++)
		assert_int_equal(a[i], 0);
	memset(a, 5, 4 * MB);
	assert_int_equal(mprotect(a, PAGE, PROT_NONE), 0);
	assert_true(burst_tracked_unmap(a, MB));
	assert_true(burst_tracked_unmap(a + 3 * MB, MB));
	b = burst_tracked_map(4 * MB);
	assert_ptr_not_equal(a, b);
	assert_int_equal(a[2 * MB], 5);
	assert_true(burst_tracked_unmap(a + MB, 2 * MB));
	assert_ptr_equal(burst_tracked_map(4 * MB), a);
	for (int i = 0; i < 4 * MB; i++)
		assert_int_equal(a[i], 0);
	assert_true(burst_tracked_unmap(b, 4 * MB));
	assert_true(burst_tracked_unmap(a, 4 * MB));
	assert_int_equal(burst_tracked_free(a), -1);
	assert_false(burst_tracked_unmap(&a, PAGE));
}

static void a_mapping_changes_its_size_in_its_room(void **state)
{
	char *a = burst_tracked_map(9 * LEAST);         /* room for 10 */

	(void)state;
	memset(a, 5, 9 * LEAST);
	assert_false(burst_tracked_resize(a, 9 * LEAST, 11 * LEAST));
	assert_true(burst_tracked_resize(a, 9 * LEAST, 10 * LEAST));
	assert_int_equal(a[9 * LEAST - 1], 5);
	assert_int_equal(a[9 * LEAST], 0);
	assert_true(burst_tracked_resize(a, 10 * LEAST, LEAST));
	assert_int_equal(a[LEAST - 1], 5);
	assert_int_equal(a[LEAST], 0);
	assert_true(burst_tracked_unmap(a, LEAST));
	assert_ptr_equal(burst_tracked_map(10 * LEAST), a);
	assert_true(burst_tracked_unmap(a, 10 * LEAST));
}

static void addresses_that_are_kept_for_later_are_not_tracked(void **state)
{
	(void)state;
	assert_null(burst_tracked_map((size_t)65 << 30));
}

/* --- static variables ------------------------------------------------------------------- */

static uint64_t placed_offset(const char *at)
{
	for (uint32_t k = 0; k < header->tracked.nplaced; k++) {
		const struct burst_placed *p = &header->tracked.placed[k];

		if ((uintptr_t)at - p->address < p->bytes)
			return (uintptr_t)at - p->address + p->offset;
	}
	return UINT64_MAX;
}

static void static_variables_fault_and_keep_their_contents(void **state)
{
	const char *page = statics + PAGE;
	const uint64_t offset = placed_offset(page);
	long before;

	(void)state;
	assert_true(offset != UINT64_MAX);
	memset(statics, 5, sizeof statics);
	arm(offset, PAGE);
	before = faults();
	assert_int_equal(((const volatile char *)page)[PAGE], 5);
	assert_int_equal(faults() - before, 0);
	assert_int_equal(*(const volatile char *)page, 5);
	assert_int_equal(faults() - before, 1);
	arm_all();
	before = faults();
	for (size_t i = 0; i < sizeof statics; i++)
		assert_int_equal(statics[i], 5);
	assert_true(faults() - before >= (long)sizeof statics / PAGE / 16);
}

static void a_child_has_static_variables_of_its_own(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	memset(statics, 5, sizeof statics);
	pid = fork();
	if (pid == 0) {
		for (size_t i = 0; i < sizeof statics; i++)
			if (statics[i] != 5)
				_exit(1);
		memset(statics, 6, sizeof statics);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	for (size_t i = 0; i < sizeof statics; i++)
		assert_int_equal(statics[i], 5);
}

static void nothing_is_armed_beside_other_memory(void **state)
{
	char *a = new_block(MB);
	long before;

	(void)state;
	memset(a, 5, MB);
	burst_arm_no_more(header);
	arm_all();
	before = faults();
	assert_int_equal(((volatile char *)a)[MB / 2], 5);
	assert_int_equal(faults() - before, 0);
	assert_true(atomic_load(&header->tracked.arm_failed) > 0);
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
		cmocka_unit_test(other_threads_allocate_while_handlers_of_fork_run),
		cmocka_unit_test(handlers_in_the_child_find_its_own_memory),
		cmocka_unit_test(a_child_of__Fork_has_a_copy),
		cmocka_unit_test(what_is_released_while_a_child_copies_keeps_its_contents),
		cmocka_unit_test(nobody_waits_for_a_child_that_could_not_be_made),
		cmocka_unit_test(a_mapping_is_zero_and_goes_by_parts),
		cmocka_unit_test(a_mapping_changes_its_size_in_its_room),
		cmocka_unit_test(addresses_that_are_kept_for_later_are_not_tracked),
		cmocka_unit_test(static_variables_fault_and_keep_their_contents),
		cmocka_unit_test(a_child_has_static_variables_of_its_own),
		cmocka_unit_test(nothing_is_armed_beside_other_memory),
	};

	return cmocka_run_group_tests_name("tracked", tests, set_up, tear_down);
}
