/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the libraries and plugins that belong to this program. */
#include "instrument/own_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data_dir.h"

char *own_file_dir(const char *const *places, const char *file)
{
	const char *program = place_program_dir();
	size_t n = strlen(program);

	/* In a build tree libtool runs programs from .libs. */
	if (n > 6 && strcmp(program + n - 6, "/.libs") == 0)
		n -= 6;
	for (; *places; places++) {
		size_t size = n + strlen(*places) + strlen(file) + 1;
		char *path = malloc(size);

		if (!path)
			return NULL;
		snprintf(path, size, "%.*s%s%s", (int)n, program, *places, file);
		if (access(path, R_OK) == 0) {
			path[size - 1 - strlen(file)] = '\0';
			return path;
		}
		free(path);
	}
	return NULL;
}

bool own_file_read(const char *path, struct buf *text)
{
	FILE *f = fopen(path, "r");
	char part[8192];
	size_t n;
	bool good;

	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(text, part, n);
	good = !ferror(f) && !text->failed;
	fclose(f);
	return good;
}
