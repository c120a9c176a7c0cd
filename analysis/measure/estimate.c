/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what misses cost, and how much of a thread's time that is. */
#include "analysis/measure/estimate.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/burst_error.h"
#include "base/abi.h"

const char *memory_kind_name(unsigned kind)
{
	static const char *const names[MEMORY_KINDS] = { "STREAM", "STRIDED", "GATHER", "GUESSED",
		"CHAINED", "SHARING", "COPY", "TLB", "CONFLICT", "CAPACITY", "RECORD",
		"FALSE_SHARING", "TRUE_SHARING",
		"LOCK", "CONTENTION" };

	return names[kind];
}

enum miss_kind memory_kind_of(unsigned kind)
{
	return (enum miss_kind)(MISS_STREAM + kind);
}

/* Misses by class of one level; [1]: stores. */
struct level_misses {
	double stream[2], strided[2], branch[2], control[2], chained[2], gather[2];
	double walks, crowded;
};

static double positive(double v)
{
	return v > 0 ? v : 0;
}

/* A core may be that much faster than the plugin's: its latencies differ by a cycle in four or
 * five.  Sums are the recurrences that most loops have: where calibration measured a
 * faster addition, by as much. */
#define FASTER 0.8
/* Without a calibration the clock is the base one, which a core exceeds by half, and it
 * may have such additions. */
#define FASTER_UNMEASURED 0.45
#define ADD_CYCLES 3            /* of the plugin's core (instrument/operation_costs.cc) */
#define CONTENDED_CORE 0.6
/* The plugin tells how often a branch is mispredicted at most; predictors know
 * the data better than that. */
#define EXPECTED 0.5
enum { CROWD = 8 };     /* the unit of the counter `crowded` */

static double coherence_misses(const struct mon_count_row *row)
{
	return (double)(row->false_sharing[0] + row->false_sharing[1] + row->true_sharing[0] +
		row->true_sharing[1]);
}

static double irregular_of(const struct level_misses *m)
{
	double sum = 0;

	for (int store = 0; store < 2; store++)
		sum += m->branch[store] + m->control[store] + m->chained[store] + m->gather[store];
	return sum;
}

/* Misses of level l.  Coherence misses have no class and are paid as sharing. */
static struct level_misses misses_of(const struct mon_count_row *row, uint32_t l)
{
	struct level_misses m = {
		.stream = { (double)row->stream_load[l], (double)row->stream_store[l] },
		.strided = { (double)row->strided_load[l], (double)row->strided_store[l] },
		.branch = { (double)row->branch_load[l], (double)row->branch_store[l] },
		.control = { (double)row->control_load[l], (double)row->control_store[l] },
		.chained = { (double)row->chained_load[l], (double)row->chained_store[l] },
		.walks = (double)row->walks[l],
		.crowded = (double)row->crowded[l] / CROWD,
	};
	double all[2] = { (double)row->load_miss[l] - (double)row->coherent_load[l],
		(double)row->store_miss[l] - (double)row->coherent_store[l] };

	for (int store = 0; store < 2; store++)
		m.gather[store] = positive(all[store] - m.stream[store] - m.strided[store] -
			m.branch[store] - m.control[store] - m.chained[store]);
	return m;
}

static double served(double here, double farther)
{
	return positive(here - farther);
}

/* The misses of level l that the next level serves: those that do not miss there too. */
static struct level_misses served_by_next(const struct mon_count_row *row, uint32_t l,
	uint32_t nlevels)
{
	struct level_misses m = misses_of(row, l), next = { .walks = 0 };

	if (l + 1 < nlevels)
		next = misses_of(row, l + 1);
	for (int store = 0; store < 2; store++) {
		m.stream[store] = served(m.stream[store], next.stream[store]);
		m.strided[store] = served(m.strided[store], next.strided[store]);
		m.branch[store] = served(m.branch[store], next.branch[store]);
		m.control[store] = served(m.control[store], next.control[store]);
		m.chained[store] = served(m.chained[store], next.chained[store]);
		m.gather[store] = served(m.gather[store], next.gather[store]);
	}
	return m;
}

