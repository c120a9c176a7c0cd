/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what a line costs from the attributes of a machine model,
 * unless this host was measured. */
#include "machine/line_costs.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include "machine/calibration.h"
#include "machine/local.h"

const char *const cost_names[COST_NAMES] = {
	"read", "write", "strided", "strided-store", "gather", "store", "chase", "crowded",
	"near", "walk-gather", "walk-store", "walk-chase", "huge-gather", "huge-store", "huge-chase"
};

/* Assumed where a model does not say, in parts of the latency of the level that serves the line.
 * Measured on two servers (Sapphire Rapids, Zen 3; virtual machines): a streamed line costs 1/9 to
 * 1/25 of it, a stored one 1/6 to 1/12; a page walk of dependent loads 0.3 to 3 times the latency,
 * more with nested page tables. */
#define ASSUMED_READ (1 / 8.0)
#define ASSUMED_WRITE (1 / 6.0)
#define ASSUMED_WALK 1.0
enum { ASSUMED_MISSES = 12, ASSUMED_MISPREDICT = 20 /* cycles */ };
/* A line that another core wrote, in parts of the latency of the nearest level that both share. */
#define ASSUMED_TRANSFER 1.5

static struct cost given(double ns)
{
	return (struct cost){ ns, ns * 0.75, ns * 4 / 3 };
}

static struct cost assumed(double ns)
{
	return (struct cost){ ns, ns / 2, ns * 2 };
}

static struct cost times(struct cost c, double factor)
{
	return (struct cost){ c.value * factor, c.low * factor, c.high * factor };
}

static struct cost dearer(struct cost a, struct cost b)
{
	return a.value >= b.value ? a : b;
}

/* Fills in a level's costs: streams as given; independent misses overlap, stores half as many as
 * loads, but lines never come faster than in a stream; dependent loads take the whole latency. */
static void fill_level(const struct machine *m, uint32_t level, bool latency_known,
	struct machine_costs *out)
{
	const struct machine_flat *f = &m->flat;
	const struct machine_line *line = &m->line[level];
	const double misses = m->misses ? m->misses : ASSUMED_MISSES;
	const double cycles = level < f->nlevels ? f->level[level].latency : f->memory_latency;
	struct cost chase = latency_known ? given(cycles / m->ghz) : assumed(cycles / m->ghz);
	struct cost overlapped = m->misses && latency_known ? given(chase.value) :
		assumed(chase.value);
	struct cost *c = out->line[level], *walk = out->walk[level];

	c[COST_READ] = line->read > 0 ? given(line->read / m->ghz)
		: assumed(chase.value * ASSUMED_READ);
	c[COST_WRITE] = line->write > 0 ? given(line->write / m->ghz)
		: assumed(chase.value * ASSUMED_WRITE);
	c[COST_CHASE] = chase;
	c[COST_GATHER] = c[COST_STRIDED] = c[COST_CROWDED] = c[COST_NEAR] =
		dearer(times(overlapped, 1 / misses), c[COST_READ]);
	c[COST_STORE] = c[COST_STRIDED_STORE] = dearer(times(overlapped, 2 / misses),
		c[COST_WRITE]);
	if (line->walk > 0)
		walk[COST_WALK_CHASE] = given(line->walk / m->ghz);
	else if (level > 0)
		walk[COST_WALK_CHASE] = assumed(chase.value * ASSUMED_WALK);
	walk[COST_WALK_GATHER] = times(walk[COST_WALK_CHASE], 1 / misses);
	walk[COST_WALK_STORE] = times(walk[COST_WALK_CHASE], 2 / misses);
}

static double transfer_cycles(const struct machine_flat *f)
{
	for (uint32_t i = 0; i < f->nlevels; i++)
		if (f->level[i].cpus > 1)
			return f->level[i].latency * ASSUMED_TRANSFER;
	return f->memory_latency;
}

/* True: every attribute is given.  The nearest level needs no walk. */
static bool complete(const struct machine *m)
{
	for (uint32_t i = 0; i <= m->flat.nlevels; i++)
		if (!(m->line[i].read > 0) || !(m->line[i].write > 0) ||
		    (i && !(m->line[i].walk > 0)))
			return false;
	return m->misses > 0;
}

void machine_costs_compute(const struct machine *m, bool latency_known, struct machine_costs *out)
{
	*out = (struct machine_costs){ .source = COST_ASSUMED, .nlevels = m->flat.nlevels };
	if (latency_known && complete(m))
		out->source = COST_MODEL;
	for (uint32_t i = 0; i <= m->flat.nlevels; i++)
		fill_level(m, i, latency_known, out);
	out->cycle = 1 / m->ghz;
	out->mispredict = ASSUMED_MISPREDICT / m->ghz;
	out->transfer = assumed(transfer_cycles(&m->flat) / m->ghz);
}

