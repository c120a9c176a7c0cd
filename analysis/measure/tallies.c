/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds, subtracts and derives figures of tallies: the counts of a context or structure. */
#include "analysis/measure/measurements.h"
#include "analysis/measure/sharing.h"

#include <math.h>

/* Extra cycles of a miss in level l compared with a hit in it. */
static double level_delay(const struct machine_flat *m, uint32_t l)
{
	double next = l + 1 < m->nlevels ? m->level[l + 1].latency : m->memory_latency;

	return next - m->level[l].latency;
}

static void tally_add_groups(struct tally *t, const struct mon_count_row *row, double per)
{
	for (int l = 0; l < MACHINE_LEVELS; l++)
		for (int store = 0; store < 2; store++)
			for (int g = 0; g < MON_GROUPS; g++)
				t->group[l][store][g] += (float)per * row->group[l][store][g];
}

static void tally_sub_groups(struct tally *a, const struct tally *b)
{
	for (int l = 0; l < MACHINE_LEVELS; l++)
		for (int store = 0; store < 2; store++)
			for (int g = 0; g < MON_GROUPS; g++)
				a->group[l][store][g] -= b->group[l][store][g];
}

/* Cycles beyond a hit in the nearest level, remote memory not included. */
static double delay_of(const struct machine_flat *m, const struct mon_count_row *row)
{
	double cycles = 0;

	for (uint32_t l = 0; l < m->nlevels; l++)
		cycles += (double)(row->load_miss[l] + row->store_miss[l]) * level_delay(m, l);
	for (uint32_t l = 0; l < m->ntlbs; l++)
		cycles += (double)(row->tlb_miss[l][0] + row->tlb_miss[l][1]) * m->tlb[l].miss;
	return cycles;
}

void tally_add_row(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per)
{
	if (row->object == MON_OBJ_STACK)
		t->temporaries += per * (double)(row->loads + row->stores);
	t->delay += per * delay_of(m, row);
#define COUNTER_ONE(name, ...) t->name += per * (double)row->name;
#define COUNTER_PAIR(name, ...) t->name += per * (double)(row->name[0] + row->name[1]);
#define COUNTER_LEVEL(name, ...) \
	for (int l = 0; l < MACHINE_LEVELS; l++) \
		t->name[l] += per * (double)row->name[l];
#define COUNTER_TLB(name, ...) \
	for (int l = 0; l < MACHINE_TLBS; l++) { \
		t->name##_load_miss[l] += per * (double)row->name##_miss[l][0]; \
		t->name##_store_miss[l] += per * (double)row->name##_miss[l][1]; \
	}
#define COUNTER_REUSE(name, ...) \
	for (int k = 0; k < REUSE_CLASSES; k++) \
		t->name[k] += per * (double)row->name[k];
#include "base/counters.def"
	tally_add_groups(t, row, per);
	for (int k = 0; k < MON_SAMPLED; k++)
		t->sampled[k] += (float)per * row->sampled[k];
	tally_add_nodes(t, m, row, per);
}

void tally_estimate_add(struct tally_estimate *a, const struct tally_estimate *b, double by)
{
	for (int c = 0; c < MEMORY_CLASSES; c++)
		a->memory[c] += by * b->memory[c];
	a->walks += by * b->walks;
	a->large_pages += by * b->large_pages;
	a->traffic += by * b->traffic;
	a->conflict += by * b->conflict;
	a->capacity += by * b->capacity;
	for (int l = 0; l < MACHINE_LEVELS; l++)
		a->fit[l] += by * b->fit[l];
	a->stall += by * b->stall;
	a->low += by * b->low;
	a->high += by * b->high;
	a->core += by * b->core;
	a->branches += by * b->branches;
	a->computing += by * b->computing;
	a->computing_low += by * b->computing_low;
	a->computing_high += by * b->computing_high;
	a->kernel += by * b->kernel;
	a->waits += by * b->waits;
	a->library += by * b->library;
	a->time += by * b->time;
	a->faults += by * b->faults;
	a->fault_time += by * b->fault_time;
	a->fault_low += by * b->fault_low;
	a->fault_high += by * b->fault_high;
}

