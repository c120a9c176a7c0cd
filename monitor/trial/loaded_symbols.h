/* SPDX-License-Identifier: BSD-3-Clause */
/* Which loaded object defines a function of a name, as the dynamic linker binds it: the first one,
 * in the order in which objects were loaded.  The address of a function cannot tell, since it may
 * be that of a stub in the executable. */
#ifndef PSC_MONITOR_TRIAL_LOADED_SYMBOLS_H
#define PSC_MONITOR_TRIAL_LOADED_SYMBOLS_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct loaded_symbol {
	uintptr_t address;      /* 0: no object defines it */
	uint32_t object;        /* number of that object in the order */
	const char *library;    /* its path, "" of the executable; borrowed */
	/* The object's memory that the program can write to: the largest segment. */
	uintptr_t data;
	size_t data_bytes;
};

/* Fills in one symbol for each of the n names. */
void loaded_symbols_find(const char *const *names, struct loaded_symbol *out, size_t n);

#pragma GCC visibility pop

#endif
