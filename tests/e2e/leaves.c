/* SPDX-License-Identifier: BSD-3-Clause */
/* leaves KIND CALLS: a program without equal steps, whose spans of time end in the midst of odd things: its regions are left
 * by longjmp, it has a thread, handles signals, forks, recurs 700 deep, or its main thread ends first. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 18 };
static double a[N], b[N];
static jmp_buf out;
static int jumps;

static void work(int s)
{
	for (int k = 0; k < 4; k++)
		for (int i = 1; i < N; i++)
			a[i] = 0.5 * (a[i - 1] + b[(i * 977u) % N]) + s;
}

static void deep(int d)
{
	double local[64];

	for (int i = 0; i < 64; i++)
		local[i] = a[i] + d;
	if (d) {
		deep(d - 1);
		b[d] += local[d % 64];
		return;
	}
	work((int)local[3]);
	if (jumps)
		longjmp(out, 1);
}

static void *other(void *p)
{
	for (int k = 0; k < 100; k++)
		work(k);
	return p;
}

static void tick(int s)
{
	for (int i = 0; i < 100; i++)
		b[i] += a[i] + s;
}

static void child(void)
{
	int status;
	pid_t p = fork();

	if (!p) {
		deep(5);
		_exit(5);
	}
	if (waitpid(p, &status, 0) != p || WEXITSTATUS(status) != 5)
		exit(9);
}

int main(int argc, char **argv)
{
	const char *kind = argv[1];
	struct itimerval often = { { 0, 5000 }, { 0, 5000 } };
	volatile int left = argc > 2 ? atoi(argv[2]) : 1;
	int depth = strcmp(kind, "deep") == 0 ? 700 : 20;
	pthread_t t;

	jumps = strcmp(kind, "jump") == 0;
	if (strcmp(kind, "thread") == 0)
		pthread_create(&t, NULL, other, NULL);
	if (strcmp(kind, "signals") == 0) {
		signal(SIGALRM, tick);
		setitimer(ITIMER_REAL, &often, NULL);
	}
	while (left--) {
		if (!setjmp(out))
			deep(depth);
		if (strcmp(kind, "fork") == 0 && left % 100 == 0)
			child();
	}
	if (strcmp(kind, "thread") == 0)
		pthread_join(t, NULL);
	printf("%s\n", kind);
	fflush(stdout);
	if (strcmp(kind, "end") == 0)
		pthread_exit(NULL);
	exit(7);
}
