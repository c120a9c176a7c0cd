/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C and C++ programs of the corpus have in common. */
#ifndef CORPUS_H
#define CORPUS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 64,              /* bytes; of machines/small.xml, as the next two */
	LEVEL1 = 32 << 10,
	LEVEL2 = 256 << 10,
	PAGE = 4096,
	EXECUTIONS = 5          /* of a phase: the second warms, the third and fourth count */
};
#define KERNEL __attribute__((noinline))
#define ON_PAGE __attribute__((aligned(4096)))
#define ON_LEVEL2 __attribute__((aligned(32768)))       /* the first set of level 2 */

/* Numbers that are the same everywhere. */
static inline uint32_t corpus_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}
#endif
