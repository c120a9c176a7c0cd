#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is looked at beside the counts changes none: with accesses drawn by address (--timeline), and with stores followed byte
# by byte (properties that ask for those), every count of every context and structure is the same to the last digit.
. "${srcdir:-.}/tests/e2e/lib.sh"

# counts NAME PROGRAM OPTION...: into NAME.counts, without what is computed from times
counts() {
	to=$1 program=$2
	shift 2
	run 0 -q --app "./$program" --phase step --machine itanium2 --clean 1 --export-counts "$to.csv" "$@" && awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) timed[i] = $i == "exec_time" || $i ~ /^est_/ }
		{ for (i = 1; i <= NF; i++) printf "%s,", timed[i] ? "" : $i; print "" }' "$to.csv" >"$to.counts" &&
		test "$(wc -l <"$to.counts")" -gt 4
}
# same PROGRAM OPTION...: its counts with and without the options
same() {
	program=$1
	shift
	psc_instrument gcc -O2 -g "$srcdir/examples/over_time/$program.c" -o "$program" >build.log 2>&1 &&
		counts plain "$program" --no-timeline && counts other "$program" "$@" && diff plain.counts other.counts
}

plan 6
for program in dft stream sparse; do
	check "$program: accesses by address" same $program --timeline
	check "$program: stores byte by byte" same $program --properties time
done
