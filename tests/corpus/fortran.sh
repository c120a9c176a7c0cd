#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The corpus: programs in Fortran.
programs=$(grep -L "corpus: openmp" "$srcdir"/tests/corpus/programs/*.f*)
. "$srcdir/tests/corpus/run.sh"
