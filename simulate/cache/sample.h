/* SPDX-License-Identifier: BSD-3-Clause */
/* Set sampling: only some of the sets are simulated.  The address bits that every level's index
 * has in common tell *classes* of lines apart; a class is a closed part of the machine, so a choice
 * of classes is simulated exactly and counts stand for all by their share.
 *
 * The error comes from how the chosen classes differ: a few groups of equal size, each of classes
 * alike in their lowest bits, whose sums give the variance (with groups - 1 degrees of freedom). */
#ifndef PSC_SIMULATE_SAMPLE_H
#define PSC_SIMULATE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "machine/flat.h"

enum { SAMPLE_CLASSES = 4096, SAMPLE_GROUPS = 8 };
struct sample {
	uint32_t shift;                 /* of the bits that are the class */
	uint32_t classes, chosen;       /* classes: a power of two */
	uint32_t groups;                /* 2 at least */
	uint64_t in[SAMPLE_CLASSES / 64];
	uint64_t turning;               /* 64 classes or fewer: the next 64 classes' bits; else all 1 */
	uint8_t group[SAMPLE_CLASSES];  /* of those chosen */
};
struct sample_sums {
	uint64_t miss[MACHINE_LEVELS][2][SAMPLE_GROUPS];
};
#define SAMPLE_SEED UINT64_C(0x5eed)    /* the same choice in every run */

/* One class in n.  false: the levels have too few index bits in common for two classes. */
bool sample_make(struct sample *s, const struct machine_flat *m, uint32_t n, uint64_t seed);
/* A sampled count as one of all classes; its error: mon_sample_parts(), on the agent's side. */
uint64_t sample_scaled(const struct sample *s, uint64_t count);

static inline uint32_t sample_class(const struct sample *s, uint64_t address)
{
	return (uint32_t)(address >> s->shift) & (s->classes - 1);
}

/* Is the line of this normalised address simulated?  Everything is without a sample. */
static inline bool sample_has(const struct sample *s, uint64_t address)
{
	uint32_t c;

	if (!s)
		return true;
	c = sample_class(s, address);
	return s->in[c / 64] >> c % 64 & 1;
}
/* Is none of these bytes' lines simulated?  false may mean that it was not asked. */
static inline bool sample_none(const struct sample *s, uint64_t address, uint32_t span)
{
	uint32_t c = (uint32_t)(address >> s->shift) % 64;
	uint32_t more = (uint32_t)((address + span - 1) >> s->shift) - (uint32_t)(address >> s->shift);

	return more < 63 && !((s->turning >> c | s->turning << (63 - c) << 1) & ((UINT64_C(2) << more) - 1));
}
#endif
