/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in last place of functions whose result is a struct in registers, 400 000 deep: jumps at -O2.  Results in
 * memory, whose address the caller gives: GCC 12 makes no jumps of these calls, 20 000 deep.
 * flags: -O2
 * flags: -O3 -flto
 */
#include <stdio.h>

struct small { long a, b; };
struct pair { double x, y; };
struct mixed { long n; double x; };
struct large { long v[6]; };

static const long table[8] = { 2, 7, 1, 8, 2, 8, 1, 8 };

static struct small small_odd(long n, struct small s);
__attribute__((noinline)) static struct small small_even(long n, struct small s)
{
	if (n == 0)
		return s;
	for (int i = 0; i < 3; i++)
		s.a += table[(n + i) & 7];
	return small_odd(n - 1, s);
}

__attribute__((noinline)) static struct small small_odd(long n, struct small s)
{
	if (n == 0)
		return (struct small){ s.b, s.a };
	s.b ^= table[n & 7];
	return small_even(n - 1, s);
}

static struct pair pair_odd(long n, struct pair p);
__attribute__((noinline)) static struct pair pair_even(long n, struct pair p)
{
	if (n == 0)
		return p;
	for (int i = 0; i < 3; i++)
		p.x += table[(n + i) & 7];
	return pair_odd(n - 1, p);
}

__attribute__((noinline)) static struct pair pair_odd(long n, struct pair p)
{
	if (n == 0)
		return (struct pair){ p.y, p.x };
	p.y -= table[n & 7];
	return pair_even(n - 1, p);
}

static struct mixed mixed_odd(long n, const long *t, struct mixed m);
__attribute__((noinline)) static struct mixed mixed_even(long n, const long *t, struct mixed m)
{
	if (n == 0)
		return m;
	m.x += t[n & 7];
	return mixed_odd(n - 1, t, m);
}

__attribute__((noinline)) static struct mixed mixed_odd(long n, const long *t, struct mixed m)
{
	if (n == 0)
		return m;
	for (int i = 0; i < 3; i++)
		m.n += t[(n - i) & 7];
	return mixed_even(n - 1, t, m);
}

static struct large large_odd(long n, long x);
__attribute__((noinline)) static struct large large_even(long n, long x)
{
	if (n == 0) {
		struct large l;

		for (int i = 0; i < 6; i++)
			l.v[i] = x + table[i];
		return l;
	}
	for (int i = 0; i < 3; i++)
		x += table[(n + i) & 7];
	return large_odd(n - 1, x);
}

__attribute__((noinline)) static struct large large_odd(long n, long x)
{
	if (n == 0)
		return (struct large){ { x } };
	return large_even(n - 1, x ^ table[n & 7]);
}

int main(void)
{
	struct small s = { 1, 2 };
	struct pair p = { 1, 2 };
	struct mixed m = { 1, 2 };
	long sum = 0;

	for (int i = 0; i < 6; i++) {
		s = small_even(400000 + i, s);          /* PHASE */
		p = pair_even(400000 + i, p);
		m = mixed_even(400000 + i, table, m);
		sum += large_even(20000 + i, i).v[i];
	}
	printf("%ld %ld %g %g %ld %g %ld\n", s.a, s.b, p.x, p.y, m.n, m.x, sum);
	return 0;
}
