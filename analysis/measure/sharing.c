/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates coherence misses and memory nodes of a tally; describes the most contended lines. */
#include "analysis/measure/sharing.h"
#include "analysis/measure/record_use.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Share of last-level misses on an unknown node above which local and remote are undefined. */
#define UNPLACED 0.01

enum { LINES_SHOWN = 2, RUNS_SHOWN = 2, NAMES_SHOWN = 4 };
enum { LINES_MOST = 1 << 14 };  /* lines kept, of all objects */

/* --- counts ---------------------------------------------------------------------------------- */

void tally_add_nodes(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per)
{
	uint32_t cpus = m->ncpus ? m->ncpus : 1;
	uint32_t from = m->nodes.cpus ? row->thread % cpus / m->nodes.cpus : 0;

	for (uint32_t to = 0; to < m->nodes.count && from < m->nodes.count; to++) {
		uint32_t cycles = m->nodes.latency[from][to];
		double loads = per * (double)row->served[to][0];
		double all = loads + per * (double)row->served[to][1];

		*(to == from ? &t->local : &t->remote) += all;
		t->far_cycles += all * ((double)cycles - m->memory_latency);
		if (m->nodes.threshold && cycles >= m->nodes.threshold)
			t->far_loads += loads;
		for (int k = 0; k < TALLY_CLASSES && cycles >> k; k++)
			t->slow_loads[k] += loads;
	}
}

/* --- coherence misses ------------------------------------------------------------------------ */

double tally_coherence(const struct measurements *p, double misses)
{
	return p->unshared ? NAN : misses;
}

double tally_coherence_cycles(const struct measurements *p, double misses)
{
	const struct machine_flat *m = &p->machine->flat;
	uint32_t from = m->memory_latency;

	for (uint32_t l = m->nlevels; l-- > 0; )
		if (m->level[l].cpus > 1 || m->level[l].shared == MACHINE_SHARED_ALL)
			from = m->level[l].latency;
	return tally_coherence(p, misses) * ((double)from - m->level[0].latency);
}

/* --- memory nodes ---------------------------------------------------------------------------- */

static bool one_node(const struct measurements *p)
{
	return p->machine->flat.nodes.count <= 1;
}

static bool placed(const struct measurements *p, const struct tally *t)
{
	return p->placement == MON_PLACE_FAULTS &&
		t->unplaced <= UNPLACED * (t->local + t->remote + t->unplaced);
}

double tally_local(const struct measurements *p, const struct tally *t)
{
	if (one_node(p))
		return tally_misses(p, t, measured_last_level(p));
	return placed(p, t) ? t->local : NAN;
}

double tally_remote(const struct measurements *p, const struct tally *t)
{
	if (one_node(p))
		return 0;
	return placed(p, t) ? t->remote : NAN;
}

double tally_remote_loads(const struct measurements *p, const struct tally *t)
{
	if (one_node(p))
		return 0;
	return placed(p, t) ? t->far_loads : NAN;
}

double tally_slow_memory(const struct measurements *p, const struct tally *t, uint32_t cycles)
{
	const struct machine_flat *m = &p->machine->flat;
	double loads = m->nlevels ? t->load_miss[m->nlevels - 1] : t->loads;
	int k = 0;

	if (m->memory_latency >= cycles)
		return loads;
	if (one_node(p))
		return 0;
	while (UINT32_C(1) << k < cycles && k < TALLY_CLASSES - 1)
		k++;
	return placed(p, t) ? t->slow_loads[k] : NAN;
}

double tally_far_cycles(const struct measurements *p, const struct tally *t)
{
	return one_node(p) || !placed(p, t) ? 0 : t->far_cycles;
}

/* --- lines ----------------------------------------------------------------------------------- */

static int64_t unit_of(const struct mon_line *l)
{
	return l->bytes > 64 ? l->bytes / 64 : 1;
}

/* Writes "64-71+80-87": the bytes of the 64ths of the line, which begins at byte `from`, whose bits are set in mask. */
static void bytes_write(FILE *f, const struct mon_line *l, int64_t from, uint64_t mask)
{
	int64_t unit = unit_of(l);
	int runs = 0;

	for (int i = 0; i < 64; i++) {
		int n = i;

		while (n < 64 && mask >> n & 1)
			n++;
		if (n == i)
			continue;
		if (runs++ == RUNS_SHOWN) {
			fputs("+..", f);
			return;
		}
		fprintf(f, "%s%" PRId64 "-%" PRId64, runs > 1 ? "+" : "", from + i * unit,
			from + n * unit - 1);
		i = n;
	}
}

