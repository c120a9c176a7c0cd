/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions with names of the C library's that mean something else, or count: nobody else calls them.
 * flags: -O2 -fno-builtin -fno-tree-loop-distribute-patterns
 * flags: -O2 -fno-builtin -fno-tree-loop-distribute-patterns -static
 * all: two ways to link
 * without: record switched (the stub monitor calls them) */
#include <stddef.h>
#include <stdio.h>

static long calls;
static volatile char text[1000], copy[1000];

int connect(int a) { calls += a; return -1; }
int socket(int a) { calls += a; return -1; }
int open(int a) { calls += a; return -1; }
int getpid(void) { return (int)calls++; }
int madvise(int a) { calls += a; return -1; }
long syscall(long a) { calls += a; return -1; }

char *strcpy(char *to, const char *from)
{
	size_t n = 0;

	while ((to[n] = from[n]))
		n++;
	calls++;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	while (n--)
		*t++ = *f++;
	calls++;
	return to;
}

void *memset(void *at, int value, size_t n)
{
	char *a = at;

	while (n--)
		*a++ = (char)value;
	calls++;
	return at;
}

__attribute__((noinline)) static long step(int k)
{
	long sum = 0;

	memset((char *)text, k, sizeof text - (size_t)k);
	memcpy((char *)copy, (char *)text, sizeof text - (size_t)k);
	for (size_t i = 0; i < sizeof copy; i++)
		sum += copy[i];
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int k = 1; k < 60; k++) /* PHASE */
		sum += step(k);
	strcpy((char *)copy, "a text");
	connect(1);
	socket(2);
	open(3);
	madvise(4);
	syscall(5);
	getpid();
	printf("%ld %ld %s\n", sum, calls, (const char *)copy);
	return 0;
}
