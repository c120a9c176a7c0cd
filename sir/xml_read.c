/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a <fragment> or a <sir> document, ours or Periscope's, as a stream of elements (SAX).
 * Nothing but the text itself is read: a document type declaration is an error, so there are no
 * entities to expand and nothing to fetch.  Unknown elements and attributes (Periscope's tuning
 * plugins) are ignored. */
#include "sir/model.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>

#define MAX_DEPTH 200           /* libxml2's own limit is 256 */

enum element { EL_ROOT, EL_SOURCE, EL_UNIT, EL_REGION, EL_POSITION, EL_FILE, EL_ARRAY, EL_RECORD,
	EL_COPY };

struct open_element {
	enum element element;
	struct sir_node *node;  /* the unit or region it belongs to; NULL outside of units */
};

struct reader {
	struct sir_model *model;
	const char *where;
	const uint64_t *fragment;
	struct err *err;
	xmlParserCtxtPtr ctxt;
	const xmlChar **attrs;  /* of the current element: name, prefix, URI, value, end */
	int nattrs;
	struct open_element stack[MAX_DEPTH];
	unsigned depth;
	unsigned skip;          /* depth inside an ignored element; 0: not inside one */
	uint32_t source;        /* source of units that name none; SIR_NONE: not made yet */
	const char *language;   /* of the root */
	bool brief;             /* a fragment: attributes that follow from others are left out */
	bool failed;
};

/* Reports the first error.  Afterwards every callback returns at once and libxml2 reads the rest in
 * vain: xmlStopParser() must not be called here, since it frees the text that attrs points into
 * while callers still use it. */
static void fail(struct reader *r, const char *fmt, ...) PSC_PRINTF(2, 3);

static void fail(struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (r->failed)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(r->err, "%s:%d: %s", r->where, xmlSAX2GetLineNumber(r->ctxt), text);
	r->failed = true;
}

static void nomem(struct reader *r)
{
	if (!r->failed)
		err_nomem(r->err);
	r->failed = true;
}

/* --- attributes ------------------------------------------------------------------------------ */

/* A copy of an attribute in the arena; NULL: absent, or out of memory, then failed is set. */
static const char *attr(struct reader *r, const char *name)
{
	for (int i = 0; i < r->nattrs && !r->failed; i++) {
		const xmlChar **a = &r->attrs[5 * i];

		if (!a[1] && strcmp((const char *)a[0], name) == 0) {
			const char *s = arena_strndup(r->model->arena, (const char *)a[3],
				(size_t)(a[4] - a[3]));

			if (!s)
				nomem(r);
			return s;
		}
	}
	return NULL;
}

/* Accepts digits only: strtoull would accept signs and blanks too. */
static bool number(const char *s, int base, uint64_t max, uint64_t *value)
{
	uint64_t v = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned d = isdigit((unsigned char)*s) ? (unsigned)(*s - '0')
			: *s >= 'a' && *s <= 'f' ? (unsigned)(*s - 'a') + 10
			: *s >= 'A' && *s <= 'F' ? (unsigned)(*s - 'A') + 10 : 16;

		if (d >= (unsigned)base || v > (max - d) / (unsigned)base)
			return false;
		v = v * (unsigned)base + d;
	}
	*value = v;
	return true;
}

/* Leaves *value unchanged when the attribute is absent. */
static bool attr_number(struct reader *r, const char *name, int base, uint64_t max,
	uint64_t *value)
{
	const char *s = attr(r, name);

	if (!s)
		return false;
	if (number(s, base, max, value))
		return true;
	fail(r, "%s=\"%.40s\" is not %s", name, s,
		base == 16 ? "a hash of up to 16 hexadecimal digits" : "a number that fits");
	return false;
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += len)
		if ((p == list || isspace((unsigned char)p[-1]))
		    && (!p[len] || isspace((unsigned char)p[len])))
			return true;
	return false;
}

static bool optimised_as(struct reader *r, const char *how)
{
	const char *optimize = attr(r, "optimize");

	return optimize && strcmp(optimize, how) == 0;
}