static bool is_among(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Writes the members of the records that the thread uses: their names as far as they are known, and ".." for the others. */
static int members_write(FILE *f, const struct measurements *p, const struct mon_line *l, uint32_t k, uint64_t mask)
{
	const char *written[NAMES_SHOWN];
	bool more = false;
	int names = 0;

	for (int i = 0; i < 64 && l->block[k]; i++) {
		const char *name = mask >> i & 1 ? record_member_at(p, l->object, l->in_block[k] + i * unit_of(l)) : NULL;

		if (!(mask >> i & 1) || (name && is_among(written, names, name)))
			continue;
		if (!name || names == NAMES_SHOWN) {
			more = true;
			continue;
		}
		fprintf(f, "%s%s", names ? ", " : " (", name);
		written[names++] = name;
	}
	if (names && more)
		fputs(", ..", f);
	return names;
}

static void notes_write(FILE *f, const struct measurements *p, const struct mon_line *l, uint32_t k, uint64_t mask,
	uint64_t base)
{
	int notes = members_write(f, p, l, k, mask);

	if (!l->block[k])
		fprintf(f, "%sof the line", notes++ ? ", " : " (");
	else if (l->block[k] != base)
		fprintf(f, "%sanother block", notes++ ? ", " : " (");
	if (notes)
		fputc(')', f);
}

/* Bytes are those of the block, of several of the first one in the line. */
static void line_write(FILE *f, const struct measurements *p, const struct mon_line *l)
{
	const uint32_t n = l->nthreads < 2 ? l->nthreads : 2;
	uint32_t first = 0;
	const char *between = "";

	if (n == 2 && l->block[1] && (!l->block[0] || l->block[1] < l->block[0]))
		first = 1;
	for (uint32_t k = 0; k < n; k++) {
		uint64_t mask = l->written[k] ? l->written[k] : l->read[k];

		if (!mask)
			continue;
		fprintf(f, "%sthread %u %s ", between, l->thread[k],
			l->written[k] ? "writes" : "reads");
		bytes_write(f, l, l->block[k] ? l->in_block[first] : 0, mask);
		notes_write(f, p, l, k, mask, l->block[first]);
		between = ", ";
	}
	if (l->nthreads > 2)
		fprintf(f, ", %u more", l->nthreads - 2);
}

/* The caller frees; NULL: memory. */
static char *describe_lines(const struct measurements *p, uint32_t object)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int shown = 0;

	if (!f)
		return NULL;
	for (uint32_t i = 0; i < p->nlines && shown < LINES_SHOWN; i++) {
		if (p->lines[i].object != object)
			continue;
		fputs(shown++ ? "; " : "bytes: ", f);
		line_write(f, p, &p->lines[i]);
	}
	fclose(f);
	return text;
}

static int by_misses(const void *a, const void *b)
{
	const struct mon_line *x = a, *y = b;
	uint64_t mx = x->false_sharing + x->true_sharing, my = y->false_sharing + y->true_sharing;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (mx != my)
		return mx > my ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

int sharing_lines(struct measurements *p, const struct mon_result *r)
{
	struct mon_line *grown;

	if (!r->nlines)
		return 0;
	grown = realloc(p->lines, (p->nlines + r->nlines) * sizeof *grown);
	if (!grown)
		return -1;
	p->lines = grown;
	for (uint32_t i = 0; i < r->nlines; i++) {
		uint32_t k = 0;

		if (r->lines[i].object >= p->nobjects)
			continue;
		while (k < p->nlines && (grown[k].object != r->lines[i].object ||
				grown[k].offset != r->lines[i].offset))
			k++;
		if (k == LINES_MOST)
			continue;
		grown[k] = r->lines[i];
		p->nlines += k == p->nlines;
	}
	qsort(grown, p->nlines, sizeof *grown, by_misses);
	for (uint32_t i = 0; i < p->nlines; i++) {
		struct measured_object *o = &p->objects[grown[i].object];

		if (i && grown[i].object == grown[i - 1].object)
			continue;
		free(o->where);
		o->where = describe_lines(p, grown[i].object);
		if (!o->where)
			return -1;
	}
	return 0;
}

void sharing_free(struct measurements *p)
{
	free(p->lines);
	for (uint32_t i = 0; i < p->nobjects; i++)
		free(p->objects[i].where);
}

const char *sharing_where(const struct measurements *p, uint32_t object)
{
	const char *where = object < p->nobjects ? p->objects[object].where : NULL;

	return where ? where : "the bytes were not recorded";
}
