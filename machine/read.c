/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a model file.  Everything in it is checked, and every error has its line: a number that is
 * silently misread falsifies a whole analysis. */
#include "machine/local.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#define MAX_FILE (1 << 20)

struct reader {
	const char *path;
	struct err *err;
	bool malformed;         /* the XML is malformed; err is set */
};

static int complain(const struct reader *r, xmlNodePtr n, const char *fmt, ...) PSC_PRINTF(3, 4);

static int complain(const struct reader *r, xmlNodePtr n, const char *fmt, ...)
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

static bool whole(const char *s, uint64_t max, uint64_t *value, const char **end)
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

/* The text of an attribute; NULL: absent.  Free it with xmlFree(). */
static char *text_of(xmlNodePtr n, const char *name)
{
	return (char *)xmlGetNoNsProp(n, (const xmlChar *)name);
}

static bool has(xmlNodePtr n, const char *name)
{
	return xmlHasProp(n, (const xmlChar *)name) != NULL;
}

static int read_number(const struct reader *r, xmlNodePtr n, const char *name, uint32_t max,
	uint32_t *value)
{
	char *s = text_of(n, name);
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return complain(r, n, "<%s> without %s", n->name, name);
	if (!whole(s, max, &v, &end) || *end || v == 0)
		ret = complain(r, n, "%s=\"%.40s\" is not a number from 1 to %u", name, s, max);
	else
		*value = (uint32_t)v;
	xmlFree(s);
	return ret;
}

static int read_size(const struct reader *r, xmlNodePtr n, const char *name, uint64_t max,
	uint64_t *value)
{
	static const struct { const char *suffix; unsigned shift; } units[] = {
		{ "", 0 }, { "B", 0 }, { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 },
	};
	char *s = text_of(n, name);
	const char *end;
	uint64_t v, product = 0;
	int ret;

	if (!s)
		return complain(r, n, "<%s> without %s", n->name, name);
	if (whole(s, (uint64_t)1 << 32, &v, &end)) {
		while (*end == ' ')
			end++;
		for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
			if (strcmp(end, units[i].suffix) == 0)
				product = v << units[i].shift;
	}
	ret = product && product <= max ? 0
		: complain(r, n, "%s=\"%.40s\" is not a size such as \"256KiB\"", name, s);
	if (ret == 0)
		*value = product;
	xmlFree(s);
	return ret;
}

static int read_clock(const struct reader *r, xmlNodePtr n, double *ghz)
{
	char *s = text_of(n, "clock");
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return complain(r, n, "<%s> without clock", n->name);
	if (!millionths(s, &v, &end) || (strcmp(end, "GHz") != 0 && strcmp(end, "MHz") != 0))
		ret = complain(r, n, "clock=\"%.40s\" is not a clock such as \"1.3GHz\"", s);
	else
		*ghz = (double)v / (*end == 'G' ? 1e6 : 1e9);
	xmlFree(s);
	return ret;
}

/* Reads one of names[] as its number; an absent attribute has the value `missing`. */
static int read_choice(const struct reader *r, xmlNodePtr n, const char *name,
	const char *const *names, uint32_t nnames, uint32_t missing, uint32_t *value)
{
	char *s = text_of(n, name), all[128] = "";
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
		ret = complain(r, n, "%s=\"%.40s\" is none of %s", name, s, all);
	}
	xmlFree(s);
	return ret;
}

static void copy_text(xmlNodePtr n, const char *name, const char *missing, char *out, size_t size)
{
	char *s = text_of(n, name);

	snprintf(out, size, "%s", s ? s : missing);
	xmlFree(s);
}

/* --- elements -------------------------------------------------------------------------------- */

static int only(const struct reader *r, xmlNodePtr n, const char *const *names)
{
	for (xmlAttrPtr a = n->properties; a; a = a->next) {
		const char *const *p = names;

		while (*p && strcmp(*p, (const char *)a->name) != 0)
			p++;
		if (!*p)
			return complain(r, n, "<%s> has no attribute %.40s", n->name,
				(const char *)a->name);
	}
	return 0;
}

