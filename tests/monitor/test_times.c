/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of contexts by a fake clock: where the time goes in which a thread runs, waits, or has no
 * processor.  One thread of the test stands for all threads of the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "monitor/collect/armed.h"
#include "monitor/collect/kernel_counts.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/slices.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/signals.h"
#include "monitor/host/threads.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/regions/regions.h"
#include "monitor/regions/time_rows.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { PHASE, PARALLEL, DO, BARRIER, CALL, TASK, OUTER, INNER, AROUND, HOLDS, NREGIONS };
enum { NTHREADS = 3, US = 1000 };

static struct psc_unit unit = { .nregions = NREGIONS, .registered = 1 };
static struct pscm_thread *threads[NTHREADS];
static struct pscm_armed armed;

/* --- the clock ------------------------------------------------------------------------------- */

static uint64_t wall, cpu[NTHREADS];
static unsigned now_running, readings;
static bool refused;

int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	uint64_t ns = id == CLOCK_MONOTONIC ? wall : cpu[now_running];

	readings += id != CLOCK_MONOTONIC;
	if (refused && id != CLOCK_MONOTONIC)
		return -1;
	*ts = (struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	return 0;
}

static void runs(uint64_t ns)
{
	wall += ns;
	cpu[now_running] += ns;
}

static void away(uint64_t ns)
{
	wall += ns;
}

/* What getrusage() says, of a thread and of the process. */
static struct rusage use[NTHREADS];
static unsigned use_readings;
static bool sandboxed;

bool sandbox_around(void) { return sandboxed; }

long __wrap_syscall(long number, int who, struct rusage *out);
long __wrap_syscall(long number, int who, struct rusage *out)
{
	assert_int_equal(number, SYS_getrusage);
	use_readings++;
	*out = use[now_running];
	for (unsigned i = 0; i < NTHREADS && who == RUSAGE_SELF; i++)
		if (i != now_running) {
			out->ru_minflt += use[i].ru_minflt;
			out->ru_stime.tv_usec += use[i].ru_stime.tv_usec;
			out->ru_utime.tv_usec += use[i].ru_utime.tv_usec;
		}
	return 0;
}

/* The thread has n page faults, in ns of system time. */
static void faults(long n, uint64_t ns)
{
	runs(ns);
	use[now_running].ru_minflt += n;
	use[now_running].ru_stime.tv_usec += (long)(ns / US);
}

static void becomes(unsigned thread)
{
	now_running = thread;
	pscm_self = threads[thread];
}

/* --- neighbours ------------------------------------------------------------------------------ */

void *pscm_map(size_t bytes) { return calloc(1, bytes); }
void pscm_unmap(void *p, size_t bytes) { (void)bytes; free(p); }
void pscm_lock(pthread_mutex_t *lock) { (void)lock; }
void pscm_unlock(pthread_mutex_t *lock) { (void)lock; }
bool pscm_guard_left(uintptr_t here) { (void)here; return false; }
struct pscm_thread *pscm_thread_self(void) { return pscm_self; }
uint32_t pscm_thread_count(void) { return NTHREADS; }
struct pscm_thread *pscm_thread_at(uint32_t n) { return threads[n]; }
void pscm_signal_leave(struct pscm_thread *t, uint32_t depth) { (void)t; (void)depth; }
void pscm_record_make_space(void) { }
void pscm_record_context(struct pscm_thread *t, uint32_t context) { (void)t; (void)context; }
void slices_pushed(struct pscm_thread *t) { (void)t; }
void slices_popped(struct pscm_thread *t) { (void)t; }
void sim_core_sum(struct sim_core *core) { (void)core; }
void pscm_record_fork(struct pscm_thread *t) { (void)t; }
void pscm_record_team_begin(struct pscm_thread *t) { (void)t; }
void pscm_record_wait(struct pscm_thread *t) { (void)t; }
void pscm_record_barrier(struct pscm_thread *t) { (void)t; }
void pscm_record_team_end(struct pscm_thread *t) { (void)t; }
void pscm_record_park(struct pscm_thread *t) { (void)t; }
void pscm_record_unpark(struct pscm_thread *t) { (void)t; }

