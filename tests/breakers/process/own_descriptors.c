/* SPDX-License-Identifier: BSD-3-Clause */
/* A daemon closes all descriptors, opens its own at 200 and above, and forks: the child reads from them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int a[5000];

static long work(int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += i;
		s += a[i * 5 % n];
	}
	return s;
}

static int child_reads(int descriptor)
{
	pid_t p = fork();
	int status;
	char c;

	if (p == 0)
		_exit(pread(descriptor, &c, 1, 0) != 1);
	return waitpid(p, &status, 0) == p && status == 0;
}

int main(void)
{
	int file, read = 0;
	long sum = 0;

	closefrom(3);
	file = open("/etc/passwd", O_RDONLY);
	for (int k = 200; k < 210; k++)
		dup2(file, k);
	for (int k = 200; k < 210; k++)
		read += child_reads(k);
	for (int i = 0; i < 20; i++) {
		sum += work(5000);      /* PHASE */
	}
	printf("%ld, %d of 10 descriptors read\n", sum, read);
	return read != 10;
}
