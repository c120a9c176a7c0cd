// SPDX-License-Identifier: BSD-3-Clause
// Records of 64 and 72 bytes, of which loops use few members, or which they visit in no order.
#include "harness.h"

#include <cstdint>
#include <vector>

namespace {

struct alignas(64) particle {
	double x, y, z, vx, vy, vz, mass, charge;
};

// A little more than a line: a member is on the next line, but after every seventh record on the one behind it.
struct body {
	double x, y, z, vx, vy, vz, mass, charge, radius;
};

constexpr std::size_t in_cache = 256;

std::vector<particle> particles, few;
std::vector<body> bodies, some;
std::vector<double> x, vx;

void fill(std::size_t n)
{
	particles.assign(n, particle{ 1, 1, 1, 0.5, 0.5, 0.5, 2, 1 });
	few.assign(in_cache, particle{ 1, 1, 1, 0.5, 0.5, 0.5, 2, 1 });
}

// --- aos: one member of eight is read -----------------------------------------------------------------

SAME_CODE double squares(const std::vector<particle> &all)
{
	double sum = 0;

	for (const particle &p : all)
		sum += p.x * p.x;
	return sum;
}

SAME_CODE double squares_of(const std::vector<double> &all)
{
	double sum = 0;

	for (double value : all)
		sum += value * value;
	return sum;
}

// --- wide: one member of nine is read -----------------------------------------------------------------

SAME_CODE double masses(const std::vector<body> &all)
{
	double sum = 0;

	for (const body &b : all)
		sum += b.mass * b.mass;
	return sum;
}

// --- push: two members of eight, one of them written ---------------------------------------------------

SAME_CODE void push(std::vector<particle> &all, double dt)
{
	for (particle &p : all)
		p.x += dt * p.vx;
}

SAME_CODE void push_each(std::vector<double> &place, const std::vector<double> &speed, double dt)
{
	for (std::size_t i = 0; i < place.size(); i++)
		place[i] += dt * speed[i];
}

// --- recs: all members, records in no order -------------------------------------------------------------

std::uint32_t *visits, *sorted, *visits_few;
constexpr std::size_t nvisits = MILLION / 2, visits_in_cache = 1024;

SAME_CODE double energies(const std::vector<particle> &all, const std::uint32_t *which, std::size_t n)
{
	double sum = 0;

	for (std::size_t i = 0; i < n; i++) {
		const particle &p = all[which[i]];

		sum += 0.5 * p.mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz) + p.charge * (p.x + p.y + p.z);
	}
	return sum;
}

} // namespace

void aos_init(void)
{
	fill(MILLION);
	x.assign(MILLION, 1.0);
}

// fixed: the member in an array of its own
double aos_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		return squares(particles);
	if (v == FIXED)
		return squares_of(x);
	REPEAT(MILLION / in_cache)
		sum += squares(few);
	return sum;
}

void wide_init(void)
{
	const body one{ 1, 1, 1, 0.5, 0.5, 0.5, 2, 1, 3 };

	bodies.assign(MILLION, one);
	some.assign(in_cache, one);
	x.assign(MILLION, 2.0);
}

// fixed: the member in an array of its own
double wide_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		return masses(bodies);
	if (v == FIXED)
		return squares_of(x);
	REPEAT(MILLION / in_cache)
		sum += masses(some);
	return sum;
}

void push_init(void)
{
	fill(MILLION);
	x.assign(MILLION, 1.0);
	vx.reserve(MILLION + 168);      // at another distance from a page boundary than x
	vx.assign(MILLION, 0.5);
}

// fixed: each member in an array of its own
double push_run(enum version v)
{
	if (v == FIXED) {
		push_each(x, vx, 0.1);
		return x[MILLION / 2];
	}
	if (v == BAD)
		push(particles, 0.1);
	else
		REPEAT(MILLION / in_cache)
			push(few, 0.1);
	return particles[MILLION / 2].x;
}

void recs_init(void)
{
	fill(MILLION);
	visits = bench_indices(nvisits, MILLION);
	sorted = bench_sorted(visits, nvisits);
	visits_few = bench_modulo(visits, visits_in_cache, in_cache);
}

// fixed: in the order of memory
double recs_run(enum version v)
{
	double sum = 0;

	if (v != CACHED)
		return energies(particles, v == BAD ? visits : sorted, nvisits);
	REPEAT(nvisits / visits_in_cache)
		sum += energies(few, visits_few, visits_in_cache);
	return sum;
}
