/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the processor's samples by thread, context and data structure, and puts their shares into
 * rows of counts. */
#include "config.h"
#include "foreign/hardware_samples.h"

#include <stdlib.h>
#include <string.h>

#include "samples/event_source.h"

enum {
	ENOUGH =
		25, /* samples of a cell from which its shares count: an error of a fifth at most */
	CELLS_FIRST = 1024,
	GROUP_SAMPLES = 16 /* consecutive samples of one group */
};
#define TOLD 0.9 /* what a smaller part of the samples tells is not used */

/* --- begin and end ---------------------------------------------------------------------------- */

int hardware_samples_begin(struct hardware_samples *h, pid_t program, const struct machine_flat *m,
	struct code_contexts *places, struct memory_objects *objects, struct err *err)
{
	*h = (struct hardware_samples){ .machine = *m,
		.places = places,
		.objects = objects,
		.room = CELLS_FIRST,
		.cell = calloc(CELLS_FIRST, sizeof *h->cell) };
	if (!h->cell)
		return err_nomem(err);
	if (sample_source.machine)
		sample_source.machine(m);
	if (sample_unit_open(&h->unit, program, err))
		return -1;
	h->said.opened = 1;
	memcpy(h->said.unit, h->unit.event[0].name, sizeof h->said.unit - 1);
	return 0;
}

void hardware_samples_end(struct hardware_samples *h)
{
	sample_unit_close(&h->unit);
	free(h->cell);
	h->cell = NULL;
}

/* --- cells ------------------------------------------------------------------------------------ */

static uint32_t slot_of(
	const struct hardware_samples *h, uint32_t thread, uint32_t context, uint32_t object)
{
	uint64_t hash = (((uint64_t)context << 32 | object) ^ (uint64_t)thread << 13) *
		UINT64_C(0x9e3779b97f4a7c15);
	uint32_t slot = (uint32_t)(hash >> 32) % h->room;

	while (h->cell[slot].used &&
		(h->cell[slot].thread != thread || h->cell[slot].context != context ||
			h->cell[slot].object != object))
		slot = (slot + 1) % h->room;
	return slot;
}

static int grow(struct hardware_samples *h)
{
	struct hardware_samples more = *h;

	more.room = 2 * h->room;
	more.cell = calloc(more.room, sizeof *more.cell);
	if (!more.cell)
		return -1;
	for (uint32_t i = 0; i < h->room; i++) {
		const struct hardware_cell *c = &h->cell[i];

		if (c->used)
			more.cell[slot_of(&more, c->thread, c->context, c->object)] = *c;
	}
	free(h->cell);
	h->cell = more.cell;
	h->room = more.room;
	return 0;
}

/* NULL: there is no memory for it. */
static struct hardware_cell *make(
	struct hardware_samples *h, uint32_t thread, uint32_t context, uint32_t object)
{
	struct hardware_cell *c;

	if (h->ncells >= h->room / 4 * 3 && grow(h))
		return NULL;
	c = &h->cell[slot_of(h, thread, context, object)];
	if (!c->used) {
		*c = (struct hardware_cell){
			.thread = thread, .context = context, .object = object, .used = true
		};
		h->ncells++;
	}
	return c;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* The levels of the model that the access missed: all that are nearer than where the data were. -1:
 * not told. */
static int levels_missed(const struct machine_flat *m, enum sample_level level)
{
	const uint32_t found = level == SAMPLE_L1                 ? 1 :
		level == SAMPLE_FILL_BUFFER || level == SAMPLE_L2 ? 2 :
		level == SAMPLE_L3                                ? 3 :
								    UINT32_MAX;
	int n = 0;

	if (level == SAMPLE_BEYOND_L1)
		return 1;
	if (level == SAMPLE_LEVEL_UNKNOWN || level == SAMPLE_LEVEL_OTHER ||
		level == SAMPLE_UNCACHED)
		return -1;
	while (n < (int)m->nlevels && m->level[n].level < found)
		n++;
	/* A line from another core's cache missed the private levels; the last one is shared with
	 * that core. */
	if (level == SAMPLE_PEER_CACHE && n > 1)
		n--;
	return n;
}

static void add_to(struct hardware_cell *c, const struct machine_flat *m,
	const struct memory_sample *s, uint64_t group)
{
	struct hardware_side *side = &c->side[s->source.op == SAMPLE_STORE];
	const int missed = levels_missed(m, s->source.level);
	const double weight = (double)s->period;

	if (missed < 0)
		return;
	side->samples++;
	side->weight += weight;
	for (int l = 0; l < missed; l++) {
		side->miss[l] += weight;
		side->group[l][group] += weight;
	}
	side->beyond += s->source.level == SAMPLE_BEYOND_L1 ? weight : 0;
	side->memory += s->source.level == SAMPLE_MEMORY ? weight : 0;
	side->remote +=
		s->source.level == SAMPLE_REMOTE_MEMORY || s->source.level == SAMPLE_REMOTE_CACHE ?
		weight :
		0;
	side->snooped += s->source.modified != SAMPLE_NOT_TOLD ? weight : 0;
	side->modified += s->source.modified == SAMPLE_YES ? weight : 0;
}

void hardware_samples_add(
	struct hardware_samples *h, const struct hardware_thread *t, const struct memory_sample *s)
{
	const uint64_t group = h->taken++ / GROUP_SAMPLES % MON_GROUPS;
	struct memory_span span;
	struct place place = places_at(h->places, s->ip);
	struct hardware_cell *own, *all;