void work_add_row(struct thread_work *w, const struct mon_count_row *row, double per)
{
	struct level_misses m;

	if (row->object == MON_OBJ_WORK) {
		w->core_low += per * (double)row->core_low / PSC_WORK_UNIT;
		w->core_high += per * (double)row->core_high / PSC_WORK_UNIT;
		w->mispredicts += per * (double)row->mispredicts / PSC_WORK_MISPREDICT_UNIT;
		w->statements += per * (double)row->statements;
		w->chains += per * (double)row->chains;
		w->chain_statements += per * (double)row->chain_statements;
		w->unknown_calls += per * (double)row->unknown_calls;
		burst_error_add_work(w->group, row, per);
		return;
	}
	m = misses_of(row, 0);
	w->irregular += per * irregular_of(&m);
}

void work_join(struct thread_work *a, const struct thread_work *b)
{
	a->core_low += b->core_low;
	a->core_high += b->core_high;
	a->mispredicts += b->mispredicts;
	a->statements += b->statements;
	a->irregular += b->irregular;
	a->chains += b->chains;
	a->chain_statements += b->chain_statements;
	a->unknown_calls += b->unknown_calls;
	for (int g = 0; g < MON_GROUPS; g++)
		a->group[g] += b->group[g];
	a->threads = fmax(a->threads, b->threads);
	a->unclassified |= b->unclassified;
}

static double faster(const struct machine_costs *costs)
{
	const double measured = costs->addition / (ADD_CYCLES * costs->cycle);

	if (costs->source == COST_ASSUMED)
		return FASTER_UNMEASURED;
	return costs->addition > 0 && measured < FASTER ? measured : FASTER;
}

double work_branch_time(const struct thread_work *w, const struct machine_costs *costs)
{
	return EXPECTED * w->mispredicts * costs->mispredict;
}

struct estimate work_core_time(const struct thread_work *w, const struct machine_costs *costs,
	double t)
{
	const double straight = w->core_high * costs->cycle, branches = work_branch_time(w, costs);
	struct estimate c = { 0, 0, t };

	if (!(w->statements > 0))
		return c;
	c.low = w->core_low * costs->cycle;
	c.high = straight + branches / EXPECTED;
	c.value = sqrt(c.low * straight) + branches;
	c.low *= faster(costs);
	if (w->unknown_calls > 0 && t > c.high)
		c.high = t;
	return c;
}

struct estimate work_straight_time(const struct thread_work *w, const struct machine_costs *costs)
{
	const double straight = w->core_high * costs->cycle;

	return (struct estimate){ straight,
		fmin(straight, w->core_low * costs->cycle * faster(costs)), straight };
}

static double quartile(const struct cost *c, int which)
{
	return which < 0 ? c->low : which > 0 ? c->high : c->value;
}

/* How many times as much a line of a stream from memory costs a thread that is not alone. */
static double slower_together(const struct machine_costs *costs, bool write, double threads)
{
	double alone, together;

	if (!(threads > 1))
		return 1;
	alone = machine_bandwidth(costs, write, 1);
	together = machine_bandwidth(costs, write, (unsigned)threads);
	return together > 0 ? fmax(1, threads * alone / together) : 1;
}

/* All that the price of the misses served by one level depends on. */
struct price {
	const struct machine_costs *costs;
	const struct thread_work *work;
	uint32_t level;
	double dirty;           /* of the loaded stream lines: those stored to afterwards */
	/* The share of strided and irregular misses that need a page walk; the share of the misses
	 * before them that were in the same set.  0..1. */
	double walks, crowd;
	double remains[COST_WALKS];     /* the part of a walk's cost that is paid, 0..1 */
	double pages;           /* of the structure; 0: not known */
	double hits;            /* accesses to a line, on average; 1 or more */
};

static bool of_stores(enum cost_pattern pattern)
{
	return pattern == COST_WRITE || pattern == COST_STORE || pattern == COST_STRIDED_STORE;
}

/* ns of a line of that level.  which: -1 low, 0 value, 1 high. */
static double line_cost(const struct price *p, enum cost_pattern pattern, int which)
{
	const struct cost *line = p->costs->line[p->level];
	enum cost_pattern stream = of_stores(pattern) ? COST_WRITE : COST_READ;
	double alone = quartile(&line[pattern], which), slower;

	if (p->level < p->costs->nlevels)
		return alone;
	slower = slower_together(p->costs, of_stores(pattern), p->work->threads);
	return slower > 1 ? fmax(alone, slower * quartile(&line[stream], which)) : alone;
}

/* The cost of the line beyond that of one of the nearest level. */
static double excess(const struct price *p, enum cost_pattern pattern, int which)
{
	return positive(line_cost(p, pattern, which) -
		quartile(&p->costs->line[0][pattern], which));
}

