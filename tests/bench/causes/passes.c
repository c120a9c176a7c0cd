/* SPDX-License-Identifier: BSD-3-Clause */
/* Three stages of a model, each a loop over the same two fields, which no cache holds. */
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 4 << 20 };

static void stages(double *restrict height, double *restrict speed, double dt)
{
#ifdef FIXED
	for (int i = 0; i < CELLS; i++) {
		speed[i] -= dt * height[i];
		height[i] += dt * speed[i];
		height[i] -= 1e-3 * (height[i] - speed[i]);
	}
#else
	for (int i = 0; i < CELLS; i++)
		speed[i] -= dt * height[i];
	for (int i = 0; i < CELLS; i++)
		height[i] += dt * speed[i];
	for (int i = 0; i < CELLS; i++)
		height[i] -= 1e-3 * (height[i] - speed[i]);
#endif
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double *height = malloc(CELLS * sizeof *height), *speed = malloc(CELLS * sizeof *speed);

	if (!height || !speed)
		return 1;
	for (int i = 0; i < CELLS; i++) {
		height[i] = i % 9;
		speed[i] = 0;
	}
	for (int step = 0; step < steps; step++) /* the phase */
		stages(height, speed, 0.01);
	printf("%.15g\n", height[CELLS / 3]);
	return 0;
}
