#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The corpus: programs in C.
programs=$(grep -L "corpus: openmp" "$srcdir"/tests/corpus/programs/*.c)
. "$srcdir/tests/corpus/run.sh"
