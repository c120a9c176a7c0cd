/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory from the two arenas of a compile.  Every function jumps to c->nomem when an
 * arena is exhausted. */
#include "asl/ast.h"

void *asl_new(struct compile *c, size_t size)
{
	void *p = arena_alloc(c->scratch, size);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}

void *asl_keep(struct compile *c, size_t n, size_t size)
{
	void *p = arena_array(c->keep, n, size);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}

const char *asl_keep_text(struct compile *c, const char *s)
{
	char *p = arena_strdup(c->keep, s);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}
