/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the plugin for the user's GCC, once, in the user's cache directory. */
#include "config.h"
#include "instrument/plugin_build.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cache_dir.h"
#include "base/data_dir.h"
#include "instrument/own_files.h"

#define SCRIPT "instrument/build_plugin.sh"
#define NOT_INSTALLED "%s is GCC %s, for which no plugin is installed. It can be built here, but "

struct paths {
	char sources[PATH_MAX];         /* holds instrument/ and base/ */
	char dir[PATH_MAX];             /* plugin-VERSION-KEY */
	char plugin[PATH_MAX + 16], failed[PATH_MAX + 16], log[PATH_MAX + 16], lock[PATH_MAX + 16];
};

bool plugin_gcc_text(const struct gcc_compiler *g, struct buf *text)
{
	static const char *const names[] = { "plugin-version.h", "configargs.h" };
	char path[PATH_MAX + 32];

	if (!g->headers[0])
		return false;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", g->headers, names[i]);
		if (!own_file_read(path, text))
			return false;
	}
	return true;
}

/* The source tree, or below it where they are installed. */
static int find_sources(char *dir, size_t size, struct err *err)
{
	static const char *const places[] = { "/plugin-src", "" };
	char script[PATH_MAX + 64];

	for (int i = 0; i < 2; i++) {
		snprintf(dir, size, "%s%s", place_data_dir(), places[i]);
		snprintf(script, sizeof script, "%s/" SCRIPT, dir);
		if (access(script, R_OK) == 0)
			return 0;
	}
	return err_set(err,
		"pscplugin.so not found beside this program, nor its sources in %s/plugin-src;"
		" set PSC_PLUGIN to its path", place_data_dir());
}

/* --- the key ---------------------------------------------------------------------------------- */
/* FNV-1a, 64 bits. */
static uint64_t hash_text(uint64_t hash, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* All that is compiled, so that a new version of ours does not take an older one's plugin. */
static int hash_sources(const char *sources, uint64_t *hash, struct err *err)
{
	static const char *const kinds[] = { "instrument/*.cc", "instrument/*.[ch]",
		"instrument/*.sh",
		"base/abi.h", "base/dictionary.h", "base/region.[ch]", "base/utf8.[ch]" };
	char pattern[PATH_MAX + 32];
	glob_t found = { .gl_pathc = 0 };
	int rc = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		snprintf(pattern, sizeof pattern, "%s/%s", sources, kinds[i]);
		if (glob(pattern, i ? GLOB_APPEND : 0, NULL, &found) == GLOB_NOSPACE)
			rc = err_nomem(err);
	}
	for (size_t i = 0; i < found.gl_pathc && !rc; i++) {
		struct buf text = BUF_INIT;

		if (own_file_read(found.gl_pathv[i], &text))
			*hash = hash_text(*hash, buf_str(&text), text.len);
		else
			rc = err_set(err, "%s cannot be read", found.gl_pathv[i]);
		buf_free(&text);
	}
	globfree(&found);
	return rc;
}

static int find_paths(const struct gcc_compiler *g, struct paths *p, struct err *err)
{
	struct buf text = BUF_INIT;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char name[128];
	bool known = plugin_gcc_text(g, &text);

	hash = hash_text(hash, buf_str(&text), text.len);
	buf_free(&text);
	if (!known)
		return err_set(err,
			NOT_INSTALLED "the compiler's plugin headers are missing: install"
			" gcc-%d-plugin-dev (Debian, Ubuntu) or gcc-plugin-devel (Fedora, Red Hat)",
			g->command, g->version, g->major);
	if (find_sources(p->sources, sizeof p->sources, err) ||
	    hash_sources(p->sources, &hash, err))
		return -1;
	snprintf(name, sizeof name, "plugin-%s-%016" PRIx64, g->version, hash);
	if (cache_dir_path(name, p->dir, sizeof p->dir, err))
		return -1;
	snprintf(p->plugin, sizeof p->plugin, "%s/pscplugin.so", p->dir);
	snprintf(p->failed, sizeof p->failed, "%s/failed", p->dir);
	snprintf(p->log, sizeof p->log, "%s/log", p->dir);
	snprintf(p->lock, sizeof p->lock, "%s/lock", p->dir);
	return 0;
}

