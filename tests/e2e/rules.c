/* SPDX-License-Identifier: BSD-3-Clause */
/* rules [FILE]: two heap blocks, a static array and a block without a whole page are summed in each
 * step.  The output is the sum; FILE gets the memory policy of each, as the kernel tells it, and
 * whether large pages are asked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 1 << 20, STEPS = 40 };

static double grid[N];
static double *data, *table;
static char *little;

static double __attribute__((noinline)) step(int s)
{
	double sum = 0;

	for (int i = 0; i < N; i += 8)
		sum += data[i] + table[i] + grid[i] + s + little[i % 512];
	return sum;
}

static int policy(const void *address)
{
	unsigned long nodes[16];
	int mode = -1;

	if (syscall(SYS_get_mempolicy, &mode, nodes, 1024ul, address, 2ul))
		return -1;
	return mode;
}

/* Has the mapping of the address the flag of MADV_HUGEPAGE? */
static int large(uintptr_t address)
{
	char line[512], flags[8];
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long lo, hi;
	int inside = 0, is = 0;

	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%lx-%lx %7s", &lo, &hi, flags) == 3)
			inside = address >= lo && address < hi;
		else if (inside && !strncmp(line, "VmFlags:", 8))
			is = strstr(line, " hg") != NULL;
	}
	if (f)
		fclose(f);
	return is;
}

int main(int argc, char **argv)
{
	double sum = 0;

	data = malloc(N * sizeof *data);
	table = calloc(N, sizeof *table);
	little = malloc(512);
	for (int i = 0; i < N; i++)
		data[i] = table[i] = grid[i] = i % 7;
	memset(little, 1, 512);
	for (int s = 0; s < STEPS; s++) /* the steps */
		sum += step(s);
	printf("%.0f\n", sum);
	if (argc > 1) {
		FILE *out = fopen(argv[1], "w");

		if (!out)
			return 1;
		fprintf(out, "data %d table %d grid %d large %d %d\n", policy(data + N / 2),
			policy(table + N / 2), policy(grid + N / 2),
				large((uintptr_t)(data + N / 2)),
			large((uintptr_t)(table + N / 2)));
		fclose(out);
	}
	return 0;
}
