/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrates this host: decides how long to measure, whether the result can be used, and what it is. */
#include "config.h"

#include "machine/calibration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "machine/cpu_clock.h"
#include "machine/faults.h"
#include "machine/local.h"
#include "machine/slices.h"
#include "machine/cores.h"
#include "machine/usable.h"
#include "machine/working_sets.h"

#define S 1e9                           /* ns */
/* Processor time, s: of the first part, and when no further number of threads is begun. */
#define SLICES_CPU 3.9
#define THREADS_CPU 4.4
#define MOST_SPREAD 0.40                /* with which it is still used */
#define ALONE 0.1                       /* share of the cores that others may have on an idle machine */

static const char CACHES[] = "what lines of caches and memory cost";

enum {
	WALL_S = 54,
	FEWEST = 8,             /* rounds with which it is still used: quartiles of fewer values say little */
	EVERYTHING = 8,         /* after LEAST_SLICES rounds, so many only measure what is not settled */
	WINDOWS = 16,           /* of bandwidth, of few threads */
	WINDOWS_MOST = 64,      /* of bandwidth, of all threads together */
	WINDOWS_LEAST = 3,
	THREAD_MIB = 16         /* of memory that a thread streams through, at least */
};

/* --- other programs -------------------------------------------------------------------------- */

struct usage {
	double busy, total;     /* of all CPUs, s */
	double own;             /* of this process, s */
};

static struct usage usage_now(void)
{
	FILE *f = fopen("/proc/stat", "re");
	struct usage u = { .own = process_ns() / S };
	const double tick = (double)sysconf(_SC_CLK_TCK);
	double v[8] = { 0 };

	if (f && fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4],
			&v[5], &v[6], &v[7]) == 8)
		for (int i = 0; i < 8; i++) {
			u.total += v[i] / tick;
			u.busy += i == 3 || i == 4 ? 0 : v[i] / tick;   /* idle, waiting for I/O */
		}
	if (f)
		fclose(f);
	return u;
}

/* The share of the cores that other programs had since then. */
static double others_since(const struct usage *then)
{
	struct usage now = usage_now();
	double total = now.total - then->total;
	double others = now.busy - then->busy - (now.own - then->own);

	return total > 0 && others > 0 ? others < total ? others / total : 1 : 0;
}

/* --- what is said meanwhile ------------------------------------------------------------------ */

struct teller {
	void (*tell)(const char *what, unsigned seconds);       /* NULL: nobody listens */
	uint64_t start;
};

static void tell(const struct teller *t, const char *what)
{
	if (t->tell)
		t->tell(what, (unsigned)((double)(clock_ns() - t->start) / S));
}

/* --- one thread ------------------------------------------------------------------------------ */

static void pause_ms(unsigned ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&t, NULL);
}

/* True: the undisturbed slices are enough, and their quartiles are close.  late: there may be none. */
static bool measured(const struct slices *s, const struct working_sets *sets, const struct machine *m, bool late)
{
	char which[48];

	if (slices_least(s, sets, false) < LEAST_SLICES)
		return false;
	if (!late && slices_least(s, sets, true) < SERIES_QUIET)
		return false;
	return slices_spread(s, &m->flat, which, sizeof which) <= (late ? MOST_SPREAD : ENOUGH_SPREAD);
}

/* Measures until the quartiles are close.  On a busy machine the rounds are spread over the time
 * that is left, so that they meet quiet moments too. */
