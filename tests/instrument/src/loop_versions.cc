// Exceptions out of, through and inside phase loops whose work stands in the loop itself.
#include <cstdio>
#include <stdexcept>
#include <vector>

static double a[500], b[500];

struct noisy {
	int n;
	explicit noisy(int n) : n(n) { a[n] += 1; }
	~noisy() { b[n] += 1; }
};

__attribute__((noinline)) static void may_throw(int t)
{
	if (t % 4 == 3)
		throw std::runtime_error("three");
}

static double outside(int steps)
{
	double s = 0;

	try {
		for (int t = 0; t < steps; t++) {
			noisy x(t);

			for (int i = 0; i < 500; i++)
				a[i] += b[i] + t;
			may_throw(t);
			s += a[t];
		}
	} catch (const std::exception &e) {
		std::printf("%s\n", e.what());
		s = -s;
	}
	return s;
}

static double inside(int steps)
{
	double s = 0;

	for (int t = 0; t < steps; t++) {
		std::vector<double> v(20, t);

		try {
			for (int i = 0; i < 500; i++)
				b[i] += a[i] * v[i % 20];
			may_throw(t);
			s += b[t];
		} catch (const std::exception &) {
			s += 1000;
			continue;
		}
		s += v[3];
	}
	return s;
}

int main()
{
	std::printf("%g\n", outside(3));
	std::printf("%g\n", outside(9));
	std::printf("%g\n", inside(10));
	return 0;
}
