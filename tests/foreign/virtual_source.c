/* SPDX-License-Identifier: BSD-3-Clause */
/* A virtual unit for psc_foreign: samples the accesses of recorded bursts, with caches of its own
 * by the machine model.
 *
 * The caches are written anew and share no code with the simulator, so that both agree only if both
 * are right: LRU levels, private to each thread but for the last; stores invalidate the line in
 * other threads' levels; a page belongs to the node of its first thread.  A line that no burst has
 * touched before is in the last level.  Threads run side by side, TURN accesses each.
 * PSC_VIRTUAL_UNIT=spe makes it write Arm's packets, =none is a host without a unit.
 * PSC_VIRTUAL_COLD=1: a line that no burst has touched before is in memory.
 * PSC_VIRTUAL_NODE=N: all pages are on node N.
 * PSC_VIRTUAL_SAYS=near: the unit takes all memory for near; =no-latency: it tells no latencies. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/flat.h"
#include "samples/event_source.h"
#include "tests/samples/virtual_pmu.h"

#define WEIGHT_STRUCT (UINT64_C(1) << 24)
enum {
	THREADS = 64,
	TURN = 32,
	QUEUE = 8192,
	LINES = 1 << 20,
	PAGE_SHIFT = 12,
	PERIOD = 61,
	PERIOD_LEAST = 61,
	FDS = 8
};

struct cache {
	uint64_t *tag; /* by set, most recently used first; line + 1 */
	uint32_t sets, ways;
};
struct line {
	uint64_t number; /* + 1; 0: free */
	uint32_t writer; /* thread + 1 whose store is in nobody else's cache yet; 0: none */
	uint64_t held;   /* threads that have used it since */
};
struct page {
	uint64_t number;
	uint32_t node;
};

static struct machine_flat machine;
static uint32_t nthreads;
static struct cache cache[THREADS][MACHINE_LEVELS];
static struct line *lines;
static struct page *pages;
static struct {
	struct virtual_access *at;
	uint32_t n, next;
} queue[THREADS];
static struct virtual_pmu pmu[FDS];
static uint32_t npmus;
static uint32_t line_shift = 6;
static bool cold;

/* --- what the environment says ---------------------------------------------------------------- */

static bool env_is(const char *name, const char *value)
{
	const char *has = getenv(name);

	return has && strcmp(has, value) == 0;
}

static bool is(const char *what)
{
	return env_is("PSC_VIRTUAL_UNIT", what);
}

/* --- caches ----------------------------------------------------------------------------------- */

static void set_machine(const void *flat)
{
	machine = *(const struct machine_flat *)flat;
	cold = getenv("PSC_VIRTUAL_COLD") != NULL;
	lines = calloc(LINES, sizeof *lines);
	pages = calloc(LINES, sizeof *pages);
	if (!lines || !pages)
		abort();
	while (1u << line_shift < machine.level[0].line)
		line_shift++;
}

/* The thread's number is that of the proxy, by which the machine model places it on a node. */
static uint32_t thread_of(const struct source_access *a)
{
	const uint32_t t = a->cpu < THREADS ? a->cpu : 0;

	nthreads = nthreads > t + 1 ? nthreads : t + 1;
	return t;
}

static struct cache *level_of(uint32_t thread, uint32_t level)
{
	struct cache *c = &cache[level + 1 == machine.nlevels ? 0 : thread][level];
	const struct machine_level *m = &machine.level[level];

	if (!c->tag) {
		c->ways = m->assoc ? m->assoc : 16;
		c->sets = (uint32_t)(m->size / m->line / c->ways);
		c->sets += !c->sets;
		c->tag = calloc((size_t)c->sets * c->ways, sizeof *c->tag);
		if (!c->tag)
			abort();
	}
	return c;
}

/* Looks a line up and makes it the most recent of its set.  Returns whether it was there. */
static bool look_up(struct cache *c, uint64_t line)
{
	uint64_t *set = c->tag + line % c->sets * c->ways;
	uint32_t i = 0;

	while (i < c->ways - 1 && set[i] != line + 1)
		i++;
	if (set[i] != line + 1) {
		memmove(set + 1, set, (c->ways - 1) * sizeof *set);
		set[0] = line + 1;
		return false;
	}
	memmove(set + 1, set, i * sizeof *set);
	set[0] = line + 1;
	return true;
}

static void forget(struct cache *c, uint64_t line)
{
	uint64_t *set = c->tag + line % c->sets * c->ways;

	for (uint32_t i = 0; i < c->ways; i++)
		if (set[i] == line + 1)
			set[i] = 0;
}

/* new: it was not there before. */
static struct line *line_at(uint64_t number, bool *new)
{
	uint64_t slot = number * UINT64_C(0x9e3779b97f4a7c15) >> 44;

	for (uint32_t i = 0; i < 64; i++, slot = (slot + 1) % LINES)
		if (!lines[slot].number || lines[slot].number == number + 1)
			break;
	*new = lines[slot].number != number + 1;
	if (*new)
		lines[slot] = (struct line){ .number = number + 1 };
	return &lines[slot];
}

/* A store takes the line away from all other threads. */
static void invalidate(struct line *l, uint64_t number, uint32_t thread)
{
	for (uint32_t t = 0; t < nthreads; t++)
		for (uint32_t k = 0; t != thread && l->held >> t & 1 && k + 1 < machine.nlevels;
			k++)
			forget(level_of(t, k), number);
	l->held = UINT64_C(1) << thread;
	l->writer = thread + 1;
}

