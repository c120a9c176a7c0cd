/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the shares of the processor's samples into rows of counts. */
#include "config.h"
#include "foreign/hardware_samples.h"

enum {
	ENOUGH = 25 /* samples of a cell from which its shares count: an error of a fifth at most */
};
#define TOLD 0.9 /* what a smaller part of the samples tells is not used */

static uint64_t part_of(uint64_t count, double part)
{
	return (uint64_t)((double)count * part + 0.5);
}

/* What a cell with enough samples says of an operation; the thread's own goes first.  NULL: there
 * is none. */
static const struct hardware_side *side_of(
	const struct hardware_samples *h, const struct mon_count_row *row, int op)
{
	const struct hardware_cell *own =
		hardware_cell_find(h, row->thread, row->context, row->object);
	const struct hardware_cell *all =
		hardware_cell_find(h, MON_ANY, row->context, row->object);

	if (own && own->side[op].samples >= ENOUGH)
		return &own->side[op];
	return all && all->side[op].samples >= ENOUGH ? &all->side[op] : NULL;
}

/* The classes of an operation's misses are those of the model, in its proportions. */
static void scale_classes(struct mon_count_row *row, uint32_t level, int op, double by)
{
	uint64_t *const class[][2] = {
		{ row->stream_load, row->stream_store },
		{ row->strided_load, row->strided_store },
		{ row->branch_load, row->branch_store },
		{ row->control_load, row->control_store },
		{ row->chained_load, row->chained_store },
		{ row->coherent_load, row->coherent_store },
	};

	for (size_t i = 0; i < sizeof class / sizeof *class; i++)
		class[i][op][level] = part_of(class[i][op][level], by);
}

static void scale_level(struct mon_count_row *row, uint32_t level, double by)
{
	uint64_t *const count[] = { row->fetched, row->walks, row->crowded, row->conflict,
		row->capacity };

	for (size_t i = 0; i < sizeof count / sizeof *count; i++)
		count[i][level] = part_of(count[i][level], by);
}

static void put_groups(
	float group[MON_GROUPS], const struct hardware_side *side, uint32_t level, uint64_t misses)
{
	for (int g = 0; g < MON_GROUPS; g++)
		group[g] = side->miss[level] > 0 ?
			(float)((double)misses * side->group[level][g] / side->miss[level]) :
			0;
}

/* Of where the data of too many samples were, only that the first level did not have them is known:
 * the farther levels' misses stay the model's, as far as the first level has so many. */
static bool tells(const struct hardware_side *side, uint32_t level)
{
	return !level || side->beyond <= (1 - TOLD) * side->weight;
}

static void limit_level(struct mon_count_row *row, uint32_t level, int op)
{
	uint64_t *miss = op ? row->store_miss : row->load_miss;

	if (miss[level] > miss[level - 1])
		miss[level] = miss[level - 1];
}

static void put_level(
	struct mon_count_row *row, const struct hardware_side *side, uint32_t level, int op)
{
	uint64_t *miss = op ? &row->store_miss[level] : &row->load_miss[level];
	const uint64_t before = *miss;

	*miss = part_of(op ? row->stores : row->loads, side->miss[level] / side->weight);
	scale_classes(row, level, op, before ? (double)*miss / (double)before : 0);
	put_groups(row->group[level][op], side, level, *miss);
}

/* Misses of the last level by memory node, as rows have it: of the node of the row's thread, or of
 * another one.  `far`: [n] of node n, seen from another node. */
static void put_served(const struct hardware_samples *h, struct mon_count_row *row, int op,
	const double far[MACHINE_NODES], double all)
{
	const struct machine_flat *m = &h->machine;
	const uint32_t last = m->nlevels - 1, own = row->node;
	const uint64_t misses = op ? row->store_miss[last] : row->load_miss[last];
	uint64_t left = misses;

	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		row->served[n][op] = 0;
	/* A thread that ran on another node than the model's saw its memory as far. */
	for (uint32_t n = 0; n < MACHINE_NODES; n++) {
		const uint32_t to = n < m->nodes.count && n != own ? n : (own + 1) % m->nodes.count;
		uint64_t part = part_of(misses, far[n] / all);

		part = part < left ? part : left;
		row->served[to][op] += part;
		left -= part;
	}
	row->served[own][op] += left;
}

