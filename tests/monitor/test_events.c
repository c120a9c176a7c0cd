/* SPDX-License-Identifier: BSD-3-Clause */
/* Events between markers, with the kernel's page faults: whose they are, what is left out, and what
 * happens where the kernel or the program stands in the way. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/collect/armed.h"
#include "monitor/collect/kernel_events.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { PAGE = 4096, NTHREADS = 2 };

static struct pscm_thread *threads[NTHREADS];
static struct pscm_armed armed;
static struct mon_request request;

/* --- neighbours ------------------------------------------------------------------------------ */

void *pscm_map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}
void pscm_unmap(void *p, size_t bytes) { munmap(p, bytes); }
uint32_t pscm_thread_count(void) { return NTHREADS; }
struct pscm_thread *pscm_thread_at(uint32_t n) { return threads[n]; }
bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects)
{
	(void)a;
	(void)context;
	(void)object;
	return !objects;
}

/* --- the tests ------------------------------------------------------------------------------- */

/* Sanitizers would touch pages of their own for each. */
__attribute__((no_sanitize("address", "undefined"))) static void touch(size_t pages)
{
	volatile char *p = pscm_map(pages * PAGE);

	madvise((void *)(uintptr_t)p, pages * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		p[i * PAGE] = 1;
	pscm_unmap((void *)(uintptr_t)p, pages * PAGE);
}

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	for (uint32_t i = 0; i < NTHREADS; i++) {
		threads[i] = calloc(1, sizeof **threads);
		threads[i]->index = i;
		threads[i]->times.state = PSCM_RUNS;
	}
	atomic_store(&pscm_shm->ncontexts, 4);
	sandbox_start();
	return pscm_shm ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	sandbox_stop();
	shared_memory_free(pscm_shm);
	return 0;
}

/* Begins an experiment with page faults and minor faults.  false: they cannot be counted here. */
static bool begin(void)
{
	armed = (struct pscm_armed){ .slot = 1, .kind = MON_EVENTS, .request = &request };
	request = (struct mon_request){ .nevents = 2, .event = {
		{ PERF_TYPE_SOFTWARE, MON_EVENT_USER, PERF_COUNT_SW_PAGE_FAULTS, 0, 0 },
		{ PERF_TYPE_SOFTWARE, MON_EVENT_USER, PERF_COUNT_SW_PAGE_FAULTS_MIN, 0, 0 } } };
	if (events_arm(&request))
		return false;
	atomic_store(&pscm_live.mode, PSCM_MODE_TIME | PSCM_MODE_CUT);
	events_resume(threads[0]);
	if (events_failed(&request))
		return false;
	events_cut(threads[0], 0, true);
	events_executed(&armed, false);         /* the first faults are the monitor's own */
	return true;
}

static uint32_t end(void)
{
	atomic_store(&pscm_live.mode, 0);
	events_finish();
	return armed.rows.events;
}

/* The sum of an event's rows of a context. */
static uint64_t of(uint32_t context, uint32_t event, uint32_t nrows)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < nrows; i++) {
		const struct mon_event_row *r = &pscm_shm->events[1][i];

		if (r->context == context && r->event == event)
			sum += r->value;
		assert_true(r->running == r->enabled && r->enabled);
	}
	return sum;
}

static bool unsupported(void)
{
	if (begin())
		return false;
	print_message("# page faults cannot be counted here: %s\n", strerror(request.failed_errno));
	end();
	return true;
}

static void faults_belong_to_the_context_they_happen_in(void **state)
{
	uint32_t n;

	(void)state;
	if (unsupported())
		skip();
	events_resume(threads[0]);
	touch(20);
	events_cut(threads[0], 1, true);
	touch(50);                      /* inside a marker */
	events_resume(threads[0]);
	touch(7);
	events_cut(threads[0], 2, true);
	events_executed(&armed, true);
	n = end();
	assert_int_equal(of(1, 0, n), 20);
	assert_int_equal(of(2, 0, n), 7);
	assert_int_equal(of(1, 1, n), 20);
	assert_int_equal(of(0, 0, n), 0);
}

static void waits_and_dropped_executions_do_not_count(void **state)
{
	uint32_t n;

	(void)state;
	if (unsupported())
		skip();
	events_resume(threads[0]);
	touch(20);
	events_cut(threads[0], 1, false);       /* it waited for its team */
	events_resume(threads[0]);
	touch(3);
	threads[0]->times.state = PSCM_WAITS;
	events_cut(threads[0], 1, true);
	events_resume(threads[0]);
	touch(5);
	threads[0]->times.state = PSCM_RUNS;
	events_cut(threads[0], 1, true);        /* it was not counting */
	events_executed(&armed, true);
	events_resume(threads[0]);
	touch(9);
	events_cut(threads[0], 1, true);
	events_executed(&armed, false);                 /* void, or to warm up */
	n = end();
	assert_int_equal(of(1, 0, n), 0);
}

