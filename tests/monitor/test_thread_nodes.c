/* SPDX-License-Identifier: BSD-3-Clause */
/* On which memory node threads are, with a kernel that is made up: it calls the nodes 0 and 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "monitor/collect/thread_nodes.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { THREADS = 4 };

struct mon_shm *pscm_shm;
static uint32_t here, asked;
static struct pscm_thread thread[THREADS];
static struct mon_request told;

uint32_t memory_node_here(void)
{
	asked++;
	return here;
}

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	if (!pscm_shm)
		return -1;
	pscm_shm->machine = (struct machine_flat){ .ncpus = 4,
		.nodes = { .count = 2, .cpus = 2, .real = 1, .number = { 0, 4 } } };
	for (uint32_t i = 0; i < THREADS; i++)
		thread[i] = (struct pscm_thread){ .index = i };
	told = (struct mon_request){ .kind = MON_SIM };
	asked = 0;
	thread_nodes_arm();
	return 0;
}

static int end(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	return 0;
}

/* The thread joins where the kernel calls the node so; the CPU of the model that it gets. */
static uint32_t join(uint32_t i, uint32_t number)
{
	here = number;
	thread_nodes_join(&thread[i]);
	return thread_nodes_cpu(&thread[i]);
}

/* The thread records so many words, at the end of which it is on that node. */
static void record(uint32_t i, uint32_t number, uint64_t words)
{
	here = number;
	thread_nodes_see(&thread[i]);
	thread_nodes_count(&thread[i], words);
}

static void threads_in_another_order_than_cpus_are_on_their_nodes(void **state)
{
	(void)state;
	assert_int_equal(join(0, 4), 2);
	assert_int_equal(join(1, 0), 1);        /* its own by the model */
	assert_int_equal(join(2, 4), 3);        /* its own is taken */
	assert_int_equal(join(3, 0), 0);
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(thread_nodes_of(&thread[i]), i % 2 ? 0 : 1);
	thread_nodes_arm();
	assert_int_equal(join(2, 4), 2);
}

static void more_threads_than_cpus_share_those_of_their_node(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(join(i, 4) / 2, 1);
}

static void a_model_asks_nothing(void **state)
{
	(void)state;
	pscm_shm->machine.nodes.real = 0;
	pscm_shm->machine.spread = 1;
	for (uint32_t i = 0; i < THREADS; i++) {
		assert_int_equal(join(i, 4), machine_cpu(&pscm_shm->machine, i));
		thread_nodes_begin(&thread[i]);
		record(i, 4, 100);
		assert_int_equal(thread_nodes_of(&thread[i]), i % 2);
		thread_nodes_tell(&thread[i], &told);
	}
	assert_int_equal(asked, 0);
	assert_true(told.counted_words == 400 && !told.strayed && !told.strays);
}

static void a_thread_that_moves_has_the_node_of_most_words_and_says_so(void **state)
{
	(void)state;
	join(0, 0);
	record(0, 0, 700);
	record(0, 4, 100);              /* it moved meanwhile */
	record(0, 4, 200);
	assert_int_equal(thread_nodes_of(&thread[0]), 0);
	thread_nodes_tell(&thread[0], &told);
	assert_true(told.counted_words == 1000 && told.strayed == 400 && told.strays == 1);
	record(0, 4, 500);
	assert_int_equal(thread_nodes_of(&thread[0]), 1);
	join(1, 0);
	record(1, 0, 1000);
	thread_nodes_tell(&thread[1], &told);
	assert_true(told.counted_words == 2000 && told.strays == 1);
}

static void what_happened_between_executions_is_no_move(void **state)
{
	(void)state;
	join(0, 0);
	here = 4;
	thread_nodes_begin(&thread[0]);
	record(0, 4, 1000);
	thread_nodes_tell(&thread[0], &told);
	assert_int_equal(thread_nodes_of(&thread[0]), 1);
	assert_true(!told.strayed && !told.strays);
}

static void a_thread_stays_where_it_was_if_the_kernel_does_not_say(void **state)
{
	(void)state;
	assert_int_equal(join(3, UINT32_MAX), 3);
	assert_int_equal(thread_nodes_of(&thread[3]), 1);
	record(3, 7, 100);              /* a node that the model does not have */
	join(2, 0);
	record(2, UINT32_MAX, 100);
	assert_int_equal(thread_nodes_of(&thread[2]), 0);
	thread_nodes_tell(&thread[2], &told);
	thread_nodes_tell(&thread[3], &told);
	assert_int_equal(told.strays, 0);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(threads_in_another_order_than_cpus_are_on_their_nodes),
		CASE(more_threads_than_cpus_share_those_of_their_node),
		CASE(a_model_asks_nothing),
		CASE(a_thread_that_moves_has_the_node_of_most_words_and_says_so),
		CASE(what_happened_between_executions_is_no_move),
		CASE(a_thread_stays_where_it_was_if_the_kernel_does_not_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
