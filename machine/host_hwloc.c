/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads this host's topology by hwloc.  Virtual machines report some figures of their host, or what
 * nobody has: such a figure alone is replaced (cache_sizes.h).  hwloc does not know latencies: they
 * are assumed (README.md). */
#include "machine/local.h"

#include <hwloc.h>
#include <hwloc/distances.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "machine/cache_sizes.h"

/* By level, index 0 unused. */
static const uint32_t assumed_ways[] = { 0, 8, 8, 16, 16 };
static const uint32_t assumed_latency[] = { 0, 4, 14, 50, 90 };
#define ASSUMED_MEMORY 300
#define ASSUMED_REMOTE 16       /* tenths of the local latency, where there are no distances */
#define ASSUMED_GHZ 2.5
#define ASSUMED_LINE 64
#define MOST_WAYS 64

/* --- clock ----------------------------------------------------------------------------------- */

static double read_khz(const char *path)
{
	FILE *f = fopen(path, "re");
	unsigned long khz = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%lu", &khz) != 1)
		khz = 0;
	fclose(f);
	return (double)khz / 1e6;
}

static double read_cpuinfo(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	unsigned long mhz = 0;
	char line[256];

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "cpu MHz : %lu", &mhz) == 1)
			break;
	if (f)
		fclose(f);
	return (double)mhz / 1e3;
}

