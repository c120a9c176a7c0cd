/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads with the least stack there is, a handler on an alternate stack of 8 KiB, a context on 16 KiB. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static int table[4096];
static long handled;
static ucontext_t caller, other;

__attribute__((noinline)) static long walk(int *t, int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		t[i * 17 & 4095] += i & 3;
		s += t[i * 31 & 4095];
	}
	return s;
}

static void handler(int sig)
{
	(void)sig;
	handled += walk(table, 3000) >= 0;
}

static void *thread(void *p)
{
	for (int i = 0; i < 20; i++)
		walk(p, 500);
	return NULL;
}

static void context(void)
{
	for (;;) {
		walk(table, 5000);
		swapcontext(&other, &caller);
	}
}

/* Memory of `size` bytes with a page below that faults. */
static void *guarded(size_t size)
{
	char *p = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p, 4096, PROT_NONE);
	return p + 4096;
}

static void threads(void)
{
	static int tables[4][4096];
	pthread_t t[4];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], &attr, thread, tables[i]))
			exit(3);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

__attribute__((noinline)) static void go(void)
{
	swapcontext(&caller, &other);
}

static void step(void)
{
	threads();
	walk(table, 10000);
	raise(SIGUSR1);
	go();
}

__attribute__((noinline)) static void prepare(void)
{
	stack_t alternate = { .ss_sp = guarded(8192), .ss_size = 8192 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	getcontext(&other);
	other.uc_stack.ss_sp = guarded(16384);
	other.uc_stack.ss_size = 16384;
	other.uc_link = &caller;
	makecontext(&other, context, 0);
}

int main(void)
{
	prepare();
	for (int i = 0; i < 12; i++) {
		step();         /* PHASE */
	}
	printf("%ld %d\n", handled, table[17]);
	return 0;
}