static int read_sharing(const struct reader *r, xmlNodePtr n, const struct machine_flat *f,
	struct machine_level *l)
{
	if (read_choice(r, n, "shared", machine_shared_names, 4, MACHINE_SHARED_CPU, &l->shared) < 0)
		return -1;
	if (l->shared == MACHINE_SHARED_CPU || l->shared == MACHINE_SHARED_ALL) {
		l->cpus = l->shared == MACHINE_SHARED_CPU ? 1 : f->ncpus;
		if (!has(n, "cpus"))
			return 0;
	}
	return read_number(r, n, "cpus", 65536, &l->cpus);
}

static int read_options(const struct reader *r, xmlNodePtr n, struct machine_level *l)
{
	if (read_choice(r, n, "replacement", machine_replacement_names, 3, MACHINE_LRU,
			&l->replacement) < 0
	    || read_choice(r, n, "inclusion", machine_inclusion_names, 3, MACHINE_INDEPENDENT,
			&l->inclusion) < 0
	    || read_choice(r, n, "prefetch", machine_prefetch_names, 3, MACHINE_NO_PREFETCH,
			&l->prefetch) < 0)
		return -1;
	l->degree = l->prefetch != MACHINE_NO_PREFETCH;
	if (!has(n, "degree"))
		return 0;
	if (!l->prefetch)
		return complain(r, n, "degree without prefetch");
	return read_number(r, n, "degree", 1000, &l->degree);
}

static int read_cache(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const attributes[] = { "level", "size", "ways", "line", "shared", "cpus",
		"latency", "replacement", "inclusion", "prefetch", "degree", NULL };
	struct machine_level *l = &f->level[f->nlevels];
	uint64_t line = 0;

	if (only(r, n, attributes) < 0)
		return -1;
	if (f->ncpus == 0)
		return complain(r, n, "<cache> before <cpus>");
	if (f->nlevels == MACHINE_LEVELS)
		return complain(r, n, "more than %d cache levels", MACHINE_LEVELS);
	*l = (struct machine_level){ 0 };
	if (read_number(r, n, "level", 9, &l->level) < 0
	    || read_size(r, n, "size", (uint64_t)1 << 40, &l->size) < 0
	    || read_number(r, n, "ways", 1024, &l->assoc) < 0
	    || read_size(r, n, "line", 4096, &line) < 0
	    || read_number(r, n, "latency", 1000000, &l->latency) < 0
	    || read_sharing(r, n, f, l) < 0 || read_options(r, n, l) < 0)
		return -1;
	l->line = (uint32_t)line;
	if (l->size / ((uint64_t)l->assoc * l->line) > UINT32_MAX)
		return complain(r, n, "L%u has too many sets", l->level);
	l->sets = (uint32_t)(l->size / ((uint64_t)l->assoc * l->line));
	f->nlevels++;
	return 0;
}

static int read_cpus(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const attributes[] = { "count", "sockets", NULL };

	if (f->ncpus)
		return complain(r, n, "<cpus> twice");
	if (only(r, n, attributes) < 0 || read_number(r, n, "count", 65536, &f->ncpus) < 0)
		return -1;
	f->sockets = 1;
	return has(n, "sockets") ? read_number(r, n, "sockets", f->ncpus, &f->sockets) : 0;
}

static int read_tlb(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const attributes[] = { "level", "entries", "ways", "page", "miss", NULL };
	struct machine_tlb *t = &f->tlb[f->ntlbs];
	uint64_t page = f->page_size;
	uint32_t level;
	struct err why;

	if (only(r, n, attributes) < 0 || read_number(r, n, "level", 9, &level) < 0)
		return -1;
	if (f->ntlbs == MACHINE_TLBS)
		return complain(r, n, "more than %d TLB levels", MACHINE_TLBS);
	if (level != f->ntlbs + 1)
		return complain(r, n, "TLB level %u where level %u is expected", level, f->ntlbs + 1);
	if (read_number(r, n, "entries", 1 << 20, &t->entries) < 0
	    || read_number(r, n, "miss", 1000000, &t->miss) < 0)
		return -1;
	t->ways = t->entries;
	if (has(n, "ways") && read_number(r, n, "ways", 1 << 20, &t->ways) < 0)
		return -1;
	if (has(n, "page") && read_size(r, n, "page", (uint64_t)1 << 30, &page) < 0)
		return -1;
	t->page = (uint32_t)page;
	f->ntlbs++;
	return machine_check_tlbs(f, &why) < 0 ? complain(r, n, "%s", why.text) : 0;
}

