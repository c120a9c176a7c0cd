#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call in last place, which gfortran -O2 makes a jump, and which stays one while nothing is measured: it has
# its inclusive counts all the same, and works as the phase, also in another unit.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 12

cp "$srcdir/tests/e2e/last_call.f90" "$srcdir/tests/e2e/last_sweeps.f90" .
check "the program builds" psc_instrument gfortran -O2 -g -o adi last_call.f90 last_sweeps.f90
if command -v objdump >/dev/null; then
	objdump -d adi | awk '/<adi_>:/, /^$/' >out
	check "idle, the last call is a jump" grep -q 'jmp .*<sweep_z_>\|	b	.*<sweep_z_>' out
else
	ok "idle, the last call is a jump # SKIP no objdump"
fi
line() { grep -n "$2" "$1" | head -n 1 | cut -d: -f1; }
# counts TYPE NAME: loads and stores of that region
counts() { awk -F, -v t="$1" -v n="$2" '$4 == t && $5 == n && $8 == "*" { print $10, $11; exit }' c.csv; }
is() { [ "$(counts "$1" "$2")" = "$3" ] || { cat c.csv; return 1; }; }
whole="119800 99500" last="40000 39800"
analyse() { run 0 --no-psc --export-counts c.csv --app ./adi --phase "$1"; }

check "the loop as phase" analyse "last_call.f90:$(line last_call.f90 'do s')"
check "all three sweeps count to it" is LOOP_REGION "" "$whole"
check "the caller has the counts of its last call" is SUB_REGION adi "$whole"
check "so has the call itself" is CALL_REGION sweep_z "$last"
check "and the routine that it calls" is SUB_REGION sweep_z "$last"
check "the caller as phase" analyse "last_call.f90:$(line last_call.f90 '^subroutine adi')"
check "has its last call in it" is SUB_REGION adi "$whole"
check "the routine called last as phase" analyse "last_sweeps.f90:$(line last_sweeps.f90 '^subroutine sweep_z')"
check "has its own counts" is SUB_REGION sweep_z "$last"

# What stands beside the markers does not change what is recorded: LU's accesses are those from before light
# functions and markers in versions of their own.
build_lu .
case $(gfortran -dumpversion) in
12*)
	run 1 --no-psc --export-counts c.csv --app ./lu --phase ssor.f:109 -- 33 20 || true
	check "an execution of LU has the accesses that it had" \
		sh -c 'awk -F, "NR == 2 { exit !(\$10 == 9675890 && \$11 == 6792476) }" c.csv' ;;
*) ok "an execution of LU has the accesses that it had # SKIP counted with GCC 12" ;;
esac
