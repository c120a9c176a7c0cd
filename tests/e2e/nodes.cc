// Two containers and a tree of the program's own, larger than the nearest caches of the model, and visited in no order.
#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

enum { N = 1 << 15, LEAVES = 1 << 12, STEPS = 10 };
struct Leaf {
	uint64_t key;
	Leaf *left, *right;
	double value[4];
};

static uint64_t mixed(uint64_t i)
{
	return i * UINT64_C(0x9e3779b97f4a7c15) >> 40;
}

static Leaf *insert(Leaf *at, uint64_t key)
{
	if (!at)
		return new Leaf{ key, nullptr, nullptr, { 1 } };
	(key < at->key ? at->left : at->right) = insert(key < at->key ? at->left : at->right, key);
	return at;
}

static double look(const Leaf *at, uint64_t n)
{
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		for (const Leaf *l = at; l; l = mixed(i) < l->key ? l->left : l->right)
			if (l->key == mixed(i))
				sum += l->value[0];
	return sum;
}

static double count(std::unordered_map<uint64_t, double> &table, uint64_t n)
{
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += ++table[mixed(i)];
	return sum;
}

static double total(const std::list<double> &parts)
{
	double sum = 0;

	for (double part : parts)
		sum += part;
	return sum;
}

int main()
{
	std::unordered_map<uint64_t, double> table;
	std::map<uint64_t, double> order;
	std::list<double> parts;
	Leaf *root = nullptr;
	double sum = 0;

	for (uint64_t i = 0; i < LEAVES; i++)
		root = insert(root, mixed(i * 7919 % LEAVES));
	for (uint64_t i = 0; i < N; i++)
		order[mixed(i)] = double(i);
	for (auto &one : order)         // in another order than they were allocated in
		parts.push_back(one.second);
	parts.sort();
	for (int step = 0; step < STEPS; step++)
		sum += count(table, N) + total(parts) + look(root, LEAVES);
	std::printf("%g\n", sum);
}
