/* SPDX-License-Identifier: BSD-3-Clause */
/* The action pages=2M on real memory: what it changes, and that nothing of it stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/address/object_pages.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/trial/action.h"
#include "monitor/trial/pagemap.h"

enum { LARGE = PAGEMAP_LARGE, UNITS = 4, OBJECT = MON_OBJ_FIRST };
static char *memory;            /* UNITS large pages, aligned */
static struct pscm_span span;
static bool sandboxed;
static const struct mon_request request = { .object = OBJECT };
static struct mon_trial out;

bool sandbox_around(void) { return sandboxed; }

bool object_pages_find(uint32_t object, uint64_t page, struct object_pages *p)
{
	*p = (struct object_pages){ .range = &span, .n = 1, .pages = (span.hi - span.lo) / page, .bytes = span.hi - span.lo };
	return object == OBJECT && page == LARGE;
}

void object_pages_free(struct object_pages *p)
{
	*p = (struct object_pages){ 0 };
}

static uint64_t large_now(void)
{
	const int fd = pagemap_open();
	const int64_t n = fd < 0 ? -1 : pagemap_large(fd, span.lo, span.hi);

	pagemap_close(fd);
	return n < 0 ? 0 : (uint64_t)n;
}

static int number_of_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	int n = 0, c;

	while (f && (c = fgetc(f)) != EOF)
		n += c == '\n';
	if (f)
		fclose(f);
	return n;
}

/* New memory in small pages, with contents, of UNITS large pages. */
static void memory_new(void)
{
	static char *mapped;
	const size_t bytes = (UNITS + 1) * (size_t)LARGE;

	if (mapped)
		munmap(mapped, bytes);
	mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(mapped != MAP_FAILED);
	memory = (char *)(((uintptr_t)mapped + LARGE - 1) / LARGE * LARGE);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  /* some machines back all memory with large pages */
	for (size_t i = 0; i < UNITS * (size_t)LARGE; i++)
		memory[i] = (char)(i * 7 + i / 4099);
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	span = (struct pscm_span){ .lo = (uintptr_t)memory,
		.hi = (uintptr_t)memory + UNITS * (size_t)LARGE };
	sandboxed = false;
}

static void assert_contents(void)
{
	for (size_t i = 0; i < UNITS * (size_t)LARGE; i++)
		if (memory[i] != (char)(i * 7 + i / 4099))
			fail_msg("byte %zu has changed", i);
}

/* False: this kernel does not say which pages are large. */
static bool is_tried(void)
{
	const enum mon_trial_refusal why = trial_large_pages.can(&request, &out);

	if (why == MON_TRIAL_FORBIDDEN)
		return false;
	assert_int_equal(why, MON_TRIAL_DONE);
	return true;
}

static void pages_become_large_and_small_again(void **state)
{
	int failed, mappings;

	(void)state;
	memory_new();
	if (!is_tried())
		return;
	mappings = number_of_mappings();
	assert_int_equal(out.pages, UNITS * 512);
	assert_true(trial_large_pages.to_b(UINT64_MAX));
	if (!trial_large_pages.moved(&failed))
		return;         /* no free memory in one piece */
	assert_int_equal(large_now(), trial_large_pages.moved(&failed) * 4096);
	assert_contents();
	trial_large_pages.verify(&out);
	assert_int_equal(out.left, trial_large_pages.moved(&failed));
	assert_true(trial_large_pages.to_a(UINT64_MAX));
	trial_large_pages.verify(&out);
	assert_int_equal(out.left, 0);
	assert_int_equal(large_now(), 0);
	assert_int_equal(number_of_mappings(), mappings);
	assert_contents();
}

static void a_long_switch_goes_on_and_is_put_back_in_its_midst(void **state)
{
	int failed;

	(void)state;
	memory_new();
	if (!is_tried())
		return;
	assert_false(trial_large_pages.to_b(0));        /* one at a time */
	assert_false(trial_large_pages.to_b(0));
	assert_in_range(trial_large_pages.moved(&failed), 0, 2 * 512);
	trial_large_pages.put_back();
	assert_int_equal(large_now(), 0);
	assert_false(trial_large_pages.to_b(0));
	assert_false(trial_large_pages.to_b(0));
	assert_false(trial_large_pages.to_b(0));
	assert_true(trial_large_pages.to_b(0));
	trial_large_pages.put_back();
	assert_int_equal(large_now(), 0);
	assert_contents();
}

/* What the program has only in part, in a file, or in large pages already stays as it is. */
static void only_small_pages_in_memory_are_changed(void **state)
{
	int failed;

	(void)state;
	memory_new();
	madvise(memory + LARGE + 4096, 4096, MADV_DONTNEED);
	if (!is_tried())
		return;
	assert_int_equal(out.pages, (UNITS - 1) * 512);
	trial_large_pages.to_b(UINT64_MAX);
	if (trial_large_pages.moved(&failed) != (UNITS - 1) * 512)
		goto out;
	assert_int_equal(trial_large_pages.can(&request, &out),
		MON_TRIAL_LARGE_ALREADY);     /* it was kept */
out:
	trial_large_pages.put_back();
}

static void without_memory_of_its_own_nothing_is_tried(void **state)
{
	(void)state;
	memory_new();
	span.hi = span.lo;
	assert_int_equal(trial_large_pages.can(&request, &out), MON_TRIAL_NO_PAGES);
	sandboxed = true;
	assert_int_equal(trial_large_pages.can(&request, &out), MON_TRIAL_FORBIDDEN);
}

static void memory_that_is_locked_is_left_alone(void **state)
{
	(void)state;
	memory_new();
	/* By the kernel: the sanitizers' mlock() does nothing. */
	if (syscall(SYS_mlock, memory, LARGE) || !is_tried())
		return;
	assert_int_equal(out.pages, (UNITS - 1) * 512);
	syscall(SYS_munlock, memory, LARGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_become_large_and_small_again),
		cmocka_unit_test(a_long_switch_goes_on_and_is_put_back_in_its_midst),
		cmocka_unit_test(only_small_pages_in_memory_are_changed),
		cmocka_unit_test(without_memory_of_its_own_nothing_is_tried),
		cmocka_unit_test(memory_that_is_locked_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