/* Both words of the same samples, for the report to compare. */
static void put_both(
	const struct hardware_side *side, struct mon_count_row *row, uint64_t misses, double missed)
{
	double both = 0;

	for (int k = 0; k <= MON_FAR - MON_NEAR; k++)
		both += side->both[k];
	for (int k = 0; k <= MON_FAR - MON_NEAR && both > 0 && both >= TOLD * missed; k++)
		row->sampled[MON_NEAR + k] += (float)((double)misses * side->both[k] / both);
}

/* The node of the page beside that of the CPU; where it is not known, the unit's word, which does
 * not tell which other node: the next one stands for all. */
static void put_nodes(const struct hardware_samples *h, struct mon_count_row *row,
	const struct hardware_side *side, int op)
{
	const struct machine_flat *m = &h->machine;
	const uint32_t last = m->nlevels - 1, own = row->node;
	const double unit = side->by_unit[0] + side->by_unit[1], missed = side->miss[last];
	double far[MACHINE_NODES] = { 0 }, pages = side->own;

	if (m->nodes.count <= 1 || !tells(side, last) || !(missed > 0) || own >= m->nodes.count)
		return;
	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		pages += side->by_page[n];
	if (pages >= TOLD * missed) {
		put_served(h, row, op, side->by_page, pages);
	} else if (unit >= TOLD * missed) {
		far[(own + 1) % m->nodes.count] = side->by_unit[1];
		put_served(h, row, op, far, unit);
	}
	put_both(side, row, op ? row->store_miss[last] : row->load_miss[last], missed);
}

/* Hits of the first level have no latency on AMD: they are the fastest loads, if others have one.
 */
static void put_latencies(const struct hardware_samples *h, struct mon_count_row *row,
	const struct hardware_side *side)
{
	const double timed = side->timed + (h->tells_latency ? side->quiet : 0);
	const double hit = timed - side->timed;

	if (!(timed > 0 && timed >= TOLD * side->weight))
		return;
	row->sampled[MON_TIMED] = (float)row->loads;
	for (int k = 0; k < MON_SLOW_END - MON_SLOW; k++) {
		const bool as_slow =
			h->machine.level[0].latency >= (uint32_t)MON_LATENCY_LEAST << k;

		row->sampled[MON_SLOW + k] = (float)((double)row->loads *
			(side->slow[k] + (as_slow ? hit : 0)) / timed);
	}
}

/* The misses of the last level that no node is known for. */
static void count_unplaced(const struct hardware_samples *h, struct mon_count_row *row)
{
	const uint32_t last = h->machine.nlevels - 1;
	uint64_t placed = 0;

	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		placed += row->served[n][0] + row->served[n][1];
	row->unplaced = row->load_miss[last] + row->store_miss[last];
	row->unplaced -= placed < row->unplaced ? placed : row->unplaced;
}

/* Loads of lines that another core had modified.  Whether it had written the same bytes, bursts
 * tell. */
static void put_sharing(struct mon_count_row *row, const struct hardware_side *side)
{
	const uint64_t all = row->false_sharing[0] + row->true_sharing[0];
	double by;

	if (!(side->snooped > TOLD * side->weight))
		return;
	by = all ? (double)row->loads * side->modified / side->snooped / (double)all : 0;
	row->false_sharing[0] = part_of(row->false_sharing[0], by);
	row->true_sharing[0] = part_of(row->true_sharing[0], by);
	row->contended = part_of(row->contended, by < 1 ? by : 1);
}

bool hardware_samples_apply(const struct hardware_samples *h, struct mon_count_row *row)
{
	const uint32_t nlevels = h->machine.nlevels;
	bool any = false;

	for (int op = 0; op < 2; op++) {
		const struct hardware_side *side = side_of(h, row, op);

		if (!side || !(op ? row->stores : row->loads))
			continue;
		for (uint32_t l = 0; l < nlevels; l++) {
			const uint64_t before = row->load_miss[l] + row->store_miss[l];

			if (tells(side, l))
				put_level(row, side, l, op);
			else
				limit_level(row, l, op);
			scale_level(row, l,
				before ? (double)(row->load_miss[l] + row->store_miss[l]) /
						(double)before :
					 0);
		}
		put_nodes(h, row, side, op);
		if (!op) {
			put_sharing(row, side);
			put_latencies(h, row, side);
		}
		row->unwarmed = 0;
		any = true;
	}
	if (any && h->machine.nodes.count > 1)
		count_unplaced(h, row);
	return any;
}