/* Of a line in a stream, whose accesses may be fewer than those that calibration makes. */
static double stream_excess(const struct price *p, enum cost_pattern pattern, int which)
{
	const struct cost *nearest = p->costs->line[0];
	enum cost_pattern one = of_stores(pattern) ? COST_STRIDED_STORE : COST_STRIDED;
	double hit = fmin(quartile(&nearest[pattern], which), p->hits * quartile(&nearest[one],
		which));

	return positive(line_cost(p, pattern, which) - hit);
}

/* The cost of an irregular miss that level l serves; crowd: its part of gather and store. */
struct irregular_cost {
	double gather, store, chase, crowd;
};

static double clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

/* The part of a chase that a gather's miss costs where few of them are in flight. */
static double gather_part(const struct thread_work *w)
{
	double apart = w->irregular > 0 ? w->statements / w->irregular : 0;

	return clamp(apart / OVERLAP_WINDOW, 0, 1);
}

/* The part of a chase that a chained miss costs at least: independent short chains overlap, unless
 * a chain's end is guessed wrong. */
static double chain_part(const struct thread_work *w)
{
	return w->chains > 0 ? clamp(w->chain_statements / w->chains / OVERLAP_WINDOW, 0, 1) : 1;
}

/* The additional cost of a miss because lines before it went into the same set. */
static double crowd_cost(const struct price *p, int which)
{
	return p->crowd * positive(excess(p, COST_CROWDED, which) -
		excess(p, COST_STRIDED, which));
}

static struct irregular_cost irregular_cost(const struct price *p, int which)
{
	double crowd = crowd_cost(p, which), walk[COST_WALKS];

	for (int i = 0; i < COST_WALKS; i++) {
		struct cost c = machine_walk(p->costs, p->level, (enum cost_walk)i, p->pages);

		walk[i] = p->walks * p->remains[i] * quartile(&c, which);
	}

	return (struct irregular_cost){
		.gather = crowd + excess(p, COST_GATHER, which) +
			walk[COST_WALK_GATHER],
		.store = crowd + excess(p, COST_STORE, which) +
			walk[COST_WALK_STORE],
		.chase = excess(p, COST_CHASE, which) +
			walk[COST_WALK_CHASE],
		.crowd = crowd,
	};
}

static bool none(const double misses[2])
{
	return misses[0] == 0 && misses[1] == 0;
}

/* The functions below return ns for the misses n; which: -1 low, 0 value, 1 high.  Most rows have
 * misses of few classes. */
static double price_stream(const struct price *p, const struct level_misses *n, int which)
{
	double read, write;

	if (none(n->stream))
		return 0;
	read = stream_excess(p, COST_READ, which);
	write = stream_excess(p, COST_WRITE, which);
	return n->stream[0] * read + n->stream[1] * write + p->dirty * positive(write - read);
}

/* The cost with a step of the share of a page that the share of walks tells: near without walks,
 * that of the calibrated step of a page, `far`, where each access walks. */
static double step_cost(const struct price *p, enum cost_pattern near, enum cost_pattern far,
	int which)
{
	enum cost_walk walk = of_stores(far) ? COST_WALK_STORE : COST_WALK_GATHER;
	double least = excess(p, near, which);

	return least + p->walks * p->remains[walk] * positive(excess(p, far, which) - least);
}

/* Calibration strides from one page to the next; a longer step walks more pages than that. */
static double price_strided(const struct price *p, const struct level_misses *n, int which)
{
	struct irregular_cost c;
	double load, store;

	if (none(n->strided))
		return 0;
	c = irregular_cost(p, which);
	load = c.crowd + step_cost(p, COST_NEAR, COST_STRIDED, which);
	store = c.crowd + step_cost(p, COST_STORE, COST_STRIDED_STORE, which);

	return n->strided[0] * fmax(load, c.gather) + n->strided[1] * fmax(store, c.store);
}

/* A gather's miss: chase where so few are in flight that they hardly overlap. */
static double price_one_gather(const struct price *p, const struct irregular_cost *c)
{
	return fmax(c->gather, c->chase * gather_part(p->work));
}

static double price_gather(const struct price *p, const struct level_misses *n, int which)
{
	struct irregular_cost c;
	double gather;

	if (none(n->gather))
		return 0;
	c = irregular_cost(p, which);
	gather = price_one_gather(p, &c);
	if (p->work->unclassified && which)
		return (n->gather[0] + n->gather[1]) * (which < 0 ?
			excess(p, COST_READ, which) : c.chase);
	return n->gather[0] * gather + n->gather[1] * fmax(c.store, gather);
}

