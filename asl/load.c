/* SPDX-License-Identifier: BSD-3-Clause */
/* Files around the compiler: property files, and the .conf beside each with its settings. */
#include "asl/asl.h"
#include "base/arena.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct load {
	struct arena *arena;
	asl_diag_fn report;
	void *arg;
	struct asl_setting *settings;
	size_t nsettings, cap;
	bool failed;
};

static void complain(struct load *l, const char *file, int line, const char *text)
{
	struct asl_diag diag = { .severity = ASL_ERROR, .file = file, .line = line, .text = text };

	diag.column = diag.end_column = line ? 1 : 0;
	l->failed = true;
	if (l->report)
		l->report(l->arg, &diag);
}

/* NULL when the file cannot be read; errno says why, 0: out of memory.  "-": standard input. */
static char *slurp(struct arena *arena, const char *path, size_t *length)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	size_t cap = 16384, n = 0, got;
	char *s;
	int saved;

	if (!f)
		return NULL;
	errno = 0;
	s = arena_alloc(arena, cap);
	while (s && (got = fread(s + n, 1, cap - n, f)) > 0) {
		n += got;
		if (n == cap) {
			s = arena_grow(arena, s, n, cap * 2);
			cap *= 2;
		}
	}
	saved = s && ferror(f) ? errno : 0;
	if (saved)
		s = NULL;
	if (f != stdin)
		fclose(f);
	errno = saved;
	*length = n;
	return s;
}

static void add_setting(struct load *l, const struct asl_setting *setting)
{
	if (l->nsettings == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 16;
		struct asl_setting *p = arena_grow(l->arena, l->settings, l->nsettings * sizeof *p,
			cap * sizeof *p);

		if (!p) {
			complain(l, NULL, 0, "out of memory");
			return;
		}
		l->settings = p;
		l->cap = cap;
	}
	l->settings[l->nsettings++] = *setting;
}

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

/* `name = value` on a line; `#` begins a comment. */
static void conf_line(struct load *l, const char *path, int number, char *line)
{
	char *hash = strchr(line, '#'), *equals;
	struct asl_setting setting;

	if (hash)
		*hash = '\0';
	line = trim(line);
	if (!*line)
		return;
	equals = strchr(line, '=');
	if (!equals) {
		complain(l, path, number, "a line of a .conf file is: name = value");
		return;
	}
	*equals = '\0';
	setting.name = trim(line);
	setting.value = trim(equals + 1);
	setting.origin = arena_printf(l->arena, "%s:%d", path, number);
	add_setting(l, &setting);
}

static void read_conf(struct load *l, const char *path)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path), length;
	char *conf = arena_printf(l->arena, "%.*s.conf", (int)n, path), *s, *nl;
	int number = 1;

	if (!conf) {
		complain(l, NULL, 0, "out of memory");
		return;
	}
	s = slurp(l->arena, conf, &length);
	if (!s) {
		if (errno != ENOENT)
			complain(l, conf, 0, errno ? strerror(errno) : "out of memory");
		return;
	}
	s = arena_strndup(l->arena, s, length);
	for (; s && *s; s = nl + 1, number++) {
		nl = strchr(s, '\n');
		if (nl)
			*nl = '\0';
		conf_line(l, conf, number, s);
		if (!nl)
			break;
	}
}

struct asl_program *asl_load(const char *const *paths, size_t npaths,
	const struct asl_setting *settings, size_t nsettings, asl_diag_fn report, void *arg)
{
	struct load l = { .arena = arena_new(), .report = report, .arg = arg };
	struct asl_source *sources;
	struct asl_program *prog = NULL;

	sources = l.arena ? arena_array(l.arena, npaths, sizeof *sources) : NULL;
	if (!sources) {
		complain(&l, NULL, 0, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < npaths; i++) {
		sources[i].name = strcmp(paths[i], "-") ? paths[i] : "<stdin>";
		sources[i].text = slurp(l.arena, paths[i], &sources[i].length);
		if (!sources[i].text)
			complain(&l, sources[i].name, 0, errno ? strerror(errno) : "out of memory");
		else if (strcmp(paths[i], "-") != 0)
			read_conf(&l, paths[i]);
	}
	for (size_t i = 0; i < nsettings; i++)
		add_setting(&l, &settings[i]);
	if (!l.failed)
		prog = asl_compile(sources, npaths, l.settings, l.nsettings, report, arg);
out:
	arena_free(l.arena);
	return prog;
}