/* Reads a row of the latency table: cycles to each node, separated by spaces. */
static int read_node(const struct reader *r, xmlNodePtr n, struct machine_nodes *nodes,
	uint32_t row)
{
	static const char *const attributes[] = { "latency", NULL };
	char *text;
	const char *s;
	uint32_t got = 0;
	uint64_t v;

	if (strcmp((const char *)n->name, "node") != 0)
		return complain(r, n, "<%.40s> is not <node>", (const char *)n->name);
	if (only(r, n, attributes) < 0)
		return -1;
	if (row == nodes->count)
		return complain(r, n, "more <node> than the %u of <nodes>", nodes->count);
	text = text_of(n, "latency");
	if (!text)
		return complain(r, n, "<node> without latency");
	for (s = text; whole(s, 1000000, &v, &s) && v; got++) {
		if (got < nodes->count)
			nodes->latency[row][got] = (uint32_t)v;
		while (*s == ' ')
			s++;
	}
	if (*s || got != nodes->count) {
		complain(r, n, "latency=\"%.80s\" is not %u numbers of cycles", text, nodes->count);
		got = 0;
	}
	xmlFree(text);
	return got ? 0 : -1;
}

/* Reads <nodes>: either all other nodes are equally remote, or there is a row for each node.  The
 * diagonal of the first form is filled in by complete_nodes(), after <memory> was read. */
static int read_nodes(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const attributes[] = { "count", "remote", "threshold", NULL };
	struct machine_nodes *nodes = &f->nodes;
	uint32_t rows = 0, remote = 0;

	if (f->ncpus == 0)
		return complain(r, n, "<nodes> before <cpus>");
	if (nodes->count)
		return complain(r, n, "<nodes> twice");
	if (only(r, n, attributes) < 0
	    || read_number(r, n, "count", MACHINE_NODES, &nodes->count) < 0
	    || (has(n, "remote") && read_number(r, n, "remote", 1000000, &remote) < 0)
	    || (has(n, "threshold")
		&& read_number(r, n, "threshold", 1000000, &nodes->threshold) < 0))
		return -1;
	if (nodes->count < 2 || f->ncpus % nodes->count)
		return complain(r, n, "%u CPUs are not spread evenly over %u nodes, 2 or more",
			f->ncpus, nodes->count);
	nodes->cpus = f->ncpus / nodes->count;
	for (xmlNodePtr c = n->children; c; c = c->next)
		if (c->type == XML_ELEMENT_NODE && read_node(r, c, nodes, rows++) < 0)
			return -1;
	if (!remote == !rows || (rows && rows != nodes->count))
		return complain(r, n, "<nodes> has either remote or one <node> for each of the %u",
			nodes->count);
	for (uint32_t i = 0; remote && i < nodes->count; i++)
		for (uint32_t k = 0; k < nodes->count; k++)
			nodes->latency[i][k] = i == k ? 0 : remote;
	return 0;
}

/* Fills in what depends on other elements: the latency of local memory, and the nearest other node
 * as the default threshold. */
static void complete_nodes(struct machine_flat *f)
{
	struct machine_nodes *n = &f->nodes;
	uint32_t least = UINT32_MAX;

	if (!n->count) {
		machine_one_node(f);
		return;
	}
	for (uint32_t i = 0; i < n->count; i++)
		for (uint32_t k = 0; k < n->count; k++)
			if (i == k && !n->latency[i][k])
				n->latency[i][k] = f->memory_latency;
			else if (i != k && n->latency[i][k] < least)
				least = n->latency[i][k];
	if (!n->threshold)
		n->threshold = least;
}

