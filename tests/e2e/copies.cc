// Blocks that are copied at each call, and a vector.
#include <cstdio>
#include <vector>

enum { N = 64, CALLS = 2000, STEPS = 10 };
struct Model {
	double v[512];
	int order;
};

__attribute__((noinline)) static double eval(Model m, double x)
{
	return m.v[m.order & 511] * x;
}

__attribute__((noinline)) static double ends(std::vector<double> v)
{
	return v.front() + v.back();
}

int main()
{
	std::vector<Model> models(N);
	std::vector<double> values(4096, 1.0);
	double sum = 0;

	for (int i = 0; i < N; i++)
		models[i].order = i;
	for (int step = 0; step < STEPS; step++) {
		for (int k = 0; k < CALLS; k++)         // calls by value
			sum += eval(models[k % N], k);
		for (int k = 0; k < CALLS / 8; k++)     // a vector by value
			sum += ends(values);
	}
	std::printf("%g\n", sum);
}
