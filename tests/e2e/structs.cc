// SPDX-License-Identifier: BSD-3-Clause
// For structs.sh: a vector of records, of which a loop uses two members, one of them by a function.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct point {
	double x, y, z;
};

class particle : public point {
public:
	particle() : point{ 1, 2, 3 }, speed{ 1, 1, 1 }, mass(2), charge(1) {}
	double weight() const { return mass; }

private:
	double speed[3], mass, charge;
};


static double moment(const std::vector<particle> &all)
{
	double sum = 0;

	for (const particle &p : all)
		sum += p.x * p.weight();
	return sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 400;
	std::vector<particle> particles(30000);
	double sum = 0;

	for (int step = 0; step < steps; step++)
		sum += moment(particles);
	printf("%g\n", sum);
	return 0;
}
