/* SPDX-License-Identifier: BSD-3-Clause */
/* The inline functions that units.cc and cells.cc share. */
#ifndef CELLS_H
#define CELLS_H
#include "../corpus.h"

enum { CELLS = 2048 };
extern double cells[CELLS];

inline KERNEL void add_one(int i)
{
	cells[i] += 1;
}

struct cell_visitor {
	virtual void begin();           /* the virtual table is in the unit that has this one */
	virtual KERNEL void visit(int i) { cells[i] = cells[i] + 1; }
};

void visit_all(cell_visitor *v);
#endif
