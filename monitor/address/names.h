/* SPDX-License-Identifier: BSD-3-Clause */
/* Naming an address, for any collector: which object it belongs to (pscm_address_map_find()).
 *
 * A collector whose mode has PSCM_MODE_NAMES names addresses in its executions: it calls
 * names_begin() when it is armed, and names_read() when an execution begins.  Meanwhile changes of
 * what an address means are applied at once, because the next address may depend on them; at other
 * times allocations and releases wait in a queue until somebody asks. */
#ifndef PSC_MONITOR_NAMES_H
#define PSC_MONITOR_NAMES_H

#include "monitor/state.h"

static inline bool names_now(void)
{
	return (pscm_mode() & PSCM_MODE_NAMES) != 0;
}

/* An experiment begins: counts the heap blocks, forgets what dummies were bound to, and reads the
 * kernel's maps. */
void names_begin(void);
/* An execution begins: reads the array descriptors again. */
void names_read(void);

#endif