/* --- executions ------------------------------------------------------------------------------ */

static void begin(void)
{
	becomes(0);
	pscm_epoch++;
	pscm_live.mode = PSCM_MODE_TIME;
	pscm_region_stack_open(pscm_self);
}

static void end(void)
{
	becomes(0);
	pscm_live.mode = 0;
	pscm_region_stack_close(pscm_self, wall);
	armed.rows.times = 0;
	pscm_time_sums();
	pscm_time_rows(&armed);
}

static const struct mon_time_row *row(uint32_t context, uint32_t thread)
{
	static const struct mon_time_row none;

	for (uint32_t i = 0; i < armed.rows.times; i++)
		if (pscm_shm->times[0][i].context == context &&
		    pscm_shm->times[0][i].thread == thread)
			return &pscm_shm->times[0][i];
	return &none;
}

/* The context of this region below the parent. */
static uint32_t below(uint32_t parent, uint32_t region)
{
	return pscm_context_child(&unit, parent, region);
}

static void wait_at_barrier(uint64_t spins, uint64_t sleeps)
{
	__psc_wait(&unit, PARALLEL);
	__psc_enter(&unit, BARRIER);
	runs(spins);
	away(sleeps);
	__psc_exit(&unit, BARRIER);
	__psc_barrier(&unit, PARALLEL);
}

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	for (uint32_t i = 0; i < NTHREADS; i++) {
		threads[i] = calloc(1, sizeof *threads[i]);
		threads[i]->index = i;
	}
	wall = 1000000000;
	if (!pscm_shm || pscm_contexts_start())
		return -1;
	pscm_context_root(&unit, PHASE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	kernel_use_stop();
	sandboxed = false;
	return 0;
}

/* As in threads.c. */
void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch)
{
	t->depth = t->over = 0;
	memset(&t->times, 0, sizeof t->times);
	t->epoch = epoch;
}

/* --- tests ----------------------------------------------------------------------------------- */

static void time_without_a_processor_is_lost_where_it_was_lost(void **state)
{
	(void)state;
	begin();
	runs(5 * US);
	__psc_enter(&unit, CALL);
	runs(3 * US);
	__psc_exit(&unit, CALL);
	runs(1 * US);
	__psc_enter(&unit, DO);
	runs(50 * US);
	away(4000 * US);
	__psc_exit(&unit, DO);
	runs(2 * US);
	end();
	assert_int_equal(row(0, 0)->wall_ns, 4061 * US);
	assert_int_equal(row(0, 0)->cpu_ns, 61 * US);
	assert_int_equal(row(below(0, CALL), 0)->cpu_ns, 3 * US);
	assert_int_equal(row(below(0, DO), 0)->cpu_ns, 50 * US);
	assert_int_equal(row(below(0, DO), 0)->wall_ns, 4050 * US);
	assert_int_equal(row(0, 0)->wait_ns, 0);
}

static void reading_the_clock_is_no_time_of_the_program(void **state)
{
	(void)state;
	begin();
	runs(1 * US);
	cpu[0] += 2 * US;       /* the readings take so long */
	end();
	assert_int_equal(row(0, 0)->wall_ns, 1 * US);
	assert_int_equal(row(0, 0)->cpu_ns, 1 * US);
	begin();
	runs(1 * US);
	end();
	assert_int_equal(row(0, 0)->cpu_ns, 1 * US);
}

static void a_wait_is_no_processor_time_even_where_it_spins(void **state)
{
	uint32_t barrier = below(below(0, PARALLEL), BARRIER);

	(void)state;
	begin();
	__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
	runs(30 * US);
	wait_at_barrier(100 * US, 900 * US);
	runs(30 * US);
	wait_at_barrier(700 * US, 0);
	__psc_exit(&unit, PARALLEL);
	end();
	assert_int_equal(row(0, 0)->cpu_ns, 60 * US);
	assert_int_equal(row(0, 0)->wait_ns, 1700 * US);
	assert_int_equal(row(barrier, 0)->cpu_ns, 0);
	assert_int_equal(row(barrier, 0)->wait_ns, 1700 * US);
	assert_int_equal(row(barrier, 0)->calls, 2);
}

