/* SPDX-License-Identifier: BSD-3-Clause */
/* A step calls a brief function, which calls another, many times.  Prints a letter for each step: which
 * version of the inner one ran, in the order in which versions were first seen.
 * With -DUNINSTRUMENTED, the other file: a user of its return address has its callers in one version. */
#include <stdint.h>
#include <stdio.h>

char letter(void);

#ifdef UNINSTRUMENTED
/* Of the code that calls it. */
char letter(void)
{
	static uintptr_t from[26];
	uintptr_t at = (uintptr_t)__builtin_return_address(0);
	int i = 0;

	while (i < 25 && from[i] && from[i] != at)
		i++;
	from[i] = at;
	return (char)('a' + i);
}
#else
enum { STEPS = 60, CALLS = 2000, N = 32 };
static double data[N];
static char seen[STEPS + 1];

__attribute__((noinline)) double inner(int k, char *version)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += data[i] * k;
	*version = letter();
	return s;
}

__attribute__((noinline)) double outer(int k, char *version)
{
	double s = 0;

	for (int i = 0; i < 2; i++)
		s += inner(k + i, version);
	return s;
}

int main(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		data[i] = i;
	for (int step = 0; step < STEPS; step++)        /* the phase */
		for (int call = 0; call < CALLS; call++)
			s += outer(call, &seen[step]);
	printf("%s %g\n", seen, s);
	return 0;
}
#endif
