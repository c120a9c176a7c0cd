// Exceptions through parallel bodies' callees, nested teams, tasks, by-value classes, destructors.
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <vector>

struct Counted {
	static std::atomic<int> alive;
	double payload[6];
	explicit Counted(double x) { ++alive; for (double &p : payload) p = x; }
	Counted(const Counted &o) { ++alive; for (int i = 0; i < 6; i++) payload[i] = o.payload[i]; }
	~Counted() { --alive; }
};
std::atomic<int> Counted::alive;

struct Plain { double x, y, z; };
union Either { double d; long l; };

static Counted make(double x)
{
	Counted c(x);

	for (int i = 0; i < 6; i++)
		c.payload[i] += i;
	return c;
}

static Plain middle(Plain a, const Plain &b)
{
	for (int i = 0; i < 2; i++)
		a.x += b.x;
	return Plain{ a.x, b.y, a.z };
}

static double take(Counted c, Either e, const char *format, ...)
{
	return c.payload[5] + e.d + format[0];
}

static void fails(int depth)
{
	Counted guard(depth);

	if (depth == 0)
		throw std::out_of_range("deep");
	for (int i = 0; i < 2; i++)
		fails(depth - 1);
}

static int fib(int n)
{
	int a = 0, b = 0;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(int argc, char **)
{
	std::vector<double> v(64);
	int caught = 0, result = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp for nowait
		for (int i = 0; i < 64; i++) {
			try {
				if (i % 16 == 0)
					fails(3);
				v[i] = i;
			} catch (const std::exception &) {
#pragma omp atomic
				caught++;
			}
		}
#pragma omp parallel num_threads(2) shared(v)
		{
#pragma omp sections
			{
#pragma omp section
				v[1] = 1;
#pragma omp section
				v[2] = 2;
			}
		}
#pragma omp single
		result = fib(8);
	}
	try {
		for (int i = 0; i < 3; i++)
			fails(i);
	} catch (...) {
		caught += 100;
	}
	Plain p = middle(Plain{ 1, 2, 3 }, Plain{ 4, 5, 6 });
	Either e = { 2.5 };
	printf("%d %d %g %g %g %d\n", caught, result, p.x, make(1).payload[3], take(make(2), e, "x"),
		Counted::alive.load());
	return argc > 1 ? 5 : 0;
}