/* --- elements -------------------------------------------------------------------------------- */

static void read_root(struct reader *r, const char *name)
{
	uint64_t hash = 0;

	if (strcmp(name, r->fragment ? "fragment" : "sir") != 0
	    && !(strcmp(name, "fragment") == 0 && !r->fragment)) {
		fail(r, "root is <%.40s>, not <%s>", name, r->fragment ? "fragment" : "sir");
		return;
	}
	r->language = attr(r, "language");
	r->source = SIR_NONE;
	if (strcmp(name, "fragment") != 0)
		return;
	r->brief = true;
	if (attr_number(r, "hash", 16, UINT64_MAX, &hash) && r->fragment && hash != *r->fragment) {
		fail(r, "hash=\"%016" PRIx64 "\" but the header says %016" PRIx64, hash,
			*r->fragment);
		return;
	}
	if (r->fragment)
		hash = *r->fragment;
	if (hash == 0)
		fail(r, "the fragment has no hash");
	struct sir_source s = { attr(r, "source"), attr(r, "dir"), r->language,
		attr(r, "compiler"), hash, optimised_as(r, "none"),
		optimised_as(r, "vector") };

	if (!r->failed && model_source(r->model, &s, &r->source) < 0)
		nomem(r);
}

static void read_source(struct reader *r)
{
	struct sir_source s = { attr(r, "name"), attr(r, "dir"), attr(r, "language"),
		attr(r, "compiler"), 0, optimised_as(r, "none"),
		optimised_as(r, "vector") };
	uint32_t index;

	attr_number(r, "hash", 16, UINT64_MAX, &s.hash);
	if (r->failed)
		return;
	if (model_source(r->model, &s, &index) < 0)
		nomem(r);
	else if (s.hash == 0 && r->source == SIR_NONE)
		r->source = index;
}

/* The source of a unit that names none: one source for the whole document. */
static uint32_t document_source(struct reader *r)
{
	if (r->source == SIR_NONE) {
		const char *slash = strrchr(r->where, '/');
		struct sir_source s = { arena_strdup(r->model->arena, slash ? slash + 1 : r->where),
			NULL, r->language, NULL, 0, false, false };

		if (!s.name || model_source(r->model, &s, &r->source) < 0) {
			nomem(r);
			return 0;
		}
	}
	return r->source;
}

static uint32_t unit_source(struct reader *r)
{
	uint64_t hash = 0;

	if (!attr_number(r, "hash", 16, UINT64_MAX, &hash) || r->fragment)
		return r->failed ? 0 : document_source(r);
	for (uint32_t i = 0; i < r->model->nsources; i++)
		if (r->model->sources[i].hash == hash)
			return i;
	fail(r, "no <source> has the hash %016" PRIx64 " of this unit", hash);
	return 0;
}

/* Reads alias="hash:index hash:index", the identities of merged copies. */
static void read_aliases(struct reader *r, struct sir_node *n)
{
	const char *p = attr(r, "alias");

	while (p && *p && !r->failed) {
		char pair[64];
		size_t len = strcspn(p, " \t\r\n");
		uint64_t hash, index;
		char *colon;

		if (len == 0) {
			p++;
			continue;
		}
		snprintf(pair, sizeof pair, "%.*s", len < 60 ? (int)len : 60, p);
		p += len;
		colon = strchr(pair, ':');
		if (colon)
			*colon++ = '\0';
		if (!colon || !number(pair, 16, UINT64_MAX, &hash)
		    || !number(colon, 10, SIR_NONE - 1, &index)) {
			fail(r, "alias has a word that is not hash:index");
			return;
		}
		if (model_hook(r->model, n, hash, (uint32_t)index) < 0)
			nomem(r);
	}
}

