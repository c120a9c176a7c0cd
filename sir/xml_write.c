/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a program's structure as XML. */
#include "sir/model.h"
#include "base/xml_text.h"

#include <inttypes.h>
#include <string.h>

#define NAMESPACE "http://www.lrr.in.tum.de/Periscope"

static void indent(struct buf *out, unsigned depth)
{
	buf_printf(out, "%*s", (int)(2 * depth), "");
}

static void print_array(const struct sir_array *a, unsigned depth, struct buf *out)
{
	static const char *const classes[] = {
		[SIR_CLASS_UNKNOWN] = NULL, [SIR_CLASS_COMMON] = "common",
		[SIR_CLASS_MODULE] = "module", [SIR_CLASS_STATIC] = "static",
		[SIR_CLASS_DUMMY] = "dummy", [SIR_CLASS_LOCAL] = "local", [SIR_CLASS_HEAP] = "heap",
	};
	static const char *const access[] = { "", "r", "w", "rw" };

	indent(out, depth);
	buf_puts(out, "<array");
	xml_attribute(out, "name", a->name);
	xml_attribute(out, "type", a->type);
	buf_printf(out, " nelts=\"%" PRIu64 "\"", a->nelts);
	if (!(a->access & SIR_ACCESS_UNSAID))
		xml_attribute(out, "access", access[a->access & (SIR_READ | SIR_WRITE)]);
	xml_attribute(out, "scope", a->scope);
	xml_attribute(out, "class", classes[a->cls]);
	xml_attribute(out, "index", a->access & SIR_INDEXED ? "loaded" : NULL);
	if (a->line)
		buf_printf(out, " line=\"%d\"", a->line);
	buf_puts(out, "/>\n");
}

static void print_copy(const struct sir_copy *c, unsigned depth, struct buf *out)
{
	indent(out, depth);
	buf_puts(out, "<copy");
	xml_attribute(out, "of", copy_word(c->of));
	xml_attribute(out, "for", c->callee);
	if (c->line)
		buf_printf(out, " line=\"%d\"", c->line);
	buf_puts(out, "/>\n");
}

static void print_record(const struct sir_record *r, unsigned depth, struct buf *out)
{
	struct buf used = BUF_INIT;

	record_used_print(r, &used);
	indent(out, depth);
	buf_puts(out, "<record");
	xml_attribute(out, "type", r->type);
	xml_attribute(out, "array", r->array);
	buf_printf(out, " size=\"%" PRIu32 "\" members=\"%" PRIu32 "\"", r->size, r->members);
	xml_attribute(out, "used", buf_str(&used));
	buf_puts(out, "/>\n");
	out->failed |= used.failed;
	buf_free(&used);
}

/* index: the pair of the unit's own hash; alias: all others. */
static void print_hooks(const struct sir_region *r, uint64_t hash, struct buf *out)
{
	const struct sir_hook *own = NULL;
	const char *sep = " alias=\"";

	for (uint32_t i = 0; i < r->nat && !own; i++)
		if (r->at[i].hash == hash)
			own = &r->at[i];
	if (own)
		buf_printf(out, " index=\"%" PRIu32 "\"", own->index);
	if (r->hooks)
		buf_printf(out, " hook=\"%s%s%s\"", r->hooks & SIR_HOOK_MARKER ? "marker" : "",
			r->hooks == (SIR_HOOK_MARKER | SIR_HOOK_PHASE) ? " " : "",
			r->hooks & SIR_HOOK_PHASE ? "phase" : "");
	xml_attribute(out, "refuse", r->refuse);
	xml_attribute(out, "own", r->unrecorded ? "unrecorded" : NULL);
	xml_attribute(out, "math", r->math);
	for (uint32_t i = 0; i < r->nat; i++)
		if (&r->at[i] != own) {
			buf_printf(out, "%s%016" PRIx64 ":%" PRIu32, sep, r->at[i].hash,
				r->at[i].index);
			sep = " ";
		}
	if (*sep && !sep[1])
		buf_puts(out, "\"");
}

static void print_region(const struct sir *s, const struct sir_region *r, uint64_t hash,
	unsigned depth, struct buf *out)
{
	const char *element = r->unit_type ? "unit" : "codeRegion";

	indent(out, depth);
	buf_printf(out, "<%s", element);
	xml_attribute(out, "type", r->unit_type ? r->unit_type : r->kind);
	xml_attribute(out, "datascopeclause", r->clause);
	xml_attribute(out, "name", r->name);
	xml_attribute(out, "symbol", r->symbol);
	xml_attribute(out, "id", r->ident);
	if (r->parent == SIR_NONE && hash)
		buf_printf(out, " hash=\"%016" PRIx64 "\"", hash);
	print_hooks(r, hash, out);
	buf_puts(out, ">\n");
	indent(out, depth + 1);
	buf_puts(out, "<position");
	if (r->line)
		buf_printf(out, " startLine=\"%d\" endLine=\"%d\"", r->line, r->end_line);
	buf_puts(out, "><file");
	xml_attribute(out, "name", r->file);
	buf_puts(out, "/></position>\n");
	for (uint32_t i = 0; i < r->narrays; i++)
		print_array(&r->arrays[i], depth + 1, out);
	for (uint32_t i = 0; i < r->nrecords; i++)
		print_record(&r->records[i], depth + 1, out);
	for (uint32_t i = 0; i < r->ncopies; i++)
		print_copy(&r->copies[i], depth + 1, out);
	for (uint32_t c = r->child; c != SIR_NONE; c = s->regions[c].next)
		print_region(s, &s->regions[c], hash, depth + 1, out);
	indent(out, depth);
	buf_printf(out, "</%s>\n", element);
}

/* The language of all, or NULL: a program in several has none, its sources say theirs. */
static const char *common_language(const struct sir *s)
{
	const char *l = s->nsources ? s->sources[0].language : NULL;

	for (uint32_t i = 1; l && i < s->nsources; i++)
		if (!s->sources[i].language || strcmp(l, s->sources[i].language) != 0)
			l = NULL;
	return l;
}

void sir_print(const struct sir *s, struct buf *out)
{
	buf_puts(out, XML_HEAD "<sir");
	xml_attribute(out, "language", common_language(s));
	buf_puts(out, " xmlns=\"" NAMESPACE "\">\n");
	for (uint32_t i = 0; i < s->nsources; i++) {
		const struct sir_source *f = &s->sources[i];

		buf_puts(out, "  <source");
		xml_attribute(out, "name", f->name ? f->name : "");
		if (f->hash)
			buf_printf(out, " hash=\"%016" PRIx64 "\"", f->hash);
		xml_attribute(out, "language", f->language);
		xml_attribute(out, "dir", f->dir);
		xml_attribute(out, "compiler", f->compiler);
		if (f->unoptimised || f->vectors)
			xml_attribute(out, "optimize", f->vectors ? "vector" : "none");
		buf_puts(out, "/>\n");
	}
	for (uint32_t i = 0; i < s->nregions; i++)
		if (s->regions[i].parent == SIR_NONE)
			print_region(s, &s->regions[i], s->sources[s->regions[i].source].hash, 1,
				out);
	buf_puts(out, "</sir>\n");
}
