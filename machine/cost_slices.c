/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what a line costs by pattern, level by level, in short slices. */
#include "config.h"

#include "machine/cost_slices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include "base/quantile.h"
#include "machine/cpu_clock.h"
#include "machine/kernels.h"
#include "machine/local.h"

/* ns of processor time of a slice: of the caches of a core; of farther levels and page walks, whose
 * translations have to be in the caches after a first pass. */
#define NEAR_SLICE 3e5
#define FAR_SLICE 1e6
enum { PARTS = 3, CHAIN = 20000, BRANCHES = 1 << 15, FEW = 256 };

enum { PROBE_LINES = 64, PROBE_LINE = 64, PROBE_PASSES = 200 };
/* A probe that takes so many times the fastest one ran beside another program.  The other hardware
 * thread makes it 1.6 to 2.2 times as long (Zen 3). */
#define DISTURBED 1.2

enum { CURSOR_READ, CURSOR_WRITE, CURSOR_STRIDED, CURSOR_STRIDED_STORE, CURSOR_CROWDED,
	CURSOR_NEAR };

/* A set of fewer pages is passed too fast to be strided through by a loop: its list is visited,
 * which in a core's own caches costs the same. */
enum { SHORT_PASS = 32 };

static volatile uint64_t sink;
static volatile double sum_sink;

static long interruptions(void)
{
#ifdef RUSAGE_THREAD
	struct rusage r;

	return getrusage(RUSAGE_THREAD, &r) == 0 ? r.ru_nivcsw : 0;
#else
	return 0;
#endif
}

/* --- patterns -------------------------------------------------------------------------------- */

static void stream(struct working_set *s, const struct working_sets *all, size_t lines, bool write)
{
	const size_t size = write ? s->scratch_size : s->size;
	size_t *at = &s->cursor[write ? CURSOR_WRITE : CURSOR_READ];

	for (size_t bytes = lines * all->line; bytes;) {
		size_t n = bytes < size - *at ? bytes : size - *at;

		if (write)
			kernel_write(s->scratch + *at, n, bytes);
		else
			sink += kernel_read(s->memory + *at, n);
		*at = (*at + n) % size;
		bytes -= n;
	}
}

/* A step of an odd number of lines beyond a page uses all sets of a cache; a step of a page is
 * crowded:
 * its lines meet in one set.  Prefetchers may follow a near step.  The next pass
 * begins with the next line. */
static size_t step_of(const struct working_sets *all, unsigned what)
{
	switch (what) {
	case COST_NEAR:
		return COST_NEAR_LINES * all->line;
	case COST_CROWDED:
		return all->page;
	default:
		return all->page + all->line;
	}
}

static unsigned cursor_of(unsigned what)
{
	switch (what) {
	case COST_NEAR:
		return CURSOR_NEAR;
	case COST_CROWDED:
		return CURSOR_CROWDED;
	default:
		return what == COST_STRIDED_STORE ? CURSOR_STRIDED_STORE : CURSOR_STRIDED;
	}
}

static void strided(struct working_set *s, const struct working_sets *all, size_t lines,
	unsigned what)
{
	const bool store = what == COST_STRIDED_STORE;
	const size_t step = step_of(all, what);
	const size_t size = store ? s->scratch_size : s->size;
	size_t *at = &s->cursor[cursor_of(what)], *pass = &s->pass[cursor_of(what)];

	while (lines) {
		size_t left = (size - *at + step - 1) / step, n = lines < left ? lines : left;

		if (store)
			kernel_strided_store(s->scratch + *at, step, n, lines);
		else
			sink += kernel_strided(s->memory + *at, step, n);
		*at += n * step;
		lines -= n;
		if (*at >= size) {
			*pass = (*pass + 1) % (step / all->line);
			*at = *pass * all->line % size;
		}
	}
}

static void visit(struct order *o, size_t lines, bool store)
{
	while (lines) {
		size_t n = lines < o->n - o->next ? lines : o->n - o->next;

		if (store)
			kernel_store(o->base, o->word + o->next, n, lines);
		else
			sink += kernel_gather(o->base, o->word + o->next, n);
		o->next = (o->next + n) % o->n;
		lines -= n;
	}
}