static void barriers_at_which_nobody_waits_cost_no_reading(void **state)
{
	(void)state;
	readings = 0;
	begin();
	__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
	for (int i = 0; i < 100; i++) {
		runs(1 * US);
		wait_at_barrier(100, 0);
	}
	__psc_exit(&unit, PARALLEL);
	end();
	assert_int_equal(row(0, 0)->cpu_ns, 100 * US);
	assert_int_equal(row(0, 0)->wait_ns, 10 * US);
	assert_true(readings <= 2 + 110 / 20);
}

static void a_task_that_the_waiting_thread_executes_is_work(void **state)
{
	uint64_t token;

	(void)state;
	begin();
	__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
	runs(30 * US);
	token = __psc_fork(&unit, TASK);
	__psc_wait(&unit, PARALLEL);
	runs(200 * US);
	__psc_team_enter(&unit, TASK, token);
	runs(40 * US);
	__psc_exit(&unit, TASK);
	runs(300 * US);
	__psc_barrier(&unit, PARALLEL);
	__psc_exit(&unit, PARALLEL);
	end();
	assert_int_equal(row(below(below(0, PARALLEL), TASK), 0)->cpu_ns, 40 * US);
	assert_int_equal(row(0, 0)->cpu_ns, 70 * US);
	assert_int_equal(row(0, 0)->wait_ns, 500 * US);
}

/* Two tasks, one of which the waiting thread executes; a wait in it, too. */
static void a_taskwait_is_a_wait_except_for_the_tasks_in_it(void **state)
{
	uint32_t in = below(0, PARALLEL), taskwait = below(in, BARRIER), task = below(in, TASK);
	uint64_t token;

	(void)state;
	begin();
	__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
	runs(30 * US);
	token = __psc_fork(&unit, TASK);
	__psc_wait(&unit, PARALLEL);
	__psc_enter(&unit, BARRIER);
	__psc_team_enter(&unit, TASK, token);
	runs(40 * US);
	__psc_wait(&unit, TASK);
	__psc_enter(&unit, BARRIER);
	away(60 * US);
	__psc_exit(&unit, BARRIER);
	__psc_waited(&unit, TASK);
	runs(50 * US);
	__psc_exit(&unit, TASK);
	runs(300 * US);
	away(200 * US);
	__psc_exit(&unit, BARRIER);
	__psc_waited(&unit, PARALLEL);
	runs(70 * US);
	__psc_exit(&unit, PARALLEL);
	end();
	assert_int_equal(row(taskwait, 0)->wait_ns, 500 * US);
	assert_int_equal(row(taskwait, 0)->cpu_ns, 0);
	assert_int_equal(row(below(task, BARRIER), 0)->wait_ns, 60 * US);
	assert_int_equal(row(task, 0)->cpu_ns, 90 * US);
	assert_int_equal(row(0, 0)->cpu_ns, 190 * US);
	assert_int_equal(row(0, 0)->wait_ns, 560 * US);
}

static void a_team_starts_from_the_fork_to_the_begin_of_each_part(void **state)
{
	uint32_t in = below(0, PARALLEL);
	uint64_t token;

	(void)state;
	begin();
	for (int i = 0; i < 2; i++) {
		token = __psc_fork(&unit, PARALLEL);
		runs(5 * US);
		__psc_team_enter(&unit, PARALLEL, token);
		runs(3 * US);
		becomes(1);
		__psc_team_enter(&unit, PARALLEL, token);
		runs(10 * US);
		__psc_team_enter(&unit, TASK, __psc_fork(&unit, TASK));
		__psc_exit(&unit, TASK);
		__psc_exit(&unit, PARALLEL);
		becomes(0);
		__psc_exit(&unit, PARALLEL);
	}
	end();
	assert_int_equal(row(in, 0)->startup_ns, 10 * US);
	assert_int_equal(row(in, 1)->startup_ns, 16 * US);
	assert_int_equal(row(below(in, TASK), 1)->startup_ns, 0);
	assert_int_equal(row(0, 0)->startup_ns, 0);
}

