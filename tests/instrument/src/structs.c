/* SPDX-License-Identifier: BSD-3-Clause */
/* For structs.sh: which members of which structs a region uses. */
#include <stdlib.h>
#include <string.h>

struct vector {
	double x, y, z;
};
struct body {
	double x, y, z;
	struct vector speed;
	int id[3];
	unsigned kind : 3, flags : 5;
	union {
		double mass;
		float half[2];
	};
};
struct grid {
	int n;
	struct body *bodies;
};
struct large {
	double many[1024];
};

static struct body fixed[100];
struct grid grid;

static double energy(const struct body *b, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += b[i].x * b[i].speed.y;
	for (int i = 0; i < n; i++)
		s += b[i].flags + b[i].mass;
	return s;
}

double all(struct large *l, int n)
{
	struct body *p = malloc(n * sizeof *p), few[4];
	double s = 0;

	memset(few, 0, sizeof few);
	for (int i = 0; i < n; i++)
		p[i].id[i % 3] = i;
	for (int i = 0; i < n; i++)
		s += grid.bodies[i].z + fixed[i].half[1];
	for (int i = 0; i < n; i++)
		p[i] = fixed[i];
	for (int i = 0; i < n; i++)
		p[i].speed = fixed[i].speed;
	for (int i = 0; i < n; i++)     /* not records: a frame's own, an array of its own */
		s += few[i % 4].x + l->many[i] + grid.n;
	for (int i = 0; i < n; i++) {   /* whole records, beside a member */
		memcpy(&p[i], &fixed[i], sizeof *p);
		s += p[i].x;
	}
	for (struct body *b = p; b < p + n; b++)
		memmove(b, grid.bodies, sizeof *b);
	s += energy(p, n);
	free(p);
	return s;
}