static void read_hooks(struct reader *r, struct sir_node *n)
{
	const char *hook = attr(r, "hook"), *own = attr(r, "own");
	uint64_t index = 0, hash = n->r.source < r->model->nsources
		? r->model->sources[n->r.source].hash : 0;

	if (hook && has_word(hook, "marker"))
		n->r.hooks |= SIR_HOOK_MARKER;
	if (hook && has_word(hook, "phase"))
		n->r.hooks |= SIR_HOOK_PHASE;
	n->r.refuse = attr(r, "refuse");
	n->r.math = attr(r, "math");
	n->r.unrecorded = own && strcmp(own, "unrecorded") == 0;
	if (attr_number(r, "index", 10, SIR_NONE - 1, &index)) {
		if (hash == 0)
			fail(r, "index=\"%" PRIu64 "\" without the unit's hash", index);
		else if (model_hook(r->model, n, hash, (uint32_t)index) < 0)
			nomem(r);
	}
	read_aliases(r, n);
	if (n->r.hooks && n->nat == 0 && !r->failed)
		fail(r, "hook=\"%.40s\" without an index", hook);
}

/* In a fragment the id contains the line in the unit's source; a <position> overrides it. */
static void read_id(struct reader *r, struct sir_node *n)
{
	const char *line = n->r.ident ? strchr(n->r.ident, '-') : NULL;
	uint64_t start = 0, end;

	if (!r->brief || !line || !number(line + 1, 10, INT_MAX, &start))
		return;
	end = start;
	attr_number(r, "end", 10, INT_MAX, &end);
	n->r.line = (int)start;
	n->r.end_line = end < start ? (int)start : (int)end;
}

static struct sir_node *read_region(struct reader *r, struct sir_node *parent, bool unit)
{
	const char *type = attr(r, "type"), *name = attr(r, "name");
	struct sir_node *n = r->failed ? NULL : model_region(r->model, parent);

	if (!n) {
		nomem(r);
		return NULL;
	}
	n->r.name = name ? name : "";
	n->r.xml_line = xmlSAX2GetLineNumber(r->ctxt);
	n->r.ident = attr(r, "id");
	n->r.clause = attr(r, "datascopeclause");
	if (unit) {
		n->r.type = REGION_SUB;
		n->r.unit_type = type ? type : "subroutine";
		n->r.symbol = attr(r, "symbol");
		n->r.source = parent ? parent->r.source : unit_source(r);
	} else {
		if (!type) {
			fail(r, "<codeRegion> without a type");
			return NULL;
		}
		n->r.type = (enum region_type)region_type_from_sir(type);
		n->r.kind = type;
		n->r.source = parent->r.source;
	}
	/* A <position> overrides this. */
	n->r.file = parent && !r->brief ? parent->r.file : r->model->sources
		? r->model->sources[n->r.source].name : "";
	if (!n->r.file)
		n->r.file = "";
	read_id(r, n);
	if (!r->failed)
		read_hooks(r, n);
	return r->failed ? NULL : n;
}

static void read_position(struct reader *r, struct sir_node *n)
{
	uint64_t start = 0, end = 0;

	attr_number(r, "startLine", 10, INT_MAX, &start);
	if (!attr_number(r, "endLine", 10, INT_MAX, &end) || end < start)
		end = start;    /* a macro or #line can make code end before it starts */
	n->r.line = (int)start;
	n->r.end_line = (int)end;
}

