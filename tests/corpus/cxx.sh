#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The corpus: programs in C++.
programs=$(ls "$srcdir"/tests/corpus/programs/*.cc)
. "$srcdir/tests/corpus/run.sh"
