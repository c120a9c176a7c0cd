// SPDX-License-Identifier: BSD-3-Clause
// Particles drift; of a record of 12 numbers two are used.
#include <cstdio>
#include <cstdlib>
#include <vector>

const size_t particles = 600000;

#ifdef FIXED
struct Cloud {
	std::vector<double> place, speed, other[10];

	Cloud() : place(particles), speed(particles) {}
	double &x(size_t i) { return place[i]; }
	double &v(size_t i) { return speed[i]; }
};
#else
struct Particle { double x, y, z, v, w, u, mass, charge, spin, age, weight, tag; };
struct Cloud {
	std::vector<Particle> all;

	Cloud() : all(particles) {}
	double &x(size_t i) { return all[i].x; }
	double &v(size_t i) { return all[i].v; }
};
#endif

static void drift(Cloud &cloud, double dt)
{
	for (size_t i = 0; i < particles; i++)
		cloud.x(i) += dt * cloud.v(i);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	Cloud cloud;

	for (size_t i = 0; i < particles; i++) {
		cloud.x(i) = 0;
		cloud.v(i) = double(i % 7);
	}
	for (int step = 0; step < steps; step++) // the phase
		for (int i = 0; i < 4; i++)
			drift(cloud, 0.125);
	std::printf("%.15g\n", cloud.x(particles - 1));
}
