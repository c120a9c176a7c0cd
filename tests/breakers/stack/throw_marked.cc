/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions that pass through functions whose markers are in a version of their own: thrown below, caught above; over
 * destructors, function try blocks, rethrown, and out of recursion 3 000 deep.
 * flags: -O2
 * flags: -O0
 * flags: -O2 -flto
 */
#include <cstdio>
#include <stdexcept>

static int table[64];
static long alive, most, destroyed;

/* Stands on the stack; its destructor works. */
struct guard {
	int n;
	explicit guard(int n) : n(n) { most = ++alive > most ? alive : most; }
	~guard()
	{
		alive--;
		for (int i = 0; i < 3; i++)
			destroyed += table[(n + i) & 63];
	}
	guard(const guard &) = delete;
};

struct stop {
	long where;
};

/* Small, with its call in last place, which throws. */
__attribute__((noinline)) static long last(int n)
{
	table[n & 63]++;
	if (n % 3 == 0)
		throw stop{ n };
	if (n % 3 == 1)
		throw std::runtime_error("one");
	return n;
}

__attribute__((noinline)) static long pass(int n)
{
	if (table[n & 63] < 0)
		return 0;
	return last(n + 1);
}

/* Calls itself over an object with a destructor: no jump, and a landing pad. */
__attribute__((noinline)) static long nest(int n, int bottom)
{
	guard g(n);
	long s = 0;

	for (int i = 0; i < 2; i++)
		s += table[(n + i) & 63];
	if (n == 0)
		return s + pass(bottom);
	return nest(n - 1, bottom) + s;
}

/* Calls itself last. */
__attribute__((noinline)) static long slide(int n, int bottom, long s)
{
	for (int i = 0; i < 2; i++)
		s += table[(n + i) & 63];
	if (n == 0)
		return s + pass(bottom);
	return slide(n - 1, bottom, s);
}

__attribute__((noinline)) static long again(int n)
{
	guard g(n);

	try {
		return nest(5, n);
	} catch (const stop &e) {
		table[e.where & 63] += 2;
		throw;
	}
}

/* A function try block; what it returns, others hand on. */
struct holder {
	guard g;
	long value;
	holder(int n) try : g(n), value(nest(3, n)) {
	} catch (const std::exception &e) {
		table[e.what()[0] & 63]++;
	}
};

__attribute__((noinline)) static long hold(int n)
{
	holder h(n);

	return h.value;
}

/* Caught in the middle of a recursion, which goes on. */
__attribute__((noinline)) static long middle(int n)
{
	guard g(n);
	long s = 0;

	if (n == 0)
		return again(0);
	for (int i = 0; i < 2; i++)
		s += table[(n + i) & 63];
	try {
		s += n % 4 == 0 ? again(n) : middle(n - 1);
	} catch (const std::runtime_error &) {
		s += 100;
	}
	return s;
}

template <typename Function> static long caught(Function f)
{
	try {
		return f();
	} catch (const stop &e) {
		return -e.where;
	} catch (const std::exception &e) {
		return e.what()[0];
	}
}

int main()
{
	long sum = 0;

	for (int i = 0; i < 24; i++) {
		sum += caught([i] { return pass(i); });         /* PHASE */
		sum += caught([i] { return nest(3000, i); });
		sum += caught([i] { return slide(3000, i, 0); });
		sum += caught([i] { return again(i); });
		sum += caught([i] { return hold(i); });
		sum += caught([i] { return middle(i); });
	}
	printf("%ld %ld %ld %ld\n", sum, alive, most, destroyed);
	return 0;
}
