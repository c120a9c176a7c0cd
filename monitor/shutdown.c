/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the monitor inert: for good, or in a child of fork(). */
#include "monitor/pscmon.h"
#include "monitor/placement.h"

static void flags_off(void)
{
	pscm_flag(&__psc_recording, 0);
	pscm_flag(&__psc_live, 0);
	pscm_flag(&__psc_heap, 0);
}

void pscm_stop(void)
{
	atomic_store(&pscm_live.mode, 0);
	flags_off();
	pscm_lock(&pscm_tables_lock);
	pscm_units_forget();
	placement_stop();
	/* last: a unit unregistered from now on finds itself off the list */
	atomic_store(&pscm_live.on, 0);
	pscm_unlock(&pscm_tables_lock);
}

void pscm_stop_forked(void)
{
	atomic_store(&pscm_live.mode, 0);
	atomic_store(&pscm_live.on, 0);
	flags_off();
	pscm_units_forget();
	pscm_disconnect();
	pscm_address_map_stop();
}
