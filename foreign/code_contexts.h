/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an instruction of the program belongs: its context (function, loops) and source line. */
#ifndef PSC_FOREIGN_CODE_CONTEXTS_H
#define PSC_FOREIGN_CODE_CONTEXTS_H

#include "foreign/images.h"
#include "foreign/shm_tables.h"

/* The context of code that belongs to whoever calls it: of libraries, and of no function. */
#define PLACE_CALLER UINT32_MAX

struct place {
	uint32_t context;       /* or PLACE_CALLER */
	uint32_t line;          /* of the context's file; 0 unknown */
};

struct code_contexts {
	struct images *images;          /* borrowed */
	struct shm_tables *tables;      /* borrowed */
	const char *executable;         /* borrowed; its functions have contexts, and */
	const char *code;               /* those of these files: paths, one a line; borrowed.  So have those of libraries that the
	                                 * program loads later, of which the agent is told */
	struct place_entry *known;      /* open hash by address; owned */
	uint32_t n, room;
};

/* The phase, context 0, is that of the shared memory.  0 / -1: no memory. */
int places_begin(struct code_contexts *p, struct images *images, struct shm_tables *tables,
	const char *executable, const char *code);
void places_end(struct code_contexts *p);
struct place places_at(struct code_contexts *p, uint64_t ip);
/* Forgets all places: files have been mapped elsewhere. */
void places_forget(struct code_contexts *p);

#endif
