/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that a calibration times, apart from their callers so that
 * nothing of them is removed. */
#include "machine/kernels.h"

/* A debug build would measure its own instructions. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#ifdef __GNUC__
typedef uint64_t vector __attribute__((vector_size(16), may_alias));
#define VECTOR(v) { (v), (v) }
#define FIRST(v) ((v)[0] + (v)[1])
#else
typedef uint64_t vector;
#define VECTOR(v) (v)
#define FIRST(v) (v)
#endif

enum { AT_ONCE = 4 };

uint64_t kernel_read(const char *p, size_t bytes)
{
	const vector *v = (const void *)p, *end = (const void *)(p + bytes);
	vector a = VECTOR(0), b = a, c = a, d = a;

	for (; v < end; v += AT_ONCE) {
		a ^= v[0];
		b ^= v[1];
		c ^= v[2];
		d ^= v[3];
	}
	a ^= b ^ c ^ d;
	return FIRST(a);
}

void kernel_write(char *p, size_t bytes, uint64_t value)
{
	vector *v = (void *)p, *end = (void *)(p + bytes);
	const vector x = VECTOR(value);

	for (; v < end; v += AT_ONCE) {
		v[0] = x;
		v[1] = x;
		v[2] = x;
		v[3] = x;
	}
}

uint64_t kernel_strided(const char *p, size_t step, size_t n)
{
	uint64_t sum = 0;

	for (; n >= AT_ONCE; n -= AT_ONCE, p += AT_ONCE * step)
		sum += *(const uint64_t *)p + *(const uint64_t *)(p + step)
			+ *(const uint64_t *)(p + 2 * step) + *(const uint64_t *)(p + 3 * step);
	for (; n; n--, p += step)
		sum += *(const uint64_t *)p;
	return sum;
}

void kernel_strided_store(char *p, size_t step, size_t n, uint64_t value)
{
	for (; n; n--, p += step)
		*(uint64_t *)p = value;
}

uint64_t kernel_gather(const uint64_t *base, const uint32_t *word, size_t n)
{
	uint64_t a = 0, b = 0;
	size_t i = 0;

	for (; i + 1 < n; i += 2) {
		a += base[word[i]];
		b += base[word[i + 1]];
	}
	return i < n ? a + b + base[word[i]] : a + b;
}

void kernel_store(uint64_t *base, const uint32_t *word, size_t n, uint64_t value)
{
	for (size_t i = 0; i < n; i++)
		base[word[i]] = value;
}

void *kernel_chase(void *p, size_t n)
{
	for (; n >= AT_ONCE; n -= AT_ONCE)
		p = ***(void ****)*(void **)p;
	for (; n; n--)
		p = *(void **)p;
	return p;
}

uint64_t kernel_chain(uint64_t x, size_t n)
{
	uint64_t y = x ^ 1;

	for (; n; n--) {
		x += y; y ^= x; x += y; y ^= x;
		x += y; y ^= x; x += y; y ^= x;
		x += y; y ^= x; x += y; y ^= x;
		x += y; y ^= x; x += y; y ^= x;
	}
	return x ^ y;
}

double kernel_additions(double x, size_t n)
{
	double sum = x;

	for (; n; n--) {
		sum += x; sum += x; sum += x; sum += x;
		sum += x; sum += x; sum += x; sum += x;
	}
	return sum;
}

void kernel_branches(const unsigned char *taken, size_t n, volatile uint64_t *sum)
{
	for (size_t i = 0; i < n; i++)
		if (taken[i])
			*sum += i;
}
