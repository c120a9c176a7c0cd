/* A program for tests/e2e/any_program.sh, compiled without our plugin: a column walk, a gather, a stream, a small
 * table, and two threads that count in one line.  It ends after the seconds of processor time
 * given, with 7. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1024, M = 1 << 21 };
static double mat[N][N];
static double coef[256];
static struct { volatile long n[2]; } near __attribute__((aligned(64)));
static volatile int stop;

__attribute__((noinline)) static double columns(void)
{
	double s = 0;

	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			s += mat[i][j];
	return s;
}

__attribute__((noinline)) static double gather(const double *table, const int *index)
{
	double s = 0;

	for (int i = 0; i < M; i++)
		s += table[index[i]];
	return s;
}

__attribute__((noinline)) static double stream(double *to, const double *from)
{
	for (int i = 0; i < M; i++)
		to[i] = 2.5 * from[i] + 1;
	return to[M / 2];
}

__attribute__((noinline)) static double small(void)
{
	double s = 0;

	for (int i = 0; i < M; i++)
		s += coef[i & 255] * i;
	return s;
}

static void *count(void *arg)
{
	const long me = (long)arg;

	while (!stop)
		for (int i = 0; i < 1000; i++)
			near.n[me]++;
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	double *table = malloc(M * sizeof *table), *to = malloc(M * sizeof *to), *from = malloc(M * sizeof *from);
	int *index = malloc(M * sizeof *index);
	const double until = now() + (argc > 1 ? atof(argv[1]) : 1);
	pthread_t thread[2];
	double s = 0;
	unsigned x = 1;

	for (int i = 0; i < M; i++) {
		x = x * 1664525u + 1013904223u;
		index[i] = (int)(x >> 8) & (M - 1);
		table[i] = from[i] = i;
	}
	for (int i = 0; i < 256; i++)
		coef[i] = i;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			mat[i][j] = i + j;
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, count, (void *)i);
	while (now() < until)
		s += columns() + columns() + columns() + gather(table, index) + stream(to, from) + small();
	stop = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%s\n", s > 0 ? "done" : "nothing");
	return 7;
}
