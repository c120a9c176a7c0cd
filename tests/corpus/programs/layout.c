/* SPDX-License-Identifier: BSD-3-Clause */
/* One field of 16384 particles: in an array of structures of 64 bytes, and in a structure of arrays.
 *
 * array: a line for every particle.  arrays: eight in a line; the field's 128 KiB of the 1 MiB.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum { N = 16384 };
struct particle {
	double x, y, z, vx, vy, vz, mass, charge;
};
static struct particle array[N] ON_LEVEL2;
static struct {
	double x[N], y[N], z[N], vx[N], vy[N], vz[N], mass[N], charge[N];
} arrays ON_LEVEL2;
static double sum;

static KERNEL double of_array(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += array[i].mass;
	return s;
}

static KERNEL double of_arrays(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += arrays.mass[i];
	return s;
}

static KERNEL void step(void)
{
	sum += of_array() - of_arrays() / 2;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		array[i].mass = arrays.mass[i] = i % 5;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect array bytes = %d\n", N * 8);
	printf("expect arrays bytes = %d\n", N * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect array load_miss %d = %d\n", level, N);
		printf("expect arrays load_miss %d = %d\n", level, N / 8);
	}
	printf("expect worst array of_array\n");
	return 0;
}
