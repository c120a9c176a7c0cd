/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a contour line are collected in an array that grows by a constant: the number of
 * copies, and of blocks taken from the system and given back, grows with the square of the points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { double x, y; };
struct contour { struct point *point; size_t used, room; };

static void append(struct contour *c, struct point p)
{
	if (c->used == c->room) {
#ifdef FIXED
		size_t room = c->room ? 2 * c->room : 64;
#else
		size_t room = c->room + 64;
#endif
		struct point *larger = malloc(room * sizeof *larger);

		if (!larger)
			exit(1);
		if (c->used)
			memcpy(larger, c->point, c->used * sizeof *larger);
		free(c->point);
		c->point = larger;
		c->room = room;
	}
	c->point[c->used++] = p;
}

static double trace(int points, double size)
{
	struct contour c = { NULL, 0, 0 };
	double length = 0;

	for (int i = 0; i < points; i++)
		append(&c, (struct point){ size * (i % 1000), size * (i / 1000) });
	for (size_t i = 1; i < c.used; i++)
		length += fabs(c.point[i].x - c.point[i - 1].x) + fabs(c.point[i].y - c.point[i - 1].y);
	free(c.point);
	return length;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double sum = 0;

	for (int step = 0; step < steps; step++) /* the phase */
		sum += trace(25000, 1 + step % 3);
	printf("%.15g\n", sum);
	return 0;
}