static void read_array(struct reader *r, struct sir_node *n)
{
	static const struct { const char *name; enum sir_class cls; } classes[] = {
		{ "common", SIR_CLASS_COMMON }, { "module", SIR_CLASS_MODULE },
		{ "static", SIR_CLASS_STATIC }, { "dummy", SIR_CLASS_DUMMY },
		{ "local", SIR_CLASS_LOCAL }, { "heap", SIR_CLASS_HEAP },
	};
	struct sir_array a = { .name = attr(r, "name"), .type = attr(r, "type"),
		.scope = attr(r, "scope"), .xml_line = xmlSAX2GetLineNumber(r->ctxt) };
	const char *cls = attr(r, "class"), *access = attr(r, "access");
	uint64_t line = 0;

	attr_number(r, "nelts", 10, UINT64_MAX, &a.nelts);
	attr_number(r, "line", 10, INT_MAX, &line);
	if (r->failed)
		return;
	if (!a.name || !*a.name) {
		fail(r, "<array> without a name");
		return;
	}
	a.line = (int)line;
	for (size_t i = 0; cls && i < sizeof classes / sizeof classes[0]; i++)
		if (strcmp(cls, classes[i].name) == 0)
			a.cls = classes[i].cls;
	if (!access)
		a.access = SIR_ACCESS_UNSAID;
	else if (strspn(access, "rw") != strlen(access))
		fail(r, "access=\"%.40s\" is none of \"r\", \"w\", \"rw\", \"\"", access);
	else
		a.access = (strchr(access, 'r') ? SIR_READ : 0u)
			| (strchr(access, 'w') ? SIR_WRITE : 0u);
	if (attr(r, "index"))
		a.access |= SIR_INDEXED;
	if (!r->failed && model_array(r->model, n, &a) < 0)
		nomem(r);
}

static void read_record(struct reader *r, struct sir_node *n)
{
	struct sir_record record = { .type = attr(r, "type"), .array = attr(r, "array") };
	const char *used = attr(r, "used");
	uint64_t size = 0, members = 0;
	int good;

	attr_number(r, "size", 10, INT_MAX, &size);
	attr_number(r, "members", 10, INT_MAX, &members);
	if (r->failed)
		return;
	if (!record.type || !size || !members || !used) {
		fail(r, "<record> without a type, a size, members or used");
		return;
	}
	record.size = (uint32_t)size;
	record.members = (uint32_t)members;
	good = model_record_used(r->model, used, &record);
	if (good > 0)
		good = model_record(r->model, n, &record) < 0 ? -1 : 1;
	if (good < 0)
		nomem(r);
	else if (!good)
		fail(r,
			"used=\"%.40s\" is neither \"*\" nor a list of offset:size:name inside %u bytes", used, record.size);
}

static void read_copy(struct reader *r, struct sir_node *n)
{
	struct sir_copy copy = { .callee = attr(r, "for") };
	uint64_t line = 0;

	attr_number(r, "line", 10, INT_MAX, &line);
	copy.line = (int)line;
	if (!r->failed && copy_of_word(attr(r, "of"), &copy.of) &&
	    model_copy(r->model, n, &copy) < 0)
		nomem(r);
}

static void read_file(struct reader *r, struct sir_node *n)
{
	const char *name = attr(r, "name");

	if (name)
		n->r.file = name;
}

/* The kind of a child element; -1: unknown there, to be ignored. */
static int known(const struct open_element *in, const char *name)
{
	bool unit = in->element == EL_UNIT, region = in->element == EL_REGION;

	if (in->element == EL_ROOT && strcmp(name, "source") == 0)
		return EL_SOURCE;
	if ((in->element == EL_ROOT || unit) && strcmp(name, "unit") == 0)
		return EL_UNIT;
	if ((unit || region) && strcmp(name, "codeRegion") == 0)
		return EL_REGION;
	if ((unit || region) && strcmp(name, "position") == 0)
		return EL_POSITION;
	if ((unit || region) && strcmp(name, "array") == 0)
		return EL_ARRAY;
	if ((unit || region) && strcmp(name, "record") == 0)
		return EL_RECORD;
	if ((unit || region) && strcmp(name, "copy") == 0)
		return EL_COPY;
	if (in->element == EL_POSITION && strcmp(name, "file") == 0)
		return EL_FILE;
	return -1;
}

