/* SPDX-License-Identifier: BSD-3-Clause */
/* What an address belongs to. */
#ifndef PSC_MONITOR_ADDRESS_MAP_H
#define PSC_MONITOR_ADDRESS_MAP_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

struct pscm_span {
	uint64_t lo, hi;
	uint64_t shift;         /* added to normalise stack addresses; 0 elsewhere */
	/* Begin of the heap block, declared object, static storage of an image, or mapping around
	 * the range: pages within it are as far apart in every run. */
	uint64_t area;
	uint32_t object;
};
int pscm_address_map_start(void);
void pscm_address_map_stop(void);        /* closes its file descriptors */
/* Rebuilds the map after objects changed.  read_maps: also re-reads the kernel's maps. */
int pscm_address_map_build(bool read_maps);
/* Marks the map stale: an address was met that it lacks. */
void pscm_address_map_mark_stale(void);
/* Rebuilds a stale map; called once a batch. */
void pscm_address_map_refresh(void);
void pscm_address_map_find(uint64_t address, struct pscm_span *out);
/* Undoes the stack shift; 0: no such stack. */
uint64_t pscm_address_map_unshift(uint64_t shifted);
/* Finds the readable file mapping that holds the address.  false: there is none. */
bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len);

/* unload: the image around the address is about to be unmapped; its record descriptors must not be
 * read any more.  load: an image was mapped there. */
void pscm_address_map_unload(uint64_t address);
void pscm_address_map_load(uint64_t address);

#pragma GCC visibility pop
#endif
