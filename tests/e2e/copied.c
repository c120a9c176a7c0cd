/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases for --verify, by argument; each execution of a phase changes what the program prints at its end.
 *   strided   reads big at a step of 136 bytes
 *   gather    reads table where index says
 *   heap      the same sum of an array from malloc()
 *   offsets   reads table at index_of less the loop's count: with other values it would read at wild addresses
 *   list      follows a list in scattered order
 *   leads     how much of table an execution sums up is decided by what the one before read in big
 *   until     a loop that ends when an element of big says so
 *   prints    prints in every execution
 *   file      writes to a mapped file, and to shared memory without a file
 *   between   a subroutine; waits for children and allocates between its executions */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The data is LARGE times as large as the smallest with which copies are timed. */
#ifndef LARGE
#define LARGE 1
#endif
enum {
	STEPS = 30, STEP = 17, BIG = LARGE << 20, NODES = LARGE << 14, TABLE = LARGE << 19, GATHERED = LARGE << 17,
	MAPPED = 1 << 16
};

struct node {
	struct node *next;
	long value[7];
};

static double big[BIG], table[TABLE];
static int index_of[GATHERED];
static struct node nodes[NODES];
static volatile sig_atomic_t children;

static void child_ended(int signal)
{
	(void)signal;
	children++;
}

static double strided(void) /* the phase of between */
{
	double s = 0;

	for (int j = 0; j < STEP; j++)
		for (int i = j; i < BIG; i += STEP)
			s += big[i];
	return s;
}

static double gather(void)
{
	double s = 0;

	for (int i = 0; i < GATHERED; i++)
		s += table[index_of[i]];
	return s;
}

static double heap(const double *some)
{
	double s = 0;

	for (int j = 0; j < STEP; j++)
		for (int i = j; i < BIG; i += STEP)
			s += some[i];
	return s;
}

static double offsets(void)
{
	double s = 0;

	for (long i = 0; i < GATHERED; i++)
		s += table[((long)index_of[i] - i) * TABLE];
	return s;
}

static double leads(void)
{
	static int n = TABLE;
	double s = 0;

	for (int i = 0; i < n; i++)
		s += table[i];
	s += strided();
	n = big[BIG / 2] > 9 ? TABLE : 8;
	return s;
}

static double until(void)
{
	double s = 0;

	for (big[BIG / 2] = -STEPS; big[BIG / 2] < 0; big[BIG / 2]++) /* the phase of until */
		s += strided();
	return s;
}

static void faulted(int signal)
{
	static const char text[] = "faulted\n";

	(void)signal;
	_exit(write(1, text, sizeof text - 1) < 0 ? 2 : 1);
}

static long list(void)
{
	long s = 0;

	for (const struct node *n = nodes; n; n = n->next)
		s += n->value[0];
	return s;
}

static void fill(void)
{
	static int order[NODES];
	unsigned x = 1;

	for (int i = 0; i < BIG; i++)
		big[i] = i % 10;
	for (int i = 0; i < TABLE; i++)
		table[i] = i % 10;
	for (int i = 0; i < GATHERED; i++) {
		x = x * 1664525 + 1013904223;
		index_of[i] = (int)((x >> 4) % TABLE);
	}
	for (int i = 0; i < NODES; i++)
		order[i] = i;
	for (int i = NODES - 1; i > 1; i--) {
		int k, o = order[i];

		x = x * 1664525 + 1013904223;
		k = 1 + (int)((x >> 4) % (unsigned)i);
		order[i] = order[k];
		order[k] = o;
	}
	for (int i = 0; i < NODES; i++) {
		nodes[order[i]].value[0] = i;
		nodes[order[i]].next = i + 1 < NODES ? &nodes[order[i + 1]] : NULL;
	}
}

static double file(void)
{
	int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
	long s = 0, *in, *none;

	if (fd < 0 || ftruncate(fd, MAPPED * sizeof *in))
		return -1;
	in = mmap(NULL, MAPPED * sizeof *in, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	none = mmap(NULL, MAPPED * sizeof *in, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (in == MAP_FAILED || none == MAP_FAILED)
		return -1;
	for (int step = 0; step < STEPS; step++) { /* the phase of file */
		for (int i = 0; i < MAPPED; i++) {
			in[i]++;
			none[i] += in[i];
		}
		s += (long)strided();
	}
	for (int i = 0; i < MAPPED; i++)
		s += in[i] + none[i];
	return (double)s;
}

static double between(void)
{
	double s = 0;

	signal(SIGCHLD, child_ended);
	for (int step = 0; step < STEPS; step++) {
		char *some = malloc(1 << 20);

		s += strided();
		if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
			s = -1e9;
		s += some != NULL;
		free(some);
	}
	return s;
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "";
	double s = 0;

	fill();
	if (!strcmp(which, "strided"))
		for (int step = 0; step < STEPS; step++) /* the phase of strided */
			s += strided();
	if (!strcmp(which, "gather"))
		for (int step = 0; step < STEPS; step++) /* the phase of gather */
			s += gather();
	if (!strcmp(which, "heap")) {
		double *some = malloc(BIG * sizeof *some);

		memcpy(some, big, BIG * sizeof *some);
		for (int step = 0; step < STEPS; step++) /* the phase of heap */
			s += heap(some);
		free(some);
	}
	if (!strcmp(which, "offsets")) {
		signal(SIGSEGV, faulted);
		for (int i = 0; i < GATHERED; i++)
			index_of[i] = i;
		for (int step = 0; step < STEPS; step++) /* the phase of offsets */
			s += offsets();
	}
	if (!strcmp(which, "list"))
		for (int step = 0; step < STEPS; step++) /* the phase of list */
			s += (double)list();
	big[BIG / 2] = 100;
	if (!strcmp(which, "leads"))
		for (int step = 0; step < STEPS; step++) /* the phase of leads */
			s += leads();
	if (!strcmp(which, "until"))
		s = until();
	if (!strcmp(which, "prints"))
		for (int step = 0; step < STEPS; step++) { /* the phase of prints */
			s += strided();
			printf("%d\n", step);
			fflush(stdout);
		}
	if (!strcmp(which, "file"))
		s = file();
	if (!strcmp(which, "between"))
		s = between();
	printf("%s %.0f, %d children\n", which, s, (int)children);
	return argc > 2 ? atoi(argv[2]) : 0;
}
