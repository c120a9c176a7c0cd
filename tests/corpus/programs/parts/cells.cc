// SPDX-License-Identifier: BSD-3-Clause
// The unit of units.cc that calls through pointers.
#include "cells.h"

static void (*volatile visit)(int) = add_one;

void cell_visitor::begin() {}

void visit_all(cell_visitor *v)
{
	for (int k = 0; k < CELLS; k++)
		visit(k);
	for (int k = 0; k < CELLS; k++)
		v->visit(k);
}
