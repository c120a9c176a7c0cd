/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory that is freed all at once. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)16 * 1024)

struct chunk {
	struct chunk *next;
	size_t used, size;
	max_align_t data[];
};

struct arena {
	struct chunk *head;
};

struct arena *arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t align = sizeof(max_align_t);
	struct chunk *c = a->head;
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = size ? (size + align - 1) / align * align : align;
	if (!c || c->size - c->used < size) {
		size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;

		c = calloc(1, sizeof *c + bytes);
		if (!c)
			return NULL;
		c->size = bytes;
		c->next = a->head;
		a->head = c;
	}
	p = (char *)c->data + c->used;
	c->used += size;
	return p;
}

void *arena_array(struct arena *a, size_t nmemb, size_t size)
{
	if (size && nmemb > SIZE_MAX / 2 / size)
		return NULL;
	return arena_alloc(a, nmemb * size);
}

void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t size)
{
	void *p = arena_alloc(a, size);

	if (p && old_size)
		memcpy(p, old, old_size < size ? old_size : size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = arena_alloc(a, len + 1);

	if (p)
		memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return NULL;
	p = arena_alloc(a, (size_t)n + 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}
