/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the monitor, by its constructor or by a hook that runs before it, and ends it with the
 * process. */
#include "config.h"
#include "monitor/address/address_map.h"
#include "monitor/address/bindings.h"
#include "monitor/address/block_counts.h"
#include "monitor/address/first_touch.h"
#include "monitor/address/heap.h"
#include "monitor/address/objects.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/placement.h"
#include "monitor/address/shared_tables.h"
#include "monitor/address/thread_variables.h"
#include "monitor/attach.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/mpi_rows.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/connect.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/stacks.h"
#include "monitor/host/threads.h"
#include "monitor/phase/phase.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/contexts.h"
#include "monitor/shared/socket_path.h"
#include "monitor/state.h"
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
	pscm_block_thread_begins(t);
	pscm_thread_variables_begin();
	pscm_address_map_mark_stale();  /* the map does not know its stack yet */
}

static void thread_end(struct pscm_thread *t)
{
	pscm_phase_leave();
	collectors_leave(t);
	pscm_record_leave(t);
	pscm_thread_variables_end();
	placement_thread_end();
}

static bool tables_made;                /* or tried */

static bool tables_start(void)
{
	static const struct pscm_thread_events events = { thread_begin, thread_end };

	tables_made = true;
	pscm_reserve_start();
	return !pscm_shared_tables_start() && !pscm_objects_start() && !pscm_contexts_start() &&
		!pscm_address_map_start() && !pscm_heap_start() && !memory_policy_start() &&
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

static bool no_preparation(void)
{
	return true;
}

/* Another analysis of the process: the tables are there.  What happened since
 * the last one is not known. */
static bool connection_again(const char *path)
{
	pscm_phase_again();
	pscm_heap_again();
	pscm_thread_variables_again();
	pscm_address_map_mark_stale();
	return pscm_connect(path, no_preparation);
}

static void stack_depth_start(bool analysed)
{
	const char *before = secure_getenv(MON_ENV_STACK);

	if (before || analysed)
		pscm_stack_depth_start(before, analysed);
	if (before)
		unsetenv(MON_ENV_STACK);
}

/* With several nodes, page faults say who touched memory first, and on a model where it lies. */
static enum mon_placement placement_known(void)
{
	const struct machine_flat *m = &pscm_shm->machine;
	bool faults;

	if (m->nodes.count <= 1)
		return MON_PLACE_ONE_NODE;
	faults = !pscm_shm->no_faults && !placement_start(m);
	return m->nodes.real ? MON_PLACE_KERNEL : faults ? MON_PLACE_FAULTS : MON_PLACE_UNKNOWN;
}

static bool analysis_start(const char *path)
{
	int cancel;
	bool ok;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pscm_guard_last();
	if (sysconf(_SC_PAGESIZE) <= PSCM_PAGE)
		madvise(&pscm_live, sizeof pscm_live, MADV_WIPEONFORK);
	ok = tables_made ? connection_again(path) : connection_start(path);
	if (ok) {
		pscm_shm->placement = placement_known();
		sandbox_start();
		first_touch_start();
		pscm_shm->started_ns = clock_ns();
		atomic_store(&pscm_live.on, 1);
		pscm_flag(&__psc_heap, 1);
		mpi_rows_start();
		pscm_timed_ns = pscm_shm->timed_ns;
		pscm_units_resolve();
		pscm_record_ready();
	}
	pscm_busy = 0;
	pthread_setcancelstate(cancel, NULL);
	return ok;
}

static int analysis_attach(const char *path)
{
	if (tables_made && !pscm_shm)
		return -1;
	return analysis_start(path) ? 1 : tables_made && !pscm_shm ? -1 : 0;
}

/* The socket that the value of MON_ENV stands for.  false: the path is too long. */
static bool socket_of(const char *env, char *path, size_t size)
{
	size_t n = strlen(env);

	if (n && env[n - 1] == '/')
		return mon_socket_path(env, path, size) == 0;
	if (n >= size)
		return false;
	strcpy(path, env);
	return true;
}

static void start(void)
{
	static const struct attach_events events = { analysis_attach, pscm_unit_register };
	static _Atomic int started;
	char path[sizeof((struct sockaddr_un *)0)->sun_path];
	const char *env;
	int saved = errno;
	bool analysed;

	if (atomic_exchange(&started, 1))
		return;
	env = secure_getenv(MON_ENV);
	analysed = env && socket_of(env, path, sizeof path);
	stack_depth_start(analysed);
	/* Later, fork() may be what called the code that attaches. */
	pthread_atfork(pscm_phase_forking, NULL, pscm_stop_forked);
	if (analysed) {
		unsetenv(MON_ENV);      /* child processes must not connect */
		analysis_start(path);
	} else {
		pscm_connect_prepare();
		attach_prepare(&events);
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
	if (!attach_unit_add(unit))
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

/* The plugin replaces Fortran's calls of these two (psc_phase.h); code that
 * it did not see gets here. */
__attribute__((visibility("default"))) void psc_phase_begin_(void);
__attribute__((visibility("default"))) void psc_phase_end_(void);

void psc_phase_begin_(void)
{
}

void psc_phase_end_(void)
{
}
