// SPDX-License-Identifier: BSD-3-Clause
// Locks and unlocks C++'s mutexes n times; a class of the program's has a function of a lock's name.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>

static std::mutex mutex;
static std::shared_mutex shared;
static long sum;

struct own {
	long *at;
	__attribute__((noinline)) void pthread_mutex_lock() { ++*at; }
};

__attribute__((noinline)) static void guarded(int n)
{
	for (int i = 0; i < n; i++) {
		std::lock_guard<std::mutex> hold(mutex);
		sum++;
	}
}

__attribute__((noinline)) static void shared_by_readers(int n)
{
	for (int i = 0; i < n; i++) {
		std::shared_lock<std::shared_mutex> hold(shared);
		sum++;
	}
}

__attribute__((noinline)) static void by_own(int n)
{
	own o = { &sum };

	for (int i = 0; i < n; i++)
		o.pthread_mutex_lock();
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? std::atoi(argv[2]) : 0;

	if (argc < 3)
		return 1;
	if (argv[1][0] == 'g')
		guarded(n);
	else if (argv[1][0] == 's')
		shared_by_readers(n);
	else
		by_own(n);
	std::printf("%ld\n", sum);
}
