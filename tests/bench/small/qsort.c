/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's qsort() calls a function of ours for each comparison.
 * idle: bench=2000000 count=15000 time=1.15 instructions=1.15 */
#include <stdio.h>
#include <stdlib.h>

struct record {
	unsigned key;
	float weight;
};

static int by_key(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->weight > y->weight) - (x->weight < y->weight);
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? (size_t)atol(argv[1]) : 1200000;
	struct record *r = malloc(n * sizeof(*r));
	unsigned state = 7;

	if (!r)
		return 1;
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		r[i].key = state >> 10;
		r[i].weight = (float)(i % 17);
	}
	qsort(r, n, sizeof(*r), by_key);
	printf("%u %u %u\n", r[0].key, r[n / 2].key, r[n - 1].key);
	free(r);
	return 0;
}
