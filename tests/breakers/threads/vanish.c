/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that vanish, and control that leaves where nobody expects it: vanish [MODE [STEPS]].  Each step is
 * one execution of the phase; what is printed does not depend on when anything happened.
 * tests/monitor/vanish.sh runs all modes.
 * unchecked: front (a handler that switches to another context leaves half a record behind)
 * without: record switched (the stub monitor cannot be left)
 * flags: -O2 -DMODE=left
 * all: three ways of leaving
 * flags: -O2 -DMODE=switched
 * flags: -O2 -DMODE=fibered
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MODE
#define MODE
#endif
#define TEXT(x) #x
#define WORD(x) TEXT(x)

enum { N = 4000, THREADS = 3, STACK = 256 << 10 };

static double field[THREADS + 2][N];
static _Atomic int running, stop;
static int finished;
static volatile sig_atomic_t armed;

__attribute__((noinline)) static double cell(const double *x, int i)
{
	double sum = 0;

	for (int k = 0; k < 4; k++)
		sum += x[(i * 7 + k) % N];
	return sum;
}

__attribute__((noinline)) static void compute(double *x, int times)
{
	for (int t = 0; t < times; t++) {
		for (int i = 1; i < N - 1; i++)
			x[i] = 0.5 * x[i] + 0.25 * (x[(i * 7) % N] + x[i + 1]);
		for (int i = 0; i < N; i += 16)
			x[i] += 1e-9 * cell(x, i);
	}
}

static void wait_for(int n)
{
	while (running < n)
		sched_yield();
}

/* --- cancellation ----------------------------------------------------------------------------------- */

static void *computes(void *p)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	running++;
	for (;;)
		compute(p, 1);
	return NULL;
}

static void cancelled(int step)
{
	pthread_t t[THREADS];

	(void)step;
	running = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, computes, field[i + 1]);
	wait_for(THREADS);
	compute(field[0], 2);
	for (int i = 0; i < THREADS; i++)
		pthread_cancel(t[i]);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(t[i], &result);
		finished += result == PTHREAD_CANCELED;
	}
	compute(field[0], 1);
}

/* It meets no cancellation point before it has saved its work. */
static void *saves(void *p)
{
	running++;
	compute(p, 20);
	finished++;
	pthread_testcancel();
	return NULL;
}

static void deferred(int step)
{
	pthread_t t;

	(void)step;
	running = 0;
	pthread_create(&t, NULL, saves, field[1]);
	wait_for(1);
	pthread_cancel(t);
	compute(field[0], 2);
	pthread_join(t, NULL);
}

/* --- the phase belongs to who vanishes -------------------------------------------------------------- */

static void *owns(void *p)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (int step = 0; step < 1 << 30; step++) { /* the thread's phase */
		compute(p, 1);
		running++;
	}
	return NULL;
}

static void owners(int steps)
{
	for (int i = 0; i < steps; i++) {
		pthread_t t;

		running = 0;
		pthread_create(&t, NULL, owns, field[1]);
		wait_for(3);
		pthread_cancel(t);
		pthread_join(t, NULL);
		finished++;
	}
}

/* --- handlers that do not return ---------------------------------------------------------------------- */

static sigjmp_buf back;
static ucontext_t place;
static timer_t timer;

static void jumps(int signal)
{
	(void)signal;
	if (!armed)
		return;
	armed = 0;
	siglongjmp(back, 1);
}

static void switches(int signal)
{
	(void)signal;
	if (!armed)
		return;
	armed = 0;
	setcontext(&place);
}

static void tick(void (*handler)(int), long ns, int flags)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART | flags };
	struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	struct itimerspec every = { { 0, ns }, { 0, ns } };

	sigaction(SIGRTMIN, &a, NULL);
	e._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	timer_create(CLOCK_MONOTONIC, &e, &timer);
	timer_settime(timer, 0, &every, NULL);
}

static void *beside(void *p)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (!stop)
		compute(p, 1);
	return NULL;
}

__attribute__((noinline)) static void jumped(int step)
{
	(void)step;
	if (!sigsetjmp(back, 1)) {
		armed = 1;
		for (;;)
			compute(field[0], 1);
	}
	finished++;
	compute(field[0], 1);
}

