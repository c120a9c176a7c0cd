/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the monitor inert: for good, or in a child of fork(). */
#include "monitor/address/address_map.h"
#include "monitor/address/placement.h"
#include "monitor/address/shared_tables.h"
#include "monitor/attach.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/mpi_rows.h"
#include "monitor/connect.h"
#include "monitor/host/locks.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"

static void flags_off(void)
{
	pscm_flag(&__psc_recording, 0);
	pscm_flag(&__psc_live, 0);
	pscm_flag(&__psc_heap, 0);
	mpi_rows_stop();
}

void pscm_stop(void)
{
	bool attached = attach_end_begin();
	struct psc_unit *units;

	atomic_store(&pscm_live.mode, 0);
	flags_off();
	pscm_lock(&pscm_tables_lock);
	units = pscm_units_forget();
	placement_stop();
	sandbox_stop();
	atomic_store(&pscm_live.stopped, 1);
	/* last: a unit unregistered from now on finds itself off the list */
	atomic_store(&pscm_live.on, 0);
	pscm_unlock(&pscm_tables_lock);
	if (attached) {
		pscm_address_map_stop();
		pscm_hang_up();
		attach_end(units);
	}
}

void pscm_stop_forked(void)
{
	if (!pscm_shm)          /* no analysis has begun */
		return;
	attach_never();
	atomic_store(&pscm_live.mode, 0);
	atomic_store(&pscm_live.on, 0);
	flags_off();
	collectors_forked();
	pscm_units_forget();
	pscm_disconnect();
	pscm_address_map_stop();
}
