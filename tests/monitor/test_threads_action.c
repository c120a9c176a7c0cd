/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions on threads, with real threads: each has one CPU in state B, and its own back afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/host/affinity.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/trial/action.h"

static bool sandboxed;
static struct cpu_mask usual;   /* of all threads before */
static struct mon_request request;
static struct mon_trial out;
static atomic_int over, up;
static atomic_long tid[2];

bool sandbox_around(void) { return sandboxed; }

static void *wait_for_end(void *n)
{
	atomic_store(&tid[*(int *)n], syscall(SYS_gettid));
	atomic_fetch_add(&up, 1);
	while (!atomic_load(&over))
		usleep(1000);
	return NULL;
}

static pthread_t start(int *n)
{
	const int before = atomic_load(&up);
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, wait_for_end, n), 0);
	while (atomic_load(&up) == before)
		usleep(100);
	return t;
}

static int cpus_of(long thread)
{
	struct cpu_mask m;
	int n = 0;

	assert_true(affinity_get(thread, &m));
	for (uint32_t i = 0; i < AFFINITY_CPUS; i++)
		n += affinity_has(&m, i);
	return n;
}

static bool is_usual(long thread)
{
	struct cpu_mask m;

	return affinity_get(thread, &m) && memcmp(&m, &usual, sizeof m) == 0;
}

/* A request for all CPUs that this process may use.  false: it may use one only. */
static bool ask(enum mon_action action)
{
	assert_true(affinity_get(0, &usual));
	request = (struct mon_request){ .action = action };
	for (uint32_t i = 0; i < AFFINITY_CPUS && request.ncpus < MON_TRIAL_CPUS; i++)
		if (affinity_has(&usual, i))
			request.cpu[request.ncpus++] = (uint16_t)i;
	sandboxed = false;
	atomic_store(&over, 0);
	return request.ncpus > 1;
}

static void try_with_threads(const struct trial_action *a)
{
	int zero = 0, one = 1;
	pthread_t t[2] = { start(&zero), 0 };
	struct cpu_mask mine, other;

	assert_int_equal(a->can(&request, &out), MON_TRIAL_DONE);
	assert_true(is_usual(0));
	assert_true(a->to_b(0));
	assert_int_equal(cpus_of(0), 1);
	assert_int_equal(cpus_of(tid[0]), 1);
	affinity_get(0, &mine);
	affinity_get(tid[0], &other);
	assert_memory_not_equal(&mine, &other, sizeof mine);    /* two CPUs, two threads */
	assert_false(a->verify(&out));
	t[1] = start(&one);             /* inherits the CPU of its creator */
	assert_int_equal(cpus_of(tid[1]), 1);
	a->put_back();
	assert_true(a->verify(&out));
	assert_true(is_usual(0) && is_usual(tid[0]) && is_usual(tid[1]));
	atomic_store(&over, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void threads_have_one_cpu_and_then_their_own_again(void **state)
{
	(void)state;
	if (!ask(MON_ACTION_SPREAD))
		return;
	try_with_threads(&trial_threads_spread);
	ask(MON_ACTION_COMPACT);
	try_with_threads(&trial_threads_compact);
	ask(MON_ACTION_PIN);
	try_with_threads(&trial_threads_pin);
}

static void what_the_program_sets_itself_stays(void **state)
{
	struct cpu_mask two = { { 0 } };

	(void)state;
	if (!ask(MON_ACTION_SPREAD))
		return;
	assert_int_equal(trial_threads_spread.can(&request, &out), MON_TRIAL_DONE);
	trial_threads_spread.to_b(0);
	for (uint32_t i = 0; i < 2; i++)
		two.word[request.cpu[i] / AFFINITY_WORD] |= 1ul << request.cpu[i] % AFFINITY_WORD;
	assert_true(affinity_set(0, &two));
	trial_threads_spread.put_back();
	assert_int_equal(cpus_of(0), 2);
	affinity_set(0, &usual);
}

static void a_child_has_the_cpus_of_before(void **state)
{
	int status, pid;

	(void)state;
	if (!ask(MON_ACTION_PIN))
		return;
	assert_int_equal(trial_threads_pin.can(&request, &out), MON_TRIAL_DONE);
	trial_threads_pin.to_b(0);
	pid = fork();
	if (!pid) {
		trial_threads_pin.forked();
		_exit(is_usual(0) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	trial_threads_pin.put_back();
	assert_true(is_usual(0));
}

static void without_cpus_nothing_is_tried(void **state)
{
	struct cpu_mask one;

	(void)state;
	ask(MON_ACTION_SPREAD);
	one = affinity_one(request.cpu[0]);
	assert_true(affinity_set(0, &one));
	assert_int_equal(trial_threads_spread.can(&request, &out), MON_TRIAL_PINNED);
	affinity_set(0, &usual);
	request.ncpus = 0;
	assert_int_equal(trial_threads_spread.can(&request, &out), MON_TRIAL_NO_CPUS);
	sandboxed = true;
	assert_int_equal(trial_threads_spread.can(&request, &out), MON_TRIAL_FORBIDDEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_one_cpu_and_then_their_own_again),
		cmocka_unit_test(what_the_program_sets_itself_stays),
		cmocka_unit_test(a_child_has_the_cpus_of_before),
		cmocka_unit_test(without_cpus_nothing_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