static void run(struct working_set *s, const struct working_sets *all, unsigned what, size_t lines)
{
	struct order *by_block = s->order[BY_BLOCK];
	struct order *over = s->order[what < COST_HUGE ? OVER_PAGES : OVER_HUGE];

	switch (what) {
	case COST_READ:
	case COST_WRITE:
		stream(s, all, lines, what == COST_WRITE);
		break;
	case COST_STRIDED:
	case COST_STRIDED_STORE:
	case COST_CROWDED:
	case COST_NEAR:
		if (s->size < SHORT_PASS * all->page) {
			visit(&by_block[what == COST_STRIDED_STORE ? ORDER_STORE : ORDER_LOAD],
				lines, what == COST_STRIDED_STORE);
			break;
		}
		strided(s, all, lines, what);
		break;
	case COST_GATHER:
	case COST_STORE:
		visit(&by_block[what == COST_STORE ? ORDER_STORE : ORDER_LOAD], lines,
			what == COST_STORE);
		break;
	case COST_CHASE:
		by_block[ORDER_CHASE].at = kernel_chase(by_block[ORDER_CHASE].at, lines);
		break;
	case COST_PATTERNS + COST_WALK_GATHER:
	case COST_HUGE + COST_WALK_GATHER:
		visit(&over[ORDER_LOAD], lines, false);
		break;
	case COST_PATTERNS + COST_WALK_STORE:
	case COST_HUGE + COST_WALK_STORE:
		visit(&over[ORDER_STORE], lines, true);
		break;
	default:
		over[ORDER_CHASE].at = kernel_chase(over[ORDER_CHASE].at, lines);
	}
}

/* --- a round --------------------------------------------------------------------------------- */

static double probe(struct slices *s)
{
	static char lines[PROBE_LINES * PROBE_LINE] __attribute__((aligned(PROBE_LINE)));
	double ns = thread_ns();

	for (uint64_t i = 0; i < PROBE_PASSES; i++)
		kernel_strided_store(lines, PROBE_LINE, PROBE_LINES, i);
	ns = thread_ns() - ns;
	if (s->probe == 0 || ns < s->probe)
		s->probe = ns;
	return ns;
}

static void samples_add(struct samples *s, double ns, double probe_ns)
{
	series_add(&s->ns, ns);
	series_add(&s->probe, probe_ns);
}

static struct samples *samples_at(struct slices *s, uint32_t level, unsigned what)
{
	return what < COST_PATTERNS ? &s->line[level][what] : what < COST_HUGE ?
		&s->over[level][what - COST_PATTERNS] : &s->huge[level][what - COST_HUGE];
}

static const struct samples *samples_of(const struct slices *s, uint32_t level, unsigned what)
{
	return samples_at((struct slices *)(uintptr_t)s, level, what);
}

/* Whether the set has what is visited for it. */
static bool measurable(const struct working_set *set, unsigned what)
{
	return what < COST_PATTERNS || (what < COST_HUGE ? set->walks > 0 : set->huge != NULL);
}

/* The ns of a part of a slice; 0: another program had the processor meanwhile.  Adapts the number
 * of lines to the time that is meant. */
static double part_of_slice(struct slices *s, struct working_sets *sets, uint32_t level,
	unsigned what)
{
	const bool near = level + 1 < sets->nlevels && what < COST_PATTERNS;
	const double target = (near ? NEAR_SLICE : FAR_SLICE) / PARTS;
	size_t *lines = &s->lines[level][what], done = *lines ? *lines : FEW;
	long before = interruptions();
	double ns = thread_ns(), factor;

	run(&sets->set[level], sets, what, done);
	ns = thread_ns() - ns;
	factor = target / (ns + 1);
	if (*lines)
		factor = factor < 0.5 ? 0.5 : factor > 2 ? 2 : factor;
	*lines = (size_t)((double)done * factor) + 1;
	return interruptions() == before ? ns / (double)done : 0;
}

