/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of all kinds.  A comment names the region that begins on its line: function, type, and for a loop how many
 * loops it is in, itself counted. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, COLUMNS = 200 };
static double mat[ROWS][COLUMNS], out[ROWS];
static int next_of[ROWS];

__attribute__((noinline)) static double nest(int n)             /* region: nest function */
{
	double s = 0;

	for (int j = 0; j < n; j++)                             /* region: nest loop 1 */
		for (int i = 0; i < ROWS; i++)                  /* region: nest loop 2 */
			s += mat[i][j] * out[i];
	return s;
}

/* Put into main by every compiler that optimises. */
static inline __attribute__((always_inline)) void scale(double by)      /* region: scale function */
{
	for (int i = 0; i < ROWS; i++)                          /* region: scale loop 1 */
		out[i] = out[i] * by + mat[i][0];
}

/* Without a loop: part of where it is called. */
static inline __attribute__((always_inline)) int follow(int i)
{
	return next_of[i] ^ 1;
}

__attribute__((noinline)) static int chase(int i)               /* region: chase function */
{
	int n = 0;

	do {
		i = next_of[i];                                 /* region: chase loop 1 */
		n += i & 3;
	} while (i);
	return n;
}

__attribute__((noinline)) static int choose(const char *s)      /* region: choose function */
{
	int n = 0;

	while (*s) {                                            /* region: choose loop 1 */
		switch (*s++) {
		case 'a': n += 3; break;
		case 'b': n ^= 5; break;
		case 'c': n *= 7; break;
		case 'd': n -= 11; break;
		case 'e': n |= 64; break;
		case 'f': n = -n; break;
		default: n++;
		}
	}
	return n;
}

int main(int argc, char **argv)                                 /* region: main function */
{
	double s = 0;
	int n = 0;

	for (int i = 0; i < ROWS; i++) {                        /* region: main loop 1 */
		out[i] = i * argc;
		next_of[i] = (i * 7 + 1) % ROWS;
		for (int j = 0; j < COLUMNS; j++)               /* region: main loop 2 */
			mat[i][j] = rand() % 10;
	}
	next_of[ROWS - 1] = 0;
	for (int k = 0; k < argc + 10; k++) {                   /* region: main loop 1 */
		scale(s);
		s += nest(COLUMNS);
		n += follow(k) + (argc > 1 ? chase(k) : 0);
	}
	printf("%g %d %d\n", s, n, choose(argv[0]));
	return 0;
}
