// SPDX-License-Identifier: BSD-3-Clause
// Objects whose destructors do nothing: where an exception leaves the function, their landing pads are empty
// once the markers are gone.
#include <cstdio>
#include <stdexcept>
#include <vector>

struct position {
	int x, y;
	position(const int *from, bool end) : x(end ? from[1] : from[0]), y(0) {}
	~position() {}
	bool operator!=(const position &other) const { return x != other.x || y != other.y; }
	position &operator++()
	{
		if (++y >= 3) {
			y = 0;
			++x;
		}
		return *this;
	}
};

struct element {
	int row[8];
	double value[8];
	element() {}
	~element() {}
};

template<class T> void load(const T *rows, int i, element &e)
{
	if (i < 0)
		throw std::runtime_error("negative");
	for (int k = 0; k < 8; k++) {
		e.row[k] = rows[i] + k;
		e.value[k] = rows[i + 1];
	}
}

double assemble(const int *box, const int *rows, int n)
{
	std::vector<int> ids(n);
	position at(box, false), end(box, true);
	double sum = 0;

	for (int i = 0; at != end; ++at, ++i)
		ids[i] = at.x * 3 + at.y;
	element e;
	for (size_t i = 0; i < ids.size(); i++) {
		load(rows, ids[i], e);
		for (int k = 0; k < 8; k++)
			sum += e.value[k] * e.row[k];
	}
	return sum;
}

int main()
{
	int rows[40], box[2] = { 0, 4 };
	double sum = 0;

	for (int i = 0; i < 40; i++)
		rows[i] = i * 7 % 5;
	for (int t = 0; t < 3; t++)
		try {
			box[0] = -t / 2;
			sum += assemble(box, rows, 3 * (4 - box[0]));
		} catch (const std::runtime_error &error) {
			std::puts(error.what());
		}
	std::printf("%g\n", sum);
}
