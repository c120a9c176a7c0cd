/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the simulator's tables, freed all at once. */
#ifndef PSC_TESTS_SIMULATE_BLOCKS_H
#define PSC_TESTS_SIMULATE_BLOCKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Large ones are the kernel's: little of them is used, and address sanitizers would mark all of
 * it. */
enum { BLOCK_LARGE = 1 << 20 };
static struct block { void *at; size_t mapped; } blocks[1 << 15];
static size_t nblocks;

/* Zeroed, at the beginning of a line. */
static void *block_get(size_t bytes)
{
	struct block *b = &blocks[nblocks++];

	assert_true(nblocks <= sizeof blocks / sizeof *blocks);
	if (bytes >= BLOCK_LARGE) {
		*b = (struct block){ mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), bytes };
		assert_ptr_not_equal(b->at, MAP_FAILED);
		return b->at;
	}
	*b = (struct block){ calloc(1, bytes + 64), 0 };
	assert_non_null(b->at);
	return (void *)(((uintptr_t)b->at + 63) & ~(uintptr_t)63);
}

static void blocks_free(void)
{
	while (nblocks) {
		struct block *b = &blocks[--nblocks];

		if (b->mapped)
			munmap(b->at, b->mapped);
		else
			free(b->at);
	}
}
#endif
