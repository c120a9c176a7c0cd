/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates coherence misses and memory nodes of a tally; keeps the most contended lines. */
#include "analysis/measure/sharing.h"

#include <math.h>
#include <stdlib.h>

/* Share of last-level misses on an unknown node above which local and remote are undefined. */
#define UNPLACED 0.01

enum {
	LINES_MOST = 1 << 14,           /* lines kept, of all objects */
	SCALAR = 16                     /* bytes of one variable at most; properties/model.asl:
					 * SCALAR_BYTES */
};

/* --- counts ---------------------------------------------------------------------------------- */

void tally_add_nodes(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per)
{
	const uint32_t from = row->node;

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
	return p->placement != MON_PLACE_UNKNOWN &&
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
	return 0;
}

/* NULL: no line of the object costs coherence misses. */
static const struct mon_line *worst_line(const struct measurements *p, uint32_t object)
{
	for (uint32_t i = 0; i < p->nlines; i++)
		if (p->lines[i].object == object)
			return &p->lines[i];
	return NULL;
}

/* The parts of the line that several threads write. */
static uint64_t updated(const struct mon_line *l)
{
	uint64_t once = 0, again = 0;

	for (uint32_t k = 0; k < l->nthreads && k < MON_LINE_THREADS; k++) {
		again |= once & l->written[k];
		once |= l->written[k];
	}
	return again;
}

uint32_t sharing_locks(const struct measurements *p, uint32_t object)
{
	const struct mon_line *l = worst_line(p, object);

	return l ? l->nlocks : 0;
}

uint32_t sharing_locks_updated(const struct measurements *p, uint32_t object)
{
	const struct mon_line *l = worst_line(p, object);

	return l ? l->nupdated : 0;
}

uint32_t sharing_updated(const struct measurements *p, uint32_t object)
{
	const struct mon_line *l = worst_line(p, object);
	uint32_t unit = l && l->bytes > 64 ? l->bytes / 64 : 1;

	return l ? (uint32_t)__builtin_popcountll(updated(l)) * unit : 0;
}

unsigned sharing_kind_of(const struct measurements *p, uint32_t object, unsigned kind)
{
	const struct mon_line *l = worst_line(p, object);
	uint32_t bytes = sharing_updated(p, object);

	if (!l)
		return kind;
	if (kind == KIND_TRUE_SHARING)
		return l->nupdated || (bytes && bytes <= SCALAR) ? (unsigned)KIND_CONTENTION : kind;
	return l->locks && (kind == KIND_FALSE_SHARING || kind == MEMORY_SHARING) ?
		(unsigned)KIND_LOCK : kind;
}

void sharing_free(struct measurements *p)
{
	free(p->lines);
}
