/* A shared object that a main which is not instrumented loads. */
#include <stdlib.h>

#define N 20000
static double a[N], b[N];

double work_step(int t)
{
	double s = 0, *p = malloc(N * sizeof *p);

	for (int i = 0; i < N; i++) {
		p[i] = a[i] * 0.5 + b[i];
		a[i] = p[i] + t;
		s += a[i];
	}
	free(p);
	return s;
}

double solve(int steps)
{
	double s = 0;

	for (int t = 0; t < steps; t++) {       /* the phase */
		b[t % N] += 1;
		s += work_step(t);
	}
	return s;
}