static unsigned undisturbed(const struct slices *s, const struct samples *of)
{
	struct series ignored;

	return samples_undisturbed(of, s->probe * DISTURBED, &ignored);
}

/* A slice counts as fast as its fastest part: what others did to a part
 * is not the machine's cost. */
static void slice(struct slices *s, struct working_sets *sets, uint32_t level, unsigned what)
{
	struct samples *into = samples_at(s, level, what);
	double least = 0, probed = 0, before = probe(s);
	bool adapted = s->lines[level][what] > 0;

	if (adapted && before > s->probe * DISTURBED &&
	    (s->choosy || undisturbed(s, into) >= SERIES_QUIET))
		return;
	for (int i = 0; i < PARTS; i++) {
		double ns = part_of_slice(s, sets, level, what), after = probe(s);

		if (ns > 0 && (least == 0 || ns < least)) {
			least = ns;
			probed = before > after ? before : after;
		}
		before = after;
	}
	if (least > 0 && adapted)
		samples_add(into, least, probed);
}

static bool settled(const struct slices *s, const struct samples *of)
{
	struct series out;

	return of->ns.n >= LEAST_SLICES
		&& samples_undisturbed(of, s->probe * DISTURBED, &out) >= SERIES_QUIET
		&& series_spread(&out) <= ENOUGH_SPREAD;
}

enum part { LINES, SCRATCH, WIDE, HUGE };

/* Puts a part of a level's set into its cache; memory's is in none.  Twice: a cache that other
 * programs have filled meanwhile may not keep a line that is used once. */
static void warm(struct working_sets *sets, uint32_t level, enum part part)
{
	struct working_set *s = &sets->set[level];

	for (int i = 0; i < 2 && level < sets->nlevels; i++) {
		if (part == SCRATCH)
			stream(s, sets, s->scratch_size / sets->line, true);
		else if (part == WIDE || part == HUGE)
			visit(&s->order[part == WIDE ? OVER_PAGES : OVER_HUGE][ORDER_LOAD],
				s->order[OVER_PAGES][ORDER_LOAD].n, false);
		else
			stream(s, sets, s->size / sets->line, false);
	}
}

static void core_slices(struct slices *s)
{
	static unsigned char random[BRANCHES], alternating[BRANCHES];
	static uint64_t state = 88172645463325252u;
	volatile uint64_t sum = 0;
	long before;
	double t[5], probed, after;

	for (int i = 0; i < BRANCHES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		random[i] = state >> 63;        /* new ones each time: predictors learn */
		alternating[i] = i & 1;
	}
	before = interruptions();
	probed = probe(s);
	t[0] = thread_ns();
	sink += kernel_chain(state, CHAIN);
	t[1] = thread_ns();
	sum_sink = kernel_additions((double)random[0] + 1, CHAIN);
	t[2] = thread_ns();
	kernel_branches(random, BRANCHES, &sum);
	t[3] = thread_ns();
	kernel_branches(alternating, BRANCHES, &sum);
	t[4] = thread_ns();
	after = probe(s);
	if (interruptions() != before)
		return;
	probed = probed > after ? probed : after;
	samples_add(&s->cycle, (t[1] - t[0]) / (16.0 * CHAIN), probed);
	samples_add(&s->addition, (t[2] - t[1]) / (8.0 * CHAIN), probed);
	samples_add(&s->taken, (t[3] - t[2]) / BRANCHES, probed);
	samples_add(&s->alternating, (t[4] - t[3]) / BRANCHES, probed);
}

/* What is measured in a part of a set, in this order. */
static const struct { enum part part; unsigned n, what[7]; } visits[] = {
	{ LINES, 7, { COST_READ, COST_NEAR, COST_STRIDED, COST_CROWDED, COST_GATHER, COST_STORE,
		COST_CHASE } },
	{ SCRATCH, 2, { COST_WRITE, COST_STRIDED_STORE } },
	{ WIDE, 3, { COST_PATTERNS + COST_WALK_GATHER, COST_PATTERNS + COST_WALK_STORE,
		COST_PATTERNS + COST_WALK_CHASE } },
	{ HUGE, 3, { COST_HUGE + COST_WALK_GATHER, COST_HUGE + COST_WALK_STORE,
		COST_HUGE + COST_WALK_CHASE } },
};

