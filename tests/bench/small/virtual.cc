/* SPDX-License-Identifier: BSD-3-Clause */
/* Virtual calls: cells of several kinds, which take their turns in a loop; accessors; constructors.
 * idle: bench=1000000 count=2000 time=1.15 instructions=1.25
 *       inlined=value,set */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

class cell {
public:
	explicit cell(long start) : state(start) {}
	virtual ~cell() {}
	virtual long step(long input) = 0;
	long value() const { return state; }

protected:
	void set(long next) { state = next; }

private:
	long state;
};

class adder : public cell {
public:
	explicit adder(long start) : cell(start) {}
	long step(long input) override
	{
		set(value() + input);
		return value();
	}
};

class mixer : public cell {
public:
	explicit mixer(long start) : cell(start), last(0) {}
	long step(long input) override
	{
		set((value() ^ input) + last);
		last = input & 15;
		return value() & 0xffff;
	}

private:
	long last;
};

class counter : public cell {
public:
	counter() : cell(0) {}
	long step(long input) override
	{
		if (input & 1)
			set(value() + 1);
		return value();
	}
};

std::unique_ptr<cell> make(int kind)
{
	if (kind % 3 == 0)
		return std::unique_ptr<cell>(new adder(kind));
	if (kind % 3 == 1)
		return std::unique_ptr<cell>(new mixer(kind));
	return std::unique_ptr<cell>(new counter);
}

}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 200000;
	std::vector<std::unique_ptr<cell>> cells;
	long sum = 0;

	for (int i = 0; i < 300; i++)
		cells.push_back(make(i * 7 % 11));
	for (int r = 0; r < rounds; r++)
		for (auto &c : cells)
			sum += c->step(r + (sum & 3));
	std::printf("%ld\n", sum);
	return 0;
}
