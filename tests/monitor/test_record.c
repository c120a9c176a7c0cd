/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of record.c while another thread is at a boundary; what plays and checks them is told of here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/address/address_map.h"
#include "monitor/address/heap.h"
#include "monitor/address/names.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/first_touch.h"
#include "monitor/address/placement.h"
#include "monitor/collect/part_users.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/record_check.h"
#include "monitor/collect/sim_env.h"
#include "monitor/host/locks.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/mem.h"
#include "monitor/host/signals.h"
#include "monitor/host/stacks.h"
#include "monitor/host/threads.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include "simulate/simulate.h"
#include "tests/monitor/shared_memory.h"

static struct pscm_thread *runs_on, *at_boundary;
static bool begins;             /* the first counted execution, while a batch is checked */
static unsigned checked, played;        /* batches */
static bool checked_counts, played_counts[1 + MON_VARIANTS];

/* --- neighbours ---------------------------------------------------------------------------------- */

void *pscm_map(size_t bytes)
{
	return calloc(1, bytes);
}

void pscm_unmap(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}

static void *get(size_t bytes)
{
	void *p = NULL;

	return posix_memalign(&p, 64, (bytes + 63) & ~(size_t)63) ? NULL : memset(p, 0, bytes);
}
void *pscm_experiment_memory(size_t bytes) { return get(bytes); }
void pscm_experiment_memory_fill(void) { }
void pscm_populate(void *p, size_t bytes) { (void)p, (void)bytes; }
const struct sim_env pscm_sim_env = { .get = get };

void pscm_address_map_find(uint64_t address, struct pscm_span *out)
{
	*out = (struct pscm_span){ .lo = address, .object = MON_OBJ_FIRST };
}

uint64_t pscm_heap_begin(uint64_t address, uint32_t object)
{
	(void)address;
	(void)object;
	return 0;
}

void pscm_check_words(struct pscm_thread *t, const uint64_t *from, const uint64_t *end, bool counting)
{
	assert_ptr_equal(t, runs_on);
	assert_int_equal(end - from, 3);
	checked++;
	checked_counts = counting;
	if (begins)
		pscm_record_begin(at_boundary, true, false);
}

size_t sim_batch(struct sim_thread *t, const uint64_t *from, const uint64_t *end, bool counting,
	bool play)
{
	const struct pscm_replay *v = t->asker;

	assert_true(play && end > from);
	played_counts[v->whatif ? v->whatif->number : 0] = counting;
	played++;
	return 0;
}

void pscm_check_counts(struct pscm_thread *t, bool whole) { (void)t; (void)whole; }
struct pscm_thread *pscm_thread_self(void) { return runs_on; }
uint32_t pscm_thread_count(void) { return 0; }
struct pscm_thread *pscm_thread_at(uint32_t n) { (void)n; return NULL; }
bool pscm_guard_left(uintptr_t here) { (void)here; return false; }
void pscm_lock(pthread_mutex_t *lock) { (void)lock; }
void pscm_unlock(pthread_mutex_t *lock) { (void)lock; }
void *pscm_work_stack_make(void) { return NULL; }
void pscm_work_stack_run(void *top, void (*f)(void *), void *argument) { (void)top; f(argument); }
void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch) { (void)t; (void)epoch; }
void pscm_signal_leave(struct pscm_thread *t, uint32_t depth) { (void)t; (void)depth; }
bool pscm_signals_wait(const struct pscm_thread *t) { (void)t; return false; }
void pscm_signals_drop(struct pscm_thread *t) { (void)t; }
void pscm_signals_free(struct pscm_thread *t) { (void)t; }
void names_begin(void) { }
void names_read(void) { }
void pscm_address_map_refresh(void) { }
void pscm_address_map_unload(uint64_t address) { (void)address; }
void pscm_page_numbers_arm(const struct machine_flat *m) { (void)m; }
/* Pages that nobody looks at. */
struct pscm_page_numbers *pscm_page_numbers_new(void) { return (struct pscm_page_numbers *)(void *)pscm_shm; }
bool first_touch_known(uint64_t address, uint32_t object)
{
	(void)address;
	(void)object;
	return false;
}

uint32_t first_touch_of(uint64_t address)
{
	(void)address;
	return MON_ANY;
}

void locality_begin(void) { }
void locality_write(struct pscm_armed *a) { (void)a; }
void placement_drain(void) { }
void pscm_page_nodes_forget(void) { }
uint32_t memory_node_here(void) { fail(); return 0; }   /* the machine has one node */
uint64_t placement_lost(void) { return 0; }

bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects)
{
	(void)a;
	(void)context;
	(void)object;
	return objects;
}

/* --- batches --------------------------------------------------------------------------------------- */

/* A simulation with one variant, in its warm execution. */
static int begin(void **state)
{
	struct pscm_armed a = { .kind = MON_SIM, .warm = 1, .count = 1, .nvariants = 1 };

	(void)state;
	pscm_shm = shared_memory();
	runs_on = calloc(1, sizeof *runs_on);
	at_boundary = calloc(1, sizeof *at_boundary);
	if (!pscm_shm || !runs_on || !at_boundary)
		return -1;
	at_boundary->index = 1;
	pscm_shm->check = 1;
	pscm_shm->machine = (struct machine_flat){ .nlevels = 1, .ncpus = 1, .page_size = 4096,
		.level[0] = { .level = 1, .cpus = 1, .line = 64, .assoc = 1, .sets = 64, .size = 4096,
			.latency = 1 } };
	if (pscm_record_arm(&a))
		return -1;
	pscm_record_begin(at_boundary, false, true);
	atomic_store(&pscm_live.mode, PSCM_MODE_SIM);
	atomic_store(&pscm_live.on, 1);
	psc_cur = psc_end = NULL;
	__psc_flush();          /* it asks for room for the first time */
	checked = played = 0;
	return 0;
}

static void batch(void)
{
	assert_true(psc_cur >= runs_on->words && psc_cur < psc_end);
	for (int i = 0; i < 3; i++)
		*psc_cur++ = 8;
	__psc_flush();
	assert_int_equal(checked, 1);
	assert_int_equal(played, 2);
}

static void a_batch_counts_as_one_when_the_first_counted_execution_begins_meanwhile(void **state)
{
	(void)state;
	begins = true;
	batch();
	assert_int_equal(played_counts[0], checked_counts);
	assert_int_equal(played_counts[1], checked_counts);
	begins = false;
	checked = played = 0;
	batch();
	assert_true(checked_counts && played_counts[0] && played_counts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			a_batch_counts_as_one_when_the_first_counted_execution_begins_meanwhile, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
