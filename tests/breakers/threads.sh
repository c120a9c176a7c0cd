#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs of threads/ compute and print the same in every mode (README.md).
group=threads
. "${srcdir:-$(dirname "$0")/../..}/tests/breakers/run.sh"
