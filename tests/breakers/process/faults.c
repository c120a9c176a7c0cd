/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults that a handler repairs: it interrupts its thread between two accesses, and works on memory.
 * without: switched (the stub may begin to record in a handler, while the interrupted code writes a record)
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 64, N = 512 };
static int *memory, table[N], other[N];
static size_t page, words;
static long faults;

__attribute__((noinline)) static void work(int n)
{
	for (int i = 0; i < n; i++)
		table[i * 17 % N] += other[i];
}

/* The first access faults; the others have words in the same record. */
__attribute__((noinline)) static long sum(const int *p, const int *q, const int *r, int i)
{
	return (long)p[0] + q[i * 7 % N] + r[i * 11 % N] + q[i * 13 % N];
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	char *at = (char *)info->si_addr - (size_t)info->si_addr % page;

	(void)sig, (void)context;
	if (mprotect(at, page, PROT_READ | PROT_WRITE))
		_exit(3);
	work(20 + (int)(faults++ % 50));
	errno = saved;
}

static long step(int k)
{
	long all = 0;

	if (mprotect(memory, PAGES * page, PROT_NONE))
		exit(3);
	for (int i = 0; i < PAGES; i++)
		all += sum(memory + (size_t)i * words, other, table, i + k);
	return all;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	long all = 0;

	page = (size_t)sysconf(_SC_PAGESIZE);
	words = page / sizeof *memory;
	memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || sigaction(SIGSEGV, &action, NULL))
		return 3;
	for (size_t i = 0; i < PAGES * words; i++)
		memory[i] = (int)i;
	for (int i = 0; i < N; i++)
		other[i] = i;
	for (int i = 0; i < 20; i++) {
		all += step(i);         /* PHASE */
	}
	printf("%ld %ld\n", all, faults);
	return 0;
}