static void the_encountering_thread_waits_behind_the_construct_for_its_team(void **state)
{
	(void)state;
	begin();
	for (int joined = 0; joined < 2; joined++) {
		__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
		runs(30 * US);
		__psc_exit(&unit, PARALLEL);
		runs(500 * US);
		if (joined)
			pscm_region_joined(&unit, PARALLEL);
		else    /* nothing tells that it waited: it may as well have worked */
			__psc_enter(&unit, CALL);
		runs(10 * US);
		if (!joined)
			__psc_exit(&unit, CALL);
	}
	end();
	assert_int_equal(row(0, 0)->cpu_ns, 580 * US);
	assert_int_equal(row(0, 0)->wait_ns, 500 * US);
	assert_int_equal(row(below(0, PARALLEL), 0)->cpu_ns, 60 * US);
	assert_int_equal(row(below(0, PARALLEL), 0)->wait_ns, 0);
}

static void what_a_team_does_counts_to_who_forked_it(void **state)
{
	uint32_t call = below(0, CALL), parallel = below(call, PARALLEL);
	uint64_t token;

	(void)state;
	begin();
	__psc_enter(&unit, CALL);
	token = __psc_fork(&unit, PARALLEL);
	becomes(1);
	runs(500 * US);         /* outside: nobody's */
	__psc_team_enter(&unit, PARALLEL, token);
	runs(70 * US);
	__psc_exit(&unit, PARALLEL);
	runs(500 * US);
	becomes(0);
	__psc_team_enter(&unit, PARALLEL, token);
	runs(40 * US);
	__psc_exit(&unit, PARALLEL);
	pscm_region_joined(&unit, PARALLEL);
	__psc_exit(&unit, CALL);
	end();
	assert_int_equal(row(parallel, 1)->cpu_ns, 70 * US);
	assert_int_equal(row(call, 1)->cpu_ns, 70 * US);
	assert_int_equal(row(0, 1)->cpu_ns, 70 * US);
	assert_int_equal(row(0, 1)->wall_ns, 0);
	assert_int_equal(row(0, 1)->calls, 0);
	assert_int_equal(row(0, 0)->cpu_ns, 40 * US);
}

static void without_a_cpu_clock_all_that_is_no_wait_is_processor_time(void **state)
{
	(void)state;
	refused = true;
	begin();
	runs(30 * US);
	away(100 * US);
	wait_at_barrier(10 * US, 0);
	runs(30 * US);
	end();
	refused = false;
	assert_int_equal(row(0, 0)->cpu_ns, 160 * US);
	assert_int_equal(row(0, 0)->wait_ns, 10 * US);
}

static unsigned draw(unsigned n)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(state >> 33) % n;
}

/* Runs up to `most` us, and sometimes loses its processor for that long. */
static void some_time(uint64_t *ran, unsigned most)
{
	uint64_t ns = draw(most * US);

	runs(ns);
	*ran += ns;
	if (!draw(4))
		away(draw(most * US));
}

static void all_times_sum_to_what_the_cpu_clock_says(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		unsigned most = round % 3 == 0 ? 5 : round % 3 == 1 ? 50 : 5000, open = 0;
		uint64_t ran = 0, sum = 0, spins = 0;

		begin();
		for (int i = 0; i < 300; i++) {
			some_time(&ran, most);
			switch (draw(5)) {
			case 0:
			case 1:
				if (open++ < 30)
					__psc_enter(&unit, open % 2 ? DO : CALL);
				break;
			case 2:
			case 3:
				if (open && open-- <= 30)
					__psc_exit(&unit, (open + 1) % 2 ? DO : CALL);
				break;
			default:        /* long enough for the clock to be read behind it */
				spins += 2 * US;
				wait_at_barrier(2 * US, draw(100 * US));
			}
		}
		end();
		for (uint32_t c = 1; c < pscm_shm->ncontexts; c++)
			if (pscm_context_parent(c) == 0)
				sum += row(c, 0)->cpu_ns;
		assert_true(sum <= row(0, 0)->cpu_ns);
		/* Before a wait, up to 20 us since the last reading are taken as run. */
		if (most == 5000)
			assert_true(row(0, 0)->cpu_ns - ran <= 60 * 20 * US);
		else
			assert_true(row(0, 0)->cpu_ns >= ran);
		assert_true(row(0, 0)->cpu_ns + row(0, 0)->wait_ns <= row(0, 0)->wall_ns);
		assert_true(row(0, 0)->wait_ns >= spins);
	}
}

