/* SPDX-License-Identifier: BSD-3-Clause */
/* tried STEPS [fork|stay|threads]: allocates two arrays in each step, and prints how malloc behaves afterwards; the
 * output does not depend on the number of steps.
 * -DOWN: with a malloc of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 90000 };

#ifdef OWN
static char pool[1 << 24];
static size_t used;

void *malloc(size_t bytes)
{
	void *block = pool + used % (sizeof pool / 2);

	used += (bytes + 15) & ~(size_t)15;
	return bytes > sizeof pool / 4 ? NULL : block;
}

void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return memset(malloc(n * size), 0, n * size); }
void *realloc(void *block, size_t bytes) { (void)block; return malloc(bytes); }
#endif

static double u[N];
static uintptr_t begin;         /* of the heap */

static double __attribute__((noinline)) work(double *a, double *b, double sum)
{
	for (int i = 0; i < N; i++)
		a[i] = u[i];
	for (int i = 0; i < N; i++)
		b[i] = a[i] + 1;
	for (int i = 0; i < N; i++)
		sum += b[i] - a[i];
	return sum;
}

static double __attribute__((noinline)) one_step(int stay)
{
	static double *a, *b;
	double sum;

	if (!a || !stay) {
		a = malloc(N * sizeof *a);
		b = malloc(N * sizeof *b);
	}
	sum = work(a, b, 0);
	if (!stay) {
		free(b);
		free(a);
	}
	return sum;
}

/* How does glibc's malloc take a large block, and another of its size when that has been released?
 * As it is: mapped (the word before the block says so), then, as the threshold has risen, not.
 * Either setting of the trial alone, or a threshold that no longer rises, shows. */
static int behaviour(void)
{
#ifdef OWN
	return 0;
#else
	int mapped[2];

	for (int i = 0; i < 2; i++) {
		char *block = malloc((20 << 20) + (size_t)i);

		block[0] = 1;
		mapped[i] = (int)(((size_t *)(void *)block)[-1] >> 1 & 1);
		free(block);
	}
	/* What stays of the heap: at most twice the threshold. */
	return (mapped[0] << 1 | mapped[1]) * 1000 + (int)(((uintptr_t)sbrk(0) - begin) >> 20);
#endif
}

/* In a child, which has what the parent had at the fork. */
static int child_behaviour(void)
{
	int status, pid = fork();

	if (!pid)
		_exit(behaviour() / 1000);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void *thread(void *sum)
{
	*(double *)sum = one_step(0);
	return NULL;
}

static double two_threads(void)
{
	double sum[2];
	pthread_t other;

	if (pthread_create(&other, NULL, thread, &sum[1]))
		return -1;
	sum[0] = one_step(0);
	pthread_join(other, NULL);
	return sum[0] == sum[1] ? sum[0] : -1;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 100;
	const char *mode = argc > 2 ? argv[2] : "";
	const int forks = !strcmp(mode, "fork"), stay = !strcmp(mode, "stay"), threads = !strcmp(mode, "threads");
	int wrong = 0, children = 0, other = 0;

	begin = (uintptr_t)sbrk(0);
	for (int i = 0; i < steps; i++) { /* the steps */
		wrong += (threads ? two_threads() : one_step(stay)) != N;
		if (forks && i % 50 == 49) {
			int how = child_behaviour();

			other += children && how != children;
			children = how;
		}
	}
	printf("%d wrong sums; children: %d, %d otherwise; afterwards: %d\n", wrong, children, other, behaviour());
	return 7;
}
