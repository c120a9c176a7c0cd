// SPDX-License-Identifier: BSD-3-Clause
// Arrays of a type with a destructor: new[] stores their number in front of them.  "expect" as in blocks.c.
#include <cstdio>

enum { N = 1000 };

struct Counted {
	double d = 0;
	~Counted() { if (d < 0) std::printf("%g\n", d); }
};
struct alignas(64) Apart {
	double d = 0;
	~Apart() { if (d < 0) std::printf("%g\n", d); }
};
struct Holder {
	Counted *held;
	explicit Holder(int n) : held(new Counted[n]) {}
	Holder(const Holder &) = delete;
	~Holder() { delete[] held; }
};
static Counted *made(int n) { return new Counted[n]; }
static Counted *fixed, *several;

template <class T> static void touch(T *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i].d += 1;
}

static void step(const Holder &h, Counted *given, Apart *apart)
{
	touch(fixed, N);        // expect: fixed 2000 2000
	touch(several, N);      // expect: several 2000 2000
	touch(h.held, N);       // expect: Holder:held 2000 2000
	touch(given, N);        // expect: main:given 2000 2000
	touch(apart, N);        // expect: main:apart 2000 2000
}

int main(int argc, char **)
{
	int n = N + argc;
	Holder h(n);
	Counted *given = made(n);
	Apart *apart = new Apart[n];

	fixed = new Counted[N];
	several = new Counted[n];
	for (int i = 0; i < 6; i++)     // the phase
		step(h, given, apart);
	std::printf("%g %g %g\n", h.held[3].d, given[4].d, apart[5].d);
	delete[] apart;
	delete[] given;
	delete[] fixed;
	delete[] several;
}
