/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a property file: alone, and after the data model.  What is accepted is dumped, and
 * evaluated on an environment that answers at random. */
#include "asl/code.h"
#include "asl/tools/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct asl_source model;
static FILE *nowhere;

static void ignore(void *arg, const struct asl_diag *diag)
{
	/* what is shown must be readable */
	*(size_t *)arg += strlen(diag->text) + (diag->line_text ? strlen(diag->line_text) : 0);
}

/* `include "x"` gives the text itself under the names "a" and "b", so that cycles close. */
static int find(void *arg, const char *name, const char *from, struct asl_included *out,
	struct err *err)
{
	const struct asl_source *text = arg;

	(void)from;
	if (strcmp(name, "a") != 0 && strcmp(name, "b") != 0)
		return err_set(err, "not found");
	out->id = *name == 'a' ? "a" : "b";
	out->source = (struct asl_source){ out->id, text->text, text->length };
	return 0;
}

struct answers {
	unsigned seed;
	const struct asl_program *prog;
};

static void answer(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	struct answers *a = arg;
	unsigned r;

	(void)index;
	a->seed = a->seed * 1103515245 + 12345;
	r = a->seed >> 16;
	if (r % 16 == 0)
		return;
	out->samples = r % 3;
	out->coverage = r % 5 / 4.0;
	out->type = ASL_FLOAT;
	out->v.f = r % 7;
	if (attr >= 0 && attr < asl_nattrs(a->prog, cls)) {
		struct asl_attr_type t;

		asl_attr_type(a->prog, cls, attr, &t);
		out->type = t.type;
		out->cls = t.cls;
	}
	if (out->type == ASL_BOOL)
		out->v.b = r & 1;
	else if (out->type == ASL_INT || out->type == ASL_ENUM)
		out->v.i = r % 5;
	else if (out->type == ASL_STRING)
		out->v.s = "x";
	else if (out->type == ASL_OBJECT)
		out->v.object = (void *)(uintptr_t)object;
	else if (out->type == ASL_SET)
		out->v.set.n = r % 4;
}

static void element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)arg;
	(void)i;
	out->type = ASL_OBJECT;
	out->cls = set->cls;
	out->v.object = (void *)&model;
}

static void evaluate(const struct asl_program *p)
{
	struct answers a = { 1, p };
	const struct asl_env env = { .attr = answer, .element = element, .arg = &a };
	void *objects[64];
	struct asl_verdict v;

	for (size_t i = 0; i < 64; i++)
		objects[i] = &model;
	for (size_t i = 0; i < asl_nproperties(p) && i < 20; i++)
		for (int round = 0; round < 3; round++)
			asl_evaluate(p, i, &env, objects, &v);
}

static void compile(const struct asl_source *sources, size_t n, size_t nsettings)
{
	const struct asl_setting settings[] = { { "Limit", "3", "--set" }, { "P.limit", "x", NULL } };
	const struct asl_includer includer = { .find = find,
		.arg = (void *)(uintptr_t)&sources[n - 1] };
	size_t said = 0;
	struct asl_program *p = asl_compile(&includer, sources, n, settings,
		nsettings, ignore, &said);

	if (!p && !said)
		abort();        /* no program, and nobody told why */
	if (p) {
		p->max_steps = 20000;   /* the bound itself is tested elsewhere */
		aslc_disassemble(p, nowhere);
		evaluate(p);
	}
	asl_free(p);
}

/* $srcdir has the model: the tests and tests/fuzz/run set it. */
static void read_model(void)
{
	static char text[1 << 16];
	const char *srcdir = getenv("srcdir");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/properties/model.asl", srcdir ? srcdir : ".");
	f = fopen(path, "r");
	nowhere = fopen("/dev/null", "w");
	if (!f || !nowhere) {
		perror(f ? "/dev/null" : path);
		exit(2);
	}
	model = (struct asl_source){ "model.asl", text, fread(text, 1, sizeof text, f) };
	fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct asl_source sources[] = { { NULL, NULL, 0 }, { "test", (const char *)data, size } };

	if (!model.text)
		read_model();
	sources[0] = model;
	compile(sources, 2, 0);
	compile(sources + 1, 1, size && data[size - 1] == '\t' ? 2 : 0);
	return 0;
}
