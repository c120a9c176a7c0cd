/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a cache line costs on a machine. */
#include "config.h"

#include "machine/psc_machine.h"

#include <stdio.h>
#include <time.h>
#include "machine/calibration.h"

static void source(const struct machine_costs *c)
{
	struct tm tm;
	char when[32] = "";

	switch (c->source) {
	case COST_MEASURED:
		if (localtime_r(&c->when, &tm))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
		printf("measured %s", when);
		if (c->loaded)
			printf(" while others had %.0f %% of the CPUs", 100 * c->load);
		break;
	case COST_MODEL:
		printf("from the model");
		break;
	case COST_ASSUMED:
		printf("assumed");
	}
}

static void row(const char *name, const struct cost *c)
{
	static const int order[] = { COST_READ, COST_WRITE, COST_NEAR, COST_STRIDED,
		COST_STRIDED_STORE, COST_CROWDED, COST_GATHER, COST_STORE, COST_CHASE };

	printf("%-7s", name);
	for (unsigned i = 0; i < COST_PATTERNS; i++)
		printf(" %7.2f", c[order[i]].value);
	putchar('\n');
}

static void walks(const struct machine *m, const struct machine_costs *c)
{
	char name[16];

	printf("%-8s %8s %8s %8s%s\n", "a page walk, ns", "gather", "store", "chase",
		c->huge_known ? "   on huge pages" : "");
	for (uint32_t i = 1; i <= c->nlevels; i++) {
		if (i < c->nlevels)
			snprintf(name, sizeof name, "L%u", m->flat.level[i].level);
		else
			snprintf(name, sizeof name, "memory");
		printf("%-15s %8.2f %8.2f %8.2f", name, c->walk[i][COST_WALK_GATHER].value,
			c->walk[i][COST_WALK_STORE].value, c->walk[i][COST_WALK_CHASE].value);
		if (c->huge_known)
			printf(" %8.2f %8.2f %8.2f", c->huge[i][COST_WALK_GATHER].value,
				c->huge[i][COST_WALK_STORE].value,
				c->huge[i][COST_WALK_CHASE].value);
		putchar('\n');
	}
}

/* Prints the usable size of the last level, where the calibration found
 * another than the level has. */
static void usable(const struct machine *m)
{
	const uint32_t last = m->flat.nlevels - 1;
	struct calibration c;
	struct err why;
	uint64_t all;

	if (calibration_of_host(m, &c, &why) < 0 || !c.usable)
		return;
	all = m->reported ? m->reported : c.size[last];
	if (c.usable != all)
		printf("%-15s %8.3g of L%u's %.4g MiB\n", "usable", (double)c.usable / (1 << 20),
			m->flat.level[last].level, (double)all / (1 << 20));
}

static void bandwidth(const struct machine_costs *c)
{
	for (unsigned i = 0; i < COST_THREADS; i++)
		if (c->read_bandwidth[i] > 0)
			printf("%u thread%s %*s %6.1f GB/s read, %6.1f GB/s written\n", i + 1,
				i ? "s" : "", i ? 6 : 7, "", c->read_bandwidth[i] / 1e9,
				c->write_bandwidth[i] / 1e9);
}

static void faults(const struct fault_cost *f)
{
	printf("%-15s %8.3g us (%.3g to %.3g%s)", "a page fault", f->one.value / 1e3,
		f->one.low / 1e3, f->one.high / 1e3, f->source == COST_MEASURED ? "" : ", assumed");
	if (f->threads > 1)
		printf(", %.3g us (%.3g to %.3g) in %u threads", f->all.value / 1e3,
			f->all.low / 1e3, f->all.high / 1e3, f->threads);
	putchar('\n');
}

void print_costs(const struct machine *m, bool here)
{
	struct machine_costs c;
	char note[512], name[16];

	machine_costs(m, here, &c, note, sizeof note);
	printf("\na line costs, ns (");
	source(&c);
	printf(")\n");
	if (note[0])
		printf("note: %s\n", note);
	if (c.varies[0])
		printf("note: ranges are wide, since costs varied (%s, quartiles %.0f %% apart)\n",
			c.varies, 100 * c.spread);
	printf("%-7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", "", "read", "write", "near", "strided",
		"+store",
		"crowded", "gather", "store", "chase");
	for (uint32_t i = 0; i <= c.nlevels; i++) {
		if (i < c.nlevels)
			snprintf(name, sizeof name, "L%u", m->flat.level[i].level);
		else
			snprintf(name, sizeof name, "memory");
		row(name, c.line[i]);
	}
	walks(m, &c);
	printf("%-15s %8.2f ns, a mispredicted branch %.1f ns\n", "a cycle", c.cycle, c.mispredict);
	if (c.addition > 0)
		printf("%-15s %8.2f ns that needs the one before\n", "an addition", c.addition);
	if (c.transfer.value > 0)
		printf("%-15s %8.2f ns for a line that another core wrote\n", "transfer",
			c.transfer.value);
	if (here)
		faults(&c.fault);
	if (c.source == COST_MEASURED)
		usable(m);
	bandwidth(&c);
}
