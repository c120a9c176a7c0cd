/* SPDX-License-Identifier: BSD-3-Clause */
/* The binary form of a machine model: what the agent lays into shared memory for the monitor.
 * No pointers; libc only. */
#ifndef PSC_MACHINE_FLAT_H
#define PSC_MACHINE_FLAT_H

#include <stdint.h>

#define MACHINE_LEVELS 4

enum machine_shared {           /* who shares one instance of a level */
	MACHINE_SHARED_CPU = 0, /* private to a CPU */
	MACHINE_SHARED_CORE = 1,
	MACHINE_SHARED_SOCKET = 2,      /* a socket or a part of one: neighbours, `cpus` of them */
	MACHINE_SHARED_ALL = 3
};

enum machine_pages {
	MACHINE_PAGES_FIRST_TOUCH = 0, /* page numbers by first touch: repeatable runs */
	MACHINE_PAGES_VIRTUAL = 1      /* addresses as they are: comparisons with cachegrind */
};

struct machine_level {
	uint32_t level;         /* the number users say: 1, 2, 3 (a model may begin with 2) */
	uint32_t shared;        /* enum machine_shared */
	uint32_t cpus;          /* CPUs that share one instance */
	uint32_t line;          /* bytes, a power of two */
	uint32_t assoc;         /* ways */
	uint32_t sets;          /* need not be a power of two */
	uint32_t latency;       /* cycles of a hit in this level */
	uint32_t pad;
	uint64_t size;          /* bytes = sets * assoc * line */
};

struct machine_flat {
	uint32_t nlevels;       /* nearest first */
	uint32_t ncpus;
	uint32_t pages;         /* enum machine_pages */
	uint32_t page_size;     /* bytes, a power of two */
	uint32_t memory_latency; /* cycles */
	uint32_t pad;
	double ghz;
	struct machine_level level[MACHINE_LEVELS];
};

#endif
