/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the cells of a core count by columns of time into a log. */
#include "simulate/cache/column_writer.h"
#include "simulate/cache/channels.h"
#include "simulate/cache/map_counts.h"
#include "simulate/cache/sim.h"
#include <string.h>

_Static_assert(TIMELINE_LOG_LEVELS == MACHINE_LEVELS && TIMELINE_LOG_NODES == MACHINE_NODES &&
	TIMELINE_LOG_MODULES == MACHINE_MODULES && TIMELINE_LOG_CLASSES ==
	(int)MISS_CLASSES && TIMELINE_LOG_CELLS == (int)SIM_CELLS, "the log has all fields");
_Static_assert(TIMELINE_FIELDS + TIMELINE_FIRST_FIELD < 64, "fields of a mask");

enum {
	LOG = 2 << 20,          /* bytes */
	NUMBER = 10,            /* most bytes of a number */
	ITEM = 64 * NUMBER,     /* at least those of a cell without its modules and sites */
	MODULES = MACHINE_MODULES * (1 + NUMBER) + 1,
	TAIL = 4 * ITEM         /* for the items that end executions, whatever else does not fit */
};

struct timeline {
	uint64_t first_width, width;
	uint64_t begun;         /* of all references of the core: where the execution began */
	uint64_t at;            /* position where the present column begins */
	uint64_t skipped;       /* columns without counts before it */
	uint64_t counted;       /* position of the last border */
	uint64_t left_out;
	uint32_t execution, used;       /* used: of the log */
	bool full;              /* nothing but the ends of executions is written any more */
	uint32_t ncells;        /* of which `seen` may not be 0 */
	uint64_t seen[SIM_CELLS][TIMELINE_FIELDS];      /* of the cells at the last border */
	uint64_t site[SIM_SITES][2];
	uint8_t log[LOG];
};

/* References of the core so far, counted or not. */
static uint64_t all_of(const struct sim_core *core)
{
	return core->records + core->warmed + core->ranged;
}

static uint64_t position_of(const struct sim_core *core)
{
	return all_of(core) - core->timeline->begun;
}

/* --- the log ---------------------------------------------------------------------------------- */

static void put(struct timeline *t, uint64_t n)
{
	for (; n > 127; n >>= 7)
		t->log[t->used++] = (uint8_t)(n | 128);
	t->log[t->used++] = (uint8_t)n;
}

static bool fits(const struct timeline *t, uint32_t bytes)
{
	return t->used + bytes <= LOG - TAIL;
}

/* Threads of other cores add to `beyond` meanwhile. */
static uint64_t with_beyond(uint64_t counted, const uint64_t *beyond)
{
	return counted + __atomic_load_n(beyond, __ATOMIC_RELAXED);
}

static void fields_of(const struct sim_core *core, const struct sim_cell *c,
	uint64_t now[TIMELINE_FIELDS])
{
	const uint32_t last = core->nlevels - 1, nodes = core->sim->machine.nodes.count;

	now[TIMELINE_READS] = c->refs[0];
	now[TIMELINE_WRITES] = c->refs[1];
	now[TIMELINE_BYTES] = c->bytes;
	for (uint32_t l = 0; l < core->nlevels; l++)
		now[TIMELINE_MISSES + l] = with_beyond(c->miss[l][0], &c->beyond[l][0]) +
			with_beyond(c->miss[l][1], &c->beyond[l][1]);
	now[TIMELINE_COHERENT] = 0;
	for (int i = 0; i < 4; i++)
		now[TIMELINE_COHERENT] += __atomic_load_n(&c->coherent[i / 2][i % 2],
			__ATOMIC_RELAXED);
	for (uint32_t i = 0; i < MISS_CLASSES; i++)
		now[TIMELINE_CLASS + i] = c->class[last][i][0] + c->class[last][i][1];
	for (uint32_t i = 0; i < nodes && i < MACHINE_NODES; i++)
		now[TIMELINE_SERVED + i] = c->served[i][0] + c->served[i][1];
}

/* Writes the sites that changed.  They fit. */
static void put_sites(struct timeline *t, const struct sim_sites *sites, uint32_t cell)
{
	for (uint32_t i = sites->rest[cell].next; i; i = sites->site[i - 1].next) {
		const struct sim_site *s = &sites->site[i - 1];
		uint64_t *seen = t->site[i - 1], first = with_beyond(s->first, &s->first_beyond);
		uint64_t last = with_beyond(s->last, &s->last_beyond);

		if (first == seen[0] && last == seen[1])
			continue;
		put(t, s->line);
		put(t, first - seen[0]);
		put(t, last - seen[1]);
		seen[0] = first;
		seen[1] = last;
	}
	put(t, 0);
}

