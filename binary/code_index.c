/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by the addresses of their code. */
#include "binary/internal.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
	const struct code_span *x = a, *y = b;

	if (x->span.low != y->span.low)
		return x->span.low < y->span.low ? -1 : 1;
	/* Of two functions with the same code (identical code folding) the first
	 * one in the file is taken. */
	return (x->code > y->code) - (x->code < y->code);
}

int code_index_make(struct arena *a, struct code_index *index)
{
	size_t n = 0;

	for (uint32_t i = 0; i < index->nall; i++)
		n += index->all[i].nspans;
	index->at = arena_array(a, n, sizeof *index->at);
	if (!index->at)
		return -1;
	index->n = 0;
	for (uint32_t i = 0; i < index->nall; i++)
		for (uint32_t k = 0; k < index->all[i].nspans; k++)
			index->at[index->n++] = (struct code_span){ index->all[i].spans[k],
				&index->all[i] };
	qsort(index->at, index->n, sizeof *index->at, by_address);
	return 0;
}

struct code_function *code_index_at(const struct code_index *index, uint64_t address)
{
	uint32_t low = 0, high = index->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (index->at[mid].span.low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	/* The first one of those that begin where the nearest one before does. */
	while (low > 1 && index->at[low - 2].span.low == index->at[low - 1].span.low)
		low--;
	return low && address < index->at[low - 1].span.high ? index->at[low - 1].code : NULL;
}
