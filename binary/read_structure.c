/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the structure of a program, instrumented or not. */
#include "binary/binary.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { FILES_MOST = 64 };

/* Opens the program and its libraries.  Those that cannot be read are left out.  Returns their
 * number; 0: not even the program. */
static uint32_t open_all(const char *path, const char *libraries, struct binary *files[FILES_MOST])
{
	struct err ignored;
	uint32_t n = 0;

	files[0] = binary_open(path, &ignored);
	if (!files[0])
		return 0;
	for (n = 1; libraries && *libraries && n < FILES_MOST; libraries += *libraries == '\n') {
		const size_t length = strcspn(libraries, "\n");
		char name[4096];

		snprintf(name, sizeof name, "%.*s", (int)length, libraries);
		files[n] = length ? binary_open(name, &ignored) : NULL;
		n += files[n] != NULL;
		libraries += length;
	}
	return n;
}

struct sir *binary_read_program(const char *path, const char *libraries, bool *foreign,
	struct err *err)
{
	struct sir *s = sir_read(path, err), *found;
	struct binary *files[FILES_MOST];
	uint32_t n;

	if (foreign)
		*foreign = false;
	if (!s || s->nregions)
		return s;
	/* A script, an object, a file for another processor: what sir_read() says stands. */
	n = open_all(path, libraries, files);
	if (!n)
		return s;
	found = binary_structure(files, n, err);
	while (n > 0)
		binary_close(files[--n]);
	if (foreign)
		*foreign = found;
	sir_free(s);
	return found;
}

struct sir *binary_read_structure(const char *path, bool *foreign, struct err *err)
{
	return binary_read_program(path, NULL, foreign, err);
}
