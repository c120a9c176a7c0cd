/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrates this host: decides how long to measure, whether the result can
 * be used, and what it is. */
#include "config.h"

#include "machine/calibration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "machine/cpu_clock.h"
#include "machine/faults.h"
#include "machine/local.h"
#include "machine/cost_slices.h"
#include "machine/cores.h"
#include "machine/usable.h"
#include "machine/working_sets.h"

#define S 1e9                           /* ns */
/* Parts of the processor time: for what lines cost, and when no further number of threads is begun;
 * that may go to memory that is touched first, of the working sets. */
#define SLICES_PART 0.78
#define THREADS_PART 0.88
#define TOUCH_PART 0.25
#define ALONE 0.1                       /* share of the cores that others may have on an idle
					 * machine */

const struct calibration_budget calibration_long = { 5, 60, 54, 54 };
const struct calibration_budget calibration_brief = { 5, 6, 4, 13 };

static const char CACHES[] = "what lines of caches and memory cost";

enum {
	EVERYTHING = 8,         /* after LEAST_SLICES rounds, so many only measure what is not
				 * settled */
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

/* --- what is said meanwhile, and what is left ----------------------------------------------- */

struct run {
	void (*tell)(const char *what, unsigned seconds);       /* NULL: nobody listens */
	const struct calibration_budget *budget;
	uint64_t start;
	double cpu_start;
};

static double wall_s(const struct run *r)
{
	return (double)(clock_ns() - r->start) / S;
}

static double cpu_s(const struct run *r)
{
	return (process_ns() - r->cpu_start) / S;
}

static void tell(const struct run *r, const char *what)
{
	if (r->tell)
		r->tell(what, (unsigned)wall_s(r));
}

/* --- one thread ------------------------------------------------------------------------------ */

static void pause_s(double s)
{
	struct timespec t = { (time_t)s, (long)((s - (double)(time_t)s) * S) };

	nanosleep(&t, NULL);
}

/* True: the undisturbed slices are enough, and their quartiles are close.
 * late: there may be none. */
static bool measured(const struct slices *s, const struct working_sets *sets,
	const struct machine *m, bool late)
{
	char which[48];

	if (slices_least(s, sets, false) < LEAST_SLICES)
		return false;
	if (!late && slices_least(s, sets, true) < SERIES_QUIET)
		return false;
	return slices_spread(s, &m->flat, which, sizeof which) <= (late ? MOST_SPREAD :
		ENOUGH_SPREAD);
}

/* Measures until the quartiles are close.  On a busy machine the rounds are spread over the time
 * that is left, so that they meet quiet moments too. */
static void measure(struct slices *s, struct working_sets *sets, const struct machine *m,
	const struct run *run, struct series *transfer)
{
	unsigned core[CORES_MOST], cores = cores_cpus(core);
	const double begin = wall_s(run);
	double round = 0;       /* s of processor time of the last round */

	for (unsigned rounds = 0;; rounds++) {
		const bool few = rounds <= SERIES_QUIET;        /* the first one only finds how long
								 * slices are */
		const double end = few ? run->budget->few : run->budget->slices;
		const double now = wall_s(run), before = cpu_s(run),
			left = SLICES_PART * run->budget->cpu - before;
		const bool late = now - begin > (end - begin) / 2;
		const bool everything = rounds < LEAST_SLICES || rounds % EVERYTHING == 0;

		if (left < round || now > end || measured(s, sets, m, late))
			return;
		tell(run, CACHES);
		if (rounds >= LEAST_SLICES)
			pause_s(0.001 + (end - now) * round / left / 2);
		/* Processor time is kept for quiet moments while there may still be some. */
		s->choosy = rounds >= LEAST_SLICES && !late;
		slices_round(s, sets, everything);
		if (cores > 1 && everything)
			cores_transfer(core, transfer);
		round = cpu_s(run) - before;
	}
}

/* What disturbs one of the two often disturbs both, which their ends have
 * in common; but not always. */
static struct cost excess(struct cost over, struct cost page, double share)
{
	const double value = over.value - page.value;
	const double low = fmin(over.low - page.low, over.value - page.high);
	const double high = fmax(over.high - page.high, over.value - page.low);

