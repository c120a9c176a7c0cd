#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_report --timeline-csv, --perfetto, --paraver as a user meets them.
. "${srcdir:-.}/tests/tap.sh"
psc_report=${builddir:-.}/psc_report
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/log
lu=${srcdir:-.}/tests/report/lu.psc
old=${srcdir:-.}/tests/report/heat.psc

refused() { # file, command...: exit code 2, and the file is as before
	file=$1
	shift
	cp "$file" "$tmp/before" && exits 2 "$@" && cmp "$file" "$tmp/before"
}
# What Perfetto's .proto files call these fields.
decodes() {
	protoc --decode_raw <"$tmp/t.pftrace" >"$tmp/t.txt" && [ "$(grep -c '^1 {' "$tmp/t.txt")" -gt 10 ] && grep -q '^  60 {' "$tmp/t.txt"
}

# prv NAME: the trace follows the description of Paraver's format
prv() {
	awk -f "${srcdir:-.}/tests/report/prv.awk" "$tmp/$1.pcf" "$tmp/$1.row" "$tmp/$1.prv"
}
# finds SAYS SED FILE: the check of the format finds what sed spoils in a file of the trace
finds() {
	for of in prv pcf row; do
		cp "$tmp/t.$of" "$tmp/spoilt.$of"
	done
	sed "$2" "$tmp/t.$3" >"$tmp/spoilt.$3" && ! prv spoilt >"$tmp/found" && grep -q "$1" "$tmp/found" || { cat "$tmp/found"; return 1; }
}

plan 20
check "all three at once" exits 0 "$psc_report" --timeline-csv "$tmp/t.csv" --perfetto "$tmp/t.pftrace" --paraver "$tmp/t" "$lu"
check "CSV has a heading" says "process,column,position,time,region," head -n 1 "$tmp/t.csv"
check "and rows of one width" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 10 }' "$tmp/t.csv"
check "Paraver has four files" test -s "$tmp/t.prv" -a -s "$tmp/t.pcf" -a -s "$tmp/t.row" -a -s "$tmp/t.cfg"
check "in the format that Paraver's description has" prv t
check "a trace of another header is told" finds "no header of Paraver" '1s/_ns//; 1s/):/:/' prv
check "of records out of order" finds "behind a record of a later time" '2{h;d};20G' prv
check "of a thread that is not there" finds "no such CPU" '3s/^\([12]\):[0-9]*:/\1:99:/' prv
check "of an event without a label" finds "is not in the .pcf" '/90100001/d' pcf
check "of a state without a label" finds "a state that the .pcf" '/^STATES$/,/^$/{/^2 /d}' pcf
check "of names that are missing" finds "names are announced" '/^CPU 2$/d' row
if command -v protoc >/dev/null; then
	check "Perfetto's trace is protobuf" decodes
else
	skip "Perfetto's trace is protobuf" "protoc is not installed"
fi
check "to standard output" says "process,column,position," "$psc_report" --timeline-csv - "$lu"
check "files of ours are replaced" exits 0 "$psc_report" --timeline-csv "$tmp/t.csv" --perfetto "$tmp/t.pftrace" --paraver "$tmp/t" "$lu"
echo "#Paraver (01/01/26 at 00:00):1_ns:1(1):1:1(1:1)" >"$tmp/other.prv"
check "another tool's trace is kept" refused "$tmp/other.prv" "$psc_report" --paraver "$tmp/other" "$lu"
check "but with -f" exits 0 "$psc_report" -f --paraver "$tmp/other" "$lu"
cp "$old" "$tmp/old.psc"
check "a report without timeline is refused" exits 2 "$psc_report" --timeline-csv "$tmp/none.csv" "$tmp/old.psc"
check "and nothing is written" test ! -e "$tmp/none.csv"
check "a property file is never replaced" refused "$tmp/old.psc" "$psc_report" -f --perfetto "$tmp/old.psc" "$lu"
check "they go with no other form" exits 2 "$psc_report" --json --perfetto "$tmp/x" "$lu"