static double price_guessed(const struct price *p, const struct level_misses *n, int which)
{
	double branch = n->branch[0] + n->branch[1], control = n->control[0] + n->control[1],
		gather, chase;
	struct irregular_cost c;

	if (none(n->branch) && none(n->control))
		return 0;
	c = irregular_cost(p, which);
	gather = price_one_gather(p, &c);
	chase = fmax(c.chase, gather);
	if (which)
		return (branch + control) * (which < 0 ? gather : chase);
	return branch * sqrt(gather * chase) + control * fmax(chase / 2, gather);
}

static double price_chained(const struct price *p, const struct level_misses *n, int which)
{
	double part = which < 0 ? chain_part(p->work) : 1;
	struct irregular_cost c;

	if (none(n->chained))
		return 0;
	c = irregular_cost(p, which);
	return (n->chained[0] + n->chained[1]) * fmax(c.gather, c.chase * part);
}

static const struct {
	enum memory_class class;
	double (*of)(const struct price *p, const struct level_misses *n, int which);
} prices[] = {
	{ MEMORY_STREAM, price_stream }, { MEMORY_STRIDED, price_strided },
	{ MEMORY_GATHER, price_gather }, { MEMORY_GUESSED, price_guessed },
	{ MEMORY_CHAINED, price_chained },
};
enum { PRICES = sizeof prices / sizeof prices[0] };

static double price_all(const struct price *p, const struct level_misses *n)
{
	double sum = 0;

	for (size_t i = 0; i < PRICES; i++)
		sum += prices[i].of(p, n, 0);
	return sum;
}

/* The misses if accesses that bring a line each came densely: lines as their bytes fill them. */
static struct level_misses made_dense(const struct level_misses *n, double lines_a_miss)
{
	struct level_misses m = *n;

	for (int store = 0; store < 2; store++) {
		m.stream[store] += lines_a_miss * (n->strided[store] + n->gather[store]);
		m.strided[store] = m.gather[store] = 0;
	}
	return m;
}

/* Parts of the misses of a level: conflict, capacity (base/counters.def). */
struct causes {
	double conflict, capacity;
};

static struct causes causes_of(const struct mon_count_row *row, uint32_t l)
{
	double all = (double)row->load_miss[l] + (double)row->store_miss[l] -
		(double)row->coherent_load[l] - (double)row->coherent_store[l];

	if (!(all > 0))
		return (struct causes){ 0, 0 };
	return (struct causes){ (double)row->conflict[l] / all, (double)row->capacity[l] / all };
}

/* The misses if only the members used were there: loops over all records become streams. */
static struct level_misses made_split(const struct level_misses *n,
	const struct record_split *split)
{
	struct level_misses m = *n;

	for (int store = 0; store < 2; store++) {
		m.stream[store] *= split->walked;
		m.gather[store] *= split->alone;
		if (split->walked < 1) {
			m.stream[store] += split->walked * n->strided[store];
			m.strided[store] = 0;
		}
	}
	return m;
}

static void add_changes(struct memory_time *m, const struct price *p, const struct level_misses *n,
	double lines_a_miss, const struct causes *causes, const struct record_split *split)
{
	struct level_misses dense = made_dense(n, lines_a_miss), parted = made_split(n, split);
	struct price pages = *p, unwalked = *p, near = *p;
	double now = price_all(p, n);

	unwalked.walks = 0;
	for (int i = 0; i < COST_WALKS; i++)
		pages.remains[i] = machine_huge_part(p->costs, p->level, (enum cost_walk)i);
	m->walks += positive(now - price_all(&unwalked, n));
	m->changed[CHANGE_DENSE] += price_all(p, &dense);
	m->changed[CHANGE_PAGES] += price_all(&pages, n);
	m->changed[CHANGE_SPLIT] += price_all(p, &parted);
	m->changed[CHANGE_APART] += now;
	m->changed[CHANGE_ROWS] += now * positive(1 - causes->conflict);
	m->conflict += now * causes->conflict;
	m->capacity += now * causes->capacity;
	for (uint32_t l = 0; l < MACHINE_LEVELS; l++) {
		near.level = p->level < l ? p->level : l;
		m->changed[CHANGE_FIT + l] += now - causes->capacity *
			positive(now - price_all(&near, n));
	}
}

