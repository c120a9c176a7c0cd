// SPDX-License-Identifier: BSD-3-Clause
// Particles that are copied by constructors: all of these are called by an alias of the function that GCC makes.
//
// Each is read once from crowd and written once to made: 4 doubles.  Both of 1024 particles: 32 KiB, so that
// either is loaded anew, a line of 64 bytes for two.
// corpus: machine=small levels=O0,O1,O2,O3
#include "corpus.h"
#include <new>

enum { N = 1024 };
struct particle {
	double x, y, z, energy;
	particle() : x(1), y(2), z(3), energy(4) {}
	KERNEL particle(const particle &o);
};
inline KERNEL particle::particle(const particle &o) : x(o.x), y(o.y), z(o.z), energy(o.energy) {}

struct tracked {
	double x, y, z, energy;
	tracked() : x(0), y(0), z(0), energy(0) {}
	KERNEL explicit tracked(const particle &p) : x(p.x), y(p.y), z(p.z), energy(p.energy) {}
};

static particle crowd[N] ON_PAGE;
static tracked made[N] ON_PAGE;

static KERNEL void load(int i)
{
	particle copy(crowd[i]);

	new (&made[i]) tracked(copy);
}

int main()
{
	double sum = 0;

	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		for (int k = 0; k < N; k++)
			load(k);
	for (const tracked &t : made)
		sum += t.x + t.energy;
	printf("%g\n", sum);
	printf("expect crowd bytes = %d\n", N * 32);
	printf("expect made bytes = %d\n", N * 32);
	return 0;
}
