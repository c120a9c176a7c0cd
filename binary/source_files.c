/* SPDX-License-Identifier: BSD-3-Clause */
/* Source files by name. */
#include "binary/internal.h"

#include <string.h>

bool source_is_system(const char *file)
{
	static const char *const roots[] = { "/usr/include/", "/usr/lib/", "/usr/lib32/",
		"/usr/lib64/", "/rustc/", "/rust/deps/",
		"/opt/intel/", "/opt/nvidia/" };

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
		if (strncmp(file, roots[i], strlen(roots[i])) == 0)
			return true;
	return strstr(file, "/rustlib/src/") || strstr(file, "/lib/gcc/") ||
		strstr(file, "/include/c++/");
}

/* Removes "." and "name/.." by text, in place. */
static void simplify(char *path)
{
	char *out = path;

	for (const char *in = path; *in;) {
		size_t n;

		while (*in == '/')
			in++;
		n = strcspn(in, "/");
		if (n == 2 && in[0] == '.' && in[1] == '.') {
			while (out > path && *--out != '/')
				;
		} else if (n && !(n == 1 && in[0] == '.')) {
			*out++ = '/';
			memmove(out, in, n);
			out += n;
		}
		in += n;
	}
	*out = '\0';
}

const char *source_name(struct arena *a, struct dwarf_unit *u, const char *path)
{
	size_t n = u && u->dir ? strlen(u->dir) : 0;
	struct file_name *p;
	const char *name;
	char *clean;

	if (!u || path[0] != '/')
		return path;
	for (p = u->files; p; p = p->next)
		if (p->path == path)
			return p->name;
	clean = arena_strdup(a, path);
	if (!clean)
		return path;
	simplify(clean);
	name = n && strncmp(clean, u->dir, n) == 0 && clean[n] == '/' ? clean + n + 1 : clean;
	/* One text for one file, so that addresses can be compared. */
	for (p = u->files; p && strcmp(p->name, name) != 0; p = p->next)
		;
	name = p ? p->name : name;
	p = arena_alloc(a, sizeof *p);
	if (!p)
		return name;
	*p = (struct file_name){ path, name, u->files };
	u->files = p;
	return name;
}
