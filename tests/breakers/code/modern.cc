// SPDX-License-Identifier: BSD-3-Clause
// Coroutines, exceptions through recorded frames, thread_local, virtual bases, functions as values.
// flags: -O2 -std=c++20 -fcoroutines
#include <algorithm>
#include <coroutine>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct sequence {
	struct promise_type {
		int value;
		sequence get_return_object()
		{
			return sequence(std::coroutine_handle<promise_type>::from_promise(*this));
		}
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception() { throw; }
	};
	std::coroutine_handle<promise_type> handle;
	explicit sequence(std::coroutine_handle<promise_type> h) : handle(h) {}
	sequence(sequence &&) = delete;
	~sequence() { handle.destroy(); }
	bool next()
	{
		handle.resume();
		return !handle.done();
	}
};

static sequence squares(int n)
{
	std::vector<int> v(n);

	for (int i = 0; i < n; i++) {
		v[i] = i * i;
		co_yield v[i];
	}
	if (n == 13)
		throw std::runtime_error("thirteen");
}

static long coroutines(int n)
{
	sequence s = squares(n);
	long sum = 0;

	try {
		while (s.next())
			sum += s.handle.promise().value;
	} catch (std::exception &) {
		sum += 1000;
	}
	return sum;
}

struct thrown {
	int value;
	~thrown() {}
};

struct counted {
	std::vector<int> &a;
	~counted() { a[0]++; }
};

__attribute__((noinline)) static int thrower(std::vector<int> &a, int depth)
{
	counted c{a};

	if (depth == 0)
		throw thrown{a[1]};
	return thrower(a, depth - 1) + a[depth];
}

static long exceptions()
{
	std::vector<int> a(50);
	long sum = 0;

	for (int i = 0; i < 20; i++) {
		try {
			sum += thrower(a, i);
		} catch (thrown &t) {
			sum += t.value + a[0];
			try {
				throw;
			} catch (...) {
				sum++;
			}
		}
	}
	return sum;
}

struct base {
	virtual int f(int) = 0;
	virtual ~base() {}
};

struct plain : base {
	int x[10]{};
	int f(int i) override { return x[i % 10]++; }
};

struct shared : virtual base {
	std::map<int, std::string> m;
	int f(int i) override
	{
		m[i % 50] += "a";
		return static_cast<int>(m[i % 50].size());
	}
};

static long virtuals()
{
	std::vector<std::unique_ptr<base>> v;
	long sum = 0;

	for (int i = 0; i < 20; i++) {
		if (i & 1)
			v.emplace_back(new plain);
		else
			v.emplace_back(new shared);
	}
	for (auto &p : v)
		for (int i = 0; i < 100; i++)
			sum += p->f(i);
	return sum;
}

static thread_local std::vector<int> own;

static long step(int k)
{
	long sum = coroutines(10 + k % 5) + exceptions() + virtuals();
	std::thread t([&] {
		for (int i = 0; i < 100; i++)
			own.push_back(i);
		for (int x : own)
			sum += x;
	});
	std::function<int(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };

	t.join();
	return sum + fib(10);
}

int main()
{
	long sum = 0;

	for (int i = 0; i < 20; i++) {
		sum += step(i);         /* PHASE */
	}
	std::printf("%ld\n", sum);
	return 0;
}
