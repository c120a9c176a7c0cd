/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that GCC knows by name, the program's own: they have versions as others do.
 * flags: -O2 -fno-tree-loop-distribute-patterns
 * flags: -O2 -fno-tree-loop-distribute-patterns -fno-inline
 * flags: -O0
 * all: what GCC makes of a call by such a name depends on them */
#include <stddef.h>
#include <stdio.h>

static volatile char from[1000], to[1000];
volatile int length = 900;

void *memcpy(void *a, const void *b, size_t n)
{
	char *x = a;
	const char *y = b;

	while (n-- != 0)
		*x++ = *y++;
	return a;
}

void *__memcpy_chk(void *a, const void *b, size_t n, size_t size)
{
	if (n > size)
		__builtin_abort();
	return memcpy(a, b, n);
}

void *memset(void *a, int value, size_t n)
{
	for (char *x = a; n-- != 0; x++)
		*x = (char)value;
	return a;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

int abs(int n)
{
	return n < 0 ? -n : n;
}

static long step(int k)
{
	long sum = 0;

	memset((char *)from, k + 1, (size_t)length);
	from[length] = 0;
	__builtin___memcpy_chk((char *)to, (char *)from, (size_t)(length - k), sizeof to);
	sum += (long)strlen((char *)from) + abs(-k);
	for (size_t i = 0; i < sizeof to; i++)
		sum += to[i];
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int k = 0; k < 60; k++) /* PHASE */
		sum += step(k);
	printf("%ld\n", sum);
	return 0;
}
