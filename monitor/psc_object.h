/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that manage memory themselves (pools, arenas, huge pages): tells Periscope/C what
 * a piece of memory is, so that its accesses are reported under that name.
 *
 *     psc_object_begin(p, bytes, "particles");        ... when the piece is handed out
 *     psc_object_end(p);                              ... before it goes back
 *
 * Pieces of one name are one data structure.  A piece may lie inside another one or inside a heap
 * block, which is named first; memory that is freed ends what was told of it.  Any thread may
 * call; the name is copied.  In a program that is not linked with libpscmon both do nothing (the
 * symbols are weak), in one that is not being analysed next to nothing. */
#ifndef PSC_OBJECT_H
#define PSC_OBJECT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void psc_object_begin(const void *address, size_t size, const char *name);
__attribute__((weak)) void psc_object_end(const void *address);
#ifdef __cplusplus
}
#endif

#define psc_object_begin(address, size, name) \
	(psc_object_begin ? psc_object_begin((address), (size), (name)) : (void)0)
#define psc_object_end(address) (psc_object_end ? psc_object_end(address) : (void)0)

#endif
