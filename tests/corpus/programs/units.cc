// SPDX-License-Identifier: BSD-3-Clause
// Inline functions of two units: this one calls them by name, the other through pointers and a virtual table.
// Of their two copies the linker keeps this unit's.
//
// A sweep adds 1 to each of the 2048 cells four times: by either function, in either unit. They are 16 KiB, read
// and written once each time, and fit the first level.
// corpus: machine=small levels=O0,O1,O2,O3 lto unit=cells.cc
#include "parts/cells.h"

double cells[CELLS] ON_PAGE;

int main()
{
	cell_visitor visitor;

	for (int i = 0; i < EXECUTIONS; i++) {  // the phase
		for (int k = 0; k < CELLS; k++)
			add_one(k);
		for (int k = 0; k < CELLS; k++)
			visitor.cell_visitor::visit(k);
		visit_all(&visitor);
	}
	printf("%g\n", cells[7]);
	printf("expect cells loads = %d\n", 4 * CELLS);
	printf("expect cells stores = %d\n", 4 * CELLS);
	printf("expect cells miss 1 = 0\n");
	return 0;
}
