/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a machine model as XML. */
#include "machine/local.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/user_file.h"
#include "base/xml_text.h"

/* With the largest suffix that keeps it exact. */
void machine_size_attribute(struct buf *b, const char *name, uint64_t size)
{
	static const char *const suffix[] = { "", "KiB", "MiB", "GiB" };
	unsigned i = 0;

	while (i < 3 && size && size % 1024 == 0) {
		size /= 1024;
		i++;
	}
	buf_printf(b, " %s=\"%" PRIu64 "%s\"", name, size, suffix[i]);
}

/* A decimal number with at most six digits after the point, by integers:
 * printf follows the locale. */
void machine_decimal(struct buf *b, double value)
{
	uint64_t v = (uint64_t)(value * 1e6 + 0.5);
	char text[48];
	size_t n;

	snprintf(text, sizeof text, "%" PRIu64 ".%06" PRIu64, v / 1000000, v % 1000000);
	for (n = strlen(text); text[n - 1] == '0'; n--)
		text[n - 1] = '\0';
	if (text[n - 1] == '.')
		text[n - 1] = '\0';
	buf_puts(b, text);
}

static void clock_attribute(struct buf *b, double ghz)
{
	buf_puts(b, " clock=\"");
	machine_decimal(b, ghz);
	buf_puts(b, "GHz\"");
}

static void line_attributes(struct buf *b, const struct machine_line *line)
{
	static const char *const names[] = { "walk", "read", "write" };
	const double values[] = { line->walk, line->read, line->write };

	for (int i = 0; i < 3; i++) {
		if (values[i] == 0)
			continue;
		buf_printf(b, " %s=\"", names[i]);
		machine_decimal(b, values[i]);
		buf_puts(b, "\"");
	}
}

static void level_element(struct buf *b, const struct machine_level *l,
	const struct machine_line *line)
{
	buf_printf(b, "  <cache level=\"%u\"", l->level);
	machine_size_attribute(b, "size", l->size);
	buf_printf(b, " ways=\"%u\" line=\"%u\" shared=\"%s\"", l->assoc, l->line,
		machine_shared_names[l->shared]);
	if (l->shared == MACHINE_SHARED_CORE || l->shared == MACHINE_SHARED_SOCKET)
		buf_printf(b, " cpus=\"%u\"", l->cpus);
	buf_printf(b, " latency=\"%u\"", l->latency);
	line_attributes(b, line);
	if (l->physical)
		xml_attribute(b, "index", machine_index_names[1]);
	if (l->replacement)
		xml_attribute(b, "replacement", machine_replacement_names[l->replacement]);
	if (l->inclusion)
		xml_attribute(b, "inclusion", machine_inclusion_names[l->inclusion]);
	if (l->prefetch) {
		xml_attribute(b, "prefetch", machine_prefetch_names[l->prefetch]);
		buf_printf(b, " degree=\"%u\"", l->degree);
	}
	buf_puts(b, "/>\n");
}

static void nodes_element(struct buf *b, const struct machine_nodes *n)
{
	bool uniform = true;

	if (n->count == 1)
		return;
	for (uint32_t i = 0; i < n->count; i++)
		for (uint32_t k = 0; k < n->count; k++)
			uniform &= i == k || n->latency[i][k] == n->latency[0][1];
	buf_printf(b, "  <nodes count=\"%u\"", n->count);
	if (uniform)
		buf_printf(b, " remote=\"%u\"", n->latency[0][1]);
	buf_printf(b, " threshold=\"%u\"%s>\n", n->threshold, uniform ? "/" : "");
	for (uint32_t i = 0; !uniform && i < n->count; i++) {
		buf_puts(b, "    <node latency=\"");
		for (uint32_t k = 0; k < n->count; k++)
			buf_printf(b, "%s%u", k ? " " : "", n->latency[i][k]);
		buf_puts(b, "\"/>\n");
	}
	if (!uniform)
		buf_puts(b, "  </nodes>\n");
}

static void compose(const struct machine *m, struct buf *b)
{
	const struct machine_flat *f = &m->flat;

	buf_puts(b, XML_HEAD "<machine");
	xml_attribute(b, "name", m->name);
	xml_attribute(b, "title", m->title);
	clock_attribute(b, m->ghz);
	xml_attribute(b, "pages", f->pages == MACHINE_PAGES_VIRTUAL ? "virtual" : "first-touch");
	machine_size_attribute(b, "page", f->page_size);
	if (f->write)
		xml_attribute(b, "write", machine_write_names[f->write]);
	buf_printf(b, ">\n  <cpus count=\"%u\"", f->ncpus);
	if (f->sockets > 1)
		buf_printf(b, " sockets=\"%u\"", f->sockets);
	if (m->misses)
		buf_printf(b, " misses=\"%u\"", m->misses);
	if (f->spread)
		xml_attribute(b, "threads", machine_threads_names[1]);
	buf_puts(b, "/>\n");
	for (uint32_t i = 0; i < f->nlevels; i++)
		level_element(b, &f->level[i], &m->line[i]);
	for (uint32_t i = 0; i < f->ntlbs; i++) {
		const struct machine_tlb *t = &f->tlb[i];

		buf_printf(b, "  <tlb level=\"%u\" entries=\"%u\" ways=\"%u\"", i + 1, t->entries,
			t->ways);
		machine_size_attribute(b, "page", t->page);
		buf_printf(b, " miss=\"%u\"/>\n", t->miss);
	}
	buf_printf(b, "  <memory latency=\"%u\"", f->memory_latency);
	line_attributes(b, &m->line[f->nlevels]);
	if (f->channels) {
		buf_printf(b, " channels=\"%u\"", f->channels);
		machine_size_attribute(b, "interleave", f->interleave);
	}
	buf_puts(b, "/>\n");
	nodes_element(b, &f->nodes);
	buf_puts(b, "</machine>\n");
}

int machine_write(const struct machine *m, const char *path, struct err *err)
{
	struct buf b = BUF_INIT;
	int rc;

	if (machine_check(m, err) < 0)
		return -1;
	compose(m, &b);
	rc = output_write(path ? path : "-", &b, err);
	buf_free(&b);
	return rc;
}
