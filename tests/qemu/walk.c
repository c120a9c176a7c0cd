/* SPDX-License-Identifier: BSD-3-Clause */
/* Two loops with the same number of accesses: one walks over 2048 pages, the other stays on one page. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 2048, STRIDE = 8, OTHERS = 256 };

static char *map_pages(size_t n)
{
	char *p = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, n * PAGE, MADV_NOHUGEPAGE))
		exit(3);
	for (size_t i = 0; i < n; i++)
		p[i * PAGE] = 1;
	return p;
}

__attribute__((noinline)) static long walk(const volatile char *p)
{
	long s = 0;

	for (long i = 0; i < PAGES * PAGE; i += STRIDE)
		s += p[i];
	return s;
}

__attribute__((noinline)) static long stay(const volatile char *p)
{
	long s = 0;

	for (long i = 0; i < PAGES * PAGE; i += STRIDE)
		s += p[i % PAGE];
	return s;
}

/* Changes the rights of many pages: the kernel empties the TLB. */
static void empty_tlb(char *others)
{
	if (mprotect(others, (size_t)OTHERS * PAGE, PROT_READ) ||
	    mprotect(others, (size_t)OTHERS * PAGE, PROT_READ | PROT_WRITE))
		exit(3);
	others[0] = 1;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	char *pages = map_pages(PAGES), *others = map_pages(OTHERS);
	long s = 0;

	for (int step = 0; step < steps; step++) {      /* the phase */
		empty_tlb(others);
		s += walk(pages);
		s += stay(pages);
	}
	printf("%ld\n", s);
	return 0;
}
