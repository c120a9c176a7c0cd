#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs of process/ compute and print the same in every mode (README.md).
group=process
. "${srcdir:-$(dirname "$0")/../..}/tests/breakers/run.sh"
