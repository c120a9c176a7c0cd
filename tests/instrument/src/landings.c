/* setjmp inside OpenMP constructs: each jumps back to where its own thread stood. */
#include <setjmp.h>
#include <stdio.h>

static int a[400];

__attribute__((noinline)) static void maybe(jmp_buf *env, int i)
{
	a[i]++;
	for (int k = 0; k < i % 3; k++)
		if (i % 7 == 3)
			longjmp(*env, i + 1);
	a[i]++;
}

/* Returns what the jump brought, or 0. */
#define ATTEMPT(i) \
	do { \
		jmp_buf env; \
		int r = setjmp(env); \
		if (r == 0) \
			maybe(&env, i); \
		else \
			sum += r; \
		sum += a[i]; \
	} while (0)

static long loops(void)
{
	long sum = 0;

#pragma omp parallel for reduction(+:sum)
	for (int i = 0; i < 400; i++)
		ATTEMPT(i);
	return sum;
}

static long teams(void)
{
	long total = 0;

#pragma omp parallel num_threads(2) reduction(+:total)
	{
		long sum = 0;

#pragma omp for nowait
		for (int i = 0; i < 100; i++)
			ATTEMPT(i);
#pragma omp single
		ATTEMPT(101);
#pragma omp master
		ATTEMPT(102);
#pragma omp critical
		ATTEMPT(103 + (sum & 1) * 0);
#pragma omp sections
		{
#pragma omp section
			ATTEMPT(105);
#pragma omp section
			ATTEMPT(106);
		}
		total += sum;
	}
	return total;
}

static long tasks(void)
{
	long total = 0;

#pragma omp parallel
#pragma omp single
	for (int k = 0; k < 40; k++)
#pragma omp task firstprivate(k)
	{
		long sum = 0;

		ATTEMPT(200 + k);
#pragma omp atomic
		total += sum;
	}
	return total;
}

static long ordered(void)
{
	long sum = 0;

#pragma omp parallel for ordered reduction(+:sum)
	for (int i = 300; i < 340; i++)
#pragma omp ordered
		ATTEMPT(i);
	return sum;
}

static long serial(void)
{
	long sum = 0;

	for (int i = 340; i < 380; i++)
		ATTEMPT(i);
	return sum;
}

int main(void)
{
	for (int step = 0; step < 4; step++)
		printf("%ld %ld %ld %ld %ld\n", loops(), teams(), tasks(), ordered(), serial());
	return 0;
}
