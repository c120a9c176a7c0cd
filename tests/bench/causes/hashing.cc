// SPDX-License-Identifier: BSD-3-Clause
// Identifiers are looked up: in std::unordered_map, whose nodes are all over the heap, or in one flat
// table with open addressing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#ifdef FIXED
class Table {
	struct Slot { uint64_t key, value; };
	std::vector<Slot> slots;

public:
	Table() : slots(size_t(1) << 20) {}
	uint64_t &operator[](uint64_t key)
	{
		size_t at = size_t(key * 0x9e3779b97f4a7c15u >> 44);

		while (slots[at].key && slots[at].key != key)
			at = (at + 1) % slots.size();
		slots[at].key = key;
		return slots[at].value;
	}
};
#else
typedef std::unordered_map<uint64_t, uint64_t> Table;
#endif

static uint64_t look_up(Table &table, const std::vector<uint64_t> &keys)
{
	uint64_t sum = 0;

	for (uint64_t key : keys)
		sum += table[key]++;
	return sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	std::vector<uint64_t> keys(300000);
	Table table;
	uint64_t state = 1, sum = 0;

	for (int i = 0; i < 500000; i++)
		table[uint64_t((i * 7919l) % 500009) * 101 + 1] = 0;
	for (int step = 0; step < steps; step++) { // the phase
		for (auto &key : keys) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			key = (state >> 33) % 500000 * 101 + 1;
		}
		sum += look_up(table, keys);
	}
	std::printf("%llu\n", (unsigned long long)sum);
}