static void without_waits_the_sum_is_exact(void **state)
{
	(void)state;
	for (int round = 0; round < 100; round++) {
		uint64_t ran = 0, sum = 0;

		begin();
		for (int i = 0; i < 300; i++) {
			some_time(&ran, 1 + round);
			__psc_enter(&unit, i % 2 ? DO : CALL);
			some_time(&ran, 10);
			__psc_exit(&unit, i % 2 ? DO : CALL);
		}
		end();
		assert_int_equal(row(0, 0)->cpu_ns, ran);
		sum = row(below(0, DO), 0)->cpu_ns + row(below(0, CALL), 0)->cpu_ns;
		assert_true(sum <= ran);
		assert_int_equal(row(below(0, DO), 0)->calls, 150);
	}
}

/* Ten calls of 20 ns, each with a call of 10 ns inside; a loop of 1000 ns; 100 ns before each call.
 * `half`: what half a marker costs. */
static void brief_calls_and_a_loop(uint64_t half)
{
	for (int i = 0; i < 10; i++) {
		runs(100 + half);
		__psc_enter(&unit, OUTER);
		runs(half + 20 + half);
		__psc_enter(&unit, INNER);
		runs(half + 10 + half);
		__psc_exit(&unit, INNER);
		runs(half + half);
		__psc_exit(&unit, OUTER);
		runs(half);
	}
	__psc_enter(&unit, DO);
	runs(1000);
	__psc_exit(&unit, DO);
}

/* A region that is brief on average, and around the loop in one call. */
static void brief_around_a_loop(void)
{
	for (int i = 0; i < 1000; i++) {
		__psc_enter(&unit, AROUND);
		runs(1);
		if (!i) {
			__psc_enter(&unit, DO);
			runs(1000);
			__psc_exit(&unit, DO);
		}
		__psc_exit(&unit, AROUND);
	}
}

/* Ten calls of 20 ns, with five calls of 2 ns inside, whose markers take most of the time.
 * outer, inner: what half a marker of theirs costs. */
static void calls_inside_a_call(uint64_t outer, uint64_t inner)
{
	for (int i = 0; i < 10; i++) {
		runs(outer);
		__psc_enter(&unit, HOLDS);
		runs(outer + 10 + outer);
		for (int k = 0; k < 5; k++) {
			runs(inner);
			__psc_enter(&unit, INNER);
			runs(inner + 2 + inner);
			__psc_exit(&unit, INNER);
			runs(inner);
		}
		__psc_exit(&unit, HOLDS);
		runs(outer);
	}
}

