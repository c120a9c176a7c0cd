/* SPDX-License-Identifier: BSD-3-Clause */
/* tried_pages STEPS [fork|free|threads|still]: sums words of a table of 8 MiB in each step, and changes some.
 *   fork: in every 20th step a child prints nothing and ends     free: the table is allocated anew in the middle
 *   threads: a second thread writes to the table meanwhile       still: the last step waits for a file named "end"
 * Prints the sums, how much of its memory is in large pages, and how many CPUs it may use: none depends on a trial. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 8 << 20, WORDS = BYTES / 8, LOOKS = 20000, PART = WORDS / 2 };

static uint64_t *table;
static atomic_int over;
static _Atomic uint64_t written;

static void allocate(void)
{
	free(table);
	table = aligned_alloc(2 << 20, BYTES);
	if (!table)
		exit(1);
	/* The same on machines that give large pages to all. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (size_t i = 0; i < WORDS; i++)
		table[i] = i;
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

static uint64_t __attribute__((noinline)) step(uint64_t *t, uint64_t at)
{
	uint64_t sum = 0;

	for (int i = 0; i < LOOKS; i++) {
		at = at * UINT64_C(6364136223846793005) + 1442695040888963407u;
		sum += t[at >> 20 & (PART - 1)]++;
	}
	return sum;
}

/* Counts up words of the other half, round after round. */
static void *write_words(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; !atomic_load(&over); i++) {
		table[PART + i % PART]++;
		atomic_store(&written, i + 1);
	}
	return NULL;
}

static int number_in(const char *path, const char *key)
{
	char line[512];
	FILE *f = fopen(path, "r");
	int n = 0;

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, key, strlen(key)))
			n = atoi(line + strlen(key));
	if (f)
		fclose(f);
	return n;
}

static int cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

/* Is each increment of the writer there? */
static uint64_t lost(void)
{
	uint64_t sum = 0, had = 0;

	for (uint64_t i = PART; i < WORDS; i++) {
		sum += table[i];
		had += i;
	}
	return had + atomic_load(&written) - sum;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 100;
	const char *mode = argc > 2 ? argv[2] : "";
	uint64_t sum = 0;
	pthread_t writer;
	const int threads = !strcmp(mode, "threads") &&
		!(allocate(), pthread_create(&writer, NULL, write_words, NULL));

	if (!threads)
		allocate();
	for (int i = 0; i < steps; i++) { /* the steps */
		sum += step(table, (uint64_t)i);
		if (!strcmp(mode, "free") && i == steps / 2)
			allocate();
		if (!strcmp(mode, "fork") && i % 20 == 19 && !fork())
			_exit(0);
		while (!strcmp(mode, "still") && i == steps - 1 && access("end", F_OK))
			usleep(10000);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	if (threads) {
		atomic_store(&over, 1);
		pthread_join(writer, NULL);
	}
	printf("sum %llu, %llu writes lost, %d kB in large pages, %d CPUs\n",
		(unsigned long long)sum, (unsigned long long)lost(),
		number_in("/proc/self/smaps_rollup", "AnonHugePages:"), cpus());
	return 7;
}
