/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that never return, but would return an object that cannot be copied as bytes, or a plain one.
 * flags: -O0
 * flags: -O2
 * flags: -O3 -fno-inline
 * all: GCC finds what never returns by itself from -O1 on */
#include <cstdio>
#include <stdexcept>

static int alive;

struct counted {
	long *data;
	counted() : data(new long(1)) { alive++; }
	counted(const counted &o) : data(new long(*o.data)) { alive++; }
	~counted() { delete data; alive--; }
};
struct plain { long a[9]; };

struct source {
	long n[50];
	__attribute__((noinline)) counted refuse(int k) const;
	__attribute__((noinline)) plain refuse_plain(int k) const;
	[[noreturn]] __attribute__((noinline)) counted leave(int k) const;
};

counted source::refuse(int k) const
{
	for (long i : n)
		k += (int)i;
	throw std::runtime_error(k & 1 ? "odd" : "even");
}

plain source::refuse_plain(int k) const
{
	throw (int)n[k];
}

counted source::leave(int k) const
{
	throw n[k];
}

static long step(const source &s, int k)
{
	long sum = 0;

	try {
		counted c = s.refuse(k);
		sum += *c.data;
	} catch (const std::runtime_error &e) {
		sum += e.what()[0];
	}
	try {
		counted c = s.leave(k);
		sum += *c.data;
	} catch (long n) {
		sum += n;
	}
	try {
		sum += s.refuse_plain(k).a[3];
	} catch (int n) {
		sum += n;
	}
	return sum;
}

int main()
{
	source s;
	long sum = 0;

	for (int i = 0; i < 50; i++)
		s.n[i] = i * i;
	for (int k = 0; k < 40; k++) // PHASE
		sum += step(s, k);
	std::printf("%ld %d\n", sum, alive);
}
