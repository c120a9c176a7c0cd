/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal every 100 us whose handler works on memory; also inside of itself, but no deeper than three times: where a
 * handler takes longer than 100 us, there would be no end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { N = 40000 };
static double a[N];
static int table[4096];
static volatile long ticks;
static volatile int inside;

__attribute__((noinline)) static void work(int n)
{
	for (int i = 0; i < n; i++)
		table[i * 17 & 4095] += table[i & 4095];
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)sig, (void)info, (void)context;
	if (inside++ < 3)
		work(200);
	inside--;
	ticks++;
	errno = saved;
}

static void step(void)
{
	for (int times = 0; times < 3; times++)
		for (int i = 1; i < N - 1; i++)
			a[i] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1]) + 1;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER };
	struct itimerval every = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 40; i++) {
		step();         /* PHASE */
	}
	while (ticks == 0)
		;
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%.17g\n", a[777]);
	return 0;
}
