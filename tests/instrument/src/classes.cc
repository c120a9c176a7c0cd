// C++: exceptions through regions, templates, virtual calls, containers, lambdas.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

template<class T> class Matrix {
	std::vector<T> v;
	int n;
public:
	explicit Matrix(int k) : v(k * k), n(k) {}
	T &operator()(int i, int j) { return v[i * n + j]; }
	const T &operator()(int i, int j) const { return v[i * n + j]; }
	int size() const { return n; }
};

namespace num {
template<class T> T trace(const Matrix<T> &m)
{
	T s = 0;

	for (int i = 0; i < m.size(); i++)
		s += m(i, i);
	return s;
}
}

static void thrower(int k)
{
	for (int i = 0; i < 10; i++) {
		if (i == k)
			throw std::runtime_error("thrown");
	}
}

struct Shape {
	virtual ~Shape() {}
	virtual int area(int x) = 0;
};

struct Square : Shape {
	int area(int x) override
	{
		int s = 0;

		for (int i = 0; i < x; i++)
			s += x;
		return s;
	}
};

static int fib(int n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}

int main()
{
	Matrix<double> m(20);
	Square square;
	Shape *shape = &square;
	int caught = 0;
	double total = 0;

	for (int i = 0; i < m.size(); i++)
		for (int j = 0; j < m.size(); j++)
			m(i, j) = i + j;
	for (int k = 0; k < 4; k++) {
		try {
			thrower(k);
		} catch (std::exception &e) {
			caught++;
		}
	}
	auto sum = [&](int n) {
		double s = 0;

		for (int i = 0; i < n; i++)
			s += m(i, 0);
		return s;
	};
#pragma omp parallel for reduction(+ : total)
	for (int i = 0; i < 100; i++)
		total += i;
	printf("%g %d %d %d %g %g\n", num::trace(m), caught, shape->area(5), fib(10), sum(5), total);
	return 0;
}