	return (struct cost){ fmax(0, value) / share, fmax(0, fmin(value, low)) / share,
		fmax(0, fmax(value, high)) / share };
}

/* The cost by the slices; where there are none, by the model, and wide. */
static struct cost known(const struct slices *s, const struct samples *of,
	const struct cost *computed)
{
	return of->ns.n ? slices_cost(s, of) : (struct cost){ computed->value, computed->low / 2,
		computed->high * 2 };
}

static void fill_level(const struct slices *s, const struct working_set *set, uint32_t level,
	const struct machine_costs *computed, struct machine_costs *c)
{
	static const enum cost_pattern by_block[COST_WALKS] = { COST_GATHER, COST_STORE,
		COST_CHASE };

	for (int i = 0; i < COST_PATTERNS; i++)
		c->line[level][i] = known(s, &s->line[level][i], &computed->line[level][i]);
	for (int i = 0; i < COST_WALKS; i++) {
		const struct cost *page = &c->line[level][by_block[i]];

		if (set->walks > 0)
			c->walk[level][i] = s->over[level][i].ns.n ?
				excess(slices_cost(s, &s->over[level][i]), *page, set->walks) :
				computed->walk[level][i];
		if (set->huge && s->huge[level][i].ns.n)
			c->huge[level][i] = excess(slices_cost(s, &s->huge[level][i]), *page,
				set->walks);
		else
			c->huge_known &= !(set->walks > 0);
	}
	if (set->walks > 0)
		c->walk_pages[level] = set->pages;
}

static void fill(const struct slices *s, const struct working_sets *sets, const struct machine *m,
	struct machine_costs *c)
{
	struct machine_costs computed;

	machine_costs_compute(m, false, &computed);
	c->huge_known = sets->set[sets->nlevels].huge != NULL;
	for (uint32_t level = 0; level <= sets->nlevels; level++)
		fill_level(s, &sets->set[level], level, &computed, c);
	/* A level that is too small to hold a line of more pages than a TLB has entries: at most
	 * what the next farther level shows. */
	for (uint32_t level = sets->nlevels; level-- > 1;)
		for (int i = 0; sets->set[level].walks == 0 && i < COST_WALKS; i++) {
			c->walk[level][i] = c->walk[level + 1][i];
			c->walk[level][i].low = 0;
			c->huge[level][i] = c->huge[level + 1][i];
			c->huge[level][i].low = 0;
		}
	c->cycle = known(s, &s->cycle, &(struct cost){ computed.cycle, 0, 0 }).value;
	c->addition = slices_cost(s, &s->addition).value;
	/* Half of the branches are taken, and half of these predictions are wrong. */
	c->mispredict = 2 * (slices_cost(s, &s->taken).value - slices_cost(s,
		&s->alternating).value);
	if (c->mispredict < c->cycle)
		c->mispredict = s->taken.ns.n ? c->cycle : computed.mispredict;
	c->transfer = computed.transfer;
}

/* How much the costs varied, and whether that has to be said. */
static void mark(const struct slices *s, const struct working_sets *sets, const struct machine *m,
	struct machine_costs *c)
{
	char which[sizeof c->varies];

	c->spread = slices_spread(s, &m->flat, which, sizeof which);
	if (slices_least(s, sets, false) < SERIES_QUIET)
		snprintf(c->varies, sizeof c->varies, "too few rounds");
	else if (c->spread > MOST_SPREAD)
		snprintf(c->varies, sizeof c->varies, "%s", which);
}

/* --- several threads ------------------------------------------------------------------------- */

/* 1, 2, 3, 4, then doubled, and all. */
static unsigned more_threads(unsigned n, unsigned all)
{
	unsigned next = n < 4 ? n + 1 : 2 * n;

	return n < all && next > all ? all : next;
}

/* last: bytes of the last level; memory: bytes that may be used.  Of a further number of threads
 * twice the processor time of the one before is expected. */
static void measure_bandwidth(uint64_t last, uint64_t memory, const struct run *run,
	struct machine_costs *c)
{
	const uint64_t caches = 4 * last;
	struct series read, write;
	unsigned cpu[CORES_MOST], all = cores_cpus(cpu);
	double took = 0, before;

