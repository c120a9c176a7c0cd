/* C: calls over several lines, pragma continuation, loop forms, pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 100
struct mesh { int n; double *x; double field[N]; };
static double a[N], b[N][N];
double *heap;
static inline double get(const double *p, int i) { return p[i]; }

static void fill(struct mesh *m,
		 double value)
{
	for (int i = 0;
	     i < m->n;
	     i++) {
		m->x[i] = value;
		m->field[i] = value;
	}
}

static double total(const double *p, int n)
{
	double s = 0;
	int i = 0;

	do {
		s += get(p, i);
	} while (++i < n);
	return s;
}

static void nest(double c[][N])
{
#pragma omp parallel for \
	schedule(static)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			c[i][j] = a[j];

#pragma omp parallel
	{
#pragma omp single
		a[0] = 1;
#pragma omp critical
		{
			a[1] += 1;
		}
#pragma omp single
		for (int k = 0; k < 3; k++)
#pragma omp task
			fill(&(struct mesh){ 0, NULL, { 0 } }, k);
#pragma omp taskgroup
		{
#pragma omp task depend(out: a)
			a[2] += 1;
#pragma omp taskwait depend(in: a)
		}
#pragma omp taskwait
	}
}

int main(void)
{
	struct mesh m = { N, malloc(N * sizeof(double)), { 0 } };
	double s = 0;
	int k = 0;

	heap = malloc(sizeof a);
	for (int it = 0; it < 5; it++) {
		fill(&m,
		     it);
		memcpy(heap, m.x, sizeof a);
		while (k < it)
		{
			k++;
			s += total(heap,
				   N);
		}
	}
	for (;;) {
		if (k++ > 8)
			break;
		nest(b);
	}
again:
	s += total(m.field, N);
	if (k++ < 14)
		goto again;
	printf("%g %g\n", s, b[3][4]);
	free(m.x);
	return 0;
}
