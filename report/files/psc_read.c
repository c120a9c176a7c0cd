/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads property files: ours completely, the original Periscope's as far as our model has their
 * fields. The file is not trusted: no network access, no document type (hence no entities), bounded
 * size. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/file_kind.h"
#include "report/model/fields.h"
#include "report/model/figures.h"

#define FILE_LIMIT ((size_t)256 << 20)

struct reader {
	const char *path;
	struct report *r;
	struct arena *arena;
	struct err *err;
	bool nomem;             /* an allocation failed: the result is incomplete */
};

static int fail(struct reader *rd, const xmlNode *at, const char *what)
{
	return err_set(rd->err, "%s:%ld: %s", rd->path, xmlGetLineNo(at), what);
}

/* --- helpers ------------------------------------------------------------------------------- */

static const char *keep(struct reader *rd, xmlChar *s)
{
	const char *copy = s ? arena_strdup(rd->arena, (const char *)s) : NULL;

	if (s && !copy)
		rd->nomem = true;
	xmlFree(s);
	return copy;
}

static const char *attribute(struct reader *rd, const xmlNode *n, const char *name)
{
	return keep(rd, xmlGetNoNsProp((xmlNode *)n, (const xmlChar *)name));
}

static const char *trimmed(struct reader *rd, const xmlNode *n)
{
	const char *s = keep(rd, xmlNodeGetContent((xmlNode *)n));
	size_t len;

	if (!s)
		return NULL;
	s += strspn(s, " \t\r\n");
	len = strlen(s);
	while (len && strchr(" \t\r\n", s[len - 1]))
		len--;
	s = arena_strndup(rd->arena, s, len);
	if (!s)
		rd->nomem = true;
	return s;
}

static bool own(const xmlNode *n)
{
	return n->ns && strcmp((const char *)n->ns->href, REPORT_OWN_NAMESPACE) == 0;
}

static bool is(const xmlNode *n, bool ours, const char *name)
{
	return n->type == XML_ELEMENT_NODE && own(n) == ours &&
		strcmp((const char *)n->name, name) == 0;
}

static const xmlNode *find(const xmlNode *parent, bool ours, const char *name)
{
	for (const xmlNode *n = parent->children; n; n = n->next)
		if (is(n, ours, name))
			return n;
	return NULL;
}

static int count(const xmlNode *parent, bool ours, const char *name)
{
	int k = 0;

	for (const xmlNode *n = parent->children; n; n = n->next)
		k += is(n, ours, name);
	return k;
}

static int parse_real(const char *s, double *v)
{
	char *end;

	errno = 0;
	*v = strtod(s, &end);
	return end == s || *end ? -1 : 0;
}

static int parse_int(const char *s, int64_t *v)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(s, &end, 10);
	if (end == s || *end || errno)
		return -1;
	*v = n;
	return 0;
}

static int parse_small(const char *s, int *v)
{
	int64_t n;

	if (!s || parse_int(s, &n) < 0 || n < INT_MIN || n > INT_MAX)
		return -1;
	*v = (int)n;
	return 0;
}

/* --- our elements -------------------------------------------------------------------------- */

static int set_field(struct reader *rd, const struct field *f, void *obj, const char *s)
{
	struct report_series series;
	double real;
	int64_t n;

	switch (f->kind) {
	case FIELD_TEXT:
	case FIELD_OPTIONAL:
	case FIELD_NAME:
		return field_set_text(f, obj, s);
	case FIELD_REAL:
		if (parse_real(s, &real) < 0)
			return -1;
		field_set_real(f, obj, real);
		return 0;
	case FIELD_REGION:
		return field_set_int(f, obj, region_type_from_name(s));
	case FIELD_OUTCOME:
		return field_set_int(f, obj, report_outcome_from_name(s));
	case FIELD_SERIES:
		if (series_parse(rd->arena, s, &series) < 0)
			return -1;
		field_set_series(f, obj, &series);
		return 0;
	default:
		return parse_int(s, &n) < 0 ? -1 : field_set_int(f, obj, n);
	}
}

