/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables and dummies as data structures. */
#ifndef PSC_MONITOR_OBJECTS_H
#define PSC_MONITOR_OBJECTS_H

#include "monitor/address/address_map.h"

#pragma GCC visibility push(hidden)

int pscm_objects_start(void);
void pscm_objects_register(struct psc_unit *unit);
void pscm_objects_unregister(struct psc_unit *unit);
/* Gives the address range of the data of gfortran's array descriptor.  false: not allocated, or not
 * plausible. */
bool pscm_descriptor_range(const void *descriptor, uint64_t *address, uint64_t *size);
/* A dummy argument was bound in this context to memory of the object `known`: makes the dummy an
 * alias of the object, or names the memory by it where `known` is only a kind of memory (below
 * MON_OBJ_FIRST).  true: the memory got a name, and the address map must be rebuilt. */
bool pscm_object_bind(const struct psc_unit *unit, uint32_t dummy, uint64_t address, uint64_t size,
	uint32_t known, uint32_t context);
/* Raised when an experiment begins: bindings reported before are void. */
extern _Atomic uint32_t pscm_bind_generation;
uint64_t pscm_object_lo(uint32_t object);       /* its first address; 0 unknown */
/* Reads array descriptors; forget: drops dummies' ranges. */
void pscm_objects_resolve(bool forget);
/* Writes the disjoint, ascending ranges of all live objects; returns their number. */
size_t pscm_objects_spans(struct pscm_span *out, size_t max);
/* The object of this kind, unit, region, scope and name; created when missing.  MON_ANY: the table
 * is full.  Requires the tables' lock. */
uint32_t pscm_object_of(const struct mon_object *row);
uint32_t pscm_object_of_site(const struct psc_site *site);

#pragma GCC visibility pop
#endif
