// SPDX-License-Identifier: BSD-3-Clause
// For lines.sh: accesses in a header, inlined into their caller and called.
#include <unordered_map>
#include <vector>

class far_apart {
public:
	explicit far_apart(long n) : cells_(8 * n, 1.0) {}
	double inlined(long i) const { return cells_[8 * i]; }
	__attribute__((noinline)) double called(long i) const { return cells_[8 * i + 4]; }

private:
	std::vector<double> cells_;
};

class sparse {
public:
	void put(long key, double v) { entries_[key] = v; }
	double get(long key) const
	{
		auto at = entries_.find(key);

		return at == entries_.end() ? 0 : at->second;
	}

private:
	std::unordered_map<long, double> entries_;
};