static void add_level(struct memory_time *m, const struct price *p, const struct level_misses *n)
{
	for (size_t i = 0; i < PRICES; i++) {
		double value = prices[i].of(p, n, 0);
		struct cost *to = &m->class[prices[i].class];

		to->value += value;
		to->low += fmin(value, prices[i].of(p, n, -1));
		to->high += fmax(value, prices[i].of(p, n, 1));
	}
}

/* ns that the row's lines take from and to memory, if nothing but its bandwidth holds them up.  The
 * cost of a line written is that of its way to the cache and back. */
static double traffic_of(const struct mon_count_row *row, const struct price *memory)
{
	uint32_t last = memory->costs->nlevels - 1;
	double fetched = (double)row->fetched[last],
		written = fmin(fetched, (double)row->writeback[last]);

	return (fetched - written) * line_cost(memory, COST_READ, 0) +
		written * line_cost(memory, COST_WRITE, 0);
}

/* Lines that were loaded by a stream and stored to afterwards: no more than the stores fill. */
static double dirty_lines(const struct mon_count_row *row, const struct level_misses *n)
{
	enum { ELEMENTS_OF_A_LINE = 8 };

	return fmin(n->stream[0], (double)row->stores / ELEMENTS_OF_A_LINE);
}

static void cost_scale(struct cost *c, double by)
{
	c->value *= by;
	c->low *= by;
	c->high *= by;
}

static struct cost cost_times(const struct cost *c, double n)
{
	struct cost all = *c;

	cost_scale(&all, n);
	return all;
}

static void scale(struct memory_time *m, double by)
{
	m->traffic *= by;
	for (int i = 0; i < CHANGES; i++)
		m->changed[i] *= by;
	m->walks *= by;
	m->conflict *= by;
	m->capacity *= by;
	cost_scale(&m->contended, by);
	for (int c = 0; c < MEMORY_CLASSES; c++)
		cost_scale(&m->class[c], by);
}

/* The core's model has 32 bytes a cycle for blocks, and a throughput for loops. */
#define COPY_FAST 0.5
#define COPY_SLOW 2

/* Adds what copies take, which only one change saves. */
static void add_copies(struct memory_time *m, const struct mon_count_row *row,
	const struct machine_costs *costs)
{
	const double all = (double)row->bytes, part = all > 0 ? fmin(1, (double)row->copied / all) :
		0;
	const double ns = (double)row->copy_work / PSC_WORK_UNIT * costs->cycle;
	double misses = 0;

	for (size_t i = 0; i < PRICES; i++)
		misses += m->class[prices[i].class].value;
	for (int i = 0; i < CHANGES; i++)
		m->changed[i] += ns;
	m->changed[CHANGE_UNCOPIED] = misses * (1 - part);
	m->class[MEMORY_COPY] = (struct cost){ ns, COPY_FAST * ns, COPY_SLOW * ns };
}

void memory_time_of_row(struct memory_time *m, const struct mon_count_row *row, double per,
	const struct thread_work *w, const struct machine_costs *costs,
	const struct memory_shape *shape)
{
	double shared = coherence_misses(row), accesses = (double)(row->loads + row->stores);
	double lines_a_miss = accesses > 0 ? fmin(1, (double)row->bytes / accesses / shape->line) :
		1;
	double misses = (double)(row->load_miss[0] + row->store_miss[0]);
	double hits = misses > 0 ? fmax(1, accesses / misses) : 1;
	const struct price memory = { .costs = costs, .work = w, .level = costs->nlevels };

	memset(m, 0, sizeof *m);
	for (uint32_t l = 0; l < costs->nlevels; l++) {
		struct level_misses all = misses_of(row, l), n = served_by_next(row, l,
			costs->nlevels);
		struct causes causes = causes_of(row, l);
		double jumps = irregular_of(&all) + all.strided[0] + all.strided[1];
		struct price price = { costs, w, l + 1, dirty_lines(row, &n),
			jumps > 0 ? clamp(all.walks / jumps, 0, 1) : 0,
			jumps > 0 ? clamp(all.crowded / jumps, 0, 1) : 0,
			{ 1, 1, 1 }, shape->pages, hits };

		add_level(m, &price, &n);
		add_changes(m, &price, &n, lines_a_miss, &causes, &shape->split);
	}
	add_copies(m, row, costs);
	m->traffic = costs->nlevels ? traffic_of(row, &memory) : 0;
	m->class[MEMORY_SHARING] = cost_times(&costs->transfer, shared);
	m->true_part = shared > 0 ? (double)(row->true_sharing[0] + row->true_sharing[1]) / shared :
		0;
	m->contended = cost_times(&costs->transfer, (double)row->contended);
	scale(m, per);
}

