/* SPDX-License-Identifier: BSD-3-Clause */
/* The request that is being measured. */
#ifndef PSC_MONITOR_ARMED_H
#define PSC_MONITOR_ARMED_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct pscm_armed {
	struct mon_request *request;    /* NULL: none */
	const struct pscm_collector *collector;      /* of the last request, if that has ended
						      * (collect/runtime_collector.h) */
	uint32_t slot, kind, warm, count, sample, nfilters, nvariants;
	uint32_t progress;              /* executions finished, warm-up included */
	struct mon_row_numbers rows;    /* written so far */
	uint32_t failed;                /* enum mon_drop */
	struct mon_filter filter[MON_FILTERS];
	struct mon_variant variant[MON_VARIANTS];
};
/* pscm_row_NAME(): adds a row to the request's result (result_rows.def).  NULL: the slot holds
 * no more. */
#define ROWS(name, row, most, ...) \
	static inline struct row *pscm_row_##name(struct pscm_armed *a) \
	{ \
		return a->rows.name < most ? &pscm_shm->name[a->slot][a->rows.name++] : NULL; \
	}
#include "monitor/shared/result_rows.def"
/* Does the request want rows of this context and object (filters.c)?  objects false: any object. */
bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects);

#pragma GCC visibility pop
#endif