	for (unsigned n = 1; n <= all && cpu_s(run) + 2 * took < run->budget->cpu
	     && cpu_s(run) < THREADS_PART * run->budget->cpu && wall_s(run) < run->budget->wall; n =
	     more_threads(n, all)) {
		uint64_t bytes = ((uint64_t)THREAD_MIB << 20) * n;
		unsigned windows = WINDOWS_MOST / n;

		before = cpu_s(run);
		bytes = bytes < caches ? caches : bytes;
		windows = windows > WINDOWS ? WINDOWS : windows < WINDOWS_LEAST ? WINDOWS_LEAST :
			windows;
		read.n = write.n = 0;
		tell(run, "the memory's bandwidth");
		if (cores_bandwidth(cpu, n, bytes < memory ? bytes : memory, windows, &read,
		    &write) < 0)
			return;
		if (read.n && write.n) {
			c->read_bandwidth[n - 1] = series_rate(&read);
			c->write_bandwidth[n - 1] = series_rate(&write);
		}
		took = cpu_s(run) - before;
	}
}

/* --- page faults ----------------------------------------------------------------------------- */

/* [0]: of one thread, [1]: of `threads` at once. */
struct fault_series {
	struct series of[2];
	unsigned threads;
};

/* Before the working sets are made, and again after they were given back: fresh memory may come
 * from what other programs left, or from a hypervisor. */
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

/* The pages that are touched in TOUCH_PART of the processor time. */
static uint64_t pages_in_time(const struct fault_series *faults, const struct calibration_budget *b)
{
	const double ns = faults_cost(&faults->of[0]).value;

	return ns > 0 ? (uint64_t)(TOUCH_PART * b->cpu * S / ns) : 0;
}

static void identify(const struct machine *m, const struct working_sets *sets,
	struct calibration *c)
{
	c->costs.source = COST_MEASURED;
	c->costs.nlevels = m->flat.nlevels;
	c->line = m->flat.level[0].line;
	snprintf(c->processor, sizeof c->processor, "%s", m->title);
	machine_host_name(c->costs.host, sizeof c->costs.host);
	for (uint32_t i = 0; i < m->flat.nlevels; i++) {
		c->size[i] = m->flat.level[i].size;
		c->level[i] = m->flat.level[i].level;
	}
	for (uint32_t i = 0; i <= m->flat.nlevels; i++)
		c->set[i] = sets->set[i].size;
}

int calibration_measure(const struct machine *m, const struct calibration_budget *budget,
	void (*listener)(const char *what, unsigned seconds), struct calibration *out,
	struct err *err)
{
	const uint32_t last = m->flat.nlevels - 1;
	const struct run run = { listener, budget, clock_ns(), process_ns() };
	const struct usage start = usage_now();
	struct calibration c = { .line = 0 };
	struct working_sets sets;
	struct slices *s = calloc(1, sizeof *s);
	struct series transfer = { .n = 0 };
	struct fault_series faults = { .threads = 1 };

	if (!s)
		return err_nomem(err);
	tell(&run, "page faults");
	measure_faults(&faults);
	tell(&run, CACHES);
	if (working_sets_make(m, pages_in_time(&faults, budget), &sets, err) < 0) {
		free(s);
		return -1;
	}
	measure(s, &sets, m, &run, &transfer);
	identify(m, &sets, &c);
	fill(s, &sets, m, &c.costs);
	mark(s, &sets, m, &c.costs);
	tell(&run, "the size of the last cache level");
	if (wall_s(&run) < budget->wall)
		c.usable = usable_measure(&m->flat, &sets, m->reported ? m->reported :
			m->flat.level[last].size, c.costs.line[last][COST_CHASE].value,
			c.costs.line[last + 1][COST_CHASE].value);
	working_sets_free(&sets);
	free(s);
	measure_faults(&faults);
	fill_faults(&faults, &c.costs.fault);
	if (transfer.n)
		c.costs.transfer = series_cost(&transfer);
	measure_bandwidth(c.usable > c.size[last] ? c.usable : c.size[last], c.set[last + 1], &run,
		&c.costs);
	c.costs.when = time(NULL);
	c.costs.load = others_since(&start);
	c.costs.loaded = c.costs.load > ALONE;
	*out = c;
	return 0;
}
