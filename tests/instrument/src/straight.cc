// SPDX-License-Identifier: BSD-3-Clause
// main() calls a function of a system header outside of loops: a phase that is all of main() consists of it.
#include <algorithm>
#include <cstdio>
#include <vector>

int main(int argc, char **)
{
	std::vector<int> list(100);
	int state = argc;

	for (auto &v : list)
		v = state = state * 1103515245 + 12345;
	std::sort(list.begin(), list.end());
	std::printf("%d\n", list[50] > list[49]);
	return 0;
}
