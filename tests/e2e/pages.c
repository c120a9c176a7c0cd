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

	fill(block, 3);
	printf("write %d", write(file, block, BYTES) == BYTES);
	printf(", read %d %s", pread(file, other, BYTES, 0) == BYTES, same(other, 3));
	fill(block, 4);
	printf(", copy %d %s\n", process_vm_readv(getpid(), &to, 1, &from, 1, 0) == BYTES, same(other, 4));
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

int main(void)
{
	unsigned char *block = malloc(BYTES), *other = aligned_alloc(4096, BYTES);

	all_products();
	printf("aligned %d\n", (uintptr_t)other % 4096 == 0);
	children(block);
	calls(block, other);
	resize();
	advise(other);
	free(block);
	free(other);
	return 3;
}
