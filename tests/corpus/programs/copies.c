/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy, memset and memmove: their bytes count as those of the loops they replace.
 *
 * from and to (512 KiB): a miss a line each.  cleared: as many bytes stored.  moved: memmove up by 8 bytes
 * within one array, hence from the end, reads and writes every line, which is fetched by the read; down the
 * same, down by 8 bytes and from the beginning.
 * odd: 1001 bytes make 126 references of at most 8.  Sizes that the compiler knows become plain accesses.
 * corpus: machine=small lto */
#include "corpus.h"

enum { BYTES = 2 * LEVEL2, ODD = 1001 };
static char from[BYTES] ON_LEVEL2, to[BYTES] ON_LEVEL2, cleared[BYTES] ON_LEVEL2, moved[BYTES] ON_LEVEL2;
static char down[BYTES] ON_LEVEL2;
static char odd[ODD] ON_PAGE, known[32] ON_PAGE;
static size_t bytes = BYTES, odd_bytes = ODD;

static KERNEL void step(void)
{
	for (size_t half = 0; half < 2; half++) {
		memcpy(to + half * bytes / 2, from + half * bytes / 2, bytes / 2);
		memset(cleared + half * bytes / 2, 7, bytes / 2);
	}
	memmove(moved + 8, moved, bytes - 8);
	memmove(down, down + 8, bytes - 8);
	memset(odd, 9, odd_bytes);
	memcpy(known, from + 64, sizeof known);
}

int main(void)
{
	for (int i = 0; i < BYTES; i++)
		from[i] = moved[i] = down[i] = (char)(i % 101);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d %d %d %d %d %d\n", to[12345], cleared[99], moved[4711], down[815], odd[1000], known[31]);
	printf("expect from loads in %d %d\n", BYTES / 8 + 1, BYTES / 8 + 4);
	printf("expect to stores = %d\n", BYTES / 8);
	printf("expect to bytes = %d\n", BYTES);
	printf("expect cleared stores = %d\n", BYTES / 8);
	printf("expect cleared bytes = %d\n", BYTES);
	printf("expect moved bytes = %d\n", 2 * (BYTES - 8));
	printf("expect odd stores = %d\n", (ODD + 7) / 8);
	printf("expect odd bytes = %d\n", ODD);
	printf("expect known bytes = 32\n");
	for (int level = 1; level <= 2; level++) {
		printf("expect from load_miss %d in %d %d\n", level, BYTES / LINE, BYTES / LINE + 1);
		printf("expect to store_miss %d = %d\n", level, BYTES / LINE);
		printf("expect cleared store_miss %d = %d\n", level, BYTES / LINE);
		printf("expect moved load_miss %d = %d\n", level, BYTES / LINE);
		printf("expect moved store_miss %d = 0\n", level);
		printf("expect down load_miss %d = %d\n", level, BYTES / LINE);
		printf("expect down store_miss %d = 0\n", level);
	}
	printf("expect odd miss 1 = %d\n", (ODD + 63) / 64);
	return 0;
}
