/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the processor's samples by thread, context and data structure. */
#include "config.h"
#include "foreign/hardware_samples.h"

#include <stdlib.h>
#include <string.h>

#include "samples/event_source.h"

enum { CELLS_FIRST = 1024, GROUP_SAMPLES = 16 /* consecutive samples of one group */ };

/* --- begin and end ---------------------------------------------------------------------------- */

int hardware_samples_begin(struct hardware_samples *h, pid_t program, const struct machine_flat *m,
	struct code_contexts *places, struct memory_objects *objects, struct err *err)
{
	*h = (struct hardware_samples){ .machine = *m,
		.places = places,
		.objects = objects,
		.nodes = { .program = program },
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

const struct hardware_cell *hardware_cell_find(
	const struct hardware_samples *h, uint32_t thread, uint32_t context, uint32_t object)
{
	const struct hardware_cell *c = &h->cell[slot_of(h, thread, context, object)];

	return c->used ? c : NULL;
}

/* --- levels ----------------------------------------------------------------------------------- */

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

/* --- memory nodes ----------------------------------------------------------------------------- */

static void place_in(struct hardware_side *side, const struct node_sample *s, uint32_t cpu,
	uint32_t page)
{
	const bool far = cpu != page;

	if (!far)
		side->own += s->weight;
	else if (page < MACHINE_NODES)
		side->by_page[page] += s->weight;
	if (s->remote != SAMPLE_NOT_TOLD)
		side->both[far + 2 * (s->remote == SAMPLE_YES)] += s->weight;
}

static void place_sample(void *to, const struct node_sample *s, uint32_t cpu, uint32_t page)
{
	struct hardware_samples *h = to;
	const uint32_t thread[] = { s->thread, MON_ANY };

	for (int i = 0; i < 2; i++) {
		struct hardware_cell *c = make(h, thread[i], s->context, s->object);

		if (c)
			place_in(&c->side[s->store], s, cpu, page);
	}
}

void hardware_samples_place(struct hardware_samples *h)
{
	sample_nodes_ask(&h->nodes, place_sample, h);
}

/* Does it matter on which node its page is?  Then it will be asked. */
static void ask_node(struct hardware_samples *h, const struct hardware_cell *c,
	const struct memory_sample *s)
{
	if (h->machine.nodes.count <= 1 || !sample_source.page_nodes ||
		levels_missed(&h->machine, s->source.level) < (int)h->machine.nlevels)
		return;
	h->nodes.sample[h->nodes.n++] = (struct node_sample){ s->address, c->thread, c->context,
		c->object, s->cpu, s->source.remote, s->source.op == SAMPLE_STORE,
		(double)s->period };
	if (h->nodes.n == SAMPLE_NODES_BULK)
		hardware_samples_place(h);
}

/* --- samples ---------------------------------------------------------------------------------- */

/* The classes of latency. */
static void add_latency(struct hardware_side *side, const struct memory_sample *s)
{
	const double weight = (double)s->period;

	if (!s->latency) {
		side->quiet += s->source.level == SAMPLE_L1 ? weight : 0;
		return;
	}
	side->timed += weight;
	for (int k = 0; k < MON_SLOW_END - MON_SLOW; k++)
		side->slow[k] += s->latency >= (uint32_t)MON_LATENCY_LEAST << k ? weight : 0;
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
	if (missed == (int)m->nlevels && s->source.remote != SAMPLE_NOT_TOLD)
		side->by_unit[s->source.remote == SAMPLE_YES] += weight;
	add_latency(side, s);
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
	if (own) {
		add_to(own, &h->machine, s, group);
		ask_node(h, own, s);
	}
	all = make(h, MON_ANY, place.context, span.object);
	if (all)
		add_to(all, &h->machine, s, group);
	h->tells_latency |= s->latency > 0;
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
	hardware_samples_place(h);
	sample_unit_steer(&h->unit, now, running);
	h->said.samples = l->samples;
	h->said.lost = l->lost_ring + l->lost_unit;
	h->said.throttled = l->throttled;
	h->said.truncated = l->truncated + l->collisions;
	h->said.invalid = l->invalid;
	h->said.no_access = l->without_address + l->kernel;
	h->said.period = h->unit.period[0];
}
