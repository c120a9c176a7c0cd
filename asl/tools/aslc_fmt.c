/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `aslc fmt`: writes the canonical layout to standard output or in place, or only checks
 * it. */
#include "asl/tools/aslc.h"
#include "base/user_file.h"

#include <stdio.h>
#include <string.h>

/* The first line that would change, from 1. */
static int first_change(const struct buf *a, const struct buf *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int line = 1;

	for (size_t i = 0; i < n && a->data[i] == b->data[i]; i++)
		line += a->data[i] == '\n';
	return line;
}

static void would_change(struct messages *m, const char *path, int line)
{
	struct asl_diag diag = { .severity = ASL_ERROR, .file = aslc_name(path), .line = line,
		.column = 1, .end_column = 1, .text = "not in canonical layout" };

	if (m->json)
		messages_take(m, &diag);
	else
		printf("%s:%d: %s\n", diag.file, line, diag.text);
	m->errors += !m->json;
}

static int write_out(const struct aslc *o, const char *path, const struct buf *text, bool changed,
	struct err *err)
{
	if (!o->in_place)
		return output_write("-", text, err);
	return changed ? output_write(path, text, err) : 0;     /* else keep its time stamp */
}

static int format(const struct aslc *o, const char *path, struct messages *m)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct asl_source source = { .name = aslc_name(path) };
	struct err err = { "" };
	bool changed;
	int rc = aslc_read(path, &text, m);

	if (rc == 0) {
		source.text = buf_str(&text);
		source.length = text.len;
		rc = aslc_format(&source, messages_take, m, &out);
	}
	changed = rc == 0 && (text.len != out.len
		|| (text.len && memcmp(text.data, out.data, text.len) != 0));
	if (rc == 0 && o->check && changed && !out.failed)
		would_change(m, path, first_change(&text, &out));
	else if (rc == 0 && !o->check && write_out(o, path, &out, changed, &err) < 0)
		fprintf(stderr, "aslc: %s\n", err.text);
	if (err.text[0] || out.failed)
		m->errors++;
	buf_free(&text);
	buf_free(&out);
	return m->errors;
}

int aslc_fmt(const struct aslc *o)
{
	struct messages m = { .json = o->json, .text = BUF_INIT };

	for (int i = 0; i < o->nfiles; i++)
		format(o, o->files[i], &m);
	if (o->nfiles == 0)
		format(o, "-", &m);
	messages_end(&m, "fmt");
	return m.errors ? EXIT_ERRORS : EXIT_OK;
}
