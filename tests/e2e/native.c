/* SPDX-License-Identifier: BSD-3-Clause */
/* Small functions whose loops could be the phase: brief ones, of which one never enters its loop; one whose entries
 * are long, its iterations brief; and one into which GCC inlines the phase.  Prints which version of each runs at the end: a letter for each place that
 * called letter(), in the order in which these were first seen.
 * With -DUNINSTRUMENTED, the other file: a user of its return address has its callers in one version. */
#include <stdint.h>
#include <stdio.h>

char letter(char *seen);

#ifdef UNINSTRUMENTED
/* Of the code that calls it, among those that passed the same list: what was first seen is 'a'. */
char letter(char *list)
{
	static uintptr_t from[3][8];
	static char *lists[3];
	uintptr_t at = (uintptr_t)__builtin_return_address(0);
	int k = 0, i = 0;

	while (lists[k] && lists[k] != list)
		k++;
	lists[k] = list;
	while (i < 7 && from[k][i] && from[k][i] != at)
		i++;
	from[k][i] = at;
	return (char)('a' + i);
}
#else
enum { STEPS = 400, CALLS = 3000, SELDOM = 20, ITERATIONS = 4000000 };
static double data[32];
static char lists[3];
static volatile int never;

__attribute__((noinline)) double brief(int k, char *version)
{
	double s = 0;

	for (int i = 0; i < 4; i++)             /* a candidate: the outer loop of a nest */
		for (int j = 0; j < 4; j++)
			s += data[i + j] * k;
	*version = letter(&lists[0]);
	return s;
}

__attribute__((noinline)) double rare(int k, char *version)
{
	double s = k;

	if (never)
		for (int i = 0; i < 4; i++)     /* another one, not entered */
			for (int j = 0; j < 4; j++)
				s += data[i + j] * k;
	*version = letter(&lists[1]);
	return s;
}

__attribute__((noinline)) double lengthy(int k, char *version)
{
	double s = 0;

	for (int i = 0; i < ITERATIONS; i++)
		for (int j = 0; j < 4; j++)
			s += data[(i + j) % 32] * k;
	*version = letter(&lists[2]);
	return s;
}

static char version[3];

static inline double step(int k)
{
	double s = k % SELDOM ? 0 : lengthy(k, &version[2]);

	for (int call = 0; call < CALLS; call++)
		s += brief(call, &version[0]) + rare(k, &version[1]);
	return s;
}

static inline double sweep(int from, int to)
{
	double s = 0;

	for (int k = from; k < to; k++)         /* the phase */
		s += step(k);
	return s;
}

/* Called in two places, so that it is a function of its own. */
__attribute__((noinline)) double drive(int from)
{
	for (int i = 0; i < 32; i++)
		data[i] = i + never;
	return sweep(from, from + STEPS / 2);
}

int main(void)
{
	double s = drive(0);

	s += drive(STEPS / 2);
	printf("%c%c%c %g\n", version[0], version[1], version[2], s);
	return 0;
}
#endif
