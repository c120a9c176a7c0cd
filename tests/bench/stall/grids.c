/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils: those of loops.f90, whose arrays have their first index along memory, and one in C. */
#include "harness.h"

/* loops.f90 */
typedef void average_sweep(double *b, const double *a, int n1, int n2);
typedef void heat_step(double *v, const double *u, int n1, int n2, double c);
typedef void seven_sweep(double *b, const double *a, int n1, int n2, int n3, int m1, int m2);
average_sweep average_wrong, average_right;
heat_step heat_wrong, heat_right;
seven_sweep seven_points, seven_points_wrong;

static double *u, *v;
static double *padded_in, *padded_out;

static double *ramp(size_t n)
{
	double *a = bench_memory(n * sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = (double)(i % 7);
	return a;
}

/* How often a kernel of `points` points must run for as many as `all`. */
static int times(int all, int points)
{
	return (all + points / 2) / points;
}

/* --- stencilT: the mean of four neighbours, loops the wrong way round ------------------------------- */

enum { SIDE = 2048, INNER = (SIDE - 2) * (SIDE - 2) };

void stencilT_init(void)
{
	u = ramp((size_t)SIDE * SIDE);
	v = bench_doubles((size_t)SIDE * SIDE, 0);
}

double stencilT_run(enum version version)
{
	if (version == BAD)
		average_wrong(v, u, SIDE, SIDE);
	else if (version == FIXED)
		average_right(v, u, SIDE, SIDE);
	else
		REPEAT(times(INNER, 2 * 254))
			average_wrong(v, u, 4, 256);
	return v[SIDE + 1] + v[5 * SIDE + 9];
}

/* --- heat: the heat equation on a grid that is no power of two ---------------------------------------- */

enum { HEAT = 2500, HEAT_INNER = (HEAT - 2) * (HEAT - 2) };

void heat_init(void)
{
	u = ramp((size_t)HEAT * HEAT);
	v = ramp((size_t)HEAT * HEAT);
}

/* Two time steps; fixed: the inner loop over the first index. */
double heat_run(enum version version)
{
	heat_step *step = version == FIXED ? heat_right : heat_wrong;

	if (version == CACHED)
		REPEAT(times(2 * HEAT_INNER, 2 * 254))
			step(v, u, 4, 256, 0.1);
	else {
		step(v, u, HEAT, HEAT, 0.1);
		step(u, v, HEAT, HEAT, 0.1);
	}
	return u[5 * HEAT + 9] + u[HEAT * HEAT / 2];
}

/* --- sten3k, sten3pad: seven points in three dimensions ------------------------------------------------ */

enum { CUBE = 128, CUBE_INNER = (CUBE - 2) * (CUBE - 2) * (CUBE - 2) };

void sten3k_init(void)
{
	u = ramp((size_t)CUBE * CUBE * CUBE);
	v = bench_doubles((size_t)CUBE * CUBE * CUBE, 0);
}

/* fixed: the inner loop over the first index */
double sten3k_run(enum version version)
{
	if (version == BAD)
		seven_points_wrong(v, u, CUBE, CUBE, CUBE, CUBE, CUBE);
	else if (version == FIXED)
		seven_points(v, u, CUBE, CUBE, CUBE, CUBE, CUBE);
	else
		REPEAT(times(CUBE_INNER, 2 * 2 * 74))
			seven_points_wrong(v, u, 4, 4, 76, 4, 4);
	return v[((size_t)5 * CUBE + 4) * CUBE + 3];
}

enum { PLANE = 256, PLANES = 66, LD = PLANE + 8, PLANE_LD = PLANE + 1,
	SLAB_INNER = (PLANE - 2) * (PLANE - 2) * (PLANES - 2) };

void sten3pad_init(void)
{
	u = bench_doubles((size_t)PLANE * PLANE * PLANES, 1.0);
	v = bench_doubles((size_t)PLANE * PLANE * PLANES, 0);
	padded_in = bench_doubles((size_t)LD * PLANE_LD * PLANES, 1.0);
	padded_out = bench_doubles((size_t)LD * PLANE_LD * PLANES, 0);
}

/* Rows and planes are a power of two apart; fixed: they are not. */
double sten3pad_run(enum version version)
{
	if (version == FIXED) {
		seven_points(padded_out, padded_in, PLANE, PLANE, PLANES, LD, PLANE_LD);
		return padded_out[((size_t)5 * PLANE_LD + 4) * LD + 3];
	}
	if (version == BAD)
		seven_points(v, u, PLANE, PLANE, PLANES, PLANE, PLANE);
	else
		REPEAT(times(SLAB_INNER, 2 * 124))
			seven_points(v, u, 126, 4, 3, 126, 4);
	return v[((size_t)5 * PLANE + 4) * PLANE + 3];
}

/* --- jacobi: four sweeps of the mean of four neighbours, along the rows ------------------------------- */

enum { SWEEPS = 4, RING = 4, SHORT = 500 };
static double *ring[SWEEPS];

SAME_CODE static void average_row(double *out, const double *above, const double *row, const double *below, size_t n)
{
	for (size_t j = 1; j + 1 < n; j++)
		out[j] = 0.25 * (row[j - 1] + row[j + 1] + above[j] + below[j]);
}

/* The first and last columns are 0 in every sweep. */
void jacobi_init(void)
{
	u = ramp((size_t)SIDE * SIDE);
	for (size_t i = 0; i < SIDE; i++)
		u[i * SIDE] = u[i * SIDE + SIDE - 1] = 0;
	v = bench_memory((size_t)SIDE * SIDE * sizeof *v);
	for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
		v[i] = u[i];
	for (int s = 1; s < SWEEPS; s++)
		ring[s] = bench_doubles((size_t)RING * SIDE, 0);
}

static void average(double *out, const double *in)
{
	for (size_t i = 1; i < SIDE - 1; i++)
		average_row(out + i * SIDE, in + (i - 1) * SIDE, in + i * SIDE, in + (i + 1) * SIDE, SIDE);
}

/* Row i after s sweeps, of which only the last rows are kept; before the first and after the last they are in u. */
static double *row_after(int s, size_t i)
{
	if (s == 0 || s == SWEEPS || i == 0 || i == SIDE - 1)
		return u + i * SIDE;
	return ring[s] + i % RING * SIDE;
}

/* All sweeps at once: each follows the one before at a distance of one row. */
static void average_wavefront(void)
{
	for (size_t front = 1; front < SIDE - 1 + SWEEPS - 1; front++)
		for (int s = 1; s <= SWEEPS; s++) {
			size_t i = front - (size_t)(s - 1);     /* below 1 it wraps: a large number */

			if (i >= 1 && i < SIDE - 1)
				average_row(row_after(s, i), row_after(s - 1, i - 1), row_after(s - 1, i),
					row_after(s - 1, i + 1), SIDE);
		}
}

double jacobi_run(enum version version)
{
	if (version == FIXED)
		average_wavefront();
	else if (version == BAD)
		for (int s = 0; s < SWEEPS; s += 2) {
			average(v, u);
			average(u, v);
		}
	else
		REPEAT(times(SWEEPS * INNER, SHORT - 2))
			average_row(v, u, u + SHORT, u + 2 * SHORT, SHORT);
	return u[(size_t)SIDE * SIDE / 2 + 9] + u[5 * SIDE + 3];
}