static int read_fields(struct reader *rd, const xmlNode *n, const struct field *table, void *obj)
{
	fields_clear(table, obj);
	for (const struct field *f = table; f->name; f++) {
		const char *s = attribute(rd, n, f->name);

		if (s && set_field(rd, f, obj, s) < 0)
			return err_set(rd->err, "%s:%ld: <%s>: %s=\"%s\" is not a value", rd->path,
				xmlGetLineNo(n), (const char *)n->name, f->name, s);
	}
	return 0;
}

/* Reads the rows of a list that are inside an element. */
static int read_list(struct reader *rd, const xmlNode *parent, const struct list *l, void *obj)
{
	const struct row_type *type = l->type;
	int n = count(parent, true, type->element), i = 0;
	char *rows = arena_array(rd->arena, (size_t)n, type->size);

	if (!rows)
		return err_nomem(rd->err);
	for (const xmlNode *c = parent->children; c && (l->number != LIST_ONE || i < 1);
	     c = c->next) {
		void *row = rows + (size_t)i * type->size;
		const char *wrong;

		if (!is(c, true, type->element))
			continue;
		if (read_fields(rd, c, type->fields, row) < 0)
			return -1;
		for (const struct list *in = type->lists; in->name; in++)
			if (read_list(rd, c, in, row) < 0)
				return -1;
		wrong = type->wrong ? type->wrong(row) : NULL;
		if (wrong)
			return err_set(rd->err, "%s:%ld: <%s>: %s", rd->path, xmlGetLineNo(c),
				type->element, wrong);
		i++;
	}
	list_set(l, obj, rows, type == &site_rows ?
		report_sites_join((struct report_site *)(void *)rows, i) : i);
	return 0;
}

static int read_notes(struct reader *rd, const xmlNode *n)
{
	struct report *r = rd->r;

	r->notes = arena_array(rd->arena, (size_t)count(n, true, "note"), sizeof *r->notes);
	if (!r->notes)
		return err_nomem(rd->err);
	for (const xmlNode *c = n->children; c; c = c->next)
		if (is(c, true, "note")) {
			const char *s = keep(rd, xmlNodeGetContent((xmlNode *)c));

			r->notes[r->nnotes++] = s ? s : "";
		}
	return 0;
}

static int read_analysis(struct reader *rd, const xmlNode *n)
{
	struct report *r = rd->r;
	const xmlNode *phase = find(n, true, "phase");
	int rc;

	if (read_fields(rd, n, report_fields, r) < 0)
		return -1;
	if (phase && (read_fields(rd, phase, node_fields, &r->phase) < 0 ||
			read_fields(rd, phase, phase_fields, r) < 0))
		return -1;
	if (read_notes(rd, n) < 0)
		return -1;
	for (const struct list *l = report_lists; l->name; l++)
		if (l->type->element && read_list(rd, n, l, r) < 0)
			return -1;
	r->ncosts = report_costs_join(rd->arena, r->costs, r->ncosts);
	if (r->ncosts < 0)
		return err_nomem(rd->err);
	report_thread_rows_keep(r);
	report_timelines_keep(r);
	rc = r->problems.n ? report_problems_link(r) : 0;
	if (rc < 0)
		return err_nomem(rd->err);
	if (rc)
		return fail(rd, n, "<problem>: a number is of no finding of it");
	return 0;
}

/* --- Periscope's elements ------------------------------------------------------------------ */

/* "7-511" is property 511 of group 7. */
static int property_number(const char *id)
{
	const char *dash = id ? strrchr(id, '-') : NULL;
	int n;

	return parse_small(dash ? dash + 1 : id, &n) < 0 ? 0 : n;
}

/* The attribute Region is a name in files, but a number in the schema; newer writers use
 * RegionType. */
static enum region_type region_type(struct reader *rd, const xmlNode *context)
{
	const char *s = attribute(rd, context, "Region");
	int n;

	if (!s)
		s = attribute(rd, context, "RegionType");
	if (!s)
		return REGION_UNKNOWN;
	if (parse_small(s, &n) == 0)
		return strcmp(region_type_name(n), "UNKNOWN_REGION") == 0 ? REGION_UNKNOWN :
			(enum region_type)n;
	return (enum region_type)region_type_from_name(s);
}

