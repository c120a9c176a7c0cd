/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the error of sampled counts, and shifts counts by possible errors. */
#include "analysis/measure/sampling_error.h"

#include <math.h>

/* --- counts ---------------------------------------------------------------------------------- */

static void shift_count(const struct mon_sample *s, const double by[MON_ERRORS],
	const float group[MON_GROUPS], double *count)
{
	double parts[MON_ERRORS], sum = *count;

	mon_sample_parts(s, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += by[i] * parts[i];
	*count = sum > 0 ? sum : 0;
}

/* Counters that have no groups of their own are scaled with the last level's misses. */
static void shift_last(struct tally *t, double factor)
{
#define EXACT(count)
#define SCALED(count) count *= factor
#define COUNTER_ONE(name, cell, sample, ...) sample(t->name);
#define COUNTER_DERIVED(name) t->name *= factor;
#include "base/counters.def"
	for (int k = 0; k < TALLY_CLASSES; k++)
		t->slow_loads[k] *= factor;
}

/* Estimates are taken to change with the misses of the nearest level. */
static void shift_estimate(struct tally_estimate *e, double factor)
{
	for (int c = 0; c < MEMORY_CLASSES; c++)
		e->memory[c] *= factor;
	e->stall *= factor;
	e->low *= factor;
	e->high *= factor;
}

void sampling_error_shift(const struct mon_sample *s, const double by[MON_ERRORS], struct tally *t)
{
	double factor = 1;

	for (int l = 0; l < MACHINE_LEVELS; l++) {
		double before = t->load_miss[l] + t->store_miss[l];

		shift_count(s, by, t->group[l][0], &t->load_miss[l]);
		shift_count(s, by, t->group[l][1], &t->store_miss[l]);
		if (!(before > 0))
			continue;
		/* after the loop: of the farthest level with misses */
		factor = (t->load_miss[l] + t->store_miss[l]) / before;
		if (!l)
			shift_estimate(&t->estimate, factor);
		t->fetched[l] *= factor;
	}
	shift_last(t, factor);
}

/* --- intervals ------------------------------------------------------------------------------- */

double sampling_error_student(uint32_t freedom)
{
	/* 97.5 %, by degrees of freedom */
	static const double t[MON_GROUPS] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365 };

	return t[freedom < MON_GROUPS ? freedom : MON_GROUPS - 1];
}

double sampling_error_interval(const struct mon_sample *s, double square)
{
	return s->classes ? sampling_error_student(s->groups - 1) * sqrt(square) : NAN;
}

double sampling_error_stall(const struct measurements *p, const struct tally *t)
{
	double sum = 0, here = t->estimate.stall;

	for (int i = 0; p->sample.classes && i < MON_ERRORS; i++) {
		double by[MON_ERRORS] = { 0 };
		struct tally moved = *t;

		by[i] = 1;
		sampling_error_shift(&p->sample, by, &moved);
		sum += sampling_error_square(moved.estimate.stall, here);
	}
	return sampling_error_interval(&p->sample, sum);
}

/* Half the 95 % interval of a count, from its sum by group. */
static double of_groups(const struct measurements *p, const float group[MON_GROUPS])
{
	double parts[MON_ERRORS], sum = 0;

	if (!p->sample.classes)
		return NAN;
	mon_sample_parts(&p->sample, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += parts[i] * parts[i];
	return sampling_error_interval(&p->sample, sum);
}

/* The number of first touches, of which it is not known whether they are misses. */
static double unsure(const struct measurements *p, const struct tally *t, uint32_t level)
{
	return p->in_bursts && level + 1 == p->machine->flat.nlevels ? t->unwarmed : 0;
}

/* The interval of loads (0) or stores (1), each of which has its part of the first touches. */
static double of_kind(const struct measurements *p, const struct tally *t, uint32_t level,
	int store)
{
	const double all = t->load_miss[0] + t->store_miss[0],
		one = store ? t->store_miss[0] : t->load_miss[0];

	return of_groups(p, t->group[level][store]) +
		(all > 0 ? one / all * unsure(p, t, level) : 0);
}

double sampling_error_loads(const struct measurements *p, const struct tally *t, uint32_t level)
{
	return of_kind(p, t, level, 0);
}

double sampling_error_stores(const struct measurements *p, const struct tally *t, uint32_t level)
{
	return of_kind(p, t, level, 1);
}

double sampling_error_level(const struct measurements *p, const struct tally *t, uint32_t level)
{
	float group[MON_GROUPS];

	for (int g = 0; g < MON_GROUPS; g++)
		group[g] = t->group[level][0][g] + t->group[level][1][g];
	return of_groups(p, group) + unsure(p, t, level);
}

double sampling_error_misses(const struct measurements *p, const struct tally *t)
{
	const uint32_t n = p->machine->flat.nlevels;

	return n ? sampling_error_level(p, t, n - 1) : NAN;
}
