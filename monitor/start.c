/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the monitor, by its constructor or by a hook that runs before it, and ends it with the
 * process. */
#include "config.h"
#include "monitor/pscmon.h"
#include "monitor/placement.h"
#include "base/clock.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

static void thread_begin(struct pscm_thread *t)
{
	placement_thread(t->index);
	pscm_thread_variables_begin();
	pscm_address_map_mark_stale();  /* the map does not know its stack yet */
}

static void thread_end(struct pscm_thread *t)
{
	pscm_phase_leave();
	pscm_record_leave(t);
	pscm_thread_variables_end();
}

static bool tables_start(void)
{
	static const struct pscm_thread_events events = { thread_begin, thread_end };

	pscm_reserve_start();
	return !pscm_shared_tables_start() && !pscm_objects_start() && !pscm_contexts_start() &&
		!pscm_address_map_start() && !pscm_heap_start() &&
		!pscm_threads_start(&events);
}

static bool connection_start(const char *path)
{
	if (pscm_connect(path, tables_start))
		return true;
	pscm_address_map_stop();
	pscm_reserve_stop();
	return false;
}

static void stack_depth_start(bool analysed)
{
	const char *before = secure_getenv(MON_ENV_STACK);

	if (before || analysed)
		pscm_stack_depth_start(before, analysed);
	if (before)
		unsetenv(MON_ENV_STACK);
}

static void analysis_start(const char *path)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pscm_guard_last();
	if (sysconf(_SC_PAGESIZE) <= PSCM_PAGE)
		madvise(&pscm_live, sizeof pscm_live, MADV_WIPEONFORK);
	if (connection_start(path)) {
		pscm_shm->placement = MON_PLACE_ONE_NODE;
		if (pscm_shm->machine.nodes.count > 1)
			pscm_shm->placement =
				pscm_shm->no_faults || placement_start(&pscm_shm->machine) ?
				MON_PLACE_UNKNOWN : MON_PLACE_FAULTS;
		pthread_atfork(NULL, NULL, pscm_stop_forked);
		pscm_shm->started_ns = clock_ns();
		atomic_store(&pscm_live.on, 1);
		pscm_flag(&__psc_heap, 1);
		pscm_units_resolve();
	}
	pscm_busy = 0;
	pthread_setcancelstate(cancel, NULL);
}

static void start(void)
{
	static _Atomic int started;
	char path[sizeof((struct sockaddr_un *)0)->sun_path];
	const char *env;
	int saved = errno;
	bool analysed;

	if (atomic_exchange(&started, 1))
		return;
	env = secure_getenv(MON_ENV);
	analysed = env && strlen(env) < sizeof path;
	if (analysed)
		strcpy(path, env);
	stack_depth_start(analysed);
	if (analysed) {
		unsetenv(MON_ENV);      /* child processes must not connect */
		analysis_start(path);
	}
	errno = saved;
}

static __attribute__((constructor(101))) void constructed(void)
{
	start();
}

static __attribute__((destructor(101))) void destructed(void)
{
	if (!pscm_shm || !pscm_on())
		return;
	pscm_guard_last();
	pscm_phase_exit();
	atomic_store(&pscm_shm->ended_ns, clock_ns());
	atomic_store(&pscm_shm->exiting, 1);
	pscm_event();
	pscm_stop();
	pscm_unguard();
}

/* --- hooks that may run before the constructor --------------------------------------------- */

void __psc_unit_register(struct psc_unit *unit)
{
	start();
	pscm_unit_register(unit);
}

void __psc_unit_start(struct psc_unit *unit, const struct psc_tables *tables)
{
	if (unit->tables)
		return;
	unit->abi = tables->abi;
	unit->hash = tables->hash;
	unit->tables = tables;
	__psc_unit_register(unit);
}

void psc_object_begin(const void *address, size_t size, const char *name)
{
	start();
	pscm_object_declare(address, size, name);
}
