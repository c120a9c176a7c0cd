#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_memory under valgrind: after a failed allocation nothing is read that was not written, and nothing
# is lost.
if ! command -v valgrind >/dev/null 2>&1; then
	echo '1..0 # SKIP no valgrind'
	exit 0
fi
program=$builddir/tests/asl/test_memory
if grep -q __asan_init "$program"; then
	echo '1..0 # SKIP built with sanitizers, which valgrind cannot run'
	exit 0
fi
log=$(mktemp) || exit 99
trap 'rm -f "$log"' EXIT
if CMOCKA_MESSAGE_OUTPUT=STDOUT valgrind -q --error-exitcode=9 --leak-check=full \
		--show-leak-kinds=definite,indirect,possible "$program" >"$log" 2>&1; then
	echo 'ok 1 - nothing is lost or read unwritten when allocations fail'
else
	echo 'not ok 1 - nothing is lost or read unwritten when allocations fail'
	head -n 60 "$log" | sed 's/^/# /'
fi
echo 1..1