/* Prefers the base or maximal clock: /proc/cpuinfo has the current one. */
static void set_clock(struct machine *m, hwloc_topology_t topo)
{
	double ghz = 0;

	if (hwloc_topology_is_thissystem(topo)) {
		ghz = read_khz("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency");
		if (ghz <= 0)
			ghz = read_khz("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
		if (ghz <= 0)
			ghz = read_cpuinfo();
	}
	if (!(ghz >= 0.4 && ghz <= 8)) {
		ghz = ASSUMED_GHZ;
		machine_remark(m, "clock not known: 2.5 GHz assumed");
	}
	m->ghz = m->flat.ghz = ghz;
}

/* --- caches ---------------------------------------------------------------------------------- */

/* The number of ways nearest to `ways` that gives a whole number of sets. */
static uint32_t fitting_ways(uint64_t lines, uint32_t ways)
{
	for (uint32_t d = 0; d < ways || ways + d <= MOST_WAYS; d++) {
		if (ways + d <= MOST_WAYS && lines % (ways + d) == 0)
			return ways + d;
		if (d < ways && lines % (ways - d) == 0)
			return ways - d;
	}
	return 1;
}

static enum machine_shared sharing(hwloc_obj_t cache, hwloc_topology_t topo, uint32_t cpus,
	uint32_t ncpus)
{
	if (cpus == 1)
		return MACHINE_SHARED_CPU;
	if (hwloc_get_nbobjs_inside_cpuset_by_type(topo, cache->cpuset, HWLOC_OBJ_CORE) <= 1)
		return MACHINE_SHARED_CORE;
	return cpus == ncpus ? MACHINE_SHARED_ALL : MACHINE_SHARED_SOCKET;
}

static unsigned info_number(hwloc_obj_t o, const char *name)
{
	const char *text = hwloc_obj_get_info_by_name(o, name);

	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static struct processor processor_of(hwloc_topology_t topo)
{
	hwloc_obj_t package = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PACKAGE, 0);
	struct processor p = { .vendor = NULL };

	if (!package)
		return p;
	p.vendor = hwloc_obj_get_info_by_name(package, "CPUVendor");
	p.family = info_number(package, "CPUFamilyNumber");
	p.model = info_number(package, "CPUModelNumber");
	return p;
}

static const char *size_text(uint64_t bytes, char *out, size_t n)
{
	if (bytes < 1 << 20)
		snprintf(out, n, "%.4g KiB", (double)bytes / (1 << 10));
	else
		snprintf(out, n, "%.4g MiB", (double)bytes / (1 << 20));
	return out;
}

/* Replaces the size of a level, and says why. */
static void take_instead(struct machine *m, struct machine_level *l, const struct reported_cache *c,
	const struct processor *p)
{
	const struct cache_size s = cache_size_instead(c, p);
	char was[24], is[24];

	size_text(c->size, was, sizeof was);
	size_text(s.size, is, sizeof is);
	if (s.family)
		machine_remark(m,
			"an L%u of %s for %u core%s is not plausible: %s taken, what %s has for %s",
			c->level, was, c->cores, c->cores == 1 ? "" : "s", is, s.family,
			c->cores == 1 ? "one" : "as many");
	else
		machine_remark(m, "an L%u of %s for %u core%s is not plausible: %s assumed",
			c->level, was, c->cores, c->cores == 1 ? "" : "s", is);
	l->size = s.size;
	l->assoc = s.ways;
	m->reported = c->size > s.size ? c->size : 0;
}

static void set_ways(struct machine *m, struct machine_level *l, int reported)
{
	const uint64_t lines = l->size / l->line;

	if (!l->assoc && reported >= 1 && reported <= MOST_WAYS) {
		l->assoc = (uint32_t)reported;
	} else if (!l->assoc) {
		l->assoc = assumed_ways[l->level];
		machine_remark(m, "ways of L%u not known: %u assumed", l->level,
			fitting_ways(lines, l->assoc));
	}
	l->assoc = fitting_ways(lines, l->assoc);
	l->sets = (uint32_t)(lines / l->assoc);
}

/* Adds the next farther level; counts in *kept those of plausible size. */
static int add_cache(struct machine *m, hwloc_topology_t topo, hwloc_obj_t o, unsigned *kept,
	struct err *why)
{
	const struct hwloc_cache_attr_s *c = &o->attr->cache;
	const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topo, o->cpuset, HWLOC_OBJ_CORE);
	const struct processor processor = processor_of(topo);
	struct machine_flat *f = &m->flat;
	struct machine_level *l;
	struct reported_cache reported = { c->depth, c->size, f->nlevels ?
		f->level[f->nlevels - 1].size : 0, 1 };

	if (c->depth < 1 || c->depth > 4 || f->nlevels == MACHINE_LEVELS)
		return err_set(why, "more cache levels than a model has");
	l = &f->level[f->nlevels];
	*l = (struct machine_level){ .level = c->depth, .size = c->size,
		.line = c->linesize ? c->linesize : ASSUMED_LINE,
		.latency = assumed_latency[c->depth], .physical = c->depth >= 2 && f->nlevels };
	l->cpus = (uint32_t)hwloc_bitmap_weight(o->cpuset);
	l->shared = sharing(o, topo, l->cpus, f->ncpus);
	reported.cores = cores > 0 ? (uint32_t)cores : l->cpus;
	m->reported = 0;
	if (cache_size_plausible(&reported, &processor))
		++*kept;
	else
		take_instead(m, l, &reported, &processor);
	if (l->size % l->line)
		return err_set(why, "an L%u of %" PRIu64 " bytes is not a whole number of lines",
			l->level, l->size);
	set_ways(m, l, c->associativity);
	f->nlevels++;
	return 0;
}

/* --- memory nodes ---------------------------------------------------------------------------- */

/* True: each node n has the CPUs n * cpus ... (n + 1) * cpus - 1. */
static bool neighbours(hwloc_topology_t topo, uint32_t nodes, uint32_t cpus)
{
	for (uint32_t i = 0; i < nodes * cpus; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PU, i);
		hwloc_obj_t node = hwloc_get_obj_by_type(topo, HWLOC_OBJ_NUMANODE, i / cpus);

		if (!pu || !node || !hwloc_bitmap_isset(node->cpuset, pu->os_index))
			return false;
	}
	return true;
}

/* Computes latencies from the firmware's distances (10: a node's own memory).  False: there are
 * none. */