static int keep_ranks(struct reader *rd, const struct rank_set *set, struct report_finding *f)
{
	struct rank_run *run = arena_array(rd->arena, (size_t)set->n, sizeof *run);

	if (!run)
		return err_nomem(rd->err);
	if (set->n)
		memcpy(run, set->run, (size_t)set->n * sizeof *run);
	f->processes = run;
	f->nruns = set->n;
	return 0;
}

static int read_processes(struct reader *rd, const xmlNode *context, struct report_finding *f)
{
	struct rank_set set = { NULL, 0, 0 };
	int rc = 0;

	for (const xmlNode *c = context->children; c && !rc; c = c->next) {
		int v;

		if (!is(c, false, "execObj"))
			continue;
		if (parse_small(attribute(rd, c, "process"), &v) < 0)
			rc = fail(rd, c, "<execObj>: process is not a number");
		else if (v >= 0 && ranks_add_one(&set, v))
			rc = err_nomem(rd->err);
	}
	f->nprocesses = (int)ranks_count(set.run, set.n);
	if (!rc)
		rc = keep_ranks(rd, &set, f);
	ranks_free(&set);
	return rc;
}

/* The attributes `ranks` and `processes` say more than the list of execObj, which files of the
 * original Periscope have alone; the schema demands an execObj even where there is no process. */
static int read_ranks(struct reader *rd, const xmlNode *figures, struct report_finding *f)
{
	const char *processes = attribute(rd, figures, "processes"), *ranks = attribute(rd, figures,
		"ranks");
	struct rank_set set = { NULL, 0, 0 };
	int n = -1, rc = 0;

	if (processes && (parse_small(processes, &n) < 0 || n < 0))
		return fail(rd, figures, "<figures>: processes is not a number");
	if (ranks) {
		rc = ranks_parse(&set, ranks) ? fail(rd, figures,
			"<figures>: ranks is no list of ranks") :
			keep_ranks(rd, &set, f);
		f->nprocesses = n >= 0 ? n : (int)ranks_count(set.run, set.n);
	}
	if (n == 0)
		f->nprocesses = f->nruns = 0;
	ranks_free(&set);
	return rc;
}

static int read_context(struct reader *rd, const xmlNode *n, struct report_finding *f)
{
	struct report_node *place = arena_alloc(rd->arena, sizeof *place);
	const char *line = attribute(rd, n, "RFL"), *file = attribute(rd, n, "FileName");

	if (!place)
		return err_nomem(rd->err);
	fields_clear(node_fields, place);
	place->type = region_type(rd, n);
	place->file = file ? file : "";
	place->holds = true;
	if (line && parse_small(line, &place->line) < 0)
		return fail(rd, n, "<context>: RFL is not a number");
	f->path = place;
	f->npath = 1;
	return read_processes(rd, n, f);
}

/* Reads the original's additional figures as one line: "CallTime 1088778, PhaseTime 6590359". */
static int read_info(struct reader *rd, const xmlNode *n, struct report_finding *f)
{
	struct buf b = BUF_INIT;

	for (const xmlNode *c = n->children; c; c = c->next) {
		const char *s;

		if (c->type != XML_ELEMENT_NODE || own(c))
			continue;
		s = trimmed(rd, c);
		buf_printf(&b, "%s%s %s", b.len ? ", " : "", (const char *)c->name, s ? s : "");
	}
	if (b.len)
		f->info = arena_strdup(rd->arena, buf_str(&b));
	if (b.failed || (b.len && !f->info))
		rd->nomem = true;
	buf_free(&b);
	return 0;
}

static int read_number(struct reader *rd, const xmlNode *parent, const char *name, double scale,
	double *v)
{
	const xmlNode *n = find(parent, false, name);
	const char *s = n ? trimmed(rd, n) : NULL;
	double value;

	if (!s)
		return 0;
	if (parse_real(s, &value) < 0)
		return err_set(rd->err, "%s:%ld: <%s>: \"%s\" is not a number", rd->path,
			xmlGetLineNo(n), name, s);
	*v = value * scale;
	return 0;
}

