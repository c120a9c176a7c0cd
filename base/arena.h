/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory with one owner and one lifetime: everything allocated from an arena is freed with it. */
#ifndef PSC_BASE_ARENA_H
#define PSC_BASE_ARENA_H

#include <stddef.h>
#include "base/err.h"

struct arena;

struct arena *arena_new(void);          /* NULL: out of memory */
void arena_free(struct arena *a);       /* NULL is fine */
/* Zeroed, aligned for any type; NULL: out of memory.  size 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size);
/* nmemb * size, checked for overflow. */
void *arena_array(struct arena *a, size_t nmemb, size_t size);
/* Copies old bytes to a block of `size`; the old block stays in the arena. */
void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