void tally_sub(struct tally *a, const struct tally *b)
{
	a->temporaries -= b->temporaries;
	a->delay -= b->delay;
#define COUNTER_ONE(name, ...) a->name -= b->name;
#define COUNTER_PAIR(name, ...) a->name -= b->name;
#define COUNTER_LEVEL(name, ...) \
	for (int l = 0; l < MACHINE_LEVELS; l++) \
		a->name[l] -= b->name[l];
#define COUNTER_TLB(name, ...) \
	for (int l = 0; l < MACHINE_TLBS; l++) { \
		a->name##_load_miss[l] -= b->name##_load_miss[l]; \
		a->name##_store_miss[l] -= b->name##_store_miss[l]; \
	}
#define COUNTER_REUSE(name, ...) \
	for (int k = 0; k < REUSE_CLASSES; k++) \
		a->name[k] -= b->name[k];
#define COUNTER_DERIVED(name) a->name -= b->name;
#include "base/counters.def"
	for (int k = 0; k < TALLY_CLASSES; k++)
		a->slow_loads[k] -= b->slow_loads[k];
	tally_sub_groups(a, b);
	for (int k = 0; k < MON_SAMPLED; k++)
		a->sampled[k] -= b->sampled[k];
	tally_estimate_add(&a->estimate, &b->estimate, -1);
}

double tally_refs(const struct tally *t)
{
	return t->loads + t->stores;
}

double tally_misses(const struct measurements *p, const struct tally *t, uint32_t level)
{
	for (uint32_t l = 0; l < p->machine->flat.nlevels; l++)
		if (p->machine->flat.level[l].level == level)
			return t->load_miss[l] + t->store_miss[l];
	return NAN;
}

double tally_stall_cycles(const struct measurements *p, const struct tally *t)
{
	const struct machine_flat *m = &p->machine->flat;
	double cycles = 0;

	for (uint32_t l = 0; l < m->nlevels; l++)
		cycles += (t->load_miss[l] + t->store_miss[l]) * level_delay(m, l);
	for (uint32_t l = 0; l < m->ntlbs; l++)
		cycles += (t->tlb_load_miss[l] + t->tlb_store_miss[l]) * m->tlb[l].miss;
	return cycles + tally_far_cycles(p, t);
}

double tally_thread_stall(const struct measurements *p, const struct tally *t)
{
	double hz = p->machine->ghz * 1e9;

	return hz > 0 ? tally_stall_cycles(p, t) / hz : NAN;
}

double tally_reuse_distance(const double reuse[REUSE_CLASSES])
{
	double all = 0, before = 0;
	int k = 0;

	for (int i = 0; i < REUSE_CLASSES; i++)
		all += reuse[i];
	if (!(all > 0))
		return NAN;
	while (k < REUSE_CLASSES - 1 && before + reuse[k] < all / 2)
		before += reuse[k++];
	return reuse[k] > 0 ? exp2(REUSE_FIRST + k + (all / 2 - before) / reuse[k]) : NAN;
}

double tally_class_misses(const struct tally *t, uint32_t l, enum memory_class class)
{
	double guessed = t->branch_load[l] + t->branch_store[l] + t->control_load[l] +
		t->control_store[l];
	double stream = t->stream_load[l] + t->stream_store[l];
	double strided = t->strided_load[l] + t->strided_store[l];
	double chained = t->chained_load[l] + t->chained_store[l];

	switch (class) {
	case MEMORY_STREAM: return stream;
	case MEMORY_STRIDED: return strided;
	case MEMORY_CHAINED: return chained;
	case MEMORY_GUESSED: return guessed;
	case MEMORY_SHARING: return t->false_sharing + t->true_sharing;
	case MEMORY_COPY: return 0;
	default: return fmax(0, t->load_miss[l] + t->store_miss[l] - stream - strided - chained -
		guessed - t->coherent_load[l] - t->coherent_store[l]);
	}
}

double tally_memory_time(const struct tally *t)
{
	double sum = 0;

	for (int c = 0; c < MEMORY_CLASSES; c++)
		sum += t->estimate.memory[c];
	return sum;
}

/* The class where gathers cost most: a few misses without order belong to a walk in order, which
 * jumps at the ends of its rows and of pages, and whose lines may come again in part.  Addresses
 * out of an index hardly ever make a constant step. */
