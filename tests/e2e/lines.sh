#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misses by source line, on a loop whose lines miss as often as its source says, and of code in headers.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
cp "$srcdir/tests/e2e/lines.c" .
psc_instrument "${CC:-gcc}" -O2 -g -o lines lines.c >build.log 2>&1 || { cat build.log; echo "Bail out! lines.c"; exit 1; }
line() { grep -n "/\* $1 \*/" lines.c | cut -d: -f1; }
apart=$(line apart) beside=$(line beside)
cat >lines.asl <<'END'
PROPERTY Misses(SeqPerf s) {
	CONDITION: s.memory_time > 0;
	CONFIDENCE: 1;
	SEVERITY: s.memory_time;
}
PROPERTY MissesOfData(DataPerf d) REFINES Misses {
	CONDITION: d.memory_time > 0;
	CONFIDENCE: 1;
	SEVERITY: d.memory_time;
}
END
analyse() {
	psc_frontend -q --lockstep --app ./lines --phase "lines.c:$(line 'the phase')" --machine x86-server --properties ./lines.asl \
		-o report --psc lines.psc --export-counts counts "$@" >out 2>err
}
# of_table COLUMN: of the table in CSV; labels have commas, so later columns than these are counted from the end
of_table() { psc_report --csv lines.psc | "$AWK" -F, -v want="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["name"] == "table" { print $column[want]; exit }'; }
# lines_of RANK FILE: the lines of that finding, one a line
lines_of() { psc_report --json "$2" | sed -n "/^    {\"rank\": $1, /,/\"lines\"/p" | sed -n 's/.*"lines": \[//p' | tr '{' '\n'; }
# figure LINE NAME: of the lines of the finding about the table
figure() {
	lines_of "$(of_table rank)" lines.psc |
		sed -n "s/^\"line\": $1, .*\"$2\": \([^,}]*\).*/\1/p"
}
# has ERE
has() { grep -E -- "$1" report || { cat report; return 1; }; }
between() { echo "$1, not between $2 and $3"; [ -n "$1" ] && "$AWK" "BEGIN { exit !($1 >= $2 && $1 <= $3) }"; }
sums() {
	counted=$("$AWK" -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["parent"] == -1 && $column["object"] == "table" {
			print $column["l1_load_miss"] + $column["l1_store_miss"]; exit }' counts)
	lines=$(lines_of "$(of_table rank)" lines.psc |
		sed -n 's/^"line": .*"first_misses": \([^,}]*\).*/\1/p' | "$AWK" '{ s += $1 } END { print s }')
	echo "lines: $lines, counted: $counted"
	[ -n "$counted" ] && [ "$lines" = "$counted" ]
}
callgrind() {
	psc_report --callgrind lines.psc profile
	sed -n '/^fn=data: table/,/^$/p' profile
	sed -n '/^fn=data: table/,/^$/p' profile | grep -q "^$apart [0-9 ]*[1-9]"
}

analyse || { cat out err; echo "Bail out! not analysed"; exit 1; }
[ -n "$(of_table rank)" ] || { psc_report -v lines.psc; echo "Bail out! nothing found"; exit 1; }
psc_report --json lines.psc | grep -q '"lines": \[{' || skip_all "the monitor counts no misses by line"
plan 12
check "the place is the line that misses most" has "walk lines.c:$apart"
check "with the loop around it" has "lines.c:$apart \(in [0-9]+-[0-9]+\)"
check "that line is quoted" has "^ *$apart \| *s \+= table\[8 \* i\];"
check "it has eight of nine misses" between "$(figure "$apart" share)" 0.86 0.92
check "the other line one" between "$(figure "$beside" share)" 0.08 0.14
check "all lines have all misses" sums
check "CSV names the line" sh -c "psc_report --csv lines.psc | grep ',table,.*,$apart\$'"
check "callgrind has it" callgrind

# C++: a line has the misses of what was inlined into it and of what it calls in headers.
cp "$srcdir/tests/e2e/lines.cc" "$srcdir/tests/e2e/lines.hpp" .
line() { grep -n "/\* $1 \*/" lines.cc | cut -d: -f1; }
headers() {
	psc_instrument g++ -O2 -g -o headers lines.cc && psc_frontend -q --lockstep --app ./headers \
		--phase "lines.cc:$(line 'the phase')" --machine x86-server --psc headers.psc -o report
}
# rank NAME: of the first finding about the structure of that name
rank() { psc_report --csv headers.psc | "$AWK" -F, -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["name"] == name { print $column["rank"]; exit }'; }
# shares NAME: "LINE SHARE" each, rounded
shares() { lines_of "$(rank "$1")" headers.psc |
	sed -n 's/^"line": \([0-9]*\), .*"share": \([^,}]*\).*/\1 \2/p' | "$AWK" '{ printf "%d %.1f\n", $1, $2 }' | sort -n; }
# equal A B: prints them
equal() { echo "$1, not $2"; [ "$1" = "$2" ]; }
check "code in headers is analysed" headers
check "lines of inlined and of called code" equal "$(shares cells_)" "$(line inlined) 0.5
$(line called) 0.5"
check "lines of a container's code" equal "$(shares entries_)" "$(line 'looked up') 1.0"
check "which is the place" has "walk lines.cc:$(line 'looked up') .*entries_"
