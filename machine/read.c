/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a model file.  Everything in it is checked, and every error has its line: a number that is
 * silently misread falsifies a whole analysis. */
#include "machine/local.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "machine/elements.h"

static int read_sharing(const struct reader *r, xmlNodePtr n, const struct machine_flat *f,
	struct machine_level *l)
{
	if (element_choice(r, n, "shared", machine_shared_names, 4, MACHINE_SHARED_CPU,
	    &l->shared) < 0)
		return -1;
	if (l->shared == MACHINE_SHARED_CPU || l->shared == MACHINE_SHARED_ALL) {
		l->cpus = l->shared == MACHINE_SHARED_CPU ? 1 : f->ncpus;
		if (!element_has(n, "cpus"))
			return 0;
	}
	return element_number(r, n, "cpus", 65536, &l->cpus);
}

static int read_options(const struct reader *r, xmlNodePtr n, struct machine_level *l)
{
	if (element_choice(r, n, "index", machine_index_names, 2, 0, &l->physical) < 0
	    || element_choice(r, n, "replacement", machine_replacement_names, 3, MACHINE_LRU,
			&l->replacement) < 0
	    || element_choice(r, n, "inclusion", machine_inclusion_names, 3, MACHINE_INDEPENDENT,
			&l->inclusion) < 0
	    || element_choice(r, n, "prefetch", machine_prefetch_names, 3, MACHINE_NO_PREFETCH,
			&l->prefetch) < 0)
		return -1;
	l->degree = l->prefetch != MACHINE_NO_PREFETCH;
	if (!element_has(n, "degree"))
		return 0;
	if (!l->prefetch)
		return element_complain(r, n, "degree without prefetch");
	return element_number(r, n, "degree", 1000, &l->degree);
}

/* Reads what a line costs beyond the latency, as far as it is given. */
static int read_line(const struct reader *r, xmlNodePtr n, struct machine_line *line)
{
	static const char *const names[] = { "walk", "read", "write" };
	double *const values[] = { &line->walk, &line->read, &line->write };

	for (int i = 0; i < 3; i++) {
		if (!element_has(n, names[i]))
			continue;
		if (element_real(r, n, names[i], 1000000, values[i]) < 0)
			return -1;
		if (*values[i] == 0)
			return element_complain(r, n, "%s=\"0\" is no cost; leave it out",
				names[i]);
	}
	return 0;
}

static int read_cache(const struct reader *r, xmlNodePtr n, struct machine *m)
{
	static const char *const attributes[] = { "level", "size", "ways", "line", "shared", "cpus",
		"latency", "walk", "read", "write", "index", "replacement", "inclusion", "prefetch",
		"degree", NULL };
	struct machine_flat *f = &m->flat;
	struct machine_level *l = &f->level[f->nlevels];
	uint64_t line = 0;

	if (element_only(r, n, attributes) < 0)
		return -1;
	if (f->ncpus == 0)
		return element_complain(r, n, "<cache> before <cpus>");
	if (f->nlevels == MACHINE_LEVELS)
		return element_complain(r, n, "more than %d cache levels", MACHINE_LEVELS);
	*l = (struct machine_level){ 0 };
	if (element_number(r, n, "level", 9, &l->level) < 0
	    || element_size(r, n, "size", (uint64_t)1 << 40, &l->size) < 0
	    || element_number(r, n, "ways", 1024, &l->assoc) < 0
	    || element_size(r, n, "line", 4096, &line) < 0
	    || element_number(r, n, "latency", 1000000, &l->latency) < 0
	    || read_line(r, n, &m->line[f->nlevels]) < 0
	    || read_sharing(r, n, f, l) < 0 || read_options(r, n, l) < 0)
		return -1;
	l->line = (uint32_t)line;
	if (l->size / ((uint64_t)l->assoc * l->line) > UINT32_MAX)
		return element_complain(r, n, "L%u has too many sets", l->level);
	l->sets = (uint32_t)(l->size / ((uint64_t)l->assoc * l->line));
	f->nlevels++;
	return 0;
}

static int read_cpus(const struct reader *r, xmlNodePtr n, struct machine *m)
{
	static const char *const attributes[] = { "count", "sockets", "misses", "threads", NULL };
	struct machine_flat *f = &m->flat;

	if (f->ncpus)
		return element_complain(r, n, "<cpus> twice");
	if (element_only(r, n, attributes) < 0 || element_number(r, n, "count", 65536, &f->ncpus) <
	    0)
		return -1;
	if (element_has(n, "misses") && element_number(r, n, "misses", 1000, &m->misses) < 0)
		return -1;
	if (element_choice(r, n, "threads", machine_threads_names, 2, 0, &f->spread) < 0)
		return -1;
	f->sockets = 1;
	return element_has(n, "sockets") ? element_number(r, n, "sockets", f->ncpus, &f->sockets) :
		0;
}

