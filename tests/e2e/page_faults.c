/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps whose memory is new each time.  What is allocated is used by itself, so that the compiler keeps it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, WORK = 1 << 21, LIST = 60000 };

static unsigned char kept[WORK];

static long fill(unsigned char *to, int k)
{
	long sum = 0;

	for (int i = 0; i < WORK; i += 64)
		to[i] = (unsigned char)(i + k);
	for (int i = 0; i < WORK; i += 4096)
		sum += to[i];
	return sum;
}

static long again(int k)
{
	unsigned char *work = malloc(WORK), *other = malloc(WORK);      /* again */
	long sum = work && other ? fill(work, k) + fill(other, k + 1) : 0;

	free(other);
	free(work);
	return sum;
}

/* Larger blocks by a constant, with a copy. */
static long grown(int k)
{
	int *list = NULL;
	size_t n = 0, room = 0;
	long sum = 0;

	for (int i = 0; i < LIST; i++) {
		if (n == room) {
			int *more = malloc((room += 512) * sizeof *more);       /* grown */

			if (!more)
				abort();
			if (n)
				memcpy(more, list, n * sizeof *more);
			free(list);
			list = more;
		}
		list[n++] = i ^ k;
	}
	for (size_t i = 0; i < n; i += 100)
		sum += list[i];
	free(list);
	return sum;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long sum = 0;

	for (int k = 0; k < STEPS; k++)         /* phase */
		sum += strcmp(what, "again") == 0 ? again(k) : strcmp(what, "grown") == 0 ? grown(k) : fill(kept, k);
	printf("%ld\n", sum);
	return 0;
}
