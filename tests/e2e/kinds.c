/* SPDX-License-Identifier: BSD-3-Clause */
/* For kinds.sh: misses whose causes are known by construction, on the model x86-server (a second level of 512 KiB).
 * "beside":
 *   beside_0 .. beside_8  nine arrays that begin at one offset in a page, one more than the nearest level has
 *                         ways, eight times: conflicts
 * "matrices":
 *   table   a matrix of 192 rows of 4 KiB, walked down its columns: the lines of a column take 12 KiB, in one set
 *           of the nearest level: conflicts
 *   wider   the same with rows longer by a line: the lines of a column fill all sets, and stay
 * "blocks":
 *   swept   eight times from front to back, four times the second level: capacity
 *   blocked the same work in blocks of a quarter of the second level, four times the nearest: capacity, there
 * "once":
 *   once    one time in a step, longer than the last level: neither */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	N = 2048, ROWS = 192, COLUMNS = 512, WIDER = COLUMNS + 8, SWEPT = 2 << 20, BLOCK = 128 << 10, ONCE = 48 << 20,
	PASSES = 8
};
#define PAGE __attribute__((aligned(4096)))

static double beside_0[N] PAGE, beside_1[N] PAGE, beside_2[N] PAGE, beside_3[N] PAGE, beside_4[N] PAGE,
	beside_5[N] PAGE, beside_6[N] PAGE, beside_7[N] PAGE, beside_8[N] PAGE;
static double table[ROWS][COLUMNS] PAGE, wider[ROWS][WIDER] PAGE;

__attribute__((noinline)) static double nine(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += beside_0[i] + beside_1[i] + beside_2[i] + beside_3[i] + beside_4[i] + beside_5[i] + beside_6[i] +
			beside_7[i] + beside_8[i];
	return s;
}

__attribute__((noinline)) static double columns(const double *matrix, int length)
{
	double s = 0;

	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
			s += matrix[i * length + j];
	return s;
}

__attribute__((noinline)) static double sum(const double *p, size_t bytes)
{
	double s = 0;

	for (size_t i = 0; i < bytes / sizeof *p; i++)
		s += p[i];
	return s;
}

static double blocks(const double *p)
{
	double s = 0;

	for (size_t b = 0; b < SWEPT; b += BLOCK)
		for (int pass = 0; pass < PASSES; pass++)
			s += sum(p + b / sizeof *p, BLOCK);
	return s;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	double *swept = calloc(1, SWEPT), *blocked = calloc(1, SWEPT), *once = calloc(1, ONCE), s = 0;

	if (!swept || !blocked || !once)
		return 1;
	for (int step = 0; step < 12; step++) { /* the phase */
		for (int pass = 0; pass < PASSES && !strcmp(what, "beside"); pass++)
			s += nine();
		if (!strcmp(what, "matrices")) {
			s += columns(&table[0][0], COLUMNS);
			s += columns(&wider[0][0], WIDER);
		}
		for (int pass = 0; pass < PASSES && !strcmp(what, "blocks"); pass++)
			s += sum(swept, SWEPT);
		if (!strcmp(what, "blocks"))
			s += blocks(blocked);
		if (!strcmp(what, "once"))
			s += sum(once, ONCE);
	}
	printf("%g\n", s);
	free(swept);
	free(blocked);
	free(once);
	return 0;
}