static bool node_distances(struct machine_flat *f, hwloc_topology_t topo)
{
	struct machine_nodes *n = &f->nodes;
	struct hwloc_distances_s *d = NULL;
	unsigned nr = 1;
	bool good = false;

	if (hwloc_distances_get_by_type(topo, HWLOC_OBJ_NUMANODE, &nr, &d,
			HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) < 0 || nr < 1)
		return false;
	if (d->nbobjs == n->count) {
		good = true;
		for (uint32_t i = 0; i < n->count; i++)
			for (uint32_t k = 0; k < n->count; k++) {
				uint64_t far = d->values[i * n->count + k];
				uint64_t own = d->values[i * n->count + i];

				good &= own >= 1 && own < 1000 && far >= own && far < 100 * own;
				if (good)
					n->latency[i][k] = (uint32_t)(f->memory_latency * far /
						own);
			}
	}
	hwloc_distances_release(topo, d);
	return good;
}

static void set_nodes(struct machine *m, hwloc_topology_t topo)
{
	struct machine_flat *f = &m->flat;
	struct machine_nodes *n = &f->nodes;
	int count = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_NUMANODE);
	int packages = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_PACKAGE);

	f->sockets = packages > 0 ? (uint32_t)packages : 1;
	machine_one_node(f);
	if (count < 2)
		return;
	if (count > MACHINE_NODES || f->ncpus % (uint32_t)count ||
	    !neighbours(topo, (uint32_t)count, f->ncpus / (uint32_t)count)) {
		machine_remark(m, "%d memory nodes that are not alike: taken as one", count);
		return;
	}
	n->count = (uint32_t)count;
	n->cpus = f->ncpus / n->count;
	n->real = hwloc_topology_is_thissystem(topo) != 0;
	for (uint32_t i = 0; i < n->count; i++)
		n->number[i] = hwloc_get_obj_by_type(topo, HWLOC_OBJ_NUMANODE, i)->os_index;
	if (!node_distances(f, topo)) {
		for (uint32_t i = 0; i < n->count; i++)
			for (uint32_t k = 0; k < n->count; k++)
				n->latency[i][k] = i == k ? f->memory_latency
					: f->memory_latency * ASSUMED_REMOTE / 10;
		machine_remark(m, "distances of the memory nodes not known: 1.6 assumed");
	}
	n->threshold = UINT32_MAX;
	for (uint32_t i = 0; i < n->count; i++)
		for (uint32_t k = 0; k < n->count; k++)
			if (i != k && n->latency[i][k] < n->threshold)
				n->threshold = n->latency[i][k];
	if (n->threshold <= f->memory_latency) {        /* equal distances in the firmware */
		machine_one_node(f);
		machine_remark(m, "%d memory nodes that are equally far: taken as one", count);
	}
}

static int derive(struct machine *m, hwloc_topology_t topo, struct err *why)
{
	hwloc_obj_t pu = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PU, 0);
	hwloc_obj_t package = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PACKAGE, 0);
	const char *title = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
	long page = sysconf(_SC_PAGESIZE);
	unsigned kept = 0;

	for (hwloc_obj_t o = pu; o; o = o->parent)
		if (hwloc_obj_type_is_dcache(o->type) && add_cache(m, topo, o, &kept, why) < 0)
			return -1;
	if (!kept)
		return err_set(why, m->flat.nlevels ? "no cache of a plausible size is reported" :
			"no caches are reported");
	snprintf(m->name, sizeof m->name, "host");
	snprintf(m->title, sizeof m->title, "%.150s", title ? title : "this host");
	snprintf(m->source, sizeof m->source, "hwloc");
	m->flat.pages = MACHINE_PAGES_FIRST_TOUCH;
	m->flat.page_size = page > 0 ? (uint32_t)page : 4096;
	m->flat.memory_latency = ASSUMED_MEMORY;
	set_clock(m, topo);
	set_nodes(m, topo);
	return machine_check(m, why);
}

int machine_host_read(struct machine *m, struct err *why)
{
	hwloc_topology_t topo;
	int ret = -1, n;

	err_set(why, "hwloc cannot read the topology");
	if (hwloc_topology_init(&topo) < 0)
		return -1;
	if (hwloc_topology_load(topo) == 0) {
		n = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_PU);
		m->flat.ncpus = n > 0 ? (uint32_t)n : 1;
		ret = derive(m, topo, why);
	}
	hwloc_topology_destroy(topo);
	return ret;
}
