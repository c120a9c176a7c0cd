/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with an allocator of its own, which has neither malloc_usable_size() nor reallocarray(), and which
 * ends the process if it is given a block that is not its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARENA = 64 << 20, OURS = 0x51ab };
static _Alignas(16) char arena[ARENA];
static _Atomic size_t used;

struct head {
	size_t size, ours;
};

void *malloc(size_t size)
{
	const size_t bytes = (size + 15) / 16 * 16 + sizeof(struct head);
	const size_t at = atomic_fetch_add(&used, bytes);
	struct head *h = (struct head *)(void *)(arena + at);

	if (at + bytes > ARENA)
		return NULL;
	*h = (struct head){ size, OURS };
	return h + 1;
}

static struct head *head_of(void *block)
{
	struct head *h = (struct head *)block - 1;

	if ((uintptr_t)block - (uintptr_t)arena >= ARENA || h->ours != OURS)
		_exit(77);
	return h;
}

void free(void *block)
{
	if (block != NULL)
		(void)head_of(block);
}

void *calloc(size_t n, size_t size)
{
	void *block = malloc(n * size);

	return block == NULL ? NULL : memset(block, 0, n * size);
}

void *realloc(void *old, size_t size)
{
	void *block = malloc(size);

	if (old != NULL && block != NULL)
		memcpy(block, old, head_of(old)->size < size ? head_of(old)->size : size);
	return block;
}

static void *thread(void *sum)
{
	long *numbers = NULL;

	for (size_t n = 1; n < 3000; n += 100) {
		numbers = reallocarray(numbers, n, sizeof *numbers);
		for (size_t k = n > 100 ? n - 100 : 0; k < n; k++)
			numbers[k] = (long)k;
	}
	for (size_t k = 0; k < 2901; k++)
		*(long *)sum += numbers[k];
	free(numbers);
	return sum;
}

int main(void)
{
	pthread_t threads[4];
	long sums[4] = { 0 };
	char *line = NULL;

	for (int k = 0; k < 4; k++)
		pthread_create(&threads[k], NULL, thread, &sums[k]);
	for (int k = 0; k < 4; k++)
		pthread_join(threads[k], NULL);
	if (asprintf(&line, "%ld %ld", sums[0] + sums[1], sums[2] + sums[3]) > 0)
		puts(line);
	free(line);
	return 5;
}
