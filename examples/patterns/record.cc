// SPDX-License-Identifier: BSD-3-Clause
// Particles that move.  A particle has twelve numbers, and moving needs two of them.
#include <cstdio>
#include <vector>

static const int particles = 400000;

#ifdef FIXED
static std::vector<double> position(particles), velocity(particles);

static void move(double dt)
{
	for (int i = 0; i < particles; i++)
		position[i] += dt * velocity[i];
}

static void set(int i, double x, double v) { position[i] = x; velocity[i] = v; }
static double place(int i) { return position[i]; }
#else
struct Particle {
	double position, velocity, mass, charge;
	double force[4], history[4];
};
static Particle *cloud = new Particle[particles];

static void move(double dt)
{
	for (int i = 0; i < particles; i++)
		cloud[i].position += dt * cloud[i].velocity;
}

static void set(int i, double x, double v) { cloud[i] = {x, v, 1, 1, {}, {}}; }
static double place(int i) { return cloud[i].position; }
#endif

int main()
{
	double sum = 0;

	for (int i = 0; i < particles; i++)
		set(i, i, i % 7);
	for (int step = 0; step < 100; step++)
		move(0.5);
	for (int i = 0; i < particles; i++)
		sum += place(i);
	printf("%g\n", sum);
}