static int read_tlb(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	static const char *const attributes[] = { "level", "entries", "ways", "page", "miss",
		NULL };
	struct machine_tlb *t = &f->tlb[f->ntlbs];
	uint64_t page = f->page_size;
	uint32_t level;
	struct err why;

	if (element_only(r, n, attributes) < 0 || element_number(r, n, "level", 9, &level) < 0)
		return -1;
	if (f->ntlbs == MACHINE_TLBS)
		return element_complain(r, n, "more than %d TLB levels", MACHINE_TLBS);
	if (level != f->ntlbs + 1)
		return element_complain(r, n, "TLB level %u where level %u is expected", level,
			f->ntlbs + 1);
	if (element_number(r, n, "entries", 1 << 20, &t->entries) < 0
	    || element_number(r, n, "miss", 1000000, &t->miss) < 0)
		return -1;
	t->ways = t->entries;
	if (element_has(n, "ways") && element_number(r, n, "ways", 1 << 20, &t->ways) < 0)
		return -1;
	if (element_has(n, "page") && element_size(r, n, "page", (uint64_t)1 << 30, &page) < 0)
		return -1;
	t->page = (uint32_t)page;
	f->ntlbs++;
	return machine_check_tlbs(f, &why) < 0 ? element_complain(r, n, "%s", why.text) : 0;
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
		return element_complain(r, n, "<%.40s> is not <node>", (const char *)n->name);
	if (element_only(r, n, attributes) < 0)
		return -1;
	if (row == nodes->count)
		return element_complain(r, n, "more <node> than the %u of <nodes>", nodes->count);
	text = element_text(n, "latency");
	if (!text)
		return element_complain(r, n, "<node> without latency");
	for (s = text; text_whole(s, 1000000, &v, &s) && v; got++) {
		if (got < nodes->count)
			nodes->latency[row][got] = (uint32_t)v;
		while (*s == ' ')
			s++;
	}
	if (*s || got != nodes->count) {
		element_complain(r, n, "latency=\"%.80s\" is not %u numbers of cycles", text,
			nodes->count);
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
		return element_complain(r, n, "<nodes> before <cpus>");
	if (nodes->count)
		return element_complain(r, n, "<nodes> twice");
	if (element_only(r, n, attributes) < 0
	    || element_number(r, n, "count", MACHINE_NODES, &nodes->count) < 0
	    || (element_has(n, "remote") && element_number(r, n, "remote", 1000000, &remote) < 0)
	    || (element_has(n, "threshold")
		&& element_number(r, n, "threshold", 1000000, &nodes->threshold) < 0))
		return -1;
	if (nodes->count < 2 || f->ncpus % nodes->count)
		return element_complain(r, n,
			"%u CPUs are not spread evenly over %u nodes, 2 or more", f->ncpus,
			nodes->count);
	nodes->cpus = f->ncpus / nodes->count;
	for (xmlNodePtr c = n->children; c; c = c->next)
		if (c->type == XML_ELEMENT_NODE && read_node(r, c, nodes, rows++) < 0)
			return -1;
	if (!remote == !rows || (rows && rows != nodes->count))
		return element_complain(r, n,
			"<nodes> has either remote or one <node> for each of the %u", nodes->count);
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

/* Reads the channels of a node: their number and the bytes after which
 * the next one's turn comes. */
static int read_channels(const struct reader *r, xmlNodePtr n, struct machine_flat *f)
{
	uint64_t interleave = 0;

	if (!element_has(n, "channels") && !element_has(n, "interleave"))
		return 0;
	if (element_number(r, n, "channels", MACHINE_MODULES, &f->channels) < 0
	    || element_size(r, n, "interleave", MACHINE_INTERLEAVE, &interleave) < 0)
		return -1;
	f->interleave = (uint32_t)interleave;
	return 0;
}

/* Reads <memory>; its line is kept apart, since the number of levels is not known yet. */
static int read_memory(const struct reader *r, xmlNodePtr n, struct machine_flat *f,
	struct machine_line *line)
{
	static const char *const attributes[] = { "latency", "walk", "read", "write", "channels",
		"interleave", NULL };

	if (f->memory_latency)
		return element_complain(r, n, "<memory> twice");
	if (element_only(r, n, attributes) < 0 || read_line(r, n, line) < 0 ||
	    read_channels(r, n, f) < 0)
		return -1;
	return element_number(r, n, "latency", 1000000, &f->memory_latency);
}

static int read_child(const struct reader *r, xmlNodePtr n, struct machine *m,
	struct machine_line *memory)
{
	const char *name = (const char *)n->name;

	if (strcmp(name, "cache") == 0)
		return read_cache(r, n, m);
	if (strcmp(name, "cpus") == 0)
		return read_cpus(r, n, m);
	if (strcmp(name, "tlb") == 0)
		return read_tlb(r, n, &m->flat);
	if (strcmp(name, "nodes") == 0)
		return read_nodes(r, n, &m->flat);
	if (strcmp(name, "memory") == 0)
		return read_memory(r, n, &m->flat, memory);
	return element_complain(r, n,
		"<%.40s> is none of <cpus>, <cache>, <tlb>, <memory>, <nodes>", name);
}

static int read_root(const struct reader *r, xmlNodePtr root, struct machine *m)
{
	static const char *const attributes[] = { "name", "title", "clock", "pages", "page",
		"write", NULL };
	static const char *const pages[] = { "first-touch", "virtual" };
	uint64_t page = 4096;

	if (strcmp((const char *)root->name, "machine") != 0)
		return element_complain(r, root, "root is <%.40s>, not <machine>", root->name);
	if (element_only(r, root, attributes) < 0)
		return -1;
	element_copy(root, "name", "", m->name, sizeof m->name);
	if (!m->name[0])
		return element_complain(r, root, "<machine> without name");
	element_copy(root, "title", m->name, m->title, sizeof m->title);
	if (element_clock(r, root, &m->ghz) < 0
	    || element_choice(r, root, "pages", pages, 2, 0, &m->flat.pages) < 0
	    || element_choice(r, root, "write", machine_write_names, 2, MACHINE_WRITE_UNTRACKED,
			&m->flat.write) < 0)
		return -1;
	if (element_has(root, "page")
	    && element_size(r, root, "page", (uint64_t)1 << 30, &page) < 0)
		return -1;
	m->flat.page_size = (uint32_t)page;
	m->flat.ghz = m->ghz;
	return 0;
}

static int read_document(const struct reader *r, xmlDocPtr doc, struct machine *m)
{
	xmlNodePtr root = xmlDocGetRootElement(doc), nodes = root, channels = root;
	struct machine_line memory = { 0 };
	struct err why;

	if (read_root(r, root, m) < 0)
		return -1;
	for (xmlNodePtr n = root->children; n; n = n->next) {
		if (n->type == XML_ELEMENT_NODE && read_child(r, n, m, &memory) < 0)
			return -1;
		/* Check each level here, so that errors have its line. */
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "cache") == 0) {
			struct machine part = *m;

			part.flat.memory_latency = UINT32_MAX;
			part.flat.spread = 0;
			machine_one_node(&part.flat);
			if (machine_check(&part, &why) < 0)
				return element_complain(r, n, "%s", why.text);
		}
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "nodes") == 0)
			nodes = n;
		if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "memory") == 0)
			channels = n;
	}
	if (m->flat.ncpus == 0)
		return element_complain(r, root, "<machine> without <cpus>");
	if (m->flat.nlevels == 0)
		return element_complain(r, root, "<machine> without <cache>");
	if (m->flat.memory_latency == 0)
		return element_complain(r, root, "<machine> without <memory>");
	m->line[m->flat.nlevels] = memory;
	complete_nodes(&m->flat);
	if (machine_check_nodes(&m->flat, &why) < 0)
		return element_complain(r, nodes, "%s", why.text);
	if (machine_check_channels(&m->flat, &why) < 0)
		return element_complain(r, channels, "%s", why.text);
	return machine_check(m, &why) < 0 ? element_complain(r, root, "%s", why.text) : 0;
}

int machine_read(struct machine *m, const char *name, struct err *err)
{
	char path[PATH_MAX];
	struct reader r = { path, err, false };
	struct machine read = { .ghz = 0 };
	xmlDocPtr doc;
	int ret;

	if (machine_find(name, path, sizeof path, err) < 0)
		return -1;
	doc = document_read(&r);
	if (!doc)
		return -1;
	ret = read_document(&r, doc, &read);
	xmlFreeDoc(doc);
	if (ret == 0) {
		snprintf(read.source, sizeof read.source, "%.*s", (int)sizeof read.source - 1,
			path);
		*m = read;
	}
	return ret;
}
