/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a compiler command which GCC it runs. */
#include "instrument/gcc_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "x86_64-linux-gnu-gcc-12" is gcc: drops the target before the name and the version behind it. */
static bool ends_in_word(const char *name, size_t n, const char *known)
{
	size_t m = strlen(known);

	return n >= m && strncmp(name + n - m, known, m) == 0 && (n == m || name[n - m - 1] == '-');
}

static bool is_named(const char *name, const char *known)
{
	size_t n = strlen(name), end = n;

	while (end > 0 && strchr("0123456789.", name[end - 1]))
		end--;
	return ends_in_word(name, n, known) ||
		(end > 0 && end < n && name[end - 1] == '-' && ends_in_word(name, end - 1, known));
}

static bool known_compiler(const char *path)
{
	static const char *const known[] = {
		"gcc", "g++", "gfortran", "cc", "c++", "f77", "f95", "mpicc", "mpicxx", "mpic++",
			"mpiCC",
		"mpifort", "mpif77", "mpif90", NULL
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	static const char *const flavours[] = { ".openmpi", ".mpich", NULL };
	char base[64];

	snprintf(base, sizeof base, "%s", name);
	for (int i = 0; flavours[i]; i++) {
		char *dot = strstr(base, flavours[i]);

		if (dot && dot[strlen(flavours[i])] == '\0')
			*dot = '\0';
	}
	for (int i = 0; known[i]; i++)
		if (is_named(base, known[i]))
			return true;
	return false;
}

char *shell_quoted(const char *text)
{
	char *out = malloc(4 * strlen(text) + 3), *p = out;

	if (!out)
		return NULL;
	*p++ = '\'';
	for (; *text; text++) {
		if (*text == '\'') {
			memcpy(p, "'\\''", 4);
			p += 4;
		} else {
			*p++ = *text;
		}
	}
	strcpy(p, "'");
	return out;
}

/* Reads the first line that "COMPILER OPTION" prints; empty if it fails. */
static void ask(const char *compiler, const char *option, char *line, size_t size)
{
	char *name = shell_quoted(compiler), command[PATH_MAX + 200];
	FILE *pipe = NULL;

	line[0] = '\0';
	if (name && snprintf(command, sizeof command, "%s %s 2>/dev/null", name, option) <
	    (int)sizeof command)
		pipe = popen(command, "r");
	free(name);
	if (!pipe)
		return;
	if (!fgets(line, (int)size, pipe))
		line[0] = '\0';
	if (pclose(pipe) != 0)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

/* GCC answers with the name alone where it has no such directory. */
static void find_headers(struct gcc_compiler *g)
{
	char dir[PATH_MAX - 32], header[PATH_MAX];

	ask(g->command, "-print-file-name=plugin", dir, sizeof dir);
	snprintf(header, sizeof header, "%s/include/gcc-plugin.h", dir);
	if (dir[0] == '/' && access(header, R_OK) == 0)
		snprintf(g->headers, sizeof g->headers, "%s/include", dir);
	else
		g->headers[0] = '\0';
}

int gcc_compiler_ask(const char *command, struct gcc_compiler *out, struct err *err)
{
	struct gcc_compiler g = { .command = command };
	char banner[300];

	if (!known_compiler(command))
		return err_set(err,
			"%s is not a compiler that the plugin works with: use GCC %d to %d"
			" (gcc, g++, gfortran) or an MPI wrapper of it", command, GCC_FIRST,
			GCC_LAST);
	ask(command, "-dumpfullversion", g.version, sizeof g.version);
	ask(command, "--version", banner, sizeof banner);
	if (!g.version[0] && !banner[0])
		return err_set(err, "cannot run %s", command);
	/* clang answers -dumpfullversion, too, and is cc on some systems. */
	if (!g.version[0] || strstr(banner, "clang") || strstr(banner, "Intel"))
		return err_set(err, "%s is not GCC (it says: %s); the plugin is for GCC %d to %d",
			command, banner, GCC_FIRST, GCC_LAST);
	g.major = atoi(g.version);
	if (g.major < GCC_FIRST || g.major > GCC_LAST)
		return err_set(err, "%s is GCC %s, but the plugin is for GCC %d to %d", command,
			g.version, GCC_FIRST, GCC_LAST);
	find_headers(&g);
	*out = g;
	return 0;
}

/* Whether it makes code for another processor than this machine's g++
 * (build_plugin.sh asks the same). */
static bool is_cross(const struct gcc_compiler *g)
{
	char here[PATH_MAX], target[PATH_MAX];

	ask("g++", "-dumpmachine", here, sizeof here);
	ask(g->command, "-dumpmachine", target, sizeof target);
	here[strcspn(here, "-")] = target[strcspn(target, "-")] = '\0';
	return here[0] && strcmp(here, target) != 0;
}

bool gcc_compiler_has_cxx(const struct gcc_compiler *g)
{
	char path[PATH_MAX];

	if (is_cross(g))
		return true;
	ask(g->command, "-print-prog-name=cc1plus", path, sizeof path);
	return path[0] == '/' && access(path, X_OK) == 0;
}
