/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer's handler that is recorded interrupts what is recorded, wherever it is: in the midst of a
 * record, of the monitor, of itself.
 *
 * A step goes ROUNDS times through the circle of all elements of data, eight to a record, and ends when the handler has done its work
 * TICKS times: each time it reads hand, 64 integers, and its helper adds to marks.  (It returns at
 * once from then on.)  The other signal, which the handler raises itself, interrupts the handler: it reads
 * nested, 8 integers.  Nothing of all this is lost, or belongs to anything else.
 * corpus: machine=small levels=O0,O2,O3 lto */
#include <signal.h>
#include <sys/time.h>
#include "corpus.h"

enum { N = 4096, ROUNDS = 128, TICKS = 160, HAND = 64, NESTED = 8 };
static int data[N] ON_PAGE, hand[HAND] ON_PAGE, marks[16] ON_PAGE, nested[NESTED] ON_PAGE;
static volatile int sum, sum_hand, sum_nested, ticks = TICKS;

static KERNEL void mark(int *m)
{
	for (int i = 0; i < 16; i++)
		m[i]++;
}

static KERNEL void inner(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	for (int i = 0; i < NESTED; i++)
		sum_nested += nested[i];
}

static KERNEL void handler(int number)
{
	(void)number;
	if (ticks >= TICKS)
		return;
	for (int i = 0; i < HAND / 2; i++)
		sum_hand += hand[i];
	raise(SIGUSR1);
	for (int i = HAND / 2; i < HAND; i++)
		sum_hand += hand[i];
	mark(marks);
	ticks++;
}

static KERNEL void step(void)
{
	int k = 0;

	ticks = 0;
	for (int i = 0; i < ROUNDS * N / 8; i++) {
		k = data[k];
		k = data[k];
		k = data[k];
		k = data[k];
		k = data[k];
		k = data[k];
		k = data[k];
		k = data[k];
	}
	sum = k;
	while (ticks < TICKS)
		;
}

int main(void)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction b = { .sa_sigaction = inner, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };

	for (int i = 0; i < N; i++)
		data[i] = (i * 5 + 1) % N;
	for (int i = 0; i < HAND; i++)
		hand[i] = i;
	for (int i = 0; i < NESTED; i++)
		nested[i] = i;
	sigaction(SIGALRM, &a, NULL);
	sigaction(SIGUSR1, &b, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d %d %d %d\n", sum, sum_hand, sum_nested, marks[7]);
	printf("expect data bytes = %d\n", 4 * ROUNDS * N);
	printf("expect data loads = %d\n", ROUNDS * N);
	printf("expect data stores = 0\n");
	printf("expect hand bytes = %d\n", 4 * TICKS * HAND);
	printf("expect hand stores = 0\n");
	printf("expect nested bytes = %d\n", 4 * TICKS * NESTED);
	printf("expect marks bytes = %d\n", 2 * 4 * TICKS * 16);
	printf("expect (heap) bytes = 0\n");
	return 0;
}
