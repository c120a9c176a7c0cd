// SPDX-License-Identifier: BSD-3-Clause
// Small functions in numbers: recursion, virtual calls, trees, exceptions, sorting, strings.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct base {
	virtual int f(int) = 0;
	virtual ~base() {}
};
struct adds : base {
	int x = 1;
	int f(int i) override { return x += i; }
};
struct mixes : base {
	int x = 2;
	int f(int i) override { return x ^= i; }
};
struct tree {
	tree *left = nullptr, *right = nullptr;
	int key = 0;
};

__attribute__((noinline)) static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__attribute__((noinline)) static void insert(tree *&t, int key)
{
	if (!t) {
		t = new tree;
		t->key = key;
	} else {
		insert(key < t->key ? t->left : t->right, key);
	}
}

__attribute__((noinline)) static long sum(const tree *t)
{
	return t ? t->key + sum(t->left) + sum(t->right) : 0;
}

__attribute__((noinline)) static void remove(tree *t)
{
	if (t) {
		remove(t->left);
		remove(t->right);
		delete t;
	}
}

__attribute__((noinline)) static int thrower(int i)
{
	if (i & 1)
		throw i;
	return i;
}

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int queens(int n, int row, int columns, int up, int down)
{
	int s = 0;

	if (row == n)
		return 1;
	for (int i = 0; i < n; i++) {
		int c = 1 << i, u = 1 << (row + i), d = 1 << (row - i + n);

		if (!(columns & c) && !(up & u) && !(down & d))
			s += queens(n, row + 1, columns | c, up | u, down | d);
	}
	return s;
}

static unsigned seed;

static int any()
{
	seed = seed * 1664525 + 1013904223;
	return static_cast<int>(seed >> 8);
}

static long virtuals()
{
	std::vector<std::unique_ptr<base>> v;
	long s = 0;

	for (int i = 0; i < 100; i++) {
		if (i % 3)
			v.emplace_back(new adds);
		else
			v.emplace_back(new mixes);
	}
	for (int k = 0; k < 50; k++)
		for (auto &p : v)
			s += p->f(k);
	return s;
}

static long trees()
{
	tree *t = nullptr;
	long s;

	for (int i = 0; i < 1000; i++)
		insert(t, any());
	s = sum(t);
	remove(t);
	return s;
}

static long exceptions()
{
	long s = 0;

	for (int i = 0; i < 300; i++) {
		try {
			s += thrower(i);
		} catch (int e) {
			s -= e;
		}
	}
	return s;
}

static long sorted()
{
	std::vector<int> v(3000), w;
	std::map<std::string, int> m;

	for (auto &e : v)
		e = any();
	w = v;
	std::qsort(v.data(), v.size(), sizeof v[0], compare);
	std::sort(w.begin(), w.end());
	for (int i = 0; i < 1000; i++)
		m[std::to_string(i * 7919 % 1000)]++;
	return v[5] + w[7] + static_cast<long>(m.size());
}

static long step()
{
	return fib(15) + ackermann(2, 50) + virtuals() + trees() + exceptions() + sorted() +
		queens(6, 0, 0, 0, 0);
}

int main()
{
	long all = 0;

	for (int i = 0; i < 10; i++) {
		seed = 1;
		all += step();          /* PHASE */
	}
	std::printf("%ld\n", all);
	return 0;
}
