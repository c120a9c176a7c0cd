/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings, objects and aliases in the memory shared with the agent. */
#ifndef PSC_MONITOR_SHARED_TABLES_H
#define PSC_MONITOR_SHARED_TABLES_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

extern pthread_mutex_t pscm_tables_lock;        /* held by callers of the next three functions */
uint32_t pscm_string(const char *s);            /* 0: s is NULL or the table is full */
uint32_t pscm_object_add(const struct mon_object *o);   /* MON_ANY: the table is full */
void pscm_alias_add(uint32_t unit, uint32_t region, uint32_t object, const char *name,
	uint32_t context);
void pscm_aliases_forget(void);                 /* they name contexts of another phase; lock held */
int pscm_shared_tables_start(void);

#pragma GCC visibility pop
#endif
