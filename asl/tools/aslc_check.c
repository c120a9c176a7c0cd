/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `aslc check` and `aslc dump`; prints messages as text or JSON. */
#include "asl/tools/aslc.h"
#include "base/user_file.h"
#include "base/data_dir.h"
#include "base/json_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JSON_FORMAT "aslc diagnostics 1"

/* --- messages --- */
static void put_json(struct buf *out, const struct asl_diag *d)
{
	static const char *const words[] = { "error", "warning", "note" };

	buf_printf(out, "%s\n    {\"severity\": \"%s\", \"file\": ", out->len ? "," : "",
		words[d->severity]);
	text_json(out, d->file);
	if (d->line > 0)
		buf_printf(out, ", \"line\": %d, \"column\": %d, \"end_column\": %d", d->line,
			d->column, d->end_column);
	else
		buf_puts(out, ", \"line\": null, \"column\": null, \"end_column\": null");
	buf_puts(out, ",\n     \"message\": ");
	text_json(out, d->text);
	buf_puts(out, ", \"suggestion\": ");
	text_json(out, d->suggestion);
	buf_puts(out, ",\n     \"source\": ");
	text_json(out, d->line_text);
	buf_puts(out, "}");
}

void messages_take(void *messages, const struct asl_diag *diag)
{
	struct messages *m = messages;

	m->errors += diag->severity == ASL_ERROR;
	m->warnings += diag->severity == ASL_WARNING;
	if (m->json)
		put_json(&m->text, diag);
	else
		asl_diag_print(stderr, diag);
}

void messages_end(struct messages *m, const char *command)
{
	if (m->json) {
		printf("{\"format\": \"" JSON_FORMAT "\", \"command\": \"%s\",\n  \"errors\": %d, "
			"\"warnings\": %d,\n  \"diagnostics\": [%s]}\n", command, m->errors,
			m->warnings, buf_str(&m->text));
		if (m->text.failed)
			fputs("aslc: out of memory\n", stderr);
	}
	buf_free(&m->text);
}

const char *aslc_name(const char *path)
{
	return strcmp(path, "-") ? path : "<stdin>";
}

static int cannot_read(struct messages *m, const char *path, int error)
{
	struct asl_diag diag = { .severity = ASL_ERROR, .file = aslc_name(path),
		.text = error ? strerror(error) : "out of memory" };

	messages_take(m, &diag);
	return -1;
}

int aslc_read(const char *path, struct buf *text, struct messages *m)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char chunk[4096];
	size_t n;
	int error = 0;

	if (!f)
		return cannot_read(m, path, errno);
	errno = 0;
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(text, chunk, n);
	if (ferror(f))
		error = errno ? errno : EIO;
	if (f != stdin)
		fclose(f);
	return error || text->failed ? cannot_read(m, path, error) : 0;
}

/* --- commands --- */

/* The directory of included files: that of the model. */
static void find_properties(const char *model, char *dir, size_t size)
{
	const char *slash = model ? strrchr(model, '/') : NULL;

	if (!model)
		snprintf(dir, size, "%s/properties", place_data_dir());
	else
		snprintf(dir, size, "%.*s", slash ? (int)(slash - model) : 1, slash ? model : ".");
}

struct asl_program *aslc_load(const struct aslc *o, struct messages *m)
{
	const char **paths = calloc((size_t)o->nfiles + 1, sizeof *paths);
	char properties[PATH_MAX];
	const char *const dirs[] = { properties, NULL };
	struct asl_program *p;
	bool have_model = false;
	size_t n = 0;

	if (!paths) {
		cannot_read(m, o->files[0], 0);
		return NULL;
	}
	for (int i = 0; i < o->nfiles; i++) {   /* `aslc check model.asl` means this model */
		const char *base = strrchr(o->files[i], '/');

		have_model = have_model || !strcmp(base ? base + 1 : o->files[i], "model.asl");
	}
	if (o->model && !have_model)
		paths[n++] = o->model;
	for (int i = 0; i < o->nfiles; i++)
		paths[n++] = o->files[i];
	find_properties(o->model, properties, sizeof properties);
	p = asl_load(paths, n, dirs, o->settings, o->nsettings, messages_take, m);
	free(paths);
	return p;
}

int aslc_check(const struct aslc *o)
{
	struct messages m = { .json = o->json, .text = BUF_INIT };
	struct asl_program *p = aslc_load(o, &m);
	int code = !p || (o->werror && m.warnings) ? EXIT_ERRORS : EXIT_OK;

	asl_free(p);
	messages_end(&m, "check");
	return code;
}

int aslc_dump(const struct aslc *o)
{
	struct messages m = { .text = BUF_INIT };
	struct asl_program *p = aslc_load(o, &m);

	if (p && o->requests)
		aslc_requests(p, stdout);
	else if (p)
		aslc_disassemble(p, stdout);
	asl_free(p);
	messages_end(&m, "dump");
	return p ? EXIT_OK : EXIT_ERRORS;
}
