/* SPDX-License-Identifier: BSD-3-Clause */
/* Which data structure an address of the program belongs to: static variables by the names of their
 * files, heap blocks by the program's allocations, stacks and mapped files by the mappings. */
#ifndef PSC_FOREIGN_MEMORY_OBJECTS_H
#define PSC_FOREIGN_MEMORY_OBJECTS_H

#include "burst/shared/burst.h"
#include "foreign/asked_names.h"
#include "foreign/images.h"
#include "foreign/ranges.h"
#include "foreign/shm_tables.h"

enum { MEMORY_STACKS = BURST_THREADS };
struct memory_objects {
	struct images *images;          /* borrowed */
	struct shm_tables *tables;      /* borrowed */
	struct ranges statics;          /* of all files; value: in `variable` */
	struct object_variable *variable;       /* owned */
	uint32_t nvariables;
	struct ranges blocks;           /* live heap blocks; value: in `site` */
	struct object_site *site;       /* heap objects by where they are allocated; owned */
	uint32_t nsites;
	const struct burst_small *small;        /* borrowed; NULL: small blocks are not known */
	uint32_t *small_object;         /* objects of its sites, + 1; 0: not accessed yet; owned */
	uint32_t changes;
	const struct asked_names *only; /* borrowed; NULL: all structures are told apart */
	uint32_t left_out;              /* all others are this one; 0: not made yet */
	uint32_t unnamed;               /* the structure of all heap memory without a name; 0: not
					 * made yet */
	uint64_t stack[MEMORY_STACKS];  /* an address in the stack of each thread that is known */
	uint32_t nstacks;
};

/* The object at an address, and the range around it that belongs to the same one. */
struct memory_span {
	uint64_t lo, hi;
	uint32_t object;
};

void memory_objects_begin(struct memory_objects *o, struct images *images,
	struct shm_tables *tables);
/* Only structures with these names are told apart: the filter by addresses of --sir. */
void memory_objects_only(struct memory_objects *o, const struct asked_names *names);
/* Small blocks have names, too. */
void memory_objects_small(struct memory_objects *o, const struct burst_small *small);
/* They may have changed. */
void memory_objects_small_changed(struct memory_objects *o);
/* Adds their memory, of which `file` has the table, to the sizes of objects: once, at the end. */
void memory_objects_small_sizes(struct memory_objects *o, int file);
/* Is this the object of all structures that are not told apart? */
bool memory_objects_left_out(const struct memory_objects *o, uint32_t object);
void memory_objects_end(struct memory_objects *o);
/* Takes a heap event; those of all threads come in the order of their stamps. */
void memory_objects_event(struct memory_objects *o, const struct burst_heap_event *e);
/* The address is in the stack of a thread. */
void memory_objects_stack(struct memory_objects *o, uint64_t address);
void memory_objects_find(struct memory_objects *o, uint64_t address, struct memory_span *out);
/* Grows whenever an answer may have changed. */
uint32_t memory_objects_generation(const struct memory_objects *o);

#endif
