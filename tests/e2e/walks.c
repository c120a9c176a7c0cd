/* SPDX-License-Identifier: BSD-3-Clause */
/* Cubes, read from plane to plane: 128 pages in turn, of each every third line.
 *   even, heap_even     planes 32 pages apart: the pages fall into four of 128 sets of a translation cache, 32 into each;
 *                       with 16 ways each access walks
 *   odd, heap_odd       planes 33 pages apart: one page in each set, so only the first access to a page walks, 1 in 22 */
#include <stdio.h>
#include <stdlib.h>

enum { PLANES = 128, PAGE = 4096, STEP = 192, EVEN = 32 * PAGE, ODD = 33 * PAGE };

static char even[PLANES * EVEN], odd[PLANES * ODD];

static long sum(const char *cube, long plane)
{
	long s = 0;

	for (long at = 0; at < 4 * PAGE; at += STEP)
		for (long p = 0; p < PLANES; p++)
			s += cube[p * plane + at];
	return s;
}

int main(void)
{
	char *heap_even = calloc(PLANES, EVEN), *heap_odd = calloc(PLANES, ODD);
	long s = 0;

	if (!heap_even || !heap_odd)
		return 1;
	for (int step = 0; step < 12; step++)   /* the phase */
		s += sum(even, EVEN) + sum(odd, ODD) + sum(heap_even, EVEN) + sum(heap_odd, ODD);
	printf("%ld\n", s);
	free(heap_even);
	free(heap_odd);
	return 0;
}