void memory_time_widen(struct memory_time *m, const struct memory_time *b)
{
	for (int c = 0; c < MEMORY_CLASSES; c++) {
		m->class[c].low = fmin(m->class[c].low, b->class[c].low);
		m->class[c].high = fmax(m->class[c].high, b->class[c].high);
	}
}

void memory_time_blur(struct memory_time *m, double part)
{
	for (int c = 0; c < MEMORY_CLASSES; c++) {
		m->class[c].low *= positive(1 - part);
		m->class[c].high *= 1 + part;
	}
}

struct cost memory_time_sum(const struct memory_time *m)
{
	struct cost sum = { 0, 0, 0 };

	for (int c = 0; c < MEMORY_CLASSES; c++) {
		sum.value += m->class[c].value;
		sum.low += m->class[c].low;
		sum.high += m->class[c].high;
	}
	return sum;
}

double estimate_contended(const struct cost *memory, const struct cost *contended,
	const struct thread_work *w, struct estimate *core, double t)
{
	if (!(contended->value > 0) || !(w->statements > 0) || w->unknown_calls > 0)
		return 0;
	if (contended->value > t && core->high > t)
		core->value *= sqrt(t / core->high);
	return clamp((t - core->value - memory->value) / contended->value, 0, 1);
}

double estimate_core_beside_streams(const struct estimate *core, double t)
{
	return fmax(core->value, sqrt(core->value * fmin(core->high, t)));
}

void memory_time_contend(struct memory_time *m, double part)
{
	struct cost *sharing = &m->class[MEMORY_SHARING];

	sharing->value += part * m->contended.value;
	sharing->high += m->contended.high;
}

/* How many times as slow the machine was as when its costs were measured: what is
 * not explained otherwise. */
static double slowness(const struct cost *memory, const struct estimate *core, double t)
{
	double known = core->high + memory->value;

	return known > 0 && t > known ? t / known : 1;
}

/* The least that the core took, where the whole took t: C is known no better than by
 * half its range downwards. */
static double core_least(const struct estimate *core, double t)
{
	return core->value > 0 ? fmin(core->low, t * sqrt(core->low / core->value)) : core->low;
}

struct estimate estimate_stall(const struct cost *memory, const struct estimate *core, double t,
	double slow)
{
	const double slower = slowness(memory, core, t), most = 1.1 * memory->high;
	struct estimate e;

	e.high = slow > 0 ? positive(fmin(slower * most, t * (slow - core_least(core, t)) / slow)) :
		0;
	e.low = fmin(e.high, positive(fmin(0.9 * memory->low, t) - core->high));
	e.value = clamp(fmin(fmin(slower * memory->value, most), positive(t - core->value)), e.low,
		e.high);
	return e;
}

/* The part of t that is memory's. */
static double proportion(double memory, double core, double t)
{
	return memory > 0 ? t * memory / (memory + core) : 0;
}

struct estimate estimate_in_bursts(const struct cost *memory, const struct estimate *core, double t)
{
	return (struct estimate){ proportion(memory->value, core->value, t),
		proportion(0.9 * memory->low, core->high, t), proportion(1.1 * memory->high,
		core->low, t) };
}

void estimate_core_beside_contention(struct estimate *core)
{
	core->low *= CONTENDED_CORE;
}

void estimate_core_on_one_cpu(struct estimate *core, double t1)
{
	if (!(t1 > 0))
		return;
	core->low = fmin(core->low, t1);
	core->value = fmin(core->value, t1);
	core->high = fmin(core->high, t1);
}

void estimate_stall_on_one_cpu(struct estimate *e, const struct cost *memory, double t, double t1)
{
	double least = t1 > 0 ? positive(fmin(0.9 * memory->high, t - 1.1 * t1)) : 0;

	e->low = fmax(e->low, fmin(least, e->high));
	e->value = fmax(e->value, e->low);
}

struct estimate estimate_modelled(const struct cost *memory, const struct estimate *core)
{
	return (struct estimate){ memory->value, 0.9 * memory->low,
		fmin(1.1 * memory->high, core->value + memory->value) };
}
