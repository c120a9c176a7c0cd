/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a .sir file against sir.rng. */
#include "sir/sir.h"
#include "base/data_dir.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>

#define MAX_SHOWN 20

struct findings {
	const char *path;
	unsigned n;
};

/* libxml2 2.12 made the error const. */
#if LIBXML_VERSION >= 21200
static void found(void *user, const xmlError *e)
#else
static void found(void *user, xmlErrorPtr e)
#endif
{
	struct findings *f = user;

	if (f->n++ < MAX_SHOWN)
		fprintf(stderr, "%s:%d: %.*s\n", f->path, e->line,
			(int)strcspn(e->message ? e->message : "?", "\n"), e->message ? e->message :
			"?");
}

static void quiet(void *user, const char *fmt, ...) PSC_PRINTF(2, 3);
static void quiet(void *user, const char *fmt, ...)
{
	(void)user, (void)fmt;
}

int sir_schema_check(const char *path, const char *text, size_t len, struct err *err)
{
	struct findings f = { path, 0 };
	char schema[PATH_MAX];
	xmlRelaxNGParserCtxtPtr parser;
	xmlRelaxNGPtr rng = NULL;
	xmlRelaxNGValidCtxtPtr valid = NULL;
	xmlDocPtr doc = NULL;
	int ret = -2;

	snprintf(schema, sizeof schema, "%s/sir/sir.rng", place_data_dir());
	parser = xmlRelaxNGNewParserCtxt(schema);
	if (parser) {
		xmlRelaxNGSetParserErrors(parser, quiet, quiet, NULL);
		rng = xmlRelaxNGParse(parser);
	}
	valid = rng ? xmlRelaxNGNewValidCtxt(rng) : NULL;
	if (!valid) {
		err_set(err, "cannot read the schema %s", schema);
		goto out;
	}
	xmlRelaxNGSetValidStructuredErrors(valid, found, &f);
	xmlSetStructuredErrorFunc(&f, found);
	doc = text ? xmlReadMemory(text, (int)len, path, NULL,
		XML_PARSE_NONET | XML_PARSE_BIG_LINES) :
		xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
	ret = doc && xmlRelaxNGValidateDoc(valid, doc) == 0 ? 0 : -1;
	xmlSetStructuredErrorFunc(NULL, NULL);
	if (f.n > MAX_SHOWN)
		fprintf(stderr, "%s: %u more\n", path, f.n - MAX_SHOWN);
out:
	xmlFreeDoc(doc);
	xmlRelaxNGFreeValidCtxt(valid);
	xmlRelaxNGFree(rng);
	xmlRelaxNGFreeParserCtxt(parser);
	return ret;
}
