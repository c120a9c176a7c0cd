/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the thread-local variables (C thread_local, Fortran THREADPRIVATE) of every thread.
 *
 * In units that are loaded when the program starts, such a variable lies at the same distance from
 * the thread pointer in all threads.  Variables of libraries that are loaded later do not, and have
 * no names. */
#include "monitor/address/thread_variables.h"
#include "monitor/address/heap.h"
#include "monitor/host/locks.h"
#include "monitor/state.h"

enum { VARIABLES = 1024 };
#define DISTANCE_MOST (INT64_C(1) << 30)        /* bytes from the thread pointer */

static struct thread_variable {
	int64_t distance;       /* from the thread pointer */
	uint64_t bytes;
	uint32_t object;
} variables[VARIABLES];
static _Atomic uint32_t nvariables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t thread_pointer(void)
{
	return (uint64_t)(uintptr_t)__builtin_thread_pointer();
}

/* The main thread may have no state yet when its variables are known: it declares them itself. */
void pscm_thread_variable(uint64_t address, uint64_t bytes, uint32_t object)
{
	int64_t distance = (int64_t)(address - thread_pointer());
	uint32_t n;

	if (distance > DISTANCE_MOST || distance < -DISTANCE_MOST)
		return;
	pscm_lock(&lock);
	n = atomic_load(&nvariables);
	for (uint32_t i = 0; i < n; i++)
		if (variables[i].distance == distance && variables[i].bytes == bytes)
			goto out;       /* COMMON that another unit declares, too */
	pscm_shm->objects[object].address = address;
	pscm_shm->objects[object].size = bytes;
	if (n == VARIABLES || !pscm_heap_declare(address, address + bytes, object)) {
		atomic_fetch_add(&pscm_shm->lost_objects, 1);
		goto out;
	}
	variables[n] = (struct thread_variable){ distance, bytes, object };
	atomic_store(&nvariables, n + 1);
out:
	pscm_unlock(&lock);
}

void pscm_thread_variables_again(void)
{
	atomic_store(&nvariables, 0);
}

void pscm_thread_variables_begin(void)
{
	uint32_t n = atomic_load(&nvariables);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t lo = thread_pointer() + (uint64_t)variables[i].distance;

		pscm_heap_declare(lo, lo + variables[i].bytes, variables[i].object);
	}
}

void pscm_thread_variables_end(void)
{
	uint32_t n = atomic_load(&nvariables);

	for (uint32_t i = 0; i < n; i++)
		pscm_heap_undeclare(thread_pointer() + (uint64_t)variables[i].distance);
}
