/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture is smoothed into a new one at each step.  A block of more than 32 MiB is always mapped by
 * malloc and unmapped by free, whatever was freed before. */
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 3000, HEIGHT = 3000 };

static void smooth(const float *from, float *to)
{
	for (size_t i = 1; i + 1 < (size_t)WIDTH * HEIGHT; i++)
		to[i] = 0.5f * from[i] + 0.25f * (from[i - 1] + from[i + 1]);
	to[0] = from[0];
	to[(size_t)WIDTH * HEIGHT - 1] = from[(size_t)WIDTH * HEIGHT - 1];
}

static float *new_picture(void)
{
	float *picture = malloc((size_t)WIDTH * HEIGHT * sizeof *picture);

	if (!picture)
		exit(1);
	return picture;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	float *picture = new_picture();
#ifdef FIXED
	float *spare = new_picture();
#endif

	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
		picture[i] = (float)(i % 251);
	for (int step = 0; step < steps; step++) { /* the phase */
#ifdef FIXED
		float *next = spare;

		spare = picture;
		smooth(picture, next);
#else
		float *next = new_picture();

		smooth(picture, next);
		free(picture);
#endif
		picture = next;
	}
	printf("%.9g\n", (double)picture[WIDTH * (size_t)HEIGHT / 2]);
	return 0;
}