static void start_element(void *user, const xmlChar *local, const xmlChar *prefix,
	const xmlChar *uri, int nnamespaces, const xmlChar **namespaces, int nattrs, int ndefaulted,
	const xmlChar **attrs)
{
	struct reader *r = user;
	const char *name = (const char *)local;
	struct open_element *in = r->depth ? &r->stack[r->depth - 1] : NULL, f = { EL_ROOT, NULL };
	int what;

	(void)prefix, (void)uri, (void)nnamespaces, (void)namespaces, (void)ndefaulted;
	if (r->failed)
		return;
	r->attrs = attrs;
	r->nattrs = nattrs;
	what = in ? known(in, name) : EL_ROOT;
	if (r->skip || what < 0) {
		r->skip++;
		return;
	}
	if (r->depth == MAX_DEPTH) {
		fail(r, "elements nest deeper than %d", MAX_DEPTH);
		return;
	}
	f.element = (enum element)what;
	f.node = in ? in->node : NULL;
	switch (f.element) {
	case EL_ROOT:
		read_root(r, name);
		break;
	case EL_SOURCE:
		read_source(r);
		break;
	case EL_UNIT:
	case EL_REGION:
		f.node = read_region(r, f.node, f.element == EL_UNIT);
		break;
	case EL_POSITION:
		read_position(r, f.node);
		break;
	case EL_FILE:
		read_file(r, f.node);
		break;
	case EL_ARRAY:
		read_array(r, f.node);
		break;
	case EL_RECORD:
		read_record(r, f.node);
		break;
	case EL_COPY:
		read_copy(r, f.node);
		break;
	}
	r->stack[r->depth++] = f;
}

static void end_element(void *user, const xmlChar *local, const xmlChar *prefix,
	const xmlChar *uri)
{
	struct reader *r = user;
	const struct open_element *f;

	(void)local, (void)prefix, (void)uri;
	if (r->failed)
		return;
	if (r->skip) {
		r->skip--;
		return;
	}
	f = &r->stack[--r->depth];
	if (r->brief && f->element == EL_UNIT && !f->node->parent
	    && model_gather(r->model, f->node) < 0)
		nomem(r);
}

static void doctype(void *user, const xmlChar *name, const xmlChar *external,
	const xmlChar *system)
{
	(void)name, (void)external, (void)system;
	fail(user, "a document type declaration is not read");
}

/* Keeps the first error: later ones are mostly its consequences.  libxml2 2.12 made it const. */
#if LIBXML_VERSION >= 21200
static void malformed(void *user, const xmlError *e)
#else
static void malformed(void *user, xmlErrorPtr e)
#endif
{
	struct reader *r = user;
	const char *text = e->message ? e->message : "malformed";
	int len = (int)strcspn(text, "\n");

	if (r->failed || e->level < XML_ERR_ERROR)
		return;
	if (e->code == XML_ERR_NO_MEMORY) {
		nomem(r);
		return;
	}
	err_set(r->err, "%s:%d: %.*s", r->where, e->line, len > 400 ? 400 : len, text);
	r->failed = true;
}

int xml_read(struct sir_model *m, const char *where, const char *text, size_t len,
	const uint64_t *fragment, struct err *err)
{
	struct reader r = { .model = m, .where = where, .fragment = fragment, .err = err };
	bool well;

	if (len > INT_MAX)
		return err_set(err, "%s: longer than %d bytes", where, INT_MAX);
	r.ctxt = xmlNewParserCtxt();
	if (!r.ctxt)
		return err_nomem(err);
	memset(r.ctxt->sax, 0, sizeof *r.ctxt->sax);
	r.ctxt->sax->initialized = XML_SAX2_MAGIC;
	r.ctxt->sax->internalSubset = doctype;
	r.ctxt->sax->startElementNs = start_element;
	r.ctxt->sax->endElementNs = end_element;
	r.ctxt->sax->serror = malformed;
	r.ctxt->userData = &r;
	/* NOENT: predefined entities such as &lt; in attributes become characters; no others can be
	 * declared. */
	xmlFreeDoc(xmlCtxtReadMemory(r.ctxt, text, (int)len, where, fragment ? "UTF-8" : NULL,
		XML_PARSE_NONET | XML_PARSE_NOENT));
	well = r.ctxt->wellFormed;
	if (!r.failed && !well)
		err_set(err, "%s: not an XML document, or out of memory", where);
	xmlFreeParserCtxt(r.ctxt);
	return !r.failed && well ? 0 : -1;
}