/* The number of a cell's sites that changed. */
static uint32_t count_sites(const struct timeline *t, const struct sim_sites *sites, uint32_t cell)
{
	uint32_t n = 0;

	for (uint32_t i = sites->rest[cell].next; i; i = sites->site[i - 1].next) {
		const struct sim_site *s = &sites->site[i - 1];

		n += with_beyond(s->first, &s->first_beyond) != t->site[i - 1][0] ||
			with_beyond(s->last, &s->last_beyond) != t->site[i - 1][1];
	}
	return n;
}

static bool modules_changed(const struct sim_core *core, uint32_t cell)
{
	return core->modules && memcmp(core->channels[cell].now, core->channels[cell].seen,
		core->modules * sizeof *core->channels[cell].now) != 0;
}

/* Writes the memory modules that changed.  They fit. */
static void put_modules(struct sim_core *core, uint32_t cell)
{
	struct sim_channels *c = &core->channels[cell];
	struct timeline *t = core->timeline;

	for (uint32_t i = 0; i < core->modules; i++) {
		if (c->now[i] == c->seen[i])
			continue;
		put(t, i + 1);
		put(t, c->now[i] - c->seen[i]);
		c->seen[i] = c->now[i];
	}
	put(t, 0);
}

static bool misses_changed(const uint64_t now[TIMELINE_FIELDS],
	const uint64_t seen[TIMELINE_FIELDS])
{
	return memcmp(now + TIMELINE_MISSES, seen + TIMELINE_MISSES,
		MACHINE_LEVELS * sizeof *now) != 0;
}

/* Writes what a cell has more than at the last border.  all: its sites even if it has no more
 * misses, as other threads add to both, one after the other.  false: it does not fit. */
static bool put_cell(struct sim_core *core, uint32_t cell, bool all, uint32_t *before)
{
	struct timeline *t = core->timeline;
	const struct sim_cell *c = &core->cells[cell];
	uint64_t now[TIMELINE_FIELDS] = { 0 }, *seen = t->seen[cell], mask = 0, any = 0;
	const bool modules = modules_changed(core, cell);
	uint32_t sites;

	fields_of(core, c, now);
	for (uint32_t f = 0; f < TIMELINE_FIELDS; f++) {
		mask |= (uint64_t)(now[f] != seen[f]) << (f + TIMELINE_FIRST_FIELD);
		any |= seen[f];
	}
	sites = all || misses_changed(now, seen) ? count_sites(t, core->sites, cell) : 0;
	if (!mask && !sites && !modules)
		return true;
	if (!fits(t, ITEM + (modules ? MODULES : 0) + 3 * NUMBER * sites))
		return false;
	mask |= (any ? 0 : TIMELINE_NEW) | (sites ? TIMELINE_SITES : 0) | (modules ?
		TIMELINE_MODULES : 0);
	put(t, cell - *before);
	put(t, mask);
	*before = cell;
	if (mask & TIMELINE_NEW) {
		put(t, c->key >> 32);
		put(t, (uint32_t)c->key);
	}
	for (uint32_t f = 0; f < TIMELINE_FIELDS; f++)
		if (now[f] != seen[f]) {
			put(t, now[f] - seen[f]);
			seen[f] = now[f];
		}
	if (mask & TIMELINE_MODULES)
		put_modules(core, cell);
	if (mask & TIMELINE_SITES)
		put_sites(t, core->sites, cell);
	return true;
}

/* --- columns ---------------------------------------------------------------------------------- */

/* As sim_core_sum(), for one cell. */
static void sum(struct sim_cell *c)
{
	for (int store = 0; store < 2; store++) {
		c->refs[store] += c->recent[store] >> 40;
		c->bytes += c->recent[store] & (SIM_ONE - 1);
		c->recent[store] = 0;
	}
}

static uint64_t unseen_refs(const struct timeline *t, const struct sim_cell *c, uint32_t cell)
{
	return c->refs[0] - t->seen[cell][TIMELINE_READS] + c->refs[1] -
		t->seen[cell][TIMELINE_WRITES];
}

/* Writes the cells that changed: those with references, `all` also others.
 * Returns whether there were any. */
static bool put_cells(struct sim_core *core, bool all)
{
	struct timeline *t = core->timeline;
	const uint32_t used = t->used;
	uint32_t before = 0;

	put(t, TIMELINE_COLUMN + t->skipped);
	for (uint32_t i = 1; i < core->ncells; i++) {
		struct sim_cell *c = &core->cells[i];

		if (c->recent[0] | c->recent[1])
			sum(c);
		else if (!all && !unseen_refs(t, c, i))
			continue;
		t->full = t->full || !put_cell(core, i, all, &before);
		t->left_out += t->full ? unseen_refs(t, c, i) : 0;
	}
	if (before)
		put(t, 0);
	else
		t->used = used;
	return before != 0;
}

