/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions through deep calls, in several threads, and one that nobody catches. */
#include <atomic>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct counted {
	int *n;
	~counted() { ++*n; }
};

static int deep(int levels, int *n)
{
	counted here{n};

	if (levels == 0)
		throw std::runtime_error("deep");
	return deep(levels - 1, n) + 1;
}

static void many_exceptions()
{
	int destroyed = 0, caught = 0;

	for (int k = 0; k < 20000; k++)
		try {
			deep(k % 20, &destroyed);
		} catch (const std::exception &e) {
			caught += e.what()[0] == 'd';
		}
	std::printf("destroyed %d, caught %d\n", destroyed, caught);
}

static void containers()
{
	std::map<std::string, std::vector<double>> m;
	double sum = 0;

	for (int k = 0; k < 100000; k++)
		m[std::to_string(k % 500)].push_back(k * 0.5);
	for (const auto &row : m)
		for (double d : row.second)
			sum += d;
	std::printf("%zu rows, sum %.1f\n", m.size(), sum);
}

static void exceptions_in_threads()
{
	std::atomic<long> sum{0};
	std::vector<std::thread> threads;

	for (int t = 0; t < 4; t++)
		threads.emplace_back([&sum] {
			for (int k = 0; k < 2000; k++)
				try {
					if (k % 7 == 0)
						throw k;
					sum += k;
				} catch (int value) {
					sum -= value;
				}
		});
	for (auto &t : threads)
		t.join();
	std::printf("sum %ld\n", sum.load());
}

int main()
{
	std::setvbuf(stdout, nullptr, _IOLBF, 0);
	many_exceptions();
	containers();
	exceptions_in_threads();
	throw 7;
}
