/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets memory in huge pages, and looks whether they are huge: the system promises nothing. */
#include "config.h"

#include "machine/huge_pages.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };        /* bytes: of x86; a multiple of what other processors need */

/* Bytes in huge pages of the mappings that overlap the memory, by the kernel's own word. */
static uint64_t huge_bytes(const char *at, size_t size)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	uint64_t begin, end, kib, huge = 0;
	bool ours = false;
	char line[512];

	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &begin, &end) == 2)
			ours = begin < (uintptr_t)at + size && end > (uintptr_t)at;
		else if (ours && sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1)
			huge += kib << 10;
	}
	if (f)
		fclose(f);
	return huge;
}

/* Touches the first huge page, looks at it, and then the others: without them, the rest would be
 * filled in vain. What else is in the mapping was there before. */
static bool touch_huge(char *at, size_t size)
{
	const uint64_t before = huge_bytes(at, size);

	memset(at, 1, HUGE);
	if (huge_bytes(at, size) - before < HUGE)
		return false;
	memset(at, 1, size);
	return huge_bytes(at, size) - before >= size / 10 * 9;
}

char *huge_pages(size_t size, char **mapping, size_t *mapped)
{
#ifdef MADV_HUGEPAGE
	const size_t whole = (size + HUGE - 1) / HUGE * HUGE, all = whole + HUGE;
	char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;

	if (p == MAP_FAILED)
		return NULL;
	at = p + (HUGE - (uintptr_t)p % HUGE) % HUGE;
	if (madvise(at, whole, MADV_HUGEPAGE) == 0 && touch_huge(at, whole)) {
		*mapping = p;
		*mapped = all;
		return at;
	}
	munmap(p, all);
#else
	(void)size;
	(void)mapping;
	(void)mapped;
#endif
	return NULL;
}

void huge_pages_free(char *mapping, size_t mapped)
{
	if (mapping)
		munmap(mapping, mapped);
}