/* The last test: brief regions stay brief. */
static void brief_regions_are_timed_with_their_caller(void **state)
{
	uint32_t call, task;

	(void)state;
	times_measure_markers();
	assert_int_equal(times_marker_cost(), 1);       /* so calls under 50 ns are brief */
	begin();
	brief_calls_and_a_loop(3);
	brief_around_a_loop();
	calls_inside_a_call(3, 3);
	for (int i = 0; i < 10; i++)
		wait_at_barrier(2, 0);
	end();
	assert_true(brief_wanted());
	assert_false(brief_any());
	assert_true(brief_survey());
	assert_true(brief_any() && brief_region(OUTER) && brief_region(INNER));
	assert_false(brief_region(PHASE) || brief_region(DO) || brief_region(AROUND));
	assert_false(brief_region(BARRIER));    /* its wait is no processor time of the caller */
	assert_false(brief_region(HOLDS));

	/* Without the markers inside it, another region is brief. */
	assert_true(brief_wanted());
	begin();
	brief_calls_and_a_loop(0);
	brief_around_a_loop();
	calls_inside_a_call(3, 0);
	end();
	assert_true(brief_survey());
	assert_true(brief_region(HOLDS) && brief_region(OUTER) && brief_region(INNER));
	assert_false(brief_region(PHASE) || brief_region(DO) || brief_region(AROUND));
	assert_false(brief_wanted());

	call = below(0, OUTER);
	task = below(call, INNER);
	begin();
	__psc_enter(&unit, OUTER);
	assert_int_equal(pscm_region_stack_context(pscm_self), 0);
	__psc_landed(&unit, OUTER, 0);
	__psc_exit(&unit, OUTER);
	brief_calls_and_a_loop(0);
	brief_around_a_loop();
	calls_inside_a_call(0, 0);
	for (int i = 0; i < 10; i++)
		wait_at_barrier(2, 0);
	end();
	assert_int_equal(pscm_unhandled, 0);
	assert_int_equal(row(0, 0)->cpu_ns, 1300 + 1000 + 2000 + 200);
	assert_in_range(row(below(0, HOLDS), 0)->cpu_ns, 199, 200);
	assert_in_range(row(call, 0)->cpu_ns, 299, 300);
	assert_in_range(row(task, 0)->cpu_ns, 99, 100);
	assert_int_equal(row(call, 0)->calls, 10);
	assert_int_equal(row(below(0, DO), 0)->cpu_ns, 1000);
	assert_true(row(call, 0)->brief && row(task, 0)->brief);
	assert_false(row(0, 0)->brief || row(below(0, DO), 0)->brief);

	pscm_live.mode = PSCM_MODE_SIM;         /* recording needs all contexts */
	assert_false(brief_marker(&unit, OUTER));
	pscm_live.mode = 0;
}

/* Markers keep the stack while nothing is measured.  The recursion counts as one call. */
static void regions_open_when_a_span_of_time_begins_count_from_there(void **state)
{
	uint32_t call = below(0, CALL);

	(void)state;
	pscm_timed_ns = 1;
	becomes(0);
	pscm_epoch++;
	pscm_live.mode = PSCM_MODE_WATCH;
	pscm_region_stack_sync(pscm_self);
	__psc_enter(&unit, CALL);
	__psc_enter(&unit, CALL);
	runs(500 * US);
	pscm_live.mode = 0;
	for (int span = 0; span < 2; span++) {
		pscm_epoch++;
		pscm_live.mode = PSCM_MODE_TIME;
		pscm_region_stack_carry(pscm_self, true);
		pscm_region_stack_open(pscm_self);
		runs(30 * US);
		if (span)
			__psc_exit(&unit, CALL);
		runs(20 * US);
		end();
		assert_int_equal(row(0, 0)->cpu_ns, 50 * US);
		assert_int_equal(row(call, 0)->cpu_ns, 50 * US);
		assert_int_equal(row(call, 0)->wall_ns, 50 * US);
		assert_int_equal(row(call, 0)->calls, 1);
	}
	assert_int_equal(pscm_self->depth, 1);
	__psc_exit(&unit, DO);          /* was entered unseen */
	assert_int_equal(pscm_unhandled, 0);
	pscm_timed_ns = 0;
}

/* One timed execution of a phase with a loop in it that has n faults of 1 us. */
static struct mon_kernel execution_with_faults(long n)
{
	becomes(0);
	kernel_use_begin();
	begin();
	runs(100 * US);
	use[0].ru_utime.tv_usec += 100;
	__psc_enter(&unit, DO);
	faults(n, (uint64_t)n * US);
	runs(20 * US);
	__psc_exit(&unit, DO);
	runs(1 * US);
	end();
	kernel_use_end();
	return kernel_use_take();
}

