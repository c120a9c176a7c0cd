/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without a time loop: each step ends by beginning the next one.  The phase is marked. */
#include "psc_phase.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 40000, STEPS = 60 };

static double table[N], sum;

static __attribute__((noinline)) void scale(double by)
{
	for (int i = 0; i < N; i++)
		table[i] *= by;
}

static __attribute__((noinline)) void advance(int step)
{
	double s = 0;

	psc_phase_begin("advance");
	for (int i = 0; i < N; i++)
		s += table[i];
	if (step % 2 == 0) {
		scale(0.5);
		psc_phase_end("advance");
	} else {
		scale(2);
		psc_phase_end("advance");
	}
	sum += s;
	if (step < STEPS)
		advance(step + 1);
	sum += table[step];
}

int main(void)
{
	for (int i = 0; i < N; i++)
		table[i] = i;
	advance(1);
	printf("%.1f\n", sum);
	return 0;
}
