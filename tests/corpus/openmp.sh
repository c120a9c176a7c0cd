#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The corpus: programs in OpenMP.
programs=$(grep -l "corpus: openmp" "$srcdir"/tests/corpus/programs/*)
. "$srcdir/tests/corpus/run.sh"