static unsigned of_gathers(const struct tally *t)
{
	const double irregular = tally_class_misses(t, 0, MEMORY_GATHER);

	if (tally_class_misses(t, 0, MEMORY_STRIDED) > irregular)
		return MEMORY_STRIDED;
	return 10 * irregular < t->load_miss[0] + t->store_miss[0] ? MEMORY_STREAM : MEMORY_GATHER;
}

unsigned tally_memory_class(const struct tally *t)
{
	unsigned most = 0;

	for (unsigned c = 1; c < MEMORY_CLASSES; c++)
		if (t->estimate.memory[c] > t->estimate.memory[most])
			most = c;
	return most == MEMORY_GATHER ? of_gathers(t) : most;
}

unsigned tally_access(const struct tally *t)
{
	const double loads = t->load_miss[0], stores = t->store_miss[0];

	return loads > stores ? (unsigned)SIR_READ : loads < stores ? (unsigned)SIR_WRITE : 0;
}

/* Of the misses that could have a step and are no stream; a line that comes again soon
 * hides the steps around it. */
static bool many_strided(const struct tally *t)
{
	const double strided = t->strided_load[0] + t->strided_store[0];

	return 3 * strided > t->load_miss[0] + t->store_miss[0] - t->stream_load[0] -
		t->stream_store[0];
}

#define MOSTLY 0.75             /* share of the coherence misses that are of one kind */

static unsigned sharing_kind(const struct tally *t)
{
	const double mostly = MOSTLY * (t->false_sharing + t->true_sharing);

	if (!(mostly > 0))
		return MEMORY_SHARING;
	return t->false_sharing >= mostly ? (unsigned)KIND_FALSE_SHARING :
		t->true_sharing >= mostly ? (unsigned)KIND_TRUE_SHARING : (unsigned)MEMORY_SHARING;
}

/* Is most of what is accessed copied?  Misses that copies have in no order are those of what
 * chooses what is copied. */
static bool mostly_copied(const struct tally *t, unsigned class)
{
	return class == MEMORY_COPY || (2 * t->copied > t->bytes && t->copied > 0 &&
		(class == MEMORY_STREAM || class == MEMORY_STRIDED));
}

unsigned tally_memory_kind(const struct tally *t)
{
	const double half = tally_memory_time(t) / 2;
	const unsigned class = tally_memory_class(t);

	if (mostly_copied(t, class))
		return MEMORY_COPY;
	if (t->estimate.conflict > half)
		return KIND_CONFLICT;
	if (t->estimate.walks > half && class != MEMORY_CHAINED)
		return class == MEMORY_STRIDED || many_strided(t) ? (unsigned)MEMORY_STRIDED :
			(unsigned)KIND_TLB;
	if (t->estimate.capacity > half && class == MEMORY_STREAM)
		return KIND_CAPACITY;
	return class == MEMORY_SHARING ? sharing_kind(t) : class;
}

double tally_timed_loads(const struct tally *t, uint32_t cycles)
{
	const double timed = (double)t->sampled[MON_TIMED];
	int k = MON_SLOW;

	while (k < MON_SLOW_END && (uint32_t)MON_LATENCY_LEAST << (k - MON_SLOW) != cycles)
		k++;
	return k < MON_SLOW_END && timed > 0 && timed >= TALLY_TIMED * t->loads ?
		t->loads * (double)t->sampled[k] / timed : NAN;
}

double tally_slow_loads(const struct measurements *p, const struct tally *t, uint32_t cycles)
{
	const struct machine_flat *m = &p->machine->flat;
	double left = t->loads;

	if (p->sampled)
		return tally_timed_loads(t, cycles);
	/* Latencies grow from level to level (machine_check). */
	for (uint32_t l = 0; l < m->nlevels; l++) {
		if (m->level[l].latency >= cycles)
			return left;
		left = t->load_miss[l];
	}
	return tally_slow_memory(p, t, cycles);
}

uint32_t measured_last_level(const struct measurements *p)
{
	const struct machine_flat *m = &p->machine->flat;

	return m->nlevels ? m->level[m->nlevels - 1].level : 0;
}
