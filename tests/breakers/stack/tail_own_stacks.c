/* SPDX-License-Identifier: BSD-3-Clause */
/* A function calls itself last a million times on stacks that the program makes itself: of a thread, 256 KiB, with
 * readable memory exactly where a stack of the default size would end, or of four times that; and of a context, 64 KiB.
 * Natively it is a loop.
 * without: record switched (the stub never asks for jumps)
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE ((size_t)4096)
#define THREAD_STACK ((size_t)256 << 10)
#define CONTEXT_STACK ((size_t)64 << 10)

static double table[1000];

__attribute__((noinline)) static long total(long n, long sum)
{
	if (n == 0)
		return sum;
	for (int i = 0; i < 2; i++)
		sum += (long)table[(n + i) % 1000];
	return total(n - 1, sum + n);
}

static void *steps(void *arg)
{
	long *sum = arg;

	for (int i = 0; i < 6; i++)     /* PHASE */
		*sum += total(1000000, i);
	return NULL;
}

/* Memory with `bytes` readable at its end, none readable below but a page `far` bytes from the end. */
static char *stack_make(size_t bytes, size_t far)
{
	char *end = mmap(NULL, far + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (end == MAP_FAILED)
		abort();
	end += far + PAGE;
	if (mprotect(end - bytes, bytes, PROT_READ | PROT_WRITE) || mprotect(end - far, PAGE, PROT_READ))
		abort();
	return end - bytes;
}

static long in_thread(size_t far)
{
	pthread_attr_t attr;
	pthread_t t;
	long sum = 0;

	pthread_attr_init(&attr);
	if (pthread_attr_setstack(&attr, stack_make(THREAD_STACK, far), THREAD_STACK) ||
	    pthread_create(&t, &attr, steps, &sum))
		abort();
	pthread_join(t, NULL);
	return sum;
}

static long in_context_sum;

static void in_context(void)
{
	steps(&in_context_sum);
}

int main(void)
{
	ucontext_t here, there;
	pthread_attr_t attr;
	size_t now;
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		table[i] = i % 13;
	if (pthread_getattr_default_np(&attr))
		abort();
	pthread_attr_getstacksize(&attr, &now);
	steps(&sum);
	getcontext(&there);
	there.uc_stack.ss_sp = stack_make(CONTEXT_STACK, CONTEXT_STACK * 16);
	there.uc_stack.ss_size = CONTEXT_STACK;
	there.uc_link = &here;
	makecontext(&there, in_context, 0);
	swapcontext(&here, &there);
	printf("%ld %ld\n", sum, in_context_sum);
	printf("%ld %ld\n", in_thread(now), in_thread(4 * now));
	return 0;
}