static void measure(struct slices *s, struct working_sets *sets, const struct machine *m,
	const struct teller *teller, struct series *transfer)
{
	unsigned core[CORES_MOST], cores = cores_cpus(core);
	double round = 0;       /* ns of processor time of the last round */
	const uint64_t wall = clock_ns(), end = wall + WALL_S * (uint64_t)S;

	for (unsigned rounds = 0;; rounds++) {
		const uint64_t now = clock_ns();
		double before = process_ns(), left = SLICES_CPU * S - before;
		bool late = now - wall > (end - wall) / 2;
		bool everything = rounds < LEAST_SLICES || rounds % EVERYTHING == 0;

		if (left < round || now > end || measured(s, sets, m, late))
			return;
		tell(teller, CACHES);
		if (rounds >= LEAST_SLICES)
			pause_ms(1 + (unsigned)((double)(end - now) / 1e6 * round / left / 2));
		/* Processor time is kept for quiet moments while there may still be some. */
		s->choosy = rounds >= LEAST_SLICES && !late;
		slices_round(s, sets, everything);
		if (cores > 1 && everything)
			cores_transfer(core, transfer);
		round = process_ns() - before;
	}
}

static struct cost excess(struct cost over, struct cost page, double share)
{
	const double values[] = { over.value - page.value, over.low - page.value,
		over.high - page.value };

	return (struct cost){ values[0] > 0 ? values[0] / share : 0,
		values[1] > 0 ? values[1] / share : 0, values[2] > 0 ? values[2] / share : 0 };
}

static void fill(const struct slices *s, const struct working_sets *sets, struct machine_costs *c)
{
	static const enum cost_pattern by_block[COST_WALKS] = { COST_GATHER, COST_STORE, COST_CHASE };

	for (uint32_t level = 0; level <= sets->nlevels; level++) {
		const double walks = sets->set[level].walks;

		for (int i = 0; i < COST_PATTERNS; i++)
			c->line[level][i] = slices_cost(s, &s->line[level][i]);
		for (int i = 0; walks > 0 && i < COST_WALKS; i++)
			c->walk[level][i] = excess(slices_cost(s, &s->over[level][i]),
				c->line[level][by_block[i]], walks);
		if (walks > 0)
			c->walk_pages[level] = sets->set[level].pages;
	}
	/* A level that is too small to hold a line of more pages than a TLB has entries: at most what
	 * the next farther level shows. */
	for (uint32_t level = sets->nlevels; level-- > 1;)
		for (int i = 0; sets->set[level].walks == 0 && i < COST_WALKS; i++) {
			c->walk[level][i] = c->walk[level + 1][i];
			c->walk[level][i].low = 0;
		}
	c->cycle = slices_cost(s, &s->cycle).value;
	c->addition = slices_cost(s, &s->addition).value;
	/* Half of the branches are taken, and half of these predictions are wrong. */
	c->mispredict = 2 * (slices_cost(s, &s->taken).value - slices_cost(s, &s->alternating).value);
	if (c->mispredict < c->cycle)
		c->mispredict = c->cycle;
}

/* --- several threads ------------------------------------------------------------------------- */

/* 1, 2, 3, 4, then doubled, and all. */
static unsigned more_threads(unsigned n, unsigned all)
{
	unsigned next = n < 4 ? n + 1 : 2 * n;

	return n < all && next > all ? all : next;
}

static void measure_bandwidth(const struct machine *m, uint64_t memory, const struct teller *teller,
	struct machine_costs *c)
{
	const uint64_t caches = 4 * m->flat.level[m->flat.nlevels - 1].size;
	struct series read, write;
	unsigned cpu[CORES_MOST], all = cores_cpus(cpu);

	for (unsigned n = 1; n <= all && process_ns() < THREADS_CPU * S; n = more_threads(n, all)) {
		uint64_t bytes = ((uint64_t)THREAD_MIB << 20) * n;
		unsigned windows = WINDOWS_MOST / n;

		bytes = bytes < caches ? caches : bytes;
		windows = windows > WINDOWS ? WINDOWS : windows < WINDOWS_LEAST ? WINDOWS_LEAST : windows;
		read.n = write.n = 0;
		tell(teller, "the memory's bandwidth");
		if (cores_bandwidth(cpu, n, bytes < memory ? bytes : memory, windows, &read, &write) < 0)
			return;
		if (read.n && write.n) {
			c->read_bandwidth[n - 1] = series_rate(&read);
			c->write_bandwidth[n - 1] = series_rate(&write);
		}
	}
}

