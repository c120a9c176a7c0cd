/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of instructions of the program's executable, for measurements that have addresses of
 * code. */
#ifndef PSC_AGENTS_CODE_PLACES_H
#define PSC_AGENTS_CODE_PLACES_H

#include <stdint.h>

struct code_places;

/* The executable is read when the first place is asked for.  NULL: no memory. */
struct code_places *code_places_new(const char *executable);
void code_places_free(struct code_places *p);           /* NULL is fine */
/* "f.c:11"; NULL: not known, or the executable has no lines. The text lives as long as `places`, a
 * struct code_places. */
const char *code_places_find(void *places, uint64_t code);

#endif
