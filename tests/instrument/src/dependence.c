/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose addresses depend on loaded values in all ways, or not.  The accesses that a test looks
 * at are on one line, with the kernel's name. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline))
enum { N = 64, MASK = 255 };

struct node {
	struct node *next;
	double value[16];
};

struct tree {
	struct tree *child[2];
	uint64_t key;
};

struct entry {
	struct entry *next;
	uint64_t key, value;
};

KERNEL double gather(const double *a, const uint32_t *index, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[index[i]];     /* gather */
	return sum;
}

KERNEL double twice(const double *a, const uint32_t *b, const uint32_t *c, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[b[c[i]]];      /* twice */
	return sum;
}

KERNEL void histogram(uint32_t *h, const uint32_t *index, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h[index[i]]++;          /* histogram */
}

KERNEL double list(const struct node *p, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++, p = p->next)     /* list-next */
		sum += p->value[0];     /* list */
	return sum;
}

/* The payload is read in a loop of its own. */
KERNEL double payload(const struct node *p, size_t n, int m)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < m; k++)
			sum += p->value[k] * k;     /* payload */
		p = p->next;            /* payload-next */
	}
	return sum;
}

KERNEL uint64_t search(const struct tree *root, const uint64_t *key, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t k = key[i];
		const struct tree *p = root;

		while (p) {
			found += p->key == k; p = p->child[p->key < k];    /* search */
		}
	}
	return found;
}

KERNEL uint64_t jump(const uint32_t *parent, const uint32_t *start, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t x = start[i];

		while (parent[x] != x)  /* jump */
			x = parent[x];
		sum += x;
	}
	return sum;
}

/* Open addressing: the next place to look at is known before this one is loaded. */
KERNEL uint64_t probe(const uint64_t *table, const uint64_t *key, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t k = key[i], h = (k * 0x9e3779b97f4a7c15u >> 20) & MASK, v;

		while ((v = table[h]) && v != k)    /* probe */
			h = (h + 1) & MASK;
		found += v == k;
	}
	return found;
}

KERNEL uint64_t chains(struct entry *const *bucket, const uint64_t *key, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t k = key[i];
		const struct entry *p = bucket[(k * 0x9e3779b97f4a7c15u >> 20) & MASK];

		while (p && p->key != k)
			p = p->next;    /* chains */
		found += p ? p->value : 0;     /* chains-end */
	}
	return found;
}

KERNEL size_t bisect(const uint64_t *a, size_t n, const uint64_t *key, size_t m)
{
	size_t sum = 0;

	for (size_t i = 0; i < m; i++) {
		size_t low = 0, high = n;
		uint64_t k = key[i];

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (a[middle] < k)      /* bisect */
				low = middle + 1;
			else
				high = middle;
		}
		sum += low;
	}
	return sum;
}

KERNEL void merge(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i = 0, j = 0;

	for (size_t k = 0; k < 2 * n - 1; k++)
		if (j >= n || (i < n && a[i] <= b[j]))  /* merge */
			out[k] = a[i++];
		else
			out[k] = b[j++];
}

/* A sum over a tree by a function that calls itself. */
KERNEL uint64_t recursion(const struct tree *p)
{
	if (!p)
		return 0;
	return p->key + recursion(p->child[0]) * recursion(p->child[1]);  /* recursion */
}

/* Not a chain: the index of the next iteration is computed, whatever was loaded. */
KERNEL double hashed(const double *a, size_t n)
{
	uint32_t x = 1;
	double sum = 0;

	for (size_t i = 0; i < n; i++, x = x * 1664525u + 1013904223u)
		sum += a[x >> 24];      /* hashed */
	return sum;
}

/* The chain ends before the loop begins: its accesses are independent. */
KERNEL double behind(const struct node *p, size_t n, const uint32_t *index)
{
	const double *a;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		p = p->next;            /* behind-next */
	a = p->value;
	for (size_t i = 0; i < n; i++)
		sum += a[index[i] & 15];        /* behind */
	return sum;
}

static struct node nodes[N];
static struct tree trees[N];
static struct entry entries[N], *buckets[MASK + 1];
static uint64_t table[MASK + 1], keys[N], merged[2 * N];
static uint32_t index_of[N], parents[N], counts[N];
static double values[MASK + 1];

static void fill(void)
{
	for (uint32_t i = 0; i < N; i++) {
		uint64_t h;

		keys[i] = i * 16;
		h = (keys[i] * 0x9e3779b97f4a7c15u >> 20) & MASK;
		nodes[i].next = &nodes[(i * 7 + 1) % N];
		trees[i].key = keys[i];
		trees[i].child[0] = 2 * i + 1 < N ? &trees[2 * i + 1] : NULL;
		trees[i].child[1] = 2 * i + 2 < N ? &trees[2 * i + 2] : NULL;
		entries[i] = (struct entry){ buckets[h], keys[i], 1 };
		buckets[h] = &entries[i];
		index_of[i] = i * 29 % N;
		parents[i] = i / 2;
		while (table[h])
			h = (h + 1) & MASK;
		table[h] = keys[i];
	}
}

int main(void)
{
	double sum = 0;
	uint64_t found = 0;

	fill();
	sum += gather(values, index_of, N) + twice(values, index_of, counts, N);
	histogram(counts, index_of, N);
	sum += list(nodes, N) + payload(nodes, N, 16) + hashed(values, N) + behind(nodes, N, index_of);
	found += search(trees, keys, N) + jump(parents, index_of, N) + probe(table, keys, N);
	found += chains(buckets, keys, N) + bisect(keys, N, keys, N) + recursion(trees);
	merge(merged, keys, keys, N);
	printf("%g %d\n", sum, (int)(found + merged[N]));
	return 0;
}