/* --- page faults ----------------------------------------------------------------------------- */

/* Native Linux on processors of 2015 to 2025: 0.5 (Zen 5) to 1 us (Skylake), with mitigations and
 * clearing of the page up to 4.  Beneath a hypervisor the walks of nested tables add to it: 1.5 us
 * on a Sapphire Rapids (KVM), and 20 to 35 us where the hypervisor is virtual itself. */
static const struct cost assumed_fault = { 1000, 500, 4000 };
static const struct cost assumed_fault_virtual = { 2000, 500, 40000 };

/* The processor's own word, which a hypervisor sets. */
static bool beneath_hypervisor(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned a, b, c = 0, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return access("/sys/hypervisor/type", F_OK) == 0 || access("/proc/device-tree/hypervisor",
		F_OK) == 0;
#endif
}

static struct fault_cost fault_assumed(void)
{
	const struct cost c = beneath_hypervisor() ? assumed_fault_virtual : assumed_fault;

	return (struct fault_cost){ COST_ASSUMED, c, c, 1 };
}

/* The machine may be another one than this host, whose system handles the faults. */
static struct fault_cost fault_of_host(void)
{
	struct calibration c;
	struct err why;

	if (calibration_own(&c, &why) == 0 && c.costs.fault.source == COST_MEASURED)
		return c.costs.fault;
	return fault_assumed();
}

bool machine_costs_marked(const struct machine_costs *c)
{
	return c->source == COST_MEASURED && (c->loaded || c->varies[0]);
}

void machine_costs(const struct machine *m, bool here, struct machine_costs *out, char *note,
	size_t size)
{
	struct calibration c;
	struct err why;

	if (note && size)
		note[0] = '\0';
	if (here && calibration_of_host(m, &c, &why) == 0) {
		*out = c.costs;
		if (out->fault.source != COST_MEASURED)
			out->fault = fault_assumed();
		return;
	}
	machine_costs_compute(m, !here, out);
	out->fault = fault_of_host();
	if (here && note && size)
		snprintf(note, size, "%.400s", why.text);
}

static struct cost between(struct cost a, struct cost b, double part)
{
	return (struct cost){ a.value + (b.value - a.value) * part, a.low + (b.low - a.low) * part,
		a.high + (b.high - a.high) * part };
}

struct cost machine_fault(const struct machine_costs *c, double threads)
{
	const struct fault_cost *f = &c->fault;

	if (f->threads < 2 || threads <= 1)
		return f->one;
	return threads >= f->threads ? f->all : between(f->one, f->all,
		(threads - 1) / (f->threads - 1));
}

/* Goes from the level to nearer ones, until one was measured with fewer pages. */
struct cost machine_walk(const struct machine_costs *c, uint32_t level, enum cost_walk walk,
	double pages)
{
	struct cost own = c->walk[level][walk], least = own;
	double upper = c->walk_pages[level];

	if (walk == COST_WALK_CHASE || !(pages > 0))
		return own;
	for (uint32_t l = level; l-- > 1 && pages < upper;) {
		double lower = c->walk_pages[l];

		if (!(lower > 0) || lower >= upper || c->walk[l][walk].value >= least.value)
			continue;
		if (pages > lower)
			return between(c->walk[l][walk], least,
				log(pages / lower) / log(upper / lower));
		least = c->walk[l][walk];
		upper = lower;
	}
	return least;
}

bool machine_huge_known(const struct machine_costs *c)
{
	return c->huge_known || c->source == COST_MODEL;
}

double machine_huge_part(const struct machine_costs *c, uint32_t level, enum cost_walk walk)
{
	const struct cost *small = &c->walk[level][walk], *huge = &c->huge[level][walk];

	if (c->source == COST_MODEL)
		return 0;
	return c->huge_known && huge->high < small->low ? huge->value / small->value : 1;
}

double machine_bandwidth(const struct machine_costs *c, bool write, unsigned threads)
{
	const double *v = write ? c->write_bandwidth : c->read_bandwidth;
	unsigned below = 0, above = 0;

	for (unsigned n = 1; n <= COST_THREADS && !above; n++) {
		if (!(v[n - 1] > 0))
			continue;
		if (n <= threads)
			below = n;
		if (n >= threads)
			above = n;
	}
	if (!below || !above || below == above)
		return below ? v[below - 1] : above ? v[above - 1] : 0;
	return v[below - 1] + (v[above - 1] - v[below - 1]) * (threads - below) / (above - below);
}
