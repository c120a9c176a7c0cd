/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops made of goto: backward, with two entries (irreducible), and a state machine by switch.
 *
 * back: 8192 elements, once.  twice: two entries into one loop, together 4096 + 2048 elements.
 * tape: a state each, 8192 steps.  All are streamed; all of them together fit in level 2.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 8192 };
static int back[N] ON_PAGE, twice[N] ON_PAGE;
static unsigned char tape[N] ON_PAGE;
static int sum;

static KERNEL int backward(const int *p, int n)
{
	int i = 0, s = 0;

again:
	s ^= p[i] + i;
	if (++i < n)
		goto again;
	return s;
}

static KERNEL int two_entries(const int *p, int from, int n)
{
	int i = from, s = 1;

	if (from & 1)
		goto middle;
top:
	s = s * 3 & 0xffff;
middle:
	s += p[i++];
	if (i < n)
		goto top;
	return s;
}

static KERNEL int machine(const unsigned char *p)
{
	int state = 0;

	for (int i = 0; i < N; i++)
		switch (state) {
		case 0: state = p[i] & 1 ? 1 : 2; break;
		case 1: state = p[i] & 2 ? 0 : 2; break;
		default: state = p[i] & 4 ? 1 : 0;
		}
	return state;
}

static KERNEL void step(void)
{
	sum = backward(back, N) + two_entries(twice, 0, N / 2) + two_entries(twice, N / 4 + 1, N / 2 + 1) +
		machine(tape);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		back[i] = i, twice[i] = i % 5, tape[i] = (unsigned char)(i * 37 >> 3);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d\n", sum);
	printf("expect back bytes = %d\n", N * 4);
	printf("expect twice loads = %d at O0 O2 lto\n", N / 2 + N / 4);
	printf("expect tape loads = %d at O0 O2 lto\n", N);
	printf("expect back load_miss 1 = %d\n", N / 16);
	printf("expect tape load_miss 1 = %d\n", N / LINE);
	printf("expect total miss 2 = 0\n");
	return 0;
}
