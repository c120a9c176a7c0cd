// SPDX-License-Identifier: BSD-3-Clause
// Records of 64 bytes of which one member is read, and a table of nodes in order of insertion.
#include <cstdio>
#include <cstdint>
#include <unordered_map>
#include <vector>

struct record {
	double mass, place[3], speed[3];
	std::uint64_t key;
};

int main()
{
	std::vector<record> records(400000);
	std::unordered_map<std::uint64_t, double> table;
	double sum = 0;

	for (std::uint64_t i = 0; i < records.size(); i++)
		records[i] = { 1 + double(i % 7), {}, {}, i * 0x9e3779b97f4a7c15u >> 44 };
	for (const record &r : records)
		table[r.key] += r.mass;
	for (int n = 0; n < 400; n++)
		for (const record &r : records)
			sum += r.mass;
	for (int n = 0; n < 25; n++)
		for (const record &r : records)
			sum += table[r.key];
	std::printf("%zu %.3f\n", table.size(), sum);
	return 0;
}
