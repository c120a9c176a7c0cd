/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of matrices by two threads, and what programs do with large blocks: system calls, children, realloc.  It
 * prints what it finds, and ends with 3. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 400, BYTES = 4 << 20 };
static double *left, *right, *product;
static double fixed[N * N];             /* tracked where it is */
static int numbers[BYTES / sizeof(int)] = { 1, 2, 3 };

static void *multiply(void *argument)
{
	const long half = (long)argument;

	for (long i = half * N / 2; i < (half + 1) * N / 2; i++)
		for (long j = 0; j < N; j++)
			for (long k = 0; k < N; k++)
				product[i * N + j] += left[i * N + k] * right[k * N + j];
	return argument;
}

static void all_products(void)
{
	pthread_t thread[2];
	double sum = 0;

	left = malloc(N * N * sizeof *left);
	right = malloc(N * N * sizeof *right);
	product = calloc(N * N, sizeof *product);
	for (long i = 0; i < N * N; i++) {
		left[i] = (double)(i % 7);
		right[i] = (double)(i % 5);
	}
	for (int turn = 0; turn < 6; turn++) {
		for (long t = 0; t < 2; t++)
			pthread_create(&thread[t], NULL, multiply, (void *)t);
		for (int t = 0; t < 2; t++)
			pthread_join(thread[t], NULL);
	}
	for (long i = 0; i < N * N; i++)
		sum += product[i] * (double)(i % 11);
	printf("sum %.0f\n", sum);
}

static void fill(unsigned char *block, unsigned seed)
{
	for (unsigned i = 0; i < BYTES; i++)
		block[i] = (unsigned char)(i * 31 + seed + (i >> 12));
}

static const char *same(const unsigned char *block, unsigned seed)
{
	for (unsigned i = 0; i < BYTES; i++)
		if (block[i] != (unsigned char)(i * 31 + seed + (i >> 12)))
			return "no";
	return "yes";
}

static void children(unsigned char *block)
{
	int status = -1;
	pid_t child;

	fill(block, 1);
	child = fork();
	if (child == 0) {
		const int good = *same(block, 1) == 'y';

		fill(block, 2);
		_exit(good && *same(block, 2) == 'y' ? 4 : 5);
	}
	waitpid(child, &status, 0);
	printf("child %d, block %s\n", WEXITSTATUS(status), same(block, 1));
	fflush(stdout);
	if (system("echo system"))
		puts("no system");
}

static void calls(unsigned char *block, unsigned char *other)
{
	const struct iovec to = { other, BYTES }, from = { block, BYTES };
	const int file = open("pages.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int done;

	fill(block, 3);
	done = write(file, block, BYTES) == BYTES && pread(file, other, BYTES, 0) == BYTES;
	printf("write and read %d %s", done, same(other, 3));
	fill(block, 4);
	done = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == BYTES;
	printf(", copy %d %s\n", done, same(other, 4));
	close(file);
	unlink("pages.tmp");
}

/* Grows and shrinks over the limit of small blocks. */
static void resize(void)
{
	unsigned char *block = malloc(1000);
	int good = 1;

	memset(block, 9, 1000);
	for (size_t size = 1000; size < 20 << 20; size += size / 2)
		block = realloc(block, size);
	for (size_t size = 20 << 20; size > 1000; size /= 3)
		block = realloc(block, size);
	for (int i = 0; i < 1000; i++)
		good &= block[i] == 9;
	printf("realloc %d\n", good);
	free(block);
}

/* Comes, is used and goes between two looks at the heap. */
static void brief(void)
{
	unsigned char *passing = malloc(BYTES / 4);

	memset(passing, 5, BYTES / 4);
	printf("brief %d\n", passing[BYTES / 8]);
	free(passing);
}

/* One block after the other. */
static void in_turn(void)
{
	unsigned char *early = malloc(BYTES), *late = malloc(BYTES);
	const char *good;

	fill(early, 8);
	good = same(early, 8);
	fill(late, 9);
	printf("in turn %s %s\n", good, same(late, 9));
	free(early);
	free(late);
}

/* Memory of malloc's that is not needed reads as 0. */
static void advise(unsigned char *block)
{
	int zero = 1;

	memset(block, 7, BYTES);
	printf("advice %d", madvise(block, BYTES, MADV_DONTNEED));
	for (int i = 0; i < BYTES; i++)
		zero &= block[i] == 0;
	printf(" %d\n", zero);
}

/* Data that go around the kernel's cache of files. */
static void direct(unsigned char *block, unsigned char *other)
{
	const int file = open("pages.direct", O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0600);
	int good = file < 0;

	fill(block, 6);
	if (file >= 0)
		good = write(file, block, BYTES) == BYTES &&
			pread(file, other, BYTES, 0) == BYTES && *same(other, 6) == 'y';
	printf("direct %d\n", good);
	close(file);
	unlink("pages.direct");
}

static void variables(void)
{
	int status = -1, sum = 0;
	pid_t child;

	for (int i = 0; i < N * N; i++)
		fixed[i] = i;
	for (unsigned i = 3; i < BYTES / sizeof(int); i++)
		numbers[i] = (int)i % 10;
	child = fork();
	if (child == 0) {
		const int good = fixed[N] == N && numbers[1] == 2 && numbers[1009] == 9;

		fixed[N] = numbers[1] = 0;
		_exit(good ? 6 : 7);
	}
	waitpid(child, &status, 0);
	for (unsigned i = 0; i < BYTES / sizeof(int); i++)
		sum += numbers[i];
	printf("variables %d %d %g\n", WEXITSTATUS(status), sum, fixed[N] + fixed[N * N - 1]);
}

static unsigned char *map_bytes(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* What a program may do to its mappings. */
static void mappings(void)
{
	unsigned char *arena = map_bytes(BYTES), *place = map_bytes(2 * BYTES);
	int status = -1, zero = 1;
	pid_t child;

	fill(arena, 7);
	child = fork();
	if (child == 0) {
		const int good = *same(arena, 7) == 'y';

		munmap(arena, BYTES);
		_exit(good && map_bytes(BYTES)[BYTES / 2] == 0 ? 8 : 9);
	}
	waitpid(child, &status, 0);
	printf("mapping %d", WEXITSTATUS(status));
	arena = mremap(arena, BYTES, 3 * BYTES, MREMAP_MAYMOVE);
	printf(", larger %s %d", same(arena, 7), arena[3 * BYTES - 1]);
	munmap(arena + BYTES, 2 * BYTES);
	arena = mremap(arena, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, place + BYTES);
	printf(", moved %s", same(place + BYTES, 7));
	mprotect(place, 4096, PROT_NONE);
	mmap(place, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	place[0] = 1;
	for (int i = 1; i < BYTES; i++)
		zero &= place[i] == 0;
	printf(", fixed %d\n", zero);
	munmap(place, 2 * BYTES);
}

int main(void)
{
	unsigned char *block = malloc(BYTES), *other = aligned_alloc(4096, BYTES);

	all_products();
	printf("aligned %d\n", (uintptr_t)other % 4096 == 0);
	children(block);
	calls(block, other);
	direct(other, aligned_alloc(4096, BYTES));
	variables();
	mappings();
	resize();
	brief();
	in_turn();
	advise(other);
	free(block);
	free(other);
	return 3;
}
