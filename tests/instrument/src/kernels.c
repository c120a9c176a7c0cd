/* Kernels whose traffic is known: "kernels NAME N".  See records.sh. */
#include <stdlib.h>
#include <string.h>

#define MAX 4096
#define noinline __attribute__((noinline))
struct block { double d[10]; };
static double a[MAX], b[MAX], c[MAX], m[3][64][64];
static struct block from[MAX], to[MAX];
static char raw[2][MAX];
static long counter;

noinline static void triad(double *x, const double *y, const double *z, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = y[i] + 3.0 * z[i];
}

noinline static void matmul(int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double s = 0;

			for (int k = 0; k < n; k++)
				s += m[0][i][k] * m[1][k][j];
			m[2][i][j] = s;
		}
}

noinline static void blocks(int n)
{
	for (int i = 0; i < n; i++)
		to[i] = from[n - i];
}

noinline static void strided(int n)
{
	for (int i = 0; i < n; i++)
		c[4 * i] = a[4 * i + 1];
}

noinline static void atomics(int n)
{
	for (int i = 0; i < n; i++)
		__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

noinline static double local(int n)
{
	volatile double t[4] = { 0 };

	for (int i = 0; i < n; i++)
		t[i & 3] = i;
	return t[0];
}

/* Every level may record before the next asks for room. */
noinline static int deep(int n)
{
	double t = a[n & 7];

	if (n > 0)
		t += deep(n - 1);
	b[n & 7] = t;
	return (int)t;
}

/* What a construct's threads are handed by the instrumentation is no access of the program. */
static int forked;

noinline static void fork_often(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
		forked += 2;
	}
}

/* A variable of the program's, whatever its name. */
static volatile double psc_token, psc_token_of[8];

noinline static void named_alike(int n)
{
	for (int i = 0; i < n; i++) {
		psc_token += 1;
		psc_token_of[i & 7] = i;
	}
}

/* Not in main(), which has no recording version; not static, else main alone would call it. */
noinline void run(const char *name, int n)
{
	if (!strcmp(name, "triad"))
		triad(a, b, c, n);
	else if (!strcmp(name, "matmul"))
		matmul(n);
	else if (!strcmp(name, "memcpy"))
		memcpy(raw[1], raw[0], n);
	else if (!strcmp(name, "memset"))
		memset(raw[1], 1, n);
	else if (!strcmp(name, "blocks"))
		blocks(n);
	else if (!strcmp(name, "strided"))
		strided(n);
	else if (!strcmp(name, "atomics"))
		atomics(n);
	else if (!strcmp(name, "local"))
		local(n);
	else if (!strcmp(name, "deep"))
		deep(n);
	else if (!strcmp(name, "forks"))
		fork_often(n);
	else if (!strcmp(name, "named"))
		named_alike(n);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (n < 0 || n >= MAX)
		return 2;
	run(name, n);
	return 0;
}
