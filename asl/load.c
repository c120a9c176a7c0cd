/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the files of a compile: property files, included files, and the settings in the .conf
 * beside each. */
#include "config.h"
#include "asl/asl.h"
#include "base/arena.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE = 64 << 20, MAX_COMPLAINTS = 200 };

struct settings {
	struct asl_setting *all;
	size_t n, cap;
};

struct file_load {
	struct arena *arena;
	asl_diag_fn report;
	void *arg;
	const char *const *dirs;
	struct settings settings;
	int complaints;
};

static void complain(struct file_load *l, const char *file, int line, const char *text)
{
	struct asl_diag diag = { .severity = ASL_ERROR, .file = file, .line = line, .text = text };

	diag.column = diag.end_column = line ? 1 : 0;
	if (l->report && l->complaints++ < MAX_COMPLAINTS)
		l->report(l->arg, &diag);
}

static void count_complaints(struct file_load *l)
{
	struct asl_diag diag = { .severity = ASL_NOTE };
	char text[64];

	if (l->complaints <= MAX_COMPLAINTS)
		return;
	snprintf(text, sizeof text, "%d more errors are not shown", l->complaints - MAX_COMPLAINTS);
	diag.text = text;
	l->report(l->arg, &diag);
}

/* The content of an open file.  NULL: errno is the reason; 0 means out of memory. */
static char *slurp_open(struct arena *arena, FILE *f, size_t *length)
{
	size_t cap = 16384, n = 0, got;
	char *s = arena_alloc(arena, cap);
	int saved;

	errno = 0;
	while (s && (got = fread(s + n, 1, cap - n, f)) > 0) {
		n += got;
		if (n > MAX_FILE) {
			errno = EFBIG;
			return NULL;
		}
		if (n == cap) {
			s = arena_grow(arena, s, n, cap * 2);
			cap *= 2;
		}
	}
	saved = s && ferror(f) ? errno : 0;
	errno = saved;
	*length = n;
	return saved ? NULL : s;
}

/* "-": standard input. */
static char *slurp(struct arena *arena, const char *path, size_t *length, char *id, size_t size)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	struct stat st;
	char *s;
	int saved;

	if (!f)
		return NULL;
	if (id && fstat(fileno(f), &st) == 0)   /* two pipes may have one path */
		snprintf(id, size, "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	s = slurp_open(arena, f, length);
	saved = errno;
	if (f != stdin)
		fclose(f);
	errno = saved;
	return s;
}

static void add_setting(struct file_load *l, struct settings *to, const struct asl_setting *setting)
{
	if (to->n == to->cap) {
		size_t cap = to->cap ? to->cap * 2 : 16;
		struct asl_setting *p = arena_grow(l->arena, to->all, to->n * sizeof *p,
			cap * sizeof *p);

		if (!p) {
			complain(l, NULL, 0, "out of memory");
			return;
		}
		to->all = p;
		to->cap = cap;
	}
	to->all[to->n++] = *setting;
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

/* Reads one line, `name = value`; `#` begins a comment. */
static void conf_line(struct file_load *l, struct settings *to, const char *path, int number,
	char *line)
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
	if (setting.origin)
		add_setting(l, to, &setting);
	else
		complain(l, NULL, 0, "out of memory");
}

static void read_conf(struct file_load *l, struct settings *to, const char *path)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path), length;
	char *conf = arena_printf(l->arena, "%.*s.conf", (int)n, path), *s, *nl;
	int number = 1;

	if (!conf) {
		complain(l, NULL, 0, "out of memory");
		return;
	}
	s = slurp(l->arena, conf, &length, NULL, 0);
	if (!s) {
		if (errno != ENOENT)
			complain(l, conf, 0, errno ? strerror(errno) : "out of memory");
		return;
	}
	s = arena_strndup(l->arena, s, length);
	if (!s)
		complain(l, NULL, 0, "out of memory");
	for (; s && *s; s = nl + 1, number++) {
		nl = strchr(s, '\n');
		if (nl)
			*nl = '\0';
		conf_line(l, to, conf, number, s);
		if (!nl)
			break;
	}
}

/* --- include "name" --- */

