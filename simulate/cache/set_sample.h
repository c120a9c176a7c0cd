/* SPDX-License-Identifier: BSD-3-Clause */
/* Set sampling: only some of the sets are simulated.  The address bits common to all levels' set
 * indices divide lines into *classes*.  Lines of different classes never share a set, so the chosen
 * classes are simulated exactly, and counts are scaled by their share.
 *
 * The error is estimated from the differences between classes: they form a few groups of equal
 * size, alike in their lowest bits, whose sums give the variance (with groups - 1 degrees of
 * freedom). */
#ifndef PSC_SIMULATE_SET_SAMPLE_H
#define PSC_SIMULATE_SET_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include "machine/flat.h"

enum { SAMPLE_CLASSES = 4096, SAMPLE_GROUPS = 8 };
struct sample {
	uint32_t shift;                 /* lowest address bit of the class number */
	uint32_t classes, chosen;       /* number of classes (a power of two), of chosen ones */
	uint32_t groups;                /* 2 at least */
	uint64_t in[SAMPLE_CLASSES / 64];       /* bit set: chosen */
	uint64_t turning;               /* up to 64 classes: `in` repeated to 64 bits; else all 1 */
	uint8_t group[SAMPLE_CLASSES];  /* of the chosen classes */
};
struct sample_sums {
	uint64_t miss[MACHINE_LEVELS][2][SAMPLE_GROUPS];
};
#define SAMPLE_SEED UINT64_C(0x5eed)    /* the same choice in every run */

/* Chooses one class in n.  false: the levels' common index bits give fewer than two chosen
 * classes. */
bool sample_make(struct sample *s, const struct machine_flat *m, uint32_t n, uint64_t seed);
/* Scales a sampled count to all classes; for its error see mon_sample_parts(), on the agent's
 * side. */
uint64_t sample_scaled(const struct sample *s, uint64_t count);

static inline uint32_t sample_class(const struct sample *s, uint64_t address)
{
	return (uint32_t)(address >> s->shift) & (s->classes - 1);
}

/* Is the line of this normalised address simulated?  s NULL: always. */
static inline bool sample_has(const struct sample *s, uint64_t address)
{
	uint32_t c;

	if (!s)
		return true;
	c = sample_class(s, address);
	return s->in[c / 64] >> c % 64 & 1;
}
/* true: none of these bytes' lines is simulated.  false: one may be. */
static inline bool sample_none(const struct sample *s, uint64_t address, uint32_t span)
{
	uint32_t c = (uint32_t)(address >> s->shift) % 64;
	uint32_t more = (uint32_t)((address + span - 1) >> s->shift) -
		(uint32_t)(address >> s->shift);

	return more < 63 &&
		!((s->turning >> c | s->turning << (63 - c) << 1) & ((UINT64_C(2) << more) - 1));
}
#endif
