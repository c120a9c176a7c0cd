// SPDX-License-Identifier: BSD-3-Clause
// Heap blocks of the elements of containers.  "expect" as in blocks.c.
#include <cstdio>
#include <map>
#include <vector>

enum { ROWS = 10, N = 100 };

static void touch(std::vector<double> &row)
{
	double *p = row.data();

	for (int i = 0; i < N; i++)
		p[i] += 1;
}

static double step(std::map<int, std::vector<double>> &cells, std::vector<std::vector<double>> &lists)
{
	for (int i = 0; i < ROWS; i++) {
		touch(cells.at(i));     // expect: main:cells\[\] 2002 2000
		touch(lists[i]);        // expect: main:lists\[\] 2000 2000
	}
	return cells.at(1)[2];
}

int main()
{
	std::map<int, std::vector<double>> cells;
	std::vector<std::vector<double>> lists(ROWS);
	double s = 0;

	for (int i = 0; i < ROWS * N; i++) {
		cells[i % ROWS].push_back(i);
		lists.at(i % ROWS).push_back(i);
	}
	for (int i = 0; i < 6; i++)     // the phase
		s += step(cells, lists);
	printf("%g\n", s);
}
