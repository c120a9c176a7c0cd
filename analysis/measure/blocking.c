/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rows that conflicts step over, and the blocks in which capacity
 * misses would become hits. */
#include "analysis/measure/blocking.h"

#include <math.h>
#include <stdio.h>

/* Blocks of a larger level are preferred if they save this share of what the best save: they are
 * easier to make, and cost fewer instructions. */
static const double ENOUGH = 1.0 / 3;

uint32_t blocking_row(const struct measurements *p, const struct tally *t)
{
	const double mean = t->stride_lines / t->strides, lines = round(mean);

	/* The first: the variance, as a part of the square. */
	if (!(t->strides > 0) || t->strides * t->stride_squares > 1.001 * t->stride_lines *
	    t->stride_lines || fabs(mean - lines) > 0.01 || lines < 2)
		return 0;
	return (uint32_t)lines * p->machine->flat.level[0].line;
}

uint32_t blocking_level(const struct measurements *p, const struct tally *t)
{
	const uint32_t n = p->machine->flat.nlevels;
	double best = 0;

	for (uint32_t l = 0; l < n; l++)
		best = fmax(best, t->estimate.fit[l]);
	if (!(best > 0))
		return n;
	for (uint32_t l = n; l-- > 0; )
		if (t->estimate.fit[l] >= ENOUGH * best)
			return l;
	return n;
}

static double half_of(const struct measurements *p, uint32_t l)
{
	const struct machine_level *level = &p->machine->flat.level[l];

	return (double)level->sets * level->assoc * level->line / 2;
}

double blocking_size(const struct measurements *p, const struct tally *t)
{
	const uint32_t l = blocking_level(p, t);

	return l < p->machine->flat.nlevels ? half_of(p, l) : NAN;
}

double blocking_distance(const struct measurements *p, const struct tally *t)
{
	const double size = blocking_size(p, t);
	double beyond[REUSE_CLASSES] = { 0 };

	if (isnan(size))
		return NAN;
	for (uint32_t k = reuse_class((uint64_t)size); k < REUSE_CLASSES; k++)
		beyond[k] = t->reuse[k];
	return tally_reuse_distance(beyond);
}

const char *blocking_bytes(double bytes, char *out, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	int k = 0;

	for (; k < 4 && bytes >= 1024; k++)
		bytes /= 1024;
	snprintf(out, size, "%.3g %s", bytes, units[k]);
	return out;
}

void blocking_cause(const struct measurements *p, const struct tally *t, char *out, size_t size)
{
	const double distance = blocking_distance(p, t);
	char far[32];

	*out = '\0';
	if (isnan(distance))
		return;
	blocking_bytes(distance, far, sizeof far);
	snprintf(out, size, "its lines come again after %s of others (the median)", far);
}

void blocking_cure(const struct measurements *p, const struct tally *t, char *out, size_t size)
{
	char block[32];

	*out = '\0';
	if (isnan(blocking_distance(p, t)))
		return;
	blocking_bytes(blocking_size(p, t), block, sizeof block);
	snprintf(out, size, "work in blocks of less than %s (L%u), or fuse the loops that use them",
		block, p->machine->flat.level[blocking_level(p, t)].level);
}
