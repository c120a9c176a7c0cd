/* SPDX-License-Identifier: BSD-3-Clause */
/* Expression templates: arithmetic of vectors builds a type, whose elements are computed in one loop.
 * idle: bench=2000000 count=4000 time=1.15 instructions=1.04
 *       inlined=at,length,self,size,operator[],operator*,operator+,operator-,combined,scaled,of */
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class E> struct expression {
	const E &self() const { return static_cast<const E &>(*this); }
	double operator[](std::size_t i) const { return self().at(i); }
	std::size_t size() const { return self().length(); }
};

template <class L, class R, class F> class combined : public expression<combined<L, R, F>> {
public:
	combined(const L &a, const R &b) : left(a), right(b) {}
	double at(std::size_t i) const { return F::of(left[i], right[i]); }
	std::size_t length() const { return left.size(); }

private:
	const L &left;
	const R &right;
};

template <class E> class scaled : public expression<scaled<E>> {
public:
	scaled(double by, const E &e) : factor(by), inner(e) {}
	double at(std::size_t i) const { return factor * inner[i]; }
	std::size_t length() const { return inner.size(); }

private:
	double factor;
	const E &inner;
};

struct sum { static double of(double a, double b) { return a + b; } };
struct difference { static double of(double a, double b) { return a - b; } };
struct product { static double of(double a, double b) { return a * b; } };

template <class L, class R>
combined<L, R, sum> operator+(const expression<L> &a, const expression<R> &b)
{
	return combined<L, R, sum>(a.self(), b.self());
}

template <class L, class R>
combined<L, R, difference> operator-(const expression<L> &a, const expression<R> &b)
{
	return combined<L, R, difference>(a.self(), b.self());
}

template <class L, class R>
combined<L, R, product> operator*(const expression<L> &a, const expression<R> &b)
{
	return combined<L, R, product>(a.self(), b.self());
}

template <class E> scaled<E> operator*(double by, const expression<E> &e)
{
	return scaled<E>(by, e.self());
}

class field : public expression<field> {
public:
	field(std::size_t n, double start) : data(n, start) {}
	double at(std::size_t i) const { return data[i]; }
	std::size_t length() const { return data.size(); }
	template <class E> field &operator=(const expression<E> &e)
	{
		for (std::size_t i = 0; i < e.size(); i++)
			data[i] = e[i];
		return *this;
	}

private:
	std::vector<double> data;
};

template <class E> double total(const expression<E> &e)
{
	double t = 0;

	for (std::size_t i = 0; i < e.size(); i++)
		t += e[i];
	return t;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 200000;
	field x(60, 1.0), y(60, 0.5), z(60, 0.25), w(60, 0.0);
	double t = 0;

	for (int r = 0; r < rounds; r++) {
		w = x + 0.5 * (y - z) * x;
		y = 0.25 * (w + y) + 0.125 * (x * z - w * y);
		z = 0.5 * (z + y) - 0.0625 * w;
		t += total(w - z * y);
	}
	std::printf("%.6f\n", t);
	return 0;
}