__attribute__((noinline)) static void switched(int step)
{
	volatile int been = 0;

	(void)step;
	getcontext(&place);
	if (!been++) {
		armed = 1;
		for (;;)
			compute(field[0], 1);
	}
	finished++;
	compute(field[0], 1);
}

static void leaves(int signal)
{
	(void)signal;
	pthread_exit(&finished);
}

static void *waits(void *p)
{
	running++;
	for (;;)
		compute(p, 1);
	return NULL;
}

static void left(int step)
{
	struct sigaction a = { .sa_handler = leaves };
	pthread_t t[THREADS];

	sigaction(SIGUSR1, &a, NULL);
	running = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, waits, field[i + 1]);
	wait_for(THREADS);
	compute(field[0], 1 + step % 3);
	for (int i = 0; i < THREADS; i++)
		pthread_kill(t[i], SIGUSR1);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(t[i], &result);
		finished += result == &finished;
	}
}

/* --- handlers that return, at last --------------------------------------------------------------------- */

static _Atomic long ticks;

static void records(int signal)
{
	int saved = errno;

	(void)signal;
	ticks += cell(field[THREADS + 1], (int)ticks) >= 0;
	errno = saved;
}

static void ticked(int step)
{
	(void)step;
	compute(field[0], 3);
	finished++;
}

/* Two contexts on stacks of their own, one thread: a timer changes from one to the other. */
static ucontext_t fiber[2], end;
static volatile sig_atomic_t current, done[2] = { 1, 1 };

static void changes(int signal)
{
	int from = current;

	(void)signal;
	if (done[1 - from])
		return;
	current = 1 - from;
	swapcontext(&fiber[from], &fiber[1 - from]);
}

static void block(bool now)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGRTMIN);
	pthread_sigmask(now ? SIG_BLOCK : SIG_UNBLOCK, &s, NULL);
}

static void fiber_run(int which)
{
	block(false);
	compute(field[which], 20);
	block(true);
	done[which] = 1;
	current = 1 - which;
	if (done[1 - which])
		setcontext(&end);
	setcontext(&fiber[1 - which]);
}

static void fibered(int step)
{
	static char stack[2][STACK];
	volatile int been = 0;

	(void)step;
	block(true);
	done[0] = done[1] = current = 0;
	for (int i = 0; i < 2; i++) {
		getcontext(&fiber[i]);
		fiber[i].uc_stack.ss_sp = stack[i];
		fiber[i].uc_stack.ss_size = STACK;
		makecontext(&fiber[i], (void (*)(void))fiber_run, 1, i);
	}
	getcontext(&end);
	if (!been++)
		setcontext(&fiber[0]);
	finished++;
	block(false);
}

/* --------------------------------------------------------------------------------------------------------- */

static void phase(void (*step)(int), int steps)
{
	for (int i = 0; i < steps; i++) /* PHASE */
		step(i);
}

static void phase_beside(void (*step)(int), int steps)
{
	pthread_t t;

	pthread_create(&t, NULL, beside, field[1]);
	phase(step, steps);
	stop = 1;
	pthread_join(t, NULL);
	timer_delete(timer);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : WORD(MODE);
	int steps = argc > 2 ? atoi(argv[2]) : 20;
	sigset_t blocked;

	for (int i = 0; i < THREADS + 2; i++)
		for (int k = 0; k < N; k++)
			field[i][k] = 1;
	if (!strcmp(mode, "cancelled")) {
		phase(cancelled, steps);
	} else if (!strcmp(mode, "deferred")) {
		phase(deferred, steps);
	} else if (!strcmp(mode, "owners")) {
		owners(steps);
	} else if (!strcmp(mode, "left")) {
		phase(left, steps);
	} else if (!strcmp(mode, "jumped")) {
		tick(jumps, 500000, 0);
		phase_beside(jumped, steps);
	} else if (!strcmp(mode, "switched")) {
		tick(switches, 500000, 0);
		phase_beside(switched, steps);
	} else if (!strcmp(mode, "ticked")) {
		tick(records, 100000, SA_NODEFER);
		phase_beside(ticked, steps);
	} else if (!strcmp(mode, "fibered")) {
		tick(changes, 300000, 0);
		phase(fibered, steps);
		timer_delete(timer);
	} else {
		return 2;
	}
	/* The signal mask is what it was. */
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	printf("%s: %d, %s\n", mode, finished, sigisemptyset(&blocked) ? "nothing blocked" : "blocked");
	return 0;
}
