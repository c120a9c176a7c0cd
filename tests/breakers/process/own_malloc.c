/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with an allocator of its own. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char heap[16 << 20] __attribute__((aligned(64)));
static size_t top;
static void *released[40];

static int class_of(size_t n)
{
	int c = 4;

	while (((size_t)1 << c) < n)
		c++;
	return c;
}

void *malloc(size_t n)
{
	int c = class_of(n + 16);
	char *p = released[c];

	if (p) {
		memcpy(&released[c], p, sizeof p);
	} else {
		p = heap + top;
		top += (size_t)1 << c;
		if (top > sizeof heap)
			return NULL;
	}
	memcpy(p, &c, sizeof c);
	return p + 16;
}

void free(void *block)
{
	char *p = block;
	int c;

	if (!p)
		return;
	p -= 16;
	memcpy(&c, p, sizeof c);
	memcpy(p, &released[c], sizeof p);
	released[c] = p;
}

void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : p;
}

void *realloc(void *block, size_t n)
{
	void *p = malloc(n);
	size_t old;
	int c;

	if (block && p) {
		memcpy(&c, (char *)block - 16, sizeof c);
		old = ((size_t)1 << c) - 16;
		memcpy(p, block, old < n ? old : n);
		free(block);
	}
	return p;
}

static long step(int i)
{
	char *v[200];
	long s = 0;

	for (int j = 0; j < 200; j++) {
		v[j] = malloc(100 + (size_t)j * i);
		memset(v[j], j, 100 + (size_t)j * i);
		v[j] = realloc(v[j], 300 + (size_t)j * i);
	}
	for (int j = 0; j < 200; j++) {
		s += v[j][j / 2];
		free(v[j]);
	}
	return s;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 25; i++) {
		sum += step(i);         /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