/* --- the build -------------------------------------------------------------------------------- */
/* The first error in the log, else its first line. */
static void first_error(const char *log, char *line, size_t size)
{
	FILE *f = fopen(log, "r");
	char text[300];

	line[0] = '\0';
	while (f && fgets(text, sizeof text, f)) {
		text[strcspn(text, "\n")] = '\0';
		if (!line[0] || strstr(text, "error"))
			snprintf(line, size, "%s", text);
		if (strstr(text, "error"))
			break;
	}
	if (f)
		fclose(f);
}

static int say_failed(const struct gcc_compiler *g, const struct paths *p, struct err *err)
{
	char line[300];

	first_error(p->log, line, sizeof line);
	return err_set(err, "the plugin cannot be built for %s (GCC %s): %s\n"
		"psc_instrument: all messages are in %s; to try again: psc_instrument --rebuild-plugin %s",
		g->command, g->version, line[0] ? line : "no message", p->log, g->command);
}

/* In the child: the script, with all that it prints in the log. */
static void run_script(const struct gcc_compiler *g, const struct paths *p)
{
	char script[PATH_MAX + 64];
	int log = open(p->log, O_WRONLY | O_CREAT | O_TRUNC, 0600),
		null = open("/dev/null", O_RDONLY);

	snprintf(script, sizeof script, "%s/" SCRIPT, p->sources);
	if (log < 0 || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
		_exit(127);
	execl("/bin/sh", "sh", script, g->command, g->headers, p->dir, PACKAGE_VERSION,
		(char *)NULL);
	_exit(127);
}

static int build(const struct gcc_compiler *g, const struct paths *p, struct err *err)
{
	int status = 0, fd;
	pid_t child;

	if (!gcc_compiler_has_cxx(g))
		return err_set(err,
			NOT_INSTALLED "its C++ compiler is missing: install g++-%d (Debian, Ubuntu)"
			" or gcc-c++ (Fedora, Red Hat)", g->command, g->version, g->major);
	fprintf(stderr,
		"psc_instrument: building the plugin for GCC %s, once: a minute or so (%s)\n",
		g->version, p->dir);
	unlink(p->failed);
	child = fork();
	if (child < 0)
		return err_sys(err, "fork");
	if (child == 0)
		run_script(g, p);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_sys(err, "waitpid");
	if (status == 0 && access(p->plugin, R_OK) == 0)
		return 0;
	/* A build that a signal ended is begun again by the next
	 * compilation; one that failed is not. */
	if (WIFEXITED(status) && (fd = open(p->failed, O_WRONLY | O_CREAT, 0600)) >= 0)
		close(fd);
	return say_failed(g, p, err);
}

static int build_alone(const struct gcc_compiler *g, const struct paths *p, bool again,
	struct err *err)
{
	int rc = 0, fd;

	if (cache_dir_make(p->dir, err))
		return err_prefix(err, "the plugin for GCC %s cannot be kept", g->version);
	fd = open(p->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(err, "%s", p->lock);
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR) {
			rc = err_sys(err, "%s", p->lock);
			close(fd);
			return rc;
		}
	if (again || access(p->plugin, R_OK) != 0)
		rc = !again && access(p->failed, F_OK) == 0 ? say_failed(g, p, err) :
			build(g, p, err);
	close(fd);
	return rc;
}

char *plugin_build(const struct gcc_compiler *g, bool again, struct err *err)
{
	struct paths p;
	char *path;

	if (find_paths(g, &p, err))
		return NULL;
	if ((again || access(p.plugin, R_OK) != 0) && build_alone(g, &p, again, err))
		return NULL;
	path = strdup(p.plugin);
	if (!path)
		err_nomem(err);
	return path;
}
