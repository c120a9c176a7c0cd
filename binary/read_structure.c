/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the structure of a program, instrumented or not. */
#include "binary/binary.h"

#include <stddef.h>

struct sir *binary_read_structure(const char *path, bool *foreign, struct err *err)
{
	struct sir *s = sir_read(path, err), *found = NULL;
	struct binary *b;
	struct err ignored;

	if (foreign)
		*foreign = false;
	if (!s || s->nregions)
		return s;
	/* A script, an object, a file for another processor: what sir_read() says stands. */
	b = binary_open(path, &ignored);
	if (b)
		found = binary_structure(&b, 1, err);
	binary_close(b);
	if (b && foreign)
		*foreign = found;
	if (!b)
		return s;
	sir_free(s);
	return found;
}