static int read_own_info(struct reader *rd, const xmlNode *figures, const xmlNode *info,
	struct report_finding *f)
{
	const xmlNode *path = find(info, true, "path");
	const char *name = f->property;

	if (read_fields(rd, figures, finding_fields, f) < 0)
		return -1;
	if (!*f->property)
		f->property = name;     /* ours is missing: take the element that viewers read */
	if (read_ranks(rd, figures, f) < 0)
		return -1;
	for (const struct list *l = finding_rows.lists; l->name; l++) {
		const xmlNode *parent = l->type == &node_rows ? path : info;

		if (parent && read_list(rd, parent, l, f) < 0)
			return -1;
	}
	return 0;
}

static int read_property(struct reader *rd, const xmlNode *n, struct report_finding *f)
{
	const xmlNode *name = find(n, false, "name"), *context = find(n, false, "context");
	const xmlNode *info = find(n, false, "addInfo");
	const xmlNode *figures = info ? find(info, true, "figures") : NULL;
	const char *s = name ? trimmed(rd, name) : NULL;

	fields_clear(finding_fields, f);
	if (!s || !*s)
		return fail(rd, n, "<property> without <name>");
	if (!context)
		return fail(rd, n, "<property> without <context>");
	f->property = s;
	f->number = property_number(attribute(rd, n, "ID"));
	if (read_context(rd, context, f) < 0 ||
			read_number(rd, n, "severity", 0.01, &f->severity_share) < 0 ||
			read_number(rd, n, "confidence", 1, &f->confidence) < 0)
		return -1;
	if (figures)
		return read_own_info(rd, figures, info, f);
	return info ? read_info(rd, info, f) : 0;
}