/* Ends the present column: its counts are in the log, or left out. */
static void column_end(struct sim_core *core, bool all)
{
	struct timeline *t = core->timeline;
	const uint64_t position = position_of(core), n = (position - t->at) / t->width;

	if (!core->generic)
		sim_drain(core);
	if (t->full)
		t->left_out += position - t->counted;
	else if (put_cells(core, all))
		t->skipped = 0;
	else
		t->skipped++;
	t->counted = position;
	t->skipped += n ? n - 1 : 0;
	t->at += n * t->width;
	if (core->drawn)
		sim_maps_border(core, t->at);
	t->ncells = core->ncells;
	if (t->at / t->width >= 2 * TIMELINE_PARTS && t->skipped % 2 == 0 && !t->full) {
		put(t, TIMELINE_DOUBLE);
		t->width *= 2;
		t->skipped /= 2;
	}
}

static void set_border(struct sim_core *core)
{
	const struct timeline *t = core->timeline;

	core->border = t->at + t->width + t->begun - core->warmed - core->ranged;
}

void __attribute__((noinline)) sim_columns_border(struct sim_core *core)
{
	if (core->timeline) {
		column_end(core, false);
		set_border(core);
	}
}

/* --- executions ------------------------------------------------------------------------------- */

/* Notes how long an execution of the warm-up was. */
static void note_length(struct sim *s, uint64_t length)
{
	uint64_t longest = atomic_load_explicit(&s->longest, memory_order_relaxed);

	while (length > longest && !atomic_compare_exchange_weak(&s->longest, &longest, length))
		;
}

/* The same width for all cores: threads that are equally long lie one below the other. */
static uint64_t common_width(struct sim *s)
{
	const uint64_t longest = atomic_load_explicit(&s->longest, memory_order_relaxed);
	uint64_t width = longest ? longest / TIMELINE_PARTS + 1 : TIMELINE_FIRST_WIDTH, set = 0;

	return atomic_compare_exchange_strong(&s->width, &set, width) ? width : set;
}

static void execution_end(struct sim_core *core)
{
	struct timeline *t = core->timeline;
	const uint64_t length = position_of(core);

	column_end(core, true);
	put(t, TIMELINE_END);
	put(t, t->execution);
	put(t, length);
	t->begun += length;
	t->at = t->skipped = t->counted = 0;
	set_border(core);
}

void sim_columns_execution(struct sim_core *core)
{
	const uint32_t execution = atomic_load_explicit(&core->sim->execution,
		memory_order_relaxed);
	const uint64_t all = all_of(core);

	if (core->execution == execution)
		return;
	if (core->timeline) {
		if (position_of(core)) {
			execution_end(core);
			core->drawn = NULL;
		}
		core->timeline->execution = execution;
	} else {
		note_length(core->sim, all - core->begun);
		core->begun = all;
	}
}

/* Memory for a timeline is kept for later experiments. */
static struct timeline *make(struct sim_core *core)
{
	struct timeline *t = core->timeline_room;

	if (!t)
		return core->timeline_room = core->sim->env->room(sizeof *t);
	memset(t->seen, 0, t->ncells * sizeof *t->seen);
	memset(t->site, 0, sizeof t->site);
	memset(t, 0, offsetof(struct timeline, seen));
	return t;
}

void sim_columns_begin(struct sim_core *core)
{
	struct timeline *t = core->sim->columns ? make(core) : NULL;

	core->timeline = t;
	core->border = SIM_NO_BORDER;
	if (!t)
		return;
	note_length(core->sim, all_of(core) - core->begun);
	t->first_width = t->width = common_width(core->sim);
	t->begun = all_of(core);
	t->execution = atomic_load_explicit(&core->sim->execution, memory_order_relaxed);
	set_border(core);
	sim_maps_begin(core, t->first_width);
}

bool sim_columns_end(struct sim_core *core, struct sim_columns *out)
{
	struct timeline *t = core->timeline;

	if (!t)
		return false;
	execution_end(core);
	*out = (struct sim_columns){ t->log, t->used, t->first_width, t->left_out };
	return true;
}

void sim_columns_mark(struct sim_core *core, uint64_t mark)
{
	struct timeline *t = core->timeline;

	if (t)
		sim_columns_execution(core);
	if (!t || !fits(t, ITEM) || t->full)
		return;
	put(t, TIMELINE_MARK);
	put(t, mark);
	put(t, position_of(core) - t->at + t->skipped * t->width);
}
