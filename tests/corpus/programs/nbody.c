/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of bodies, 32 bytes each: few fit in level 1, many do not.
 *
 * few: 384 bodies (12 KiB), and the 9 KiB of forces: only the first touch of a line misses, for many
 * has passed meanwhile.  many: 4096 bodies (128 KiB) pass through level 1 for each of 16 bodies, whose
 * own line may still be there when the next one begins.
 * corpus: machine=small */
#include "corpus.h"

enum { FEW = 384, MANY = 4096, TARGETS = 16 };
struct body {
	double x, y, z, mass;
};
static struct body few[FEW] ON_LEVEL2, many[MANY] ON_LEVEL2;
static double force[FEW][3] ON_PAGE, force_many[TARGETS][3] ON_PAGE;

static KERNEL void attract(const struct body *b, int n, int targets, double (*f)[3])
{
	for (int i = 0; i < targets; i++) {
		double fx = 0, fy = 0, fz = 0;

		for (int j = 0; j < n; j++) {
			double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
			double w = b[j].mass / (1 + dx * dx + dy * dy + dz * dz);

			fx += w * dx;
			fy += w * dy;
			fz += w * dz;
		}
		f[i][0] = fx, f[i][1] = fy, f[i][2] = fz;
	}
}

static KERNEL void step(void)
{
	attract(few, FEW, FEW, force);
	attract(many, MANY, TARGETS, force_many);
}

int main(void)
{
	for (int i = 0; i < MANY; i++) {
		many[i] = (struct body){ i % 10, i / 10 % 10, i % 100, 1 };
		if (i < FEW)
			few[i] = many[i];
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%.12g %.12g\n", force[5][1], force_many[9][2]);
	printf("expect few load_miss 1 = %d\n", FEW / 2);
	printf("expect many load_miss 1 in %d %d\n", TARGETS * (MANY / 2 - 1), TARGETS * MANY / 2);
	printf("expect force store_miss 1 = %d\n", FEW * 24 / LINE);
	printf("expect force stores = %d at O0\n", FEW * 3);
	printf("expect few miss 2 = 0\n");
	printf("expect worst many attract\n");
	return 0;
}