/* --- page faults ----------------------------------------------------------------------------- */

/* [0]: of one thread, [1]: of `threads` at once. */
struct fault_series {
	struct series of[2];
	unsigned threads;
};

/* Before the working sets are made, and again after they were given back: fresh memory may come from what other
 * programs left, or from a hypervisor. */
static void measure_faults(struct fault_series *s)
{
	unsigned cpu[CORES_MOST], n = cores_cpus(cpu);

	n = n > FAULT_THREADS ? FAULT_THREADS : n;
	if (n < 1 || faults_touch(cpu, 1, &s->of[0]) < 0)
		return;
	s->threads = n > 1 && faults_touch(cpu, n, &s->of[1]) == 0 ? n : 1;
}

static void fill_faults(const struct fault_series *s, struct fault_cost *f)
{
	if (!s->of[0].n)
		return;
	f->one = faults_cost(&s->of[0]);
	f->all = s->of[1].n ? faults_cost(&s->of[1]) : f->one;
	f->threads = s->threads;
	f->source = COST_MEASURED;
}

/* --- the whole ------------------------------------------------------------------------------- */

int calibration_measure(const struct machine *m, void (*listener)(const char *what, unsigned seconds),
	struct calibration *out, struct err *err)
{
	struct calibration c = { .line = m->flat.level[0].line };
	struct working_sets sets;
	struct slices *s = calloc(1, sizeof *s);
	struct series transfer = { .n = 0 };
	struct fault_series faults = { .threads = 1 };
	const struct usage start = usage_now();
	const struct teller teller = { listener, clock_ns() };
	char which[48];
	double spread;
	unsigned least;

	if (!s)
		return err_nomem(err);
	tell(&teller, "page faults");
	measure_faults(&faults);
	tell(&teller, CACHES);
	if (working_sets_make(m, &sets, err) < 0) {
		free(s);
		return -1;
	}
	measure(s, &sets, m, &teller, &transfer);
	least = slices_least(s, &sets, false);
	spread = slices_spread(s, &m->flat, which, sizeof which);
	c.costs.source = COST_MEASURED;
	c.costs.nlevels = m->flat.nlevels;
	fill(s, &sets, &c.costs);
	for (uint32_t i = 0; i < m->flat.nlevels; i++) {
		c.size[i] = m->flat.level[i].size;
		c.level[i] = m->flat.level[i].level;
	}
	for (uint32_t i = 0; i <= m->flat.nlevels; i++)
		c.set[i] = sets.set[i].size;
	tell(&teller, "the size of the last cache level");
	c.usable = usable_measure(&m->flat, &sets, m->reported ? m->reported : m->flat.level[m->flat.nlevels - 1].size,
		c.costs.line[m->flat.nlevels - 1][COST_CHASE].value,
		c.costs.line[m->flat.nlevels][COST_CHASE].value);
	working_sets_free(&sets);
	free(s);
	if (least < FEWEST)
		return err_set(err, "this machine is too busy: only %u of at least %d rounds in %.1f s of processor time "
			"and %d s; try again", least, FEWEST, SLICES_CPU, WALL_S);
	if (spread > MOST_SPREAD)
		return err_set(err, "this machine is too busy: the quartiles of \"%s\" differ by %.0f %%, "
			"more than %.0f %%; try again", which, 100 * spread, 100 * MOST_SPREAD);
	measure_faults(&faults);
	fill_faults(&faults, &c.costs.fault);
	c.costs.transfer = series_cost(&transfer);
	measure_bandwidth(m, c.set[c.costs.nlevels], &teller, &c.costs);
	c.costs.when = time(NULL);
	c.costs.load = others_since(&start);
	c.costs.loaded = c.costs.load > ALONE;
	machine_host_name(c.costs.host, sizeof c.costs.host);
	*out = c;
	return 0;
}
