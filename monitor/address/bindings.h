/* SPDX-License-Identifier: BSD-3-Clause */
/* Dummy arguments, and objects that the program declares. */
#ifndef PSC_MONITOR_BINDINGS_H
#define PSC_MONITOR_BINDINGS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* Body of psc_object_begin() (allocation_hooks.c). */
void pscm_object_declare(const void *address, size_t size, const char *name);
/* Reports all dummy arguments of a region (bindings.c). */
void pscm_bind_all(const struct psc_mark *m, va_list addresses);

#pragma GCC visibility pop
#endif
