/* SPDX-License-Identifier: BSD-3-Clause */
/* fork in the middle of a phase: the child walks over the same array and ends; only the parent's
 * accesses count.
 * corpus: machine=small */
#include <sys/wait.h>
#include <unistd.h>
#include "corpus.h"

enum { N = 16384 };
static int data[N] ON_PAGE;
static int sum;

static KERNEL int walk(void)
{
	int s = 0;

	for (int i = 0; i < N; i++)
		s += data[i] ^ i;
	return s & 127;
}

static KERNEL void step(void)
{
	int status = 0, want = walk();
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < 3; i++)
			want = walk();
		_exit(want);
	}
	waitpid(pid, &status, 0);
	sum += WIFEXITED(status) && WEXITSTATUS(status) == want;
	sum += 10 * (walk() == want);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		data[i] = i % 9;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d\n", sum);
	printf("expect data bytes = %d\n", 2 * N * 4);
	printf("expect data load_miss 1 = %d\n", 2 * N / 16);
	printf("expect data load_miss 2 = 0\n");
	return 0;
}
