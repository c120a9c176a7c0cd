// SPDX-License-Identifier: BSD-3-Clause
// Methods and templates that GCC puts where they are called, once or each time.
#include <cstdio>
#include <vector>

namespace {
class field {
public:
	explicit field(int n) : values(n) {}
	double at(int i) const { return values[i % values.size()]; }
	double &at(int i) { return values[i % values.size()]; }
	void start(int k);
	double step(int k);

private:
	double relax(int k);
	std::vector<double> values;
};

void field::start(int k)
{
	for (int i = 0; i < 64; i++)
		at(i) = i ^ k;
}

double field::relax(int k)
{
	double change = 0;

	for (int i = 1; i < 63; i++) {
		double v = (at(i - 1) + at(i + 1)) / 2;

		change += v - at(i);
		at(i) = v;
	}
	return change / (k + 1);
}

double field::step(int k)
{
	if (k == 0)
		start(k);
	return relax(k);
}

template <typename F> double sum(F f)
{
	double s = 0;

	for (int i = 0; i < 64; i++)
		s += f(i);
	return s;
}

double finish(field &f, double change)
{
	std::printf("%g %g\n", change, sum([&](int i) { return f.at(i) * 2; }));
	return change;
}
}

int main()
{
	field f(64);
	double change = 0;

	for (int k = 0; k < 6; k++)
		change += f.step(k);
	return finish(f, change) == 0;
}
