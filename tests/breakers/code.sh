#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs of code/ compute and print the same in every mode (README.md).
group=code
. "${srcdir:-$(dirname "$0")/../..}/tests/breakers/run.sh"
