/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that manage memory themselves (pools, arenas, huge pages): names a piece of memory
 * for Periscope/C, so that accesses to it are reported under that name.
 *
 *     psc_object_begin(p, bytes, "particles");        ... when the piece is handed out
 *     psc_object_end(p);                              ... before it is returned
 *
 * Pieces with the same name are one data structure.  A piece may lie inside a heap block or inside
 * another piece, which must have begun before; the inner one gets the accesses.  Freeing the memory
 * ends the piece.  Any thread may call; the name is copied.  Without libpscmon both calls do
 * nothing (the symbols are weak); in a program that is not analysed they cost almost nothing. */
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
