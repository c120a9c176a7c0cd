/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses between the installed plugin and one that is built for the user's own GCC. */
#include "config.h"
#include "instrument/plugin_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "instrument/own_files.h"
#include "instrument/plugin_build.h"

/* pscplugin.so is for the GCC that built this program, gcc-N/pscplugin.so for GCC N. */
static char *installed_plugin(int major)
{
	static const char *const own[] = { "/instrument/.libs", "/../lib/periscope-c", NULL };
	static const char *const others[] = { "/instrument", "/../lib/periscope-c/instrument",
		NULL };
	bool is_own = major == atoi(PSC_GCC_VERSION);
	char name[40], *dir, *path = NULL;

	if (is_own)
		snprintf(name, sizeof name, "/pscplugin.so");
	else
		snprintf(name, sizeof name, "/gcc-%d/pscplugin.so", major);
	dir = own_file_dir(is_own ? own : others, name);
	if (dir && (path = malloc(strlen(dir) + strlen(name) + 1)))
		strcat(strcpy(path, dir), name);
	free(dir);
	return path;
}

/* Reads pscplugin.gcc, which names the GCC that the plugin was built for.  False: there is none. */
static bool read_description(const char *plugin, struct buf *text)
{
	char path[PATH_MAX];
	const char *slash = strrchr(plugin, '/');
	int dir = slash ? (int)(slash - plugin) : 0;

	snprintf(path, sizeof path, "%.*s/pscplugin.gcc", dir, plugin);
	if (own_file_read(path, text))
		return true;
	/* In a build tree libtool has the plugin in .libs. */
	snprintf(path, sizeof path, "%.*s/../pscplugin.gcc", dir, plugin);
	return own_file_read(path, text);
}

/* "12.2.0", of plugin-version.h's line `static char basever[] = "12.2.0";` */
static bool is_version(const char *description, const char *version)
{
	const char *at = strstr(description, "basever[] = \"");
	size_t n = strlen(version);

	at = at ? at + strlen("basever[] = \"") : "";
	return strncmp(at, version, n) == 0 && at[n] == '"';
}

/* The plugin itself compares the same texts when it is loaded, and refuses another GCC.  Without
 * headers only the version is known: what is left is up to the plugin. */
static bool fits(const char *plugin, const struct gcc_compiler *g)
{
	struct buf built = BUF_INIT, running = BUF_INIT;
	bool same = true;

	if (read_description(plugin, &built))
		same = plugin_gcc_text(g, &running) ? strcmp(buf_str(&built), buf_str(&running)) ==
			0 : is_version(buf_str(&built), g->version);
	buf_free(&built);
	buf_free(&running);
	return same;
}

static char *fitting_plugin(const struct gcc_compiler *g)
{
	char *plugin = installed_plugin(g->major);

	if (plugin && !fits(plugin, g)) {
		free(plugin);
		plugin = NULL;
	}
	return plugin;
}

char *plugin_choose(const struct gcc_compiler *g, struct err *err)
{
	const char *path = getenv("PSC_PLUGIN");
	char *plugin;

	plugin = path && *path ? strdup(path) : fitting_plugin(g);
	return plugin ? plugin : plugin_build(g, false, err);
}

char *plugin_rebuild(const struct gcc_compiler *g, struct err *err)
{
	char *plugin = fitting_plugin(g);

	return plugin ? plugin : plugin_build(g, true, err);
}
