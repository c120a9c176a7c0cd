#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Phases that the program marks with psc_phase_begin() and psc_phase_end().
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}" "${CC:=gcc}" "${FC:=gfortran}"
cp "$srcdir/tests/e2e/marked.c" "$srcdir/tests/e2e/marked.f90" "$srcdir/monitor/psc_phase.h" .
for level in 0 2; do
	psc_instrument "$CC" -O$level -g -o marked$level marked.c >build.log 2>&1 &&
		psc_instrument "$FC" -O$level -g -o fortran$level marked.f90 >>build.log 2>&1 ||
		{ cat build.log; echo "Bail out! the programs do not build"; exit 1; }
done
"$CC" -O2 -o plain marked.c || { echo "Bail out! not without the plugin"; exit 1; }

# analyse PROGRAM [OPTIONS]
analyse() {
	program=$1
	shift
	run 0 "$@" --machine x86-server --no-psc --export-counts counts --app "$program" || { cat out err; return 1; }
	tr -s ' \n' ' ' <out | grep -q 'user region advance marked' || { cat out; return 1; }
}
counted() {
	"$AWK" -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["parent"] == -1 && $column["object"] ~ /table/ {
			print $column["bytes"]; exit }' counts
}
# exact PROGRAM: 40 000 elements are read in the marked loop and in scale(), 40 000 written there
exact() {
	analyse "$1" || return 1
	echo "counted: $(counted)"
	[ "$(counted)" = 960000 ]
}
same_output() { ./plain >a; ./marked2 >b; ./marked0 >c; cmp a b && cmp a c; }
by_name() { analyse ./marked2 --phase advance; }
structure() {
	psc_sir ./marked2 | tee sir | grep -q '<codeRegion type="userRegion" name="advance" id="1-22"' || { cat sir; return 1; }
}
misuse() {
	cat >wrong.c <<-END
	#include "psc_phase.h"
	int main(int argc, char **argv)
	{
		psc_phase_begin("one");
		psc_phase_begin(argv[0]);
		psc_phase_end("two");
		return argc - 1;
	}
	END
	psc_instrument "$CC" -g -o wrong wrong.c 2>warnings || { cat warnings; return 1; }
	[ "$(grep -c 'warning: no phase is marked here' warnings)" = 3 ] && ./wrong && ! psc_sir ./wrong | grep userRegion
}
plan 8
check "the program prints what it prints without the plugin" same_output
check "the structure has the marked region" structure
check "it is the phase without being named, and counts are exact" exact ./marked2
check "without optimisation, too" exact ./marked0
check "in Fortran" exact ./fortran2
check "in Fortran without optimisation" exact ./fortran0
check "it can be named" by_name
check "marks without their counterpart are refused" misuse
