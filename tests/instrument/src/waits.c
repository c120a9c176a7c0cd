// The barriers at the ends of worksharing constructs: each result needs what the slowest thread wrote.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 64 };
static int a[N];

static void slow(int i)
{
	if (i % N == 0)
		usleep(20000);
}

// Read backwards, by other threads than wrote it, right behind the construct.
static long check(void)
{
	long sum = 0;

#pragma omp for schedule(static) nowait
	for (int i = 0; i < N; i++)
		sum += a[N - 1 - i] != N - i;
#pragma omp barrier
	return sum;
}

static long loops(void)
{
	long wrong = 0;

#pragma omp parallel num_threads(4) reduction(+ : wrong)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++) {
			slow(i);
			a[i] = i + 1;
		}
		wrong += check();
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < N; i++) {
			slow(i);
			a[i] = i + 1;
		}
		wrong += check();
#pragma omp for schedule(guided) ordered
		for (int i = 0; i < N; i++) {
			slow(i);
#pragma omp ordered
			a[i] = i + 1;
		}
		wrong += check();
#pragma omp sections
		{
#pragma omp section
			for (int i = 0; i < N / 2; i++) {
				slow(i);
				a[i] = i + 1;
			}
#pragma omp section
			for (int i = N / 2; i < N; i++)
				a[i] = i + 1;
		}
		wrong += check();
	}
	return wrong;
}

static void results(long out[6])
{
	long sum = 0, last = -1, cond = -1, tasks = 0, scan = 0, prefix[N];

#pragma omp parallel num_threads(4)
	{
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < N; i++) {
			slow(i);
			sum += i;
		}
#pragma omp critical
		out[0] += sum;
#pragma omp for lastprivate(last)
		for (int i = 0; i < N; i++) {
			slow(i + 1);
			last = i;
		}
#pragma omp critical
		out[1] += last;
#pragma omp for lastprivate(conditional : cond)
		for (int i = 0; i < N; i++) {
			slow(i + 1);
			if (i % 7 == 0)
				cond = i;
		}
#pragma omp critical
		out[2] += cond;
#pragma omp for reduction(task, + : tasks)
		for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : tasks)
			tasks += i;
		}
#pragma omp critical
		out[3] += tasks;
#pragma omp for reduction(inscan, + : scan)
		for (int i = 0; i < N; i++) {
			{       /* one statement: more is OpenMP 5.1 */
				slow(i);
				scan += i;
			}
#pragma omp scan inclusive(scan)
			prefix[i] = scan;
		}
#pragma omp critical
		out[4] += prefix[N - 1] + prefix[1];
#pragma omp for
		for (int i = 0; i < N; i++) {
			slow(i);
#pragma omp cancel for if (i < 0)
			a[i] = i + 1;
		}
#pragma omp critical
		out[5] += a[0] + a[N - 1];
	}
}

int main(void)
{
	long out[6] = { 0 };
	long wrong = loops();

	results(out);
	printf("%ld wrong; %ld %ld %ld %ld %ld %ld\n", wrong, out[0], out[1], out[2], out[3], out[4], out[5]);
	return 0;
}
