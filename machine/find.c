/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and lists the model files. */
#include "machine/local.h"
#include "base/data_dir.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The i-th directory to search; false: no more. */
static bool directory(unsigned i, char *dir, size_t size)
{
	const char *p = getenv("PSC_MACHINE_PATH");

	for (; p && *p; p += *p == ':') {
		size_t len = strcspn(p, ":");

		if (len && i-- == 0) {
			snprintf(dir, size, "%.*s", (int)(len < size ? len : size - 1), p);
			return true;
		}
		p += len;
	}
	if (i == 0)
		snprintf(dir, size, "%s/machine", place_data_dir());
	return i == 0;
}

static int is_model(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 4 && e->d_name[0] != '.' && strcmp(e->d_name + n - 4, ".xml") == 0;
}

static bool listed(const char *list, const char *name, size_t n)
{
	for (const char *p = list; (p = strstr(p, name)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ',' || p[n] == '\0'))
			return true;
	return false;
}

void machine_list(char *out, size_t size)
{
	char dir[PATH_MAX];

	out[0] = '\0';
	for (unsigned i = 0; directory(i, dir, sizeof dir); i++) {
		struct dirent **entries;
		int n = scandir(dir, &entries, is_model, alphasort);

		for (int k = 0; k < n; k++) {
			char *name = entries[k]->d_name;
			size_t len = strlen(name) - 4, used = strlen(out);

			name[len] = '\0';
			if (!listed(out, name, len) && used + len + 3 <= size)
				snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
	}
}

int machine_find(const char *name, char *path, size_t size, struct err *err)
{
	size_t len = strlen(name);
	char dir[PATH_MAX], models[512];

	if (strchr(name, '/') || (len > 4 && strcmp(name + len - 4, ".xml") == 0)) {
		if ((size_t)snprintf(path, size, "%s", name) >= size)
			return err_set(err, "machine model: the path is too long");
		return 0;
	}
	for (unsigned i = 0; directory(i, dir, sizeof dir); i++)
		if ((size_t)snprintf(path, size, "%s/%s.xml", dir, name) < size
		    && access(path, F_OK) == 0)
			return 0;
	machine_list(models, sizeof models);
	return err_set(err, "there is no machine model \"%.64s\"; there are: %s", name,
		*models ? models : "none (see PSC_MACHINE_PATH)");
}