/* The i-th path to try for `name`: beside the including file, then in each of `dirs`. */
static const char *candidate(const struct file_load *l, const char *name, const char *from,
	size_t i)
{
	const char *slash = strrchr(from, '/');

	if (i == 0)
		return *name == '/' ? arena_strdup(l->arena, name)
			: arena_printf(l->arena, "%.*s%s", slash ? (int)(slash + 1 - from) : 0,
			from, name);
	return arena_printf(l->arena, "%s/%s", l->dirs[i - 1], name);
}

static int not_found(const struct file_load *l, const char *name, const char *from, struct err *err)
{
	const char *slash = strrchr(from, '/');
	size_t n;

	if (*name == '/')
		return err_set(err, "%s", strerror(ENOENT));
	err_set(err, "%s; looked in '%.*s'", strerror(ENOENT), slash ? (int)(slash - from) : 1,
		slash ? from : ".");
	for (size_t i = 0; l->dirs && l->dirs[i]; i++) {
		n = strlen(err->text);
		snprintf(err->text + n, sizeof err->text - n, ", '%s'", l->dirs[i]);
	}
	return -1;
}

static int take(struct file_load *l, const char *path, struct asl_included *out, struct err *err)
{
	struct settings settings = { NULL, 0, 0 };
	struct stat st;
	int complaints = l->complaints;
	char id[64] = "";

	/* opening a pipe could wait for ever: include regular files only */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, "'%s' is no file", path);
	out->source.name = path;
	out->source.text = slurp(l->arena, path, &out->source.length, id, sizeof id);
	if (!out->source.text)
		return errno ? err_sys(err, "%s", path) : err_nomem(err);
	out->id = arena_strdup(l->arena, id);
	read_conf(l, &settings, path);
	out->settings = settings.all;
	out->nsettings = settings.n;
	if (!out->id)
		return err_nomem(err);
	return l->complaints > complaints ? err_set(err, "its .conf has errors") : 0;
}

static int find(void *arg, const char *name, const char *from, struct asl_included *out,
	struct err *err)
{
	struct file_load *l = arg;

	for (size_t i = 0; i == 0 || (l->dirs && l->dirs[i - 1]); i++) {
		const char *path = candidate(l, name, from, i);

		if (!path)
			return err_nomem(err);
		if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
			return take(l, path, out, err);
		if (*name == '/')
			break;
	}
	return not_found(l, name, from, err);
}

/* --- the files named --- */
static void read_named(struct file_load *l, const char *path, struct asl_source *source,
	const char **id)
{
	char text[64] = "";

	source->name = strcmp(path, "-") ? path : "<stdin>";
	source->text = slurp(l->arena, path, &source->length, text, sizeof text);
	*id = arena_strdup(l->arena, text);
	if (!source->text || !*id)
		complain(l, source->name, 0, !source->text && errno ? strerror(errno) :
			"out of memory");
	else if (strcmp(path, "-") != 0)
		read_conf(l, &l->settings, path);
}

struct asl_program *asl_load(const char *const *paths, size_t npaths, const char *const *dirs,
	const struct asl_setting *settings, size_t nsettings, asl_diag_fn report, void *arg)
{
	struct file_load l = { .arena = arena_new(), .report = report, .arg = arg, .dirs = dirs };
	struct asl_includer includer = { .find = find, .arg = &l };
	struct asl_program *prog = NULL;
	struct asl_source *sources;
	const char **ids;

	sources = l.arena ? arena_array(l.arena, npaths, sizeof *sources) : NULL;
	ids = sources ? arena_array(l.arena, npaths, sizeof *ids) : NULL;
	if (!ids) {
		complain(&l, NULL, 0, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < npaths; i++)
		read_named(&l, paths[i], &sources[i], &ids[i]);
	for (size_t i = 0; i < nsettings; i++)
		add_setting(&l, &l.settings, &settings[i]);
	includer.ids = ids;
	if (!l.complaints)
		prog = asl_compile(&includer, sources, npaths, l.settings.all, l.settings.n,
			report, arg);
	count_complaints(&l);
out:
	arena_free(l.arena);
	return prog;
}