static int read_child(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const memory[] = { "latency", NULL };
	const char *name = (const char *)n->name;

	if (strcmp(name, "cache") == 0)
		return read_cache(r, n, f);
	if (strcmp(name, "cpus") == 0)
		return read_cpus(r, n, f);
	if (strcmp(name, "tlb") == 0)
		return read_tlb(r, n, f);
	if (strcmp(name, "nodes") == 0)
		return read_nodes(r, n, f);
	if (strcmp(name, "memory") == 0) {
		if (f->memory_latency)
			return complain(r, n, "<memory> twice");
		return only(r, n, memory) < 0 ? -1
			: read_number(r, n, "latency", 1000000, &f->memory_latency);
	}
	return complain(r, n, "<%.40s> is none of <cpus>, <cache>, <tlb>, <memory>, <nodes>", name);
}

static int read_root(const struct reader *r, xmlNodePtr root, struct machine *m)
{
	static const char *const attributes[] = { "name", "title", "clock", "pages", "page", "write",
		NULL };
	static const char *const pages[] = { "first-touch", "virtual" };
	uint64_t page = 4096;

	if (strcmp((const char *)root->name, "machine") != 0)
		return complain(r, root, "root is <%.40s>, not <machine>", root->name);
	if (only(r, root, attributes) < 0)
		return -1;
	copy_text(root, "name", "", m->name, sizeof m->name);
	if (!m->name[0])
		return complain(r, root, "<machine> without name");
	copy_text(root, "title", m->name, m->title, sizeof m->title);
	if (read_clock(r, root, &m->ghz) < 0
	    || read_choice(r, root, "pages", pages, 2, 0, &m->flat.pages) < 0
	    || read_choice(r, root, "write", machine_write_names, 2, MACHINE_WRITE_UNTRACKED,
			&m->flat.write) < 0)
		return -1;
	if (has(root, "page")
	    && read_size(r, root, "page", (uint64_t)1 << 30, &page) < 0)
		return -1;
	m->flat.page_size = (uint32_t)page;
	m->flat.ghz = m->ghz;
	return 0;
}

static int read_document(const struct reader *r, xmlDocPtr doc, struct machine *m)
{
	xmlNodePtr root = xmlDocGetRootElement(doc), nodes = root;
	struct err why;

	if (doc->intSubset)
		return err_set(r->err, "%s:1: a document type declaration is not read", r->path);
	if (read_root(r, root, m) < 0)
		return -1;
	for (xmlNodePtr n = root->children; n; n = n->next) {
		if (n->type == XML_ELEMENT_NODE && read_child(r, n, &m->flat) < 0)
			return -1;
		/* Check each level here, so that errors have its line. */
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "cache") == 0) {
			struct machine part = *m;

			part.flat.memory_latency = UINT32_MAX;
			machine_one_node(&part.flat);
			if (machine_check(&part, &why) < 0)
				return complain(r, n, "%s", why.text);
		}
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "nodes") == 0)
			nodes = n;
	}
	if (m->flat.ncpus == 0)
		return complain(r, root, "<machine> without <cpus>");
	if (m->flat.nlevels == 0)
		return complain(r, root, "<machine> without <cache>");
	if (m->flat.memory_latency == 0)
		return complain(r, root, "<machine> without <memory>");
	complete_nodes(&m->flat);
	if (machine_check_nodes(&m->flat, &why) < 0)
		return complain(r, nodes, "%s", why.text);
	return machine_check(m, &why) < 0 ? complain(r, root, "%s", why.text) : 0;
}

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

int machine_read(struct machine *m, const char *name, struct err *err)
{
	char path[PATH_MAX], *text;
	struct reader r = { path, err, false };
	struct machine read = { .ghz = 0 };
	xmlDocPtr doc;
	size_t len;
	int ret = -1;

	if (machine_find(name, path, sizeof path, err) < 0)
		return -1;
	text = slurp(path, &len, err);
	if (!text)
		return -1;
	doc = parse(&r, text, len);
	free(text);
	if (doc)
		ret = read_document(&r, doc, &read);
	xmlFreeDoc(doc);
	if (ret == 0) {
		snprintf(read.source, sizeof read.source, "%.*s", (int)sizeof read.source - 1, path);
		*m = read;
	}
	return ret;
}