static void visit_part(struct slices *s, struct working_sets *sets, uint32_t level, unsigned v,
	bool everything)
{
	bool warmed = false;

	if (!measurable(&sets->set[level], visits[v].what[0]))
		return;
	if (s->choosy && probe(s) > s->probe * DISTURBED)
		return;
	for (unsigned i = 0; i < visits[v].n; i++) {
		unsigned what = visits[v].what[i];

		if (!everything && settled(s, samples_of(s, level, what)))
			continue;
		if (!warmed)
			warm(sets, level, visits[v].part);
		warmed = true;
		slice(s, sets, level, what);
	}
}

void slices_round(struct slices *s, struct working_sets *sets, bool everything)
{
	if (everything || !settled(s, &s->cycle) || !settled(s, &s->taken))
		core_slices(s);
	for (uint32_t level = 0; level <= sets->nlevels; level++)
		for (unsigned v = 0; v < sizeof visits / sizeof visits[0]; v++)
			visit_part(s, sets, level, v, everything);
}

/* --- statistics ------------------------------------------------------------------------------ */

/* A range that says how unsure the value is. */
static void widen(const struct series *all, struct cost *c)
{
	double v[SERIES_MOST], low, high;

	memcpy(v, all->v, all->n * sizeof *v);
	quantile_sort(v, all->n);
	low = quantile_nearest(v, all->n, 0.1);
	high = quantile_nearest(v, all->n, 0.9);
	c->low = fmin(c->low, fmin(low, c->value * 2 / 3));
	c->high = fmax(c->high, fmax(high, c->value * 3 / 2));
}

struct cost slices_cost(const struct slices *s, const struct samples *of)
{
	struct series out;
	struct cost all = series_cost(&of->ns), c;

	samples_undisturbed(of, s->probe * DISTURBED, &out);
	c = series_cost(&out);
	c.high = all.high > c.high ? all.high : c.high;
	if (of->ns.n && (of->ns.n < SERIES_QUIET || series_spread(&out) > MOST_SPREAD))
		widen(&of->ns, &c);
	return c;
}

/* What is only a part of another cost, or in addition to it. */
static bool adds_only(unsigned what)
{
	return what == COST_CROWDED || what == COST_PATTERNS + COST_WALK_GATHER
		|| what == COST_PATTERNS + COST_WALK_STORE || what >= COST_HUGE;
}

static void name_of(const struct machine_flat *f, uint32_t level, unsigned what, char *out,
	size_t size)
{
	if (level < f->nlevels)
		snprintf(out, size, "L%u %s", f->level[level].level, cost_names[what]);
	else
		snprintf(out, size, "memory %s", cost_names[what]);
}

double slices_spread(const struct slices *s, const struct machine_flat *f, char *which, size_t size)
{
	double most = 0;

	snprintf(which, size, "nothing");
	for (uint32_t level = 0; level <= f->nlevels; level++)
		for (unsigned i = 0; i < COST_NAMES; i++) {
			struct series out;
			double spread;

			if (adds_only(i))
				continue;
			samples_undisturbed(samples_of(s, level, i), s->probe * DISTURBED, &out);
			spread = series_spread(&out);
			if (spread <= most)
				continue;
			most = spread;
			name_of(f, level, i, which, size);
		}
	return most;
}

unsigned slices_least(const struct slices *s, const struct working_sets *sets, bool quiet)
{
	unsigned least = quiet ? undisturbed(s, &s->cycle) : s->cycle.ns.n;

	for (uint32_t level = 0; level <= sets->nlevels; level++)
		for (unsigned i = 0; i < COST_NAMES; i++) {
			const struct samples *of = samples_of(s, level, i);
			unsigned n;

			if (!measurable(&sets->set[level], i))
				continue;
			n = quiet ? undisturbed(s, of) : of->ns.n;
			least = n < least ? n : least;
		}
	return least;
}
