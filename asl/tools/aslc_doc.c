/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `aslc doc`: makes reference pages. */
#include "asl/tools/aslc.h"
#include "base/user_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct texts {
	size_t n;
	struct buf *text;
	struct asl_source *sources;
	bool *wanted;
};

static void free_texts(struct texts *t)
{
	for (size_t i = 0; t->text && i < t->n; i++)
		buf_free(&t->text[i]);
	free(t->text);
	free(t->sources);
	free(t->wanted);
}

static bool is_given(const struct aslc *o, const char *name)
{
	for (int i = 0; i < o->nfiles; i++)
		if (!strcmp(o->files[i], name))
			return true;
	return false;
}

/* Reads all sources of the program again for their comments, also the model and included files. */
static int read_texts(const struct aslc *o, const struct asl_program *p, struct texts *t,
	struct messages *m)
{
	t->n = asl_nfiles(p);
	t->text = calloc(t->n, sizeof *t->text);
	t->sources = calloc(t->n, sizeof *t->sources);
	t->wanted = calloc(t->n, sizeof *t->wanted);
	if (!t->text || !t->sources || !t->wanted) {
		fputs("aslc: out of memory\n", stderr);
		return -1;
	}
	for (size_t i = 0; i < t->n; i++) {
		const char *name = asl_file(p, i);

		if (aslc_read(name, &t->text[i], m) < 0)
			return -1;
		t->sources[i] = (struct asl_source){ name, buf_str(&t->text[i]), t->text[i].len };
		t->wanted[i] = is_given(o, name);
	}
	return 0;
}

int aslc_doc(const struct aslc *o)
{
	struct messages m = { .text = BUF_INIT };
	struct texts t = { .n = 0 };
	struct buf out = BUF_INIT;
	struct err err = { "" };
	struct asl_program *p = aslc_load(o, &m);
	int rc = p ? read_texts(o, p, &t, &m) : -1;

	if (rc == 0)
		rc = aslc_reference(p, t.sources, t.wanted, t.n, o->html, messages_take, &m, &out);
	if (rc == 0) {
		rc = output_write(o->out ? o->out : "-", &out, &err);
		if (rc < 0)
			fprintf(stderr, "aslc: %s\n", err.text);
	}
	asl_free(p);
	free_texts(&t);
	buf_free(&out);
	messages_end(&m, "doc");
	return rc < 0 ? EXIT_ERRORS : EXIT_OK;
}