static uint32_t node_of_page(uint64_t address, uint32_t thread)
{
	const uint64_t number = address >> PAGE_SHIFT;
	struct page *p = &pages[number * UINT64_C(0x9e3779b97f4a7c15) >> 44];
	const char *node = getenv("PSC_VIRTUAL_NODE");

	if (node)
		return (uint32_t)atoi(node);

	if (p->number != number + 1)
		*p = (struct page){ number + 1, machine_node(&machine, thread) };
	return p->node;
}

/* The kernel's answer on pages and CPUs: pages are where the virtual unit has them. */
static void page_nodes(pid_t program, uint32_t n, void **page, int *node)
{
	(void)program;
	for (uint32_t i = 0; i < n; i++)
		node[i] = (int)node_of_page((uintptr_t)page[i], 0);
}

static int cpu_node(uint32_t cpu)
{
	return (int)machine_node(&machine, cpu);
}

static uint32_t memory_latency(uint32_t from, uint32_t to)
{
	return machine.nodes.count > 1 ? machine.nodes.latency[from][to] : machine.memory_latency;
}

/* Fills in where the access finds its data. */
static void play(struct virtual_access *v, uint32_t thread)
{
	static const enum sample_level by_number[] = { SAMPLE_L1, SAMPLE_L1, SAMPLE_L2, SAMPLE_L3 };
	const uint64_t number = v->address >> line_shift;
	const uint32_t from = machine_node(&machine, thread), to = node_of_page(v->address, thread);
	const bool local = machine.nodes.count <= 1 || from == to ||
		env_is("PSC_VIRTUAL_SAYS", "near");
	uint32_t level = 0;
	bool new;
	struct line *l = line_at(number, &new);

	while (level < machine.nlevels && !look_up(level_of(thread, level), number))
		level++;
	level -= level == machine.nlevels && new && !cold;
	v->level = level == machine.nlevels    ? local ? SAMPLE_MEMORY : SAMPLE_REMOTE_MEMORY :
		machine.level[level].level < 4 ? by_number[machine.level[level].level] :
						 SAMPLE_L3;
	v->latency = level == machine.nlevels ? memory_latency(from, to) :
						machine.level[level].latency;
	if (level && l->writer && l->writer != thread + 1) {
		v->level = SAMPLE_PEER_CACHE;
		v->modified = true;
	}
	if (env_is("PSC_VIRTUAL_SAYS", "no-latency"))
		v->latency = 0;
	if (v->store)
		invalidate(l, number, thread);
	else if (l->writer != thread + 1)
		l->writer = 0;
	l->held |= UINT64_C(1) << thread;
}

/* --- the unit --------------------------------------------------------------------------------- */

static uint32_t events(struct sample_event list[SAMPLE_EVENTS])
{
	if (is("none"))
		return 0;
	list[0] = (struct sample_event){ .name = "virtual/accesses/",
		.vendor = is("spe") ? SAMPLE_SPE : SAMPLE_PEBS,
		.loads = true,
		.stores = true,
		.packets = is("spe"),
		.least_period = PERIOD_LEAST,
		.attr = { .size = sizeof list[0].attr,
			.sample_period = PERIOD,
			.sample_id_all = 1,
			.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU } };
	if (!is("spe"))
		list[0].attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD |
			PERF_SAMPLE_DATA_SRC | WEIGHT_STRUCT;
	return 1;
}

/* All samples come through the ring of the first CPU. */
static int open_event(const struct perf_event_attr *attr, pid_t program, int cpu, int leader)
{
	(void)program;
	(void)leader;
	if (cpu > 0 || npmus == FDS) {
		errno = ENODEV;
		return -1;
	}
	return virtual_pmu_open(&pmu[npmus++], attr, is("spe"), SAMPLE_RING_BYTES, 12345);
}

static int set_period(int fd, uint64_t period)
{
	for (uint32_t i = 0; i < npmus; i++)
		if (pmu[i].fd == fd)
			pmu[i].attr.sample_period = period;
	return 0;
}

static void run(struct virtual_access *v, uint32_t thread)
{
	play(v, thread);
	for (uint32_t i = 0; i < npmus; i++) {
		virtual_pmu_access(&pmu[i], v);
		if (pmu[i].packets && pmu[i].packet_bytes)
			virtual_pmu_part(&pmu[i], v, 0);
	}
}

/* Runs all threads side by side, until the queue of one of them is empty. */
static void run_turns(uint32_t full)
{
	while (queue[full].next < queue[full].n)
		for (uint32_t t = 0; t < nthreads; t++)
			for (int i = 0; i < TURN && queue[t].next < queue[t].n; i++)
				run(&queue[t].at[queue[t].next++], t);
	for (uint32_t t = 0; t < nthreads; t++) {
		if (!queue[t].at)
			continue;
		queue[t].n -= queue[t].next;
		memmove(queue[t].at, queue[t].at + queue[t].next, queue[t].n * sizeof *queue[t].at);
		queue[t].next = 0;
	}
}

static void add_access(const struct source_access *a)
{
	const uint32_t t = thread_of(a);

	if (!queue[t].at)
		queue[t].at = calloc(QUEUE, sizeof *queue[t].at);
	if (!queue[t].at)
		abort();
	queue[t].at[queue[t].n++] = (struct virtual_access){ .ip = a->ip,
		.address = a->address,
		.time = a->time,
		.pid = a->pid,
		.tid = a->tid,
		.cpu = a->cpu,
		.store = a->store };
	if (queue[t].n == QUEUE)
		run_turns(t);
}

const struct sample_source sample_source = { .events = events,
	.open = open_event,
	.period = set_period,
	.page_nodes = page_nodes,
	.cpu_node = cpu_node,
	.machine = set_machine,
	.access = add_access };