/* Descriptors from 200 on that are open, as bits. */
static uint64_t high_set(void)
{
	uint64_t set = 0;

	for (int i = 0; i < 64; i++)
		set |= (uint64_t)(fcntl(200 + i, F_GETFD) >= 0) << i;
	return set;
}

static void nothing_is_open_afterwards(void **state)
{
	uint64_t before = high_set(), during;
	int low = dup(0), after;

	(void)state;
	close(low);
	if (unsupported())
		skip();
	during = high_set() & ~before;
	assert_int_equal(__builtin_popcountll(during), 2);
	for (int i = 0; i < 64; i++)
		if (during >> i & 1)
			assert_int_equal(fcntl(200 + i, F_GETFD), FD_CLOEXEC);
	end();
	after = dup(0);
	close(after);
	assert_int_equal(low, after);
	assert_true(high_set() == before);
}

/* The program closes all descriptors that it does not know, and uses the numbers. */
static void a_descriptor_of_the_program_is_neither_read_nor_closed(void **state)
{
	uint64_t before = high_set(), ours;
	int pair[2];
	char byte = 0;

	(void)state;
	if (unsupported())
		skip();
	events_resume(threads[0]);
	ours = high_set() & ~before;
	assert_int_equal(pipe(pair), 0);
	assert_int_equal(write(pair[1], "x", 1), 1);
	for (int i = 0; i < 64; i++)
		if (ours >> i & 1)
			dup2(pair[0], 200 + i);
	events_cut(threads[0], 1, true);
	assert_true(events_failed(&request));
	assert_int_equal(request.failed_errno, EBADF);
	end();
	assert_true((high_set() & ours) == ours);
	assert_int_equal(read(pair[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	for (int i = 0; i < 64; i++)
		if (ours >> i & 1)
			close(200 + i);
	close(pair[0]);
	close(pair[1]);
}

static void a_full_table_of_files_is_a_reason(void **state)
{
	struct rlimit old, few;

	(void)state;
	if (unsupported())
		skip();
	getrlimit(RLIMIT_NOFILE, &old);
	few = old;
	few.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &few);
	events_resume(threads[1]);
	setrlimit(RLIMIT_NOFILE, &old);
	assert_true(events_failed(&request));
	assert_int_equal(request.failed_errno, EMFILE);
	end();
}

static void an_event_that_does_not_exist_is_named(void **state)
{
	(void)state;
	request = (struct mon_request){ .nevents = 2, .event = {
		{ PERF_TYPE_SOFTWARE, MON_EVENT_USER, PERF_COUNT_SW_PAGE_FAULTS, 0, 0 },
		{ PERF_TYPE_SOFTWARE, MON_EVENT_USER, 9999, 0, 0 } } };
	if (events_arm(&request))
		skip();
	atomic_store(&pscm_live.mode, PSCM_MODE_TIME | PSCM_MODE_CUT);
	events_resume(threads[0]);
	assert_true(events_failed(&request));
	assert_true(request.failed_errno);
	end();
	if (request.failed_errno != EACCES && request.failed_errno != EPERM)
		assert_int_equal(request.failed_event, 1);
}

/* Programs close what they do not know. */
static void the_status_is_opened_again(void **state)
{
	(void)state;
	for (int fd = 200; fd < 260; fd++)
		close(fd);
	if (unsupported())
		skip();
	events_resume(threads[0]);
	touch(4);
	events_cut(threads[0], 1, true);
	events_executed(&armed, true);
	assert_int_equal(of(1, 0, end()), 4);
}

static void an_absurd_request_is_refused(void **state)
{
	(void)state;
	request = (struct mon_request){ .nevents = 0 };
	assert_int_equal(events_arm(&request), MON_DROP_REQUEST);
	request.nevents = MON_EVENTS_MOST + 1;
	assert_int_equal(events_arm(&request), MON_DROP_REQUEST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_belong_to_the_context_they_happen_in),
		cmocka_unit_test(waits_and_dropped_executions_do_not_count),
		cmocka_unit_test(nothing_is_open_afterwards),
		cmocka_unit_test(a_descriptor_of_the_program_is_neither_read_nor_closed),
		cmocka_unit_test(a_full_table_of_files_is_a_reason),
		cmocka_unit_test(an_event_that_does_not_exist_is_named),
		cmocka_unit_test(the_status_is_opened_again),
		cmocka_unit_test(an_absurd_request_is_refused),
	};

	return cmocka_run_group_tests_name("events", tests, set_up, tear_down);
}