/* Reads date and time, which are local time in Periscope's files. */
static void read_when(struct reader *rd, const xmlNode *root)
{
	const xmlNode *date = find(root, false, "date"), *clock = find(root, false, "time");
	const char *d = date ? trimmed(rd, date) : NULL, *c = clock ? trimmed(rd, clock) : NULL;
	struct tm tm = { .tm_isdst = -1 };

	if (!d || sscanf(d, "%4d-%2d-%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday) != 3)
		return;
	if (c && sscanf(c, "%2d:%2d:%2d", &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 3)
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	rd->r->when = (int64_t)mktime(&tm);
}

static int read_head(struct reader *rd, const xmlNode *root)
{
	static const char *const counts[] = { "numProcs", "numThreads" };
	int *const to[] = { &rd->r->nprocs, &rd->r->nthreads };
	const xmlNode *n;

	read_when(rd, root);
	for (int i = 0; i < 2; i++) {
		n = find(root, false, counts[i]);
		if (n && parse_small(trimmed(rd, n), to[i]) < 0)
			return err_set(rd->err, "%s:%ld: <%s> is not a number", rd->path,
				xmlGetLineNo(n), counts[i]);
	}
	n = find(root, false, "dir");
	rd->r->directory = n ? trimmed(rd, n) : NULL;
	n = find(root, false, "sir");
	rd->r->executable = n ? trimmed(rd, n) : NULL;
	return 0;
}

/* Our elements in the namespace of another version would be taken for
 * foreign ones, and left out. */
static int check_version(struct reader *rd, const xmlNode *root)
{
	static const char own_name[] = REPORT_OWN_NAMESPACE;
	const size_t n = sizeof own_name - sizeof REPORT_PSC_VERSION;

	for (const xmlNs *ns = root->nsDef; ns; ns = ns->next) {
		const char *name = (const char *)ns->href;

		if (name && strncmp(name, own_name, n) == 0 && strcmp(name, own_name) != 0)
			return err_set(rd->err,
				"%s:%ld: a property file of version %s; this program reads version "
				REPORT_PSC_VERSION, rd->path, xmlGetLineNo(root), name + n);
	}
	return 0;
}

static int read_root(struct reader *rd, const xmlNode *root)
{
	const xmlNode *analysis = find(root, true, "report");
	struct report *r = rd->r;

	if (!is(root, false, "Experiment"))
		return err_set(rd->err, "%s:%ld: root is <%s>, not <Experiment>", rd->path,
			xmlGetLineNo(root), (const char *)root->name);
	if (check_version(rd, root) < 0 || read_head(rd, root) < 0)
		return -1;
	r->findings = arena_array(rd->arena, (size_t)count(root, false, "property"),
		sizeof *r->findings);
	if (!r->findings)
		return err_nomem(rd->err);
	for (const xmlNode *n = root->children; n; n = n->next)
		if (is(n, false, "property") && read_property(rd, n, &r->findings[r->nfindings++]) <
		    0)
			return -1;
	if (analysis && read_analysis(rd, analysis) < 0)
		return -1;
	/* Without problems it is no file of ours, or has none. */
	return !r->problems.n && report_finish(r) ? err_nomem(rd->err) : 0;
}

/* --- the file ------------------------------------------------------------------------------ */

static int read_file(const char *path, struct buf *text, struct err *err)
{
	FILE *in = fopen(path, "rbe");
	char chunk[16384];
	size_t n;
	int rc = 0;

	if (!in)
		return err_sys(err, "%s", path);
	while (rc == 0 && (n = fread(chunk, 1, sizeof chunk, in)) > 0) {
		buf_add(text, chunk, n);
		if (text->failed)
			rc = err_nomem(err);
		else if (text->len > FILE_LIMIT)
			rc = err_set(err, "%s: larger than %zu MiB", path, FILE_LIMIT >> 20);
	}
	if (rc == 0 && ferror(in))
		rc = err_sys(err, "%s", path);
	fclose(in);
	return rc;
}

/* Says what a file is that is no XML. */
static int check_kind(const char *path, const struct buf *text, struct err *err)
{
	const char *kind = file_kind(buf_str(text), text->len);

	if (!kind)
		return 0;
	return err_set(err, "%s: %s, not a property file (.psc), as psc_frontend writes it%s%s",
		path, kind, strstr(kind, "ELF") ? ": analyse the program with psc_frontend --app " :
		"", strstr(kind, "ELF") ? path : "");
}

/* Called for <!DOCTYPE ...>: stops the parser. */
static void refuse_doctype(void *ctx, const xmlChar *name, const xmlChar *external,
	const xmlChar *system)
{
	xmlParserCtxt *c = ctx;

	(void)name;
	(void)external;
	(void)system;
	*(bool *)c->_private = true;
	xmlStopParser(c);
}

static xmlDoc *parse(const char *path, const struct buf *text, struct err *err)
{
	xmlParserCtxt *ctx = xmlNewParserCtxt();
	bool doctype = false;
	xmlDoc *doc;

	if (!ctx) {
		err_nomem(err);
		return NULL;
	}
	ctx->_private = &doctype;
	ctx->sax->internalSubset = refuse_doctype;
	doc = xmlCtxtReadMemory(ctx, text->data ? text->data : "", (int)text->len, path, NULL,
		XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA |
		XML_PARSE_BIG_LINES);
	if (doctype) {
		xmlFreeDoc(doc);
		doc = NULL;
		err_set(err, "%s: a document type is not accepted", path);
	} else if (!doc) {
		const xmlError *e = xmlCtxtGetLastError(ctx);
		const char *what = e && e->message ? e->message : "not XML";

		err_set(err, "%s:%d: %.*s", path, e ? e->line : 1, (int)strcspn(what, "\n"), what);
	}
	xmlFreeParserCtxt(ctx);
	return doc;
}

struct report *report_psc_read(const char *path, struct err *err)
{
	struct reader rd = { .path = path, .err = err };
	struct buf text = BUF_INIT;
	xmlDoc *doc = NULL;

	if (read_file(path, &text, err) == 0 && check_kind(path, &text, err) == 0)
		doc = parse(path, &text, err);
	buf_free(&text);
	if (!doc)
		return NULL;
	rd.r = report_new();
	if (!rd.r) {
		err_nomem(err);
		goto free_doc;
	}
	rd.arena = rd.r->arena;
	if (read_root(&rd, xmlDocGetRootElement(doc)) < 0 || rd.nomem) {
		if (rd.nomem)
			err_nomem(err);
		report_free(rd.r);
		rd.r = NULL;
	}
free_doc:
	xmlFreeDoc(doc);
	return rd.r;
}