	memory_objects_find(h->objects, s->address, &span);
	place.context = place.context == PLACE_CALLER ? t->context : place.context;
	own = make(h, t->number, place.context, span.object);
	if (own)
		add_to(own, &h->machine, s, group);
	all = make(h, MON_ANY, place.context, span.object);
	if (all)
		add_to(all, &h->machine, s, group);
	h->said.named += span.object >= MON_OBJ_FIRST;
	h->said.left_out += memory_objects_left_out(h->objects, span.object);
}

struct reading {
	struct hardware_samples *h;
	const struct hardware_threads *threads;
};

static void take(void *to, const struct memory_sample *s)
{
	const struct reading *r = to;
	struct hardware_thread t = { 0, 0 };

	if (r->threads->find(r->threads->in, s->tid, &t))
		hardware_samples_add(r->h, &t, s);
	else
		r->h->said.without_thread++;
}

void hardware_samples_read(struct hardware_samples *h, const struct hardware_threads *threads,
	uint64_t now, double running)
{
	const struct sample_ledger *l = &h->unit.ledger;
	struct reading r = { h, threads };
	const struct sample_taker to = { take, &r };

	sample_unit_read(&h->unit, &to);
	sample_unit_steer(&h->unit, now, running);
	h->said.samples = l->samples;
	h->said.lost = l->lost_ring + l->lost_unit;
	h->said.throttled = l->throttled;
	h->said.truncated = l->truncated + l->collisions;
	h->said.invalid = l->invalid;
	h->said.no_access = l->without_address + l->kernel;
	h->said.period = h->unit.period[0];
}

/* --- rows of counts --------------------------------------------------------------------------- */

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
		&h->cell[slot_of(h, row->thread, row->context, row->object)];
	const struct hardware_cell *all = &h->cell[slot_of(h, MON_ANY, row->context, row->object)];

	if (own->used && own->side[op].samples >= ENOUGH)
		return &own->side[op];
	return all->used && all->side[op].samples >= ENOUGH ? &all->side[op] : NULL;
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

/* Misses of the last level by memory node.  The unit tells this node's memory from others'; which
 * other one it is, it does not tell: the next one stands for all. */
static void put_nodes(const struct hardware_samples *h, struct mon_count_row *row,
	const struct hardware_side *side, int op)
{
	const struct machine_flat *m = &h->machine;
	const uint32_t last = m->nlevels - 1, node = machine_node(m, row->thread);
	const uint64_t misses = op ? row->store_miss[last] : row->load_miss[last];
	const double known = side->memory + side->remote;
	const uint64_t far = known > 0 ? part_of(misses, side->remote / known) : 0;

	if (m->nodes.count <= 1 || !tells(side, last) || !(known > 0) || node >= m->nodes.count)
		return;
	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		row->served[n][op] = 0;
	row->served[node][op] = misses - far;
	row->served[(node + 1) % m->nodes.count][op] = far;
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
		if (!op)
			put_sharing(row, side);
		row->unwarmed = 0;
		any = true;
	}
	if (any && h->machine.nodes.count > 1)
		count_unplaced(h, row);
	return any;
}
