/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread leaves its timer's handler by siglongjmp, which is legal where it interrupts pure computation;
 * another thread computes meanwhile.
 * flags: -O2 -D_GNU_SOURCE
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { N = 20000 };
static sigjmp_buf over;
static volatile sig_atomic_t inside;
static volatile int stop;

__attribute__((noinline)) static void compute(double *x, int n, int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 1; i < n - 1; i++)
			x[i] = 0.5 * x[i] + 0.25 * (x[i * 7 % n] + x[i + 1]);
}

static void handler(int sig)
{
	(void)sig;
	if (inside) {
		inside = 0;
		siglongjmp(over, 1);
	}
}

static void *other(void *x)
{
	while (!stop)
		compute(x, N, 2);
	return NULL;
}

/* Computes until the timer says that time is over. */
__attribute__((noinline)) static int budget(double *x)
{
	if (sigsetjmp(over, 1))
		return 1;
	inside = 1;
	for (;;)
		compute(x, N, 1000);
}

static void start_timer(void)
{
	struct itimerspec every = { { 0, 3000000 }, { 0, 3000000 } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	timer_t timer;

	event._sigev_un._tid = (int)syscall(SYS_gettid);
	signal(SIGRTMIN, handler);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, NULL))
		exit(3);
}

int main(void)
{
	double *a = calloc(2 * N, sizeof *a);
	pthread_t t;
	sigset_t set;
	int ended = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (pthread_create(&t, NULL, other, a + N))
		exit(3);
	start_timer();
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	for (int i = 0; i < 60; i++) {
		ended += budget(a);     /* PHASE */
	}
	stop = 1;
	pthread_join(t, NULL);
	printf("%d budgets used\n", ended);
	return 0;
}
