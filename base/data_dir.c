/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the directory of our own data files. */
#include <config.h>

#include "base/data_dir.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *place_program_dir(void)
{
	static char dir[PATH_MAX];
	ssize_t n;
	char *slash;

	if (dir[0])
		return dir;
	n = readlink("/proc/self/exe", dir, sizeof dir - 1);
	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	else
		strcpy(dir, ".");
	return dir;
}

/* Only programs in the build tree use the source tree: an installed program must not read files
 * that are being edited.  The kernel's name of the program has no symbolic links, so the tree's
 * name is resolved too. */
static bool in_build_tree(const char *program_dir)
{
	char *tree = realpath(PSC_BUILD_DIR, NULL);
	size_t len = tree ? strlen(tree) : 0;
	bool in = tree && strncmp(program_dir, tree, len) == 0
		&& (program_dir[len] == '/' || program_dir[len] == '\0');

	free(tree);
	return in;
}

const char *place_data_dir(void)
{
	static char beside[PATH_MAX + 32];
	static const char *dir;
	const char *program_dir = place_program_dir();

	if (dir)
		return dir;
	snprintf(beside, sizeof beside, "%s/../share/" PACKAGE, program_dir);
	if (in_build_tree(program_dir))
		dir = PSC_SOURCE_DIR;
	else if (access(beside, X_OK) == 0)
		dir = beside;
	else
		dir = PSC_DATA_DIR;
	return dir;
}
