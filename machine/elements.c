/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the attributes of XML elements as numbers, sizes and names; every error has its line. */
#include "machine/elements.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libxml/parser.h>

#define MAX_FILE (1 << 20)

int element_complain(const struct reader *r, xmlNodePtr n, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return err_set(r->err, "%s:%ld: %s", r->path, xmlGetLineNo(n), text);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Parses decimal digits with at most six after a point, in millionths; *end: the rest.  strtod
 * would depend on the locale. */
static bool millionths(const char *s, uint64_t *value, const char **end)
{
	uint64_t v = 0;
	int after = -1;
	bool digits = false;

	for (; (*s >= '0' && *s <= '9') || (*s == '.' && after < 0); s++) {
		if (*s == '.') {
			after = 0;
			continue;
		}
		if (v > UINT64_MAX / 100000000 || (after >= 0 && after++ == 6))
			return false;
		v = v * 10 + (uint64_t)(*s - '0');
		digits = true;
	}
	for (int i = after < 0 ? 0 : after; i < 6; i++)
		v *= 10;
	*value = v;
	*end = s;
	return digits;
}

bool text_whole(const char *s, uint64_t max, uint64_t *value, const char **end)
{
	uint64_t v = 0;
	const char *p = s;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (v > (max - (uint64_t)(*p - '0')) / 10)
			return false;
		v = v * 10 + (uint64_t)(*p - '0');
	}
	*value = v;
	*end = p;
	return p > s;
}

char *element_text(xmlNodePtr n, const char *name)
{
	return (char *)xmlGetNoNsProp(n, (const xmlChar *)name);
}

bool element_has(xmlNodePtr n, const char *name)
{
	return xmlHasProp(n, (const xmlChar *)name) != NULL;
}

int element_number(const struct reader *r, xmlNodePtr n, const char *name, uint32_t max,
	uint32_t *value)
{
	char *s = element_text(n, name);
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return element_complain(r, n, "<%s> without %s", n->name, name);
	if (!text_whole(s, max, &v, &end) || *end || v == 0)
		ret = element_complain(r, n, "%s=\"%.40s\" is not a number from 1 to %u", name, s,
			max);
	else
		*value = (uint32_t)v;
	xmlFree(s);
	return ret;
}

int element_size(const struct reader *r, xmlNodePtr n, const char *name, uint64_t max,
	uint64_t *value)
{
	static const struct { const char *suffix; unsigned shift; } units[] = {
		{ "", 0 }, { "B", 0 }, { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 },
	};
	char *s = element_text(n, name);
	const char *end;
	uint64_t v, product = 0;
	int ret;

	if (!s)
		return element_complain(r, n, "<%s> without %s", n->name, name);
	if (text_whole(s, (uint64_t)1 << 32, &v, &end)) {
		while (*end == ' ')
			end++;
		for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
			if (strcmp(end, units[i].suffix) == 0)
				product = v << units[i].shift;
	}
	ret = product && product <= max ? 0
		: element_complain(r, n, "%s=\"%.40s\" is not a size such as \"256KiB\"", name, s);
	if (ret == 0)
		*value = product;
	xmlFree(s);
	return ret;
}

int element_clock(const struct reader *r, xmlNodePtr n, double *ghz)
{
	char *s = element_text(n, "clock");
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return element_complain(r, n, "<%s> without clock", n->name);
	if (!millionths(s, &v, &end) || (strcmp(end, "GHz") != 0 && strcmp(end, "MHz") != 0))
		ret = element_complain(r, n, "clock=\"%.40s\" is not a clock such as \"1.3GHz\"",
			s);
	else
		*ghz = (double)v / (*end == 'G' ? 1e6 : 1e9);
	xmlFree(s);
	return ret;
}

int element_real(const struct reader *r, xmlNodePtr n, const char *name, double max, double *value)
{
	char *s = element_text(n, name);
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return element_complain(r, n, "<%s> without %s", n->name, name);
	if (!millionths(s, &v, &end) || *end || (double)v / 1e6 > max)
		ret = element_complain(r, n,
			"%s=\"%.40s\" is not a number from 0 to %.0f with at most "
			"six digits after the point", name, s, max);
	else
		*value = (double)v / 1e6;
	xmlFree(s);
	return ret;
}

