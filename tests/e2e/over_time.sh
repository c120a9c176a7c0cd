#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is said of examples/over_time, whose use of memory over one execution is known, and the
# forms for other tools.
. "${srcdir:-.}/tests/e2e/lib.sh"

# run_step PROGRAM: with the properties of time.asl, on a machine with small caches
run_step() {
	run 0 --app "./$1" --phase step --machine itanium2 --properties time --timeline \
		--psc "$1.psc" --csv "$1.csv" --timeline-csv "$1.time.csv" --perfetto "$1.pftrace" --paraver "$1"
}
analyse() {
	make -s -f "$srcdir/examples/over_time/Makefile" CC="psc_instrument gcc" "$1" >build.log 2>&1 &&
		run_step "$1"
}
# The library that sent.c calls is not recorded.
analyse_sent() {
	gcc -O2 -DLIBRARY -c "$srcdir/tests/e2e/sent.c" -o library.o && psc_instrument gcc \
		-O2 -g "$srcdir/tests/e2e/sent.c" library.o -o sent >build.log 2>&1 && run_step sent
}
# found PROGRAM PROPERTY...: exactly these findings, as "property structure"
found() {
	program=$1
	shift
	printf '%s\n' "$@" | sort >wanted
	awk -F, 'NR > 1 { print $2, $16 }' "$program.csv" | sort -u >got
	diff wanted got
}
# says PROGRAM WORDS: psc_report --timeline does, or JSON of a line
says() {
	psc_report --timeline "$1.psc" >words
	psc_report --json "$1.psc" | grep '"says":' >>words
	tr -s '\n ' ' ' <words | grep -qF "$2" || { cat words; return 1; }
}
# sums PROGRAM STRUCTURE COLUMN: of --timeline-csv
sums() {
	awk -F, -v s="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["structure"] == s { n += $at[c] } END { print n + 0 }' "$1.time.csv"
}
# the same CSV has all accesses of the phase that the ledger of the report has
all_accesses() {
	time=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { n += $at["loads"] + $at["stores"] } END { printf "%.0f", n }' \
		"$1.time.csv")
	ledger=$(psc_report --ledger --csv "$1.psc" | awk -F, 'NR > 1 { n += $2 } END { printf "%.0f", n }')
	echo "$time accesses in the columns, $ledger in the ledger"
	[ "$time" -gt 0 ] && [ "$time" -eq "$ledger" ]
}

# traces PROGRAM: the trace follows the description of Paraver's format
traces() { awk -f "$srcdir/tests/report/prv.awk" "$1.pcf" "$1.row" "$1.prv"; }

plan 24
check "an array that is zeroed and overwritten" analyse dft
check "is a redundant initialisation, and nothing else" found dft "RedundantInit psi"
check "it is stored to twice, and read twice" test "$(sums dft psi bytes)" -eq 1920000
check "who overwrites whose values is said" says dft \
	"synthesise overwrites psi that zero wrote, unread between"
check "and that its loop became a memset" says dft "sets psi, 469 KiB at a time (memset)"
check "all accesses are in columns" all_accesses dft
check "a stream with a gather" analyse stream
check "what two loops write comes back from memory when others read it" found stream "ConsumedTooLate b" "ConsumedTooLate c"
check "the copy is a memcpy" says stream "copies a to c, 3.81 MiB at a time (memcpy)"
check "one loop gathers" says stream "reads at forwards, c in no order, writes b forwards"
check "the others go on in step" says stream "forwards, writes c forwards"
check "all accesses are in columns, the copy's, too" all_accesses stream
check "a sparse matrix" analyse sparse
check "has none of these faults" test "$(wc -l <sparse.csv)" -eq 1
check "its arrays are read at once" says sparse "reads column and value forwards"
check "all accesses are in columns here, too" all_accesses sparse
check "a matrix in one array" analyse diagonals
check "is read in as many streams as it has diagonals" says diagonals \
	"value in 5 streams 312 KiB apart"
check "phases with dependences" analyse phases
check "which of them could run side by side is said" says phases \
	"clear, up and down use no memory that another of them writes"
check "arrays that libraries read" analyse_sent
check "are not taken for unread" found sent "RedundantInit unread"
check "the forms for other tools are written" test -s sparse.pftrace -a -s sparse.prv -a -s sparse.pcf -a -s sparse.row -a -s sparse.cfg
check "traces are as Paraver describes them" eval "traces dft && traces stream && traces sparse"
