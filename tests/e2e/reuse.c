/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays whose lines come again after known numbers of bytes, all larger than a first level of 32 KiB:
 *   swept    four times from front to back: three times out of four after its own size
 *   blocked  the same work in blocks: three times out of four after a block
 *   once     once a step: after all that the step passes, counting each line once
 *   stays    in the first level: never misses again within a step, misses once for each step */
#include <stdio.h>
#include <stdlib.h>

enum { SWEPT = 2 << 20, BLOCKED = 4 << 20, BLOCK = 256 << 10, ONCE = 8 << 20, STAYS = 4 << 10, PASSES = 4 };

static double sum(const double *p, size_t bytes)
{
	double s = 0;

	for (size_t i = 0; i < bytes / sizeof *p; i++)
		s += p[i];
	return s;
}

int main(void)
{
	double *swept = calloc(1, SWEPT), *blocked = calloc(1, BLOCKED), *once = calloc(1, ONCE), *stays = calloc(1, STAYS);
	double s = 0;

	if (!swept || !blocked || !once || !stays)
		return 1;
	for (int step = 0; step < 12; step++) { /* the phase */
		for (int pass = 0; pass < PASSES; pass++)
			s += sum(swept, SWEPT);
		for (size_t b = 0; b < BLOCKED; b += BLOCK)
			for (int pass = 0; pass < PASSES; pass++)
				s += sum(blocked + b / sizeof *blocked, BLOCK);
		s += sum(once, ONCE);
		for (int pass = 0; pass < PASSES; pass++)
			s += sum(stays, STAYS);
	}
	printf("%g\n", s);
	free(swept);
	free(blocked);
	free(once);
	free(stays);
	return 0;
}