static void page_faults_of_an_execution_are_read_at_its_ends(void **state)
{
	struct mon_kernel k;

	(void)state;
	kernel_use_arm(true);
	use_readings = 0;
	k = execution_with_faults(1);
	assert_int_equal(k.minor, 1);
	assert_int_equal(k.sys_ns, 1 * US);
	assert_int_equal(k.user_ns, 100 * US);
	assert_int_equal(use_readings, 2);
	assert_int_equal(row(0, 0)->faults, 0);
	assert_false(kernel_use_often());
}

static void faults_belong_to_the_region_they_happen_in_once_there_are_many(void **state)
{
	(void)state;
	kernel_use_arm(true);
	execution_with_faults(50);
	assert_true(kernel_use_often());
	assert_int_equal(execution_with_faults(50).minor, 50);
	assert_int_equal(row(below(0, DO), 0)->faults, 50);
	assert_int_equal(row(below(0, DO), 0)->sys_ns, 50 * US);
	assert_int_equal(row(0, 0)->faults, 50);
	assert_int_equal(row(0, 0)->sys_ns, 50 * US);
}

/* What the kernel does for a wait is no time of the program; pages that were touched just before it are. */
static void system_time_of_a_wait_is_nobodys(void **state)
{
	(void)state;
	pscm_kernel_round = 77;
	begin();
	__psc_team_enter(&unit, PARALLEL, __psc_fork(&unit, PARALLEL));
	runs(2 * US);
	faults(3, 3 * US);
	__psc_wait(&unit, PARALLEL);
	__psc_enter(&unit, BARRIER);
	faults(0, 40 * US);
	away(400 * US);
	__psc_exit(&unit, BARRIER);
	__psc_barrier(&unit, PARALLEL);
	runs(30 * US);
	__psc_exit(&unit, PARALLEL);
	end();
	assert_int_equal(row(0, 0)->faults, 3);
	assert_int_equal(row(0, 0)->sys_ns, 0);
	assert_int_equal(row(below(below(0, PARALLEL), BARRIER), 0)->faults, 0);
}

/* A filter of system calls may kill for one that the program never makes. */
static void nothing_is_read_in_a_sandbox(void **state)
{
	(void)state;
	sandboxed = true;
	kernel_use_arm(true);
	use_readings = 0;
	assert_int_equal(execution_with_faults(50).minor, 0);
	assert_int_equal(use_readings, 0);
	assert_false(kernel_use_often());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_without_a_processor_is_lost_where_it_was_lost),
		cmocka_unit_test(reading_the_clock_is_no_time_of_the_program),
		cmocka_unit_test(a_wait_is_no_processor_time_even_where_it_spins),
		cmocka_unit_test(barriers_at_which_nobody_waits_cost_no_reading),
		cmocka_unit_test(a_task_that_the_waiting_thread_executes_is_work),
		cmocka_unit_test(a_taskwait_is_a_wait_except_for_the_tasks_in_it),
		cmocka_unit_test(a_team_starts_from_the_fork_to_the_begin_of_each_part),
		cmocka_unit_test(the_encountering_thread_waits_behind_the_construct_for_its_team),
		cmocka_unit_test(what_a_team_does_counts_to_who_forked_it),
		cmocka_unit_test(without_a_cpu_clock_all_that_is_no_wait_is_processor_time),
		cmocka_unit_test(all_times_sum_to_what_the_cpu_clock_says),
		cmocka_unit_test(without_waits_the_sum_is_exact),
		cmocka_unit_test(brief_regions_are_timed_with_their_caller),
		cmocka_unit_test(regions_open_when_a_span_of_time_begins_count_from_there),
		cmocka_unit_test_teardown(page_faults_of_an_execution_are_read_at_its_ends, tear_down),
		cmocka_unit_test_teardown(faults_belong_to_the_region_they_happen_in_once_there_are_many, tear_down),
		cmocka_unit_test_teardown(system_time_of_a_wait_is_nobodys, tear_down),
		cmocka_unit_test_teardown(nothing_is_read_in_a_sandbox, tear_down),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