int element_choice(const struct reader *r, xmlNodePtr n, const char *name,
	const char *const *names, uint32_t nnames, uint32_t missing, uint32_t *value)
{
	char *s = element_text(n, name), all[128] = "";
	int ret = 0;

	if (!s) {
		*value = missing;
		return 0;
	}
	for (*value = 0; *value < nnames; ++*value)
		if (strcmp(s, names[*value]) == 0)
			break;
	if (*value == nnames) {
		for (uint32_t i = 0; i < nnames; i++)
			snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "",
				names[i]);
		ret = element_complain(r, n, "%s=\"%.40s\" is none of %s", name, s, all);
	}
	xmlFree(s);
	return ret;
}

void element_copy(xmlNodePtr n, const char *name, const char *missing, char *out, size_t size)
{
	char *s = element_text(n, name);

	snprintf(out, size, "%s", s ? s : missing);
	xmlFree(s);
}

int element_only(const struct reader *r, xmlNodePtr n, const char *const *names)
{
	for (xmlAttrPtr a = n->properties; a; a = a->next) {
		const char *const *p = names;

		while (*p && strcmp(*p, (const char *)a->name) != 0)
			p++;
		if (!*p)
			return element_complain(r, n, "<%s> has no attribute %.40s", n->name,
				(const char *)a->name);
	}
	return 0;
}

/* --- the document ---------------------------------------------------------------------------- */

/* Keeps the first error: later ones are mostly its consequences.  libxml2 2.12 made it const. */
#if LIBXML_VERSION >= 21200
static void malformed(void *ctxt, const xmlError *e)
#else
static void malformed(void *ctxt, xmlErrorPtr e)
#endif
{
	struct reader *r = ((xmlParserCtxtPtr)ctxt)->_private;
	const char *text = e->message ? e->message : "malformed";
	int len = (int)strcspn(text, "\n");

	if (r->malformed || e->level < XML_ERR_ERROR)
		return;
	r->malformed = true;
	err_set(r->err, "%s:%d: %.*s", r->path, e->line, len > 400 ? 400 : len, text);
}

static xmlDocPtr parse(struct reader *r, const char *text, size_t len)
{
	xmlParserCtxtPtr ctxt = xmlNewParserCtxt();
	xmlDocPtr doc = NULL;

	if (!ctxt) {
		err_nomem(r->err);
		return NULL;
	}
	ctxt->_private = r;
	ctxt->sax->serror = malformed;
	doc = xmlCtxtReadMemory(ctxt, text, (int)len, r->path, NULL, XML_PARSE_NONET);
	if (!doc && !r->malformed)
		err_set(r->err, "%s: not an XML document, or out of memory", r->path);
	xmlFreeParserCtxt(ctxt);
	return doc;
}

static char *slurp(const char *path, size_t *len, struct err *err)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	struct stat st;

	if (!f) {
		err_sys(err, "%s", path);
		return NULL;
	}
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		err_set(err, "%s: is a directory", path);
	} else if (!(text = malloc(MAX_FILE + 1))) {
		err_nomem(err);
	} else {
		*len = fread(text, 1, MAX_FILE + 1, f);
		if (ferror(f) || *len > MAX_FILE) {
			err_set(err, "%s: %s", path, ferror(f) ? "cannot be read"
				: "too long for a machine model");
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	return text;
}

xmlDocPtr document_read(struct reader *r)
{
	size_t len;
	char *text = slurp(r->path, &len, r->err);
	xmlDocPtr doc;

	if (!text)
		return NULL;
	doc = parse(r, text, len);
	free(text);
	if (doc && doc->intSubset) {
		err_set(r->err, "%s:1: a document type declaration is not read", r->path);
		xmlFreeDoc(doc);
		doc = NULL;
	}
	return doc;
}
